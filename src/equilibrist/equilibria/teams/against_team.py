"""A team against another team: both sides draw joint plans.

A double oracle: the matrix game of the joint plans found so far, and the best joint plan of either
side against the other's mixture, until neither earns more.
"""

from __future__ import annotations

import numpy as np

from equilibrist.equilibria.teams.joint_plans import JointPlans
from equilibrist.equilibria.teams.secured import DROPPED, TOLERANCE, Secured
from equilibrist.errors import EquilibristError
from equilibrist.evaluation.coalitions import Coalition
from equilibrist.evaluation.sequences import Sequences
from equilibrist.solvers.matrix.highs import minimise
from equilibrist.typing import FloatArray


class AgainstTeam:
    """One run of the double oracle.

    Args:
        sequences: Those of the game.
        team: The members of the first team.
        adversaries: The others.
        paid: float64[Z], what the team earns at each terminal history, times chance.
        rng: Draws plans from which local search begins.
    """

    def __init__(
        self,
        sequences: Sequences,
        team: tuple[int, ...],
        adversaries: tuple[int, ...],
        paid: FloatArray,
        rng: np.random.Generator,
    ) -> None:
        self.scale = sequences.tree.payoff_range or 1.0
        self.adversaries = adversaries
        self.paid = paid
        self.sides = tuple(
            JointPlans(Coalition(sequences, members), rng) for members in (team, adversaries)
        )

    def run(self) -> Secured:
        """Search until it is proven that neither side has anything better left.

        Returns:
            The mixtures of both sides.
        """
        for side in self.sides:
            start = side.coalition.drawn(side.rng)
            side.add(side.coalition.improved(np.zeros(len(self.paid)), start))
        iterations, proofs = 0, 0
        while True:
            level, met, mixtures, dropped = self._master()
            tolerance = TOLERANCE * met
            iterations += 1
            reach = [
                weights @ np.array(side.reached)
                for weights, side in zip(mixtures, self.sides, strict=True)
            ]
            worths = (self.paid * reach[1], -self.paid * reach[0])
            levels = (level + tolerance, -level + tolerance)
            each = list(zip(self.sides, worths, levels, strict=True))
            fresh = [side.search(worth, least) for side, worth, least in each]
            if any(fresh):
                continue
            best = [side.coalition.best(worth) for side, worth, _ in each]
            proofs += len(best)
            fresh = [
                one.value > least and side.add(one)
                for one, (side, _, least) in zip(best, each, strict=True)
            ]
            if not any(fresh):
                break
        drawn = [np.flatnonzero(weights > dropped) for weights in mixtures]
        drawn = [k[np.argsort(-w[k], kind="stable")] for k, w in zip(drawn, mixtures, strict=True)]
        own, other = (w[k] / w[k].sum() for w, k in zip(mixtures, drawn, strict=True))
        answers = [self.sides[1].coalition.profile(self.sides[1].plans[k]) for k in drawn[1]]
        return Secured(
            met,
            -best[1].bound,
            best[0].bound,
            own,
            [self.sides[0].plans[k] for k in drawn[0]],
            list(zip(other.tolist(), answers, strict=True)),
            len(self.sides[0].plans),
            iterations,
            proofs,
        )

    def _master(self) -> tuple[float, float, tuple[FloatArray, FloatArray], float]:
        """The value of the matrix game so far, what play meets, mixtures, and what is rounding."""
        own, other = (np.array(side.reached, dtype=np.float64) for side in self.sides)
        table = (own * (self.paid / self.scale)) @ other.T
        count, answers = table.shape
        found = minimise(
            np.append(np.zeros(count), -1.0),
            np.append(-table.T, np.ones((answers, 1)), axis=1),
            np.zeros(answers),
            np.append(np.ones(count), 0.0)[None, :],
            [1.0],
            [(0.0, None)] * count + [(None, None)],
        )
        if found.status != 0:
            raise EquilibristError(
                f"the linear programme of the two teams did not come to an end: {found.message}",
                option="adversary",
                given=self.adversaries,
            )
        mixtures = (found.x[:count], -np.asarray(found.ineqlin.marginals))
        first, second = (np.where(w > found.negligible, w, 0.0) for w in mixtures)
        return (
            -float(found.fun) * self.scale,
            found.size * self.scale,
            (first / first.sum(), second / second.sum()),
            min(DROPPED, 100.0 * found.negligible),
        )
