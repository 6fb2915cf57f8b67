"""Best responses with all cards, inside a betting tree: every turn and river card of a flop.

Values are sums over boards. A sum over the boards that a decision may still see is what its player
compares: so the values of a street's decisions follow from sums over all cards of the next streets.
The strategies of both players are given; in one pass each player responds to the other's.
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel, kernel
from equilibrist.kernels.blueprint.arrays import DESCEND, ENDS_OF
from equilibrist.kernels.blueprint.hands import sort_hands
from equilibrist.kernels.blueprint.terminals import evaluate_group
from equilibrist.kernels.blueprint.walk import descend
from equilibrist.kernels.poker.equity import scratch_for

_RIVER = 3
_ONE = np.float32(1.0)
_DECISION, _DEAL = 0, 3  # of `poker.hands.state`


@inner_kernel
def larger_or_nan(a, b):
    """The larger of two numbers; NaN where either is NaN."""
    return a if a > b or np.isnan(a) else b


@inner_kernel
def best_of_row(betting, node, values, value_rows, width, count):
    """Fill the row of a decision: the best child for its player, the sum for the other."""
    player = betting.player[node]
    for seat in range(2):
        base = np.uintp(seat) * value_rows * width
        goal = base + np.uintp(betting.value_row[node]) * width
        child = betting.first_child[node]
        first = True
        while child >= 0:
            source = base + np.uintp(betting.value_row[child]) * width
            for i in range(count):
                h = np.uintp(i)
                value = values[source + h]
                if not first:
                    known = values[goal + h]
                    value = larger_or_nan(known, value) if seat == player else known + value
                values[goal + h] = value
            first = False
            child = betting.next_sibling[child]


@inner_kernel
def best_of_sums(betting, node, sums):
    """Fill in the sums of a decision by combo: the best child for its player, else the sum of all.

    sums: float64[N, 2, 1326], by node, player and combo.
    """
    player = betting.player[node]
    for seat in range(2):
        child = betting.first_child[node]
        first = True
        while child >= 0:
            for h in range(sums.shape[2]):
                value = sums[child, seat, h]
                if not first:
                    known = sums[node, seat, h]
                    value = larger_or_nan(known, value) if seat == player else known + value
                sums[node, seat, h] = value
            first = False
            child = betting.next_sibling[child]


@inner_kernel
def respond_on_board(betting, river, sigma, work, count, width, value_rows):
    """The values of all terminal nodes, and of the decisions on the river."""
    for s in range(betting.steps.shape[0]):
        step, place = betting.steps[s, 0], betting.steps[s, 1]
        if step == ENDS_OF:
            evaluate_group(betting, place, work, width, value_rows, count)
        elif step == DESCEND:
            descend(betting, place, sigma, work, count, width)
    for k in range(river.shape[0] - 1, -1, -1):
        best_of_row(betting, river[k], work.values, value_rows, width, count)


@kernel
def respond_on_flop(
    tables, hands, betting, kind, nodes, nodes_begin, runouts, rows, sigma, work, turn_sums,
    flop_sums, sums,
):  # fmt: skip
    """Add the values of best responses on a flop to `sums`, for nodes before the flop.

    nodes: int32[D], the decisions street by street from nodes_begin[street], parents first.
    runouts: uint8[T, R, 5], all boards of the flop, river cards by turn card. rows: int32[T, R, S,
    1326], the buckets by street. sigma: float32[slots]. turn_sums, flop_sums: float64[N, 2, 1326],
    scratch. sums: float64[N, 2, 1326]: terminal nodes before the flop, and deals, receive sums
    over the boards.

    tables: StrengthTables. hands, betting, work: see `kernels.blueprint.arrays`. kind: int8[N].
    """
    width = np.uintp(work.ranks.shape[0])
    value_rows = np.uintp(work.values.shape[0]) // width // np.uintp(2)
    scratch = scratch_for(hands.first.shape[0])
    river = nodes[nodes_begin[_RIVER] : nodes_begin[_RIVER + 1]]
    flop_sums[:] = 0.0
    for t in range(runouts.shape[0]):
        turn_sums[:] = 0.0
        for r in range(runouts.shape[1]):
            count = sort_hands(tables, hands, runouts[t, r], rows[t, r], scratch, work)
            work.reach[:count] = _ONE
            respond_on_board(betting, river, sigma, work, count, width, value_rows)
            for node in range(kind.shape[0]):
                if is_end(betting, kind, node, 2):
                    add_row(betting, node, work, count, width, value_rows, turn_sums)
        for k in range(nodes_begin[3] - 1, nodes_begin[2] - 1, -1):
            best_of_sums(betting, nodes[k], turn_sums)
        add_ends(betting, kind, 1, turn_sums, flop_sums)
    for k in range(nodes_begin[2] - 1, nodes_begin[1] - 1, -1):
        best_of_sums(betting, nodes[k], flop_sums)
    add_ends(betting, kind, 0, flop_sums, sums)


@inner_kernel
def add_row(betting, node, work, count, width, value_rows, sums):
    """Add the values of a node on a board to its sums, by combo."""
    for seat in range(2):
        row = (np.uintp(seat) * value_rows + np.uintp(betting.value_row[node])) * width
        for i in range(count):
            h = np.uintp(i)
            sums[node, seat, work.combo[h]] += work.values[row + h]


@inner_kernel
def is_end(betting, kind, node, street):
    """Whether a node's value is a sum over later cards: terminal up to a street, or its deal."""
    if kind[node] == _DECISION or betting.street[node] > street:
        return False
    return kind[node] != _DEAL or betting.street[node] == street


@inner_kernel
def add_ends(betting, kind, street, later_sums, sums):
    """Add the values of a street's terminal nodes, those before, and its deals, to the sums."""
    for node in range(kind.shape[0]):
        if is_end(betting, kind, node, street):
            source = betting.first_child[node] if kind[node] == _DEAL else node
            for seat in range(2):
                for h in range(sums.shape[2]):
                    sums[node, seat, h] += later_sums[source, seat, h]


@kernel
def sum_by_equity(equities, images, places, permutations, runs, table, out):
    """out[b, h] += table[e] over the rivers of board b, with e the equity of h there.

    equities: uint16[R, 1326]; larger than the rows of the table where a hand is blocked. images:
    uint16[24, 1326]. table: float32[E, S]. out: float32[B, 1326, S].

    Board b has the rivers from runs[b] to runs[b + 1]: places, the row of `equities` of each,
    and permutations, the image of hands that leads there.
    """
    for b in range(out.shape[0]):
        for r in range(runs[b], runs[b + 1]):
            row, image = equities[places[r]], images[permutations[r]]
            for h in range(image.shape[0]):
                e = row[image[h]]
                if e < table.shape[0]:
                    for s in range(out.shape[2]):
                        out[b, h, s] += table[e, s]


@kernel
def sum_by_board(values, images, places, permutations, runs, out):
    """out[b, h] += values[place, image of h] over the boards that follow board b.

    values: float32[R, 1326, S], 0 for hands that a board blocks. out: float32[B, 1326, S].

    Board b has the boards from runs[b] to runs[b + 1]: places, the row of `values` of each,
    and permutations, the image of hands that leads there. images: uint16[24, 1326].
    """
    for b in range(out.shape[0]):
        for r in range(runs[b], runs[b + 1]):
            place, image = places[r], images[permutations[r]]
            for h in range(image.shape[0]):
                for s in range(out.shape[2]):
                    out[b, h, s] += values[place, image[h], s]
