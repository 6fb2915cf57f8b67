"""Magnetic mirror descent: the rule that approaches quantal response equilibria."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from equilibrist.solvers.variants.local_rule import LocalRule
from equilibrist.solvers.variants.rule import TRAVERSAL_KERNEL, TraversalRule
from equilibrist.typing import FloatArray

if TYPE_CHECKING:
    from equilibrist.tree.compile import GameTree


@dataclass(frozen=True)
class MagneticDescent(LocalRule):
    """Mirror descent over whole plans with dilated entropy, drawn to uniform play."""

    keeps: ClassVar[tuple[str, ...]] = ("logit",)
    compiled: ClassVar[str] = TRAVERSAL_KERNEL

    alpha: float = 0.1
    step_share: float = 1.0

    @property
    def compiled_for(self) -> str:
        """Its own update, in place of one by regrets."""
        return "magnetic-"

    def numbers(self) -> tuple[float, ...]:
        """The temperature, and the share of the greatest safe step."""
        return (self.alpha, self.step_share)

    @property
    def update(self) -> str:
        """The update as formulas, for people."""
        return (
            f"sigma = softmax((ln sigma + eta*v) / (1 + {self.alpha:g}*eta)), eta = "
            f"{self.alpha * self.step_share:g}/max|payoff|^2, with v over whole plans"
        )

    @property
    def averaging(self) -> str:
        """The weights of the average in words, for people."""
        return "none: the last strategy"

    def table(self, start: int, count: int, horizon: int | None = None) -> FloatArray:
        """Numbers of several iterations, with an average that is the last strategy."""
        rows = super().table(start, count, horizon)
        rows[:, 0], rows[:, 1] = 0.0, 1.0
        return rows

    def arrays(self, tree: GameTree) -> tuple[Any, ...]:
        """The sequence form, and the largest payoff, float64[1], which limits the step."""
        a = tree.sequence_form.arrays
        widest = float(np.abs(a.shape_value).max(initial=0.0)) * float(np.abs(a.scale).max())
        return a, np.array([widest or 1.0])

    def kernel(self, kept: Mapping[str, FloatArray]) -> Callable[..., None]:
        """The compiled loop, whose update is that of magnetic descent."""
        from equilibrist.kernels.sequence_form.magnetic_descent import MagneticMemory

        run = TraversalRule.kernel(self, kept)

        def run_with(arrays: Any, *state: Any) -> None:
            form, largest = arrays
            run(form, *state, memory=MagneticMemory(kept["logit"], largest))

        return run_with

    def probe(self) -> bytes:
        """Nothing: the table says all."""
        return b""
