"""Walks of the betting tree, board by board, with all hands of both players, block by block.

A block is the betting on a street below the decision that begins the street, its root. A strategy
depends on the bucket of a hand on the street, so that in a block the reach of a hand is its reach
at the root times the share of its bucket: the product of the probabilities of its actions since.
Shares are kept by bucket, and so are the values of actions, of which regrets need the sums over the
hands of a bucket. Single hands matter only at the ends of a block, which are terminal nodes and the
roots of the next street, and at its own root.
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel, kernel
from equilibrist.kernels import ENDS, FEW_ENDS, TILE
from equilibrist.kernels.blueprint.arrays import ENTER, LEAVE
from equilibrist.kernels.blueprint.hands import number_buckets, sort_hands
from equilibrist.kernels.blueprint.lanes import sweep
from equilibrist.kernels.poker.equity import scratch_for
from equilibrist.kernels.poker.tiles import load_ends, load_few, load_row

_ENDS = np.uintp(ENDS)
_SPREAD, _FIRST = np.uintp(4), np.uintp(0)
_ZERO, _ONE = np.float32(0.0), np.float32(1.0)


@kernel
def walk_blocks(
    tables, hands, blocks, boards, rows, sigma, known, players, valued, sums, work, values
):  # fmt: skip
    """Walk the tree for each board; add up values and reach at the decisions of `players`, as bits.

    valued: the players whose values are found, as bits; all of `players` are among them.
    boards: uint8[B, 5]. rows: int32[B, S, 1326], the buckets by street. sigma: float32[slots].
    known: float32[F, 2, 1326], the values at terminal nodes that are known before, by combo.
    values: float64[B, 2], receives the sums over all pairs of hands of what each player wins, 0
    for players that are not valued.

    tables: StrengthTables. hands: the hands of both players, see `kernels.blueprint.arrays`.
    blocks: the tree. work: working memory of the thread. sums: of the batch, updated for `players`.
    """
    scratch = scratch_for(hands.first.shape[0])
    for b in range(boards.shape[0]):
        count = sort_hands(tables, hands, boards[b], rows[b], scratch, work)
        number_buckets(blocks.buckets, work, count)
        s = 0
        while s < blocks.steps.shape[0]:
            step, place = blocks.steps[s, 0], blocks.steps[s, 1]
            s += 1
            if step == ENTER:
                if not enter(blocks, place, sigma, players, valued, sums, work, count):
                    s = blocks.after[place]
            elif step == LEAVE:
                leave(blocks, place, sigma, players, valued, sums, work, count)
            else:
                add_known_values(blocks, place, known, players, valued, work, count)
        for player in range(2):
            total = 0.0
            if (valued >> player) & 1:
                for r in range(count):
                    total += work.values[0, player, r]
            values[b, player] = total


@inner_kernel
def enter(blocks, block, sigma, players, valued, sums, work, count):
    """Carry reach into a block and down it, and value its terminal nodes.

    Returns False where no hand of either player has reach at the root.
    """
    street = blocks.street[blocks.inner[blocks.inner_begin[block]]]
    columns = np.uintp(work.columns[street])
    deal = blocks.deal[block]
    for player in range(2):
        if deal < 0:
            all_alive(work, player, count)
        else:
            pass_reach_down(blocks, deal, player, work)
        add_reach(work, street, player, columns)
    if work.alive_count[street, 0] == 0 and work.alive_count[street, 1] == 0:
        for player in range(2):
            clear_end(blocks, deal, player, work)
        return False
    shares = work.shares[street]
    for k in range(columns):
        shares[np.uintp(k)] = _ONE
    descend(blocks, block, street, sigma, sums, players, work, columns)
    for player in range(2):
        if (valued >> player) & 1:
            evaluate_ends(
                blocks, block, street, player, (players >> player) & 1, work, columns, count
            )
    return True


@inner_kernel
def all_alive(work, player, count):
    """All hands have reach at the root of the tree."""
    for i in range(count):
        h = np.uintp(i)
        work.alive[0, player, h] = i
        work.alive_reach[0, player, h] = _ONE
    work.alive_count[0, player] = count


@inner_kernel
def pass_reach_down(blocks, deal, player, work):
    """List the hands of a player with reach at the root of a block, from those of the one above."""
    street = blocks.street[deal]
    row = np.uintp(blocks.share_row[deal, player]) * np.uintp(work.columns[street])
    shares, bucket = work.shares[street], work.bucket[street]
    alive, reach = work.alive[street, player], work.alive_reach[street, player]
    goals, reach_below = work.alive[street + 1, player], work.alive_reach[street + 1, player]
    goal = np.uintp(0)
    for i in range(work.alive_count[street, player]):
        j = np.uintp(i)
        h = alive[j]
        share = shares[row + np.uintp(bucket[np.uintp(h)])] * reach[j]
        # Written always, kept if its reach is positive: compaction without a branch.
        goals[goal] = h
        reach_below[goal] = share
        goal += np.uintp(share > _ZERO)
    work.alive_count[street + 1, player] = np.int64(goal)


@inner_kernel
def add_reach(work, street, player, columns):
    """Add up the reach of a player at the root of a block by bucket."""
    by_bucket, bucket = work.root_reach[player], work.bucket[street]
    for k in range(columns):
        by_bucket[np.uintp(k)] = _ZERO
    for i in range(work.alive_count[street, player]):
        j = np.uintp(i)
        h = np.uintp(work.alive[street, player, j])
        by_bucket[np.uintp(bucket[h])] += work.alive_reach[street, player, j]


@inner_kernel
def gather_buckets(by_bucket, start, bucket_of_column, columns, by_column):
    """by_column[k] = by_bucket[start + bucket_of_column[k]] for k < columns.

    A street with more buckets than the board leaves hands has a column per bucket that occurs.
    by_bucket: float32[slots]. bucket_of_column: int32[columns]. by_column: float32[columns],
    written.
    """
    for i in range(columns):
        k = np.uintp(i)
        by_column[k] = by_bucket[start + np.uintp(bucket_of_column[k])]


@inner_kernel
def add_to_buckets(sums, goal, numbers, start, names, renamed, columns):
    """Add numbers[start:], one for each column, to the buckets of sums[goal:]."""
    if renamed:
        for i in range(columns):
            k = np.uintp(i)
            sums[goal + np.uintp(names[k])] += numbers[start + k]
    else:
        for i in range(columns):
            k = np.uintp(i)
            sums[goal + k] += numbers[start + k]


@inner_kernel
def multiply(products, goal, numbers, start, factors, at, columns):
    """products[goal + k] = numbers[start + k] * factors[at + k] for k < columns; all float32."""
    for i in range(columns):
        k = np.uintp(i)
        products[goal + k] = numbers[start + k] * factors[at + k]


@inner_kernel
def add_product(sums, goal, numbers, start, factors, at, columns):
    """sums[goal + k] += numbers[start + k] * factors[at + k] for k < columns; all float32."""
    for i in range(columns):
        k = np.uintp(i)
        sums[goal + k] += numbers[start + k] * factors[at + k]


@inner_kernel
def descend(blocks, block, street, sigma, sums, players, work, columns):
    """The shares of both players at all nodes of a block, and own reach by bucket."""
    shares, line, names = work.shares[street], work.line, work.names[street]
    buckets = np.uintp(blocks.buckets[street])
    renamed = buckets != columns
    for n in range(blocks.inner_begin[block], blocks.inner_begin[block + 1]):
        node = blocks.inner[n]
        player = blocks.player[node]
        source = np.uintp(blocks.share_row[node, player]) * columns
        slot = np.uintp(blocks.slot[node])
        child = blocks.first_child[node]
        while child >= 0:
            goal = np.uintp(blocks.share_row[child, player]) * columns
            if renamed:
                gather_buckets(sigma, slot, names, columns, line)
                multiply(shares, goal, shares, source, line, _FIRST, columns)
            else:
                multiply(shares, goal, shares, source, sigma, slot, columns)
            slot += buckets
            child = blocks.next_sibling[child]
        if (players >> player) & 1:
            multiply(line, _FIRST, shares, source, work.root_reach[player], _FIRST, columns)
            state = np.uintp(blocks.state[node])
            add_to_buckets(sums.reach, state, line, _FIRST, names, renamed, columns)


@inner_kernel
def evaluate_ends(blocks, block, street, player, adds, work, columns, count):
    """The values of a player at the terminal nodes of a block by bucket, at its root by hand."""
    values, totals = work.values[street, player], work.totals[street, player]
    for i in range(count):
        values[np.uintp(i)] = _ZERO
    if work.alive_count[street, 1 - player] == 0:
        return
    for group in range(blocks.groups[block, 0], blocks.groups[block, 1]):
        begin = blocks.ends_begin[group]
        nodes = blocks.ends_begin[group + 1] - begin
        spread_shares(blocks, begin, nodes, street, player, work, columns)
        if nodes <= FEW_ENDS:
            sweep(load_few, street, player, work, values, count)
        elif nodes <= TILE:
            sweep(load_row, street, player, work, values, count)
        else:
            sweep(load_ends, street, player, work, values, count)
        if adds:
            for end in range(nodes):
                row = np.uintp(blocks.total_row[blocks.ends[begin + end]]) * columns
                for i in range(columns):
                    k = np.uintp(i)
                    totals[row + k] = work.end_totals[k * _ENDS + np.uintp(end)]


@inner_kernel
def spread_shares(blocks, begin, nodes, street, player, work, columns):
    """Fill the lanes of a group: the shares of both players by bucket, and what the ends pay."""
    shares = work.shares[street]
    for i in range(columns * _ENDS):
        work.faced_shares[np.uintp(i)] = _ZERO
        work.own_shares[np.uintp(i)] = _ZERO
        work.end_totals[np.uintp(i)] = _ZERO
    for end in range(nodes):
        lane, node = np.uintp(end), blocks.ends[begin + end]
        own = np.uintp(blocks.share_row[node, player]) * columns
        other = np.uintp(blocks.share_row[node, 1 - player]) * columns
        for i in range(columns):
            k = np.uintp(i)
            work.own_shares[k * _ENDS + lane] = shares[own + k]
            work.faced_shares[k * _ENDS + lane] = shares[other + k]
        work.lose[lane] = blocks.lose[begin + end, player]
        work.gain[lane] = blocks.gain[begin + end, player]


@inner_kernel
def leave(blocks, block, sigma, players, valued, sums, work, count):
    """The values at the decisions of a block, and those of its root for the block above."""
    street = blocks.street[blocks.inner[blocks.inner_begin[block]]]
    columns = np.uintp(work.columns[street])
    deal = blocks.deal[block]
    for player in range(2):
        if not (valued >> player) & 1:
            continue
        if work.alive_count[street, 1 - player] == 0:
            clear_end(blocks, deal, player, work)
            continue
        adds = (players >> player) & 1
        if adds:
            ascend(blocks, block, street, player, sigma, sums, work, columns)
        if deal >= 0:
            root_values = work.values[street, player]
            add_values_at_exit(blocks, deal, street - 1, player, adds, root_values, work, count)


@inner_kernel
def clear_end(blocks, deal, player, work):
    """Values of 0 at a deal for the block above."""
    if deal >= 0:
        street = blocks.street[deal]
        columns = np.uintp(work.columns[street])
        row = np.uintp(blocks.total_row[deal]) * columns
        for k in range(columns):
            work.totals[street, player, row + np.uintp(k)] = _ZERO


@inner_kernel
def add_values_at_exit(blocks, node, street, player, adds, hand_values, work, count):
    """Take the values of a player's hands at an end: add them up by bucket, and to the root's."""
    columns = np.uintp(work.columns[street])
    values, totals = work.values[street, player], work.totals[street, player]
    shares, bucket = work.shares[street], work.bucket[street]
    share = np.uintp(blocks.share_row[node, player]) * columns
    total = np.uintp(blocks.total_row[node]) * columns
    for i in range(count):
        h = np.uintp(i)
        values[h] += shares[share + np.uintp(bucket[h])] * hand_values[h]
    if not adds:
        return
    for k in range(columns):
        totals[total + np.uintp(k)] = _ZERO
    # An addition waits for the one before to the same bucket, and hands next to each other are
    # often in the same: so four parts are added up in turn.
    quarter = np.uintp(count) // _SPREAD
    for i in range(quarter):
        for j in range(_SPREAD):
            h = np.uintp(i) + np.uintp(j) * quarter
            totals[total + np.uintp(bucket[h])] += hand_values[h]
    for i in range(quarter * _SPREAD, np.uintp(count)):
        h = np.uintp(i)
        totals[total + np.uintp(bucket[h])] += hand_values[h]


@inner_kernel
def add_known_values(blocks, number, known, players, valued, work, count):
    """Take the values at a terminal node that are known by combo."""
    node, node_values = blocks.known[number], work.known_values
    for player in range(2):
        if (valued >> player) & 1:
            for i in range(count):
                h = np.uintp(i)
                node_values[h] = known[number, player, work.combo[h]]
            adds = (players >> player) & 1
            add_values_at_exit(
                blocks, node, blocks.street[node], player, adds, node_values, work, count
            )


@inner_kernel
def ascend(blocks, block, street, player, sigma, sums, work, columns):
    """The values of a player at the decisions of a block by bucket, and those of its actions."""
    totals, line, names = work.totals[street, player], work.line, work.names[street]
    buckets = np.uintp(blocks.buckets[street])
    renamed = buckets != columns
    for n in range(blocks.inner_begin[block + 1] - 1, blocks.inner_begin[block] - 1, -1):
        node = blocks.inner[n]
        acts = blocks.player[node] == player
        row, slot = np.uintp(blocks.total_row[node]) * columns, np.uintp(blocks.slot[node])
        for i in range(columns):
            totals[row + np.uintp(i)] = _ZERO
        child = blocks.first_child[node]
        while child >= 0:
            source = np.uintp(blocks.total_row[child]) * columns
            if not acts:
                for i in range(columns):
                    k = np.uintp(i)
                    totals[row + k] += totals[source + k]
            else:
                if renamed:
                    gather_buckets(sigma, slot, names, columns, line)
                    add_product(totals, row, totals, source, line, _FIRST, columns)
                else:
                    add_product(totals, row, totals, source, sigma, slot, columns)
                add_to_buckets(sums.value, slot, totals, source, names, renamed, columns)
            slot += buckets
            child = blocks.next_sibling[child]
