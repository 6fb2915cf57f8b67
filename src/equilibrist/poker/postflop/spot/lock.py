"""Node locks: fixed probabilities of actions at a node; the rest is solved.

As text a lock is `LINE: HANDS = ACTION SHARE, ACTION SHARE; HANDS = ...`, such as
`B120: AA,KK = Call 100%; QQ = Fold 0.25`. Without `HANDS =` the shares apply to all hands:
`B120: Fold 25%`. With `frequency` in place of hands they apply to the range as a whole, and the
solver chooses the hands: `B120: frequency = Fold 25%`. The line of the root is empty. Actions are
codes or names, `B94` or `Bet 94`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from equilibrist.errors import ConfigError, LockSyntaxError, NotationError, UnknownNameError
from equilibrist.formatting.escaping import escape_control_chars
from equilibrist.parsing.arguments import bad_argument, real_number
from equilibrist.poker.betting.actions import Action, line_text
from equilibrist.poker.betting.lines import parse_line, read_action
from equilibrist.poker.cards.cards import with_suit_letters
from equilibrist.poker.cards.combos import NUM_COMBOS
from equilibrist.poker.ranges.dialects import canonical_text, weight_text
from equilibrist.poker.ranges.hand_groups import group_combos
from equilibrist.poker.text_span import TextSpan, read_share

ALL_HANDS: Final = "100%"
"""The text for all hands, as in ranges."""
_FREQUENCY: Final = "frequency"
"""The word in place of hands for shares of the whole range."""
ROUNDING: Final = 1e-6
"""The tolerance within which shares count as summing to 1."""
_FORM: Final = "a lock is LINE: HANDS = ACTION SHARE, such as B120: AA,KK = Call 100%"
SHARES: Final = "shares are from 0 to 1, or in percent: 0.25, 25%"

Shares = tuple[tuple[Action, float], ...]
"""Actions and their probabilities."""


class LockEntry(NamedTuple):
    """Hands, and the probabilities of actions fixed for them; other actions are free."""

    hands: str
    """The shortest text of the hands, `100%` for all."""
    shares: Shares
    """Empty to leave the hands free."""


@dataclass(frozen=True, init=False)
class Lock:
    """A node lock: fixed probabilities of some actions, for some hands or for the whole range.

    Actions that are not given share the remaining probability and are solved. The first entry that
    contains a hand decides. Frozen and hashable; locks are equal if they mean the same. Whether the
    line, the actions and the hands exist is checked by the spot that receives the lock.

    Args:
        line: The node. With cards, `X-B94-C|8h`, it is locked on this runout only; without,
            `X-B94-C|`, on every runout. Empty for the root.
        hands: Tables of actions and probabilities by hands: `{"AA,KK": {"Call": 1}}`.
        actions: Such a table for all hands that `hands` does not contain: `{"Fold": "25%"}`.
        frequency: How often the range as a whole takes actions; each hand counts with the weight
            with which it reaches the node (`Node.frequency_by_combos`). Which hands take them is
            solved, as far as `hands` and `actions` leave them free.

    Raises:
        ConfigError: A value is invalid, or nothing is locked.
        LineSyntaxError: The line or an action cannot be read.
        RangeSyntaxError: The hands cannot be read.
    """

    line: str
    entries: tuple[LockEntry, ...]
    frequency: Shares

    def __init__(
        self,
        line: str = "",
        hands: Mapping[str, Mapping[str, float | str]] | None = None,
        actions: Mapping[str, float | str] | None = None,
        frequency: Mapping[str, float | str] | None = None,
    ) -> None:
        example = 'a table from hands to actions, such as {"AA,KK": {"Call": 1}}'
        entries = [*_items("hands", hands, example)]
        if actions is not None:
            entries.append((ALL_HANDS, actions))
        self._set(
            line,
            [_entry(hands, shares) for hands, shares in entries],
            [] if frequency is None else [_frequency(_read_shares("frequency", frequency))],
        )

    @classmethod
    def parse(cls, text: str) -> Lock:
        """Read a lock from text.

        Args:
            text: The lock, such as `B120: AA,KK = Call 100%; QQ = Fold 0.25`.

        Returns:
            The lock.

        Raises:
            ConfigError: A value is invalid, or nothing is locked.
            LockSyntaxError: The text cannot be read; the error has the position.
        """
        if not isinstance(text, str):
            raise bad_argument("lock", text, "text, such as 'B120: AA,KK = Call 100%'")
        text = with_suit_letters(text)
        whole = TextSpan.all_of(text)
        colon = text.find(":")
        if colon < 0:
            raise LockSyntaxError(
                "the colon after the line is missing",
                text,
                len(text),
                option="line",
                given=text,
                remedy=f"{_FORM}",
            )
        with _inside(whole.part(0, colon).trimmed()) as line:
            parse_line(line.text)
        lock = cls.__new__(cls)
        parts = whole.part(colon + 1).split(";")
        entries, frequencies = [], []
        for part in parts:
            if _is_frequency(part):
                frequencies.append(_frequency(_parsed_shares(part.split("=")[1])))
            elif part.text or len(parts) == 1:
                entries.append(_parsed(part))
        lock._set(line.text, entries, frequencies)
        return lock

    @property
    def place(self) -> str:
        """The line for messages: `the root` if it is empty."""
        return self.line or "the root"

    def with_entries(self, entries: tuple[LockEntry, ...]) -> Lock:
        """A copy with other entries.

        Args:
            entries: The entries of the copy.

        Returns:
            The copy; this lock is unchanged.
        """
        lock = copy(self)
        object.__setattr__(lock, "entries", entries)
        return lock

    def without_frequency(self) -> Lock:
        """A copy without locked frequencies.

        Returns:
            The copy; this lock is unchanged.
        """
        lock = copy(self)
        object.__setattr__(lock, "frequency", ())
        return lock

    def to_dict(self) -> dict[str, Any]:
        """The arguments of the lock, as a table of a spot file.

        Returns:
            {"line": ..., "actions": ..., "frequency": ..., "hands": ...}, without keys that are not
            used; shares are from 0 to 1.
        """
        tables = {
            entry.hands: {str(action): share for action, share in entry.shares}
            for entry in self.entries
        }
        document: dict[str, Any] = {"line": self.line}
        if ALL_HANDS in tables and self.entries[-1].hands == ALL_HANDS:
            document["actions"] = tables.pop(ALL_HANDS)
        if self.frequency:
            document[_FREQUENCY] = {str(action): share for action, share in self.frequency}
        return document | ({"hands": tables} if tables else {})

    def __str__(self) -> str:
        parts = [
            ("" if entry.hands == ALL_HANDS and entry.shares else f"{entry.hands} = ")
            + _shares_text(entry.shares)
            for entry in self.entries
        ]
        parts += [f"{_FREQUENCY} = {_shares_text(self.frequency)}"] if self.frequency else []
        return f"{self.line}: {'; '.join(parts)}"

    def __repr__(self) -> str:
        text = str(self)
        return f"<Lock {text if len(text) <= 200 else text[:197] + '...'}>"

    def _set(self, line: str, entries: Iterable[LockEntry], frequencies: Sequence[Shares]) -> None:
        parts = parse_line(line)
        streets, cards = [part.actions for part in parts], [part.cards for part in parts[1:]]
        first: dict[str, LockEntry] = {}
        for entry in entries:
            first.setdefault(entry.hands, entry)
        object.__setattr__(self, "line", line_text(streets, cards))
        object.__setattr__(self, "entries", tuple(first.values()))
        object.__setattr__(self, "frequency", frequencies[0] if frequencies else ())
        if not first and not self.frequency:
            raise ConfigError(
                f"the lock at {self.place} is empty",
                option="hands",
                place=f"the lock at {self.place}",
                remedy=(
                    'give actions for hands, such as {"AA,KK": {"Call": 1}}, or for all hands, '
                    'such as {"Fold": 0.25}'
                ),
            )
        if len(frequencies) > 1:
            raise ConfigError(
                f"the lock at {self.place} contains {_FREQUENCY} twice",
                option=_FREQUENCY,
                place=f"the lock at {self.place}",
                remedy="give it once",
            )


def as_lock(value: object) -> Lock:
    """A lock from a Lock, a text, or a table of a spot file; raises what `Lock` raises."""
    if isinstance(value, Lock):
        return value
    if isinstance(value, str):
        return Lock.parse(value)
    if not isinstance(value, Mapping):
        raise bad_argument("lock", value, "text such as 'B120: AA,KK = Call 100%', or a table")
    known = ("line", "hands", "actions", _FREQUENCY)
    for key in value:
        if key not in known:
            raise UnknownNameError("key of a lock", str(key), known)
    if "line" not in value:
        remedy = 'give one, such as line = "B120"; "" is the root'
        raise ConfigError("a lock has no line", option="line", remedy=remedy)
    return Lock(**value)


def _items(name: str, table: object, example: str) -> list[tuple[Any, Any]]:
    if table is None:
        return []
    if not isinstance(table, Mapping):
        raise bad_argument(name, table, example)
    return list(table.items())


def _entry(hands: object, shares: object) -> LockEntry:
    """An entry from Python or from a file."""
    if not isinstance(hands, str):
        raise bad_argument("hands", hands, "text, such as 'AA,KK'", label="the hands of a lock")
    return _checked(
        _hands(TextSpan.all_of(with_suit_letters(hands))), _read_shares("actions", shares)
    )


def _read_shares(name: str, shares: object) -> list[tuple[Action, float]]:
    """A table from actions to shares."""
    read = []
    for action, share in _items(name, shares, 'actions and shares, such as {"Call": 1}'):
        if not isinstance(action, str):
            raise bad_argument(
                "action", action, "text, such as 'Call' or 'Bet 94'", label="an action of a lock"
            )
        probability = share
        if isinstance(share, str):
            try:
                probability = read_share(share)
            except ValueError:
                raise bad_argument("share", share, SHARES, label=f"the share of {action}") from None
        what = f"the share of {escape_control_chars(action)}"
        meant = read_action(TextSpan.all_of(action).trimmed())
        read.append((meant, real_number("share", probability, 0.0, 1.0, what)))
    return read


def _frequency(shares: list[tuple[Action, float]]) -> Shares:
    """The frequencies of a range's actions; raises ConfigError if there are none."""
    if not shares:
        raise ConfigError(
            f"a {_FREQUENCY} has no actions",
            option=_FREQUENCY,
            remedy='give one, such as {"Fold": 0.25}',
        )
    return _checked(_FREQUENCY, shares).shares


