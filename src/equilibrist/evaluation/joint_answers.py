"""The lead of one way to play on over others, against three or more players' exact worst answers.

Several opponents choose without knowing what the others know. Their joint pure plans are too many
to list: rows of the linear programme are added as the answers of a coalition call for them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from equilibrist.errors import EquilibristError
from equilibrist.evaluation.coalitions import Coalition, JointPlan
from equilibrist.evaluation.play_below import PlayBelow
from equilibrist.evaluation.row_domination import PROVEN, ROUNDING, PlanLead, clear_lead
from equilibrist.evaluation.sequences import Sequences
from equilibrist.solvers.matrix.highs import minimise
from equilibrist.typing import BoolArray, FloatArray

_STARTS = 4


class AnswerRow(NamedTuple):
    """What a joint answer of the others does to play through an infoset, and to one plan of it.

    Attributes:
        earns: float64[own sequences], their payoffs against the answer.
        reach: The probability, by chance, with which the plan meets the answer.
        plan_earns: What the plan earns against it.
    """

    earns: FloatArray
    reach: float
    plan_earns: float


class JointAnswers:
    """What the others may answer to play through one infoset.

    Args:
        sequences: The game's sequences.
        below: The player's play from the infoset on.
        scale: What payoffs are divided by.
    """

    def __init__(self, sequences: Sequences, below: PlayBelow, scale: float) -> None:
        self.below = below
        tree, player = sequences.tree, below.player
        public = np.full(below.own.size, -1, dtype=np.int64)
        for (_, infoset), moves in below.own.decisions.items():
            for action, sequence in moves.items():
                public[sequence] = tree.action_offset[infoset] + action
        place = np.full(int(tree.action_offset[-1]) + 1, -1, dtype=np.int64)
        place[public[1:]] = np.arange(1, below.own.size)
        own = place[sequences.leaf_sequence[:, player]]
        leaves = np.flatnonzero((own > 0) & (sequences.leaf_chance > 0.0))
        self.own = own[leaves]
        self.chance = sequences.leaf_chance[leaves] / sequences.leaf_chance[leaves].max()
        self.paid = self.chance * sequences.centred[leaves, player] / scale
        members = tuple(p for p in range(tree.num_players) if p != player)
        self.coalition = Coalition(
            sequences, members, removed=frozenset(below.removed), leaves=leaves
        )
        # What sums over terminal histories may be off.
        self.rounding = ROUNDING * max(1.0, float(self.chance.sum()))
        self.rng = np.random.default_rng(0)
        self.answers: list[BoolArray] = []

    def lead(
        self,
        plans: list[frozenset[int]],
        needed: float,
        lower: Callable[[], float] | None = None,
        *,
        fixed: bool,
    ) -> float:
        """The largest lead of one own plan over all of `plans`, per visit of the infoset.

        Args:
            plans: Sets of own sequences, as `below` numbers them.
            needed: A lead below this many times what it may be off need not be known exactly.
            lower: Gives a lower bound; where the lead found so far meets it nothing is left to
                prove.
            fixed: Ask for a lead of at least 0 against all answers, and measure it against others
                who play uniformly, not per visit.

        Returns:
            The lead, in payoff units over `scale`, 0 where it is no larger than rounding; an upper
            bound of it, if it is less than is `needed`.
        """
        inside = [np.isin(self.own, list(plan)) for plan in plans]
        if not self.answers:
            self.answers += [self.coalition.drawn(self.rng) for _ in range(_STARTS)]
        rows = [self._row(answer, plan) for answer in self.answers for plan in inside]
        proving = False
        while True:
            lead, off, own = self._master(rows, inside, fixed=fixed)
            if lead < needed * off:
                return lead
            gains = own[self.own] * self.paid
            asked = 0.0 if fixed else lead
            worths = [plan * (self.paid + asked * self.chance) - gains for plan in inside]
            fresh = [plays for worth in worths for plays in self._violated(worth, off, proving)]
            fresh = [plays for plays in fresh if not self._is_counted(plays)]
            self.answers += fresh
            rows += [self._row(answer, plan) for answer in fresh for plan in inside]
            if fresh:
                continue
            if proving or (lower is not None and lead <= lower() + 2.0 * off):
                return clear_lead(lead, off)
            # Only now by mixed-integer programmes, which take far longer than local search.
            proving = True

    def _violated(self, worth: FloatArray, off: float, proving: bool) -> list[BoolArray]:
        """An answer that breaks a row, if there is one; if not `proving`, one easily found."""
        best = self._easily(worth)
        if proving and best.value <= off:
            best = self.coalition.best(worth)
        return [best.plays] if best.value > off else []

    def _is_counted(self, plays: BoolArray) -> bool:
        """Whether an answer breaks a row by rounding alone: it has rows already."""
        return any(np.array_equal(plays, answer) for answer in self.answers)

    def _easily(self, worth: FloatArray) -> JointPlan:
        """The best answer that local search finds from the last ones."""
        plans = [self.coalition.improved(worth, start) for start in self.answers[-_STARTS:]]
        return max(plans, key=lambda plan: plan.value)

    def _row(self, answer: BoolArray, plan: BoolArray) -> AnswerRow:
        """The row of an answer and one of the plans that the own plan is to lead over."""
        reached = self.coalition.reached(answer)
        earns = np.zeros(self.below.own.size)
        np.add.at(earns, self.own, self.paid * reached)
        allowed = plan & reached
        return AnswerRow(
            earns=earns,
            reach=float(self.chance[allowed].sum()),
            plan_earns=float(self.paid[allowed].sum()),
        )

    def _master(self, rows: list[AnswerRow], plans: list[BoolArray], *, fixed: bool) -> PlanLead:
        """The own plan with the largest lead against the answers so far."""
        size = self.below.own.size
        ahead = np.array([[*row.earns, 0.0 if fixed else -row.reach] for row in rows])
        right = np.array([row.plan_earns for row in rows])
        if fixed:
            likely = self._uniform()
            earns = np.bincount(self.own, self.paid * likely, minlength=size)
            for plan in plans:
                ahead = np.vstack([ahead, [*earns, -1.0]])
                right = np.append(right, float((self.paid * likely)[plan].sum()))
        equal = np.zeros((1 + len(self.below.own.decisions), size + 1))
        equal[0, 0] = 1.0
        for i, ((above, _), moves) in enumerate(self.below.own.decisions.items(), start=1):
            equal[i, above] = -1.0
            equal[i, list(moves.values())] = 1.0
        cost = np.zeros(size + 1)
        cost[-1] = -1.0
        most = float(np.abs(self.paid).sum()) + 2.0
        optimum = minimise(
            cost,
            -ahead,
            -right,
            equal,
            np.eye(len(equal))[0],
            [(0.0, None)] * size + [(-most, most)],
            proven=PROVEN,
        )
        if fixed and optimum.status == 2:  # nothing is never behind
            return PlanLead(-most, ROUNDING, np.zeros(size))
        if optimum.status != 0:
            key = self.below.histories.tree.infoset_keys[self.below.infoset]
            raise EquilibristError(
                f"a linear programme for infoset {key!r} did not come to an end: {optimum.message}",
                option="infoset",
                given=key,
            )
        own = np.where(optimum.x[:size] > optimum.negligible, optimum.x[:size], 0.0)
        off = float(optimum.worst) + self.rounding * min(1.0, float(optimum.size))
        return PlanLead(-float(optimum.fun), off, own)

    def _uniform(self) -> FloatArray:
        """The chance that others who play uniformly allow each terminal history."""
        sequences, removed = self.coalition.sequences, self.below.removed
        offset = sequences.tree.action_offset.tolist()
        reach = np.ones(offset[-1] + 1)
        for i, above in enumerate(sequences.above.tolist()):
            moves = range(offset[i], offset[i + 1])
            left = [s for s in moves if s not in removed]
            for s in moves:
                reach[s] = reach[above] / len(left) if s in left else 0.0
        at = sequences.leaf_sequence[self.coalition.leaves][:, list(self.coalition.members)]
        likely: FloatArray = reach[at].prod(axis=1)
        return likely
