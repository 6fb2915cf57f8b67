"""From the columns of a walk to sequence form: the kernels of the build.

Raw sequences are numbered by infosets in order of first visit: offset[infoset] + action.
-1 stands for a player's empty sequence. A preorder walk keeps one stack level per depth, so
that no temporary grows with the number of histories times players.
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import kernel

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
    sequence_infoset,  # int32[Q]: infoset of each raw sequence
    out_effective,  # int32[Q]: the raw sequence that stands for this one, or -1
    out_depth,  # int32[I]: number of own unforced infosets above
):
    """Fold single-action infosets into the sequence above them.

    Infosets come in order of first visit, so that an infoset's own past precedes it.
    """
    for i in range(parent_sequence.shape[0]):
        above = parent_sequence[i]
        if above >= 0:
            above = out_effective[above]
        out_depth[i] = 0 if above < 0 else out_depth[sequence_infoset[above]] + 1
        first, last = offset[i], offset[i + 1]
        if last - first == 1:
            out_effective[first] = above
        else:
            for q in range(first, last):
                out_effective[q] = q


@kernel
def translate(leaf_sequence, engine_of_raw, empty_sequence):
    """Replace raw by engine sequences in place: int32[L, P], int32[Q], int32[P]."""
    for leaf in range(leaf_sequence.shape[0]):
        for p in range(leaf_sequence.shape[1]):
            raw = leaf_sequence[leaf, p]
            leaf_sequence[leaf, p] = empty_sequence[p] if raw < 0 else engine_of_raw[raw]


@kernel
def counting_sort(leaf_sequence, column, low, order, counts, out_order):
    """One stable pass: `order` (int32[L]) sorted by leaf_sequence[., column] into out_order.

    counts (int64, at least the number of sequences of that player + 1) is scratch.
    """
    counts[:] = 0
    for k in range(order.shape[0]):
        counts[leaf_sequence[order[k], column] - low + 1] += 1
    for s in range(1, counts.shape[0]):
        counts[s] += counts[s - 1]
    for k in range(order.shape[0]):
        leaf = order[k]
        key = leaf_sequence[leaf, column] - low
        out_order[counts[key]] = leaf
        counts[key] += 1


@kernel
def merge_leaves(
    leaf_sequence,  # int32[L, P], engine sequences
    leaf_probability,  # float64[L]
    payoff,  # float64[L, P]
    player,
    order,  # int32[L], sorted by the others' sequences, then by the player's own
    count_only,  # then nothing but the sizes is written
    out_columns,  # uint32[P - 1, C]
    out_pointer,  # uint32[C + 1]
    out_row,  # uint32[E]
    out_value,  # float64[E]
    out_size,  # int64[2]: number of tuples and of entries
):
    """Merge leaves of the same sequences; drop what chance never reaches or what pays zero.

    Entries are (tuple of the others' sequences, own sequence, chance probability * payoff).
    """
    players = leaf_sequence.shape[1]
    tuples = 0
    entries = 0
    last = -1  # the leaf that began the present entry
    tuple_leaf = -1  # a leaf of the present tuple
    k = 0
    total = order.shape[0]
    while k < total:
        last = order[k]
        value = 0.0
        while k < total:
            leaf = order[k]
            same = True
            for p in range(players):
                if leaf_sequence[leaf, p] != leaf_sequence[last, p]:
                    same = False
            if not same:
                break
            value += leaf_probability[leaf] * payoff[leaf, player]
            k += 1
        if value == 0.0:
            continue
        fresh = tuple_leaf < 0
        if not fresh:
            for p in range(players):
                if p != player and leaf_sequence[last, p] != leaf_sequence[tuple_leaf, p]:
                    fresh = True
        if fresh:
            tuple_leaf = last
            if not count_only:
                column = 0
                for p in range(players):
                    if p != player:
                        out_columns[column, tuples] = leaf_sequence[last, p]
                        column += 1
                out_pointer[tuples] = entries
            tuples += 1
        if not count_only:
            out_row[entries] = leaf_sequence[last, player]
            out_value[entries] = value
        entries += 1
    out_size[0] = tuples
    out_size[1] = entries
