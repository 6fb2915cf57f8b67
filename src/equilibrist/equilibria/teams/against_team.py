"""A team against another team: both sides draw joint plans.

A double oracle: the matrix game of the joint plans found so far, and the best joint plan of either
side against the other's mixture, until neither earns more.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from equilibrist.equilibria.teams.joint_plans import JointPlans
from equilibrist.equilibria.teams.secured import (
    DROPPED,
    TOLERANCE,
    Secured,
    most_if_informed,
    payoff_met,
)
from equilibrist.errors import EquilibristError
from equilibrist.evaluation.coalitions import Coalition, JointPlan
from equilibrist.evaluation.sequences import Sequences
from equilibrist.solvers.matrix.highs import minimise
from equilibrist.typing import FloatArray


class Master(NamedTuple):
    """The solution of the matrix game of the joint plans so far.

    Attributes:
        level: Its value, in payoff units.
        met: The largest payoff times the probability with which play meets it.
        mixtures: Weights of the first joint plans of both sides.
        dropped: Probabilities up to this are rounding.
    """

    level: float
    met: float
    mixtures: tuple[FloatArray, FloatArray]
    dropped: float


class AgainstTeam:
    """One run of the double oracle.

    Args:
        sequences: The game's sequences.
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
        self.master: Master | None = None
        self.iterations = self.proofs = 0

    def run(self) -> Secured:
        """Search until it is proven that neither side has anything better left, or until Ctrl-C.

        Returns:
            The mixtures of both sides.

        Raises:
            KeyboardInterrupt: Ctrl-C, before there were mixtures.
        """
        try:
            best = self._search()
        except KeyboardInterrupt:
            if self.master is None:
                raise
            worths = self._worths(self.master)
            most = [
                most_if_informed(side.coalition.sequences.tree, side.coalition.members, worth)
                for side, worth in zip(self.sides, worths, strict=True)
            ]
            return self._secured(self.master, -most[1], most[0], interrupted=True)
        assert self.master is not None
        return self._secured(self.master, -best[1].bound, best[0].bound)

    def _search(self) -> list[JointPlan]:
        """Add joint plans until none earns more; the best of both sides then."""
        for side in self.sides:
            start = side.coalition.drawn(side.rng)
            side.add(side.coalition.improved(np.zeros(len(self.paid)), start))
        while True:
            self.master = master = self._master()
            tolerance = TOLERANCE * master.met
            self.iterations += 1
            levels = (master.level + tolerance, -master.level + tolerance)
            searches = list(zip(self.sides, self._worths(master), levels, strict=True))
            fresh = [side.search(worth, least) for side, worth, least in searches]
            if any(fresh):
                continue
            best = [side.coalition.best(worth) for side, worth, _ in searches]
            self.proofs += len(best)
            fresh = [
                plan.value > least and side.add(plan)
                for plan, (side, _, least) in zip(best, searches, strict=True)
            ]
            if not any(fresh):
                return best

    def _worths(self, master: Master) -> tuple[FloatArray, FloatArray]:
        """float64[Z] each: what terminal histories are worth to a side against the other's mix."""
        own, other = (
            weights @ np.array(side.reached[: len(weights)])
            for weights, side in zip(master.mixtures, self.sides, strict=True)
        )
        return self.paid * other, -self.paid * own

    def _secured(
        self, master: Master, value: float, bound: float, *, interrupted: bool = False
    ) -> Secured:
        mixtures, dropped = master.mixtures, master.dropped
        drawn = [np.flatnonzero(weights > dropped) for weights in mixtures]
        drawn = [k[np.argsort(-w[k], kind="stable")] for k, w in zip(drawn, mixtures, strict=True)]
        own, other = (w[k] / w[k].sum() for w, k in zip(mixtures, drawn, strict=True))
        answers = [self.sides[1].coalition.profile(self.sides[1].plans[k]) for k in drawn[1]]
        return Secured(
            met=master.met,
            value=value,
            bound=bound,
            weights=own,
            plans=[self.sides[0].plans[k] for k in drawn[0]],
            answers=list(zip(other.tolist(), answers, strict=True)),
            columns=len(self.sides[0].plans),
            iterations=self.iterations,
            proofs=self.proofs,
            interrupted=interrupted,
        )

    def _master(self) -> Master:
        """The solution of the matrix game so far."""
        own, other = (np.array(side.reached, dtype=np.float64) for side in self.sides)
        table = (own * (self.paid / self.scale)) @ other.T
        count, answers = table.shape
        optimum = minimise(
            np.append(np.zeros(count), -1.0),
            np.append(-table.T, np.ones((answers, 1)), axis=1),
            np.zeros(answers),
            np.append(np.ones(count), 0.0)[None, :],
            [1.0],
            [(0.0, None)] * count + [(None, None)],
        )
        if optimum.status != 0:
            raise EquilibristError(
                f"the linear programme of the two teams did not come to an end: {optimum.message}",
                option="adversary",
                given=self.adversaries,
            )
        mixtures = (optimum.x[:count], -np.asarray(optimum.ineqlin.marginals))
        first, second = (np.where(w > optimum.negligible, w, 0.0) for w in mixtures)
        first, second = first / first.sum(), second / second.sum()
        return Master(
            -float(optimum.fun) * self.scale,
            payoff_met(self.paid, table * self.scale, first, second),
            (first, second),
            min(DROPPED, 100.0 * optimum.negligible),
        )
