"""Groups of hands in ranges: `AKs`, `88+`, `A5s-A2s`, `AhAs-QhQs`, `15%`, `6max-BTN`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from typing import Final

from equilibrist.errors import RangeSyntaxError
from equilibrist.formatting.escaping import escape_control_chars
from equilibrist.poker.cards.cards import RANKS, SUITS
from equilibrist.poker.cards.combos import CLASS_NAMES, COMBO_INDEX, NUM_COMBOS, class_combos
from equilibrist.poker.cards.decks import FULL_DECK
from equilibrist.poker.cards.hand_ranking import top_classes
from equilibrist.poker.ranges.dialects import ReadDialect
from equilibrist.poker.ranges.presets import PRESETS, RANDOM, find_preset
from equilibrist.poker.text_span import NUMBER, TextSpan

_FLAGS: Final = re.IGNORECASE | re.ASCII
"""Either case, but not similar letters of other alphabets."""
_RANK: Final = "(?:10|[2-9TJQKA])"
HAND: Final = f"(?:{_RANK}[cdhs]{_RANK}[cdhs]|{_RANK}{_RANK}[so]?)"
"""One hand, as a case-insensitive regular expression."""
_HAND: Final = re.compile(f"({_RANK})([cdhs])?({_RANK})([cdhso])?", _FLAGS)
_GROUP: Final = re.compile(rf"({HAND})\s*(?:(\+)|-\s*({HAND}))?", _FLAGS)
_ANY_SUITS: Final = re.compile(rf"({_RANK})[wxyz*]({_RANK})[wxyz*]", _FLAGS)
"""A hand with variables for its suits: `AxKx` is `AKs` to ProPokerTools, to players also `AK`."""
_PRESET: Final = re.compile(r"\d+max-\w*", _FLAGS)
_AROUND: Final = "{}()[]\"'"
"""What other programs put around ranges, or around their parts."""
_ACE: Final = 12


@dataclass(frozen=True)
class _Hand:
    """Two ranks with two suits, or with a kind: suited (`s`), offsuit (`o`) or either (empty)."""

    high: int
    low: int
    suits: tuple[int, int] | None
    kind: str

    @property
    def is_pair(self) -> bool:
        return self.high == self.low

    def __str__(self) -> str:
        if self.suits is None:
            return RANKS[self.high] + RANKS[self.low] + self.kind
        first, second = (SUITS[suit] for suit in self.suits)
        return RANKS[self.high] + first + RANKS[self.low] + second

    def combos(self) -> list[int]:
        suits = [self.suits] if self.suits else product(range(4), repeat=2)
        return [
            int(COMBO_INDEX[4 * self.high + first, 4 * self.low + second])
            for first, second in suits
            if (self.suits or self._takes(first, second))
        ]

    def _takes(self, first: int, second: int) -> bool:
        if self.is_pair:
            return first < second
        return not self.kind or (self.kind == "s") == (first == second)

    def moved(self, high: int, low: int) -> _Hand:
        return replace(self, high=self.high + high, low=self.low + low)


def group_combos(piece: TextSpan, dialect: ReadDialect | None = None) -> list[int]:
    """The combos of one group, each once; raises RangeSyntaxError with the position.

    Args:
        piece: The group, without its weight.
        dialect: Of the range that it is part of, for errors; None where hands have no weights.
    """
    match = _GROUP.fullmatch(piece.text)
    if match is None:
        return _named(piece, dialect)
    first = _hand(piece.part(*match.span(1)))
    hands = [first]
    if match[2]:
        hands = _upwards(first)
    elif match[3]:
        hands = _downwards(first, _hand(piece.part(*match.span(3))), piece)
    return [combo for hand in hands for combo in hand.combos()]


def _named(piece: TextSpan, dialect: ReadDialect | None) -> list[int]:
    """All hands, `random`, a preset, `6max-BTN`, or the best hands, `15%` of all."""
    if piece.text.lower() == RANDOM:
        return list(range(NUM_COMBOS))
    deck = FULL_DECK if dialect is None else dialect.deck
    if preset := find_preset(piece.text):
        return _combos_of(top_classes(preset.share, deck))
    if _PRESET.fullmatch(piece.text):
        raise _wrong(
            piece,
            f"there is no preset {escape_control_chars(piece.text)}; presets are "
            + ", ".join(PRESETS),
        )
    return _top(piece, dialect)


def _combos_of(classes: Iterable[str]) -> list[int]:
    return [c for name in classes for c in _combos_of_class(name)]


@cache
def _combos_of_class(name: str) -> tuple[int, ...]:
    return tuple(class_combos(CLASS_NAMES.index(name)).tolist())


def _top(piece: TextSpan, dialect: ReadDialect | None) -> list[int]:
    """The best hands, `15%` of all."""
    match = re.fullmatch(rf"({NUMBER})\s*%", piece.text, _FLAGS)
    if match is None:
        raise _no_group(piece, dialect)
    if float(match[1]) > 100:
        raise _wrong(piece, f"the share {piece.text} is out of range; expected 0% to 100%")
    deck = FULL_DECK if dialect is None else dialect.deck
    return _combos_of(top_classes(float(match[1]) / 100, deck))


def without_plus(piece: TextSpan) -> TextSpan:
    """The group without a final `+` that would raise both ranks of a hand, as in `98s+`."""
    match = _GROUP.fullmatch(piece.text)
    if match is None or not match[2]:
        return piece
    hand = _hand(piece.part(*match.span(1)))
    return piece.part(*match.span(1)) if hand.high == hand.low + 1 else piece


def _hand(piece: TextSpan) -> _Hand:
    match = _HAND.fullmatch(piece.text)
    assert match is not None
    high, low = (RANKS.index("T" if r == "10" else r.upper()) for r in (match[1], match[3]))
    suffix = (match[4] or "").lower()
    if match[2]:
        suits = SUITS.index(match[2].lower()), SUITS.index(suffix)
        if (high, suits[0]) == (low, suits[1]):
            raise _wrong(piece, f"the hand {piece.text} has the same card twice")
        return _Hand(high, low, suits, "") if high >= low else _Hand(low, high, suits[::-1], "")
    hand = _Hand(high, low, None, suffix)
    if hand.is_pair and suffix:
        pair = RANKS[high] * 2
        raise _wrong(piece, f"a pair is neither suited nor offsuit; write {pair}")
    if high < low:
        right = replace(hand, high=low, low=high)
        raise _wrong(piece, f"the higher rank comes first: write {right}")
    return hand


def _upwards(hand: _Hand) -> list[_Hand]:
    """`88+`, `ATs+`; for neighbouring ranks, as in `98s+`, both ranks rise."""
    if hand.high - hand.low <= 1:
        return [hand.moved(k, k) for k in range(_ACE - hand.high + 1)]
    return [hand.moved(0, k) for k in range(hand.high - hand.low)]


def _downwards(first: _Hand, last: _Hand, piece: TextSpan) -> list[_Hand]:
    """`88-55`, `K5-K2`, `98s-65s`: the higher rank or the gap between the ranks is constant.

    The ends may stand in either order.
    """
    if first == last:
        raise _wrong(piece, f"both ends are {first}; write {first} alone")
    if (first.kind, first.suits) != (last.kind, last.suits):
        raise _wrong(
            piece,
            f"{first} and {last} differ in their suits; both ends need the same suits, "
            "as in A5s-A2s or AhAs-QhQs",
        )
    if (first.high, first.low) < (last.high, last.low):  # 22-66 is 66-22
        first, last = last, first
    high, low = first.high - last.high, first.low - last.low
    if high == low:
        return [first.moved(-k, -k) for k in range(high + 1)]
    if high == 0 and not first.is_pair:
        return [first.moved(0, -k) for k in range(low + 1)]
    raise _wrong(
        piece,
        f"{first} and {last} share neither the higher rank nor the gap between the ranks; "
        "expected one of the two, as in K5-K2 and 98s-65s",
    )


def _no_group(piece: TextSpan, dialect: ReadDialect | None) -> RangeSyntaxError:
    """The error of a text that does not have the form of a group."""
    text = piece.text
    if not text:
        return _wrong(piece, "a group is empty; remove one of the commas, or add a hand")
    if variables := _ANY_SUITS.match(text):
        return _of_any_suits(piece.part(*variables.span()), variables[1] + variables[2])
    start, group = re.match(HAND, text, _FLAGS), _GROUP.match(text)
    if start is None or group is None:
        return _wrong(
            piece,
            f"{escape_control_chars(text[:20])!r} is not a hand; hands look like AA, AKs or AhKh",
            remedy="leave out braces, parentheses and quotation marks"
            if text[0] in _AROUND
            else None,
        )
    other = piece.part(group.end()).trimmed()
    if re.match(HAND, other.text, _FLAGS):
        return _wrong(
            other, "expected a comma between two hands", remedy="separate the hands by commas"
        )
    rest = piece.part(start.end()).trimmed()
    if rest.text.startswith("-"):
        return _wrong(
            rest.part(1).trimmed(),
            "the second hand of the interval is missing; write it as 88-55 or A5s-A2s",
        )
    if rest.text.startswith((":", "@")):
        return _stray_weight(rest, dialect)
    return _wrong(
        rest,
        f"{escape_control_chars(rest.text[:20])!r} cannot follow {start[0]}; "
        "expected +, -HAND, :WEIGHT or a comma",
    )


def _of_any_suits(piece: TextSpan, ranks: str) -> RangeSyntaxError:
    """The error of a hand whose suits are variables, which programs read in different ways."""
    name = ranks.upper().replace("10", "T")
    named = f"{name}s for one suit, {name}o for two, {name} for both"
    return _wrong(
        piece,
        f"the suits of {piece.text} may be the same or any",
        remedy=f"write {name}" if name[0] == name[1] else f"write {named}",
    )


def _stray_weight(piece: TextSpan, dialect: ReadDialect | None) -> RangeSyntaxError:
    """The error of a weight that the dialect does not have, or where hands have none."""
    problem = f"{escape_control_chars(piece.text[:20])!r} is "
    weighted = None if dialect is None else dialect.weighted
    if dialect is None:
        problem += "a weight, but hands have none here"
    elif weighted is None:
        problem += f"a weight, but the dialect {dialect.name} does not support weights"
    else:
        problem += f"no weight of the dialect {dialect.name}, which writes weights as in {weighted}"
    remedies = ["leave the weight out" if weighted is None else "write all weights so"]
    if dialect is not None and not dialect.is_detected:
        remedies.append("leave out the dialect")
    return RangeSyntaxError(
        problem,
        piece.whole,
        piece.start,
        option="range",
        given=piece.text,
        expected=weighted,
        remedy=", or ".join(remedies),
    )


def _wrong(piece: TextSpan, message: str, remedy: str | None = None) -> RangeSyntaxError:
    return RangeSyntaxError(
        message, piece.whole, piece.start, option="range", given=piece.text, remedy=remedy
    )
