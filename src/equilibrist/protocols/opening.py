"""What plays, by a word: a fixed opponent, or the file of a solution."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, Final

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.library.kinds import kind_for, open_saved
from equilibrist.options.defaults import FIXED_OPPONENTS
from equilibrist.play.bots.bot import Bot
from equilibrist.play.bots.fixed import FixedAgent
from equilibrist.play.hands.game import HandGame
from equilibrist.play.solutions.reading import solution_game
from equilibrist.poker.decisions.searching import Search, Searched, SearchState
from equilibrist.poker.hands.hand import Hand
from equilibrist.protocols.acpc.client import Player
from equilibrist.protocols.acpc.game_definition import GameDefinition
from equilibrist.protocols.acpc.players import BotPlayer, FixedPlayer
from equilibrist.typing import FloatArray

_KEPT_SEARCHES: Final = 8
"""Bots of a strategy whose searches are kept at the same time: a solve may take half a gigabyte."""


class SearchPool:
    """Makes a search for each bot, and keeps those that were used last.

    A search keeps what it solved, by which later streets are solved safely. One that is dropped is
    made anew when its bot asks again.

    Args:
        make: Makes a search.
        most: The most that are kept.
    """

    def __init__(self, make: Callable[[], Search], most: int = _KEPT_SEARCHES) -> None:
        """Keep no search yet; the class describes the arguments."""
        self._make, self._most = make, most
        self._kept: OrderedDict[int, Search] = OrderedDict()
        self._numbers = count()

    def open(self) -> Search:
        """Make the search of a bot.

        Returns:
            The search.
        """
        return _PooledSearch(self, next(self._numbers))

    def new_search(self) -> Search:
        """Make a search that is not kept.

        Returns:
            The search.
        """
        return self._make()

    def search_of(self, number: int) -> Search:
        """The search of a bot, which counts as used now.

        Args:
            number: The number of the bot.

        Returns:
            The search: the one that was kept, or a new one.
        """
        search = self._kept.pop(number, None)
        self._kept[number] = self._make() if search is None else search
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return self._kept[number]


@dataclass(frozen=True)
class _PooledSearch:
    """The search of one bot, kept by a pool."""

    pool: SearchPool
    number: int

    def search(
        self,
        state: SearchState,
        combo: int,
        ranges: FloatArray,
        seconds: float | None,
        generator: np.random.Generator,
        /,
    ) -> Searched | None:
        """Search with what the pool keeps for this bot; see `Search`."""
        search = self.pool.search_of(self.number)
        return search.search(state, combo, ranges, seconds, generator)


@dataclass(frozen=True)
class OpenedStrategy:
    """What plays: a fixed opponent, or a solution of hold'em with a search.

    Attributes:
        word: What was named.
        solution: The solution; None for a fixed opponent.
        searches: What makes the search of each bot; None plays the strategy.
        seconds: The most time of a search at a decision.
        lock: Held while any bot of this solution acts: one thread at a time reads it.
    """

    word: str
    solution: Any = None
    searches: SearchPool | None = None
    seconds: float | None = None
    lock: threading.Lock = field(default_factory=threading.Lock, compare=False)

    def bot(self, seed: int) -> Bot:
        """Make a bot.

        Args:
            seed: The seed of its draws.

        Returns:
            The bot.
        """
        played = FixedAgent(self.word) if self.solution is None else self.solution
        return Bot(played, self._search(), seed=seed, name=self.word, seconds=self.seconds)

    def identity(self) -> str:
        """Tell what plays from others, whatever its file is called.

        Returns:
            A text of the strategy, the search and its time.
        """
        played = FixedAgent(self.word) if self.solution is None else self.solution
        search = None if self.searches is None else self.searches.new_search()
        return json.dumps(Bot(played, search, seconds=self.seconds).identity())

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
            self.solution, game, seed=seed, search=self._search(), seconds=self.seconds
        )

    def _search(self) -> Search | None:
        """A search for one bot: a search goes by what it solved before in the same hand."""
        return None if self.searches is None else self.searches.open()


def open_strategy(
    word: str,
    command: str,
    cards: Path | None = None,
    *,
    search: Callable[[], Search] | None = None,
    seconds: float | None = None,
) -> OpenedStrategy:
    """Open what plays.

    Args:
        word: `fold`, `call`, `raise`, `all-in` or `random`, or the file of a solution.
        command: The command that takes it.
        cards: The card buckets of a blueprint, if they are elsewhere now.
        search: Makes what thinks about decisions, for each bot; None plays the strategy.
        seconds: The most time of a search at a decision.

    Returns:
        What plays.

    Raises:
        ConfigError: The word is neither.
        FileFormatError: The file is none of a solution that the command takes.
    """
    if word in FIXED_OPPONENTS and not Path(word).exists():
        return OpenedStrategy(word)
    if kind_for(command, word, or_game=False) is None:
        raise ConfigError(
            f"{word!r} is not a file or a fixed opponent",
            option="PLAYER",
            given=word,
            expected=f"a solution, or one of {', '.join(FIXED_OPPONENTS)}",
            remedy=f"give a solution, or one of {', '.join(FIXED_OPPONENTS)}",
        )
    searches = None if search is None else SearchPool(search)
    return OpenedStrategy(word, open_saved(Path(word), cards).content, searches, seconds)
