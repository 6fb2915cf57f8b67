"""Deep CFR and Single Deep CFR: Monte Carlo CFR whose regrets are what a network remembers.

Brown, Lerer, Gross, Sandholm, Deep counterfactual regret minimization (ICML 2019); Steinberger,
Single deep counterfactual regret minimization (2019). A player walks many times on strategies that
stay as they are; the regrets of all iterations, weighted by their number, are what a network is
fitted to; its predictions are the regrets of the next iteration.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from equilibrist.learned.algorithm import NeuralAlgorithm
from equilibrist.learned.logits import softmax_of_rows
from equilibrist.learned.regressors import FitSettings, NetworkRegressor, Regressor
from equilibrist.learned.rows import Rows
from equilibrist.learned.solver import NeuralSolver
from equilibrist.learned.walks import WalkLog
from equilibrist.solvers.sampling.external import External
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree
from equilibrist.typing import FloatArray

_WALKS, _FIRST, _BATCHES, _POLICY = range(4)
"""Purposes of seeds."""
_REGRETS, _POLICIES = "regrets", "policy"
"""What learners learn."""


@dataclass(frozen=True)
class DeepAlgorithm(NeuralAlgorithm):
    """What Deep CFR and Single Deep CFR share: they walk by external sampling."""

    @property
    def sampling(self) -> str:
        """How it samples, as checkpoints say it."""
        return "external"

    @property
    def kernels(self) -> tuple[str, ...]:
        """The kernels that it walks by."""
        return ("equilibrist.kernels.sampling.frozen.external_walks",)

    def solver(self, tree: GameTree, seed: int = 0) -> DeepCFR:
        """The solver of a game.

        Args:
            tree: The game.
            seed: Fixes all draws.
        """
        return DeepCFR(tree, self, seed)


@dataclass(frozen=True)
class SingleDeepCFR(DeepAlgorithm):
    """Single Deep CFR: all networks of regrets together are the average strategy."""

    name: ClassVar[str] = "sd-cfr"
    summary: ClassVar[str] = (
        "a network remembers the regrets; all networks, weighted by their iteration, are the "
        "average strategy"
    )
    paper: ClassVar[str] = (
        "Steinberger: Single Deep Counterfactual Regret Minimization. arXiv:1901.07621, 2019"
    )
    when: ClassVar[str] = "the first choice among networks: one fit fewer than Deep CFR, and exact"


@dataclass(frozen=True)
class DeepCFRWithPolicy(DeepAlgorithm):
    """Deep CFR: a second network is fitted to the strategies that were met.

    Attributes:
        policy_steps: Steps of Adam of a fit of that network, which starts anew.
    """

    name: ClassVar[str] = "deep-cfr"
    summary: ClassVar[str] = (
        "a network remembers the regrets, and another one the average of the strategies"
    )
    paper: ClassVar[str] = (
        "Brown, Lerer, Gross, Sandholm: Deep Counterfactual Regret Minimization. ICML 2019"
    )
    when: ClassVar[str] = "the average must be one network"

    policy_steps: int = 5000

    def __post_init__(self) -> None:
        """Check the numbers; raises ConfigError."""
        super().__post_init__()
        self._take_whole("policy_steps")

    @property
    def policy_fit(self) -> FitSettings:
        """How the networks of strategies are fitted: from new ones, to probabilities."""
        return replace(self.fit, steps=self.policy_steps, warm=False, output="softmax")


class DeepCFR(NeuralSolver):
    """Deep CFR and Single Deep CFR on a compiled game.

    With the learner "table" it is Monte Carlo CFR by external sampling whose strategies stay as
    they are for `walks` walks, with linear weights.
    """

    variant: DeepAlgorithm
    _probabilities = (_POLICIES,)

    def __init__(self, tree: GameTree, method: DeepAlgorithm, seed: int = 0) -> None:
        """Prepare to solve a game.

        Args:
            tree: The game.
            method: The algorithm with its numbers.
            seed: Fixes all draws.
        """
        super().__init__(tree, method, seed)
        players = range(tree.num_players)
        key = np.uint64(self.seed_of(_WALKS))
        self._log = WalkLog(tree, self.features, External(), key)
        self._own = [np.flatnonzero(tree.infoset_player == p).astype(np.int32) for p in players]
        self._rows = [self._rows_of(p) for p in players]
        self._learners = {
            f"{_REGRETS}.{p}": self._new_learner(method.fit, self.seed_of(_FIRST, p))
            for p in players
        }
        self._policies: list[Rows] = []
        if isinstance(method, DeepCFRWithPolicy):
            self._policies = [self._rows_of(tree.num_players + p) for p in players]
        self._policy: tuple[int, list[Regressor]] = (-1, [])
        self._stores |= {f"rows.{p}.": rows for p, rows in enumerate(self._rows)}
        self._stores |= {f"{_POLICIES}.{p}.": rows for p, rows in enumerate(self._policies)}

    def _rows_of(self, number: int) -> Rows:
        return self._new_rows(
            self.variant.buffer, self.features.outputs, self.seed_of(_FIRST, number)
        )

    def _learn(self, player: int, turn: int) -> None:
        iteration, weight = self._iteration + 1, float(turn)
        walked = self._log.run(self._regret, player, iteration, self.variant.walks)
        name = f"{_REGRETS}.{player}"
        rows, learner = self._rows[player], self._learners[name]
        rows.add(walked.infoset, walked.regret, weight * walked.scale, turn)
        if self._policies:
            self._add_policies(walked.others, weight, turn)
        self._touched += walked.touched
        if len(rows):
            report = learner.fit(rows, self.seed_of(_BATCHES, iteration))
            self.losses[name] = report.losses[-1]
            self._fill(player)
        if not self._policies:
            self._tabulate(player, weight)

    def _fill(self, player: int) -> None:
        """Let a player's regrets be what their learner says."""
        own = self._own[player]
        predicted = np.array(self._learners[f"{_REGRETS}.{player}"].predict(own), dtype=np.float64)
        mask = self.features.mask[own]
        if self.variant.fallback == "largest":
            legal = np.where(mask, predicted, -np.inf)
            best = legal.argmax(axis=1)
            none = (legal.max(axis=1) <= 0.0) & np.where(mask, predicted != 0.0, False).any(axis=1)
            predicted[none, best[none]] = 1.0
        table = np.zeros(self.features.mask.shape)
        table[own] = predicted
        actions = self._owner == player
        self._regret[actions] = self.features.to_actions(table)[actions]

    def _add_policies(self, others: FloatArray, weight: float, turn: int) -> None:
        """Add the strategies of the others at the infosets that were met, a row each.

        Strategies stay as they are during an iteration: one row with the number of visits stands
        for as many equal ones.
        """
        offset = self.tree.action_offset
        visits = np.add.reduceat(others, offset[:-1]) if len(offset) > 1 else others
        met = np.flatnonzero(visits > 0.0).astype(np.int32)
        table = self.features.to_outputs(others)
        for player, policies in enumerate(self._policies):
            own = met[self.tree.infoset_player[met] == player]
            shares = table[own] / visits[own][:, None]
            policies.add(own, shares, weight * visits[own], turn)
        self._strategy_sum += weight * others

    def average_strategy(self) -> Strategy:
        """Give the average strategy: the mixture of all networks, or what the second one says.

        Returns:
            A copy; uniform at infosets that nobody has met.
        """
        if not self._policies or self._is_tabular:
            return super().average_strategy()
        table = np.zeros(self.features.mask.shape)
        for own, learner in zip(self._own, self._fitted_policies(), strict=True):
            table[own] = softmax_of_rows(learner.predict(own), self.features.mask[own])
        return Strategy(self.tree, self.features.to_actions(table).astype(np.float64))

    def _fitted_policies(self) -> list[Regressor]:
        """The networks of strategies of the present iteration, which are fitted once."""
        if self._policy[0] != self._iteration:
            assert isinstance(self.variant, DeepCFRWithPolicy)
            learners = []
            for player, rows in enumerate(self._policies):
                learner = self._new_learner(self.variant.policy_fit, self.seed_of(_FIRST, player))
                if isinstance(learner, NetworkRegressor):
                    learner.stop = self.should_stop
                if len(rows):
                    seed = self.seed_of(_POLICY, self._iteration, player)
                    losses = learner.fit(rows, seed).losses
                    if losses:  # none where the fit ended at once, as the run
                        self.losses[f"{_POLICIES}.{player}"] = losses[-1]
                learners.append(learner)
            self._policy = (self._iteration, learners)
        return self._policy[1]

    def _all_learners(self) -> Mapping[str, Regressor]:
        if not self._policies or self._policy[0] != self._iteration:
            return self._learners
        policies = {f"{_POLICIES}.{p}": learner for p, learner in enumerate(self._policy[1])}
        return self._learners | policies

    def _take(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        super()._take(arrays)
        self._policy = (-1, [])
