"""The textbook's rock, paper, scissors, and the doctests of the package."""

from __future__ import annotations

import doctest
import importlib

import pytest

from equilibrist.reference.matching import instant_regrets, mean, regret_matching


def test_rock_against_paper() -> None:
    """Order rock, scissors, paper: regrets 0, 2, 1; next 0, 2/3, 1/3."""
    regrets = instant_regrets([-1.0, 1.0, 0.0], [1.0, 0.0, 0.0])
    assert regrets == [0.0, 2.0, 1.0]
    assert regret_matching(regrets) == [0.0, 2 / 3, 1 / 3]


def test_paper_against_scissors() -> None:
    """Not having played scissors counts 1, rock 2."""
    regrets = instant_regrets([1.0, 0.0, -1.0], [0.0, 0.0, 1.0])
    assert regrets == [2.0, 1.0, 0.0]
    assert regret_matching(regrets) == [2 / 3, 1 / 3, 0.0]


def test_mixed_strategies_regret_against_their_mean() -> None:
    assert instant_regrets([4.0, 0.0], [0.25, 0.75]) == [3.0, -1.0]


@pytest.mark.parametrize("row", [[0.0, 0.0, 0.0], [-1.0, -2.0, 0.0], [-1e-300] * 3])
def test_without_positive_regret_play_is_uniform(row) -> None:
    assert regret_matching(row) == [1 / 3] * 3


def test_mean_adds_from_left_to_right() -> None:
    """Where compensated summation would say 2.0."""
    assert mean([1.0] * 4, [1.0, 1e100, 1.0, -1e100]) == 0.0
    with pytest.raises(ValueError, match="zip"):
        mean([1.0], [1.0, 2.0])


@pytest.mark.parametrize("name", ["by_hand", "matching"])
def test_examples_in_the_docstrings(name: str) -> None:
    module = importlib.import_module(f"equilibrist.reference.{name}")
    result = doctest.testmod(module)
    assert result.attempted >= 3
    assert result.failed == 0
