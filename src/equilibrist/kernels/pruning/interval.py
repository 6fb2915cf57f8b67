"""CFR with regret-based pruning over intervals.

Noam Brown and Tuomas Sandholm, "Regret-based pruning in extensive-form games", NIPS 2015. An action
that is not played is skipped while it cannot have caught up: after skipping a set of iterations its
regret is at most R + sum over them of weight * (pi U - v), where pi is the others' reach of the
infoset, U the largest payoff below the action, and v the value of the infoset. When that exceeds 0,
or no other action has a positive regret, one traversal below the action against the others' plan
summed over those iterations makes up for all of them: the player is taken to have played a best
response to that sum there, which changes nothing above, where the action had probability 0.

Below an action that is skipped no other is: those that were are caught up before.
"""

from __future__ import annotations

from equilibrist._jit import inner_kernel, uncounted_kernel
from equilibrist.kernels.pruning.own_tree import (
    add_played,
    match_regrets,
    others_reach,
    reach_player,
)

ORDINARY = 0
"""Values of what is played; actions may be skipped."""
SETTLING = 1
"""The same, but nothing is skipped, and what was is caught up."""
CATCHING_UP = 2
"""Values of the best response to the others' plan summed over the iterations that were skipped."""


@inner_kernel
def gather_missed(tree, sequence, seen, known, visited):
    """The payoffs of the iterations that `known` does not hold yet, weighted."""
    total = 0.0
    for c in range(tree.cell_pointer[sequence], tree.cell_pointer[sequence + 1]):
        sum_now = seen[tree.cell_other[c]]
        missed = sum_now - known[c]
        if missed > 0.0:
            total += missed * tree.cell_payoff[c]
            visited[0] += tree.cell_histories[c]
            visited[1] += tree.cell_terminals[c]
            known[c] = sum_now
    return total


@inner_kernel
def gather_known(tree, sequence, reach, seen, known, visited):
    """The payoffs of a sequence's cells, weighted by `reach`.

    Writes known: up to which sum of reach, `seen`, each cell has been valued now.
    """
    total = 0.0
    for c in range(tree.cell_pointer[sequence], tree.cell_pointer[sequence + 1]):
        other = tree.cell_other[c]
        weight = reach[other]
        if weight != 0.0:
            total += weight * tree.cell_payoff[c]
            visited[0] += tree.cell_histories[c]
            visited[1] += tree.cell_terminals[c]
            known[c] = seen[other]
    return total


@inner_kernel
def open_sequence(tree, play, scratch, sequence, mode, weight):
    """Begin a traversal of what is below an own sequence."""
    if mode == CATCHING_UP:
        value = gather_missed(tree, sequence, play.seen, play.known, play.visited)
    else:
        value = weight * gather_known(
            tree, sequence, play.reach, play.seen, play.known, play.visited
        )
    scratch.value[sequence] = value
    scratch.mode[sequence] = mode
    scratch.child[sequence] = tree.child_pointer[sequence]


@inner_kernel
def mark_above(tree, play, infoset, step):
    """Count one more or less skipped action below every own sequence above an infoset."""
    sequence = tree.parent[infoset]
    while tree.infoset_of[sequence] >= 0:
        play.skipped_below[sequence] += step
        sequence = tree.parent[tree.infoset_of[sequence]]


@inner_kernel
def value_played_actions(tree, play, scratch, infoset):
    """Value an infoset by the actions that the first round traversed (see `next_action`).

    All others are played with probability 0. Writes infoset_value = sum of behaviour[s] * value[s],
    and positive: whether one of them will have a regret above 0, without which skipped actions
    must be caught up.
    """
    first, end = tree.offset[infoset], tree.offset[infoset + 1]
    v = 0.0
    for s in range(first, end):
        if scratch.valued[s]:
            v += play.behaviour[s] * scratch.value[s]
    scratch.infoset_value[infoset] = v
    positive = False
    for s in range(first, end):
        if scratch.valued[s] and play.regret[s] + scratch.value[s] - v > 0.0:
            positive = True
    scratch.positive[infoset] = positive


@inner_kernel
def later(tree, play, scratch, infoset, s):
    """The mode in which an action that was put off is traversed now; -1 if it is skipped."""
    reach, v = scratch.others[infoset], scratch.infoset_value[infoset]
    mode = scratch.mode[tree.parent[infoset]]
    most = tree.most[s]
    if play.skipped[s]:
        bound = play.regret[s] + most * (play.owed_reach[s] + reach) - (play.owed_value[s] + v)
        if mode == SETTLING or not scratch.positive[infoset] or bound > 0.0:
            return CATCHING_UP
        play.owed_reach[s] += reach
        play.owed_value[s] += v
        return -1
    if play.regret[s] + most * reach - v > 0.0 or not scratch.positive[infoset]:
        return ORDINARY
    if play.skipped_below[s] > 0:
        return SETTLING
    play.skipped[s] = True
    play.owed_reach[s] = reach
    play.owed_value[s] = v
    mark_above(tree, play, infoset, 1)
    return -1


