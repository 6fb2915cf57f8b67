"""The regrets of all players of a matrix game, and the sums that a result reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from equilibrist.reference.matching import regret_matching
from equilibrist.solvers.matrix.matching_result import ByAction, MatchingResult, MatchingStep
from equilibrist.solvers.matrix.normal_form import NormalForm
from equilibrist.typing import FloatArray


class Matcher:
    """The regrets of all players, and the sums that the result reports."""

    def __init__(self, form: NormalForm, regrets: list[FloatArray], plus: bool) -> None:
        self.form = form
        self.plus = plus
        self.regrets = regrets
        self.true_regrets = [np.zeros(len(a)) for a in form.actions]
        self.strategies = tuple(np.array(regret_matching(list(r))) for r in regrets)
        self.strategy_sums = [np.zeros(len(a)) for a in form.actions]
        self.payoff_sums = np.zeros(form.num_players)
        self.joint_sum = np.zeros(form.payoffs.shape[:-1])

    @property
    def sums(self) -> dict[str, tuple[FloatArray, ...]]:
        """What grows with each iteration, by name; not copies."""
        return {
            "regrets": tuple(self.regrets),
            "true_regrets": tuple(self.true_regrets),
            "strategy_sums": tuple(self.strategy_sums),
            "payoff_sums": (self.payoff_sums,),
            "joint_sum": (self.joint_sum,),
        }

    def adopt(self, arrays: Mapping[str, tuple[FloatArray, ...]]) -> None:
        """Take over `sums` of another one."""
        for name, own in self.sums.items():
            for array, there in zip(own, arrays[name], strict=True):
                array[...] = there
        self.strategies = tuple(np.array(regret_matching(list(r))) for r in self.regrets)

    def step(self, iteration: int, cell: tuple[int, ...] | None, *, record: bool) -> MatchingStep:
        """All players play `cell` (or, if None, in expectation) and updates."""
        form, before = self.form, self.strategies
        instants = []
        payoffs = np.empty(form.num_players)
        for i in range(form.num_players):
            if cell is None:
                values = form.expected_action_values(i, before)
                payoffs[i] = before[i] @ values
            else:
                values = form.action_values(i, cell)
                payoffs[i] = values[cell[i]]
            instants.append(values - payoffs[i])
        for i, instant in enumerate(instants):
            self.true_regrets[i] += instant
            self.regrets[i] += instant
            if self.plus:
                np.maximum(self.regrets[i], 0.0, out=self.regrets[i])
            self.strategy_sums[i] += before[i]
        self.payoff_sums += payoffs
        self._add_joint(cell, before)
        self.strategies = tuple(np.array(regret_matching(list(r))) for r in self.regrets)
        if not record:
            return _NOTHING
        labels = form.actions
        return MatchingStep(
            iteration,
            None if cell is None else tuple(labels[i][a] for i, a in enumerate(cell)),
            by_name(labels, before),
            tuple(float(u) for u in payoffs),
            by_name(labels, instants),
            by_name(labels, self.regrets),
            by_name(labels, self.strategies),
        )

    def _add_joint(self, cell: tuple[int, ...] | None, strategies: tuple[FloatArray, ...]) -> None:
        if cell is not None:
            self.joint_sum[cell] += 1.0
            return
        joint = strategies[0]
        for sigma in strategies[1:]:
            joint = np.multiply.outer(joint, sigma)
        self.joint_sum += joint

    def result(
        self,
        iterations: int,
        sampled: bool,
        source: np.random.SeedSequence | None,
        steps: tuple[MatchingStep, ...],
    ) -> MatchingResult:
        """Divide the sums by the number of iterations."""
        form, labels = self.form, self.form.actions
        players = range(form.num_players)
        widths = [float(np.ptp(form.payoffs[..., i])) for i in players]
        entropy = source.entropy if source is not None else None
        return MatchingResult(
            game=form.name,
            iterations=iterations,
            plus=self.plus,
            sampled=sampled,
            seed=entropy if isinstance(entropy, int) else None,
            average_strategy=by_name(labels, [s / iterations for s in self.strategy_sums]),
            current_strategy=by_name(labels, self.strategies),
            average_payoffs=tuple(float(u) for u in self.payoff_sums / iterations),
            average_regrets=by_name(labels, [r / iterations for r in self.true_regrets]),
            bound_average_regret=tuple(
                widths[i] * (len(labels[i]) / iterations) ** 0.5 for i in players
            ),
            joint_play=self.joint_sum / iterations,
            trace=steps,
        )


_NOTHING = MatchingStep(0, None, (), (), (), (), ())


def by_name(
    labels: tuple[tuple[str, ...], ...], rows: Sequence[FloatArray]
) -> tuple[ByAction, ...]:
    """Rows of numbers, one per player, by the names of the actions."""
    return tuple(
        dict(zip(names, (float(x) for x in row), strict=True))
        for names, row in zip(labels, rows, strict=True)
    )