def _shares_text(shares: Shares) -> str:
    return ", ".join(f"{action} {weight_text(share)}" for action, share in shares)


def _parsed(part: TextSpan) -> LockEntry:
    """An entry from text: `AA,KK = Call 100%, Fold 0`, or shares alone."""
    *before, shares = part.split("=")
    if not before and part.text.casefold().startswith(_FREQUENCY):
        raise _wrong(part, f"expected an =, as in {_FREQUENCY} = ACTION SHARE")
    if len(before) > 1:
        raise _wrong(shares, "unexpected second =; separate entries by semicolons")
    with _inside(before[0] if before else part) as piece:
        hands = _hands(piece) if before else ALL_HANDS
    if before and not shares.text:
        return LockEntry(hands, ())
    return _checked(hands, _parsed_shares(shares))


def _is_frequency(part: TextSpan) -> bool:
    """Whether it is `frequency = ...`."""
    pieces = part.split("=")
    return len(pieces) == 2 and pieces[0].text.casefold() == _FREQUENCY


def _parsed_shares(piece: TextSpan) -> list[tuple[Action, float]]:
    """`Fold 25%, Call 0.5`."""
    return [_share(share) for share in piece.split(",")]


def _share(piece: TextSpan) -> tuple[Action, float]:
    """`Bet 94 25%`."""
    if not piece.text:
        raise _wrong(piece, f"an action and its share are missing; {_FORM}")
    cut = max(piece.text.rfind(" "), piece.text.rfind("\t"))
    with _inside(piece.part(0, max(cut, 0)).trimmed() if cut >= 0 else piece) as named:
        action = read_action(named)
    if cut < 0:
        raise _wrong(piece.part(len(piece.text)), f"the share of {action} is missing; {SHARES}")
    number = piece.part(cut + 1)
    try:
        share = read_share(number.text)
        if not 0 <= share <= 1:
            raise ValueError
    except ValueError:
        raise _wrong(
            number, f"{escape_control_chars(number.text[:20])!r} is not a share; {SHARES}"
        ) from None
    return action, share


