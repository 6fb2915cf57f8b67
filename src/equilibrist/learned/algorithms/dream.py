"""DREAM: regrets of trajectories, with a learned baseline against their variance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from equilibrist.learned.trajectory_cfr import RegretAlgorithm


@dataclass(frozen=True)
class Dream(RegretAlgorithm):
    """DREAM: the rows of all iterations, with importance weights, and a learned baseline.

    The published numbers. The average is exact, as that of Single Deep CFR.
    """

    name: ClassVar[str] = "dream"
    summary: ClassVar[str] = (
        "as sd-cfr, from single trajectories, with a learned baseline against their variance"
    )
    paper: ClassVar[str] = (
        "Steinberger, Lerer, Brown: DREAM: Deep Regret Minimization with Advantage Baselines and "
        "Model-free Learning. arXiv:2006.10410, 2020"
    )
    when: ClassVar[str] = "games that can only be played, one trajectory at a time"
    targets = "expected-sarsa"
    importance = True
    row_power = 1.0
    average_power = 1.0

    walks: int = 900
    steps: int = 3000
    clip: float = 1.0
    buffer: int = 2_000_000
    warm: bool = False
