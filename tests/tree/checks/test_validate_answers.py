"""check_game on wrong answers, and on infosets that do not hold what they should."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.errors import RecallError
from equilibrist.game_loading import check_game
from equilibrist.games import load_game
from tests.tree.checks.broken_rules import Coin, at, broken, first


@pytest.mark.parametrize(
    ("length", "method", "wrong", "kind", "message"),
    [
        (1, "player", 2, "players", "player() gave 2, not a player"),
        (1, "player", -3, "players", "player() gave -3, not a player"),
        (1, "player", None, "players", "player() gave None, not a player"),
        (1, "actions", (), "labels", "actions() is empty"),
        (1, "actions", "say", "labels", "the text 'say' instead of a sequence"),
        (1, "actions", None, "labels", "None of type NoneType, not a sequence of texts"),
        (1, "actions", {"a", "b"}, "labels", "of type set, not a sequence of texts"),
        (1, "actions", ("a", 1), "labels", "contains 1, which is not a text"),
        (1, "actions", ("a", "a"), "labels", "lists the label 'a' twice"),
        (0, "chance", (0.5,), "probabilities", "1 number for 2 outcomes"),
        (0, "chance", (0.5, 0.4), "probabilities", "add up to 0.9"),
        (0, "chance", (0.5, 0.5 + 1e-6), "probabilities", "add up to 1.000001"),
        (0, "chance", (1.5, -0.5), "probabilities", "1.5 as the probability of 'heads'"),
        (0, "chance", (-0.5, 1.5), "probabilities", "-0.5 as the probability of 'heads'"),
        (0, "chance", (float("nan"), 1), "probabilities", "nan as the probability of 'heads'"),
        (0, "chance", None, "probabilities", "NoneType, not a sequence of numbers"),
        (0, "chance", ("a", "b"), "probabilities", "contains 'a' of type str"),
        (3, "payoffs", (1.0,), "payoffs", "1 number for 2 players"),
        (3, "payoffs", (1.0, 2.0, 3.0), "payoffs", "3 numbers for 2 players"),
        (3, "payoffs", (1.0, float("nan")), "payoffs", "nan for player 1"),
        (3, "payoffs", (float("-inf"), 0), "payoffs", "-inf for player 0"),
        (3, "payoffs", None, "payoffs", "NoneType, not a sequence of numbers"),
        (1, "infoset", 7, "key", "infoset() gave 7 of type int"),
        (1, "infoset", "\udc80", "key", "holds half of a surrogate pair"),
        (1, "actions", ("a", "\ud800"), "labels", "holds half of a surrogate pair"),
        (2, "infoset", None, "key", "infoset() gave None"),
        (1, "infoset", "1 hears 0", "owners", "belongs to player 1 here and to player 0"),
        (1, "next", (0,), "loop", "it is the same as at heads"),
    ],
)
def test_wrong_answers(length: int, method: str, wrong: Any, kind: str, message: str) -> None:
    problem = first(at(length, wrong, method), kind)
    assert message in problem.message
    assert problem.remedy
    expected = {"owners": 2, "loop": 2}.get(kind, length)
    assert len(problem.history) == expected
    assert problem.history == ("heads", "say heads", "yes")[:expected]


def test_tolerated_answers() -> None:
    assert check_game(at(0, (0.5, 0.5 + 1e-11), "chance")).ok
    assert check_game(at(0, (0, 1), "chance")).ok
    assert check_game(at(0, ("same", "same"), "actions")).ok
    assert check_game(at(0, np.array([0.5, 0.5]), "chance")).ok
    assert check_game(at(3, np.array([1, -1]), "payoffs")).ok
    assert check_game(at(1, ["a", "b"], "actions")).ok
    assert check_game(at(1, np.int64(0), "player")).ok


def test_actions_that_differ_inside_an_infoset() -> None:
    def actions(self: Any, state: Any) -> Any:
        if len(state) == 2 and state[0] == 1:
            return ("no", "yes")
        return Coin.actions(self, state)

    problem = first(broken(actions=actions), "actions")
    assert problem.history == ("tails", "say heads")
    assert problem.infoset == "1 hears 0"
    assert "['no', 'yes'] here and ['yes', 'no'] at heads > say heads" in problem.message


class TwoTurns(Coin):
    """Player 0 moves twice and forgets the first move."""

    def player(self, state: Any) -> Any:
        return (0, 0, -2)[len(state)]

    def actions(self, state: Any) -> Any:
        return ("left", "right")

    def payoffs(self, state: Any) -> Any:
        return (1.0, -1.0)

    def infoset(self, state: Any) -> Any:
        return f"turn {len(state)}"


def test_imperfect_recall_names_both_histories() -> None:
    report = check_game(TwoTurns())
    assert not report.perfect_recall
    (problem,) = report.problems
    assert (problem.kind, problem.infoset, problem.history) == ("recall", "turn 1", ("right",))
    assert "was 'right' at 'turn 0' here, but 'left' at 'turn 0' at left" in problem.message
    with pytest.raises(RecallError) as caught:
        report.raise_if_bad()
    assert caught.value.infoset == "turn 1"
    assert caught.value.history == ("right",)


def test_an_infoset_met_twice_on_one_path() -> None:
    class Absent(TwoTurns):
        def infoset(self, state: Any) -> Any:
            return "anywhere"

    problem = first(Absent(), "recall")
    assert "meets the infoset 'anywhere' twice on one path" in problem.message
    assert problem.history == ("left",)


def test_forgetting_what_was_known_is_found_too() -> None:
    class Forgetful(Coin):
        """Player 0 sees the coin, moves, and moves again without remembering the coin."""

        def player(self, state: Any) -> Any:
            return (-1, 0, 0, -2)[len(state)]

        def infoset(self, state: Any) -> Any:
            return f"saw {state[0]}" if len(state) == 1 else f"said {state[1]}"

    problem = first(Forgetful(), "recall")
    assert problem.history == ("tails", "say heads")


class Open(Coin):
    """The coin is said to be public, which player 1 does not see."""

    def public_state(self, state: Any) -> Any:
        return str(state[:1])


def test_what_is_public_must_be_known_to_whoever_moves() -> None:
    problem = first(Open(), "public")
    assert (problem.infoset, problem.history) == ("1 hears 0", ("tails", "say heads"))
    assert "player 1 does not know what is public: it is '(1,)' here and '(0,)' at" in str(problem)


class Fading(Coin):
    """The coin is said to be public when it falls, and not any more when player 1 moves."""

    def public_state(self, state: Any) -> Any:
        return str(state) if len(state) == 1 else "later"


def test_what_was_public_must_be_known_to_whoever_moves() -> None:
    """As long as the game does not say that its players forget."""
    problem = first(Fading(), "public")
    assert (problem.infoset, problem.history) == ("1 hears 0", ("tails", "say heads"))


@pytest.mark.parametrize("name", ["dudo(sides=2,memory=1)", "liar_die(sides=3,memory=1)"])
def test_forgetful_games_may_forget_what_was_public(name: str) -> None:
    assert eq.check_game(name).ok


@pytest.mark.parametrize("answer", [None, 3, b"x"])
def test_public_states_are_texts(answer: Any) -> None:
    game = broken(public_state=lambda self, state: answer)
    assert "public_state() gave" in first(game, "key").message


def test_public_states_do_not_change() -> None:
    answers = iter(range(1000))

    class Fickle(Coin):
        def public_state(self, state: Any) -> Any:
            return str(next(answers))

    assert "public_state() gave '0', and '1' when asked again" in first(Fickle(), "random").message


def test_the_games_that_say_what_is_public_pass() -> None:
    for spec in ("kuhn", "leduc", "liars_dice(sides=2)", "goofspiel(cards=3,imp_info=true)"):
        assert check_game(load_game(spec)).ok
