"""Teams against an adversary: members agree on joint plans beforehand and cannot talk during play.

TMECor, the team-maxmin equilibrium with coordination (Celli and Gatti, Computational results for
extensive-form adversarial team games, AAAI 2018): the team draws a joint pure plan from a mixture
that the adversary knows. Found by column generation: a linear programme over the adversary's plan
against the joint plans found so far, and the best joint plan against it, which is a mixed-integer
programme, until no joint plan earns more.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from equilibrist.equilibria.device import CorrelationDevice
from equilibrist.errors import EquilibristError, UnsupportedError
from equilibrist.evaluation.coalitions import Coalition, JointPlan, best_plan
from equilibrist.evaluation.sequences import Sequences
from equilibrist.parsing.arguments import whole_number
from equilibrist.tree.compile import GameTree
from equilibrist.typing import BoolArray, FloatArray

TOLERANCE = 1e-7
"""The search ends when no joint plan earns more than this share of the payoff range more."""
_STARTS = 8
"""Joint plans from which each round looks for better ones before the mixed-integer programme."""
_DROPPED = 1e-9
"""Weights in the mixture up to this are rounding."""


@dataclass(frozen=True)
class TeamMaxmin:
    """The best that a team secures against an adversary, and how.

    Attributes:
        team: The members.
        adversary: The player who plays against them.
        value: What the mixture earns the team, all members together, against its best response.
        bound: No mixture secures more: what the best joint plan earns against the adversary's
            strategy in `device`.
        device: The joint plans with a weight above 0. In each of them the adversary plays one
            strategy, which holds the team to `bound`.
        plans: Of each joint plan, the actions of each member by infoset, where they get to.
        columns: How many joint plans were found in all.
        iterations: How many linear programmes were solved.
        proofs: How many mixed-integer programmes were.
        constant_sum: Whether all payoffs add up to the same sum at every terminal history. If not,
            `value` is a maxmin value, but the adversary may have a better response for themselves.
    """

    team: tuple[int, ...]
    adversary: int
    value: float
    bound: float
    device: CorrelationDevice
    plans: tuple[tuple[dict[str, str], ...], ...]
    columns: int
    iterations: int
    proofs: int
    constant_sum: bool

    @property
    def support(self) -> int:
        """How many joint plans the mixture draws from."""
        return len(self.device)

    @property
    def gap(self) -> float:
        """`bound` less `value`: what a better mixture might secure at most."""
        return self.bound - self.value


def team_maxmin(tree: GameTree, adversary: int, *, seed: int = 0) -> TeamMaxmin:
    """Find the best mixture of joint plans of all players but one against that one.

    Args:
        tree: A compiled game of three or more players, of perfect recall.
        adversary: The player, from 0, whom all others play against as a team. They share payoffs.
        seed: Of the joint plans from which local search begins; the value does not depend on it.

    Returns:
        The mixture, what it secures, and the bound that proves it.

    Raises:
        UnsupportedError: There are fewer than three players, or more than 20,000 combinations of
            the team's sequences at terminal histories.
        RecallError: A player forgets their own past.
        ConfigError: There is no such player.
    """
    sequences = Sequences.of(tree)
    whole_number("adversary", adversary, 0, tree.num_players - 1)
    whole_number("seed", seed, 0)
    if tree.num_players < 3:
        raise UnsupportedError(
            f"{tree.name} has {tree.num_players} players; a team needs two against one",
            option="players",
            given=tree.num_players,
            expected=3,
            remedy="take a game of three or more players",
        )
    search = _Search(sequences, adversary, seed)
    return search.run()


class _Search:
    """One run of column generation."""

    def __init__(self, sequences: Sequences, adversary: int, seed: int) -> None:
        self.sequences, self.adversary = sequences, adversary
        self.tree = sequences.tree
        self.team = tuple(p for p in range(self.tree.num_players) if p != adversary)
        self.coalition = Coalition(sequences, self.team)
        self.rng = np.random.default_rng(seed)
        self.own = sequences.own(adversary)
        self.width = self.own.stop - self.own.start
        at = sequences.leaf_sequence[:, adversary]
        self.at = np.where(at < 0, self.width, at - self.own.start)  # the empty sequence is last
        self.paid = sequences.leaf_chance * sequences.payoff[:, list(self.team)].sum(axis=1)
        self.plans: list[BoolArray] = []
        self.rows: list[FloatArray] = []
        self.known: set[bytes] = set()

    def run(self) -> TeamMaxmin:
        tolerance = TOLERANCE * (self.tree.payoff_range or 1.0)
        uniform = self._behaviour(np.ones(self.width + 1))
        self._add(self.coalition.improved(self._worth(uniform), self._random()))
        iterations, proofs = 0, 0
        while True:
            level, answer, weights = self._master()
            iterations += 1
            worth = self._worth(answer)
            if self._search(worth, level + tolerance):
                continue
            best = self.coalition.best(worth)
            proofs += 1
            if best.value <= level + tolerance or not self._add(best):
                return self._result(best.bound, answer, weights, iterations, proofs)

    def _search(self, worth: FloatArray, level: float) -> bool:
        """Add joint plans worth more than `level` that local search finds; whether it found any."""
        fresh = False
        starts = [self.plans[k] for k in self.rng.permutation(len(self.plans))[: _STARTS // 2]]
        starts += [self._random() for _ in range(_STARTS - len(starts))]
        for start in starts:
            plan = self.coalition.improved(worth, start)
            fresh |= plan.value > level and self._add(plan)
        return fresh

    def _add(self, plan: JointPlan) -> bool:
        """Keep a joint plan; False if it is known, judged by the histories that it allows."""
        reached = self.coalition.reached(plan.plays)
        name = reached.tobytes()
        if name in self.known:
            return False
        self.known.add(name)
        self.plans.append(plan.plays)
        row = np.zeros(self.width + 1)
        np.add.at(row, self.at, self.paid * reached)
        self.rows.append(row)
        return True

    def _random(self) -> BoolArray:
        """Plans of all members, drawn at random."""
        plays = np.zeros(int(self.tree.action_offset[-1]), dtype=bool)
        for member in self.team:
            worth = self.rng.random(len(plays) + 1)
            plays[self.sequences.own(member)] = best_plan(self.sequences, member, worth)[1]
        return plays

    def _behaviour(self, reach: FloatArray) -> FloatArray:
        """The adversary's strategy for a plan; uniform where the plan never comes."""
        answer = np.empty(self.width)
        for _, _, moves in self._decisions():
            total = float(reach[moves].sum())
            share = reach[moves] / total if total > _DROPPED else 1.0 / (moves.stop - moves.start)
            answer[moves] = share
        return answer

    def _decisions(self) -> list[tuple[int, int, slice]]:
        """Each infoset of the adversary: its number, the sequence above and its actions."""
        offset = self.tree.action_offset.tolist()
        first, found = self.own.start, []
        for i in self.sequences.infosets(self.adversary):
            above = int(self.sequences.above[i])
            moves = slice(offset[i] - first, offset[i + 1] - first)
            found.append((i, self.width if above < 0 else above - first, moves))
        return found

    def _worth(self, answer: FloatArray) -> FloatArray:
        """What each terminal history is worth to the team against the adversary's strategy."""
        reach = np.ones(self.width + 1)
        for _, above, moves in self._decisions():
            reach[moves] = reach[above] * answer[moves]
        worth: FloatArray = self.paid * reach[self.at]
        return worth

    def _master(self) -> tuple[float, FloatArray, FloatArray]:
        """What the joint plans so far secure, the adversary's strategy, and the team's mixture."""
        from scipy.optimize import linprog
        from scipy.sparse import csr_array

        scale = self.tree.payoff_range or 1.0
        upper = np.column_stack([np.array(self.rows) / scale, -np.ones(len(self.rows))])
        decisions = self._decisions()
        equal = np.zeros((1 + len(decisions), self.width + 2))
        equal[0, self.width] = 1.0
        for row, (_, above, moves) in enumerate(decisions, start=1):
            equal[row, above] -= 1.0
            equal[row, moves] = 1.0
        cost = np.zeros(self.width + 2)
        cost[-1] = 1.0
        found = linprog(
            cost,
            A_ub=csr_array(upper),
            b_ub=np.zeros(len(upper)),
            A_eq=csr_array(equal),
            b_eq=np.eye(len(equal))[0],
            bounds=[(0.0, None)] * (self.width + 1) + [(None, None)],
            method="highs-ds",
            options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
        )
        if found.status != 0:
            raise EquilibristError(
                f"the adversary's linear programme did not come to an end: {found.message}",
                option="adversary",
                given=self.adversary,
            )
        weights = np.maximum(-np.asarray(found.ineqlin.marginals), 0.0)
        answer = self._behaviour(np.maximum(found.x[:-1], 0.0))
        return float(found.fun) * scale, answer, weights / weights.sum()

    def _result(
        self, bound: float, answer: FloatArray, weights: FloatArray, iterations: int, proofs: int
    ) -> TeamMaxmin:
        drawn = np.flatnonzero(weights > _DROPPED)
        drawn = drawn[np.argsort(-weights[drawn], kind="stable")]
        weights = weights[drawn] / weights[drawn].sum()
        paid = weights @ np.array([self.rows[k] for k in drawn])
        costs = np.zeros(int(self.tree.action_offset[-1]) + 1)
        costs[self.own], costs[-1] = -paid[:-1], -paid[-1]
        value = -best_plan(self.sequences, self.adversary, costs)[0]
        rows = np.array([self._profile(self.plans[k]) for k in drawn])
        rows[:, self.own] = answer
        return TeamMaxmin(
            self.team,
            self.adversary,
            value,
            max(value, bound),
            CorrelationDevice(self.tree, weights, rows),
            tuple(self._words(self.plans[k]) for k in drawn),
            len(self.plans),
            iterations,
            proofs,
            self.tree.is_constant_sum,
        )

    def _profile(self, plays: BoolArray) -> FloatArray:
        """A joint plan as pure strategies; the first action where it says nothing."""
        row = plays.astype(np.float64)
        first = self.tree.action_offset[:-1]
        row[first] += np.add.reduceat(row, first) == 0.0
        return row

    def _words(self, plays: BoolArray) -> tuple[dict[str, str], ...]:
        """The actions of each member where their own moves lead."""
        tree, found = self.tree, []
        for member in self.team:
            own = self.sequences.own(member)
            taken = np.flatnonzero(plays[own]) + own.start
            infosets = np.searchsorted(tree.action_offset, taken, side="right") - 1
            pairs = zip(infosets.tolist(), taken.tolist(), strict=True)
            found.append(
                {
                    tree.infoset_keys[i]: tree.action_labels[i][s - int(tree.action_offset[i])]
                    for i, s in pairs
                }
            )
        return tuple(found)
