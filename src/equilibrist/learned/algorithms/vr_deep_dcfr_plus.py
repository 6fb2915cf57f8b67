"""VR-DeepDCFR+ and VR-DeepPDCFR+: networks that go on from their own discounted regrets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from equilibrist.learned.trajectory_cfr import RegretAlgorithm


@dataclass(frozen=True)
class VRDeepDCFRPlus(RegretAlgorithm):
    """VR-DeepDCFR+: the network goes on from its own regrets, discounted and cut off at 0.

    Attributes:
        alpha: Regrets of iteration t - 1 are multiplied by (t - 1)^alpha / ((t - 1)^alpha + shift).
        shift: That shift.
    """

    name: ClassVar[str] = "vr-deep-dcfr+"
    summary: ClassVar[str] = (
        "as dream, but rows of one iteration only: the network goes on from its own regrets"
    )
    paper: ClassVar[str] = (
        "Xu et al.: Deep (Predictive) Discounted Counterfactual Regret Minimization. "
        "arXiv:2511.08174, 2025"
    )
    when: ClassVar[str] = "many trajectories, and little memory for them"
    targets = "expected-sarsa"
    importance = False
    row_power = 0.0
    average_power = 2.0
    bootstrapped = True
    scaled = True

    walks: int = 10_000
    clip: float = 1.0
    fallback: str = "uniform"
    epsilon: float = 0.6
    value_batch: int = 2048
    alpha: float = 2.0
    shift: float = 1.0

    def __post_init__(self) -> None:
        """Check the numbers; raises ConfigError."""
        super().__post_init__()
        self._take_real("alpha", "shift", most=1e6)

    def discount(self, t: int) -> float:
        """What the regrets of iteration t - 1 are multiplied by in iteration t, from 1."""
        if t <= 1:
            return 0.0
        power: float = float(t - 1) ** self.alpha
        return power / (power + self.shift)


@dataclass(frozen=True)
class VRDeepPDCFRPlus(VRDeepDCFRPlus):
    """VR-DeepPDCFR+: VR-DeepDCFR+ with a second network, which expects the last regrets again."""

    name: ClassVar[str] = "vr-deep-pdcfr+"
    summary: ClassVar[str] = "vr-deep-dcfr+ that expects the last regrets to come again"
    when: ClassVar[str] = "as vr-deep-dcfr+; twice the fits, and often fewer iterations"
    predictive = True

    alpha: float = 2.3
