"""The tree of a game in which some actions are left out: the same histories, as far as they go."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from equilibrist.tree.compile import GameTree
from equilibrist.tree.walk.histories import CHANCE_MARK, TERMINAL_MARK, Walk
from equilibrist.typing import BoolArray, Int32Array, Int64Array


@dataclass(frozen=True)
class Restricted:
    """A restricted tree, and where its parts are in the full one.

    Attributes:
        tree: The compiled tree.
        kept_node: bool[N], the histories of the full game that are left.
        infoset: int64[I'], the full game's number of each infoset.
        action: int64[Q'], the full game's flat number of each action at an infoset.
    """

    tree: GameTree
    kept_node: BoolArray
    infoset: Int64Array
    action: Int64Array


def place_among_siblings(parent: Int32Array) -> Int64Array:
    """int64[N]: which action or outcome leads to each history; 0 at the root."""
    order = np.argsort(parent, kind="stable")
    place = np.empty(len(parent), dtype=np.int64)
    _, first, count = np.unique(parent[order], return_index=True, return_counts=True)
    place[order] = np.arange(len(parent)) - np.repeat(first, count)
    return place


def restrict(tree: GameTree, kept: BoolArray) -> Restricted:
    """Leave out what is not kept, bool[Q], and all that comes after it.

    Every infoset must keep an action.
    """
    walk = tree.walk
    node = _kept_nodes(tree, kept)
    number = np.cumsum(node) - 1
    parent = walk.parent[node]
    parent = np.where(parent < 0, -1, number[parent]).astype(np.int32)
    infoset = walk.infoset[node]
    inner = infoset >= 0
    first_seen = _by_first_visit(infoset[inner])
    renumbered = np.zeros(len(walk.owner), dtype=np.int32)
    renumbered[first_seen] = np.arange(len(first_seen), dtype=np.int32)
    infoset = np.where(inner, renumbered[infoset], infoset).astype(np.int32)
    chance = walk.infoset == CHANCE_MARK
    kept_chance = node[chance]
    outcome = np.repeat(kept_chance, walk.chance_count)
    public = tree.public_of_walk[first_seen]
    labels = [
        tuple(
            label
            for label, stays in zip(tree.action_labels[i], kept[tree.actions_of(i)], strict=True)
            if stays
        )
        for i in public.tolist()
    ]
    small_walk = Walk(
        parent=_frozen(parent),
        infoset=_frozen(infoset),
        chance_count=_frozen(walk.chance_count[kept_chance]),
        chance_probability=_frozen(walk.chance_probability[outcome]),
        payoff=_frozen(walk.payoff[node[walk.infoset == TERMINAL_MARK]]),
        keys=[walk.keys[i] for i in first_seen.tolist()],
        owner=_frozen(walk.owner[first_seen]),
        labels=labels,
        num_players=walk.num_players,
        **_public(walk, outcome),
    )
    small = GameTree(tree.game, small_walk)
    full_infoset = np.empty(len(public), dtype=np.int64)
    full_infoset[small.public_of_walk] = public
    flat = np.concatenate(
        [
            np.flatnonzero(kept[tree.actions_of(i)]) + int(tree.action_offset[i])
            for i in full_infoset.tolist()
        ]
        or [np.zeros(0, dtype=np.int64)]
    )
    return Restricted(small, node, full_infoset, flat)


def _kept_nodes(tree: GameTree, kept: BoolArray) -> BoolArray:
    """bool[N]: histories in which every action is kept."""
    walk = tree.walk
    above = walk.parent[1:]
    acting = walk.infoset[above]
    of_player = acting >= 0
    flat = np.zeros(len(above), dtype=np.int64)
    flat[of_player] = tree.action_offset[tree.public_of_walk[acting[of_player]]]
    flat += np.where(of_player, place_among_siblings(walk.parent)[1:], 0)
    node = np.ones(len(walk.parent), dtype=bool)
    node[1:] = ~of_player | kept[flat]
    while True:
        below = node.copy()
        below[1:] &= node[above]
        if np.array_equal(below, node):
            return node
        node = below


def _by_first_visit(numbers: Int32Array) -> Int64Array:
    """The distinct numbers, in the order in which they first appear."""
    distinct, first = np.unique(numbers, return_index=True)
    return distinct[np.argsort(first)].astype(np.int64)


def _public(walk: Walk, outcome: BoolArray) -> dict[str, Int32Array]:
    """Number what everybody sees of chance, events and states, again by first visit."""
    if walk.public_event is None or walk.event_state is None:
        return {}
    event = walk.public_event[outcome]
    seen = _by_first_visit(event)
    state = walk.event_state[seen]
    return {
        "public_event": _frozen(_renumbered(event, seen)),
        "event_state": _frozen(_renumbered(state, _by_first_visit(state))),
    }


def _renumbered(numbers: Int32Array, distinct: Int64Array) -> Int32Array:
    new_number = np.zeros(int(distinct.max(initial=0)) + 1, dtype=np.int32)
    new_number[distinct] = np.arange(len(distinct), dtype=np.int32)
    return new_number[numbers]


def _frozen(array: Any) -> Any:
    array = np.ascontiguousarray(array)
    array.flags.writeable = False
    return array
