"""Ranges: the weight with which a player holds each of the 1,326 combos."""

from __future__ import annotations

from collections.abc import Iterable
from math import frexp
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from equilibrist.parsing.arguments import bad_argument, real_number
from equilibrist.poker.cards.cards import card_mask, card_numbers, parse_cards
from equilibrist.poker.cards.combos import (
    CLASS_OF_COMBO,
    COMBO_MASKS,
    NUM_CLASSES,
    NUM_COMBOS,
    combo_name,
    without_cards,
)
from equilibrist.poker.cards.decks import FULL_DECK, Deck, read_deck
from equilibrist.poker.cards.hand_ranking import top_classes
from equilibrist.poker.ranges import grid as range_grid
from equilibrist.poker.ranges.dialects import canonical_text, written
from equilibrist.poker.ranges.parser import hand_combos, read_range
from equilibrist.typing import FloatArray

if TYPE_CHECKING:
    from rich.text import Text


_MIN_RELATIVE_WEIGHT: Final = 1e-30
"""Hands below this fraction of a range's largest weight count as not held."""
MIN_LARGEST_WEIGHT: Final = 1e-100
"""The smallest allowed value of a range's largest weight, so that products do not underflow."""
MIN_MEETING_SHARE: Final = 1e-5
"""The smallest share of pairs of hands, by weight, that share no card; smaller sums are lost in
float32."""


def drop_negligible(weights: FloatArray) -> FloatArray:
    """The weights, with 0 for hands that are too light to affect any result."""
    return np.where(weights < _MIN_RELATIVE_WEIGHT * weights.max(initial=0.0), 0.0, weights)


def to_digits(weights: FloatArray, digits: int = 4, least: float = 1e-9) -> FloatArray:
    """Weights as texts have them: to so many significant digits, however small they are.

    Args:
        weights: Numbers of at least 0.
        digits: Significant digits of each, whose error is at most half of the last one.
        least: Weights below this fraction of the largest are left out.

    Returns:
        The rounded weights; 0 where they were left out.
    """
    held = weights >= max(least * float(weights.max(initial=0.0)), np.finfo(np.float64).tiny)
    rounded = [float(f"{weight:.{digits - 1}e}") for weight in weights[held].tolist()]
    shortened = np.zeros(weights.shape)
    shortened[held] = rounded
    return shortened


def exponent(weights: FloatArray) -> int:
    """The power of two that scales the largest weight into (1/2, 1]."""
    fraction, power = frexp(float(weights.max(initial=0.0)))
    return power - (fraction == 0.5)


def share_that_meets(oop: FloatArray, ip: FloatArray) -> float:
    """The share of all pairs of hands, by weight, that share no card; both float64[1326]."""
    (first, first_weights), (second, second_weights) = (
        (COMBO_MASKS[held], weights[held] / weights.sum())
        for weights, held in ((oop, oop > 0), (ip, ip > 0))
    )
    return float(first_weights @ (first[:, None] & second == 0) @ second_weights)


_CLASS_SIZES: Final = np.bincount(CLASS_OF_COMBO, minlength=NUM_CLASSES)


