"""Plans of which a part is given: what is left to choose inside a block, by sequences.

Outside a block a player's plan is that of a base strategy. Inside, the plan entry of a sequence is
the base's reach of the block at that place, which is a number, times the entry of a plan that
begins with the block. So everything is linear in the latter, and merged infosets inside a block
need not have the same past outside.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from equilibrist.abstraction.abstraction import Abstraction
from equilibrist.abstraction.measures.plans import Plans, TwoPlayerGame
from equilibrist.errors import UnsupportedError
from equilibrist.strategy import Strategy
from equilibrist.typing import BoolArray, FloatArray, Int64Array


@dataclass(frozen=True, eq=False)
class PartialPlans:
    """The plans x = fixed + spread @ y of one player, where y is a plan of `free`.

    Attributes:
        free: What is left to choose, over abstract sequences of the block.
        fixed: float64[n], the plan entries outside the block, 0 inside; n are the player's
            sequences, the empty one first.
        spread: float64[n, free.size].
        entries: int64[n - 1], the sequence of `free` of each sequence but the empty one; -1 outside
            the block.
        infoset_of: int64[infosets of the player in the block], that of `free` of each.
        reached: bool[n - 1], whether the base's own play comes to the block above the sequence.
    """

    free: Plans
    fixed: FloatArray
    spread: csr_array
    entries: Int64Array
    infoset_of: Int64Array
    reached: BoolArray

    def behaviour(self, plan: FloatArray, base: FloatArray) -> FloatArray:
        """The play of a plan of `free`.

        Args:
            plan: float64[free.size].
            base: float64[n - 1], the probabilities of the base at the player's infosets.

        Returns:
            float64[n - 1], probabilities: those of the base wherever own play does not come.
        """
        plan = np.maximum(plan, 0.0)  # rounding of a linear programme
        total = np.add.reduceat(plan, self.free.first) if len(self.free.first) else np.zeros(0)
        share = np.concatenate(([0.0], np.repeat(total, self.free.actions)))
        inside = np.maximum(self.entries, 0)
        comes = (self.entries >= 0) & self.reached & (share[inside] > 1e-9)
        return np.where(comes, plan[inside] / np.where(comes, share[inside], 1.0), base)


def all_plans(game: TwoPlayerGame, player: int) -> PartialPlans:
    """Nothing of a player's plan is given."""
    full = game.plans(player, Abstraction.identity(game.tree))
    assert full is not None  # a game with perfect recall
    size = full.size
    return PartialPlans(
        full,
        np.zeros(size),
        full.merging(),
        np.arange(1, size),
        np.arange(len(full.parent)),
        np.ones(size - 1, dtype=np.bool_),
    )


def plans_inside(
    game: TwoPlayerGame,
    player: int,
    base: Strategy,
    inside: BoolArray,
    groups: Int64Array,
) -> PartialPlans:
    """The plans that follow the base outside a block.

    Args:
        game: The game.
        player: Whose plans they are.
        base: What is played outside.
        inside: bool[I], in public order, the block.
        groups: int64[I], a number for each infoset; those in the block with equal numbers are
            played alike.

    Returns:
        The plans.

    Raises:
        UnsupportedError: The player forgets inside the block what they saw or did inside it.
    """
    tree = game.tree
    infosets = np.flatnonzero(tree.infoset_player == player)
    widths = np.diff(tree.action_offset)[infosets]
    starts = 1 + np.cumsum(widths) - widths
    size = 1 + int(widths.sum())
    played = np.concatenate(([1.0], base.probabilities[_own(tree.action_offset, infosets)]))
    chosen = inside[infosets]
    _, first, number = np.unique(groups[infosets][chosen], return_index=True, return_inverse=True)
    abstract_of = np.full(len(infosets), -1, dtype=np.int64)
    abstract_of[chosen] = number.reshape(-1)
    actions = widths[chosen][first]
    abstract_first = 1 + np.cumsum(actions) - actions
    parent_of = np.full(len(first), -1, dtype=np.int64)

    entries = np.full(size, -1, dtype=np.int64)
    weight = np.zeros(size)  # inside: of the block, as the base comes to it; outside: of the plan
    weight[0] = 1.0
    for k, infoset in enumerate(infosets.tolist()):  # in public order, parents before children
        above = int(game.parent[infoset])
        own = slice(int(starts[k]), int(starts[k] + widths[k]))
        group = int(abstract_of[k])
        if group < 0:
            weight[own] = weight[above] * played[own]
            continue
        parent = max(int(entries[above]), 0)
        if parent_of[group] not in (-1, parent):
            raise UnsupportedError(
                f"player {player} forgets inside the block: infosets that are merged with "
                f"{tree.infoset_keys[infoset]!r} have other infosets or actions of the block "
                "before them",
                option="abstraction",
                given=tree.infoset_keys[infoset],
                expected="perfect recall inside the block",
                remedy="graft with --abstraction none, or one that keeps a player's own past",
            )
        parent_of[group] = parent
        entries[own] = int(abstract_first[group]) + np.arange(int(widths[k]))
        weight[own] = weight[above]
    free = entries >= 0
    plans = Plans(parent_of, abstract_first, actions, entries)
    fixed = np.where(free, 0.0, weight)
    rows = np.flatnonzero(free)
    spread = csr_array((weight[rows], (rows, entries[rows])), shape=(size, plans.size))
    return PartialPlans(plans, fixed, spread, entries[1:], abstract_of[chosen], weight[1:] > 0.0)


def _own(offset: Int64Array, infosets: Int64Array) -> slice:
    """The place of one player's actions; their infosets follow one another in public order."""
    if not len(infosets):
        return slice(0, 0)
    return slice(int(offset[infosets[0]]), int(offset[infosets[-1] + 1]))
