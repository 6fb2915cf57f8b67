"""The steps that samplers take on a tree of histories.

Traversals are written against these names. For rules without a tree the functions of the same
names in `implicit.steps` stand in for them. Steps that can fail there, since table or log may be
full and rules may contradict themselves, return a status; here it is always DONE.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from equilibrist._jit import chosen_by_type, inner_kernel
from equilibrist.kernels.primitives.prefetch import prefetch_children
from equilibrist.kernels.primitives.regret_matching import add_and_draw
from equilibrist.kernels.primitives.rng import advance, uniform
from equilibrist.kernels.traversal.exploring import INVERSE, PLAYED, WEIGHT, update_regrets
from equilibrist.kernels.traversal.pruning import LIFT, Pruning
from equilibrist.kernels.traversal.status import DECISION, DONE, LOG_FULL, OVER
from equilibrist.kernels.traversal.visits import note_draw, stops, visit
from equilibrist.kernels.tree.nodes import (
    BASE,
    CHANCE,
    CHILDREN,
    FIRST,
    PLAYER,
    TERMINAL,
    pick_outcome,
)

STEPS = (
    "start",
    "advance_to_own_decision",
    "draw_and_add_own",
    "is_over",
    "payoff",
    "save",
    "save_infoset",
    "restore",
    "child",
    "player_at",
    "actions_at",
    "mark_poor",
    "add_regrets",
    "add_regrets_walked",
    "update_drawn",
    "add_own_strategy",
    "commit",
)
"""What both modules define."""


class TreePlay(NamedTuple):
    """A game as its tree of histories, and its solver state."""

    tree: Any  # HistoryArrays
    traversals: int  # per iteration: one per player, as a rule
    regret: Any  # float64[Q], public flat order; int64[Q] for Pure CFR
    strategy_sum: Any  # as regret
    nodes: Any  # int64[D], scratch: the decisions that are saved, by level
    delayed: Any = None  # Delayed or Recorded, where regrets do not change during a traversal


class Delayed(NamedTuple):
    """Changes of regrets that wait for the end of a traversal, visit after visit."""

    change: Any  # float64[N], zeros between traversals
    visited: Any  # int32[N]
    used: Any  # int64[2], zeros between traversals: how much of the two is in use


class Recorded(NamedTuple):
    """A log of instant regrets, N visits of up to A actions; the regrets stay as they are."""

    first_action: Any  # int32[N]: of the infoset of each visit, public flat order
    scale: Any  # float64[N]: what its regrets are multiplied by, to be unbiased
    regret: Any  # float64[N * A]: utility less value, by action, before that
    used: Any  # int64[2]: visits in the log; those of traversals that are complete
    width: int  # A


class Arrival(NamedTuple):
    """Where play by chance and the other players ended."""

    status: Any  # DECISION: the traverser is to move; OVER: a terminal; else why it failed
    node: Any  # uintp: the history; 0 for rules without a tree
    first_action: Any  # uintp: of its infoset, in public flat order, or in the table
    actions: Any  # uintp: how many actions the infoset has
    state: Any  # uint64: the random state after the last draw
    visited: Any  # int64: histories visited, the last one included


@inner_kernel
def start(play):
    """The root."""
    return np.uintp(0)


@inner_kernel
def advance_to_own_decision(play, visits, node, traverser, share, state, line):
    """Let chance and the others draw until the traverser is to move, or the game is over.

    `visits` and `share` say how the others draw, and what that adds to the strategy sums; `line`
    counts the moves above `node`. Returns an Arrival.
    """
    tree = play.tree
    steps = 0
    while True:
        steps += 1
        player = tree.node[node, PLAYER]
        base = np.uintp(tree.node[node, BASE])
        actions = np.uintp(tree.node[node, CHILDREN])
        if player == TERMINAL:
            return Arrival(OVER, node, base, actions, state, steps)
        if stops(visits, player, traverser):
            return Arrival(DECISION, node, base, actions, state, steps)
        state = advance(state)
        u = uniform(state)
        above = node
        if player == CHANCE:
            node = pick_outcome(tree, above, u)
        else:
            node = np.uintp(tree.node[above, FIRST])
            prefetch_children(tree.node, node, actions)
            node += visit(visits, play, player, base, actions, u, share)
        note_draw(visits, play, above, node, traverser)


@inner_kernel
def draw_and_add_own(play, base, actions, u, share):
    """Draw for the traverser at the current decision, and add `share` times the strategy.

    Returns a status, and the action.
    """
    return DONE, add_and_draw(play.regret, base, actions, u, share, play.strategy_sum)


@inner_kernel
def is_over(play, node):
    """Whether a node is terminal."""
    return play.tree.node[node, PLAYER] == TERMINAL


@inner_kernel
def payoff(play, node, traverser):
    """A status, and what the traverser gets at a terminal."""
    tree = play.tree
    return DONE, tree.payoff[np.uintp(tree.node[node, BASE]), np.uintp(traverser)]


@inner_kernel
def save(play, level, node, base, actions):
    """Save the current decision, to return to it."""
    play.nodes[level] = node


@inner_kernel
def save_infoset(play, level, node, base, actions):
    """Save the infoset of the current decision, to update its regrets."""
    play.nodes[level] = node


@inner_kernel
def restore(play, level):
    """The decision that was saved at a level."""
    return np.uintp(play.nodes[level])


@inner_kernel
def child(play, node, a):
    """The node that action number `a` of the current decision leads to."""
    return np.uintp(play.tree.node[node, FIRST]) + a


@inner_kernel
def player_at(play, level):
    """Who is to move at the decision that was saved at a level."""
    return play.tree.node[np.uintp(play.nodes[level]), PLAYER]


@inner_kernel
def actions_at(play, level):
    """The number of actions there."""
    return np.uintp(play.tree.node[np.uintp(play.nodes[level]), CHILDREN])


@inner_kernel
def base_at(play, level):
    """The first action of the infoset there."""
    return np.uintp(play.tree.node[np.uintp(play.nodes[level]), BASE])


@inner_kernel
def add_at_once(delayed, play, level, utility, row, value, scale):
    """Add scale times (utility - value) to the regrets at a saved decision at once."""
    base = base_at(play, level)
    for a in range(actions_at(play, level)):
        play.regret[base + np.uintp(a)] += scale * (utility[row + np.uintp(a)] - value)
    return DONE


@inner_kernel
def add_later(delayed, play, level, utility, row, value, scale):
    """Keep scale times (utility - value) of a saved decision until the traversal has ended."""
    first = np.uintp(delayed.used[0])
    actions = actions_at(play, level)
    for a in range(actions):
        delayed.change[first + np.uintp(a)] += scale * (utility[row + np.uintp(a)] - value)
    delayed.used[0] = first + actions
    delayed.visited[delayed.used[1]] = play.nodes[level]
    delayed.used[1] += 1
    return DONE


@inner_kernel
def add_to_log(delayed, play, level, utility, row, value, scale):
    """Note utility - value, and scale, of a saved decision; LOG_FULL if there is no room."""
    if delayed.used[0] == len(delayed.first_action):
        return LOG_FULL
    visit = np.uintp(delayed.used[0])
    delayed.first_action[visit] = base_at(play, level)
    delayed.scale[visit] = scale
    first = visit * np.uintp(delayed.width)
    for a in range(actions_at(play, level)):
        delayed.regret[first + np.uintp(a)] = utility[row + np.uintp(a)] - value
    delayed.used[0] += 1
    return DONE


_add = chosen_by_type({type(None): add_at_once, Delayed: add_later, Recorded: add_to_log})
"""Add or keep scale times (utility - value) of a saved decision; a status."""


@inner_kernel
def add_regrets(play, level, utility, row, value, scale):
    """Add scale times (utility - value) to the regrets at a saved decision; returns a status.

    The actions' utilities stand in `utility` from `row` on.
    """
    return _add(play.delayed, play, level, utility, row, value, scale)


@inner_kernel
def add_regrets_walked(play, level, utility, row, value, pruning, skipping, lift):
    """Add the regrets of the actions that were walked, times `lift`, or LIFT for poor ones.

    Returns a status. The actions' utilities stand in `utility` from `row` on.
    """
    base = base_at(play, level)
    poor = pruning.poor
    for a in range(actions_at(play, level)):
        k = np.uintp(a)
        if not (skipping and poor[row + k]):
            scale = LIFT if poor[row + k] else lift
            changed = play.regret[base + k] + scale * (utility[row + k] - value)
            play.regret[base + k] = max(changed, pruning.floor)
    return DONE


@inner_kernel
def mark_all_poor(pruning, play, level, base, actions, strategy, row):
    """Mark the actions of a decision that pruning may skip in pruning.poor[row : row + actions].

    Where no regret is positive all actions are played, and none is poor.
    """
    for a in range(actions):
        k = np.uintp(a)
        low = play.regret[base + k] < pruning.bound and strategy[row + k] == 0.0
        pruning.poor[row + k] = low and pruning.goes_on[base + k]


@inner_kernel
def mark_none(pruning, play, level, base, actions, strategy, row):
    """Without pruning no action is poor: mark nothing."""


mark_poor = chosen_by_type({Pruning: mark_all_poor, type(None): mark_none})
"""Mark the poor actions of the decision just saved in pruning.poor[row : row + actions]."""


@inner_kernel
def update_drawn_at_once(delayed, play, level, chosen, path, value):
    """Update the regrets at a decision where one action was drawn at once; the value there."""
    base, actions = base_at(play, level), actions_at(play, level)
    return update_regrets(play.regret, base, actions, chosen, path, level, value)


@inner_kernel
def note_drawn(delayed, play, level, chosen, path, value):
    """Note the regrets at a decision where one action was drawn; returns the value there.

    The log has room for all decisions of a traversal: see `WalkLog`.
    """
    estimate = value * path[level, INVERSE]
    mean_value = estimate * path[level, PLAYED]
    visit = np.uintp(delayed.used[0])
    delayed.first_action[visit] = base_at(play, level)
    delayed.scale[visit] = path[level, WEIGHT]
    first = visit * np.uintp(delayed.width)
    for a in range(actions_at(play, level)):
        delayed.regret[first + np.uintp(a)] = -mean_value
    delayed.regret[first + chosen] += estimate
    delayed.used[0] += 1
    return mean_value


_update_drawn = chosen_by_type(
    {
        type(None): update_drawn_at_once,
        Delayed: update_drawn_at_once,
        Recorded: note_drawn,
    }
)


@inner_kernel
def update_drawn(play, level, chosen, path, value):
    """Update the regrets at a decision where one action was drawn; returns the value there."""
    return _update_drawn(play.delayed, play, level, chosen, path, value)


@inner_kernel
def add_own_strategy(play, level, strategy, row, share):
    """Add share times the strategy, which stands from `row` on, at a saved decision; a status."""
    base = base_at(play, level)
    for a in range(actions_at(play, level)):
        k = np.uintp(a)
        play.strategy_sum[base + k] += share * strategy[row + k]
    return DONE


@inner_kernel
def nothing_delayed(delayed, play):
    """Enter nothing after a traversal during which regrets have changed already."""


@inner_kernel
def add_delayed(delayed, play):
    """Add the changes of regrets that waited for the end of a traversal, and clear them."""
    taken = np.uintp(0)
    for k in range(delayed.used[1]):
        node = np.uintp(delayed.visited[k])
        base = np.uintp(play.tree.node[node, BASE])
        for a in range(np.uintp(play.tree.node[node, CHILDREN])):
            play.regret[base + np.uintp(a)] += delayed.change[taken]
            delayed.change[taken] = 0.0
            taken += np.uintp(1)
    delayed.used[0] = 0
    delayed.used[1] = 0


@inner_kernel
def keep_log(delayed, play):
    """Count the visits of a traversal that is complete."""
    delayed.used[1] = delayed.used[0]


_commit = chosen_by_type({type(None): nothing_delayed, Delayed: add_delayed, Recorded: keep_log})


@inner_kernel
def commit(play):
    """Enter what waits for the end of a traversal."""
    _commit(play.delayed, play)
