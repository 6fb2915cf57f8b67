"""Magnetic mirror descent: steps along advantages, drawn to uniform play.

A step maximises the gain less alpha times the divergence from uniform play, less 1 / eta times the
divergence from the policy of before.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from equilibrist.learned.logits import logarithm, softmax
from equilibrist.learned.policy_gradient import LARGEST, PolicyAlgorithm
from equilibrist.learned.policy_losses import Choices, Loss, magnetic_loss, value_loss
from equilibrist.learned.sampled_policy_gradient import MinibatchAlgorithm
from equilibrist.typing import BoolArray, FloatArray, Int64Array


@dataclass(frozen=True)
class MagneticGradient(PolicyAlgorithm):
    """Magnetic mirror descent, drawn to uniform play; temperature and step fall as 1 / sqrt(t).

    Attributes:
        step: The first step eta.
        alpha: The first temperature.
    """

    name: ClassVar[str] = "mmd-q"
    summary: ClassVar[str] = "mirror descent in closed form, on learned values of all actions"
    paper: ClassVar[str] = (
        "Sokota et al.: A Unified Approach to Reinforcement Learning, Quantal Response Equilibria, "
        "and Two-Player Zero-Sum Games. ICLR 2023"
    )
    when: ClassVar[str] = "as mmd, where values of histories can be learned"

    step: float = 2.0
    alpha: float = 0.5

    def __post_init__(self) -> None:
        """Check the numbers; raises ConfigError."""
        super().__post_init__()
        self._take_real("alpha", most=LARGEST)

    def improved(
        self, policy: FloatArray, advantage: FloatArray, turn: int, offset: Int64Array
    ) -> FloatArray:
        """(policy * exp(eta * advantage)) ^ (1 / (1 + alpha * eta)), normalised.

        Args:
            policy: float64[Q].
            advantage: float64[Q].
            turn: Number of the step, from 1.
            offset: int64[I + 1].

        Returns:
            float64[Q].
        """
        eta, alpha = self.step / turn**0.5, self.alpha / turn**0.5
        return softmax((logarithm(policy) + eta * advantage) / (1.0 + alpha * eta), offset)


@dataclass(frozen=True)
class MagneticPolicy(MinibatchAlgorithm):
    """Magnetic mirror descent: PPO's rows, with divergences in the place of the clip.

    Attributes:
        alpha: The temperature: how much the policy is drawn to even play.
        kl: How much it is held at the policy of before; one over the step of mirror descent.
    """

    name: ClassVar[str] = "mmd"
    summary: ClassVar[str] = "a policy gradient that is held at its last policy and at even play"
    paper: ClassVar[str] = (
        "Sokota et al.: A Unified Approach to Reinforcement Learning, Quantal Response Equilibria, "
        "and Two-Player Zero-Sum Games. ICLR 2023"
    )
    when: ClassVar[str] = "the last policy is wanted, without an average"

    alpha: float = 0.05
    kl: float = 0.05

    def __post_init__(self) -> None:
        """Check the numbers; raises ConfigError."""
        super().__post_init__()
        self._take_real("alpha", "kl", most=LARGEST)

    def policy_loss(self, logits: NDArray[np.floating], legal: BoolArray, choices: Choices) -> Loss:
        """The gain, less both divergences."""
        return magnetic_loss(logits, legal, choices, alpha=self.alpha, kl=self.kl)

    def critic_loss(
        self, value: NDArray[np.floating], before: FloatArray, target: FloatArray
    ) -> Loss:
        """A quarter of the mean squared error."""
        return value_loss(value, target, np.full(len(target), 0.25 / len(target)))
