"""Local best responses with all hands: those of the compiled game, and never above best ones."""

from __future__ import annotations

import numpy as np
import pytest

from equilibrist.errors import ConfigError, UnsupportedError
from equilibrist.evaluation import local_best_response
from equilibrist.poker.preflop.exact.engine import Engine
from equilibrist.poker.preflop.exact.local_response import local_response
from tests.poker.preflop.exact.test_engine import Both, limit
from tests.refusals import refuses


@pytest.mark.parametrize("name", ["one-card", "flop"])
def test_they_are_those_of_the_compiled_game(name: str) -> None:
    pair = Both(name, "dcfr", seed=4)
    strategy = pair.core.average_strategy()
    gains = pair.engine.gains()
    totals = [array.copy() for array in pair.engine.totals]
    for player in (0, 1):
        wanted = local_best_response(strategy, player, passive=("C", "X"))
        response = local_response(pair.engine, player)
        assert response.value == pytest.approx(wanted.value, abs=1e-9)
        assert response.gain == pytest.approx(wanted.gain, abs=1e-9)
        assert response.value <= gains[player, 1] + 1e-9
    for array, kept in zip(pair.engine.totals, totals, strict=True):
        assert np.array_equal(array, kept)


@pytest.mark.slow
@pytest.mark.parametrize("rounds", [(1, 5, 30)])
def test_flop_holdem_is_never_above_the_best_response(rounds: tuple[int, ...]) -> None:
    """Of 20 cards, against strategies from uniform to solved."""
    engine = Engine(limit((0, 3), 8, 3))
    from equilibrist.solvers.variants.registry import get_variant

    for iterations in rounds:
        engine.run(get_variant("lcfr").table(engine.iteration + 1, iterations))
        gains = engine.gains()
        for player in (0, 1):
            response = local_response(engine, player)
            assert response.value <= gains[player, 1] + 1e-6
            assert response.gain == pytest.approx(response.value - gains[player, 0], abs=1e-9)
            if iterations == 1:
                assert response.gain > 0.5 * (gains[player, 1] - gains[player, 0])


def test_other_hands_are_refused() -> None:
    with refuses(UnsupportedError, option="last_street"):
        local_response(Engine(limit((0, 1, 1), 11, 0)), 0)
    with refuses(UnsupportedError, option="last_street"):
        local_response(Engine(limit((0, 1, 1), 11, 0, last=1)), 0)
    with refuses(ConfigError, option="player", given=2):
        local_response(Engine(limit((0, 1), 11, 0)), 2)
