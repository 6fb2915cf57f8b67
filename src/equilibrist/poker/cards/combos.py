"""The 1,326 pairs of hole cards (combos) and the 169 hand classes.

Combos are numbered in the order (0, 1), (0, 2) ... (50, 51) of their card numbers: `2d2c`, `2h2c`,
`2s2c`, `3c2c` ... `AsAh`. PioSOLVER numbers them otherwise, see `PIO_INDEX`. Hand classes are
numbered by rows of the 13x13 grid from AA to 22: suited hands stand above the diagonal, offsuit
hands below. All arrays are read-only.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from equilibrist.errors import CardSyntaxError
from equilibrist.parsing.arguments import bad_argument, whole_number
from equilibrist.poker.cards.cards import NUM_CARDS, RANKS, card_name, parse_cards
from equilibrist.typing import BoolArray, FloatArray, Int32Array, Int64Array, UInt64Array

NUM_COMBOS: Final = 1326
NUM_CLASSES: Final = 169


def _fixed(array: NDArray[np.generic]) -> None:
    array.flags.writeable = False


FIRST_CARD: Final[Int32Array] = np.triu_indices(NUM_CARDS, 1)[0].astype(np.int32)
"""int32[1326]: the card with the lower number of each combo."""
SECOND_CARD: Final[Int32Array] = np.triu_indices(NUM_CARDS, 1)[1].astype(np.int32)
"""int32[1326]: the card with the higher number of each combo."""
COMBO_MASKS: Final[UInt64Array] = (np.uint64(1) << FIRST_CARD.astype(np.uint64)) | (
    np.uint64(1) << SECOND_CARD.astype(np.uint64)
)
"""uint64[1326]: the two cards of each combo as a set, one bit per card."""
COMBO_INDEX: Final[Int32Array] = np.full((NUM_CARDS, NUM_CARDS), -1, np.int32)
"""int32[52, 52]: the combo of two cards in either order; -1 for a card with itself."""
COMBO_INDEX[FIRST_CARD, SECOND_CARD] = COMBO_INDEX[SECOND_CARD, FIRST_CARD] = np.arange(NUM_COMBOS)

PIO_INDEX: Final[Int32Array] = (SECOND_CARD * (SECOND_CARD - 1) // 2 + FIRST_CARD).astype(np.int32)
"""int32[1326]: the place of each combo in PioSOLVER's `show_hand_order`, `2d2c 2h2c 2h2d 2s2c ...
AsAh`: a (a - 1) / 2 + b for cards a > b, the order of the higher card first."""


def _classes() -> Int32Array:
    low, high = 12 - FIRST_CARD // 4, 12 - SECOND_CARD // 4  # rows and columns run from A to 2
    suited = FIRST_CARD % 4 == SECOND_CARD % 4
    return np.where(suited, 13 * high + low, 13 * low + high).astype(np.int32)


CLASS_OF_COMBO: Final[Int32Array] = _classes()
"""int32[1326]: the hand class of each combo, its place in the 13x13 grid read by rows."""

for _array in (
    FIRST_CARD, SECOND_CARD, COMBO_MASKS, COMBO_INDEX, PIO_INDEX, CLASS_OF_COMBO
):  # fmt: skip
    _fixed(_array)


def _class_name(row: int, column: int) -> str:
    high, low = RANKS[12 - min(row, column)], RANKS[12 - max(row, column)]
    return high + low + ("" if row == column else "s" if row < column else "o")


CLASS_NAMES: Final = tuple(_class_name(k // 13, k % 13) for k in range(NUM_CLASSES))
"""The names of the 169 hand classes: `AA`, `AKs` ... `AKo`, `KK` ... `22`."""


def combo_name(combo: int) -> str:
    """The two cards of a combo, the higher number first: `AsAh`, `As4h`, `3d2c`.

    Args:
        combo: Its number, 0 to 1,325.

    Returns:
        The names of both cards.

    Raises:
        ConfigError: There is no such combo.
    """
    try:
        if combo >= 0 and not isinstance(combo, bool):
            return _combo_names()[combo]
    except (TypeError, ValueError, IndexError):
        pass
    raise bad_argument("combo", combo, f"a whole number from 0 to {NUM_COMBOS - 1}")


@cache
def _combo_names() -> tuple[str, ...]:
    return tuple(
        card_name(second) + card_name(first)
        for first, second in zip(FIRST_CARD.tolist(), SECOND_CARD.tolist(), strict=True)
    )


def parse_combo(text: str) -> int:
    """The combo of two cards.

    Args:
        text: Two cards in any order and spelling.

    Returns:
        Its number, 0 to 1,325.

    Raises:
        CardSyntaxError: The text is not two distinct cards.
    """
    cards = parse_cards(text)
    if len(cards) != 2:
        raise CardSyntaxError(
            f"the hand has {len(cards)} card{'s' * (len(cards) != 1)}; expected two, such as AhKh",
            text,
            0,
            option="hand",
            given=len(cards),
            expected=2,
        )
    return int(COMBO_INDEX[cards])


def class_combos(hand_class: int) -> Int32Array:
    """The combos of a hand class.

    Args:
        hand_class: Its number, an index of `CLASS_NAMES`.

    Returns:
        int32[6] of a pair, [4] if suited, [12] if offsuit.

    Raises:
        ConfigError: There is no such class.
    """
    value: object = hand_class
    if isinstance(value, str):
        raise bad_argument(
            "hand_class",
            hand_class,
            f"a number from 0 to {NUM_CLASSES - 1}",
            remedy="CLASS_NAMES.index('AKs') is the number of AKs",
        )
    whole_number("hand_class", hand_class, 0, NUM_CLASSES - 1)
    return np.flatnonzero(hand_class == CLASS_OF_COMBO).astype(np.int32)


def without_cards(mask: int) -> BoolArray:
    """The combos that share no card with a set of cards.

    Args:
        mask: The set, with bit c for card c.

    Returns:
        bool[1326].

    Raises:
        ConfigError: This is no set of cards.
    """
    whole_number("mask", mask, 0, (1 << NUM_CARDS) - 1)
    free: BoolArray = (COMBO_MASKS & np.uint64(mask)) == 0
    return free


def disjoint(combos: Int64Array, others: Int64Array) -> FloatArray:
    """Which pairs of combos can be held at once.

    Args:
        combos: int64[n], their numbers.
        others: int64[m], the numbers of others.

    Returns:
        float64[n, m]: 1 where both share no card, else 0.
    """
    apart: BoolArray = (COMBO_MASKS[combos][:, None] & COMBO_MASKS[others]) == 0
    return np.where(apart, 1.0, 0.0)


def dealt_hands(board: Sequence[int], lowest_rank: int = 0) -> BoolArray:
    """The combos of a deck that a board leaves.

    Args:
        board: The public cards.
        lowest_rank: The lowest rank in the deck, 0 for 52 cards.

    Returns:
        bool[1326].
    """
    return without_cards(sum(1 << int(card) for card in board)) & (4 * lowest_rank <= FIRST_CARD)
