"""A team against one adversary, who is represented in sequence form.

Column generation: a linear programme over the adversary's plan against the joint plans found so
far, and the best joint plan against it, until no joint plan earns more.
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
from equilibrist.evaluation.coalitions import Coalition, best_plan
from equilibrist.evaluation.sequences import Sequences
from equilibrist.solvers.matrix.highs import minimise
from equilibrist.typing import BoolArray, FloatArray


class Master(NamedTuple):
    """The solution of a linear programme over the joint plans so far.

    Attributes:
        level: What they secure, in payoff units.
        met: The largest payoff times the probability with which play meets it.
        weights: float64[K], the team's mixture.
        answer: float64[actions of the adversary], their strategy.
        dropped: Probabilities up to this are rounding.
    """

    level: float
    met: float
    weights: FloatArray
    answer: FloatArray
    dropped: float


class AgainstOne:
    """One run of column generation.

    Args:
        sequences: The game's sequences.
        team: The members, all players but the adversary.
        adversary: The adversary.
        paid: float64[Z], what the team earns at each terminal history, times chance.
        rng: Draws plans from which local search begins.
    """

    def __init__(
        self,
        sequences: Sequences,
        team: tuple[int, ...],
        adversary: int,
        paid: FloatArray,
        rng: np.random.Generator,
    ) -> None:
        self.sequences, self.adversary, self.paid = sequences, adversary, paid
        self.tree = sequences.tree
        self.scale = self.tree.payoff_range or 1.0
        self.coalition = Coalition(sequences, team)
        self.joint_plans = JointPlans(self.coalition, rng)
        self.own = sequences.own(adversary)
        self.width = self.own.stop - self.own.start
        at = sequences.leaf_sequence[:, adversary]
        self.at = np.where(at < 0, self.width, at - self.own.start)  # the empty sequence is last
        self.rows: list[FloatArray] = []
        self.decisions = self._decisions()
        self.master: Master | None = None
        self.iterations = self.proofs = 0

    def run(self) -> Secured:
        """Search until it is proven that nothing better is left, or until Ctrl-C.

        Returns:
            The mixture of the team, and the adversary's strategy.

        Raises:
            KeyboardInterrupt: Ctrl-C, before there was a mixture.
        """
        try:
            bound = self._search()
        except KeyboardInterrupt:
            if self.master is None:
                raise
            return self._secured(self.master, None)
        assert self.master is not None
        return self._secured(self.master, bound)

    def _search(self) -> float:
        """Add joint plans until none earns more; what no joint plan earns more than then."""
        uniform = self._behaviour(np.ones(self.width + 1), 0.0)
        start = self.coalition.drawn(self.joint_plans.rng)
        self.joint_plans.add(self.coalition.improved(self._worth(uniform), start))
        while True:
            self.master = master = self._master()
            self.iterations += 1
            worth = self._worth(master.answer)
            enough = master.level + TOLERANCE * master.met
            if self.joint_plans.search(worth, enough):
                continue
            # Local search has failed: only a mixed-integer programme proves that nothing is left.
            best = self.coalition.best(worth)
            self.proofs += 1
            if best.value <= enough or not self.joint_plans.add(best):
                return best.bound

    def _secured(self, master: Master, bound: float | None) -> Secured:
        """Value a mixture by what it secures; without a bound of the search by informed members."""
        drawn = np.flatnonzero(master.weights > master.dropped)
        drawn = drawn[np.argsort(-master.weights[drawn], kind="stable")]
        weights = master.weights[drawn] / master.weights[drawn].sum()
        row = np.zeros(int(self.tree.action_offset[-1]))
        row[self.own] = master.answer
        most = bound
        if most is None:
            worth = self._worth(master.answer)
            most = most_if_informed(self.tree, self.coalition.members, worth)
        return Secured(
            met=master.met,
            value=self._guaranteed(weights @ np.array([self.rows[k] for k in drawn])),
            bound=most,
            weights=weights,
            plans=[self.joint_plans.plans[k] for k in drawn],
            answers=[(1.0, row)],
            columns=len(self.rows),
            iterations=self.iterations,
            proofs=self.proofs,
            interrupted=bound is None,
        )

    def _guaranteed(self, paid: FloatArray) -> float:
        """The least that a mixture earns that pays `paid` by sequence of the adversary."""
        costs = np.zeros(int(self.tree.action_offset[-1]) + 1)
        costs[self.own], costs[-1] = -paid[:-1], -paid[-1]
        return -best_plan(self.sequences, self.adversary, costs)[0]

    def _decisions(self) -> list[tuple[int, slice]]:
        """The adversary's infosets: the column of the sequence above, and those of the actions."""
        offset = self.tree.action_offset.tolist()
        first, decisions = self.own.start, []
        for i in self.sequences.infosets(self.adversary):
            above = int(self.sequences.above[i])
            moves = slice(offset[i] - first, offset[i + 1] - first)
            decisions.append((self.width if above < 0 else above - first, moves))
        return decisions

    def _behaviour(self, reach: FloatArray, dropped: float) -> FloatArray:
        """The adversary's strategy for a plan; uniform where the plan never comes."""
        answer = np.empty(self.width)
        for _, moves in self.decisions:
            total = float(reach[moves].sum())
            share = reach[moves] / total if total > dropped else 1.0 / (moves.stop - moves.start)
            answer[moves] = share
        return answer

    def _worth(self, answer: FloatArray) -> FloatArray:
        """Value each terminal history for the team against the adversary's strategy."""
        reach = np.ones(self.width + 1)
        for above, moves in self.decisions:
            reach[moves] = reach[above] * answer[moves]
        worth: FloatArray = self.paid * reach[self.at]
        return worth

    def _row(self, reached: BoolArray) -> FloatArray:
        row = np.zeros(self.width + 1)
        np.add.at(row, self.at, self.paid * reached)
        return row

    def _master(self) -> Master:
        """Solve the master programme: value, adversary's strategy and team's mixture so far."""
        from scipy.sparse import csr_array

        self.rows += [self._row(reached) for reached in self.joint_plans.reached[len(self.rows) :]]
        upper = np.column_stack([np.array(self.rows) / self.scale, -np.ones(len(self.rows))])
        equal = np.zeros((1 + len(self.decisions), self.width + 2))
        equal[0, self.width] = 1.0
        for row, (above, moves) in enumerate(self.decisions, start=1):
            equal[row, above] -= 1.0
            equal[row, moves] = 1.0
        cost = np.zeros(self.width + 2)
        cost[-1] = 1.0
        optimum = minimise(
            cost,
            csr_array(upper),
            np.zeros(len(upper)),
            csr_array(equal),
            np.eye(len(equal))[0],
            [(0.0, None)] * (self.width + 1) + [(None, None)],
        )
        if optimum.status != 0:
            raise EquilibristError(
                f"the adversary's linear programme did not come to an end: {optimum.message}",
                option="adversary",
                given=self.adversary,
            )
        # The programme is the adversary's; its dual solution is the team's mixture.
        weights = np.maximum(-np.asarray(optimum.ineqlin.marginals), 0.0)
        plan = np.maximum(optimum.x[:-1], 0.0)
        if optimum.negligible > 0.0:
            plan[plan <= optimum.negligible] = 0.0
            weights[weights <= optimum.negligible] = 0.0
        weights /= weights.sum()
        dropped = min(DROPPED, 100.0 * optimum.negligible)
        return Master(
            float(optimum.fun) * self.scale,
            payoff_met(self.paid, np.array(self.rows), weights, plan),
            weights,
            self._behaviour(plan, dropped),
            dropped,
        )
