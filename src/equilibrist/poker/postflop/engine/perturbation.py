"""What keeps play alive everywhere: trembles, or logit responses."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np

from equilibrist.kernels import TILE, filled_up
from equilibrist.kernels.poker.postflop_arrays import ACTION, Quantal, Trembles
from equilibrist.poker.postflop.engine.betting_layout import BettingProgram
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
    perturbation: Perturbation | None, layout: Layout, betting: BettingProgram
) -> tuple[Trembles | None, Quantal | None]:
    """What the kernel is told of a perturbation; None for what is left out of it."""
    if perturbation is None:
        return None, None
    if perturbation.is_quantal:
        return None, _logit_responses(layout, betting)
    return Trembles(np.array([perturbation.size], layout.real)), None


def _logit_responses(layout: Layout, betting: BettingProgram) -> Quantal:
    """What the kernel is told of decisions that respond."""
    tree, node, program = layout.game.tree, betting.node, betting.program
    begins, starts = [], list[int]()
    for player in (0, 1):
        own = (program.kind == ACTION) & (program.player == player)
        begins.append([len(starts)])
        for begin, end in pairwise(program.nodes.tolist()):
            here = begin + np.flatnonzero(own[begin:end])
            starts += (program.slot[1 - player, here] * layout.table.wide[1 - player]).tolist()
            starts += [0] * (filled_up(len(starts), TILE) - len(starts))  # any row that there is
            begins[-1].append(len(starts))
    return Quantal(
        pot=(tree.pot[0] + tree.paid[node].sum(axis=1)).astype(layout.real),
        begin=np.array(begins, np.int64),
        start=np.array(starts, np.uint64),
    )
