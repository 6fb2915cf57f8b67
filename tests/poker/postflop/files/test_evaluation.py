"""Best responses to solved spots, computed again: against the compiled game, and refusals."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import equilibrist as eq
from equilibrist import evaluation, load_result, poker
from equilibrist.errors import ConfigError, MemoryBudgetError, UnsupportedError
from equilibrist.play import SpotGame
from equilibrist.poker import PostflopResult, Spot, solve
from equilibrist.poker.cards.combos import parse_combo
from equilibrist.poker.postflop.spot.fields import Storage
from tests.refusals import refuses, unchecked

RIVER = Spot(
    board="Ts3h2h5c9s", oop="AA,QQ:0.5,AhKh", ip="KK,QJs", pot=10, stack=9.75, bets="50%,a",
    raises="a", rake=0.05, rake_cap=0.7,
)  # fmt: skip
TURN = Spot(board="Ts3s2s9s", oop="AhAd,AhAc,AdAc", ip="QQ", pot=8, stack=9, bets="a")
LOCKED = RIVER.replace(locks=["B5: KK = Call 100%"])


def compiled(solution: PostflopResult) -> evaluation.Evaluation:
    """The solution as a strategy of the compiled game, evaluated there."""
    tree = eq.compile_game(SpotGame(solution.spot))
    look_up = cache(solution.strategy.__getitem__)
    rows = {}
    for i, key in enumerate(tree.infoset_keys):
        hand, line = key.split(":")
        shares = [float(look_up(line)[word][parse_combo(hand)]) for word in tree.action_labels[i]]
        rows[key] = dict(zip(tree.action_labels[i], shares, strict=True))
    return evaluation.evaluate(eq.Strategy.from_dict(tree, rows))


@pytest.mark.by_default(1)
@pytest.mark.parametrize("storage", ["float32", "int16"])
@pytest.mark.parametrize("spot", [RIVER, TURN], ids=["river", "turn"])
def test_gains_are_those_of_the_compiled_game(spot: Spot, storage: Storage, tmp_path: Path) -> None:
    solution = solve(spot, iterations=7, storage=storage, threads=1)
    expected = compiled(solution)
    assert max(expected.gains) > 0.05
    found = poker.evaluate_spot(solution, threads=1)
    solution.save(tmp_path / "out.spot")
    assert poker.evaluate_spot(load_result(tmp_path / "out.spot"), threads=2) == found
    near = 2e-5 * spot.pot
    assert found.values == pytest.approx(expected.values, abs=near)
    assert found.best_response_values == pytest.approx(expected.best_response_values, abs=near)
    assert found.gains == pytest.approx(expected.gains, abs=near)
    assert found.mean_gain == pytest.approx(solution.mean_gain, abs=near)
    assert found.exploitability == (None if spot.is_raked else found.mean_gain)
    assert found.unlocked_gains is None
    assert found.unlocked_mean_gain is None


def test_gains_with_and_without_locks() -> None:
    solution = solve(LOCKED, iterations=30, threads=1)
    found = poker.evaluate_spot(solution, threads=1)
    assert found.mean_gain == pytest.approx(solution.mean_gain, abs=1e-4)
    assert found.unlocked_mean_gain == pytest.approx(solution.unlocked_mean_gain, abs=1e-4)
    assert found.unlocked_gains == pytest.approx(compiled(solution).gains, abs=1e-4)
    assert found.unlocked_gains is not None
    assert found.unlocked_gains[1] > found.gains[1] + 1e-3  # of whom a call is demanded


def test_what_cannot_be_computed_again(tmp_path: Path) -> None:
    small = solve(TURN, iterations=2, threads=1)
    small.save(tmp_path / "turn.spot", keep="first-street")
    with refuses(UnsupportedError, option="keep", given="first-street", expected="all"):
        poker.evaluate_spot(load_result(tmp_path / "turn.spot"))
    frequency = solve(RIVER.replace(locks=[": frequency = Check 60%"]), iterations=2, threads=1)
    with refuses(UnsupportedError, option="locks"):
        poker.evaluate_spot(frequency)
    with refuses(ConfigError, option="solution"):
        poker.evaluate_spot(unchecked("turn.spot"))
    with pytest.raises(MemoryBudgetError):
        poker.evaluate_spot(small, memory=1000)
