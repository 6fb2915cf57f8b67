"""The exceptions of Equilibrist: a message for people, and fields for programs.

`str(error)` says what was given, what was expected and what to do about it; the command line
prints it alone and exits with code 2. The fields say the same in parts, so that no program (and no
test) depends on the wording. Errors can be pickled, as processes and Ray do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from difflib import SequenceMatcher, get_close_matches
from numbers import Integral, Real
from os import PathLike
from typing import Any, Final, Self, TypedDict, TypeVar, Unpack

from equilibrist.formatting.escaping import escape_control_chars, repr_short, shorten

__all__ = [
    "BetSizeSyntaxError",
    "CardSyntaxError",
    "CheckpointError",
    "ClusterError",
    "ConfigError",
    "EquilibristError",
    "FileFormatError",
    "GameError",
    "GameSpecError",
    "LineSyntaxError",
    "LockSyntaxError",
    "MemoryBudgetError",
    "MismatchError",
    "NotationError",
    "OutputError",
    "PeerError",
    "RangeSyntaxError",
    "RecallError",
    "UnknownNameError",
    "UnsupportedError",
]

_ALL = 30
"""Names up to which all are listed where none is near."""
_SOME = 5
"""Names that are listed of more."""
_Kind = TypeVar("_Kind", bound="EquilibristError")


class Fields(TypedDict, total=False):
    """The keyword arguments of every error; None where one does not apply."""

    option: str | None
    given: object
    expected: object
    place: str | None
    remedy: str | None


class EquilibristError(Exception):
    """Base of all errors raised on purpose; catch this to catch them all.

    Args:
        message: What is wrong, in words; left out, the fields say it: "iterations is 0; expected
            a whole number of at least 1". The remedy follows it.
        fields: Values of the attributes below.

    Attributes:
        option: Name of what is at fault: an argument, an option, a parameter, a key, a method of a
            game, or a part of a file.
        given: What it is: a number, a text or None; of anything else the short representation.
        expected: What it may be, as a text, or the one value that it must have.
        place: Where: a history, a file with its line, or a column.
        remedy: What to do about it.
        others: Further errors of the same call; the message tells them, too.
    """

    others: tuple[EquilibristError, ...] = ()

    def __init__(self, message: str = "", **fields: Unpack[Fields]) -> None:
        self.option = fields.get("option")
        self.given = plain(fields.get("given"))
        self.expected = plain(fields.get("expected"))
        self.place = fields.get("place")
        self.remedy = fields.get("remedy")
        if not message:
            message = (
                f"{self.option} is {repr_short(fields.get('given'))}; expected {self.expected}"
            )
        super().__init__(shorten(self._sentence(message)))

    @property
    def problem(self) -> str:
        """The message without its remedy."""
        sentence = str(self)
        for end in (f"; {self.remedy}", f". {self.remedy}"):
            sentence = sentence.removesuffix(end)
        return sentence

    def _sentence(self, problem: str) -> str:
        return f"{problem}; {self.remedy}" if self.remedy else problem

    def add_place(self, place: object) -> None:
        """Put the place before the message, for callers that know a place the error lacks.

        Args:
            place: The place, such as a file or a history.
        """
        self.place = str(place) if self.place is None else f"{place}, {self.place}"
        self.args = (f"{shorten(str(place))}: {self}",)

    def with_outcome(self, outcome: str) -> Self:
        """Add to the message what was done about the error.

        Args:
            outcome: The end of the sentence.

        Returns:
            The error itself.
        """
        self.args = (f"{self}; {outcome}",)
        return self

    def with_remedy(self, remedy: str) -> Self:
        """Replace the remedy, for callers that know a better one.

        Args:
            remedy: What to do about it.

        Returns:
            The error itself.
        """
        problem, self.remedy = self.problem, remedy
        self.args = (shorten(self._sentence(problem)),)
        return self

    def as_kind(self, kind: type[_Kind]) -> _Kind:
        """Make an error of another class with all fields of this one.

        Args:
            kind: The class.

        Returns:
            A new error.
        """
        other = _unpickled(kind, str(self))
        other.__dict__.update(self.__dict__)
        return other

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]:
        return _unpickled, (type(self), str(self)), self.__dict__


def _unpickled(kind: type[_Kind], sentence: str) -> _Kind:
    """An error with its sentence, and without fields."""
    return kind.__new__(kind, sentence)


def as_one(errors: Sequence[_Kind]) -> _Kind:
    """Several errors as one: the fields of the first, and all sentences, a line each."""
    if len(errors) == 1:
        return errors[0]
    both = errors[0].as_kind(type(errors[0]))
    both.args = ("\n".join(map(str, errors)),)
    both.others = tuple(errors[1:])
    return both


def plain(value: object) -> object:
    """`value` as an error keeps it: a number, a text or None, else its short representation."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, PathLike):
        return str(value)
    with suppress(Exception):  # objects of users', and NumPy's time spans, only look like numbers
        if isinstance(value, Integral):
            return int(value)
        if isinstance(value, Real):
            return float(value)
    return repr_short(value)


