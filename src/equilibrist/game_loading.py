"""Games by name: `compile_game` and `check_game` for whoever has a name and no rules yet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from equilibrist.game import DEFAULT_MAX_DEPTH, Game
from equilibrist.games import load_game
from equilibrist.tree.checks.report import GameReport
from equilibrist.tree.checks.validate import validate_game
from equilibrist.tree.compile import GameTree, build_tree


def as_game(game: str | Game[Any]) -> Game[Any]:
    """The game that a string names, anything else as it is; raises as `load_game` does."""
    return load_game(game) if isinstance(game, str) else game


def compile_game(
    game: str | Game[Any],
    *,
    max_histories: int | None = None,
    memory: int | None = None,
    progress: Callable[[int], None] | None = None,
    max_depth: int = DEFAULT_MAX_DEPTH,
) -> GameTree:
    """Walk the rules of a game once and return the compiled game.

    `game` is a name (`load_game`) or a game of your own. `max_histories` bounds the walk,
    `memory` (bytes; default half of the machine's) its cost; `progress` is called with the number
    of histories seen so far. A line of play of more than `max_depth` moves counts as endless.

    Raises GameError for rules that contradict themselves or raise (with the history),
    MemoryBudgetError for a game beyond the budget (with an estimate of its size),
    GameSpecError or UnknownNameError for what is no game, ConfigError for a limit that is none.
    """
    return build_tree(
        as_game(game),
        max_histories=max_histories,
        memory=memory,
        progress=progress,
        max_depth=max_depth,
    )


def check_game(
    game: str | Game[Any],
    max_histories: int = 200_000,
    max_depth: int = DEFAULT_MAX_DEPTH,
    progress: Callable[[int], None] | None = None,
) -> GameReport:
    """Check the rules of a game against the `Game` protocol, history by history.

    `game` is a name (`load_game`) or a game of your own. Walks depth first and calls every method
    twice, so that rules that change their states or answer differently are noticed. A game with
    more than `max_histories` histories is walked that far, then sampled by 500 random playouts
    (always the same ones). A line of play of more than `max_depth` moves counts as endless.
    `progress` is called now and then with the number of histories checked so far, those of the
    playouts included. Never raises for what the rules do: exceptions become problems of the
    report. `GameReport.raise_if_bad` raises.

    Raises GameSpecError or UnknownNameError for what is no game at all, ConfigError for a limit
    that is no whole number of at least 1.
    """
    return validate_game(as_game(game), max_histories, max_depth, progress)
