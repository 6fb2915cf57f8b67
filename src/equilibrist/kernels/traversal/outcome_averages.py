"""Averages that outcome sampling updates along its trajectory, one type each.

`Lazy` is exact, for any number of players, and needs perfect recall. The strategy of an infoset
changes only where its player traverses it. Until then it is enough to know how much own reach has
come in from above, and that is already there: the sum over iterations of own reach times strategy
is the strategy sum of the action above. An infoset notes how much of it was handed on, and hands
on the rest, with the strategy that was played since, before it changes.

`Optimistic` is the average of Lanctot, Monte Carlo sampling and regret minimization for equilibrium
computation and decision-making in large extensive form games (2013), section 4.4: where another
player decides, that player's own reach times strategy counts for all iterations since the infoset
was last averaged.

`OpenSpiel` adds own reach over the probability of the trajectory, chance's part included, times
the traverser's strategy. An infoset of whose histories the others reach N adds N times own reach
on average: the N changes with the others' strategies, so the average is biased.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from equilibrist._jit import inner_kernel, kernel
from equilibrist.kernels.primitives.regret_matching import draw_action, match_regrets
from equilibrist.kernels.traversal.exploring import INVERSE, PLAYED, add_share, chance_of_action
from equilibrist.kernels.tree.nodes import BASE, CHANCE, FIRST, PLAYER


class Lazy(NamedTuple):
    """The exact average: what is due is handed down when an infoset is visited."""

    taken: Any  # float64[Q], at an infoset's first action: what it has handed on
    clock: Any  # float64[1], the weight of all iterations so far
    arrived: Any  # float64[1], scratch: what has come in from above


class Optimistic(NamedTuple):
    """A visit stands for all iterations since the last."""

    seen: Any  # float64[Q], at an infoset's first action: the clock when it was last averaged
    clock: Any  # float64[1], the weight of all iterations so far
    own_reach: Any  # float64[P], scratch


class OpenSpiel(NamedTuple):
    """Own visits add own reach over the probability of the trajectory."""

    share: Any  # float64[1], scratch: that, times the weight of an iteration


@inner_kernel
def begin_lazy(average, play, traverser, weight):
    """Own reach is 1 at the root, in all iterations so far."""
    if traverser == 0:
        average.clock[0] += weight
    average.arrived[0] = average.clock[0]
    return 0


@inner_kernel
def begin_optimistic(average, play, traverser, weight):
    """Own reach is 1 at the root."""
    if traverser == 0:
        average.clock[0] += weight
    for p in range(average.own_reach.shape[0]):
        average.own_reach[p] = 1.0
    return 0


@inner_kernel
def begin_openspiel(average, play, traverser, weight):
    """Nothing is drawn yet."""
    average.share[0] = weight
    return 0


@inner_kernel
def hand_on(average, play, base, actions, weight):
    """Own visit of `Lazy`, before an action is drawn: hand on what has come in since the last."""
    if weight != 0.0:
        arrived = average.arrived[0]
        add_share(play.regret, base, actions, arrived - average.taken[base], play.strategy_sum)
        average.taken[base] = arrived


@inner_kernel
def follow(average, play, level, node, base, chosen, path, traverser):
    """Own visit of `Lazy`, after an action is drawn: what arrives below is that action's sum."""
    average.arrived[0] = play.strategy_sum[base + chosen]


@inner_kernel
def add_present(average, play, base, actions, weight):
    """Own visit of `OpenSpiel`, before an action is drawn."""
    if weight != 0.0:
        add_share(play.regret, base, actions, average.share[0], play.strategy_sum)


@inner_kernel
def divide_by_own_draw(average, play, level, node, base, chosen, path, traverser):
    """Own visit of `OpenSpiel`, after an action is drawn."""
    average.share[0] *= path[level, PLAYED] * path[level, INVERSE]


@inner_kernel
def divide_by_draw(average, play, player, base, actions, u, share):
    """Another player's visit of `OpenSpiel`."""
    drawn = draw_action(play.regret, base, actions, u)
    average.share[0] /= chance_of_action(play.regret, base, actions, drawn)
    return drawn


@inner_kernel
def divide_by_chance(average, play, above, node, traverser):
    """A draw of `OpenSpiel`, if it was chance's."""
    tree = play.tree
    if tree.node[above, PLAYER] == CHANCE:
        k = np.uintp(tree.node[above, BASE]) + node - np.uintp(tree.node[above, FIRST])
        average.share[0] /= tree.chance_probability[k]


@inner_kernel
def catch_up(average, play, player, base, actions, u, share):
    """Another player's visit of `Optimistic`: count what is due since the last one."""
    if share != 0.0:
        now = average.clock[0]
        due = (now - average.seen[base]) * average.own_reach[player]
        add_share(play.regret, base, actions, due, play.strategy_sum)
        average.seen[base] = now
    drawn = draw_action(play.regret, base, actions, u)
    average.own_reach[player] *= chance_of_action(play.regret, base, actions, drawn)
    return drawn


@kernel
def hand_down(
    first_action,  # int64[I + 1], public flat index of each infoset's first action
    parent,  # int64[I], engine sequence above each infoset
    sequence,  # int64[Q], engine sequence of each action
    regret,  # float64[Q]
    taken,  # float64[Q]
    out_strategy_sum,  # float64[Q]
    arrived,  # float64[S], scratch: the weight of all iterations in every place
    strategy,  # float64[A], scratch
):
    """Settle `Lazy`: hand everything down to the end, as if every infoset were visited.

    `taken` stays as it is. Infosets come after those above them, so that one pass in public order
    is enough.
    """
    for i in range(parent.shape[0]):
        base = np.uintp(first_action[i])
        actions = np.uintp(first_action[i + 1]) - base
        due = arrived[parent[i]] - taken[base]
        match_regrets(regret, base, actions, strategy, np.uintp(0))
        for a in range(actions):
            k = base + np.uintp(a)
            out_strategy_sum[k] += due * strategy[np.uintp(a)]
            arrived[sequence[k]] = out_strategy_sum[k]


@kernel
def count_the_rest(
    first_action,  # int64[I + 1], public flat index of each infoset's first action
    parent,  # int64[I], engine sequence above each infoset
    sequence,  # int64[Q], engine sequence of each action
    now,  # the weight of all iterations so far
    regret,  # float64[Q]
    seen,  # float64[Q]
    out_strategy_sum,  # float64[Q]
    reach,  # float64[S], scratch: 1 in every place
    strategy,  # float64[A], scratch
):
    """Settle `Optimistic`: the present strategy counts for all iterations since the last visit.

    Infosets come after those above them, so that one pass in public order is enough.
    """
    for i in range(parent.shape[0]):
        base = np.uintp(first_action[i])
        actions = np.uintp(first_action[i + 1]) - base
        above = reach[parent[i]]
        match_regrets(regret, base, actions, strategy, np.uintp(0))
        for a in range(actions):
            k = base + np.uintp(a)
            played = above * strategy[np.uintp(a)]
            reach[sequence[k]] = played
            out_strategy_sum[k] += (now - seen[base]) * played