_FAR: Final = 0.3
"""How much less alike than the nearest name others may be."""


def _nearest(name: str, known: Sequence[str]) -> tuple[str, ...]:
    """The nearest names, in any case of letters, and of those that differ in it the same first."""
    by_lower: dict[str, list[str]] = {}
    for each in known:
        by_lower.setdefault(each.lower(), []).append(each)
    close = get_close_matches(name.lower(), by_lower, n=3, cutoff=0.5)
    if close:  # beside one that is nearly the same, what is hardly alike says nothing
        best = _alike(name.lower(), close[0])
        close = [other for other in close if _alike(name.lower(), other) > best - _FAR]
    return tuple(
        each
        for lower in close
        for each in sorted(by_lower[lower], key=lambda other: _unlike(name, other))
    )[:3]


def _alike(name: str, other: str) -> float:
    """How alike two texts are, from 0 to 1."""
    return SequenceMatcher(None, other, name).ratio()


def _unlike(name: str, other: str) -> int:
    """How many letters of two texts differ in case."""
    return sum(a != b for a, b in zip(name, other, strict=False))


class UnknownNameError(EquilibristError):
    """A game, parameter, algorithm or infoset that does not exist.

    Args:
        kind: The kind of thing, such as "algorithm"; `option` afterwards, if none is given.
        name: What was asked for.
        known: The names that exist.
        hint: A remedy that follows the suggestions.
        option: What is at fault, where that is not `kind`.
        place: Where the name stands.

    Attributes:
        name: What was asked for.
        suggestions: The nearest known names.
    """

    def __init__(
        self,
        kind: str,
        name: str,
        known: Sequence[str],
        hint: str = "",
        *,
        option: str | None = None,
        place: str | None = None,
    ) -> None:
        self.name = name
        self.suggestions = _nearest(name, known)
        message = f"unknown {kind} {name!r}"
        if self.suggestions:
            message += "; did you mean " + " or ".join(repr(s) for s in self.suggestions) + "?"
        elif known and len(known) <= _ALL:
            message += "; known: " + ", ".join(map(escape_control_chars, known))
        elif known and not hint:
            some = ", ".join(map(escape_control_chars, known[:_SOME]))
            message += f"; known: {some}, ... ({len(known):,} in all)"
        message += f" {hint}" if hint else ""
        super().__init__(message, option=option or kind, given=name, place=place)


class GameSpecError(EquilibristError):
    """A game string that cannot be read, or a parameter outside its range.

    Attributes:
        text: The string.
        position: The offending column where it is known, counted from 0.
    """

    def __init__(
        self,
        message: str = "",
        text: str = "",
        position: int | None = None,
        **fields: Unpack[Fields],
    ) -> None:
        self.text = text
        self.position = position
        if position is not None:
            fields.setdefault("place", f"column {position + 1}")
        super().__init__(message, **fields)


class GameError(EquilibristError):
    """Rules that contradict themselves.

    Attributes:
        history: The action labels that lead to the place.
        kind: What is wrong, where it is one of the kinds of `check_game` (`Problem.kind`).
    """

    def __init__(
        self,
        message: str,
        history: Sequence[str] = (),
        *,
        kind: str | None = None,
        **fields: Unpack[Fields],
    ) -> None:
        self.history = tuple(history)
        self.kind = kind
        if kind is not None:
            fields.setdefault("option", kind)
        fields.setdefault("place", _moves(self.history))
        super().__init__(message, **fields)

    def _sentence(self, problem: str) -> str:
        return f"{super()._sentence(problem)} (history: {_moves(self.history)})"


