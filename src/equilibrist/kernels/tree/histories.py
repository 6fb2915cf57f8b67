"""Kernels that turn the columns of a walk into a tree whose siblings are consecutive."""

from __future__ import annotations

from equilibrist._jit import kernel


@kernel
def number_nodes(
    parent,  # int32[N], preorder
    infoset,  # int32[N]: id by first visit, -1 terminal, -2 chance
    owner,  # int8[I]
    first_action,  # int32[I]: public flat index of each infoset's first action
    actions,  # int32[I]
    chance_count,  # int32[number of chance nodes]
    depth,  # int32[N], scratch
    out_position,  # int32[N]: the number of each node of the walk
    out_node,  # int32[N, 4]: first child, base, number of children, player
):
    """Give each node's children one block of numbers, blocks in the order of the walk.

    A traversal that tries all children then stays near where it is, which a breadth-first order
    does not; parents still come before their children. Returns the depth of the tree.
    """
    deepest = 0
    free = 1  # the next number to give away
    terminals = 0
    chances = 0
    outcomes = 0
    for node in range(parent.shape[0]):
        if node == 0:
            here = 0
            depth[0] = 0
        else:
            above = out_position[parent[node]]
            # Until all its children have come, a parent's first child is the next to be numbered.
            here = out_node[above, 0]
            out_node[above, 0] = here + 1
            depth[node] = depth[parent[node]] + 1
            deepest = max(deepest, depth[node])
        out_position[node] = here
        kind = infoset[node]
        out_node[here, 0] = free
        if kind >= 0:
            out_node[here, 1] = first_action[kind]
            out_node[here, 2] = actions[kind]
            out_node[here, 3] = owner[kind]
        elif kind == -2:
            out_node[here, 1] = outcomes
            out_node[here, 2] = chance_count[chances]
            out_node[here, 3] = -1
            outcomes += chance_count[chances]
            chances += 1
        else:
            out_node[here, 1] = terminals
            out_node[here, 2] = 0
            out_node[here, 3] = -2
            terminals += 1
        free += out_node[here, 2]
    for node in range(parent.shape[0]):
        out_node[node, 0] -= out_node[node, 2]
    return deepest
