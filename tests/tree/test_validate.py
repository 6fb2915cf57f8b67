"""check_game: every kind of mistake is found, at its history, with a remedy."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from equilibrist.errors import GameError, RecallError
from equilibrist.games import list_games, load_game
from equilibrist.tree.report import KINDS, Problem
from equilibrist.tree.validate import MAX_DEPTH, check_game


class Coin:
    """Chance tosses a coin that player 0 sees; player 0 speaks, player 1 answers, unknowing."""

    name = "coin"
    num_players = 2

    def initial_state(self) -> Any:
        return ()

    def player(self, state: Any) -> Any:
        return (-1, 0, 1, -2)[len(state)]

    def actions(self, state: Any) -> Any:
        return (("heads", "tails"), ("say heads", "say tails"), ("yes", "no"))[len(state)]

    def chance(self, state: Any) -> Any:
        return (0.5, 0.5)

    def next(self, state: Any, action: int) -> Any:
        return (*state, action)

    def payoffs(self, state: Any) -> Any:
        return (1.0, -1.0) if state[0] == state[2] else (-1.0, 1.0)

    def infoset(self, state: Any) -> Any:
        return f"0 sees {state[0]}" if len(state) == 1 else f"1 hears {state[1]}"


def broken(**methods: Any) -> Any:
    """The coin game with some methods replaced; a method takes the game, then its arguments."""
    return type("Broken", (Coin,), methods)()


def first(game: Any, kind: str) -> Problem:
    report = check_game(game)
    assert not report.ok
    assert kind in KINDS
    found = [problem for problem in report.problems if problem.kind == kind]
    assert found, str(report)
    return found[0]


def at(length: int, wrong: Any, method: str) -> Any:
    """The coin game whose method answers `wrong` at states of one length."""
    right = getattr(Coin, method)
    return broken(
        **{method: lambda self, s, *rest: wrong if len(s) == length else right(self, s, *rest)}
    )


def test_a_sound_game() -> None:
    report = check_game(Coin())
    assert report.ok
    assert report.problems == ()
    assert (report.num_histories, report.num_terminals, report.depth) == (15, 8, 3)
    assert (report.num_infosets, report.num_sequences) == (4, 10)
    assert report.perfect_recall
    assert report.complete
    assert report.constant_sum == 0
    report.raise_if_bad()
    assert str(report) == (
        "coin: 2 players, 15 histories, 8 terminal, 4 infosets, 10 sequences, depth 3, "
        "perfect recall, constant sum 0\nno problem found"
    )


@pytest.mark.parametrize("info", list_games(), ids=lambda info: info.name)
def test_our_own_games_are_sound(info: Any) -> None:
    params = {"payoffs": [[1, -1]]} if info.name == "matrix" else {}
    report = check_game(load_game(info.name, **params), max_histories=30_000)
    assert report.ok, str(report)


def test_sums() -> None:
    assert check_game(load_game("bos")).constant_sum is None
    assert not check_game(load_game("bos")).is_constant_sum
    assert check_game(broken(payoffs=lambda self, s: (s[0], 3 - s[0]))).constant_sum == 3


@pytest.mark.parametrize(
    ("length", "method", "wrong", "kind", "message"),
    [
        (1, "player", 2, "players", "player() gave 2, not a player"),
        (1, "player", -3, "players", "player() gave -3, not a player"),
        (1, "player", None, "players", "player() gave None, not a player"),
        (1, "actions", (), "labels", "actions() is empty"),
        (1, "actions", "say", "labels", "the text 'say' instead of a sequence"),
        (1, "actions", None, "labels", "gave None, which has no order or no length"),
        (1, "actions", {"a", "b"}, "labels", "has no order or no length"),
        (1, "actions", ("a", 1), "labels", "contains 1, which is not a text"),
        (1, "actions", ("a", "a"), "labels", "lists the label 'a' twice"),
        (0, "chance", (0.5,), "probabilities", "1 probabilities for 2 outcomes"),
        (0, "chance", (0.5, 0.4), "probabilities", "add up to 0.9"),
        (0, "chance", (0.5, 0.5 + 1e-6), "probabilities", "add up to 1.000001"),
        (0, "chance", (1.5, -0.5), "probabilities", "1.5 as the probability of 'heads'"),
        (0, "chance", (-0.5, 1.5), "probabilities", "-0.5 as the probability of 'heads'"),
        (0, "chance", (float("nan"), 1), "probabilities", "nan as the probability of 'heads'"),
        (0, "chance", None, "probabilities", "gave None, not a sequence of numbers"),
        (0, "chance", ("a", "b"), "probabilities", "not a sequence of numbers"),
        (3, "payoffs", (1.0,), "payoffs", "1 numbers for 2 players"),
        (3, "payoffs", (1.0, 2.0, 3.0), "payoffs", "3 numbers for 2 players"),
        (3, "payoffs", (1.0, float("nan")), "payoffs", "nan for player 1"),
        (3, "payoffs", (float("-inf"), 0), "payoffs", "-inf for player 0"),
        (3, "payoffs", None, "payoffs", "gave None, not a sequence of numbers"),
        (1, "infoset", 7, "key", "infoset() gave 7, which is not a text"),
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


def test_unhashable_states() -> None:
    problem = first(broken(next=lambda self, s, a: [*s, a]), "unhashable")
    assert problem.history == ("heads",)
    assert "type list is not hashable" in problem.message


@dataclass
class Box:
    """A state that can be changed, and hashes its content."""

    moves: list[int] = field(default_factory=list)

    def __hash__(self) -> int:
        return hash(tuple(self.moves))

    def __len__(self) -> int:
        return len(self.moves)

    def __getitem__(self, index: int) -> int:
        return self.moves[index]


def test_states_that_are_changed() -> None:
    def same_object(self: Any, state: Any, action: int) -> Any:
        state.moves.append(action)
        return state

    problem = first(broken(initial_state=lambda self: Box(), next=same_object), "mutated")
    assert "'heads' gave back the very object it was given" in problem.message
    assert problem.history == ()

    def shared_list(self: Any, state: Any, action: int) -> Any:
        state.moves.append(action)
        return Box([*state.moves[:-1], action])

    problem = first(broken(initial_state=lambda self: Box(), next=shared_list), "mutated")
    assert "hash changed" in problem.message


def test_answers_that_change() -> None:
    def random_player(self: Any, state: Any) -> Any:
        return next(coins) % 2 if len(state) == 1 else Coin.player(self, state)

    coins = itertools.count()
    problem = first(broken(player=random_player), "random")
    assert problem.history == ("heads",)
    assert "player() gave 0, and 1 when asked again" in problem.message

    keys = itertools.count()
    problem = first(broken(infoset=lambda self, s: f"{len(s)} {next(keys)}"), "random")
    assert "infoset() gave '1 0'" in problem.message

    values = itertools.count()
    problem = first(broken(payoffs=lambda self, s: (next(values), 0.0)), "random")
    assert "payoffs() gave (0.0, 0.0), and (1, 0.0)" in problem.message

    moves = itertools.count()
    problem = first(
        broken(next=lambda self, s, a: (*s, a, next(moves))[: len(s) + 2][-3:]), "random"
    )
    assert "next() for 'heads' gave two states that are not equal" in problem.message

    starts = itertools.count()
    problem = first(broken(initial_state=lambda self: (next(starts),)[:1]), "random")
    assert "initial_state() gave two states" in problem.message


class Plain:
    """A state without equality."""

    def __init__(self, moves: tuple[int, ...] = ()) -> None:
        self.moves = moves

    def __len__(self) -> int:
        return len(self.moves)

    def __getitem__(self, index: int) -> int:
        return self.moves[index]


def test_states_without_equality() -> None:
    game = broken(initial_state=lambda self: Plain(), next=lambda self, s, a: Plain((*s.moves, a)))
    assert "objects of a plain class are never equal" in first(game, "random").remedy


def test_a_loop_names_where_the_state_was() -> None:
    class Cycle(Coin):
        def player(self, state: Any) -> Any:
            return 0

        def actions(self, state: Any) -> Any:
            return ("on",)

        def initial_state(self) -> Any:
            return "start"

        def next(self, state: Any, action: int) -> Any:
            return {"start": "a", "a": "b", "b": "a"}[state]

        def infoset(self, state: Any) -> Any:
            return f"at {state}"

    report = check_game(Cycle())
    (problem,) = report.problems
    assert (problem.kind, problem.history) == ("loop", ("on", "on", "on"))
    assert "it is the same as at on, so" in problem.message
    assert report.num_terminals == 0


def test_a_game_that_never_ends() -> None:
    class Counting(Coin):
        def player(self, state: Any) -> Any:
            return 0

        def actions(self, state: Any) -> Any:
            return ("up", "twice")

        def initial_state(self) -> Any:
            return 0

        def next(self, state: Any, action: int) -> Any:
            return state + 1 + action

        def infoset(self, state: Any) -> Any:
            return f"at {state}"

    report = check_game(Counting())
    assert set(report.problem_counts) >= {"endless"}
    problem = next(p for p in report.problems if p.kind == "endless")
    assert len(problem.history) == MAX_DEPTH + 1
    assert not report.complete


def test_users_exceptions_carry_their_line_and_history() -> None:
    def payoffs(self: Any, state: Any) -> Any:
        return (1 / state[1], 0)

    problem = first(broken(payoffs=payoffs), "exception")
    assert problem.history == ("heads", "say heads", "yes")
    lines = problem.message.splitlines()
    assert lines[0] == "Broken.payoffs raised ZeroDivisionError: division by zero"
    assert lines[1].endswith("in payoffs: return (1 / state[1], 0)")
    assert "test_validate.py:" in lines[1]
    assert len(lines) == 2


@pytest.mark.parametrize(
    "method", ["initial_state", "player", "actions", "chance", "next", "payoffs", "infoset"]
)
def test_no_exception_escapes(method: str) -> None:
    def fails(self: Any, *arguments: Any) -> Any:
        raise SystemExit("no")

    problem = first(broken(**{method: fails}), "exception")
    assert f"Broken.{method} raised SystemExit: no" in problem.message


def test_the_walk_goes_on_after_an_exception() -> None:
    def payoffs(self: Any, state: Any) -> Any:
        if state[1] == 0:
            raise ValueError("not yet written")
        return (1.0, -1.0)

    report = check_game(broken(payoffs=payoffs))
    assert report.problem_counts == {"exception": 4}
    assert len(report.problems) == 3
    assert report.num_terminals == 4
    assert "4 problems found" in str(report)
    assert "(and 1 more of this kind)" in str(report)
    with pytest.raises(GameError, match=r"not yet written.*and 3 more") as caught:
        report.raise_if_bad()
    assert caught.value.history == ("heads", "say heads", "yes")


@pytest.mark.parametrize("count", [0, -1, 2.0, None, True])
def test_number_of_players(count: Any) -> None:
    problem = first(broken(num_players=count), "players")
    assert "num_players is" in problem.message
    failing = broken(num_players=property(lambda self: 1 / 0), name=property(lambda self: 1 / 0))
    assert "Broken.num_players raised ZeroDivisionError" in first(failing, "exception").message
    assert check_game(failing).name == "Broken"


def test_several_kinds_are_collected() -> None:
    game = broken(
        payoffs=lambda self, s: (1.0,),
        chance=lambda self, s: (0.3, 0.3),
        infoset=lambda self, s: "everybody",
    )
    report = check_game(game)
    assert set(report.problem_counts) == {"payoffs", "probabilities", "owners"}
    text = str(report)
    assert text.count("history: ") == len(report.problems)
    assert text.count("remedy: ") == len(report.problems)


def test_large_games_are_sampled_beyond_the_limit() -> None:
    class LateMistake(Coin):
        """Only the last of very many histories pays the wrong number of players."""

        def player(self, state: Any) -> Any:
            return 0 if len(state) < 12 else -2

        def actions(self, state: Any) -> Any:
            return ("left", "right")

        def payoffs(self, state: Any) -> Any:
            return (0.0, 0.0) if state[0] == 0 else (0.0,)

        def infoset(self, state: Any) -> Any:
            return "".join(str(move) for move in state) or "start"

    report = check_game(LateMistake(), max_histories=100)
    assert not report.complete
    assert report.num_histories == 100
    assert "more than 100 histories" in str(report)
    assert report.problem_counts.keys() == {"payoffs"}
    assert report.problems[0].history[0] == "right"
    assert len(report.problems[0].history) == 12
    sound = check_game(load_game("leduc"), max_histories=500)
    assert sound.ok
    assert "no problem found in the part that was walked" in str(sound)


def test_reports_are_values() -> None:
    assert check_game(load_game("kuhn")) == check_game(load_game("kuhn"))
