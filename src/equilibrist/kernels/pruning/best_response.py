"""CFR with best-response pruning.

Noam Brown and Tuomas Sandholm, "Reduced space and faster convergence in imperfect-information games
via pruning", ICML 2017. After iterations of total weight W, let B(I) be W times the counterfactual
value of a best response to the others' average, and B(Ia) the same after action a. The action and
all tables below it are dropped while B(I) - B(Ia) is at least the weight of the iterations to come
times c(I) (U(Ia) - L(I)), the most that they can make up for: c(I) is the chance probability of the
infoset, U the largest payoff after the action and L the least at the infoset. On return the action
starts with regret B(Ia) - B(I), and everything below it from zero.
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel, uncounted_kernel
from equilibrist.kernels.pruning.own_tree import (
    add_played,
    gather,
    match_regrets,
    others_reach,
    reach_player,
)


@inner_kernel
def valued_above(tree, scratch, infoset):
    """Whether the sequence above an infoset is the empty one, or has been valued."""
    parent = tree.parent[infoset]
    return tree.infoset_of[parent] < 0 or scratch.valued[parent]


@inner_kernel
def learn(tree, play, scratch, player, weight):
    """Values, regrets and next play where nothing is dropped and the other player plays to."""
    root = tree.num_actions[0] + player
    low, high = tree.player_offset[player], tree.player_offset[player + 1]
    scratch.value[root] = gather(tree, root, play.reach, play.visited)
    for k in range(low, high):
        infoset = tree.top_down[k]
        on = valued_above(tree, scratch, infoset)
        on = on and others_reach(tree, infoset, play.reach) > 0.0
        for s in range(tree.offset[infoset], tree.offset[infoset + 1]):
            scratch.valued[s] = on and not play.skipped[s]
            if scratch.valued[s]:
                scratch.value[s] = gather(tree, s, play.reach, play.visited)
        scratch.positive[infoset] = on
    for back in range(high - low):
        infoset = tree.top_down[high - 1 - back]
        if not scratch.positive[infoset]:
            continue
        first, end = tree.offset[infoset], tree.offset[infoset + 1]
        v = 0.0
        for s in range(first, end):
            if scratch.valued[s]:
                v += play.behaviour[s] * scratch.value[s]
        for s in range(first, end):
            if scratch.valued[s]:
                play.regret[s] += weight * (scratch.value[s] - v)
        match_regrets(first, end, play.regret, play.skipped, play.behaviour)
        scratch.value[tree.parent[infoset]] += v


@inner_kernel
def weight_until(last, linear):
    """The weight of iterations 1 .. last."""
    return 0.5 * last * (last + 1.0) if linear else last


@inner_kernel
def last_covered(iteration, weight, linear):
    """The last iteration T with weight_until(T) - weight_until(iteration) <= weight."""
    reachable = weight_until(iteration, linear) + weight
    if linear:
        return np.floor(0.5 * (np.sqrt(1.0 + 8.0 * reachable) - 1.0))
    return np.floor(reachable)


@inner_kernel
def respond(tree, play, scratch, player, iteration):
    """Best responses to the other's average, at what is kept and at what is due to return."""
    root = tree.num_actions[0] + player
    low, high = tree.player_offset[player], tree.player_offset[player + 1]
    scratch.value[root] = gather(tree, root, play.strategy_sum, play.visited)
    for k in range(low, high):
        infoset = tree.top_down[k]
        on = valued_above(tree, scratch, infoset)
        for s in range(tree.offset[infoset], tree.offset[infoset + 1]):
            scratch.valued[s] = on and (not play.skipped[s] or play.until[s] <= iteration)
            if scratch.valued[s]:
                scratch.value[s] = gather(tree, s, play.strategy_sum, play.visited)
        scratch.positive[infoset] = on
    for back in range(high - low):
        infoset = tree.top_down[high - 1 - back]
        if not scratch.positive[infoset]:
            continue
        best = -np.inf
        for s in range(tree.offset[infoset], tree.offset[infoset + 1]):
            if scratch.valued[s]:
                best = max(best, scratch.value[s])
        scratch.infoset_value[infoset] = best
        scratch.value[tree.parent[infoset]] += best


@inner_kernel
def drop_and_return(tree, play, scratch, player, iteration, every, linear):
    """Drop what cannot catch up before the next check, and take up again what is due."""
    for k in range(tree.player_offset[player], tree.player_offset[player + 1]):
        infoset = tree.top_down[k]
        parent = tree.parent[infoset]
        first, end = tree.offset[infoset], tree.offset[infoset + 1]
        gone = tree.infoset_of[parent] >= 0 and play.skipped[parent]
        below_gone = tree.infoset_of[parent] >= 0 and not play.stored[tree.infoset_of[parent]]
        play.stored[infoset] = not (gone or below_gone)
        if not play.stored[infoset]:
            for s in range(first, end):
                play.regret[s] = 0.0
                play.skipped[s] = False
                play.behaviour[s] = 1.0 / (end - first)
            continue
        if not scratch.positive[infoset]:
            continue
        best = scratch.infoset_value[infoset]
        least = np.inf
        for s in range(first, end):
            least = min(least, tree.least[s])
        for s in range(first, end):
            if not scratch.valued[s]:
                continue
            if play.skipped[s]:
                play.regret[s] = scratch.value[s] - best
            spread = tree.chance[infoset] * (tree.most[s] - least)
            last = iteration
            if scratch.value[s] < best and spread > 0.0:
                last = last_covered(iteration, (best - scratch.value[s]) / spread, linear)
            play.skipped[s] = last >= iteration + every
            if play.skipped[s]:
                play.until[s] = last
                play.regret[s] = 0.0
        match_regrets(first, end, play.regret, play.skipped, play.behaviour)


@uncounted_kernel
def run(
    tree,  # OwnTree
    play,  # Play, updated
    scratch,  # Scratch
    weights,  # float64[T], one per iteration: of regrets and of the average
    alternating,  # whether players update in turn
    iteration,  # those before
    every,  # iterations from one look at best responses to the next; 0 for none
    linear,  # whether iteration t weighs t, rather than 1
):
    """Run one iteration per weight; two players."""
    for t in range(weights.shape[0]):
        weight = weights[t]
        play.strategy_sum[tree.num_actions[0]] += weight
        play.strategy_sum[tree.num_actions[0] + 1] += weight
        for player in range(2):
            learn(tree, play, scratch, player, weight)
            add_played(tree, player, weight, play.reach, play.strategy_sum)
            if alternating or player == 1:
                for reached in range(player if alternating else 0, player + 1):
                    reach_player(tree, reached, play.behaviour, play.reach)
        done = iteration + t + 1
        if every > 0 and done % every == 0:
            for player in range(2):
                respond(tree, play, scratch, player, done)
                drop_and_return(tree, play, scratch, player, done, every, linear)
                reach_player(tree, player, play.behaviour, play.reach)
