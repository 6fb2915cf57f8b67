"""The plan of own sequences in depth-first order: all that lies below an infoset stands together.

Gaps of correlated play sum payoffs over what a deviating player may still reach, once for each
infoset where they may begin to deviate. In this order each such sum runs over neighbours.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from equilibrist.typing import Int32Array, Int64Array

if TYPE_CHECKING:
    from equilibrist.tree.compile import GameTree


class PlanArrays(NamedTuple):
    """Infosets with a choice in depth-first preorder, player by player; all arrays read-only.

    K infosets with M actions in all. The actions of infoset k stand at `first[k]` onwards, and all
    own sequences at or below it at `first[k]` to `end[k]`, which are those of the infosets k to
    `last[k]`. `above` is the place of the sequence that leads to it, -1 for the empty one.
    """

    empty: Int64Array  # [P] engine sequences
    sequence: Int64Array  # [M] engine sequences
    infoset_offset: Int64Array  # [P + 1] into infosets
    first: Int64Array  # [K]
    actions: Int64Array  # [K]
    end: Int64Array  # [K]
    last: Int64Array  # [K]
    above: Int64Array  # [K]


class TriggerArrays(NamedTuple):
    """J triggers, where a player may begin to deviate, in the order of infosets; all read-only.

    A trigger keeps sums over the places `first` to `end` at `block` onwards. They are weighted by
    the own reach of the engine sequence `weigh`; `worth` says what obeying is worth: the place of
    a sequence, or M + the number of an infoset.
    """

    infoset: Int64Array  # [J]
    weigh: Int64Array  # [J]
    worth: Int64Array  # [J]
    first: Int64Array  # [J]
    end: Int64Array  # [J]
    block: Int64Array  # [J + 1]


@dataclass(frozen=True)
class OwnPlans:
    """The plans of all players of a game, laid out for sums over what lies below an infoset.

    Attributes:
        arrays: What kernels read.
        infoset: int64[K], public numbers of the infosets with a choice.
        parent_sequence: int64[K], the engine sequence that leads to each of them.
        forced: Public numbers of infosets with one action, and the infosets k of `arrays` that
            come first below them.
    """

    arrays: PlanArrays
    infoset: Int64Array
    parent_sequence: Int64Array
    forced: tuple[tuple[int, Int64Array], ...]

    def by_action(self) -> TriggerArrays:
        """One trigger for each action that may be recommended."""
        a = self.arrays
        infoset = np.repeat(np.arange(len(a.first)), a.actions)
        return _triggers(a, infoset, a.sequence, np.arange(len(a.sequence)))

    def by_infoset(self) -> TriggerArrays:
        """One trigger for each infoset, before the recommendation is seen."""
        infoset = np.arange(len(self.infoset))
        return _triggers(
            self.arrays, infoset, self.parent_sequence, infoset + len(self.arrays.sequence)
        )

    def none(self) -> TriggerArrays:
        """No trigger."""
        nothing = np.zeros(0, dtype=np.int64)
        return _triggers(self.arrays, nothing, nothing, nothing)


def _triggers(
    plans: PlanArrays, infoset: Int64Array, weigh: Int64Array, worth: Int64Array
) -> TriggerArrays:
    first, end = plans.first[infoset], plans.end[infoset]
    block = np.concatenate(([0], np.cumsum(end - first)))
    return TriggerArrays(*_frozen(infoset, weigh, worth, first, end, block))


def _frozen(*arrays: Int64Array) -> list[Int64Array]:
    copies = [np.array(array, dtype=np.int64) for array in arrays]
    for copy in copies:
        copy.flags.writeable = False
    return copies


def own_plans(tree: GameTree) -> OwnPlans:
    """Lay out `tree`; RecallError unless every player recalls their past."""
    form = tree.sequence_form
    offset = tree.action_offset.tolist()
    sequence_of_public = form.sequence_of_public.tolist()
    counts = np.diff(tree.action_offset)
    below: dict[int, list[int]] = {}
    for i in np.flatnonzero(counts > 1).tolist():
        below.setdefault(int(form.public_parent[i]), []).append(i)
    order: list[int] = []
    bounds = [0]
    for player in range(tree.num_players):
        waiting = below.get(int(form.arrays.sequence_offset[player]), [])[::-1]
        while waiting:
            i = waiting.pop()
            order.append(i)
            for q in range(offset[i + 1] - 1, offset[i] - 1, -1):
                waiting += below.get(sequence_of_public[q], [])[::-1]
        bounds.append(len(order))
    infoset = np.array(order, dtype=np.int64)
    arrays = _arrays(tree, infoset, np.array(bounds, dtype=np.int64))
    parents = form.public_parent[infoset]
    return OwnPlans(arrays, infoset, parents, _forced(tree, infoset, counts))


def _arrays(tree: GameTree, infoset: Int64Array, bounds: Int64Array) -> PlanArrays:
    form = tree.sequence_form
    actions = np.diff(tree.action_offset)[infoset]
    first = np.concatenate(([0], np.cumsum(actions)))
    public = np.repeat(tree.action_offset[infoset] - first[:-1], actions)
    sequence = form.sequence_of_public[public + np.arange(int(first[-1]))]
    place = np.full(form.num_sequences, -1, dtype=np.int64)
    place[sequence] = np.arange(len(sequence))
    above = place[form.public_parent[infoset]]
    owner = np.repeat(np.arange(len(infoset)), actions)
    last = np.arange(1, len(infoset) + 1)
    for k in range(len(infoset) - 1, -1, -1):
        if above[k] >= 0:
            parent = owner[above[k]]
            last[parent] = max(last[parent], last[k])
    end = first[last]
    return PlanArrays(
        *_frozen(
            form.arrays.sequence_offset[:-1],
            sequence,
            bounds,
            first[:-1],
            actions,
            end,
            last,
            above,
        )
    )


def _forced(
    tree: GameTree, infoset: Int64Array, counts: Int64Array
) -> tuple[tuple[int, Int64Array], ...]:
    """Infosets with one action, with those that have a choice and come first below them."""
    if (counts > 1).all():
        return ()
    parent = _own_parent(tree)
    choices_below: dict[int, list[int]] = {int(i): [] for i in np.flatnonzero(counts == 1)}
    for k, i in enumerate(infoset.tolist()):
        above = int(parent[i])
        while above >= 0 and counts[above] == 1:
            choices_below[above].append(k)
            above = int(parent[above])
    return tuple((i, np.array(ks, dtype=np.int64)) for i, ks in choices_below.items())


def _own_parent(tree: GameTree) -> Int64Array:
    """int64[I]: the own infoset before each infoset, -1 where there is none."""
    walk = tree.walk
    visits = np.flatnonzero(walk.infoset >= 0)
    infosets, where = np.unique(walk.infoset[visits], return_index=True)
    node: Int32Array = walk.parent[visits[where]].copy()
    parent = np.full(len(walk.owner), -1, dtype=np.int64)
    seeking = np.flatnonzero(node >= 0)
    while len(seeking):
        at = walk.infoset[node[seeking]]
        own = at >= 0  # the others are marks of chance, which are no index
        own[own] = walk.owner[at[own]] == walk.owner[infosets[seeking[own]]]
        arrived = seeking[own]
        parent[tree.public_of_walk[infosets[arrived]]] = tree.public_of_walk[at[own]]
        node[seeking] = walk.parent[node[seeking]]
        seeking = seeking[~own]
        seeking = seeking[node[seeking] >= 0]
    return parent
