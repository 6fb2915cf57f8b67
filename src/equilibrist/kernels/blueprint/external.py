"""External sampling of a hand for two to ten seats: cards and the others' actions are drawn.

The numbers of an information set are next to each other: `[decision][bucket][action]`. The cards
of a deal, and the buckets of all seats on all streets, are known before its traversals begin.
Lanctot, Waugh, Zinkevich, Bowling, Monte Carlo sampling for regret minimization in extensive games
(NIPS 2009); pruning as in Brown and Sandholm, Superhuman AI for multiplayer poker (2019).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from equilibrist._jit import inner_kernel, kernel
from equilibrist.kernels.primitives.rng import advance, stream, uniform

_DECISION, _FOLDED, _DEAL = 0, 1, 3  # of `poker.hands.state`
_ZERO = np.float32(0.0)
MOST_SEATS = 10


class SampledTree(NamedTuple):
    """A betting tree of N nodes for S seats; amounts are big blinds."""

    kind: Any  # int8[N]
    player: Any  # int8[N]
    street: Any  # int8[N]
    actions: Any  # int32[N]
    first_child: Any  # int32[N]
    next_sibling: Any  # int32[N]
    slot: Any  # int64[N]: of a decision, where its numbers begin
    live: Any  # uint16[N]: bits of the seats that have not folded
    paid: Any  # float32[N, S]: what each seat has put in without its ante
    ante: Any  # float32[S]
    last_street: int  # on which nothing is pruned


class Deals(NamedTuple):
    """Drawn cards."""

    bucket: Any  # int32[B, S, 4]: by seat and street
    strength: Any  # uint16[B, S]: on the river


class Path(NamedTuple):
    """Scratch of a traversal: D own decisions on a path, A actions at most."""

    node: Any  # int64[D]
    place: Any  # int64[D]: where the numbers of the information set begin
    child: Any  # int64[D]: the child that is walked
    action: Any  # int64[D]
    strategy: Any  # float32[D, A]
    utility: Any  # float32[D, A]; NaN for actions that are pruned
    drawn: Any  # float32[A]: the strategy at a decision of another seat


@inner_kernel
def match(regret, place, actions, out):
    """Probabilities in proportion to positive regrets; uniform if there are none."""
    total = _ZERO
    for a in range(actions):
        total += max(regret[place + a], _ZERO)
    if total <= _ZERO:
        for a in range(actions):
            out[a] = np.float32(1.0) / np.float32(actions)
    else:  # a total that is NaN is kept
        for a in range(actions):
            out[a] = max(regret[place + a], _ZERO) / total


@inner_kernel
def won(tree, node, seat, strength):
    """Payoff of a seat at a terminal node; pots are shared without rounding."""
    paid, ante, live = tree.paid, tree.ante, np.int64(tree.live[node])
    seats = ante.shape[0]
    result = -paid[node, seat] - ante[seat]
    if not (live >> seat) & 1:
        return result
    if tree.kind[node] == _FOLDED:
        for s in range(seats):
            result += paid[node, s] + ante[s]
        return result
    pot = _ZERO  # antes are dead money in the main pot
    for s in range(seats):
        pot += ante[s]
    below, reached = _ZERO, np.float32(-1.0)  # who has paid an ante alone contests the antes
    while True:
        level = np.float32(np.inf)
        for s in range(seats):
            if (live >> s) & 1 and paid[node, s] > reached:
                level = min(level, paid[node, s])
        if level == np.inf:
            return result
        best, winners = np.int64(-1), 0
        for s in range(seats):
            pot += max(min(paid[node, s], level) - below, _ZERO)
            if (live >> s) & 1 and paid[node, s] >= level:
                if strength[s] > best:
                    best, winners = np.int64(strength[s]), 0
                winners += np.int64(strength[s]) == best
        if paid[node, seat] >= level and np.int64(strength[seat]) == best:
            result += pot / np.float32(winners)
        pot, below, reached = _ZERO, level, level


@inner_kernel
def may_prune(tree, node, child):
    """Whether the action to a child may be left out: no last street, no end of the hand."""
    kind = tree.kind[child]
    return tree.street[node] < tree.last_street and kind in (_DECISION, _DEAL)


@inner_kernel
def next_action(tree, path, level, regret, poorest, child, action):
    """From an action on, the first that is walked; its child is -1 if none is left."""
    node, place = path.node[level], path.place[level]
    while child >= 0:
        if regret[place + action] >= poorest or not may_prune(tree, node, child):
            break
        best = True  # the largest regret is never left out
        for a in range(tree.actions[node]):
            best = best and regret[place + a] <= regret[place + action]
        if best:
            break
        path.utility[level, action] = np.nan
        child = tree.next_sibling[child]
        action += 1
    return np.int64(child), np.int64(action)


@inner_kernel
def draw_others(tree, node, seat, bucket, own, regret, average, path, state):
    """Down to a decision of `seat` or an end, with the others' actions drawn: node, state, visits.

    Their strategies are added to the averages, except with `own`.
    """
    visits = 0
    while True:
        kind = tree.kind[node]
        if kind == _DEAL:
            node = np.int64(tree.first_child[node])
            continue
        visits += 1
        if kind != _DECISION or tree.player[node] == seat:
            return node, state, visits
        actions = np.int64(tree.actions[node])
        place = tree.slot[node] + actions * bucket[tree.player[node], tree.street[node]]
        match(regret, place, actions, path.drawn)
        state = advance(state)
        left = np.float32(uniform(state))
        child = np.int64(tree.first_child[node])
        for a in range(actions):
            if not own:
                average[place + a] += path.drawn[a]
            left -= path.drawn[a]
            if left >= _ZERO and a < actions - 1:
                child = np.int64(tree.next_sibling[child])
        node = child


@inner_kernel
def add_own(path, depth, place, actions, average):
    """Add the seat's own strategy at its decision, weighted by how often it plays to it."""
    reach = np.float32(1.0)
    for level in range(depth):
        reach *= path.strategy[level, path.action[level]]
    for a in range(actions):
        average[place + a] += reach * path.strategy[depth, a]


