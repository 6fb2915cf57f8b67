"""Kernels that turn the columns of a walk into the sequence form.

Raw sequences are numbered by infosets in order of first visit: offset[infoset] + action.
-1 stands for a player's empty sequence. A preorder walk keeps one stack level per depth, so
that no temporary grows with the number of histories times players.
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel, kernel
from equilibrist.kernels import LANES

OK = 0
"""Status: all went well."""
DEEPER = 1
"""Status: the stacks were too shallow; call again with deeper ones."""


@kernel
def link(
    parent,  # int32[N]
    infoset,  # int32[N]: id, -1 terminal, -2 chance
    owner,  # int8[I]
    offset,  # int32[I + 1]
    chance_count,  # int32[number of chance nodes]
    chance_probability,  # float64[sum of chance_count]
    stack_node,  # int32[depth]
    stack_child,  # int32[depth]: children seen so far
    stack_first,  # int64[depth]: first probability of a chance node
    stack_probability,  # float64[depth]: product of chance probabilities above
    stack_sequence,  # int32[depth, P]: each player's last raw sequence above
    out_parent_sequence,  # int32[I], filled with -2 by the caller
    out_leaf_sequence,  # int32[L, P]
    out_leaf_probability,  # float64[L]
    out_shape,  # int64[2]: greatest depth; first node of imperfect recall, or -1
):
    """Parent sequence of each infoset; last sequences and chance probability of each leaf.

    Recall is imperfect at a node whose owner reached the same infoset with another past. Returns
    OK or DEEPER.
    """
    players = stack_sequence.shape[1]
    limit = stack_node.shape[0]
    level = -1
    chance_seen = 0
    probability_seen = np.int64(0)
    leaf = 0
    deepest = 0
    bad = -1
    for node in range(parent.shape[0]):
        above = parent[node]
        while level >= 0 and stack_node[level] != above:
            level -= 1
        depth = level + 1
        if depth >= limit:
            return DEEPER
        if depth > deepest:
            deepest = depth
        stack_node[depth] = node
        stack_child[depth] = 0
        if depth == 0:
            stack_probability[0] = 1.0
            for p in range(players):
                stack_sequence[0, p] = -1
        else:
            child = stack_child[level]
            stack_child[level] = child + 1
            stack_probability[depth] = stack_probability[level]
            for p in range(players):
                stack_sequence[depth, p] = stack_sequence[level, p]
            there = infoset[above]
            if there >= 0:
                stack_sequence[depth, owner[there]] = offset[there] + child
            else:
                stack_probability[depth] *= chance_probability[stack_first[level] + child]
        here = infoset[node]
        if here >= 0:
            past = stack_sequence[depth, owner[here]]
            if out_parent_sequence[here] == -2:
                out_parent_sequence[here] = past
            elif out_parent_sequence[here] != past and bad < 0:
                bad = node
        elif here == -2:
            stack_first[depth] = probability_seen
            probability_seen += chance_count[chance_seen]
            chance_seen += 1
        else:
            for p in range(players):
                out_leaf_sequence[leaf, p] = stack_sequence[depth, p]
            out_leaf_probability[leaf] = stack_probability[depth]
            leaf += 1
        level = depth
    out_shape[0] = deepest
    out_shape[1] = bad
    return OK


@kernel
def fold_forced(
    parent_sequence,  # int32[I]
    offset,  # int32[I + 1]
    owner,  # int8[I]
    sequence_infoset,  # int32[Q]: infoset of each raw sequence
    out_effective,  # int32[Q]: the raw sequence that stands for this one, or Q + player
    out_depth,  # int32[I]: number of own unforced infosets above
):
    """Fold single-action infosets into the sequence above them.

    Infosets come in order of first visit, so that an infoset's own past precedes it. The empty
    sequence of a player is Q + player from here on.
    """
    raws = sequence_infoset.shape[0]
    for i in range(parent_sequence.shape[0]):
        above = parent_sequence[i]
        above = raws + owner[i] if above < 0 else out_effective[above]
        out_depth[i] = 0 if above >= raws else out_depth[sequence_infoset[above]] + 1
        first, last = offset[i], offset[i + 1]
        if last - first == 1:
            out_effective[first] = above
        else:
            for q in range(first, last):
                out_effective[q] = q


@kernel
def translate(leaf_sequence, table, empty):
    """Replace each sequence by table[sequence] in place; -1 becomes empty + player."""
    for leaf in range(leaf_sequence.shape[0]):
        for p in range(leaf_sequence.shape[1]):
            raw = leaf_sequence[leaf, p]
            leaf_sequence[leaf, p] = empty + p if raw < 0 else table[raw]


@inner_kernel
def find(forest, k):
    """Root of k, halving the path."""
    while forest[k] != k:
        forest[k] = forest[forest[k]]
        k = forest[k]
    return k


@inner_kernel
def unite(forest, a, b):
    """Join two sets; the smaller number becomes the root."""
    a, b = find(forest, np.int64(a)), find(forest, np.int64(b))
    if a < b:
        forest[b] = a
    elif b < a:
        forest[a] = b


@kernel
def public_labels(
    leaf_sequence,  # int32[L, P]: effective raw sequences, Q + player for empty ones
    offset,  # int32[I + 1]
    parent_infoset,  # int32[I]: the own unforced infoset above, or -1
    level_order,  # int32[M]: unforced infosets by owner, deepest first
    level_start,  # int64[number of levels + 1]: level_order in runs of one owner and own depth
    leaf_forest,  # int32[Q + P], scratch
    forest,  # int32[2 I + Q + P], scratch
    out_label,  # int32[I]
):
    """Label infosets that look alike from outside, as far as the payoffs show it.

    Sequences that end in common terminals are joined, then infosets of one depth that share
    such a set or lead to alike infosets. In poker the label is the public betting line.
    """
    infosets = parent_infoset.shape[0]
    comps = 2 * infosets
    for s in range(leaf_forest.shape[0]):
        leaf_forest[s] = s
    raws = leaf_forest.shape[0] - leaf_sequence.shape[1]
    for leaf in range(leaf_sequence.shape[0]):
        acted = -1  # empty sequences join nothing, unless only one player has acted
        alone = True
        silent = -1
        for p in range(leaf_sequence.shape[1]):
            s = np.int64(leaf_sequence[leaf, p])
            if s >= raws:
                silent = s
            elif acted < 0:
                acted = s
            else:
                unite(leaf_forest, acted, s)
                alone = False
        if alone and acted >= 0 and silent >= 0:
            unite(leaf_forest, acted, silent)
    for level in range(level_start.shape[0] - 1):
        for k in range(level_start[level], level_start[level + 1]):
            i = level_order[k]
            forest[i] = i
            for q in range(offset[i], offset[i + 1]):
                c = comps + find(leaf_forest, np.int64(q))
                forest[c] = c
        if level > 0:
            for k in range(level_start[level - 1], level_start[level]):
                c = infosets + out_label[level_order[k]]
                forest[c] = c
        for k in range(level_start[level], level_start[level + 1]):
            i = level_order[k]
            for q in range(offset[i], offset[i + 1]):
                unite(forest, np.int64(i), comps + find(leaf_forest, np.int64(q)))
        if level > 0:
            for k in range(level_start[level - 1], level_start[level]):
                child = level_order[k]
                if parent_infoset[child] >= 0:
                    unite(
                        forest,
                        np.int64(parent_infoset[child]),
                        infosets + np.int64(out_label[child]),
                    )
        for k in range(level_start[level], level_start[level + 1]):
            i = level_order[k]
            out_label[i] = find(forest, np.int64(i))


@kernel
def counting_sort(leaf_sequence, column, table, low, order, counts, out_order):
    """One stable pass: `order` (int32[L]) sorted by table[leaf_sequence[., column]] - low.

    counts (int64, longer than the largest key + 1) is scratch.
    """
    counts[:] = 0
    for k in range(order.shape[0]):
        counts[table[leaf_sequence[order[k], column]] - low + 1] += 1
    for s in range(1, counts.shape[0]):
        counts[s] += counts[s - 1]
    for k in range(order.shape[0]):
        leaf = order[k]
        key = table[leaf_sequence[leaf, column]] - low
        out_order[counts[key]] = leaf
        counts[key] += 1


@kernel
def pack_cells(
    leaf_sequence,  # int32[L, P], engine sequences
    leaf_probability,  # float64[L]
    payoff,  # float64[L, P]
    player,
    last_other,  # the player whose sequence numbers the cells of a run
    tile,  # uint32[S]: first sequence of the tile that holds a sequence
    order,  # int32[L]: sorted by tile, the others but the last, the last
    unit,  # what int8 cells count, or 0 for float64 cells
    count_only,  # then nothing but the sizes is written
    out_first,  # uint32[tiles]
    out_tile_pointer,  # uint32[tiles + 1]
    out_outer,  # uint32[max(P - 2, 0), runs]
    out_pointer,  # uint32[runs + 1]
    out_other,  # uint32[cells]
    out_value,  # int8 or float64 [LANES * cells], zeros on entry
    out_size,  # int64[4]: number of tiles, runs and cells; 1 if a cell overflowed, else 0
):
    """Gather leaves into cells: chance probability * payoff of eight neighbouring own sequences.

    A tile holds runs, one per tuple of the others' sequences but the last; a run holds cells,
    one per sequence of the last. What chance never reaches or what pays zero is dropped. A lone
    player's cells name its own empty sequence, which is always reached.
    """
    players = leaf_sequence.shape[1]
    tiles = 0
    runs = 0
    cells = 0
    overflow = 0
    last = -1  # a leaf of the present cell
    for k in range(order.shape[0]):
        leaf = order[k]
        value = leaf_probability[leaf] * payoff[leaf, player]
        if value == 0.0:
            continue
        own = leaf_sequence[leaf, player]
        new_tile = last < 0 or tile[own] != tile[leaf_sequence[last, player]]
        new_run = new_tile
        new_cell = new_tile
        if not new_tile:
            for p in range(players):
                if p != player and leaf_sequence[leaf, p] != leaf_sequence[last, p]:
                    new_cell = True
                    if p != last_other:
                        new_run = True
        if new_tile:
            if not count_only:
                out_first[tiles] = tile[own]
                out_tile_pointer[tiles] = runs
            tiles += 1
        if new_run:
            if not count_only:
                out_pointer[runs] = cells
                column = 0
                for p in range(players):
                    if p != player and p != last_other:
                        out_outer[column, runs] = leaf_sequence[leaf, p]
                        column += 1
            runs += 1
        if new_cell:
            if not count_only:
                out_other[cells] = 0 if players == 1 else leaf_sequence[leaf, last_other]
            cells += 1
        if not count_only:
            lane = LANES * (cells - 1) + own - tile[own]
            total = out_value[lane] + (np.rint(value / unit) if unit > 0.0 else value)
            if unit > 0.0 and abs(total) > 127.0:
                overflow = 1
            else:
                out_value[lane] = total
        last = leaf
    if not count_only:
        out_tile_pointer[tiles] = runs
        out_pointer[runs] = cells
    out_size[0] = tiles
    out_size[1] = runs
    out_size[2] = cells
    out_size[3] = overflow