def _moves(history: tuple[str, ...]) -> str:
    return " > ".join(map(escape_control_chars, shortened(history))) or "the initial state"


def shortened(history: tuple[str, ...]) -> tuple[str, ...]:
    """The moves of a history for a message; of a very long one its beginning and its end."""
    if len(history) <= 60:
        return history
    return (*history[:20], f"... {len(history) - 40:,} moves ...", *history[-20:])


class RecallError(GameError):
    """Imperfect recall where perfect recall is needed.

    Attributes:
        infoset: The key of the infoset.
    """

    def __init__(
        self, message: str, infoset: str, history: Sequence[str] = (), **fields: Unpack[Fields]
    ) -> None:
        self.infoset = infoset
        fields["option"], fields["given"] = "infoset", infoset
        super().__init__(message, history, kind="recall", **fields)


class MismatchError(EquilibristError):
    """Two objects that belong to different games or trees."""


class FileFormatError(EquilibristError):
    """A file that is corrupt, truncated, foreign or of an unknown version.

    Attributes:
        path: The file.
    """

    def __init__(self, message: str, path: object = "", **fields: Unpack[Fields]) -> None:
        self.path = str(path)
        fields.setdefault("place", self.path or None)
        super().__init__(message, **fields)


class CheckpointError(FileFormatError):
    """A checkpoint that cannot be resumed: damaged, or of another game or algorithm."""


class OutputError(EquilibristError):
    """A result that could not be written (full disk, no permission).

    Attributes:
        path: What was to be written.
    """

    def __init__(self, message: str, path: object = "", **fields: Unpack[Fields]) -> None:
        self.path = str(path)
        fields.setdefault("place", self.path or None)
        super().__init__(message, **fields)


class MemoryBudgetError(EquilibristError):
    """A game too large for the budget, which is `given`, in units of `option`.

    Attributes:
        problem: What is wrong, without the remedy.
        histories: How many were counted before the walk stopped.
        estimate: How many there are in all, by an estimate unless the walk was complete.
        problem: The message without the remedy.
    """

    def __init__(
        self,
        problem: str,
        histories: int,
        estimate: float | None = None,
        **fields: Unpack[Fields],
    ) -> None:
        self.histories = histories
        self.estimate = estimate
        super().__init__(problem, **fields)

    def _sentence(self, problem: str) -> str:
        return f"{problem}. {self.remedy}" if self.remedy else problem


class ConfigError(EquilibristError):
    """Options that contradict each other or are out of range."""


class ClusterError(EquilibristError):
    """A Ray cluster that cannot be reached, or that failed; the last checkpoint stands."""


class PeerError(EquilibristError):
    """A program at the other end of a connection that is gone, too slow, or speaks otherwise.

    Attributes:
        peer: Who that is: a player, or the address of a server.
    """

    def __init__(self, message: str, peer: object = "", **fields: Unpack[Fields]) -> None:
        self.peer = str(peer)
        super().__init__(message, **fields)


class UnsupportedError(EquilibristError):
    """A method applied to a game for which its result would not be true."""


class NotationError(EquilibristError):
    """A text in a notation of poker that cannot be read.

    The message shows text and position on two lines of its own.

    Attributes:
        text: What was given.
        position: Where in it the error begins, counted from 0.
    """

    def __init__(self, message: str, text: str, position: int, **fields: Unpack[Fields]) -> None:
        self.text = text
        self.position = position
        fields.setdefault("place", f"column {position + 1}")
        super().__init__(message, **fields)

    def _sentence(self, problem: str) -> str:
        return f"{super()._sentence(problem)}\n{_pointed_at(self.text, self.position)}"


def _pointed_at(text: str, position: int, around: int = 40) -> str:
    """The text, of a long one the part around `position`, and a sign below that position."""
    start = max(0, position - around)
    before = ("..." if start else "") + escape_control_chars(text[start:position])
    after = escape_control_chars(text[position : position + around])
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
