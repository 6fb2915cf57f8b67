"""The steps that traversals of a player's own infosets share.

`tree` is the OwnTree of `solvers.pruning.own_tree`, where the shapes are; `play` is the Play of
`solvers.pruning.pruned_cfr`. Sequences are in public order, with one empty sequence per player
after them.
"""

from __future__ import annotations

from equilibrist._jit import inner_kernel


@inner_kernel
def reach_player(tree, player, behaviour, reach):
    """Own reach of a player's sequences, parents first."""
    for k in range(tree.player_offset[player], tree.player_offset[player + 1]):
        infoset = tree.top_down[k]
        above = reach[tree.parent[infoset]]
        for s in range(tree.offset[infoset], tree.offset[infoset + 1]):
            reach[s] = above * behaviour[s]


@inner_kernel
def add_played(tree, player, weight, reach, strategy_sum):
    """Add what the player has just played to what the average is in proportion to."""
    for k in range(tree.player_offset[player], tree.player_offset[player + 1]):
        infoset = tree.top_down[k]
        for s in range(tree.offset[infoset], tree.offset[infoset + 1]):
            strategy_sum[s] += weight * reach[s]


@inner_kernel
def others_reach(tree, infoset, reach):
    """The probability of an infoset if its owner plays towards it."""
    total = 0.0
    for k in range(tree.place_pointer[infoset], tree.place_pointer[infoset + 1]):
        total += tree.place_chance[k] * reach[tree.place_other[k]]
    return total


@inner_kernel
def gather(tree, sequence, reach, visited):
    """The payoff of the terminals at an own sequence; those that nobody plays to are skipped."""
    total = 0.0
    for c in range(tree.cell_pointer[sequence], tree.cell_pointer[sequence + 1]):
        weight = reach[tree.cell_other[c]]
        if weight != 0.0:
            total += weight * tree.cell_payoff[c]
            visited[0] += tree.cell_histories[c]
            visited[1] += tree.cell_terminals[c]
    return total


@inner_kernel
def match_regrets(first, end, regret, closed, behaviour):
    """Play in proportion to positive regrets, else all alike, of the actions that are open."""
    total = 0.0
    opened = 0
    for s in range(first, end):
        behaviour[s] = 0.0
        if not closed[s]:
            opened += 1
            total += max(regret[s], 0.0)
    for s in range(first, end):
        if not closed[s]:
            if total <= 0.0:
                behaviour[s] = 1.0 / opened
            else:
                behaviour[s] = max(regret[s], 0.0) / total
