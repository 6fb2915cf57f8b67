"""Games with one thing wrong, and the sound ones they are made from."""

from __future__ import annotations

from typing import Any

from equilibrist.game_loading import check_game
from equilibrist.games import load_game
from equilibrist.tree.checks.report import KINDS, Problem
from tests.altered_games import Hooked


def kuhn(**methods: Any) -> Hooked:
    """Kuhn poker with some methods replaced by functions of the state (and the action)."""
    return Hooked(load_game("kuhn"), **methods)


class Coin:
    """Chance tosses a coin that player 0 sees; player 0 acts, then player 1, who did not see it."""

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
