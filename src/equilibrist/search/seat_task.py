"""What is asked of one seat: a trunk at the roots, a method, and what the opponent may count on."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from equilibrist.formatting.brief import brief_repr
from equilibrist.search.knowledge import Scope
from equilibrist.search.methods import SearchMethod
from equilibrist.search.seat_rows import SeatRows
from equilibrist.search.values import TrunkValues
from equilibrist.typing import BoolArray, FloatArray

NEGLIGIBLE: Final = 1e-9
"""Hands below this share of all that come to a root, and own reaches below it, are left alone.

HiGHS drops coefficients of that size; the seat's loss rises by no more than such a share.
"""


@dataclass(frozen=True, eq=False)
class SeatTask:
    """The task of re-solving one seat p at G roots, where the opponent has H hands.

    Attributes:
        trunk: The trunk at the roots.
        method: The method.
        alternatives: float64[H], alt_j in units of the programmes, gifts included.
        gifts: float64[H], the gifts in them.
        solved: bool[G], the roots whose play is replaced: p moves below them and comes there, and
            o may enter; where the trunk's range counts, it does. Elsewhere any play is as good.
        counted: bool[H], the hands with which o can be there, whether or not it comes.
        is_guess: Whether the alternatives are not what the trunk itself keeps o to, so that nobody
            knows whether they can be kept.
        rows: What p may choose, and o answer.
        scope: The part of a root that one hand of p's is solved with; None for all of all roots.
    """

    trunk: TrunkValues
    method: SearchMethod
    alternatives: FloatArray
    gifts: FloatArray
    solved: BoolArray
    counted: BoolArray
    is_guess: bool
    rows: SeatRows
    scope: Scope | None = None

    def __repr__(self) -> str:
        return brief_repr(self)

    @property
    def deals(self) -> FloatArray:
        """float64[H]: what an excess of each hand counts, in the mean of k at a root; 1 by weight.

        In a mixture, the sum of w_j times it is k, whatever hands o comes with.
        """
        trunk, hands = self.trunk, self.trunk.subgames.hands[1 - self.trunk.player]
        shares = np.ones(len(hands))
        if self.method.deals == "weight":
            return shares
        size = len(trunk.total)
        comes = np.where(self.counted, trunk.reach, 0.0)
        total, count, weight = (
            np.bincount(hands.root[self.counted], each[self.counted], size)[hands.root]
            for each in (comes, shares, trunk.weight)
        )
        even = 1.0 / np.maximum(count, 1.0)
        share = (np.where(total > 0.0, comes / np.where(total > 0.0, total, 1.0), even) + even) / 2
        met = np.where(self.counted, trunk.weight, 1.0)
        return np.where(self.counted, share * weight / met, 0.0)

    def at_roots(self, roots: Collection[int]) -> SeatTask:
        """The task at some of its roots; the trunk is kept at the others.

        Args:
            roots: Indices of roots that are solved.

        Returns:
            The task.
        """
        solved = self.solved & np.isin(np.arange(len(self.solved)), list(roots))
        root = self.trunk.subgames.hands[1 - self.trunk.player].root
        return replace(self, solved=solved, counted=self.counted & solved[root])


@dataclass(frozen=True, eq=False)
class SeatPlay:
    """What a seat plays after re-solving.

    Attributes:
        plan: float64[n], its plan: the trunk's above the roots.
        behaviour: float64[n - 1], its probabilities at all own infosets.
    """

    plan: FloatArray
    behaviour: FloatArray

    @classmethod
    def of(cls, task: SeatTask, inside: FloatArray) -> SeatPlay:
        """The trunk with new play inside the subgames, wherever the seat comes.

        Args:
            task: The task.
            inside: float64[X], probabilities at the seat's infosets inside the subgames.

        Returns:
            The play: the trunk's where own reach is negligible, and at roots that were not solved.
        """
        trunk = task.trunk
        rows, own = task.rows, trunk.subgames.search.own[trunk.player]
        probabilities = trunk.probabilities.copy()
        taken = np.repeat(task.solved[rows.root_of_own], rows.own_counts)
        probabilities[own.start + rows.own[taken] - 1] = inside[taken]
        reach = own.reach(probabilities)[own.plans.parent[rows.own_infosets]]
        unit = np.where(trunk.total > 0.0, trunk.total, 1.0)[rows.root_of_own]
        left = np.repeat(reach <= NEGLIGIBLE * unit, rows.own_counts)
        flat = own.start + rows.own[left] - 1
        probabilities[flat] = trunk.probabilities[flat]
        return cls(own.reach(probabilities), probabilities[own.flat])

    def purified(self, task: SeatTask, count: int) -> SeatPlay:
        """The play with the most likely actions alone.

        Sam Ganzfried, Tuomas Sandholm and Kevin Waugh, "Strategy purification and thresholding",
        AAMAS 2012.

        Args:
            task: The task.
            count: How many actions are kept at each infoset; of equally likely ones the first.

        Returns:
            The play, with probabilities in proportion to those before.
        """
        rows, own = task.rows, task.trunk.subgames.search.own[task.trunk.player]
        behaviour = self.behaviour.copy()
        starts = np.cumsum(rows.own_counts) - rows.own_counts
        solved = task.solved[rows.root_of_own]
        for first, size in zip(
            starts[solved].tolist(), rows.own_counts[solved].tolist(), strict=True
        ):
            here = rows.own[first : first + size] - 1
            order = np.argsort(-behaviour[here], kind="stable")
            behaviour[here[order[count:]]] = 0.0
            behaviour[here] /= behaviour[here].sum()
        probabilities = task.trunk.probabilities.copy()
        probabilities[own.flat] = behaviour
        return SeatPlay(own.reach(probabilities), behaviour)
