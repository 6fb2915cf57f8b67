"""What methods may answer: `check_game` and the walk take the same and refuse in the same words."""

from __future__ import annotations

import warnings
from array import array
from collections import deque
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest

from equilibrist.errors import GameError
from equilibrist.game_loading import check_game, compile_game
from equilibrist.tree.compile import GameTree
from tests.refusals import refuses
from tests.tree.checks.broken_rules import Coin, broken

PLACES = {0: (), 1: ("heads",), 2: ("heads", "say heads"), 3: ("heads", "say heads", "yes")}


class Pair(NamedTuple):
    first: Any
    second: Any


class Text(str):
    """Not quite a str."""

    __slots__ = ()


class Unwilling:
    """Fails whatever is done with it."""

    def fail(self, *arguments: Any) -> Any:
        raise RuntimeError("no")

    __len__ = __iter__ = __getitem__ = __float__ = __index__ = __repr__ = fail


def answering(length: int, method: str, answer: Callable[..., Any]) -> Any:
    """The coin game whose method gives `answer()` at states of one length."""
    right = getattr(Coin, method)
    return broken(**{method: lambda self, s: answer() if len(s) == length else right(self, s)})


def once(*items: Any) -> Callable[[], Any]:
    """Makes a new generator at each call."""
    return lambda: (item for item in items)


NUMBERS: dict[str, tuple[Any, tuple[float, float]]] = {
    "a list": ([1, 0], (1, 0)),
    "a named tuple": (Pair(0, 1), (0, 1)),
    "a range": (range(2), (0, 1)),
    "a deque": (deque([1.0, 0.0]), (1, 0)),
    "a typed array": (array("f", [0.5, 0.5]), (0.5, 0.5)),
    "an array": (np.array([0.25, 0.75]), (0.25, 0.75)),
    "an array of integers": (np.array([1, 0], dtype=np.int8), (1, 0)),
    "an array of single precision": (np.array([0.5, 0.5], dtype=np.float32), (0.5, 0.5)),
    "an array of truth values": (np.array([True, False]), (1, 0)),
    "an array of objects": (np.array([Fraction(1, 4), 0.75], dtype=object), (0.25, 0.75)),
    "NumPy's scalars": ((np.float64(0.5), np.float32(0.5)), (0.5, 0.5)),
    "arrays of no dimension": ((np.array(1), np.array(0.0)), (1, 0)),
    "fractions": ((Fraction(1, 4), Fraction(3, 4)), (0.25, 0.75)),
    "decimals": ([Decimal("0.25"), Decimal("0.75")], (0.25, 0.75)),
    "truth values": ((True, False), (1, 0)),
}


@pytest.mark.parametrize(("given", "meant"), NUMBERS.values(), ids=NUMBERS)
def test_numbers_that_are_taken(given: Any, meant: tuple[float, float]) -> None:
    for length, method in ((0, "chance"), (3, "payoffs")):
        game = answering(length, method, lambda: given)
        report = check_game(game)
        assert report.ok, str(report)
        walk = compile_game(game).walk
        column = walk.chance_probability if method == "chance" else walk.payoff[0]
        assert column.tolist() == list(meant)


NO_ROWS: dict[str, Any] = {
    "nothing": None,
    "a number": 1.0,
    "a text": "10",
    "bytes": b"ab",
    "a dict": {"heads": 0.5, "tails": 0.5},
    "a set": {0.25, 0.75},
    "values of a dict": {0: 0.5, 1: 0.5}.values(),
    "an array of no dimension": np.array(1.0),
    "an array of two dimensions": np.array([[0.5, 0.5], [0.5, 0.5]]),
    "a row of an array": np.array([[0.5, 0.5]]),
    "a column of an array": np.array([[0.5], [0.5]]),
    "a type": list,
    "what fails": Unwilling(),
}
NO_NUMBERS: dict[str, Any] = {
    "nested lists": [[0.5], [0.5]],
    "pairs": [("heads", 0.5), ("tails", 0.5)],
    "no values": (None, None),
    "texts": ("0.5", "0.5"),
    "bytes": (b"1", b"0"),
    "an array of texts": np.array(["0.5", "0.5"]),
    "complex numbers": (1j, 0),
    "an array of complex numbers": np.array([1 + 1j, 0]),
    "single complex numbers": (np.complex64(1), 0),
    "arrays": (np.array([1.0]), np.array([0.0])),
    "times": np.array([1, 0], dtype="timedelta64[s]"),
}


