"""Magnetic mirror descent: the rule that approaches quantal response equilibria."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from equilibrist.solvers.variants.local_rule import LocalRule
from equilibrist.typing import FloatArray

if TYPE_CHECKING:
    from equilibrist.tree.compile import GameTree


class MagneticArrays(NamedTuple):
    """A game in sequence form, and what limits the step."""

    form: Any  # SequenceArrays
    largest: FloatArray  # [1], the greatest payoff times chance of a pair of sequences


@dataclass(frozen=True)
class MagneticDescent(LocalRule):
    """Mirror descent over whole plans with dilated entropy, drawn to uniform play."""

    keeps: ClassVar[tuple[str, ...]] = ("logit",)
    compiled: ClassVar[str] = "equilibrist.kernels.sequence_form.magnetic_descent.run"

    alpha: float = 0.1
    step_share: float = 1.0

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
        """The arrays that the kernel reads: the sequence form, and the largest payoff."""
        a = tree.sequence_form.arrays
        widest = float(np.abs(a.shape_value).max(initial=0.0)) * float(np.abs(a.scale).max())
        return MagneticArrays(a, np.array([widest or 1.0]))

    def kernel(
        self, kept: Mapping[str, FloatArray], *, shared: bool = False
    ) -> Callable[..., None]:
        """The compiled loop; never `shared`."""
        from equilibrist.kernels.sequence_form.magnetic_descent import run

        return partial(run, logit=kept["logit"])

    def probe(self) -> bytes:
        """Nothing: the table says all."""
        return b""
