"""The joint plans of one side that a search has found."""

from __future__ import annotations

import numpy as np

from equilibrist.evaluation.coalitions import Coalition, JointPlan
from equilibrist.typing import BoolArray, FloatArray

_STARTS = 8
"""Joint plans from which each round looks for better ones before the mixed-integer programme."""


class JointPlans:
    """Joint plans of a coalition, no two of which allow the same terminal histories.

    Args:
        coalition: Whose they are.
        rng: Draws the plans from which local search begins.
    """

    def __init__(self, coalition: Coalition, rng: np.random.Generator) -> None:
        self.coalition, self.rng = coalition, rng
        self.plans: list[BoolArray] = []
        self.reached: list[BoolArray] = []
        self._known: set[bytes] = set()

    def add(self, plan: JointPlan) -> bool:
        """Keep a joint plan.

        Args:
            plan: The plan.

        Returns:
            False if one is known that allows the same terminal histories.
        """
        reached = self.coalition.reached(plan.plays)
        name = reached.tobytes()
        if name in self._known:
            return False
        self._known.add(name)
        self.plans.append(plan.plays)
        self.reached.append(reached)
        return True

    def search(self, worth: FloatArray, level: float) -> bool:
        """Add joint plans that local search finds.

        Args:
            worth: float64[Z], what each terminal history is worth if the coalition allows it.
            level: Plans worth no more are not kept.

        Returns:
            Whether any was added.
        """
        fresh = False
        starts = [self.plans[k] for k in self.rng.permutation(len(self.plans))[: _STARTS // 2]]
        starts += [self.coalition.drawn(self.rng) for _ in range(_STARTS - len(starts))]
        for start in starts:
            plan = self.coalition.improved(worth, start)
            fresh |= plan.value > level and self.add(plan)
        return fresh
