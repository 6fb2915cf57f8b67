"""Values at the terminal nodes of a board: showdowns and folds of many lines at once.

A lane is one terminal node of the betting, and ENDS lanes are evaluated together.
`faced[ENDS * h + lane]` is the reach of the opponent's hand h there, with a row of zeros for a
missing hand. Both players' hands are numbered by rank here, from the weakest to the strongest; all
other rows are in the order of the board.

The unblocked reach of a hand is that of all opponent hands minus those that share a card with it.
It can be tiny and is then lost in float32 rounding: harmless for regret updates, but not for
reported results. So lanes may be float64 where reach and values are float32.
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel
from equilibrist.kernels import ENDS, TILE
from equilibrist.kernels.poker.postflop_arrays import MOST_CARDS, SUMS
from equilibrist.kernels.poker.tiles import (
    add_rows,
    as_numbers_of,
    load_ends,
    multiply_rows,
    store_row,
    subtract_rows,
    transpose_back,
    transpose_by_rank,
)
from equilibrist.kernels.primitives.prefetch import prefetch_address

_TILE = np.uintp(TILE)
_ENDS = np.uintp(ENDS)
_ZEROS = np.uintp(MOST_CARDS * ENDS)


@inner_kernel
def transpose_in(reach, first_row, row_width, width, ranks, first, faced, lanes):
    """faced[ENDS * r + i] = reach[first_row + i, h] for i < lanes, where r = ranks[first + h].

    lanes and width are multiples of TILE.
    """
    for lane in range(np.uintp(0), lanes, _TILE):
        start = (first_row + np.uintp(lane)) * row_width
        for i in range(np.uintp(0), width, _TILE):
            h = np.uintp(i)
            transpose_by_rank(reach, start + h, row_width, faced, np.uintp(lane), ranks, first + h)


@inner_kernel
def transpose_out(results, ranks, first, value, first_row, rows, row_width, width):
    """value[first_row + i, h] = results[ENDS * r + i] for i up to `rows`, filled up to TILE."""
    for lane in range(np.uintp(0), rows, _TILE):
        start = (first_row + np.uintp(lane)) * row_width
        for i in range(np.uintp(0), width, _TILE):
            h = np.uintp(i)
            transpose_back(results, np.uintp(lane), ranks, first + h, value, start + h, row_width)


@inner_kernel
def clear_sums(sums):
    """Set the sums to zero."""
    for i in range(np.uintp(SUMS)):
        sums[np.uintp(i)] = np.float32(0.0)


@inner_kernel
def add_hand(load, faced, hand, a, b, sums):
    """Add a hand to the sums of its two cards; the sum of all is the caller's.

    `load` is `load_ends`, or `load_row` for half as many lanes.
    """
    row = load(faced, hand * _ENDS)
    at_a, at_b = np.uintp(a) * _ENDS, np.uintp(b) * _ENDS
    store_row(sums, at_a, add_rows(load(sums, at_a), row))
    store_row(sums, at_b, add_rows(load(sums, at_b), row))
    return row


@inner_kernel
def fetch(streams, ahead):
    """Prefetch what is read next, while hands are added."""
    prefetch_address(streams[0] + ahead)
    prefetch_address(streams[1] + ahead)


@inner_kernel
def unblocked(load, total, a, b, sums):
    """The reach of the hands added so far that contain neither card (card removal)."""
    cards = add_rows(load(sums, np.uintp(a) * _ENDS), load(sums, np.uintp(b) * _ENDS))
    return subtract_rows(total, cards)


@inner_kernel
def fold_lanes(
    load, faced, their_card_a, their_card_b, theirs, card_a, card_b, twin, live, sums, pays, lane,
    results, streams, ahead, step,
):  # fmt: skip
    """results[ENDS * h + i] = pays[lane + i] times the unblocked reach of hand h in lane i.

    load: `load_ends`, or `load_row` for half as many lanes.
    faced: float[wide + 1, ENDS], the opponent's reach by rank; zeros in the last row.
    their_card_a, their_card_b: uint8, cards of the opponent's hands by rank.
    theirs: How many hands the opponent has.
    card_a, card_b: uint8, cards of the own hands by rank.
    twin: int16, rank of the opponent's hand of the same two cards, else of the row of zeros.
    live: How many own hands there are.
    sums: float[SUMS], scratch: reach by card.
    pays: float[K], what a fold brings, by lane.
    lane: First lane in pays.
    results: float[wide, ENDS], written.
    streams, ahead, step: Addresses that are prefetched, how far that is, and by how much it
        grows with every hand.

    Returns:
        How far it has prefetched.
    """
    clear_sums(sums)
    total = load(sums, _ZEROS)
    for j in range(theirs):
        k = np.uintp(j)
        total = add_rows(total, add_hand(load, faced, k, their_card_a[k], their_card_b[k], sums))
        fetch(streams, ahead)
        ahead += step
    pay = as_numbers_of(load(pays, lane), total)
    for i in range(live):
        k = np.uintp(i)
        fetch(streams, ahead)
        ahead += step
        # Inclusion-exclusion: the opponent's hand of the same two cards was subtracted twice.
        met = add_rows(
            unblocked(load, total, card_a[k], card_b[k], sums),
            load(faced, np.uintp(twin[k]) * _ENDS),
        )
        store_row(results, k * _ENDS, multiply_rows(pay, met))
    return ahead


@inner_kernel
def _beaten(weaker, reached, gain, ties, lane):
    """What showdowns add up: the reach beaten, and that beaten or tied with; weighed with ties."""
    if ties is None:
        return add_rows(weaker, reached)
    above = multiply_rows(as_numbers_of(load_ends(gain, lane), weaker), weaker)
    return add_rows(above, multiply_rows(as_numbers_of(load_ends(ties, lane), weaker), reached))


@inner_kernel
def _won(lost, met, gained, beaten, ties):
    """The values of showdowns; with ties `beaten` is weighed already."""
    if ties is None:
        return add_rows(multiply_rows(lost, met), multiply_rows(gained, beaten))
    return add_rows(multiply_rows(lost, met), beaten)


@inner_kernel
def showdown_lanes(
    faced, their_card_a, their_card_b, theirs, card_a, card_b, twin, live, ends, lows, highs,
    groups, sums, lose, gain, fold, ties, lane, results, folded, pairs, streams, ahead, step,
):  # fmt: skip
    """Showdowns in results, and for the first lanes own folds in folded where `pairs` is not 0.

    The value of a hand is lose * (unblocked reach) + gain * (reach it beats + reach it beats or
    ties with), where a tie is worth half of a win; with `ties` it is lose * (unblocked reach) +
    gain * (reach it beats) + ties * (reach it beats or ties with). Arguments that are not named
    here are those of `fold_lanes`.

    ends, lows, highs: int16[groups]: for each strength among the own hands, the hand after the
        last of it, and how many of the opponent's hands are weaker, and weaker or equal.
    groups: Different strengths among the own hands.
    lose, gain, fold: float[L], by lane: what losing brings, half of what winning brings above
        that, and what folding instead brings.
    ties: None, or float[L]: what a tie brings above losing; gain is then what winning brings above
        a tie.
    lane: First lane in them.
    results: float[wide, ENDS], written.
    folded: float[wide, ENDS], written where `pairs` is not 0.

    Returns:
        How far it has prefetched.
    """
    clear_sums(sums)
    total = load_ends(sums, _ZEROS)
    begin = np.uintp(0)
    added = np.uintp(0)
    # The sums hold weaker hands only, and after the next loop ties, too: results = beats + (beats
    # or ties).
    for g in range(groups):
        group = np.uintp(g)
        end, low, high = np.uintp(ends[group]), np.uintp(lows[group]), np.uintp(highs[group])
        for j in range(added, low):
            k = np.uintp(j)
            total = add_rows(
                total, add_hand(load_ends, faced, k, their_card_a[k], their_card_b[k], sums)
            )
            fetch(streams, ahead)
            ahead += step
        if low == high:  # no ties
            for i in range(begin, end):
                k = np.uintp(i)
                weaker = unblocked(load_ends, total, card_a[k], card_b[k], sums)
                itself = load_ends(faced, np.uintp(twin[k]) * _ENDS)
                both = _beaten(weaker, add_rows(weaker, itself), gain, ties, lane)
                store_row(results, k * _ENDS, both)
            begin, added = end, low
            continue
        for i in range(begin, end):
            k = np.uintp(i)
            store_row(results, k * _ENDS, unblocked(load_ends, total, card_a[k], card_b[k], sums))
        for j in range(low, high):
            k = np.uintp(j)
            total = add_rows(
                total, add_hand(load_ends, faced, k, their_card_a[k], their_card_b[k], sums)
            )
            fetch(streams, ahead)
            ahead += step
        for i in range(begin, end):
            k = np.uintp(i)
            itself = load_ends(faced, np.uintp(twin[k]) * _ENDS)
            reached = add_rows(unblocked(load_ends, total, card_a[k], card_b[k], sums), itself)
            both = _beaten(load_ends(results, k * _ENDS), reached, gain, ties, lane)
            store_row(results, k * _ENDS, both)
        begin = end
        added = high
    for j in range(added, theirs):
        k = np.uintp(j)
        total = add_rows(
            total, add_hand(load_ends, faced, k, their_card_a[k], their_card_b[k], sums)
        )
        fetch(streams, ahead)
        ahead += step
    lost = as_numbers_of(load_ends(lose, lane), total)
    gained = as_numbers_of(load_ends(gain, lane), total)
    pay = as_numbers_of(load_ends(fold, lane), total)
    for i in range(live):
        k = np.uintp(i)
        fetch(streams, ahead)
        ahead += step
        met = add_rows(
            unblocked(load_ends, total, card_a[k], card_b[k], sums),
            load_ends(faced, np.uintp(twin[k]) * _ENDS),
        )
        beaten = load_ends(results, k * _ENDS)
        store_row(results, k * _ENDS, _won(lost, met, gained, beaten, ties))
        if pairs:
            store_row(folded, k * _ENDS, multiply_rows(pay, met))
    return ahead
