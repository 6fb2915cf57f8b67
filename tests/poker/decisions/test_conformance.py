"""What all solutions of hold'em answer: the same checks for each kind."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest

from equilibrist import load_result
from equilibrist.errors import ConfigError, EquilibristError, FileFormatError
from equilibrist.play import HandGame, SolutionAgent, SolutionCoach, Table
from equilibrist.play.solutions.players import SolutionRanges
from equilibrist.play.solutions.reading import solution_game
from equilibrist.poker import (
    Decision,
    Hand,
    HandSolution,
    Range,
    SolvedFlops,
    Spot,
    ThreeSpot,
    build_card_buckets,
    push_fold,
    solve,
    solve_multiway,
    solve_preflop,
    solve_three,
)
from equilibrist.poker.blueprint.abstract_game import AbstractGame
from equilibrist.poker.blueprint.policy import Blueprint
from equilibrist.poker.cards.cards import card_names
from equilibrist.poker.cards.combos import CLASS_OF_COMBO
from tests.refusals import refuses, unchecked

TEN = Hand(stack=6, bets="2x,a|50%,a", raises="a", board="1/1", deck="T", last_street="flop")
THREE = Hand(seats=3, stack=162, blinds="1/2", bets="100%", raise_cap=1, board="")
SHORT = Hand(stacks="6/5", bets="100%,a", raises="100%,a", ante=0.1, deck="T")


@cache
def exact() -> Any:
    return solve_preflop(TEN, iterations=20, threads=1)


@cache
def flops() -> SolvedFlops:
    return SolvedFlops(exact(), target="5%", threads=1)


@cache
def spot() -> Any:
    return solve(
        Spot(board="Ts3h2h5c9s", oop="AA,QQ:0.5", ip="KK,JJ", pot=100, stack=100, bets="50%,a"),
        iterations=20,
    )


@cache
def several() -> Any:
    return solve_multiway(THREE, deals=2_000, threads=1)


@cache
def blueprint() -> Blueprint:
    with TemporaryDirectory() as folder:
        made: dict[str, Any] = {"restarts": 1, "passes": 2, "sample": 1000, "threads": 1}
        cards = build_card_buckets("all/5/5/5", Path(folder) / "c", lowest_rank=8, **made)
        game = AbstractGame(SHORT, cards.counts)
        strategy = np.random.default_rng(1).integers(1, 60_000, game.num_slots)
        return Blueprint(game, cards, strategy.astype(np.uint16))


@cache
def spot_of_three() -> Any:
    return solve_three(
        ThreeSpot(
            board="Ts3h2h5c9s", oop="AA,QQ:0.5", middle="JJ,AK", ip="KK,88", pot=90,
            stacks=[100, 40, 70], bets="50%,a",
        ),
        iterations=30,
    )  # fmt: skip


SOLUTIONS: dict[str, Callable[[], Any]] = {
    "spot": spot,
    "spot of three": spot_of_three,
    "exact hand": exact,
    "exact hand with its flops": flops,
    "push or fold": cache(lambda: push_fold(10)),
    "push or fold of three": cache(lambda: push_fold(10, seats=3, deals=2_000, threads=1)),
    "several seats": several,
    "blueprint": blueprint,
}
AFTER_CARDS = {
    "exact hand with its flops": ("C-X|X", "Qh"),
    "blueprint": ("C-X|X", "TdJdQh"),
    "spot": ("X", "Ts3h2h5c9s"),
}
"""A line of decisions that cards come before, and the board."""


@pytest.fixture(params=SOLUTIONS, scope="module")
def solution(request: pytest.FixtureRequest) -> Any:
    return SOLUTIONS[request.param]()


def decisions(solution: Any) -> list[Decision]:
    """Those of all lines, by the columns that the solution has, and by class."""
    found = [solution.at(line).decision for line in solution.lines()]
    return [*found, *(decision.by_class() for decision in found)]


def test_it_is_one(solution: Any) -> None:
    assert isinstance(solution, HandSolution)
    assert len(solution.seats) == len(set(solution.seats)) >= 2
    assert solution.measure is None or solution.measure >= 0.0
    json.dumps(solution.facts(), allow_nan=False)


def test_it_is_saved_and_opened_again(solution: Any, tmp_path: Path) -> None:
    """All of them by one function; card buckets of a blueprint may be elsewhere."""
    path = tmp_path / "solution"
    assert solution.save(path) == path
    cards = solution.cards if isinstance(solution, Blueprint) else None
    again = load_result(path, cards=cards)
    assert isinstance(again, HandSolution)
    assert (again.lines(), again.measure) == (solution.lines(), solution.measure)
    for line in solution.lines():
        there, here = again.at(line).decision, solution.at(line).decision
        np.testing.assert_array_equal(there.strategy, here.strategy)


def test_the_path_of_a_file_in_the_home_folder_is_whole(
    solution: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert solution.save("~/solution") == tmp_path / "solution"


def test_card_buckets_are_of_blueprints_alone(solution: Any, tmp_path: Path) -> None:
    path = solution.save(tmp_path / "solution")
    if not isinstance(solution, Blueprint):
        with refuses(ConfigError, option="cards", given="c"):
            load_result(path, cards="c")
    with refuses(ConfigError, option="callbacks", given=5):
        load_result(path, callbacks=unchecked(5))


def test_a_missing_solution_is_that_whatever_its_card_buckets(tmp_path: Path) -> None:
    with refuses(FileFormatError, option="file"):
        load_result(tmp_path / "none", cards="c")


def test_a_line_is_a_text(solution: Any) -> None:
    for line in (5, None):
        with refuses(ConfigError, option="line", given=line):
            solution.at(line)


def test_every_line_has_its_decision(solution: Any) -> None:
    lines = solution.lines()
    assert lines[0] == ""
    assert len(set(lines)) == len(lines)
    for line in lines:
        decision = solution.at(line).decision
        assert decision.line == line
        assert decision.decision is decision
        assert 0 <= decision.seat < len(solution.seats)
        assert decision.seat_name == solution.seats[decision.seat]
        assert len(decision.codes) == len({*decision.codes}) == len(decision.strategy)


def test_arrays_have_a_column_for_each_hand(solution: Any) -> None:
    for decision in decisions(solution):
        columns = len(decision.names)
        assert columns in (169, 1326)
        assert decision.is_by_class == (columns == 169)
        assert decision.combos.shape == decision.reach.shape == (columns,)
        assert decision.strategy.shape == (len(decision.actions), columns)
        for figures, shape in ((decision.ev, (columns,)), (decision.action_ev, None)):
            assert figures is None or figures.shape == (shape or decision.strategy.shape)


def test_strategies_are_probabilities_where_the_seat_comes(solution: Any) -> None:
    for decision in decisions(solution):
        assert (decision.reach >= 0.0).all()
        assert (decision.reach <= 1.0 + 1e-9).all()
        assert not decision.reach[decision.combos == 0].any()
        assert (decision.strategy >= 0.0).all()
        held = (decision.reach > 0.0) & (decision.combos > 0)
        assert held.any()
        np.testing.assert_allclose(decision.strategy[:, held].sum(axis=0), 1.0, atol=1e-5)


def test_frequencies_are_means_over_the_hands_that_come(solution: Any) -> None:
    for decision in decisions(solution):
        weights = decision.combos * decision.reach
        np.testing.assert_allclose(
            decision.frequencies, (decision.strategy * weights).sum(axis=1) / weights.sum()
        )
        counts = [decision.count(k) for k in range(len(decision.actions))]
        np.testing.assert_allclose(counts, decision.frequencies * weights.sum())
        assert sum(decision.frequencies) == pytest.approx(1.0, abs=1e-5)


def test_an_ev_is_the_mean_over_the_actions(solution: Any) -> None:
    for line in solution.lines():
        decision = solution.at(line).decision
        if decision.ev is None or decision.action_ev is None:
            continue
        mean = (decision.strategy * decision.action_ev).sum(axis=0)
        known = np.isfinite(mean) & np.isfinite(decision.ev) & (decision.combos > 0)
        assert known.any()
        np.testing.assert_allclose(decision.ev[known], mean[known], atol=2e-3)


def test_classes_are_means_over_their_combos(solution: Any) -> None:
    for line in solution.lines():
        decision = solution.at(line).decision
        classes = decision.by_class()
        assert classes.by_class() is classes
        assert classes.combos.sum() == decision.combos.sum()
        held = (decision.combos * decision.reach).sum()
        assert (classes.combos * classes.reach).sum() == pytest.approx(held)
        np.testing.assert_allclose(classes.frequencies, decision.frequencies, atol=1e-9)


def test_ranges_are_read_back_with_the_same_weights(solution: Any) -> None:
    for decision in decisions(solution)[:6]:
        for k in range(len(decision.actions)):
            weights = decision.over_combos(decision.reach * decision.strategy[k])
            weights = weights * (decision.over_combos(decision.combos) > 0)
            text = decision.range_text(k)
            read = Range(text).weights if text else np.zeros(len(CLASS_OF_COMBO))
            np.testing.assert_allclose(read, np.where(weights >= 1e-3, weights, 0), atol=6e-4)
            shown = decision.range(k).weights
            np.testing.assert_allclose(shown, weights, atol=6e-4 * max(weights.max(), 1e-9) + 6e-4)


def test_documents_are_json(solution: Any) -> None:
    for decision in decisions(solution):
        document = json.loads(json.dumps(decision.to_dict(), allow_nan=False))
        assert document["actions"] == [*decision.codes]
        assert len(document["hands"]) == np.count_nonzero(decision.combos)
        assert document["frequencies"] == decision.frequencies.tolist()


def test_single_hands_are_looked_up_by_their_combo(solution: Any) -> None:
    for decision in decisions(solution)[:4]:
        combo = int(np.argmax(decision.over_combos(decision.combos * decision.reach)))
        column = decision.column(combo)
        mixture = decision.mixture(combo)
        assert mixture is not None
        assert sum(mixture) == pytest.approx(1.0)
        np.testing.assert_allclose(mixture, decision.strategy[:, column], atol=1e-5)
        values = decision.values(combo)
        if values is not None:
            assert decision.action_ev is not None
            assert [*values] == decision.action_ev[:, column].tolist()
        assert decision.columns_of(decision.names[column]) == [column]


@pytest.mark.parametrize("line", ["R99", "A-A-A-A", "Q"])
def test_unknown_lines_are_refused(solution: Any, line: str) -> None:
    with pytest.raises(EquilibristError) as caught:
        solution.at(line)
    assert caught.value.option == "line"
    assert caught.value.given


def test_hands_that_nobody_holds_are_refused() -> None:
    with pytest.raises(ConfigError) as caught:
        exact().at().columns_of("22")
    assert (caught.value.option, caught.value.given) == ("KEY", "22")


@pytest.mark.parametrize("kind", [kind for kind in SOLUTIONS if kind != "spot"])
def test_there_is_no_board_before_the_flop(kind: str) -> None:
    with pytest.raises(ConfigError) as caught:
        SOLUTIONS[kind]().at("", "QhJhTh")
    assert (caught.value.option, caught.value.given) == ("board", "QhJhTh")


@pytest.mark.parametrize("kind", AFTER_CARDS)
def test_boards_stand_in_the_line_or_beside_it(kind: str) -> None:
    solution, (line, board) = SOLUTIONS[kind](), AFTER_CARDS[kind]
    beside = solution.at(line, board).decision
    assert card_names(beside.board) == board
    if kind != "spot":
        within = solution.at(line.replace("|", f"|{board}|")).decision
        np.testing.assert_array_equal(within.strategy, beside.strategy)
        np.testing.assert_array_equal(within.reach, beside.reach)
        with pytest.raises(ConfigError) as caught:
            solution.at(line)
        assert caught.value.option == "board"
    assert beside.street == ("river" if kind == "spot" else "flop")


def test_an_agent_a_coach_and_ranges_go_by_it(solution: Any) -> None:
    """The first seat acts; the second knows what it did with its range."""
    game = solution_game(solution)
    table = Table.start(game)
    while table.player < 0:
        table = table.play(game.actions(table.state)[-1])
    root = solution.at().decision
    combo = table.state.hands[table.player]
    agent, coach = SolutionAgent(solution), SolutionCoach(solution)
    mixture = root.mixture(combo)
    assert mixture is not None
    assert agent.mixture(table) == [*mixture]
    advice = coach.advise(table.infoset, 0)
    assert (advice.mixture, advice.actions) == (mixture, table.actions)
    assert (advice.errors is None) == coach.is_exact or advice.values is None
    then = table.play(table.actions[-1])
    if then.player >= 0:
        (first,) = SolutionRanges(solution).mixtures(then.infoset)
        assert (first.player, first.taken) == (root.seat, table.actions[-1])
        assert first.probabilities is not None
        assert sum(first.probabilities) == pytest.approx(1.0)
    if isinstance(game, HandGame):
        assert len(game.seat_names) == len(solution.seats)
