"""R-NaD, the method of DeepNash: replicator steps that are held near an earlier policy."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from equilibrist.learned.policy_gradient import (
    LARGEST,
    PolicySettings,
    logarithm,
    softmax,
)
from equilibrist.learned.trajectories import TreeNodes
from equilibrist.parsing.arguments import real_number, whole_number
from equilibrist.typing import FloatArray, Int64Array


@dataclass(frozen=True)
class RegularisedNash(PolicySettings):
    """R-NaD: replicator steps in a game whose payoffs hold the policy near an earlier one.

    Attributes:
        step: The learning rate of the logits.
        eta: What a player pays for the logarithm of policy over earlier policy at own moves.
        period: Turns of a player after which the present policy becomes the earlier one.
        limit: Logits stay within this of their mean.
    """

    name: ClassVar[str] = "r-nad"
    summary: ClassVar[str] = "replicator steps that are held near an earlier policy"
    paper: ClassVar[str] = (
        "Perolat et al.: Mastering the Game of Stratego with Model-Free Multiagent Reinforcement "
        "Learning. Science 378, 2022"
    )
    when: ClassVar[str] = "for comparison: the method of DeepNash"

    eta: float = 0.2
    period: int = 25
    limit: float = 2.0

    def __post_init__(self) -> None:
        """Check the numbers; raises ConfigError."""
        super().__post_init__()
        object.__setattr__(self, "period", whole_number("period", self.period, 1))
        for name in ("eta", "limit"):
            object.__setattr__(self, name, real_number(name, getattr(self, name), 0.0, LARGEST))

    def starts_period(self, turn: int) -> bool:
        """Whether the present policy becomes the earlier one before the turn-th turns, from 1."""
        return turn > 1 and (turn - 1) % self.period == 0

    def charged(
        self,
        nodes: TreeNodes,
        payoff: FloatArray,
        policy: FloatArray,
        earlier: FloatArray,
        unit: float,
    ) -> TreeNodes:
        """The game in which players pay for leaving the earlier policy.

        Args:
            nodes: The tree.
            payoff: float64[N]: payoffs of player 0 by the rules.
            policy: float64[Q]: what is played.
            earlier: float64[Q]: what was played when the period began.
            unit: The payoff that counts 1.

        Returns:
            The tree with the payoffs that advantages are learned of.
        """
        return regularised(nodes, payoff, policy, earlier, self.eta * unit)

    def improved(
        self, policy: FloatArray, advantage: FloatArray, turn: int, offset: Int64Array
    ) -> FloatArray:
        """Policy * exp(step * advantage), normalised, within the limits of logits.

        Args:
            policy: float64[Q].
            advantage: float64[Q].
            turn: Number of the step; it does not matter.
            offset: int64[I + 1].

        Returns:
            float64[Q].
        """
        logits, counts = logarithm(policy) + self.step * advantage, np.diff(offset)
        middle = np.repeat(np.add.reduceat(logits, offset[:-1]) / counts, counts)
        return softmax(np.clip(logits - middle, -self.limit, self.limit), offset)


def regularised(
    nodes: TreeNodes, payoff: FloatArray, policy: FloatArray, earlier: FloatArray, share: float
) -> TreeNodes:
    """The tree with payoffs that hold both players near an earlier policy.

    What a player pays on the way is charged at the end: it is the same for all actions below.

    Args:
        nodes: The tree.
        payoff: float64[N]: payoffs of player 0.
        policy: float64[Q].
        earlier: float64[Q].
        share: What a player pays the other for log(policy / earlier) of each own move.

    Returns:
        The same tree with other payoffs at terminals.
    """
    fee = share * (logarithm(policy) - logarithm(earlier))
    mover = np.where(nodes.parent >= 0, nodes.player[nodes.parent], 0)
    paid = np.where(nodes.move >= 0, fee[nodes.move] * np.where(mover == 0, -1.0, 1.0), 0.0)
    total = np.zeros(len(nodes.parent))
    for level in nodes.levels[1:]:
        total[level] = total[nodes.parent[level]] + paid[level]
    return replace(nodes, payoff=np.where(nodes.children > 0, 0.0, payoff + total))
