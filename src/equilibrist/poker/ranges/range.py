"""Ranges: how often a player holds each of the 1,326 hands."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from equilibrist.parsing.arguments import bad_argument, real_number
from equilibrist.poker.cards.cards import card_mask, parse_cards
from equilibrist.poker.cards.combos import (
    CLASS_OF_COMBO,
    NUM_CLASSES,
    NUM_COMBOS,
    combo_name,
    without_cards,
)
from equilibrist.poker.cards.hand_ranking import top_classes
from equilibrist.poker.ranges import grid as range_grid
from equilibrist.poker.ranges.dialects import canonical_text, written
from equilibrist.poker.ranges.hand_groups import group_combos
from equilibrist.poker.ranges.parser import read_range
from equilibrist.poker.text_span import Piece
from equilibrist.typing import FloatArray

if TYPE_CHECKING:
    from rich.text import Text

_CLASS_SIZES: Final = np.bincount(CLASS_OF_COMBO, minlength=NUM_CLASSES)


class Range:
    """A weight from 0 to 1 for each combo; immutable, equal and hashable by its weights.

    `Range("88+,A5s-A2s:0.5")` reads any of the dialects that `poker.ranges.dialects` lists,
    the one given or the one that the text looks like; `str()` of it is the shortest canonical text.
    Raises RangeSyntaxError with the position of what cannot be read.
    """

    __slots__ = ("_weights",)

    def __init__(self, text: str = "", dialect: str | None = None) -> None:
        self._weights = _fixed(read_range(text, dialect))

    @classmethod
    def from_weights(cls, weights: Any) -> Range:
        """The range of 1,326 numbers from 0 to 1 in the order of combos; raises ConfigError."""
        try:
            array = np.array(weights, dtype=np.float64)
        except (TypeError, ValueError):
            raise bad_argument("weights", weights, "1,326 numbers") from None
        if array.shape != (NUM_COMBOS,):
            raise bad_argument("weights", array.shape, "(1326,)", label="the shape of weights")
        good = (array >= 0) & (array <= 1)
        if not good.all():
            combo = int(np.argmin(good))
            label = f"the weight of {combo_name(combo)}"
            raise bad_argument("weight", float(array[combo]), "0 to 1", label=label)
        made = cls.__new__(cls)
        made._weights = _fixed(array)
        return made

    @classmethod
    def full(cls) -> Range:
        """Every combo with weight 1."""
        return cls.from_weights(np.ones(NUM_COMBOS))

    @classmethod
    def top(cls, share: float) -> Range:
        """The best hand classes, as many as fit into a share of all combos: 0.15 is 15 %.

        Their order is that of `equilibrist.poker.cards.hand_ranking`. Raises ConfigError.
        """
        return cls(",".join(top_classes(real_number("share", share, 0.0, 1.0))))

    @property
    def weights(self) -> FloatArray:
        """The weights, float64[1326], read-only, in the order of `poker.cards.combos`."""
        return self._weights

    @property
    def num_combos(self) -> float:
        """The sum of the weights: 1,326 if every hand is held always."""
        return float(self._weights.sum())

    @property
    def class_weights(self) -> FloatArray:
        """The mean weight of each hand class, float64[13, 13], as the grid shows them."""
        sums = np.bincount(CLASS_OF_COMBO, self._weights, NUM_CLASSES)
        means: FloatArray = (sums / _CLASS_SIZES).reshape(13, 13)
        return means

    def __getitem__(self, hands: str) -> float:
        """The mean weight of a hand or a group of hands: `range["AhKh"]`, `range["AKs"]`."""
        combos = group_combos(Piece.all_of(hands).trimmed())
        return float(self._weights[combos].mean()) if combos else 0.0

    def without(self, cards: str | Iterable[int]) -> Range:
        """The range when some cards are dead: weight 0 for every combo that holds one of them."""
        dead = parse_cards(cards) if isinstance(cards, str) else cards
        return Range.from_weights(np.where(without_cards(card_mask(dead)), self._weights, 0.0))

    def to(self, dialect: str) -> str:
        """The range in another program's dialect, one of `poker.ranges.dialects.DIALECTS`.

        Raises UnknownNameError, and ConfigError where the dialect has no words for the range.
        """
        return written(self._weights, dialect)

    def to_dict(self) -> dict[str, float]:
        """The weights of the combos that are not 0, by name: `{"AsAh": 1.0}`."""
        held = np.flatnonzero(self._weights)[::-1]
        return {combo_name(combo): float(self._weights[combo]) for combo in held}

    def grid(self) -> str:
        """The 13x13 grid in plain text: weights in percent, suited hands above the diagonal."""
        return range_grid.plain(self.class_weights)

    def __mul__(self, factor: float) -> Range:
        """All weights times a number from 0 to 1."""
        return Range.from_weights(self._weights * real_number("factor", factor, 0.0, 1.0))

    __rmul__ = __mul__

    def __or__(self, other: Range) -> Range:
        """The larger of both weights of each combo."""
        if not isinstance(other, Range):
            return NotImplemented
        return Range.from_weights(np.maximum(self._weights, other._weights))

    def __and__(self, other: Range) -> Range:
        """The smaller of both weights of each combo."""
        if not isinstance(other, Range):
            return NotImplemented
        return Range.from_weights(np.minimum(self._weights, other._weights))

    def __sub__(self, other: Range) -> Range:
        """What is left of each weight when the other's is taken off; never below 0."""
        if not isinstance(other, Range):
            return NotImplemented
        return Range.from_weights(np.maximum(self._weights - other._weights, 0.0))

    def __bool__(self) -> bool:
        """Whether any combo has a weight above 0."""
        return bool(self._weights.any())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Range) and np.array_equal(self._weights, other._weights)

    def __hash__(self) -> int:
        return hash(self._weights.tobytes())

    def __reduce__(self) -> tuple[Any, ...]:
        return Range.from_weights, (np.array(self._weights),)

    def __str__(self) -> str:
        return canonical_text(self._weights)

    def __repr__(self) -> str:
        return f"Range({str(self)!r})"

    def _repr_html_(self) -> str:
        return range_grid.html(self.class_weights)

    def __rich__(self) -> Text:
        return range_grid.coloured(self.class_weights)


def _fixed(weights: FloatArray) -> FloatArray:
    weights += 0.0  # no negative zeros: equal ranges have equal bytes
    weights.flags.writeable = False
    return weights