@inner_kernel
def update(path, level, actions, regret, floor):
    """Add the regrets of the actions that were walked; the value of the decision."""
    place = path.place[level]
    share, value = _ZERO, _ZERO
    for a in range(actions):
        if not np.isnan(path.utility[level, a]):
            share += path.strategy[level, a]
            value += path.strategy[level, a] * path.utility[level, a]
    if share > _ZERO:
        value /= share
    for a in range(actions):
        if not np.isnan(path.utility[level, a]):
            changed = regret[place + a] + (path.utility[level, a] - value)
            regret[place + a] = max(changed, floor)
    return value


@inner_kernel
def traverse(tree, bucket, strength, seat, poorest, floor, own, regret, average, path, state):
    """One traversal of a deal for a seat: what it wins, the random state, and nodes visited."""
    depth, touched = 0, 0
    node = np.int64(0)
    while True:
        node, state, visits = draw_others(
            tree, node, seat, bucket, own, regret, average, path, state
        )
        touched += visits
        if tree.kind[node] == _DECISION:
            actions = np.int64(tree.actions[node])
            place = tree.slot[node] + actions * bucket[seat, tree.street[node]]
            path.node[depth], path.place[depth] = node, place
            match(regret, place, actions, path.strategy[depth])
            if own:
                add_own(path, depth, place, actions, average)
            child, action = next_action(
                tree, path, depth, regret, poorest, np.int64(tree.first_child[node]), np.int64(0)
            )
            path.child[depth], path.action[depth] = child, action
            node = child
            depth += 1
            continue
        value = won(tree, node, seat, strength)
        while depth > 0:
            level = depth - 1
            action = path.action[level]
            path.utility[level, action] = value
            child, action = next_action(
                tree, path, level, regret, poorest,
                np.int64(tree.next_sibling[path.child[level]]), action + 1,
            )  # fmt: skip
            if child >= 0:
                path.child[level], path.action[level] = child, action
                node = child
                break
            actions = np.int64(tree.actions[path.node[level]])
            value = update(path, level, actions, regret, floor)
            depth = level
        if depth == 0:
            return value, state, touched


@kernel
def sample_deals(tree, deals, key, first, pruning, trained, regret, average, path, sums):
    """Traverse each deal once for every seat, or for the one that is trained.

    key, first: uint64, the stream of random numbers and the number of the first deal. pruning:
    float32[3], the share of deals that leave out actions, the regret below which they do, and the
    smallest that is kept. trained: -1 for all seats; else only the regrets and the average strategy
    of this seat change, and the others' numbers in `regret` are probabilities. regret, average:
    float32[slots], updated. sums: float64[S + 1], receives what each seat won in all, and the nodes
    visited.

    tree: SampledTree. path: Path, scratch.
    """
    seats = deals.strength.shape[1]
    share, threshold, floor = pruning[0], pruning[1], pruning[2]
    for b in range(deals.strength.shape[0]):
        state = stream(key, first + np.uint64(b))
        for seat in range(seats):
            if trained >= 0 and seat != trained:
                continue
            state = advance(state)
            poorest = threshold if uniform(state) < share else np.float32(-np.inf)
            value, state, touched = traverse(
                tree, deals.bucket[b], deals.strength[b], seat, poorest, floor, trained >= 0,
                regret, average, path, state,
            )  # fmt: skip
            sums[seat] += value
            sums[seats] += touched
