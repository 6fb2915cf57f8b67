"""Magnetic mirror descent: steps along advantages, drawn to uniform play.

A step maximises the gain less alpha times the divergence from uniform play, less 1 / eta times the
divergence from the policy of before.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from equilibrist.learned.policy_gradient import (
    LARGEST,
    PolicySettings,
    logarithm,
    softmax,
)
from equilibrist.parsing.arguments import real_number
from equilibrist.typing import FloatArray, Int64Array


@dataclass(frozen=True)
class MagneticGradient(PolicySettings):
    """Magnetic mirror descent, drawn to uniform play; temperature and step fall as 1 / sqrt(t).

    Attributes:
        step: The first step eta.
        alpha: The first temperature.
    """

    name: ClassVar[str] = "mmd"
    summary: ClassVar[str] = "mirror descent on a policy that is drawn to uniform play"
    paper: ClassVar[str] = (
        "Sokota et al.: A Unified Approach to Reinforcement Learning, Quantal Response Equilibria, "
        "and Two-Player Zero-Sum Games. ICLR 2023"
    )
    when: ClassVar[str] = "the last policy is wanted, without an average"

    step: float = 2.0
    alpha: float = 0.5

    def __post_init__(self) -> None:
        """Check the numbers; raises ConfigError."""
        super().__post_init__()
        object.__setattr__(self, "alpha", real_number("alpha", self.alpha, 0.0, LARGEST))

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
