"""The facts of a game: what is listed of it, and its sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from equilibrist.errors import MemoryBudgetError
from equilibrist.formatting.documents import document

if TYPE_CHECKING:
    from equilibrist.game import Game
    from equilibrist.games import GameInfo
    from equilibrist.library.limits import Limits
    from equilibrist.tree.compile import GameTree

LIST_LIMIT: Final = 10_000
"""Histories walked at most per game where all games are listed with their sizes."""
SIZE_LIMIT: Final = 300_000
"""Histories walked at most to count the sizes of one game."""
ESTIMATE: Final = "estimate_num_nodes"
"""The key of sizes that holds the histories where they were not counted to the end."""


def game_document(spec: str, limits: Limits) -> dict[str, Any]:
    """The document of a game: parameters, and sizes or None where those depend on them.

    Raises what loading and walking the game raise.
    """
    info, sizes = game_facts(spec, limits)
    return {**({"name": spec} if info is None else info.to_dict()), "sizes": sizes}


def game_facts(spec: str, limits: Limits) -> tuple[GameInfo | None, dict[str, Any] | None]:
    """The facts of a listed game, None for one that is not ours; then its sizes, if known.

    Raises what loading and walking the game raise.
    """
    from equilibrist.games import list_games, load_game

    word = spec.partition("(")[0].strip().lower().replace("-", "_")
    info = next((i for i in list_games() if word in {i.name, *i.aliases}), None)
    if info is not None and "(" not in spec and _lacks_defaults(info):
        return info, None
    return info, sizes_of(load_game(spec), limits)[0]


def default_sizes(info: GameInfo, limits: Limits) -> dict[str, Any] | None:
    """Sizes of a game with default parameters, None where there are no defaults."""
    from equilibrist.games import load_game

    return None if _lacks_defaults(info) else sizes_of(load_game(info.name), limits)[0]


def _lacks_defaults(info: GameInfo) -> bool:
    from equilibrist.games.parameters import REQUIRED

    return any(parameter.default is REQUIRED for parameter in info.parameters)


def sizes_of(game: Game[Any], limits: Limits) -> tuple[dict[str, Any], GameTree | None]:
    """Count the whole game, or estimate it (`ESTIMATE`) where it passes the limit.

    Args:
        game: The game.
        limits: How much of it is walked.

    Returns:
        The counts, and the compiled game; None where it passes the limit.

    Raises:
        MemoryBudgetError: It passes the limit, and nobody knows how far.
    """
    try:
        tree = limits.compile(game)
    except MemoryBudgetError as error:
        if error.estimate is None:
            raise
        sizes = {
            "game": game.name,
            "num_players": game.num_players,
            ESTIMATE: round(error.estimate, 1),
        }
        return sizes, None
    sizes = {
        "game": tree.name,
        **document(tree, "num_players num_nodes num_terminals num_infosets num_sequences"),
        **document(tree, "constant_sum min_payoff max_payoff"),
    }
    return sizes, tree
