"""Sizes and payoffs of every game that OpenSpiel has too, against its figures."""

from __future__ import annotations

import pytest

from equilibrist.games import load_game
from tests.games.openspiel_figures import MOMENTS, SIZES
from tests.games.walking import moments, sizes


@pytest.mark.by_default(1)
@pytest.mark.parametrize("spec", SIZES)
def test_sizes(spec: str) -> None:
    assert sizes(load_game(spec))[:3] == SIZES[spec]


@pytest.mark.by_default(2)
@pytest.mark.parametrize("spec", MOMENTS)
def test_payoffs_and_order_of_actions(spec: str) -> None:
    means, squares = moments(load_game(spec))
    assert means == pytest.approx(MOMENTS[spec][0], abs=1e-11)
    assert squares == pytest.approx(MOMENTS[spec][1], rel=1e-11)