KIND = {"chance": "probabilities", "payoffs": "payoffs"}
"""What is wrong where one of these methods answers nonsense."""


def refused(game: Any, length: int, kind: str, **given: Any) -> None:
    """Both refuse the game at this history, for the same reason and in the same words."""
    report = check_game(game)
    problem = report.problems[0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with refuses(GameError, kind=kind, **given, history=PLACES[length]) as caught:
            compile_game(game)
    assert (problem.kind, problem.history) == (kind, PLACES[length])
    assert problem.message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert problem.remedy
    assert caught.value.remedy == problem.remedy
    assert caught.value.__cause__ is None


@pytest.mark.parametrize(("length", "method"), [(0, "chance"), (3, "payoffs")])
@pytest.mark.parametrize("name", NO_ROWS)
def test_answers_that_are_no_row_of_numbers(name: str, length: int, method: str) -> None:
    game = answering(length, method, lambda: NO_ROWS[name])
    refused(game, length, KIND[method], given=NO_ROWS[name])


@pytest.mark.parametrize(("length", "method"), [(0, "chance"), (3, "payoffs")])
@pytest.mark.parametrize("name", NO_NUMBERS)
def test_rows_of_other_things_than_numbers(name: str, length: int, method: str) -> None:
    game = answering(length, method, lambda: NO_NUMBERS[name])
    refused(game, length, KIND[method], given=NO_NUMBERS[name][0])


@pytest.mark.parametrize("beyond", [10**400, Fraction(10**400), -(10**400)])
def test_numbers_beyond_all_floats(beyond: Any) -> None:
    for row in ((beyond, 0), (0.0, beyond)):
        game = answering(3, "payoffs", lambda row=row: row)
        refused(game, 3, "payoffs", given=row)


@pytest.mark.parametrize("beyond", [1.1e150, -1e200, 1.7e308, 10**151])
def test_payoffs_that_sums_could_carry_to_infinity(beyond: float) -> None:
    for row in ((beyond, 0), (0.0, beyond)):
        game = answering(3, "payoffs", lambda row=row: row)
        refused(game, 3, "payoffs", given=float(beyond))


@pytest.mark.parametrize(("length", "method"), [(0, "chance"), (3, "payoffs")])
def test_generators_of_numbers(length: int, method: str) -> None:
    game = answering(length, method, once(0.5, 0.5))
    refused(game, length, KIND[method])


@pytest.mark.parametrize("length", [0, 1, 2])
@pytest.mark.parametrize(
    "labels",
    [["x", "y"], Pair("x", "y"), deque("xy"), np.array(["x", "y"]), (Text("x"), Text("y"))],
    ids=lambda labels: type(labels).__name__,
)
def test_labels_that_are_taken(length: int, labels: Any) -> None:
    game = answering(length, "actions", lambda: labels)
    assert check_game(game).ok
    tree = compile_game(game)
    if length:
        index = tree.index("0 sees 0" if length == 1 else "1 hears 0")
        assert tree.action_labels[index] == ("x", "y")
        assert {type(label) for label in tree.action_labels[index]} == {str}


@pytest.mark.parametrize("length", [0, 1, 2])
@pytest.mark.parametrize(
    "labels",
    [
        *(None, 2, b"xy", {"x": 1, "y": 2}, {"x", "y"}, {"x": 1, "y": 2}.keys()),
        *(np.array("x"), np.array([["x", "y"]]), Unwilling()),
    ],
    ids=lambda labels: type(labels).__name__,
)
def test_answers_that_are_no_row_of_labels(length: int, labels: Any) -> None:
    game = answering(length, "actions", lambda: labels)
    refused(game, length, "labels", given=labels)


@pytest.mark.parametrize("length", [0, 1, 2])
def test_rows_of_other_things_than_labels(length: int) -> None:
    refused(answering(length, "actions", once("x", "y")), length, "labels")
    for labels in ((0, 1), np.array([0, 1]), [b"x", b"y"], [["x"], ["y"]], (None, "y")):
        game = answering(length, "actions", lambda labels=labels: labels)
        refused(game, length, "labels", given=labels[0])


@pytest.mark.parametrize("player", [np.int64(1), np.int8(1), np.array(1), True])
def test_players_that_are_taken(player: Any) -> None:
    game = answering(2, "player", lambda: player)
    assert check_game(game).ok
    assert compile_game(game).fingerprint == compile_game(Coin()).fingerprint


@pytest.mark.parametrize("length", [0, 1, 2, 3])
@pytest.mark.parametrize(
    "player",
    [
        *(None, "0", 0.0, 1.0, -1.0, -2.0, 0.5, float("nan"), Decimal(0), Fraction(0)),
        *((0,), np.array([0]), np.bool_(False), np.float64(1), 2, -3, 2**70, Unwilling()),
    ],
    ids=lambda player: type(player).__name__,
)
def test_players_that_are_refused(length: int, player: Any) -> None:
    refused(answering(length, "player", lambda: player), length, "players", given=player)


@pytest.mark.parametrize("key", [Text("key"), np.str_("key")], ids=["subclass", "numpy"])
def test_keys_that_are_taken(key: Any) -> None:
    game = broken(infoset=lambda self, s: type(key)(Coin.infoset(self, s)))
    assert check_game(game).ok
    tree = compile_game(game)
    assert tree.infoset_keys == compile_game(Coin()).infoset_keys
    assert {type(key) for key in tree.infoset_keys} == {str}


@pytest.mark.parametrize("length", [1, 2])
@pytest.mark.parametrize(
    "key",
    [7, 1.5, None, b"key", ("key",), ["key"], {}, np.array(["key"]), np.array("key"), Unwilling()],
    ids=lambda key: type(key).__name__,
)
def test_keys_that_are_refused(length: int, key: Any) -> None:
    game = answering(length, "infoset", lambda: key)
    refused(game, length, "key", given=key)


@pytest.mark.parametrize("count", [0, -1, 128, True, 2.0, "2", None, np.int64(2), Unwilling()])
def test_numbers_of_players_that_are_refused(count: Any) -> None:
    refused(broken(num_players=count), 0, "players", given=count)


def test_a_number_of_players_that_raises() -> None:
    game = broken(num_players=property(lambda self: 1 / 0))
    with refuses(GameError, kind="exception", option="num_players", given="ZeroDivisionError"):
        compile_game(game)


def test_later_histories_of_an_infoset_are_read_as_closely() -> None:
    """The walk compares them with the first one instead of reading them again."""
    wrong: dict[str, tuple[Any, str]] = {
        "actions": ((answer for answer in ("yes", "no")), "labels"),
        "player": (1.0, "players"),
        "infoset": (b"1 hears 0", "key"),
    }
    for method, (answer, kind) in wrong.items():
        right = getattr(Coin, method)
        game = broken(
            **{
                method: lambda self, s, right=right, answer=answer: (
                    answer if s == (1, 0) else right(self, s)
                )
            }
        )
        with refuses(GameError, kind=kind, given=answer, history=("tails", "say heads")):
            compile_game(game)
        assert check_game(game).problems[0].history == ("tails", "say heads")


def test_answers_that_change_and_cannot_be_shown() -> None:
    answers = iter([(1.0, -1.0), Unwilling()] * 100)
    report = check_game(broken(payoffs=lambda self, s: next(answers)))
    assert "an object of type Unwilling when asked again" in str(report)


def test_trees_hold_plain_python_texts() -> None:
    tree: GameTree = compile_game(answering(1, "actions", lambda: np.array(["x", "y"])))
    assert all(type(label) is str for labels in tree.action_labels for label in labels)
