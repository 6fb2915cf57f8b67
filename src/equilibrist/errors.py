"""Every error Equilibrist raises on purpose, each with the place it speaks of.

A message says what was given, what was expected and what to do about it.
The command line prints the message alone and exits with code 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from equilibrist.visible import visible


class EquilibristError(Exception):
    """Base of all errors raised on purpose; catch this to catch them all."""


class UnknownNameError(EquilibristError):
    """A game, parameter, algorithm or infoset that does not exist.

    `name` is what was asked for, `suggestions` the nearest known names.
    """

    def __init__(self, kind: str, name: str, known: Sequence[str], hint: str = "") -> None:
        self.name = name
        self.suggestions = tuple(get_close_matches(name.lower(), known, n=3, cutoff=0.5))
        message = f"unknown {kind} {name!r}"
        if self.suggestions:
            message += "; did you mean " + " or ".join(repr(s) for s in self.suggestions) + "?"
        elif known and len(known) <= 30:
            message += "; known: " + ", ".join(map(visible, known))
        super().__init__(message + (f" {hint}" if hint else ""))


class GameSpecError(EquilibristError):
    """A game string that cannot be read, or a parameter outside its range.

    `text` is the string, `position` the offending column where it is known.
    """

    def __init__(self, message: str, text: str = "", position: int | None = None) -> None:
        self.text = text
        self.position = position
        super().__init__(message)


class GameError(EquilibristError):
    """Rules that contradict themselves; `history` holds the action labels that lead there."""

    def __init__(self, message: str, history: Sequence[str] = ()) -> None:
        self.history = tuple(history)
        super().__init__(f"{message} (history: {_place(self.history)})")


def _place(history: tuple[str, ...]) -> str:
    return " > ".join(map(visible, shortened(history))) or "the initial state"


def shortened(history: tuple[str, ...]) -> tuple[str, ...]:
    """The moves of a history for a message; of a very long one its beginning and its end."""
    if len(history) <= 60:
        return history
    return (*history[:20], f"... {len(history) - 40:,} moves ...", *history[-20:])


class RecallError(GameError):
    """Imperfect recall where perfect recall is needed; `infoset` names the infoset."""

    def __init__(self, message: str, infoset: str, history: Sequence[str] = ()) -> None:
        self.infoset = infoset
        super().__init__(message, history)


class MismatchError(EquilibristError):
    """Two objects that belong to different games or trees."""


class FileFormatError(EquilibristError):
    """A file that is corrupt, truncated, foreign or of an unknown version; `path` names it."""

    def __init__(self, message: str, path: object = "") -> None:
        self.path = str(path)
        super().__init__(message)


class CheckpointError(FileFormatError):
    """A checkpoint that cannot be resumed: damaged, or of another game or algorithm."""


class OutputError(EquilibristError):
    """A result that could not be written (full disk, no permission); `path` names the target."""

    def __init__(self, message: str, path: object = "") -> None:
        self.path = str(path)
        super().__init__(message)


class MemoryBudgetError(EquilibristError):
    """A game too large for the budget.

    `histories` were counted before the walk stopped; `estimate` is how many there are in all, by an
    estimate unless the walk was complete. `found` is the message without the `remedy`.
    """

    def __init__(
        self, found: str, histories: int, estimate: float | None = None, *, remedy: str = ""
    ) -> None:
        self.found = found
        self.histories = histories
        self.estimate = estimate
        super().__init__(f"{found}. {remedy}" if remedy else found)


class ConfigError(EquilibristError):
    """Options that contradict each other or are out of range."""


class ClusterError(EquilibristError):
    """A Ray cluster that cannot be reached, or that failed; the last checkpoint stands."""


class UnsupportedError(EquilibristError):
    """A method applied to a game for which its result would not be true."""


class NotationError(EquilibristError):
    """A text in a notation of poker that cannot be read.

    `text` is what was given and `position` where in it the trouble begins, counted from 0; the
    message shows both on two lines of its own.
    """

    def __init__(self, message: str, text: str, position: int) -> None:
        self.text = text
        self.position = position
        super().__init__(f"{message}\n{_pointed_at(text, position)}")


def _pointed_at(text: str, position: int, around: int = 40) -> str:
    """The text, of a long one the part around `position`, and a sign below that position."""
    start = max(0, position - around)
    before = ("..." if start else "") + visible(text[start:position])
    after = visible(text[position : position + around])
    rest = "..." if position + around < len(text) else ""
    return f"  {before}{after}{rest}\n  {' ' * len(before)}^"


class CardSyntaxError(NotationError):
    """Cards or a board that cannot be read, or a card that comes twice."""


class RangeSyntaxError(NotationError):
    """A range of hands that cannot be read."""


class BetSizeSyntaxError(NotationError):
    """Bet sizes that cannot be read."""


class LineSyntaxError(NotationError):
    """A line of play, such as `X-B94-C|8h`, that cannot be read, or that the rules do not allow."""


class LockSyntaxError(NotationError):
    """A lock, such as `B120: AA,KK = Call 100%`, that cannot be read."""
