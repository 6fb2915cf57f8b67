"""PPO with entropy: gradient steps on a clipped gain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from equilibrist.learned.logits import LEAST, logarithm, softmax
from equilibrist.learned.policy_gradient import LARGEST, PolicyAlgorithm
from equilibrist.learned.policy_losses import Choices, Loss, clipped_loss, clipped_value_loss
from equilibrist.learned.sampled_policy_gradient import MinibatchAlgorithm
from equilibrist.typing import BoolArray, FloatArray, Int64Array

_MOST_EPOCHS: Final = 10_000
"""Steps between which nobody can end the run."""


@dataclass(frozen=True)
class ProximalGradient(PolicyAlgorithm):
    """PPO with entropy: gradient steps on the clipped gain, of all actions by their probability.

    Attributes:
        step: The learning rate of the logits.
        epochs: Gradient steps of an iteration, up to 10,000.
        range: A probability gains no more once it has changed by this share.
        entropy: The weight of the entropy, which stays.
    """

    name: ClassVar[str] = "ppo-q"
    summary: ClassVar[str] = "gradient steps on clipped gains of all actions, with entropy"
    paper: ClassVar[str] = (
        "Schulman, Wolski, Dhariwal, Radford, Klimov: Proximal Policy Optimization Algorithms. "
        "arXiv:1707.06347, 2017"
    )
    when: ClassVar[str] = "as ppo, where values of histories can be learned"

    step: float = 0.5
    epochs: int = 4
    range: float = 0.1
    entropy: float = 0.05

    def __post_init__(self) -> None:
        """Check the numbers; raises ConfigError."""
        super().__post_init__()
        self._take_whole("epochs", most=_MOST_EPOCHS)
        self._take_real("range", most=LARGEST, is_above=True)
        self._take_real("entropy", most=LARGEST)

    def improved(
        self, policy: FloatArray, advantage: FloatArray, turn: int, offset: Int64Array
    ) -> FloatArray:
        """Gradient steps on sum of policy * min(r * A, clipped r * A), plus the entropy.

        Args:
            policy: float64[Q].
            advantage: float64[Q].
            turn: Number of the step; it does not matter.
            offset: int64[I + 1].

        Returns:
            float64[Q].
        """
        logits, counts = logarithm(policy), np.diff(offset)
        new = policy
        for _ in range(self.epochs):
            ratio = new / np.maximum(policy, LEAST)
            gains = np.where(advantage > 0.0, ratio < 1.0 + self.range, ratio > 1.0 - self.range)
            slope = np.where(gains, advantage, 0.0) - self.entropy * logarithm(new)
            mean = np.repeat(np.add.reduceat(new * slope, offset[:-1]), counts)
            logits = logits + self.step * new * (slope - mean)
            new = softmax(logits, offset)
        return new


@dataclass(frozen=True)
class ProximalPolicy(MinibatchAlgorithm):
    """PPO with entropy: the clipped gain of the actions that were taken.

    Attributes:
        range: A ratio of probabilities gains nothing beyond 1 + range or 1 - range.
        entropy: The weight of the entropy, which stays.
    """

    name: ClassVar[str] = "ppo"
    summary: ClassVar[str] = "the usual policy gradient: clipped gains, with entropy"
    paper: ClassVar[str] = (
        "Schulman, Wolski, Dhariwal, Radford, Klimov: Proximal Policy Optimization Algorithms. "
        "arXiv:1707.06347, 2017"
    )
    when: ClassVar[str] = "for comparison: with enough entropy the last policy does not cycle"

    range: float = 0.1
    entropy: float = 0.05

    def __post_init__(self) -> None:
        """Check the numbers; raises ConfigError."""
        super().__post_init__()
        self._take_real("range", most=LARGEST, is_above=True)
        self._take_real("entropy", most=LARGEST)

    def policy_loss(self, logits: NDArray[np.floating], legal: BoolArray, choices: Choices) -> Loss:
        """The clipped gain and the entropy."""
        return clipped_loss(logits, legal, choices, clip=self.range, entropy=self.entropy)

    def critic_loss(
        self, value: NDArray[np.floating], before: FloatArray, target: FloatArray
    ) -> Loss:
        """A quarter of the mean squared error, which gains nothing far from before."""
        weight = np.full(len(target), 0.25 / len(target))
        return clipped_value_loss(value, before, target, weight, clip=self.range)
