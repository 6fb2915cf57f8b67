"""Policy gradients of all actions: steps of mirror descent, PPO and R-NaD on learned advantages.

A player moves along learned advantages of their actions; the three differ in the regulariser that
makes the last policy converge. Advantages come from trajectories whose draws are corrected by
learned values of histories, as with DREAM, instead of from the returns of single actions. The new
policy of an infoset is worked out in closed form or by a few gradient steps, and then learned by
the network that is the policy. The published losses are in `sampled_policy_gradient`.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from equilibrist.learned.advantages import AdvantageAlgorithm, AdvantageSolver
from equilibrist.learned.logits import softmax
from equilibrist.learned.trajectories import TreeNodes
from equilibrist.solvers.run.state import in_proportion
from equilibrist.tree.compile import GameTree
from equilibrist.typing import FloatArray, Int64Array

_ADVANTAGES: Final = "advantages"
_POLICY: Final = "policy"
"""What learners learn."""
LARGEST: Final = 1e6
"""The largest step, temperature, fee or limit."""


@dataclass(frozen=True)
class PolicyAlgorithm(AdvantageAlgorithm):
    """The numbers of a policy gradient.

    Attributes:
        step: The step along advantages, which are in units of the largest payoff.
    """

    targets = "expected-sarsa"
    scaled = True

    walks: int = 2000
    steps: int = 100
    batch: int = 512
    clip: float = 1.0
    buffer: int = field(default=1_000_000, init=False)
    fallback: str = field(default="uniform", init=False)
    epsilon: float = 0.1
    value_steps: int = 100
    step: float = 1.0

    def __post_init__(self) -> None:
        """Check the numbers; raises ConfigError."""
        super().__post_init__()
        self._take_real("step", most=LARGEST, is_above=True)

    @abstractmethod
    def improved(
        self, policy: FloatArray, advantage: FloatArray, turn: int, offset: Int64Array
    ) -> FloatArray:
        """The policy after a step.

        Args:
            policy: float64[Q]: that of before.
            advantage: float64[Q]: what each action is worth less what the policy is worth, in
                units of the largest payoff.
            turn: Number of the step, from 1.
            offset: int64[I + 1]: where the actions of each infoset begin, and the end of the last.

        Returns:
            float64[Q].
        """

    def starts_period(self, turn: int) -> bool:
        """Whether the present policy becomes the earlier one before the turn-th turns, from 1."""
        return False

    def charged(
        self,
        nodes: TreeNodes,
        payoff: FloatArray,
        policy: FloatArray,
        earlier: FloatArray,
        unit: float,
    ) -> TreeNodes:
        """The game that is learned: as it is, unless players are held near an earlier policy.

        Args:
            nodes: The tree.
            payoff: float64[N]: payoffs of player 0 by the rules.
            policy: float64[Q]: what is played.
            earlier: float64[Q]: what was played when the period began.
            unit: The payoff that counts 1.

        Returns:
            The tree with the payoffs that advantages are learned of.
        """
        return nodes

    def solver(self, tree: GameTree, seed: int = 0) -> PolicyGradient:
        """The solver of a game.

        Args:
            tree: The game.
            seed: Fixes all draws.
        """
        return PolicyGradient(tree, self, seed)


class PolicyGradient(AdvantageSolver):
    """Policy gradients on a compiled game; the last policy is the answer.

    With the learner "table" advantages are means by infoset, and policies of infosets that were met
    become exactly what the step says.
    """

    variant: PolicyAlgorithm
    _kinds = (_ADVANTAGES, _POLICY)
    _probabilities = (_POLICY,)
    _tables: tuple[str, ...] = (*AdvantageSolver._tables, "earlier")

    def __init__(self, tree: GameTree, method: PolicyAlgorithm, seed: int = 0) -> None:
        """Prepare to solve a game of two players and zero sum.

        Args:
            tree: The game.
            method: The algorithm with its numbers.
            seed: Fixes all draws.

        Raises:
            ConfigError: The game is not of two players and zero sum.
        """
        super().__init__(tree, method, seed)
        self._payoff = self.nodes.payoff
        self._regret[:] = in_proportion(self._regret, tree.action_offset)
        self._strategy_sum[:] = self._regret
        self._earlier = self._regret.copy()

    def _learn(self, player: int, turn: int) -> None:
        method = self.variant
        if player == 0 and method.starts_period(turn):
            self._earlier = self._regret.copy()
        self.nodes = method.charged(
            self.nodes, self._payoff, self._regret, self._earlier, self._unit
        )
        sampled = self._sample(player)
        name = f"{_ADVANTAGES}.{player}"
        self._fit_once(name, sampled.infoset, sampled.target)
        advantage = self._by_action(name)
        improved = method.improved(self._regret, advantage, turn, self.tree.action_offset)
        self._follow(player, improved, sampled.infoset)
        self._fit_transitions(sampled.ends)

    def _follow(self, player: int, improved: FloatArray, met: Int64Array) -> None:
        """Let the policy learn what it should be at the infosets that were met."""
        name = f"{_POLICY}.{player}"
        if self._is_tabular:
            was_met = np.zeros(self.tree.num_infosets, dtype=np.bool_)
            was_met[met] = True
            own = was_met[self.features.infoset_of]
            self._regret[own] = improved[own]
        else:
            self._fit_once(name, met, self.features.to_outputs(improved)[met])
            own = self._owner == player
            logits = self._by_action(name)
            self._regret[own] = softmax(logits, self.tree.action_offset)[own]
        self._strategy_sum[:] = self._regret
