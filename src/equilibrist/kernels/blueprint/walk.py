"""Walks of the betting tree, board by board, with a row of hands for every node.

They give the values of single hands at any node. `blocks` finds sums over the hands of buckets.
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel, kernel
from equilibrist.kernels import TILE
from equilibrist.kernels.blueprint.arrays import DESCEND, ENDS_OF, KNOWN
from equilibrist.kernels.blueprint.hands import sort_hands
from equilibrist.kernels.blueprint.terminals import evaluate_group
from equilibrist.kernels.poker.equity import scratch_for
from equilibrist.kernels.poker.tiles import add_rows, load_row, store_row

_TILE = np.uintp(TILE)
_ONE = np.float32(1.0)


@inner_kernel
def descend(betting, node, sigma, work, count, width):
    """The reach of the actor in all children."""
    street = betting.street[node]
    player = betting.player[node]
    source = np.uintp(betting.reach_row[node, player]) * width
    reach, bucket = work.reach, work.bucket[street]
    place = np.uintp(betting.slot[node])
    child = betting.first_child[node]
    while child >= 0:
        goal = np.uintp(betting.reach_row[child, player]) * width
        for i in range(count):
            h = np.uintp(i)
            reach[goal + h] = reach[source + h] * sigma[place + np.uintp(bucket[h])]
        place += np.uintp(betting.buckets[street])
        child = betting.next_sibling[child]


@inner_kernel
def ascend(betting, node, sigma, work, count, width, value_rows):
    """The values of both players at a decision."""
    street = betting.street[node]
    player = np.uintp(betting.player[node])
    values, bucket = work.values, work.bucket[street]
    row = np.uintp(betting.value_row[node])
    mine = (player * value_rows + row) * width
    theirs = ((np.uintp(1) - player) * value_rows + row) * width
    place = np.uintp(betting.slot[node])
    child = betting.first_child[node]
    first = True
    while child >= 0:
        row = np.uintp(betting.value_row[child])
        own = (player * value_rows + row) * width
        if first:
            for i in range(count):
                h = np.uintp(i)
                values[mine + h] = sigma[place + np.uintp(bucket[h])] * values[own + h]
        else:
            for i in range(count):
                h = np.uintp(i)
                values[mine + h] += sigma[place + np.uintp(bucket[h])] * values[own + h]
        other = ((np.uintp(1) - player) * value_rows + row) * width
        for i in range(np.uintp(0), width, _TILE):
            h = np.uintp(i)
            found_row = load_row(values, other + h)
            if not first:
                found_row = add_rows(load_row(values, theirs + h), found_row)
            store_row(values, theirs + h, found_row)
        first = False
        place += np.uintp(betting.buckets[street])
        child = betting.next_sibling[child]


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
def walk_boards(tables, hands, betting, boards, rows, sigma, known, work):
    """Walk the tree for each board in turn; the values of the last one stay in `work`.

    boards: uint8[B, 5]. rows: int32[B, S, 1326], the buckets by street. sigma: float32[slots].
    known: float32[K, 2, 1326], the values at terminal nodes that are known before, by combo.

    tables: StrengthTables. hands, betting: see `kernels.blueprint.arrays`.
    """
    width = np.uintp(work.ranks.shape[0])
    value_rows = np.uintp(work.values.shape[0]) // width // np.uintp(2)
    scratch = scratch_for(hands.first.shape[0])
    for b in range(boards.shape[0]):
        count = sort_hands(tables, hands, boards[b], rows[b], scratch, work)
        work.reach[:count] = _ONE
        for s in range(betting.steps.shape[0]):
            step, place = betting.steps[s, 0], betting.steps[s, 1]
            if step == ENDS_OF:
                evaluate_group(betting, place, work, width, value_rows, count)
            elif step == KNOWN:
                copy_known(betting, place, known, work, count, width, value_rows)
            elif step == DESCEND:
                descend(betting, place, sigma, work, count, width)
            else:
                ascend(betting, place, sigma, work, count, width, value_rows)