def _hands(piece: TextSpan) -> str:
    """The canonical text of hands without weights."""
    weights = np.zeros(NUM_COMBOS)
    groups = piece.split(",")
    for group in groups[: -1 if len(groups) > 1 and not groups[-1].text else None]:
        weights[group_combos(group)] = 1.0
    return ALL_HANDS if weights.all() else canonical_text(weights)


def _checked(hands: str, shares: list[tuple[Action, float]]) -> LockEntry:
    """The entry; raises ConfigError for shares that sum above 1."""
    total = sum(share for _, share in shares)
    if total > 1 + ROUNDING:
        listed = ", ".join(f"{action} {share:g}" for action, share in shares)
        raise ConfigError(
            f"{hands}: the shares {listed} sum to {total:g}, which is above 1",
            option="shares",
            given=total,
            place=hands,
            remedy="give shares that sum to at most 1",
        )
    return LockEntry(hands, tuple(shares))


@contextmanager
def _inside(piece: TextSpan) -> Iterator[TextSpan]:
    """Turn errors about the span, or about its text alone, into errors about the whole lock."""
    try:
        yield piece
    except NotationError as error:
        start = error.position + (0 if error.text == piece.whole else piece.start)
        message = str(error).splitlines()[0]
        raise LockSyntaxError(
            message, piece.whole, start, option="lock", given=error.given
        ) from None


def _wrong(piece: TextSpan, message: str) -> LockSyntaxError:
    return LockSyntaxError(message, piece.whole, piece.start, option="lock", given=piece.text)
