"""Best responses over histories that sum in the order of a depth-first walk.

Many best responses are ties, and which of two equal actions comes out ahead is then a matter of the
last bit. These kernels add and multiply in the order in which OpenSpiel's Python recursions do
(`best_response`, `fictitious_play`, `cfr_br`; Lanctot et al., OpenSpiel, 2019), so that ties break
alike and whole runs can be compared. Arrays are those of `ReplyArrays`.
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel, kernel
from equilibrist.kernels.tree.nodes import BASE, CHANCE, CHILDREN, FIRST, PLAYER, TERMINAL


@kernel
def link_nodes(
    node,  # int32[N, 4] of `HistoryArrays`
    chance_probability,  # float64, of `HistoryArrays`
    sequence_of_public,  # [Q], engine sequence of each action in public order
    out_parent,  # int32[N]
    out_mover,  # int8[N]
    out_sequence,  # uint32[N]
    out_chance,  # float64[N]
):
    """Note at every node how it is reached: see `ReplyArrays`."""
    out_parent[0] = 0
    out_mover[0] = CHANCE
    out_sequence[0] = 0
    out_chance[0] = 1.0
    for n in range(node.shape[0]):
        for k in range(node[n, CHILDREN]):
            child = node[n, FIRST] + k
            base = node[n, BASE] + k
            by_chance = node[n, PLAYER] == CHANCE
            free = not by_chance and node[n, CHILDREN] > 1
            out_parent[child] = n
            out_mover[child] = node[n, PLAYER]
            out_sequence[child] = sequence_of_public[base] if free else 0
            out_chance[child] = chance_probability[base] if by_chance else 1.0


@kernel
def count_own_moves(node, player, out_moves):
    """Moves of `player` before each node, int32[N]; returns the largest number."""
    most = 0
    out_moves[0] = 0
    for n in range(node.shape[0]):
        own = 1 if node[n, PLAYER] == player else 0
        most = max(most, out_moves[n] + own)
        for k in range(node[n, CHILDREN]):
            out_moves[node[n, FIRST] + k] = out_moves[n] + own
    return most


@kernel
def order_nodes(node, position, player, moves, out_order, out_stop):
    """Fill one player's row of `order` (int32[N]) and of `stop` (int32[layers, 2]).

    node: int32[N, 4] of `HistoryArrays`. position: int32[N], the node here of each node of the
    walk. moves: int32[N], moves of the player before each node.
    """
    layers = out_stop.shape[0]
    count = np.zeros((layers, 2), dtype=np.int32)
    for n in range(node.shape[0]):
        count[layers - 1 - moves[n], 0 if node[n, PLAYER] == player else 1] += 1
    free = 0
    for layer in range(layers):
        for kind in range(2):
            out_stop[layer, kind] = free  # counts up to the end of its nodes below
            free += count[layer, kind]
    nodes = node.shape[0]
    for i in range(2 * nodes):
        own = i < nodes
        n = position[i] if own else position[2 * nodes - 1 - i]
        if own == (node[n, PLAYER] == player):
            layer, kind = layers - 1 - moves[n], 0 if own else 1
            out_order[out_stop[layer, kind]] = n
            out_stop[layer, kind] += 1


@inner_kernel
def moves_of(arrays, player, own, others, out_move):
    """Probability of the move into each node, float64[N], with a behaviour for each side."""
    for n in range(out_move.shape[0]):
        s = arrays.sequence[n]
        probability = own[s] if arrays.mover[n] == player else others[s]
        out_move[n] = arrays.chance[n] * probability


@inner_kernel
def node_value(arrays, n, player, move, value):
    """Value of a node to `player`: paid at the end, elsewhere the mean of its children's."""
    # One way out only: with two, Numba counts references to all arrays at every call.
    k = np.uintp(n)
    first = np.uintp(arrays.node[k, FIRST])
    if arrays.node[k, PLAYER] == TERMINAL:
        total = arrays.payoff[np.uintp(arrays.node[k, BASE]), player]
    else:
        total = 0.0
    for i in range(arrays.node[k, CHILDREN]):
        child = first + np.uintp(i)
        total += move[child] * value[child]
    return total


@inner_kernel
def others_reach(arrays, n, move):
    """Counterfactual reach of a node, multiplied from the node up; own moves count 1 in `move`."""
    product = 1.0
    k = np.uintp(n)
    while k != 0 and product != 0.0:
        product *= move[k]
        k = np.uintp(arrays.parent[k])
    return product


@inner_kernel
def best_child(arrays, n, worth):
    """The child of a decision with the most `worth` (float64[S]), the first of equals."""
    first = np.uintp(arrays.node[n, FIRST])
    best = first
    for i in range(1, arrays.node[n, CHILDREN]):
        child = first + np.uintp(i)
        if worth[arrays.sequence[child]] > worth[arrays.sequence[best]]:
            best = child
    return best


@inner_kernel
def reply(arrays, player, behaviour, worth, move, value, out_reply):
    """Write a best response of `player` to the others' `behaviour` into out_reply (float64[S]).

    worth (float64[S]) gets the counterfactual value of each own sequence, value (float64[N]) that
    of each node; move (float64[N]) is scratch. The player's deepest decisions come first.
    """
    offset = arrays.form.sequence_offset
    for s in range(offset[player], offset[player + 1]):
        worth[s] = 0.0
        out_reply[s] = 1.0  # where there is no choice
    moves_of(arrays, player, out_reply, behaviour, move)
    for s in range(offset[player] + 1, offset[player + 1]):
        out_reply[s] = 0.0
    order = arrays.order[player]
    start = 0
    for layer in range(arrays.stop.shape[1]):
        own = arrays.stop[player, layer, 0]
        stop = arrays.stop[player, layer, 1]
        for i in range(start, own):
            n = np.uintp(order[i])
            weight = others_reach(arrays, n, move)
            if weight != 0.0:
                first = np.uintp(arrays.node[n, FIRST])
                for k in range(arrays.node[n, CHILDREN]):
                    child = first + np.uintp(k)
                    worth[arrays.sequence[child]] += weight * value[child]
        for i in range(start, own):
            n = np.uintp(order[i])
            best = best_child(arrays, n, worth)
            out_reply[arrays.sequence[best]] = 1.0
            value[n] = value[best]
        for i in range(own, stop):
            n = np.uintp(order[i])
            value[n] = node_value(arrays, n, player, move, value)
        start = stop