@inner_kernel
def next_action(tree, play, scratch, infoset, weight):
    """The next own sequence to traverse at an infoset, opened; -1 when all have been."""
    first = tree.offset[infoset]
    count = tree.offset[infoset + 1] - first
    mode = scratch.mode[tree.parent[infoset]]
    # Two rounds: whether a put-off action may be skipped depends on the values of those played.
    while scratch.action[infoset] < 2 * count:
        k = scratch.action[infoset]
        scratch.action[infoset] += 1
        s = first + k % count
        if k < count:
            ready = mode == CATCHING_UP or not (
                play.skipped[s] or (mode == ORDINARY and play.behaviour[s] == 0.0)
            )
            scratch.valued[s] = ready
            if ready:
                open_sequence(tree, play, scratch, s, mode, weight)
                return s
            continue
        if k == count and mode != CATCHING_UP:
            value_played_actions(tree, play, scratch, infoset)
        if not scratch.valued[s]:
            how = later(tree, play, scratch, infoset, s)
            if how >= 0:
                scratch.valued[s] = True
                open_sequence(tree, play, scratch, s, how, weight)
                return s
    return -1


@inner_kernel
def close_infoset(tree, play, scratch, infoset):
    """Regrets and next play of an infoset whose actions have been traversed, or skipped."""
    first, end = tree.offset[infoset], tree.offset[infoset + 1]
    parent = tree.parent[infoset]
    if scratch.mode[parent] == CATCHING_UP:
        best = scratch.value[first]
        for s in range(first + 1, end):
            best = max(best, scratch.value[s])
        scratch.infoset_value[infoset] = best
    v = scratch.infoset_value[infoset]
    for s in range(first, end):
        if not scratch.valued[s]:
            continue
        if play.skipped[s]:
            play.skipped[s] = False
            mark_above(tree, play, infoset, -1)
            # One best response to the summed plan stands for all skipped iterations: subtract
            # their values, too.
            play.regret[s] += scratch.value[s] - (play.owed_value[s] + v)
        else:
            play.regret[s] += scratch.value[s] - v
    match_regrets(first, end, play.regret, play.skipped, play.behaviour)
    scratch.value[parent] += v


@inner_kernel
def traverse(tree, play, scratch, player, mode, weight):
    """One traversal of a player's own infosets, depth first, without recursion."""
    root = tree.num_actions[0] + player
    open_sequence(tree, play, scratch, root, mode, weight)
    s = root
    while True:
        if scratch.child[s] < tree.child_pointer[s + 1]:
            infoset = tree.child[scratch.child[s]]
            scratch.child[s] += 1
            if scratch.mode[s] != CATCHING_UP:
                reach = weight * others_reach(tree, infoset, play.reach)
                if reach == 0.0 and scratch.mode[s] == ORDINARY:
                    continue
                scratch.others[infoset] = reach
            scratch.action[infoset] = 0
        elif s == root:
            return
        else:
            infoset = tree.infoset_of[s]
        next_sequence = next_action(tree, play, scratch, infoset, weight)
        if next_sequence >= 0:
            s = next_sequence
        else:
            close_infoset(tree, play, scratch, infoset)
            s = tree.parent[infoset]


@inner_kernel
def see(tree, play, player, weight):
    """Add what the other player plays now to what `player` has seen."""
    other = 1 - player
    play.seen[tree.num_actions[0] + other] += weight
    for k in range(tree.player_offset[other], tree.player_offset[other + 1]):
        infoset = tree.top_down[k]
        for s in range(tree.offset[infoset], tree.offset[infoset + 1]):
            play.seen[s] += weight * play.reach[s]


@uncounted_kernel
def run(
    tree,  # OwnTree
    play,  # Play, updated
    scratch,  # Scratch
    weights,  # float64[T], one per iteration: of regrets and of the average
    alternating,  # whether players update in turn
    skipping,  # False for plain traversals, which catch up
):
    """Run one iteration per weight; two players."""
    mode = ORDINARY if skipping else SETTLING
    for t in range(weights.shape[0]):
        weight = weights[t]
        for player in range(2):
            if alternating or player == 0:
                for seer in range(player, player + 1 if alternating else 2):
                    see(tree, play, seer, weight)
            traverse(tree, play, scratch, player, mode, weight)
            add_played(tree, player, weight, play.reach, play.strategy_sum)
            if alternating or player == 1:
                for reached in range(player if alternating else 0, player + 1):
                    reach_player(tree, reached, play.behaviour, play.reach)
