"""Dudo: the order of claims, wild ones, the bid memory, published values."""

from __future__ import annotations

import math
from typing import Any, cast

import pytest

import equilibrist as eq
from equilibrist.errors import GameSpecError, RecallError, UnknownNameError
from equilibrist.game import TERMINAL, Game
from equilibrist.games import load_game
from equilibrist.solvers.full_traversal.fsicfr import FSICFR
from tests.games.walking import play, sizes
from tests.refusals import refuses


@pytest.mark.parametrize(
    ("moves", "payoffs"),
    [
        ("3 2 1x3 dudo", (1, -1)),  # there is a three
        ("3 2 2x3 dudo", (-1, 1)),  # only one three
        ("3 1 2x3 dudo", (1, -1)),  # the one is wild
        ("1 1 2x5 dudo", (1, -1)),
        ("3 3 1x1 dudo", (-1, 1)),  # a claim of ones counts ones only
        ("3 1 1x3 1x5 dudo", (-1, 1)),  # player 1 claimed, player 0 called
        ("3 2 1x3 1x5 dudo", (1, -1)),
    ],
)
def test_payoffs(moves: str, payoffs: tuple[float, ...]) -> None:
    game = load_game("dudo")
    state = play(game, *moves.split())
    assert game.player(state) == TERMINAL
    assert game.payoffs(state) == payoffs


def test_claims_of_ones_stand_where_the_paper_puts_them() -> None:
    one_each = load_game("dudo")
    claims = " ".join(one_each.actions(play(one_each, "1", "1")))
    assert claims == "1x2 1x3 1x4 1x5 1x6 1x1 2x2 2x3 2x4 2x5 2x6 2x1"
    five = load_game("dudo(dice=[3,2],sides=3)")
    claims = " ".join(five.actions(play(five, "111", "11")))
    assert claims == "1x2 1x3 1x1 2x2 2x3 3x2 3x3 2x1 4x2 4x3 5x2 5x3 3x1 4x1 5x1"
    assert one_each.actions(play(one_each, "1", "1", "2x6")) == ("2x1", "dudo")
    assert one_each.actions(play(one_each, "1", "1", "2x1")) == ("dudo",)


def test_hands_are_drawn_with_the_chance_of_all_their_rolls() -> None:
    game = load_game("dudo(dice=3,sides=2)")
    start = game.initial_state()
    assert game.actions(start) == ("111", "112", "122", "222")
    assert game.chance(start) == (1 / 8, 3 / 8, 3 / 8, 1 / 8)


@pytest.mark.parametrize(("dice", "sides"), [(1, 2), (1, 3), (1, 4)])
def test_with_one_die_each_it_is_liars_dice_under_other_names(dice: int, sides: int) -> None:
    ours = eq.compile_game(f"dudo(sides={sides})")
    theirs = eq.compile_game(f"liars_dice(sides={sides})")
    assert (ours.num_nodes, ours.num_infosets) == (theirs.num_nodes, theirs.num_infosets)
    value = eq.solve(ours, "lp").values[0]
    assert value == pytest.approx(eq.solve(theirs, "lp").values[0], abs=1e-9)
    if sides == 4:
        assert value == pytest.approx(1 / 16, abs=1e-9)


@pytest.mark.slow
def test_the_published_size_with_one_die_each() -> None:
    assert sizes(load_game("dudo")) == (294_883, 147_420, 24_576, 49_142)


@pytest.mark.slow
def test_the_published_number_of_infosets_of_the_whole_game() -> None:
    """Neller and Hnath's game for two with up to five dice each, all rounds taken together.

    The winner of a round begins the next: who still has five dice has won all and always begins.
    """

    def infosets(first: int, second: int) -> int:
        claims = 6 * (first + second)
        if first == second:
            return math.comb(first + 5, 5) * 2**claims
        return (math.comb(first + 5, 5) + math.comb(second + 5, 5)) * 2 ** (claims - 1)

    assert infosets(1, 1) == eq.compile_game("dudo").num_infosets
    graph = FSICFR("dudo(dice=[2,1],sides=3)").graph  # 6 and 3 hands, 9 claims
    assert len(graph.infoset_keys) == (6 + 3) * 2**8
    rounds = [(a, b) for a in range(1, 6) for b in range(1, 6) if b < 5 or a == 5]
    assert sum(infosets(a, b) for a, b in rounds) == 294_021_177_291_188_232_192


def test_a_memory_keeps_only_the_last_claims() -> None:
    game: Any = load_game("dudo(memory=2)")
    assert game.name == "dudo(memory=2)"
    long = play(game, "2", "5", "1x2", "1x4", "1x5", "2x3")
    assert game.infoset(long) == "0:2/1x5/2x3"
    assert long == play(game, "2", "5", "1x5", "2x3")
    assert game.full_recall().name == "dudo"
    assert game.full_recall().infoset(play(load_game("dudo"), "2", "5", "1x5")) == "5/1x5"
    assert load_game("dudo(memory=99)").name == "dudo"
    with refuses(RecallError, infoset="1:1/2x1"):
        eq.solve("dudo(sides=3,memory=1)")


def test_what_a_memory_forgets_is_declared_and_no_mistake() -> None:
    report = eq.check_game("dudo(sides=3,memory=1)")
    assert report.ok, report
    assert not report.perfect_recall
    assert not eq.check_game("random_tree(imperfect_recall=true)").ok


def test_a_full_recall_that_fails_is_a_problem_itself() -> None:
    class Failing:
        def __init__(self) -> None:
            self.game = load_game("dudo(sides=3,memory=1)")

        def __getattr__(self, name: str) -> object:
            return getattr(self.game, name)

        def full_recall(self) -> object:
            raise ValueError("no such game")

    report = eq.check_game(cast(Game[Any], Failing()))
    assert {"exception", "public", "recall"} == {problem.kind for problem in report.problems}
    assert "Failing.full_recall raised ValueError: no such game" in str(report)


@pytest.mark.parametrize("text", ["dice=[1,1,1]", "dice=0", "sides=1", "memory=0"])
def test_what_cannot_be_is_refused(text: str) -> None:
    with refuses(GameSpecError, option=text.partition("=")[0]):
        load_game(f"dudo({text})")


def test_two_play() -> None:
    with refuses(UnknownNameError, option="parameter of dudo", name="players"):
        load_game("dudo(players=3)")


def test_what_a_player_is_told() -> None:
    game: Any = load_game("dudo(memory=2)")
    facts = dict(game.infoset_facts("0:2/1x5/2x3"))
    assert facts["your dice"] == "2"
    assert facts["claims remembered"] == "1x5, 2x3"
