"""How many deals there are up to a renaming of the suits."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb
from typing import Final

from equilibrist.parsing.arguments import whole_number
from equilibrist.poker.cards.cards import RANKS

_CYCLES: Final = (
    ((1, 1, 1, 1), 1), ((2, 1, 1), 6), ((2, 2), 3), ((3, 1), 8), ((4,), 6)
)  # fmt: skip
"""The lengths of the cycles of the permutations of four suits, and how many permutations."""


def count_deals(sizes: Sequence[int], lowest_rank: int = 0) -> int:
    """The number of deals of some sets of cards, up to a renaming of the suits.

    It is the mean, over the 24 permutations of the suits, of the number of deals that the
    permutation leaves as they are (Burnside's lemma); sets are fixed if they are made of cycles.

    Args:
        sizes: The cards of each set: `(2, 3, 1)` for a hand, a flop and a turn card, `(2, 4)` for a
            hand on a board of four cards whose order is forgotten, `(4,)` for such a board.
        lowest_rank: The lowest rank in the deck, 0 for 52 cards, 8 for 20.

    Returns:
        The number of deals: `count_deals((2,))` is 169, `count_deals((2, 3))` 1,286,792.

    Raises:
        ConfigError: A number is out of range.
    """
    whole_number("lowest_rank", lowest_rank, 0, len(RANKS) - 2)
    ranks = len(RANKS) - lowest_rank
    wanted = tuple(whole_number("sizes", size, 0, 4 * ranks) for size in sizes)
    total = sum(times * _fixed(cycles, wanted, ranks) for cycles, times in _CYCLES)
    return int(Fraction(total, 24))


@cache
def _fixed(cycles: tuple[int, ...], sizes: tuple[int, ...], ranks: int) -> int:
    """The deals that a permutation fixes: every cycle of cards goes to one set or to none."""
    states = {sizes: 1}  # cards that the sets lack, and the ways to get there
    for length in sorted(set(cycles)):
        next_states: dict[tuple[int, ...], int] = {}
        for lacking, ways in states.items():
            for taken in product(*(range(lack // length + 1) for lack in lacking)):
                remaining, chosen = ranks * cycles.count(length), 1
                for number in taken:
                    chosen *= comb(remaining, number)  # 0 where too few are left
                    remaining = max(0, remaining - number)
                after = tuple(k - length * n for k, n in zip(lacking, taken, strict=True))
                next_states[after] = next_states.get(after, 0) + ways * chosen
        states = next_states
    return states.get((0,) * len(sizes), 0)
