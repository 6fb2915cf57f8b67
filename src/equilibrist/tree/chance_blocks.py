"""Blocks of chance outcomes that are drawn together, such as the cards of one player.

Monte Carlo CFR is free to choose its blocks of terminal histories (Lanctot et al., 2009). Here each
block is made of chance outcomes: at every chance move it is drawn which *event* happens, and all
outcomes of the event are walked, with their probability over that of the event.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from equilibrist.game import CHANCE
from equilibrist.tree.compile import GameTree
from equilibrist.tree.forms.chance import ChanceEvents, cumulative
from equilibrist.typing import FloatArray, Int64Array

NameOf = Callable[[tuple[str, ...], str], str]
"""Which event an outcome belongs to: labels of the history before, label of the outcome."""


def blocks_of_player(tree: GameTree, player: int) -> ChanceEvents:
    """Draw what one player sees of chance, and walk what they do not see.

    Outcomes are one event where the player cannot tell them apart at their next decision.

    Args:
        tree: The compiled game.
        player: The player, from 0.

    Returns:
        The events.
    """
    chance = _Chance.of(tree)
    nodes = tree.history_tree.arrays.node
    at = np.flatnonzero(nodes[:, 3] == player)
    seen = nodes[at, 1].astype(np.int64)  # the infoset, by its first action
    nothing = np.zeros(0, dtype=np.int64)
    outcomes, facts = [nothing], [nothing]
    while len(at):  # up from each decision, to the player's decision before it
        above = chance.parent[at]
        by_chance = nodes[above, 3] == CHANCE
        outcomes.append(nodes[above[by_chance], 1] + at[by_chance] - nodes[above[by_chance], 0])
        facts.append(seen[by_chance])
        goes_on = (nodes[above, 3] != player) & (above > 0)
        at, seen = above[goes_on], seen[goes_on]
    outcome, fact = np.concatenate(outcomes), np.concatenate(facts)
    blind = np.setdiff1d(np.arange(len(chance.node)), outcome)
    infosets = int(tree.action_offset[-1]) + 1
    fact = chance.depth[outcome] * np.int64(infosets) + fact
    unseen = (int(chance.depth.max(initial=0)) + 1) * infosets + chance.node[blind]
    return chance.events(np.concatenate([outcome, blind]), np.concatenate([fact, unseen]))


def blocks_by_name(tree: GameTree, name_of: NameOf) -> ChanceEvents:
    """Draw the names that a function gives to outcomes; those of one name are walked together.

    Chance nodes at which as many chance moves were made before, and whose outcomes share a name,
    draw the same name.

    Args:
        tree: The compiled game.
        name_of: The function; what it raises is passed on.

    Returns:
        The events.
    """
    chance = _Chance.of(tree)
    first, base = tree.history_tree.arrays.node.T[:2]
    rules = tree.game
    names: dict[tuple[int, str], int] = {}
    fact = np.zeros(len(chance.node), dtype=np.int64)
    start: tuple[str, ...] = ()
    waiting = [(rules.initial_state(), 0, start)]
    while waiting:
        state, node, history = waiting.pop()
        labels = tuple(rules.actions(state)) if tree.history_tree.arrays.node[node, 2] else ()
        if rules.player(state) == CHANCE:
            for k, label in enumerate(labels):
                outcome = int(base[node]) + k
                key = (int(chance.depth[outcome]), name_of(history, str(label)))
                fact[outcome] = names.setdefault(key, len(names))
        waiting += [
            (rules.next(state, k), int(first[node]) + k, (*history, str(label)))
            for k, label in enumerate(labels)
        ]
    return chance.events(np.arange(len(fact)), fact)


@dataclass(frozen=True)
class _Chance:
    """Outcomes of chance in the order of `HistoryArrays.chance_probability`, U of them.

    Attributes:
        parent: int64[N], the history before each one of the history tree.
        probability: float64[U].
        node: int64[U], the chance node that each belongs to.
        depth: int64[U], how many chance moves there are before.
        reach: float64[N], the probability of chance's moves before each history.
    """

    parent: Int64Array
    probability: FloatArray
    node: Int64Array
    depth: Int64Array
    reach: FloatArray

    @classmethod
    def of(cls, tree: GameTree) -> _Chance:
        arrays = tree.history_tree.arrays
        first, base, count, player = arrays.node.astype(np.int64).T
        size = len(first)
        parent = np.zeros(size, dtype=np.int64)
        moving = np.flatnonzero(count > 0) if size > 1 else np.zeros(0, dtype=np.int64)
        inner = moving[player[moving] >= CHANCE]
        children = np.repeat(first[inner], count[inner]) + _within(count[inner])
        parent[children] = np.repeat(inner, count[inner])
        chance = inner[player[inner] == CHANCE]
        node = np.empty(len(arrays.chance_probability), dtype=np.int64)
        own = np.repeat(base[chance], count[chance]) + _within(count[chance])
        node[own] = np.repeat(chance, count[chance])
        reach, depth = np.ones(size), np.zeros(size, dtype=np.int64)
        factor, step = np.ones(size), np.zeros(size, dtype=np.int64)
        below = np.repeat(first[chance], count[chance]) + _within(count[chance])
        factor[below], step[below] = arrays.chance_probability[own], 1
        level = np.zeros(1, dtype=np.int64)
        while len(level):  # level by level, from the root
            level = level[(count[level] > 0) & (player[level] >= CHANCE)]
            level = np.repeat(first[level], count[level]) + _within(count[level])
            reach[level] = reach[parent[level]] * factor[level]
            depth[level] = depth[parent[level]] + step[level]
        return cls(parent, arrays.chance_probability, node, depth[node], reach)

    def events(self, outcome: Int64Array, fact: Int64Array) -> ChanceEvents:
        """Outcomes are one event where they share a fact, directly or through others."""
        size = len(self.node)
        _, fact = np.unique(fact, return_inverse=True)
        event = _joined(size, outcome, fact)
        _, place = np.unique(self.node, return_inverse=True)
        state_of_event = _joined(int(event.max(initial=-1)) + 1, event, place)
        order = np.argsort(state_of_event, kind="stable")
        rank = np.empty(len(order), dtype=np.int32)
        rank[order] = np.arange(len(order), dtype=np.int32)
        number, state = rank[event], state_of_event[order].astype(np.int32)
        count = int(state.max(initial=-1)) + 1
        first = np.searchsorted(state, np.arange(count + 1))
        weight = self.reach[self.node] * self.probability
        odds: FloatArray = np.zeros(len(state))
        odds += np.bincount(number, weights=weight, minlength=len(state))
        total: FloatArray = np.zeros(count)
        total += np.bincount(state, weights=odds, minlength=count)
        odds = np.divide(odds, total[state], out=np.zeros(len(odds)), where=total[state] > 0.0)
        # Where chance itself never gets, any probabilities will do.
        odds[total[state] == 0.0] = 1.0 / np.diff(first)[state[total[state] == 0.0]]
        possible = odds[number] > 0.0
        ratio = np.where(possible, self.probability / np.where(possible, odds[number], 1.0), 0.0)
        sums = cumulative(np.diff(first).astype(np.int32), odds)
        events = ChanceEvents(number, state, first.astype(np.int64), sums, ratio)
        for array in events:
            array.flags.writeable = False
        return events


def _within(count: Int64Array) -> Int64Array:
    """0, 1, ... of each range, one range after the other."""
    total = int(count.sum())
    return np.arange(total) - np.repeat(np.cumsum(count) - count, count)


def _joined(size: int, thing: Int64Array, fact: Int64Array) -> Int64Array:
    """A number of its group for each of `size` things; those that share a fact are one group."""
    whole = size + int(fact.max(initial=-1)) + 1
    pairs = (np.ones(len(thing), dtype=np.int8), (thing, fact + size))
    _, group = connected_components(coo_array(pairs, shape=(whole, whole)), directed=False)
    _, number = np.unique(group[:size], return_inverse=True)
    return number.astype(np.int64)
