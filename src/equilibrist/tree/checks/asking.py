"""Calls of a game's methods that record wrong answers together with the history."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from equilibrist.errors import shortened
from equilibrist.formatting.escaping import repr_short
from equilibrist.game import Game
from equilibrist.parsing.user_code import pass_interrupts
from equilibrist.tree.checks.report import Problem
from equilibrist.tree.walk.answers import WrongAnswerError, read_num_players
from equilibrist.tree.walk.budget import too_deep
from equilibrist.tree.walk.protocol import recalls
from equilibrist.tree.walk.user_errors import user_error

_SHOWN_PER_KIND = 3
"""How many problems of one kind are kept in full; the others are counted."""

Path = tuple["Path", str] | None
"""A history as a linked list, latest move outermost, so that histories share their beginnings."""


class BrokenHistoryError(Exception):
    """The walk cannot continue below this history; the problem has been recorded."""


def _labels_of(path: Path) -> tuple[str, ...]:
    """The action labels of a linked history, first move first."""
    labels: list[str] = []
    while path is not None:
        path, label = path
        labels.append(label)
    return tuple(reversed(labels))


def place(path: Path) -> str:
    """A history in words."""
    return " > ".join(shortened(_labels_of(path))) or "the initial state"


class Questioner:
    """Calls the methods of a game at the current `path` and collects problems."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.path: Path = None
        self.problems: dict[str, list[Problem]] = {}
        self.counts: dict[str, int] = {}

    def note(self, kind: str, message: str, remedy: str, infoset: str = "") -> None:
        """Count a problem at the current history, and keep the first few of its kind."""
        self.counts[kind] = self.counts.get(kind, 0) + 1
        shown = self.problems.setdefault(kind, [])
        if len(shown) < _SHOWN_PER_KIND:
            shown.append(Problem(kind, _labels_of(self.path), message, remedy, infoset))

    def call(self, method: str, *arguments: Any) -> Any:
        """The result of a method; raises `BrokenHistoryError` if the method does."""
        try:
            return getattr(self.game, method)(*arguments)
        except BrokenHistoryError:
            raise
        except BaseException as error:
            pass_interrupts(error)
            self.note_exception(method, error)
            raise BrokenHistoryError from None

    def read(self, method: str, read: Callable[[Any], Any], *arguments: Any) -> Any:
        """The result as parsed by `read`; an invalid one raises `BrokenHistoryError`."""
        answer = self.call(method, *arguments)
        try:
            return read(answer)
        except WrongAnswerError as wrong:
            self.note(wrong.kind, wrong.message, wrong.remedy)
            raise BrokenHistoryError from None

    def read_or_none(self, method: str, read: Callable[[Any], Any], *arguments: Any) -> Any:
        """A method's result as `read` takes it, or None for an invalid one: the walk continues."""
        try:
            return self.read(method, read, *arguments)
        except BrokenHistoryError:
            return None

    def ask_again(
        self, method: str, read: Callable[[Any], Any], before: object, state: Any
    ) -> None:
        """Record a problem if a method returns another result than before."""
        answer = self.call(method, state)
        try:
            same = read(answer) == before
        except WrongAnswerError:
            same = False
        if not same:
            self.note(
                "random",
                f"{method}() gave {repr_short(before)}, and {repr_short(answer)} when asked again",
                "let chance nodes hold all randomness, and never change a state: let next() "
                "build a new one",
            )

    def num_players(self) -> int:
        """The game's number of players."""
        try:
            count: Any = self.game.num_players
        except Exception as error:
            self.note_exception("num_players", error)
            raise BrokenHistoryError from None
        try:
            return read_num_players(count)
        except WrongAnswerError as wrong:
            self.note(wrong.kind, wrong.message, wrong.remedy)
            raise BrokenHistoryError from None

    def name(self) -> str:
        """The game's name, or its class where it has none."""
        try:
            name: Any = self.game.name
        except Exception:
            name = None
        return name if isinstance(name, str) and name else type(self.game).__name__

    def forgets_on_purpose(self) -> bool:
        """Whether the game names another with perfect recall; errors are recorded."""
        try:
            return not recalls(self.game)
        except BaseException as error:
            pass_interrupts(error)
            self.note_exception("full_recall", error)
            return False

    def hash_of(self, state: Any) -> int | None:
        """The state's hash; None, with a problem recorded, if it has none."""
        try:
            return hash(state)
        except Exception:
            self.note(
                "unhashable",
                f"a state of type {type(state).__name__} is not hashable",
                "use tuples, strings, numbers, frozensets or frozen dataclasses as states, "
                "without lists, dicts or sets inside",
            )
            return None

    def check_twins(self, first: Any, second: Any, what: str) -> None:
        """Record a problem if two states that should be equal are not."""
        if not are_same(first, second):
            self.note(
                "random",
                f"{what} gave two states that are not equal when called twice",
                "let chance nodes hold all randomness, and use tuples or frozen dataclasses as "
                "states (objects of a plain class are never equal)",
            )

    def too_deep(self, max_depth: int) -> tuple[str, str]:
        """The message and remedy for a line of play of more moves."""
        return too_deep(max_depth)

    def note_exception(self, method: str, error: BaseException) -> None:
        """Record what a method raised."""
        text = str(user_error(self.game, method, (), error)).rpartition("(history: ")[0]
        self.note("exception", text.rstrip(), f"make {method} answer at every history")


def are_same(first: Any, second: Any) -> bool:
    """Whether two states are equal; states that cannot be compared are not."""
    try:
        return bool(first == second)
    except Exception:
        return False
