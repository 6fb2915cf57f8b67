"""Samplers' parameters, the games and variants they refuse, and that cuts change no bit."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from equilibrist.contrib.samplers import Escher
from equilibrist.errors import ConfigError
from equilibrist.evaluation import evaluate
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.solvers.sampling.action_subsets import AverageStrategy, Probing, Robust
from equilibrist.solvers.sampling.chance import Chance
from equilibrist.solvers.sampling.mccfr import MCCFR
from equilibrist.solvers.sampling.pure import Pure, in_units
from tests.refusals import refuses

KUHN = compile_game(load_game("kuhn"))
EACH: tuple[Any, ...] = (
    Chance(),
    AverageStrategy(),
    AverageStrategy(epsilon=0.1, tau=1, beta=0),
    Robust(),
    Probing(),
    Pure(),
    Escher(),
)


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("sampler", EACH, ids=str)
def test_cuts_change_no_bit(sampler: Any, players: int) -> None:
    tree = compile_game(load_game(f"kuhn(players={players})"))
    whole = MCCFR(tree, sampler=sampler, seed=3).run(100).state
    parts = MCCFR(tree, sampler=sampler, seed=3)
    for count in (1, 6, 13, 0, 50, 30):
        parts.run(count)
    resumed = MCCFR(tree, sampler=sampler, seed=3)
    resumed.restore(MCCFR(tree, sampler=sampler, seed=3).run(44).state).run(56)
    for other in (parts.state, resumed.state):
        assert other.regret.tobytes() == whole.regret.tobytes()
        assert other.strategy_sum.tobytes() == whole.strategy_sum.tobytes()
        assert (other.iteration, other.nodes_touched) == (100, whole.nodes_touched)
    assert whole.strategy_sum.any()


@pytest.mark.parametrize("sampler", EACH, ids=str)
def test_the_average_approaches_equilibrium(sampler: Any) -> None:
    solver = MCCFR(KUHN, sampler=sampler, seed=1)
    assert evaluate(solver.run(20_000).average_strategy()).nash_conv < 0.06
    assert evaluate(solver.average_strategy()).values[0] == pytest.approx(-1 / 18, abs=0.01)


SHARE = "a number above 0 and at most 1"


@pytest.mark.parametrize("name", ["epsilon", "tau", "beta"])
@pytest.mark.parametrize("value", [float("nan"), float("inf"), "much", None, True])
def test_average_strategy_wants_numbers(name: str, value: Any) -> None:
    with refuses(ConfigError, option=name, given=value):
        AverageStrategy(**{name: value})


@pytest.mark.parametrize(
    ("name", "value", "fields"),
    [
        ("epsilon", 0.0, dict(option="epsilon", given=0.0, expected=SHARE)),
        ("epsilon", 1.5, dict(option="epsilon", given=1.5, expected=SHARE)),
        ("tau", 0.99, dict(option="tau", given=0.99)),
        ("beta", -1e-9, dict(option="beta", given=-1e-09)),
    ],
)
def test_average_strategy_refuses(name: str, value: float, fields: dict[str, Any]) -> None:
    with refuses(ConfigError, **fields):
        AverageStrategy(**{name: value})


@pytest.mark.parametrize("kind", [Robust, Probing])
@pytest.mark.parametrize("k", [0, -1, 1.0, "2", None, True])
def test_k_is_a_whole_number_of_at_least_one(kind: Any, k: Any) -> None:
    with refuses(ConfigError, option="k", given=k):
        kind(k=k)


def test_all_actions_tried_is_external_sampling() -> None:
    """More than there are: the coins need no draws, so that even the bits agree."""
    tree = compile_game(load_game("leduc"))
    wanted = MCCFR(tree, sampler="external", seed=2).run(50).state
    for sampler in (Robust(k=9), Probing(k=10**30), AverageStrategy(epsilon=1.0)):
        found = MCCFR(tree, sampler=sampler, seed=2).run(50).state
        assert found.regret.tobytes() == wanted.regret.tobytes()
        assert found.strategy_sum.tobytes() == wanted.strategy_sum.tobytes()
        assert found.nodes_touched == wanted.nodes_touched


def test_pure_cfr_counts_in_whole_numbers() -> None:
    tree = compile_game(load_game("random_tree(seed=5)"))
    solver = MCCFR(tree, sampler="pure", seed=1).run(200)
    state = solver.state
    kept = state.kept
    assert {array.dtype for array in kept.values()} == {np.dtype(np.int64)}
    assert (state.regret == kept["pure_regret"] / 64).all()
    assert (state.strategy_sum == kept["pure_counts"]).all()


@pytest.mark.parametrize(
    ("payoffs", "unit", "whole"),
    [
        ([-2.0, -1.0, 1.0], Fraction(1), [-2, -1, 1]),
        ([6.0, -9.0, 0.0], Fraction(3), [2, -3, 0]),
        ([0.1, -0.25], Fraction(1, 20), [2, -5]),
        ([1 / 3, -1 / 3], Fraction(1, 3), [1, -1]),
        ([0.0, 0.0], Fraction(1), [0, 0]),
        ([1e6, 0.5], Fraction(1, 2), [2_000_000, 1]),
        ([], Fraction(1), []),
    ],
)
def test_units(payoffs: list[float], unit: Fraction, whole: list[int]) -> None:
    found, its_unit = in_units(np.array(payoffs))
    assert (its_unit, found.tolist()) == (unit, whole)


@pytest.mark.parametrize("payoffs", [[1.0, 2**0.5], [1e-9, 1.0], [1e12, 0.5], [1e-13, -1e-13]])
def test_payoffs_without_a_unit_are_refused(payoffs: list[float]) -> None:
    with refuses(ConfigError, option="payoffs"):
        in_units(np.array(payoffs))


def test_pure_cfr_says_what_it_cannot_do() -> None:
    with refuses(ConfigError, option="algorithm", given="lcfr"):
        MCCFR(KUHN, "lcfr", sampler="pure")
    odd = compile_game(load_game("matrix(payoffs=[[1.4142135623,-1],[0,1]])"))
    with refuses(ConfigError, option="payoffs", given=-1.4142135623):
        MCCFR(odd, sampler="pure")
