"""All tables and drills of a server: a few at a time, and none for longer than somebody plays."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from weakref import WeakValueDictionary

from equilibrist.library.opponents import Opponent
from equilibrist.web.errors import ConflictError, LimitError, NotFoundError
from equilibrist.web.playing.opening import open_opponent
from equilibrist.web.playing.table import PlayTable
from equilibrist.web.security.sessions import Role
from equilibrist.web.security.texts import UPLOADED
from equilibrist.web.settings import Settings
from equilibrist.web.store.library import Library, file_stamp

if TYPE_CHECKING:
    from equilibrist.play import Drill
    from equilibrist.play.drill import Answer
    from equilibrist.web.answers.solutions import GoneFile


@dataclass
class PlayDrill:
    """A drill. Used by one thread at a time: hold `opponent.lock`.

    Attributes:
        opponent: Whose decisions are drilled.
        drill: The drill.
        about: The line or the pattern.
        player: Of a game, whose infosets alone; None for those of all players.
        last: The last answer.
        is_later: Whether its run had saved the solution again since the link that has led here.
        gone: The solution, or its game, if its file is there no longer.
    """

    opponent: Opponent
    drill: Drill
    about: str
    player: int | None = None
    last: Answer | None = None
    is_later: bool = False
    gone: GoneFile | None = None

    @property
    def players(self) -> Sequence[int]:
        """The players whose decisions are drilled."""
        return range(self.opponent.players) if self.player is None else (self.player,)

    @property
    def stake_name(self) -> str:
        """What EV losses are held against: those graded last, else those of the question."""
        return self.drill.stake_name

    @property
    def is_untouched(self) -> bool:
        """Whether nothing was answered."""
        return not self.drill.answers

    def answer(self, number: int, action: int) -> None:
        """Answer a question; ConflictError if it is not the one that was asked.

        Args:
            number: The number of the question.
            action: The number of the action.
        """
        question = self.drill.question
        if question is None or question.number != number:
            if number > self.drill.answers:
                why = "has not been asked yet"
            else:
                why = "was answered already" if number >= 1 else "does not exist: the first is 1"
            raise ConflictError(
                f"question {number} {why}",
                option="number",
                given=number,
                expected=None if question is None else question.number,
                remedy="look at the drill again, which has the number of its question",
            )
        self.last = self.drill.answer(action)


_Kind = TypeVar("_Kind", PlayTable, PlayDrill)


@dataclass
class _Place:
    item: PlayTable | PlayDrill
    role: Role | None
    used: float


class Playing:
    """Tables and drills by name. Who knows a name may play there: names cannot be guessed.

    Guests may not play at tables of the owner, who may have streets re-solved.

    Args:
        library: Where solutions are.
        games: The folder of uploaded games.
        settings: How the server was started.
        run_of: Finds the run that has saved a solution, by the name of the solution.
        clock: Gives seconds.
    """

    def __init__(
        self,
        library: Library,
        games: Path,
        settings: Settings,
        run_of: Callable[[str], str | None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._library, self._games, self._settings = library, games, settings
        self._run_of = run_of
        self._clock, self._lock = clock, threading.Lock()
        self._places: dict[str, _Place] = {}
        self._opponents: WeakValueDictionary[tuple[Path, int, int, bool], Opponent]
        self._opponents = WeakValueDictionary()

    def open_table(
        self, solution: str, role: Role | None, seat: int | None = None, seed: int | None = None
    ) -> str:
        """Open a table and deal the first hand; returns its name.

        Raises what `open_opponent` raises, ConfigError for a wrong seat, and LimitError.

        Args:
            solution: Its name in the library.
            role: Who asks.
            seat: The person's seat; None for all in turn.
            seed: The seed of the deals; None for a secret one.
        """
        self._check_room(role)
        opponent = self.opponent(solution, role)
        with opponent.lock:
            table = PlayTable(opponent, seat, seed, self._settings.limits.hands)
            table.deal()
        return self._add(table, role)

    def open_drill(
        self,
        solution: str,
        role: Role | None,
        about: str = "",
        player: int | None = None,
        seed: int | None = None,
        *,
        is_later: bool = False,
    ) -> str:
        """Open a drill of a line, or of the infosets of a pattern, and ask; returns its name.

        Raises what `open_opponent` raises, what is wrong with the line or pattern, and LimitError.

        Args:
            solution: Its name in the library.
            role: Who asks.
            about: The line or the pattern.
            player: Of a game, whose infosets alone.
            seed: The seed of the hands; None for any.
            is_later: Whether the solution is a later one than that of the link that has led here.
        """
        self._check_room(role)
        opponent = self.opponent(solution, role)
        if opponent.drill is None:
            raise ConflictError(
                f"{solution} has no game tree, so answers cannot be graded",
                option="name",
                given=solution,
                remedy="drill a solution of a game that was compiled",
            )
        drawn = secrets.randbits(32) if seed is None else seed
        with opponent.lock:
            drill = opponent.drill(about, player, drawn)
            drill.ask()
        return self._add(PlayDrill(opponent, drill, about, player, is_later=is_later), role)

    @contextmanager
    def table(self, name: str, role: Role | None) -> Iterator[PlayTable]:
        """A table, for one thread at a time. NotFoundError if it was cleared.

        Args:
            name: The name that it is open under.
            role: Who asks.
        """
        with self._held(name, role, PlayTable) as table:
            yield table

    @contextmanager
    def drill(self, name: str, role: Role | None) -> Iterator[PlayDrill]:
        """A drill, for one thread at a time. NotFoundError if it was cleared.

        Args:
            name: The name that it is open under.
            role: Who asks.
        """
        with self._held(name, role, PlayDrill) as drill:
            yield drill

    def close(self, name: str, role: Role | None) -> None:
        """Clear a table or a drill. NotFoundError if there is none.

        Args:
            name: The name that it is open under.
            role: Who asks.
        """
        self._used(name, role)
        with self._lock:
            self._places.pop(name, None)

    @property
    def count(self) -> int:
        """How many are open."""
        with self._lock:
            return len(self._places)

    def opponent(self, name: str, role: Role | None) -> Opponent:
        """The opponent that plays a solution: one for all its players, while there are any.

        Raises what `open_opponent` raises.

        Args:
            name: The name of the solution in the library.
            role: Who asks.
        """
        path = self._library.path(name)
        status = path.stat()
        key = (path, status.st_mtime_ns, status.st_size, role == "owner")
        with self._lock:
            opponent = self._opponents.get(key)
            if opponent is not None and not _has_game(opponent):  # those who play it keep it
                del self._opponents[key]
                opponent = None
        if opponent is None:
            opponent = open_opponent(name, self._library, self._games, self._settings, role)
            if (run := self._run_of(name)) is not None:  # which may save a later solution there
                opponent = replace(opponent, stamp=f"{opponent.stamp}.{run}")
            with self._lock:
                opponent = self._opponents.setdefault(key, opponent)
        return opponent

    @contextmanager
    def _held(self, name: str, role: Role | None, kind: type[_Kind]) -> Iterator[_Kind]:
        item = self._used(name, role)
        if not isinstance(item, kind):
            raise _unknown(name)
        with item.opponent.lock:
            item.gone = self._gone(item.opponent)
            yield item

    def _gone(self, opponent: Opponent) -> GoneFile | None:
        """Which file of an opponent has been replaced or deleted; None for none.

        What its own run has saved in place of a solution is a later state of the same.
        """
        name, (stamp, _, run) = opponent.name, opponent.stamp.partition(".")
        if not _has_game(opponent):
            assert opponent.game_file is not None
            return {"what": "game", "name": f"{UPLOADED}{opponent.game_file.stem}"}
        try:
            self._library.name_with(name, stamp)
        except NotFoundError:
            is_later = bool(run) and self._run_of(name) == run
            return None if is_later else {"what": "solution", "name": name}
        return None

    def _used(self, name: str, role: Role | None) -> PlayTable | PlayDrill:
        with self._lock:
            self._clear()
            place = self._places.get(name)
            if place is None or (place.role == "owner" and role != "owner"):
                raise _unknown(name)
            place.used = self._clock()
            return place.item

    def _add(self, item: PlayTable | PlayDrill, role: Role | None) -> str:
        self._check_room(role)
        name = secrets.token_urlsafe(12)
        with self._lock:
            self._places[name] = _Place(item, role, self._clock())
        return name

    def _clear(self, *, is_full: bool = False) -> None:
        """Forget what nobody has used for long.

        Args:
            is_full: Whether room is needed: what was opened and left soon gives it.
        """
        limits, now = self._settings.limits, self._clock()
        for name, place in list(self._places.items()):
            is_left = is_full and place.item.is_untouched
            if now - place.used > (limits.untouched_seconds if is_left else limits.idle_seconds):
                del self._places[name]

    def _room(self, role: Role | None) -> tuple[int, int, bool]:
        """How many are open, how many of them by guests, and whether there is no room for more."""
        limits, count = self._settings.limits, len(self._places)
        guests = sum(place.role != "owner" for place in self._places.values())
        is_full = count >= limits.tables or (role != "owner" and guests >= limits.guest_tables)
        return count, guests, is_full

    def _check_room(self, role: Role | None) -> None:
        """Raise LimitError where there are too many; guests leave room for the owner."""
        limits = self._settings.limits
        with self._lock:
            self._clear()
            if self._room(role)[-1]:
                self._clear(is_full=True)
            places, guests, is_full = self._room(role)
            if is_full:
                full = places >= limits.tables
                count, most = (places, limits.tables) if full else (guests, limits.guest_tables)
                raise LimitError(
                    f"{count} tables and drills are open, which is the limit",
                    option="tables",
                    given=count,
                    expected=most,
                    remedy=f"close one; unused ones are removed after "
                    f"{limits.idle_seconds / 60:.0f} minutes",
                )


def _has_game(opponent: Opponent) -> bool:
    """Whether the game of an opponent is still there, if it was uploaded."""
    file = opponent.game_file
    return file is None or file_stamp(file) == opponent.game_stamp


def _unknown(name: str) -> NotFoundError:
    return NotFoundError(
        "this table was closed, or removed because it was not used",
        option="table",
        given=name[:40],
        remedy="open another one",
    )
