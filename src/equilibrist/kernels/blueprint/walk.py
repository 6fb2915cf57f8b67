"""Walks of the betting tree, board by board, with all hands of both players.

For every board the hands that it leaves are sorted by their strength on the river, and all rows
are in this order. A strategy is read through the bucket of each hand on the street. Values of
actions and own reach are added up by bucket over all boards of a batch.
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel, kernel
from equilibrist.kernels import TILE
from equilibrist.kernels.blueprint.arrays import DESCEND, ENDS_OF, KNOWN
from equilibrist.kernels.blueprint.terminals import evaluate_group
from equilibrist.kernels.poker.equity import ordered, scratch_for
from equilibrist.kernels.poker.tiles import add_rows, load_row, store_row

_TILE = np.uintp(TILE)
_SPREAD = np.uintp(4)


@inner_kernel
def descend(betting, node, sigma, sums, adds, work, count, width):
    """The reach of the actor in all children, and own reach by bucket."""
    street = np.uintp(betting.street[node])
    player = betting.player[node]
    at = street * width
    source = np.uintp(betting.reach_row[node, player]) * width
    reach, bucket = work.reach, work.bucket
    place = np.uintp(betting.slot[node])
    buckets = np.uintp(betting.buckets[street])
    child = betting.first_child[node]
    while child >= 0:
        goal = np.uintp(betting.reach_row[child, player]) * width
        for i in range(count):
            h = np.uintp(i)
            chance = sigma[place + np.uintp(bucket[at + h])]
            reach[goal + h] = reach[source + h] * chance
        place += buckets
        child = betting.next_sibling[child]
    if adds:
        state = np.uintp(betting.state[node])
        own = sums.reach
        quarter = np.uintp(count) // _SPREAD
        for i in range(quarter):  # hands next to each other are often in the same bucket
            for j in range(_SPREAD):
                h = np.uintp(i) + np.uintp(j) * quarter
                own[state + np.uintp(bucket[at + h])] += reach[source + h]
        for i in range(quarter * _SPREAD, np.uintp(count)):
            h = np.uintp(i)
            own[state + np.uintp(bucket[at + h])] += reach[source + h]


@inner_kernel
def ascend(betting, node, sigma, sums, adds, work, count, width, value_rows):
    """The values of both players at a decision, and those of its actions by bucket."""
    street = np.uintp(betting.street[node])
    player = np.uintp(betting.player[node])
    at = street * width
    values, bucket = work.values, work.bucket
    row = np.uintp(betting.value_row[node])
    mine = (player * value_rows + row) * width
    theirs = ((np.uintp(1) - player) * value_rows + row) * width
    place = np.uintp(betting.slot[node])
    buckets = np.uintp(betting.buckets[street])
    child = betting.first_child[node]
    first = True
    quarter = np.uintp(count) // _SPREAD
    while child >= 0:
        row = np.uintp(betting.value_row[child])
        own = (player * value_rows + row) * width
        if first:
            for i in range(count):
                h = np.uintp(i)
                values[mine + h] = sigma[place + np.uintp(bucket[at + h])] * values[own + h]
        else:
            for i in range(count):
                h = np.uintp(i)
                values[mine + h] += sigma[place + np.uintp(bucket[at + h])] * values[own + h]
        if adds:
            found = sums.value
            for i in range(quarter):  # hands next to each other are often in the same bucket
                for j in range(_SPREAD):
                    h = np.uintp(i) + np.uintp(j) * quarter
                    found[place + np.uintp(bucket[at + h])] += values[own + h]
            for i in range(quarter * _SPREAD, np.uintp(count)):
                h = np.uintp(i)
                found[place + np.uintp(bucket[at + h])] += values[own + h]
        other = ((np.uintp(1) - player) * value_rows + row) * width
        for i in range(np.uintp(0), width, _TILE):
            h = np.uintp(i)
            found_row = load_row(values, other + h)
            if not first:
                found_row = add_rows(load_row(values, theirs + h), found_row)
            store_row(values, theirs + h, found_row)
        first = False
        place += buckets
        child = betting.next_sibling[child]


@inner_kernel
def begin_board(tables, hands, board, rows, scratch, work, width):
    """Sort the hands that a board leaves, and look up their buckets; their number and levels."""
    count = ordered(tables, hands, board, scratch)
    strength, order = scratch.strength, scratch.order
    levels = 0
    for r in range(count):
        h = order[r]
        work.first[r] = hands.first[h]
        work.second[r] = hands.second[h]
        work.combo[r] = hands.combo[h]
        if r and strength[h] != strength[order[r - 1]]:
            work.levels[levels] = r
            levels += 1
        for street in range(rows.shape[0]):
            work.bucket[np.uintp(street) * width + np.uintp(r)] = rows[street, hands.combo[h]]
        work.reach[r] = np.float32(1.0)
    work.levels[levels] = count
    return count, levels + 1


@inner_kernel
def copy_known(betting, number, known, work, count, width, value_rows):
    """Values of both players at a terminal node, by combo, into the order of the board."""
    row = np.uintp(betting.value_row[betting.known[number]])
    for player in range(2):
        start = (np.uintp(player) * value_rows + row) * width
        for i in range(count):
            h = np.uintp(i)
            work.values[start + h] = known[number, player, work.combo[h]]


@kernel
def walk_boards(
    tables, hands, betting, boards, rows, sigma, known, players, sums, work, values
):  # fmt: skip
    """Walk the tree for each board; add up values and reach at the decisions of `players`, as bits.

    boards: uint8[B, 5]. rows: int32[B, S, 1326], the buckets by street. sigma: float32[slots].
    known: float32[K, 2, 1326], the values at terminal nodes that are known before, by combo.
    values: float64[B, 2], receives the sums over all pairs of hands of what each player wins.
    """
    width = np.uintp(work.ranks.shape[0])
    value_rows = np.uintp(work.values.shape[0]) // width // np.uintp(2)
    scratch = scratch_for(hands.first.shape[0])
    for b in range(boards.shape[0]):
        count, levels = begin_board(tables, hands, boards[b], rows[b], scratch, work, width)
        for s in range(betting.steps.shape[0]):
            step, place = betting.steps[s, 0], betting.steps[s, 1]
            if step == ENDS_OF:
                evaluate_group(betting, place, work, width, value_rows, count, levels)
            elif step == KNOWN:
                copy_known(betting, place, known, work, count, width, value_rows)
            else:
                adds = (players >> betting.player[place]) & 1
                if step == DESCEND:
                    descend(betting, place, sigma, sums, adds, work, count, width)
                else:
                    ascend(betting, place, sigma, sums, adds, work, count, width, value_rows)
        root = np.uintp(betting.value_row[0]) * width
        for player in range(2):
            total = 0.0
            start = np.uintp(player) * value_rows * width + root
            for r in range(count):
                total += work.values[start + np.uintp(r)]
            values[b, player] = total
