"""Deals of several ranges: every one on all boards, or drawn ones, by several threads.

Boards and drawn deals are numbered and split into parts. The split does not depend on the number of
threads and the sums of the parts are added in order, so neither does the result.
"""

from __future__ import annotations

from math import comb, prod
from typing import Final

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.kernels.poker.multiway import Choices, Ranges, all_deals, drawn_deals
from equilibrist.poker.cards.combos import COMBO_MASKS, FIRST_CARD, SECOND_CARD
from equilibrist.poker.cards.decks import STANDARD, Ranking
from equilibrist.poker.cards.evaluator_tables import strength_tables
from equilibrist.poker.equities.runouts import choice, five_cards, in_parts, key_of
from equilibrist.typing import FloatArray, Int64Array, UInt64Array

_PART_WORK: Final = 100_000_000
"""Deals in a part, up to 0.3 seconds, so that an interrupt takes effect."""
_PARTS: Final = 256
_MOST_PARTS: Final = 10_000
_DRAWN_IN_A_PART: Final = 10_000
_MOST_CHOICES: Final = 100_000
"""Players are grouped as long as the group has no more combinations of hands."""
TRIES: Final = 1_000_000
"""Draws of hands until no card comes twice."""


def on_all_deals(
    weights: FloatArray,
    board: tuple[int, ...],
    deck: list[int],
    suits: UInt64Array,
    threads: int,
    ranking: Ranking = STANDARD,
) -> FloatArray:
    """The sums of `kernels.poker.multiway.all_deals`, float64[4, n], over all boards.

    The weights are float64[n, 1326]. Players are taken in the order of their number of hands, the
    longest last: that order has the fewest steps, and whole sums are the same in any.
    """
    sizes = np.count_nonzero(weights, axis=1)
    order = np.argsort(sizes, kind="stable")
    ranges = ranges_of(weights[order])
    to_come = 5 - len(board)
    boards, deals = comb(len(deck), to_come), prod(sizes.tolist())
    length = boards_in_a_part(boards, deals)

    def part(begin: int, end: int) -> FloatArray:
        sums = np.zeros((4, len(weights)))
        places = choice(begin, len(deck), to_come)
        inputs = (
            strength_tables(7, ranking),
            ranges,
            five_cards(board),
            len(board),
            np.array(deck, np.int64),
            suits,
        )
        all_deals(*inputs, places, end - begin, sums)
        return sums

    total = np.zeros((4, len(weights)))
    for sums in in_parts(part, boards, length, threads):
        total += sums
    total[:3, order] = total[:3].copy()
    return total


def boards_in_a_part(boards: int, deals: int) -> int:
    """The length of the parts that threads share, by the number of deals on a board."""
    most = max(1, _PART_WORK // deals)
    return max(min(boards // _PARTS + 1, most), boards // _MOST_PARTS, 1)


def ranges_of(weights: FloatArray) -> Ranges:
    """The hands of all players, each hand once for all that hold it."""
    players, combos = np.nonzero(weights)
    held, index = np.unique(combos, return_inverse=True)
    return Ranges(
        np.searchsorted(players, np.arange(len(weights) + 1)),
        COMBO_MASKS[combos],
        weights[players, combos],
        index.reshape(-1),
        FIRST_CARD[held].astype(np.uintp),
        SECOND_CARD[held].astype(np.uintp),
    )


def on_drawn_deals(
    weights: FloatArray,
    board: tuple[int, ...],
    deck: list[int],
    samples: int,
    seed: int,
    threads: int,
    ranking: Ranking = STANDARD,
    folded: FloatArray | None = None,
) -> Int64Array:
    """The sums of `kernels.poker.multiway.drawn_deals`, int64[4, n].

    The hands of `folded`, float64[k, 1326], are dealt, too, but take no part in the showdown.
    Raises ConfigError if no deal is found.
    """
    players = len(weights)
    if folded is not None:
        weights = np.concatenate([weights, folded])
    order = np.argsort(np.count_nonzero(weights, axis=1), kind="stable")
    choices = choices_of(weights[order], "folded" if len(weights) > players else "ranges")
    shows = order < players
    key = key_of(seed)

    def part(begin: int, end: int) -> Int64Array:
        sums = np.zeros((4, len(weights)), np.int64)
        inputs = (
            strength_tables(7, ranking),
            choices,
            shows,
            five_cards(board),
            len(board),
            np.array(deck, np.int64),
            key,
        )
        if drawn_deals(*inputs, begin, end, TRIES, sums) >= 0:
            raise hardly_held(len(weights) - players)
        return sums

    total = np.zeros((4, len(weights)), np.int64)
    for sums in in_parts(part, samples, _DRAWN_IN_A_PART, threads):
        total += sums
    total[:, order] = total.copy()
    return total[:, :players]


def choices_of(weights: FloatArray, option: str = "ranges") -> Choices:
    """List the groups of hands that deals are drawn from.

    A deal is drawn by drawing the hands of all players independently, again and again until no card
    comes twice. If few hands meet, as those of AA and AA, most draws fail; so the first players are
    one group as long as their combinations of hands can be listed.
    """
    masks = np.zeros(1, np.uint64)
    share = np.ones(1)
    hands = np.zeros((1, 0), np.int64)
    players = 0
    for row in weights:
        combos = np.flatnonzero(row)
        if players and len(masks) * len(combos) > _MOST_CHOICES:
            break
        meet = (masks[:, None] & COMBO_MASKS[combos]) == 0
        before, own = np.nonzero(meet)
        masks = masks[before] | COMBO_MASKS[combos[own]]
        share = share[before] * row[combos[own]]
        hands = np.column_stack([hands[before], combos[own]])
        players += 1
    if not len(masks):
        raise no_deal(option)
    groups = [(masks, share, hands)]
    for row in weights[players:]:
        combos = np.flatnonzero(row)
        groups.append((COMBO_MASKS[combos], row[combos], combos[:, None]))
    drawn = np.zeros((sum(len(group[0]) for group in groups), players), np.int64)
    begin = np.cumsum([0, *(len(group[0]) for group in groups)])
    for start, (_, _, own_hands) in zip(begin.tolist(), groups, strict=False):
        drawn[start : start + len(own_hands), : own_hands.shape[1]] = own_hands
    return Choices(
        begin,
        np.concatenate([group[0] for group in groups]),
        np.concatenate([np.cumsum(group[1]) / group[1].sum() for group in groups]),
        np.array([0, *range(players, len(weights) + 1)]),
        FIRST_CARD[drawn].astype(np.uintp),
        SECOND_CARD[drawn].astype(np.uintp),
    )


def hardly_held(folded: int = 0) -> ConfigError:
    """The error of ranges of which no hands were drawn that can be held at the same time.

    Args:
        folded: How many of the players folded.
    """
    exact = "" if folded > 2 else ", or compute the exact equity"
    return ConfigError(
        f"none of {TRIES:,} draws of hands was a deal: the ranges share so many cards "
        "that the players can hardly hold hands at the same time, or not at all",
        option="folded" if folded else "ranges",
        remedy=f"give ranges with other hands{exact}",
    )


def no_deal(option: str = "ranges") -> ConfigError:
    """The error of ranges of which no hands can be held at the same time; `option` gave them."""
    return ConfigError(
        "no deal is possible: the players cannot hold hands of their ranges at the same time "
        "without a card that comes twice",
        option=option,
        remedy="give ranges with hands that can meet",
    )
