"""The facts of a game: what is listed of it, and its sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from equilibrist.errors import MemoryBudgetError
from equilibrist.formatting.documents import document

if TYPE_CHECKING:
    from equilibrist.game import Game
    from equilibrist.games import GameInfo
    from equilibrist.library.limits import Limits

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
    return info, _sizes(load_game(spec), limits)


def default_sizes(info: GameInfo, limits: Limits) -> dict[str, Any] | None:
    """Sizes of a game with default parameters, None where there are no defaults."""
    from equilibrist.games import load_game

    return None if _lacks_defaults(info) else _sizes(load_game(info.name), limits)


def _lacks_defaults(info: GameInfo) -> bool:
    from equilibrist.games.parameters import REQUIRED

    return any(parameter.default is REQUIRED for parameter in info.parameters)


def _sizes(game: Game[Any], limits: Limits) -> dict[str, Any]:
    """Counts of the whole game, or an estimate (`ESTIMATE`) where it passes the limit."""
    try:
        tree = limits.compile(game)
    except MemoryBudgetError as error:
        if error.estimate is None:
            raise
        return {
            "game": game.name,
            "num_players": game.num_players,
            ESTIMATE: round(error.estimate, 1),
        }
    return {
        "game": tree.name,
        **document(tree, "num_players num_nodes num_terminals num_infosets num_sequences"),
        **document(tree, "constant_sum min_payoff max_payoff"),
    }
