"""What takes a seat, by a word: a fixed opponent, or the file of a solution."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from equilibrist.errors import ConfigError
from equilibrist.library.kinds import open_saved
from equilibrist.play.bots.fixed import FIXED
from equilibrist.play.hands.game import HandGame
from equilibrist.play.solutions.reading import solution_game
from equilibrist.poker.decisions.searching import Search
from equilibrist.poker.hands.hand import Hand
from equilibrist.protocols.acpc.client import Player
from equilibrist.protocols.acpc.game_definition import GameDefinition
from equilibrist.protocols.acpc.players import BotPlayer, FixedPlayer


class SeatedPlayer(NamedTuple):
    """What plays, and the game that it plays.

    Attributes:
        player: What plays.
        definition: The game.
        notes: What it does not have of this game, a sentence each.
    """

    player: Player
    definition: GameDefinition
    notes: tuple[str, ...] = ()


def open_player(
    word: str,
    game: Path | None = None,
    seed: int = 0,
    cards: Path | None = None,
    *,
    search: Search | None = None,
    seconds: float | None = None,
) -> SeatedPlayer:
    """Open what plays.

    Args:
        word: `fold`, `call`, `raise`, `all-in` or `random`, or the file of a solution.
        game: The file of the game definition; None for the game of the solution.
        seed: The seed of what is drawn.
        cards: The card buckets of a blueprint, if they are elsewhere now.
        search: What thinks about decisions; None plays the strategy.
        seconds: The most time of a search at a decision.

    Returns:
        The player with its game.

    Raises:
        ConfigError: A fixed opponent needs a game; the solution is of another one.
        FileFormatError: A file is none of a solution, or of a game definition.
    """
    definition = None if game is None else GameDefinition.from_file(game)
    if word in FIXED and not Path(word).exists():
        if definition is None:
            raise ConfigError(
                f"{word} plays any game",
                option="game",
                remedy="name the game definition that the dealer plays",
            )
        return SeatedPlayer(FixedPlayer(word, seed), definition)
    solution: Any = open_saved(Path(word), cards).content
    own = solution_game(solution)
    if definition is None:
        definition = GameDefinition.of_hand(_hand_of(own, word))
    player = BotPlayer(solution, definition, seed=seed, search=search, seconds=seconds)
    return SeatedPlayer(player, definition, player.notes)


def definition_in(source: Path, cards: Path | None = None) -> GameDefinition:
    """The game definition of a solution of whole hands.

    Args:
        source: The file.
        cards: The card buckets of a blueprint, if they are elsewhere now.

    Returns:
        The game definition.

    Raises:
        ConfigError: Game definitions have no such hand.
        FileFormatError: The file is none of a solution.
    """
    solution: Any = open_saved(source, cards).content
    return GameDefinition.of_hand(_hand_of(solution_game(solution), source))


def _hand_of(game: Any, source: object) -> Hand:
    if isinstance(game, HandGame):
        return game.hand
    raise ConfigError(
        f"{source} is of a spot, and a match plays whole hands",
        option="solution",
        given=str(source),
        remedy="give a blueprint, or another solution of whole hands",
    )
