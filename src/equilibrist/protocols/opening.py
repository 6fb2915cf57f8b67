"""What plays, by a word: a fixed opponent, or the file of a solution."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from equilibrist.errors import ConfigError
from equilibrist.library.kinds import kind_for, open_saved
from equilibrist.options.defaults import FIXED_OPPONENTS
from equilibrist.play.bots.bot import Bot
from equilibrist.play.bots.fixed import FixedAgent
from equilibrist.play.hands.game import HandGame
from equilibrist.play.solutions.reading import solution_game
from equilibrist.poker.decisions.searching import Search
from equilibrist.poker.hands.hand import Hand
from equilibrist.protocols.acpc.client import Player
from equilibrist.protocols.acpc.game_definition import GameDefinition
from equilibrist.protocols.acpc.players import BotPlayer, FixedPlayer


@dataclass(frozen=True)
class Strategy:
    """What plays: a fixed opponent, or a solution of hold'em with a search.

    Attributes:
        word: What was named.
        solution: The solution; None for a fixed opponent.
        search: What thinks about decisions; None plays the strategy.
        seconds: The most time of a search at a decision.
    """

    word: str
    solution: Any = None
    search: Search | None = None
    seconds: float | None = None

    def bot(self, seed: int) -> Bot:
        """Make a bot.

        Args:
            seed: The seed of its draws.

        Returns:
            The bot.
        """
        played = FixedAgent(self.word) if self.solution is None else self.solution
        return Bot(played, self.search, seed=seed, name=self.word, seconds=self.seconds)

    def game(self, file: Path | None = None) -> GameDefinition:
        """The game that is played.

        Args:
            file: The file of a game definition; None for the game of the solution.

        Returns:
            The game definition.

        Raises:
            ConfigError: A fixed opponent has no game; of a solution, as from `of_hand`.
            FileFormatError: The file is none of a game definition.
        """
        if file is not None:
            return GameDefinition.from_file(file)
        if self.solution is None:
            raise ConfigError(
                f"{self.word} plays any game",
                option="game",
                remedy="name the game definition that is played, with --game",
            )
        return GameDefinition.of_hand(self.hand)

    @property
    def hand(self) -> Hand:
        """The hand of the solution; ConfigError for that of a spot."""
        game = solution_game(self.solution)
        if isinstance(game, HandGame):
            return game.hand
        raise ConfigError(
            f"{self.word} is of a spot, and whole hands are played",
            option="solution",
            given=self.word,
            remedy="give a blueprint, or another solution of whole hands",
        )

    def player(self, game: GameDefinition) -> Callable[[int], Player]:
        """What takes seats at tables of a game.

        Args:
            game: The game.

        Returns:
            Makes a player with a seed.
        """
        if self.solution is None:
            return lambda seed: FixedPlayer(self.word, seed)
        return lambda seed: BotPlayer(
            self.solution, game, seed=seed, search=self.search, seconds=self.seconds
        )


def open_strategy(
    word: str,
    command: str,
    cards: Path | None = None,
    *,
    search: Search | None = None,
    seconds: float | None = None,
) -> Strategy:
    """Open what plays.

    Args:
        word: `fold`, `call`, `raise`, `all-in` or `random`, or the file of a solution.
        command: The command that takes it.
        cards: The card buckets of a blueprint, if they are elsewhere now.
        search: What thinks about decisions; None plays the strategy.
        seconds: The most time of a search at a decision.

    Returns:
        What plays.

    Raises:
        ConfigError: The word is neither.
        FileFormatError: The file is none of a solution that the command takes.
    """
    if word in FIXED_OPPONENTS and not Path(word).exists():
        return Strategy(word)
    if kind_for(command, word) is None:
        raise ConfigError(
            f"{word!r} is not a file or a fixed opponent",
            option="PLAYER",
            given=word,
            expected=f"a solution, or one of {', '.join(FIXED_OPPONENTS)}",
            remedy=f"give a solution, or one of {', '.join(FIXED_OPPONENTS)}",
        )
    return Strategy(word, open_saved(Path(word), cards).content, search, seconds)
