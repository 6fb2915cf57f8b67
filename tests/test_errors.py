"""Errors say in fields what their sentences say, and survive the way between processes."""

from __future__ import annotations

import ast
import copy
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import equilibrist.errors as module
from equilibrist.errors import (
    BetSizeSyntaxError,
    CardSyntaxError,
    CheckpointError,
    ClusterError,
    ConfigError,
    EquilibristError,
    FileFormatError,
    GameError,
    GameSpecError,
    LineSyntaxError,
    LockSyntaxError,
    MemoryBudgetError,
    MismatchError,
    NotationError,
    OutputError,
    PeerError,
    RangeSyntaxError,
    RecallError,
    UnknownNameError,
    UnsupportedError,
)
from equilibrist.parsing.arguments import bad_argument
from tests.refusals import check_error, refuses

ALL: tuple[EquilibristError, ...] = (
    EquilibristError("no end", option="infoset", given="1pb"),
    UnknownNameError("game", "khun", ["kuhn", "leduc"], "(games lists them)"),
    GameSpecError("expected ')'", "kuhn(", 5, option="game", given="kuhn("),
    GameError("no sum", ("deal", "bet"), kind="payoffs", given=(1, 2), remedy="make it one"),
    RecallError("forgets", "1pb", ["deal"], remedy="put it into the key"),
    MismatchError("two games", option="game", given="kuhn", expected="leduc"),
    FileFormatError("it is damaged", Path("a.solution"), option="checksum"),
    CheckpointError("another seed", "run", option="seed", given=3, expected=4),
    OutputError("it is full", "a.csv", option="file", given="No space left on device"),
    PeerError("it is gone", "Alice", option="connection", given="it closed the connection"),
    MemoryBudgetError("too large", 58, 60.0, option="memory", given=57, remedy="Give more"),
    ConfigError(option="iterations", given=0, expected="a whole number of at least 1"),
    ClusterError("it left", option="address", given="10.0.0.1:6379"),
    UnsupportedError("it has 3 players", option="num_players", given=3, expected=2),
    NotationError("what is that?", "AA,ZZ", 3),
    CardSyntaxError("no card begins with Z", "AhZh", 2),
    RangeSyntaxError("no hand begins with Z", "AA,ZZ", 3),
    BetSizeSyntaxError("expected a size", "50%,x", 4),
    LineSyntaxError("no action begins with Y", "X-Y", 2, option="line", given="Y"),
    LockSyntaxError("no colon ends the line", "B120 AA", 7),
)
FIELDS = ("option", "given", "expected", "place", "remedy")


def test_every_class_is_here() -> None:
    classes = {kind for kind in vars(module).values() if isinstance(kind, type)}
    errors = {kind for kind in classes if issubclass(kind, EquilibristError)}
    assert {type(error) for error in ALL} == errors


@pytest.mark.parametrize("error", ALL, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_errors_come_out_of_another_process_as_they_went_in(
    error: EquilibristError, protocol: int
) -> None:
    error = copy.copy(error)
    error.add_note("seen in batch 3")
    back = pickle.loads(pickle.dumps(error, protocol))
    assert type(back) is type(error)
    assert (str(back), vars(back)) == (str(error), vars(error))
    assert pickle.loads(pickle.dumps(back)).args == error.args


@pytest.mark.parametrize("error", ALL, ids=lambda error: type(error).__name__)
def test_every_error_has_all_fields(error: EquilibristError) -> None:
    for name in FIELDS:
        assert isinstance(getattr(error, name), str | int | float | tuple | None)


def test_a_sentence_is_made_of_the_fields() -> None:
    error = bad_argument("iterations", 0, "a whole number of at least 1", remedy="give more")
    assert str(error) == "iterations is 0; expected a whole number of at least 1; give more"
    with refuses(ConfigError, option="iterations", given=0, remedy="give more"):
        raise error


def test_a_label_replaces_the_name_in_the_sentence_only() -> None:
    error = bad_argument("probability", "x", "a number", label="action 'bet'", place="infoset '1'")
    assert str(error) == "action 'bet' is 'x'; expected a number"
    check_error(error, ConfigError, option="probability", given="x", place="infoset '1'")


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (None, None),
        (True, True),
        (1.5, 1.5),
        ("text", "text"),
        (Path("a") / "b", "a/b"),
        (np.int8(3), 3),
        (np.float32(0.5), 0.5),
        ([1, 2], "[1, 2]"),
        (np.timedelta64(1, "s"), "np.timedelta64(1,'s')"),
        (range(3), "range(0, 3)"),
        (["x" * 99], "['" + "x" * 55 + "..."),
    ],
)
def test_what_was_given_is_kept_as_a_plain_value(given: Any, kept: object) -> None:
    """So that an error keeps no tree alive, and can always be pickled."""
    error = ConfigError("it does not fit", option="x", given=given)
    assert error.given == kept
    assert type(error.given) is type(kept)


