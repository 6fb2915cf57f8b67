"""Rules that raise: the error shows the user's own frame and the history."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from equilibrist.errors import GameError, UnsupportedError
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.tree.walk.histories import history_labels
from tests.altered_games import Hooked
from tests.refusals import refuses
from tests.tree.checks.broken_rules import kuhn

RAISING = """
class Rules:
    name, num_players = "raising", 1

    def __init__(self, method):
        self.method = method

    def fail(self, name, depth):
        if self.method == name and depth == 2:
            return {}["no such thing"]

    def initial_state(self):
        self.fail("initial_state", 2)
        return ()

    def player(self, s):
        self.fail("player", len(s))
        return -2 if len(s) == 3 else -1 if len(s) == 1 else 0

    def actions(self, s):
        self.fail("actions", len(s))
        return ("left", "right")

    def chance(self, s):
        self.fail("chance", len(s) + 1)
        return (0.5, 0.5)

    def next(self, s, a):
        self.fail("next", len(s))
        return (*s, a)

    def payoffs(self, s):
        self.fail("payoffs", len(s) - 1)
        return (1.0,)

    def infoset(self, s):
        self.fail("infoset", len(s))
        return str(s)
"""


@pytest.fixture
def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "rules.py").write_text(RAISING)
    monkeypatch.chdir(tmp_path)
    scope: dict[str, type] = {}
    exec(compile(RAISING, str(tmp_path / "rules.py"), "exec"), scope)
    return scope["Rules"]


LINES = {"player": 17, "actions": 21, "chance": 25, "next": 29, "payoffs": 33, "infoset": 37}


@pytest.mark.parametrize("method", LINES)
def test_users_exceptions_come_with_their_own_frame(method: str, rules) -> None:
    with refuses(GameError, kind="exception", option=method, given="KeyError") as caught:
        compile_game(rules(method))
    text = str(caught.value)
    assert "KeyError: 'no such thing'" in text
    assert f"rules.py:{LINES[method]}, in {method}" in text
    assert "rules.py:10, in fail" in text
    assert "equilibrist/tree" not in text
    moves = {"chance": 1, "payoffs": 3}.get(method, 2)
    assert len(caught.value.history) == moves


def test_exceptions_in_the_initial_state(rules) -> None:
    with refuses(GameError, kind="exception", option="initial_state", given="KeyError") as caught:
        compile_game(rules("initial_state"))
    assert caught.value.history == ()


def test_rules_may_refuse_in_our_words() -> None:
    def payoffs(state):
        raise UnsupportedError("not for this hand", option="hand")

    with refuses(UnsupportedError, option="hand"):
        compile_game(kuhn(payoffs=payoffs))


def test_labels_that_are_missing_are_replaced_by_numbers() -> None:
    def actions(state):
        if len(state[0]) < 2:
            raise SystemExit("no labels here")
        return ("pass", "bet")

    assert history_labels(kuhn(actions=actions), (0, 0, 1)) == ("#0", "#0", "bet")


class Uncommon(BaseException):
    """Not an Exception."""


def forgetful(method: str, calls: int) -> Hooked:
    """Kuhn poker with a method that raises SystemExit from so many calls on."""
    right, left = getattr(load_game("kuhn"), method), iter(range(calls))

    def answer(*arguments):
        if next(left, None) is None:
            raise SystemExit("no more")
        return right(*arguments)

    return kuhn(**{method: answer})


@pytest.mark.parametrize("calls", range(4))
@pytest.mark.parametrize("method", ["next", "actions", "player", "infoset", "payoffs", "chance"])
def test_methods_that_fail_at_last_are_reported(method: str, calls: int) -> None:
    """The walk replays the rules to name the place; they may fail there again."""
    with refuses(GameError, kind="exception", option="answer", given="SystemExit"):
        compile_game(forgetful(method, calls))


@pytest.mark.parametrize("kind", [GeneratorExit, asyncio.CancelledError, Uncommon])
@pytest.mark.parametrize("method", ["next", "payoffs", "infoset"])
def test_what_is_no_exception_is_reported_as_one(method: str, kind: type[BaseException]) -> None:
    def answer(*arguments):
        raise kind("off")

    with refuses(GameError, kind="exception", option="answer", given=kind.__name__):
        compile_game(kuhn(**{method: answer}))


def test_an_interrupt_in_the_rules_passes_through() -> None:
    def payoffs(state):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        compile_game(kuhn(payoffs=payoffs))


def test_an_initial_state_that_fails_when_asked_again_hides_no_error() -> None:
    game: Any = forgetful("initial_state", 1)
    game.payoffs = lambda state: (1.0,)
    with refuses(GameError, kind="payoffs", given=1) as caught:
        compile_game(game)
    assert caught.value.history == ()


def test_labels_end_where_the_rules_play_on_no_longer() -> None:
    assert history_labels(forgetful("next", 2), (0, 0, 1, 1)) == ("1", "2", "bet")


def test_what_progress_raises_is_not_blamed_on_the_rules() -> None:
    class MineError(Exception):
        pass

    def told(_: int) -> None:
        raise MineError

    with pytest.raises(MineError):
        compile_game(load_game("leduc"), on_walk=told)
