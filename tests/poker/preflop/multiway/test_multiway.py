"""Hands of several seats on sampled deals: gains against enumeration, runs, files, bad input."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from equilibrist import load_result
from equilibrist.errors import CheckpointError, EquilibristError, FileFormatError, MemoryBudgetError
from equilibrist.poker import (
    Hand,
    MultiwaySolution,
    push_fold,
    solve_multiway,
)
from equilibrist.poker.hands.betting_tree import DECISION
from equilibrist.poker.hands.pots import payoffs
from equilibrist.poker.hands.state import HandState
from equilibrist.poker.preflop.multiway.hand_tree import hand_tree
from equilibrist.poker.preflop.pots import weak_orders
from equilibrist.poker.preflop.sampled_evaluation import evaluate
from equilibrist.poker.preflop.sampled_run import SampledCheckpoint
from equilibrist.progress import Progress
from tests.poker.preflop.multiway.no_board import gains_of
from tests.refusals import refuses

ONE_BET = Hand(seats=3, stack=162, blinds="1/2", bets="100%", raise_cap=1, board="")
SHORT = Hand(seats=3, stack=8, bets="2x", raises="a", raise_cap=1, last_street="preflop")


@pytest.fixture(scope="module")
def solved() -> MultiwaySolution:
    return solve_multiway(ONE_BET, deals=10_000, seed=3, threads=1)


@pytest.mark.slow
def test_gains_are_those_of_all_triples_of_hands() -> None:
    tree = hand_tree(ONE_BET)
    sampled = tree.sampled(3, 1, 1)
    strategy = _random(sampled, np.random.default_rng(2))
    values, gains = gains_of(tree, strategy)
    found = evaluate(sampled, strategy, 20_000)
    np.testing.assert_allclose(found.values, values, atol=4.5 * found.errors.max())
    for gain, (low, high) in zip(gains, found.intervals, strict=True):
        assert low < gain < high
    assert found.interval[0] < gains.sum() < found.interval[1]


@pytest.mark.parametrize(
    "keys",
    [
        {"stacks": "8/0.7/5"},
        {"stacks": "0.2/6/5/0.3", "ante": 0.5},
        {"stacks": "6/0.7/5", "ante": 1, "ante_kind": "big-blind"},
    ],
)
def test_seats_that_cannot_post_in_full(keys: dict[str, Any]) -> None:
    """Endings pay what pots of a table pay, for every order of the hands."""
    seats = len(keys["stacks"].split("/"))
    hand = Hand(**keys, seats=seats, bets="2x,a", raises="a", last_street="preflop")
    tree, rules = hand_tree(hand), hand.rules
    betting, sampled = tree.betting, tree.tree
    ends = [k for k in range(betting.num_nodes) if betting.kind[k] != DECISION]
    endings = np.flatnonzero(sampled.player < 0)
    assert len(ends) == len(endings) > 3
    for node, ending in zip(ends, endings, strict=True):
        stakes, live = tuple(betting.stake[node].tolist()), int(betting.live[node])
        state = HandState(int(betting.kind[node]), 0, -1, stakes, (0,) * seats, live, 0)
        shown = [seat for seat in range(seats) if live >> seat & 1]
        for k, ranks in enumerate(weak_orders(len(shown))):
            strengths = dict(zip(shown, (seats - ranks).tolist(), strict=True))
            won = payoffs(rules, state, [strengths.get(seat, 0) for seat in range(seats)])
            found = sampled.payoffs[sampled.row[ending] + k]
            np.testing.assert_allclose(found, np.array(won) / rules.big_blind, atol=0.021)
    solution = solve_multiway(hand, deals=1_000, threads=1)
    assert sum(solution.values) == pytest.approx(0, abs=1e-9)


def _random(game: Any, rng: np.random.Generator) -> Any:
    weights = rng.random(game.shape) * game.legal[:, None, :]
    return weights / weights.sum(axis=2, keepdims=True)


def test_nodes_have_what_hands_do(solved: MultiwaySolution) -> None:
    root = solved.at()
    assert (root.seat_name, root.codes) == ("BTN", ("F", "C", "R7"))
    assert root.reached == pytest.approx(1)
    np.testing.assert_allclose(root.strategy.sum(axis=0), 1)
    aces, trash = root.names.index("AA"), root.names.index("32o")
    assert root.strategy[0, aces] < 0.01 < root.strategy[0, trash]
    assert root.ev[aces] > 1 > root.ev[trash]
    again = solved.at("C-F-R7")
    assert again.seat_name == "BTN"
    np.testing.assert_allclose(again.reach, root.strategy[1], atol=1e-12)
    folds = dict(zip(root.codes, root.frequencies, strict=True))["F"]
    assert solved.at("F").reached == pytest.approx(folds, abs=0.01)
    assert len(solved.lines()) == 18
    assert sum(solved.values) == pytest.approx(0, abs=1e-9)


def test_a_board_that_is_dealt_after_the_betting() -> None:
    found = solve_multiway(SHORT, deals=2_000, threads=1)
    root = found.at()
    assert found.strategy.shape[1] == 169
    suited, offsuit = (root.names.index(name) for name in ("A2s", "A2o"))
    assert root.strategy[0, suited] != root.strategy[0, offsuit]
    assert found.nash_conv < 1.5
    assert root.strategy[0, root.names.index("AA")] < 0.01


def test_files_are_what_was_saved(solved: MultiwaySolution, tmp_path: Path) -> None:
    file = solved.save(tmp_path / "hand.safetensors")
    again = load_result(file)
    assert again.to_dict() == solved.to_dict()
    assert again.to_csv() == solved.to_csv()
    file.write_bytes(file.read_bytes()[:-100])
    with pytest.raises(FileFormatError):
        load_result(file)


@pytest.mark.parametrize("solver", ["multiway", "pushfold"])
def test_a_resumed_run_has_the_bits_of_one_that_was_not_stopped(
    solver: str, tmp_path: Path
) -> None:
    def solve(**given: Any) -> Any:
        fresh = "resume" not in given
        if solver == "multiway":
            return solve_multiway(ONE_BET if fresh else None, threads=1, **given)
        return push_fold(10 if fresh else None, seats=3 if fresh else None, threads=1, **given)

    whole = solve(deals=5_000, seed=6)
    file = tmp_path / "run.ckpt"
    short = solve(deals=2_025, seed=6, checkpoint=file)  # whose last iteration is cut short
    saved = SampledCheckpoint(file)
    assert (saved.deals, saved.iteration) == (short.deals, short.iterations) == (2_025, 41)
    again = solve(deals=2_025, resume=file, checkpoint=tmp_path / "again.ckpt")
    assert (again.values, again.deals) == (short.values, short.deals)
    with refuses(CheckpointError, option="deals", given=2_010, expected=2_025):
        solve(deals=2_010, resume=file)
    ended = solve(deals=5_000, resume=file)
    for name in ("values", "gains", "interval", "iterations", "deals", "seed"):
        assert getattr(ended, name) == getattr(whole, name)


def test_ctrl_c_keeps_what_was_computed(tmp_path: Path) -> None:
    file = tmp_path / "run.ckpt"

    def stop(progress: Progress) -> None:
        if progress.iteration >= 30:
            signal.raise_signal(signal.SIGINT)

    found = solve_multiway(ONE_BET, deals=10**9, threads=1, checkpoint=file, callbacks=stop)
    assert found.stopped_by == "interrupted"
    assert found.measured_deals == max(1_000, found.deals // 10)
    assert SampledCheckpoint(file).iteration == found.iterations >= 30
    game = push_fold(10, seats=3, deals=10**9, threads=1, callbacks=stop)
    assert game.stopped_by == "interrupted"


def test_checkpoints_of_other_runs_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "run.ckpt"
    solve_multiway(ONE_BET, deals=1_000, threads=1, checkpoint=file)
    cases: list[tuple[str, Any]] = [
        ("resume", lambda: push_fold(resume=file)),
        ("stack", lambda: solve_multiway(ONE_BET.replace(stack=100), resume=file)),
        ("seed", lambda: solve_multiway(ONE_BET, seed=1, resume=file)),
        ("deals", lambda: solve_multiway(resume=file, deals=1_000)),
        ("resume", lambda: solve_multiway(resume=tmp_path / "none.ckpt")),
        ("iteration", lambda: solve_multiway(ONE_BET, checkpoint=file)),
        ("iteration", lambda: push_fold(10, seats=3, checkpoint=file)),
    ]
    run = SampledCheckpoint(file)
    assert run.problems["multiway"]["stack"] == 162
    solve_multiway(resume=file, deals=2_000, threads=1)
    for option, resumed in cases:
        with pytest.raises(CheckpointError) as caught:
            resumed()
        assert caught.value.option == option


@pytest.mark.parametrize(
    ("keys", "option"),
    [
        ({"stack": 20, "bets": "a"}, "last_street"),
        ({"stack": 20, "bets": "a", "board": "3"}, "board"),
        ({"stack": 20, "bets": "a", "hole_cards": 1, "board": ""}, "hole_cards"),
        ({"stack": 20, "bets": "a", "seats": 7, "last_street": "preflop"}, "seats"),
    ],
)
def test_hands_that_are_not_solved_so(keys: dict[str, Any], option: str) -> None:
    with pytest.raises(EquilibristError) as caught:
        solve_multiway(Hand(**keys))
    assert caught.value.option == option


def test_betting_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("equilibrist.poker.preflop.multiway.hand_tree.MOST_NODES", 30)
    with pytest.raises(MemoryBudgetError) as caught:
        solve_multiway(ONE_BET)
    assert caught.value.option == "states"
