"""What is asked of one seat: a trunk at the roots, a method, and what the opponent may count on."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from equilibrist.formatting.brief import brief_repr
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
    """

    trunk: TrunkValues
    method: SearchMethod
    alternatives: FloatArray
    gifts: FloatArray
    solved: BoolArray
    counted: BoolArray
    is_guess: bool
    rows: SeatRows

    @classmethod
    def of(
        cls,
        trunk: TrunkValues,
        method: SearchMethod,
        guess: FloatArray | None = None,
        since: int | None = None,
        rows: SeatRows | None = None,
    ) -> SeatTask:
        """Set up a task.

        Args:
            trunk: The trunk at the roots.
            method: The method.
            guess: float64[H], alternatives in place of those of the method.
            since: The public node above at which the trunk's play was solved before; None for none.
            rows: What p may choose, and o answer; by default all below the roots.

        Returns:
            The task.
        """
        subgames = trunk.subgames
        hands = subgames.hands[1 - trunk.player]
        is_guess = guess is not None or method.alternatives != "best-response"
        gifts = np.zeros(len(hands))
        if guess is None and method.gifts != "none":
            gifts = trunk.gifts(split=method.gifts == "split", since=since)
        if guess is None:
            guess = trunk.best if method.alternatives == "best-response" else trunk.expected
        solved = np.zeros(len(subgames), dtype=np.bool_)
        rows = subgames.seats[trunk.player] if rows is None else rows
        solved[rows.root_of_own] = True
        solved &= trunk.total > 0.0
        unit = np.where(trunk.total > 0.0, trunk.total, 1.0)
        present = trunk.weight >= NEGLIGIBLE * unit[hands.root]
        present &= guess < np.inf  # whoever has an infinite alternative never enters
        comes = trunk.reach > 0.0 if method.goal in ("range", "step") else True
        coming = present & comes
        solved &= np.bincount(hands.root[coming], minlength=len(solved)) > 0
        return cls(
            trunk=trunk,
            method=method,
            alternatives=guess + gifts,
            gifts=gifts,
            solved=solved,
            counted=present & solved[hands.root],
            is_guess=is_guess,
            rows=rows,
        )

    def __repr__(self) -> str:
        return brief_repr(self)

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
