"""`compile_game` and `check_game` for games given by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from equilibrist.game import DEFAULT_MAX_DEPTH, Game
from equilibrist.games import load_game
from equilibrist.rules.game import rules_game
from equilibrist.rules.module import Rules
from equilibrist.tree.checks.report import GameReport
from equilibrist.tree.checks.validate import validate_game
from equilibrist.tree.compile import GameTree, build_tree


def as_game(game: str | Game[Any] | Rules) -> Game[Any]:
    """The game of a name or of rules, anything else as it is; raises as `load_game` does."""
    if isinstance(game, str):
        return load_game(game)
    return rules_game(game) if isinstance(game, Rules) else game


def compile_game(
    game: str | Game[Any] | Rules,
    *,
    max_histories: int | None = None,
    memory: int | None = None,
    on_walk: Callable[[int], None] | None = None,
    max_depth: int = DEFAULT_MAX_DEPTH,
) -> GameTree:
    """Walk the rules of a game once and return the compiled game.

    Args:
        game: A game's name (`"leduc"`, `"rules:leduc"`), a game of your own, or loaded rules.
        max_histories: The most histories that are enumerated; None for no limit but `memory`.
        memory: The most bytes that the compiled game may take; half of the machine's by default.
        on_walk: Called with the number of histories walked so far, as that of `Callbacks`.
        max_depth: A line of play of more moves than this counts as endless.

    Returns:
        The compiled game.

    Raises:
        GameError: If the rules contradict themselves or raise; it names the history.
        MemoryBudgetError: If the game is beyond the budget; it estimates the size.
        GameSpecError: `game` is not a game.
        UnknownNameError: If no game has this name.
        ConfigError: A limit is not a whole number of at least 1.
    """
    return build_tree(
        as_game(game),
        max_histories=max_histories,
        memory=memory,
        on_walk=on_walk,
        max_depth=max_depth,
    )


def check_game(
    game: str | Game[Any] | Rules,
    *,
    max_histories: int = 200_000,
    max_depth: int = DEFAULT_MAX_DEPTH,
    on_walk: Callable[[int], None] | None = None,
) -> GameReport:
    """Check the rules of a game against the `Game` protocol, history by history.

    Walks depth first and calls every method twice, so that rules that change their states or answer
    differently are noticed. Never raises for what the rules do: exceptions become problems of the
    report. `GameReport.raise_if_bad` raises.

    Args:
        game: A game's name (`"leduc"`, `"rules:leduc"`), a game of your own, or loaded rules.
        max_histories: A game with more histories is walked that far, then sampled by 500 random
            playouts (always the same ones).
        max_depth: A line of play of more moves than this counts as endless.
        on_walk: Called periodically with the number of histories checked so far, those of the
            playouts included.

    Returns:
        The problems, and the sizes of what was enumerated.

    Raises:
        GameSpecError: `game` is not a game.
        UnknownNameError: If no game has this name.
        ConfigError: A limit is not a whole number of at least 1.
    """
    return validate_game(as_game(game), max_histories, max_depth, on_walk)
