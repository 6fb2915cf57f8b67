"""The games that a request may name, loaded once and kept while they are looked at.

Only what comes with Equilibrist, what a worker has read whole, and what the server was started with
is loaded; and each use says how many histories it can bear.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from equilibrist.errors import MemoryBudgetError
from equilibrist.game import Game
from equilibrist.reference.game_walk import GameWalk, walk
from equilibrist.tree.compile import GameTree
from equilibrist.web.errors import WebError
from equilibrist.web.numba_loading import load_engine
from equilibrist.web.security.short_names import without_folders
from equilibrist.web.security.texts import UPLOADED, check_game
from equilibrist.web.services import Services
from equilibrist.web.store.games import shown_game, uploaded_game
from equilibrist.web.store.parsed import parsed_game

MOST_VALUED: Final = 100_000
"""Histories of a game whose values a page computes."""
_KEPT: Final = 8
_KEPT_UPLOADS: Final = 4
_PARSED: Final = "parsed:"
_NAMING: Final = ".efg"
"""How the names of files end that have titles of games and names of players."""
_REMEDIES: Final = {
    "draw": "choose smaller parameters, or walk to a part of it first",
    "look at one by one": "choose smaller parameters, such as fewer cards or players; the page of "
    "the game walks it as it is",
}
"""What to do in place of what a game has too many histories for."""


class OwnNames(NamedTuple):
    """What the file of a game calls it and its players; empty where it is in no file with names."""

    title: str = ""
    players: tuple[str, ...] = ()


@dataclass(frozen=True)
class KnownGame:
    """A game that may be looked at.

    Attributes:
        text: How addresses and requests name it.
        source: How `load_game` names it; `parsed:` and the path of an uploaded one.
        stamp: When the file of an uploaded game was written, so that a new one is read again.
    """

    text: str
    source: str
    stamp: int = 0

    @property
    def rules(self) -> Game[Any]:
        """The rules; raises what `load_game` raises."""
        return _rules(self.source, self.stamp)

    @property
    def own_names(self) -> OwnNames:
        """What its file calls it and its players; raises what `load_game` raises."""
        from equilibrist.games.efg.game import EfgGame

        if not self.source.endswith(_NAMING):  # the others need not be loaded
            return OwnNames()
        game = self.rules
        return OwnNames(game.title, game.player_names) if isinstance(game, EfgGame) else OwnNames()

    @property
    def shown_names(self) -> dict[str, str]:
        """What people read for keys and outcomes that are called otherwise."""
        from equilibrist.tree.shown_names import shown_names

        return shown_names(self.rules)

    def tree(self, most: int, what: str) -> GameTree:
        """The compiled game.

        Args:
            most: The most histories.
            what: What it is needed for, which ends the sentence "too many to ...".

        Raises:
            WebError: There are more.
        """
        tree = _small_tree(self.source, self.stamp, most)
        if isinstance(tree, float):
            raise too_large(self.text, most, what, tree)
        return tree

    def size(self, most: int) -> float:
        """Count the histories; an estimate where there are more than `most`."""
        tree = _small_tree(self.source, self.stamp, most)
        return tree if isinstance(tree, float) else float(tree.num_nodes)

    def walk(self, most: int, what: str) -> GameWalk:
        """The histories of the game as plain objects, which the reference algorithms take.

        Args:
            most: The most histories.
            what: As in `tree`.

        Raises:
            WebError: There are more.
        """
        self.tree(most, what)  # which is quick, and says what is wrong with the rules
        return _walk(self.source, self.stamp)


def known_game(services: Services, text: str) -> KnownGame:
    """The game that a request names.

    Args:
        services: The services of the server.
        text: Its name with parameters, `library:NAME`, or what the server was started with.

    Returns:
        The game; its rules are loaded when they are needed.

    Raises:
        NotFoundError: No uploaded game has that name.
        ForbiddenError: It is no game that a request may name.
    """
    if text.startswith(UPLOADED):
        path, _ = uploaded_game(services.folders.games, text.removeprefix(UPLOADED))
        return KnownGame(text, f"{_PARSED}{path}", path.stat().st_mtime_ns)
    source = check_game(text, services.settings)
    return KnownGame(without_folders(source), source)


def too_large(game: str, most: int, what: str, estimate: float | None) -> WebError:
    """The error of a game with too many histories for what was asked.

    Args:
        game: The game, or a part of it, in words.
        most: The most histories.
        what: What is not done, which ends the sentence "too many to ...".
        estimate: How many there are, by an estimate; None where nobody knows.
    """
    if estimate is None or estimate <= most:
        count = f"more than {most:,}"
    else:
        count = f"{estimate:,.0f}" if estimate < 1e6 else f"about {estimate:.2g}"
    return WebError(
        f"{game} has {count} histories, too many to {what} (at most {most:,})",
        option="game",
        given=game,
        expected=f"at most {most:,} histories",
        remedy=_REMEDIES.get(what, "choose smaller parameters"),
    )


def _rules(source: str, stamp: int) -> Game[Any]:
    if source.startswith(_PARSED):
        return _uploaded(source, stamp)
    return _loaded(source)


@lru_cache(maxsize=_KEPT_UPLOADS)
def _uploaded(source: str, _stamp: int) -> Game[Any]:
    load_engine()
    return parsed_game(Path(source.removeprefix(_PARSED)))


@lru_cache(maxsize=32)
def _loaded(source: str) -> Game[Any]:
    load_engine()
    from equilibrist.games import load_game

    return shown_game(load_game(source))


@lru_cache(maxsize=_KEPT)
def _small_tree(source: str, stamp: int, most: int) -> GameTree | float:
    """The compiled game, or how many histories there are, by an estimate."""
    from equilibrist.game_loading import compile_game

    try:
        return compile_game(_rules(source, stamp), max_histories=most)
    except MemoryBudgetError as error:
        return float(error.estimate or error.histories)


@lru_cache(maxsize=_KEPT)
def _walk(source: str, stamp: int) -> GameWalk:
    return walk(_rules(source, stamp))
