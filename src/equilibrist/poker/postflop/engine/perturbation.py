"""What keeps play alive everywhere: trembles, or logit responses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from equilibrist.kernels.poker.postflop_arrays import Quantal, Trembles
from equilibrist.poker.postflop.engine.layout import Layout


@dataclass(frozen=True)
class Perturbation:
    """How play differs from an equilibrium, so that it comes to every node.

    Attributes:
        kind: `tremble`: every action has a least probability; `quantal`: actions are played the
            more seldom the more they lose.
        size: That probability; or the temperature as a share of the pot at a decision.
    """

    kind: Literal["tremble", "quantal"]
    size: float

    @property
    def is_quantal(self) -> bool:
        """Whether strategies are logit responses."""
        return self.kind == "quantal"

    def __str__(self) -> str:
        return f"{self.kind} {self.size:g}"


def kernel_arguments(
    perturbation: Perturbation | None, layout: Layout
) -> tuple[Trembles | None, Quantal | None]:
    """What the kernel is told of a perturbation; None for what is left out of it."""
    if perturbation is None:
        return None, None
    if perturbation.is_quantal:
        tree, node = layout.game.tree, layout.betting.node
        return None, Quantal((tree.pot[0] + tree.paid[node].sum(axis=1)).astype(layout.real))
    return Trembles(np.array([perturbation.size], layout.real)), None