class Range:
    """A weight from 0 to 1 for each combo; immutable, and compared and hashed by its weights.

    `str()` gives the shortest canonical text.

    Args:
        text: The range, such as `88+,A5s-A2s:0.5`, in any supported dialect.
        dialect: pio, gto+, equilab, pokercruncher, propokertools, pokerkit or raw; None detects it.
        deck: The deck of whose hands `15%` and presets are shares: the lowest rank, `short` or
            `short-trips`.

    Raises:
        ConfigError: `text` is not a text, or there is no such deck.
        RangeSyntaxError: The text cannot be read; the error has the position.
        UnknownNameError: There is no such dialect.
    """

    __slots__ = ("_weights",)

    def __init__(
        self, text: str = "", dialect: str | None = None, *, deck: str | Deck = FULL_DECK
    ) -> None:
        self._weights = _fixed(read_range(text, dialect, read_deck(deck)))

    @classmethod
    def from_weights(cls, weights: Any) -> Range:
        """Make a range from weights.

        Args:
            weights: 1,326 numbers from 0 to 1, in the order of `poker.cards.combos`.

        Returns:
            The range.

        Raises:
            ConfigError: The array has another shape, or a weight is out of range.
        """
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
        new_range = cls.__new__(cls)
        new_range._weights = _fixed(array)
        return new_range

    @classmethod
    def full(cls) -> Range:
        """Every combo with weight 1.

        Returns:
            The range of all 1,326 combos.
        """
        return cls.from_weights(np.ones(NUM_COMBOS))

    @classmethod
    def top(cls, share: float) -> Range:
        """The best hand classes by equity against a random hand.

        Args:
            share: The share of all combos to fill with whole classes, from 0 to 1.

        Returns:
            The range, each class with weight 1.

        Raises:
            ConfigError: `share` is out of range.
        """
        return cls(",".join(top_classes(real_number("share", share, 0.0, 1.0))))

    @property
    def weights(self) -> FloatArray:
        """The weights, float64[1326], read-only, in the order of `poker.cards.combos`."""
        return self._weights

    @property
    def num_combos(self) -> float:
        """The sum of the weights; 1,326 for the full range."""
        return float(self._weights.sum())

    @property
    def class_weights(self) -> FloatArray:
        """float64[13, 13]: the mean weight of each hand class, in the layout of the grid."""
        sums = np.bincount(CLASS_OF_COMBO, self._weights, NUM_CLASSES)
        means: FloatArray = (sums / _CLASS_SIZES).reshape(13, 13)
        return means

    def __getitem__(self, hands: str) -> float:
        """The mean weight of a hand or a group of hands: `range["AhKh"]`, `range["AKs"]`."""
        combos = hand_combos(hands)
        return float(self._weights[combos].mean()) if combos else 0.0

    def without(self, cards: str | Iterable[int]) -> Range:
        """The range after card removal: combos with any of the cards get weight 0.

        Args:
            cards: The dead cards, as text or as numbers.

        Returns:
            A new range; the other weights stay.

        Raises:
            CardSyntaxError: The text cannot be read.
            ConfigError: These are no card numbers.
        """
        dead = parse_cards(cards) if isinstance(cards, str) else card_numbers("cards", cards)
        return Range.from_weights(np.where(without_cards(card_mask(dead)), self._weights, 0.0))

    def to(self, dialect: str) -> str:
        """The range as text for another program.

        Args:
            dialect: pio, gto+, equilab, pokercruncher, propokertools, pokerkit or raw.

        Returns:
            The text, which that program reads.

        Raises:
            UnknownNameError: There is no such dialect.
            ConfigError: The dialect cannot express the range.
        """
        return written(self._weights, dialect)

    def to_dict(self) -> dict[str, float]:
        """The weights by the names of combos, such as `{"AsAh": 1.0}`.

        Returns:
            {combo: weight}, aces first; combos with weight 0 are left out.
        """
        held = np.flatnonzero(self._weights)[::-1]
        return {combo_name(combo): float(self._weights[combo]) for combo in held}

    def grid(self) -> str:
        """The 13x13 grid in plain text: weights in percent, suited hands above the diagonal.

        Returns:
            A heading and 13 rows, aces first.
        """
        return range_grid.plain(self.class_weights)

    def __mul__(self, factor: float) -> Range:
        """All weights times a number from 0 to 1."""
        return Range.from_weights(self._weights * real_number("factor", factor, 0.0, 1.0))

    __rmul__ = __mul__

    def __or__(self, other: Range) -> Range:
        """The larger of both weights, combo by combo."""
        if not isinstance(other, Range):
            return NotImplemented
        return Range.from_weights(np.maximum(self._weights, other._weights))

    def __and__(self, other: Range) -> Range:
        """The smaller of both weights, combo by combo."""
        if not isinstance(other, Range):
            return NotImplemented
        return Range.from_weights(np.minimum(self._weights, other._weights))

    def __sub__(self, other: Range) -> Range:
        """The difference of both weights, combo by combo, at least 0."""
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