def test_a_message_stays_short_whatever_was_given() -> None:
    name = "k" * 1_000_000
    error = ConfigError(f"no game is called {name}", option="game", given=name, remedy="look it up")
    assert len(str(error)) < 500
    assert str(error).endswith("; look it up")
    assert error.given == name
    history = ("x" * 1_000_000,) * 3
    assert len(str(GameError("it raises", history))) < 2_000


def test_places() -> None:
    assert [error.place for error in ALL if error.place] == [
        "column 6",
        "deal > bet",
        "deal",
        "a.solution",
        "run",
        "a.csv",
        *("column 4", "column 3", "column 4", "column 5", "column 3", "column 8"),
    ]
    error = copy.copy(ALL[-1])
    error.add_place("spot.toml")
    assert error.place == "spot.toml, column 8"
    assert str(error) == f"spot.toml: {ALL[-1]}"
    error = copy.copy(ALL[0])
    error.add_place("spot.toml")
    assert error.place == "spot.toml"


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (dict(option="iterations"), "option is 'seed'"),
        (dict(option="seed", given=2), "given is 1, not 2"),
        (dict(option="seed", given=1, place="line 3"), "place is 'line 13'"),
    ],
)
def test_a_check_of_fields_can_fail(wrong: dict[str, Any], said: str) -> None:
    error = ConfigError("no seed", option="seed", given=1, place="line 13")
    with pytest.raises(AssertionError, match=said), refuses(ConfigError, **wrong):
        raise error


def test_a_check_of_the_class_can_fail() -> None:
    with pytest.raises(AssertionError, match="CheckpointError, not FileFormatError"):
        check_error(CheckpointError("damaged", "run"), FileFormatError)


def prose_matches(source: str) -> Iterator[int]:
    """The lines where `pytest.raises` matches the words of an error that is, or may be, ours.

    Errors of Python and of libraries have no fields of ours: their names are built in.
    """
    ours = {kind for kind in vars(module) if kind.endswith("Error")}
    for node in ast.walk(ast.parse(source)):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        words = next((k.value for k in node.keywords if k.arg == "match"), None)
        if node.func.attr != "raises" or words is None or not node.args:
            continue
        names = {ast.unparse(part).rpartition(".")[2] for part in ast.walk(node.args[0])}
        if names & ours or not any(name.endswith("Error") for name in names):
            yield node.lineno


def test_tests_assert_the_fields_of_our_errors_and_not_their_words() -> None:
    """Words are for `messages.txt`; see `refusals.refuses`."""
    folder = Path(__file__).parent
    found = [
        f"{path.relative_to(folder)}:{line}"
        for path in sorted(folder.rglob("*.py"))
        for line in prose_matches(path.read_text("utf-8"))
    ]
    assert not found


@pytest.mark.parametrize(
    ("raises", "is_found"),
    [
        ('pytest.raises(ConfigError, match="seed")', True),
        ('pytest.raises(eq.EquilibristError, match="seed")', True),
        ('pytest.raises((ValueError, GameError), match="seed")', True),
        ("pytest.raises(kind, match=message)", True),
        ('pytest.raises(ValueError, match="read-only")', False),
        ("pytest.raises(ConfigError)", False),
    ],
)
def test_matches_of_words_are_found(raises: str, is_found: bool) -> None:
    assert bool([*prose_matches(raises)]) is is_found


def test_a_better_remedy_replaces_that_of_an_error() -> None:
    error = ConfigError("it is wrong", option="x", remedy="give another")
    assert error.with_remedy("leave it out") is error
    assert (str(error), error.remedy) == ("it is wrong; leave it out", "leave it out")
    assert (
        str(ConfigError("it is wrong").with_remedy("leave it out")) == "it is wrong; leave it out"
    )


def test_names_are_near_in_any_case_and_some_are_listed_where_none_is() -> None:
    keys = [f"{player}:{card}:" for player in (0, 1) for card in "AKQa"]
    assert UnknownNameError("infoset", "0:A", keys).suggestions[0] == "0:A:"
    assert UnknownNameError("infoset", "0:a", keys).suggestions[0] == "0:a:"
    many = [f"key {k}" for k in range(200)]
    error = UnknownNameError("infoset", "zzz", many)
    assert error.suggestions == ()
    assert many[0] in str(error)
    assert many[-1] not in str(error)
