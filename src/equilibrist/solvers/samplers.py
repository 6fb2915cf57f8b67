"""What an iteration of Monte Carlo CFR draws, and what it tries: one class per sampler.

A sampler is a frozen dataclass of its parameters; `run` hands the tables to its kernel. It knows
neither the variant nor how the average is taken, except what its kernel adds on the way.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Protocol

import numpy as np

from equilibrist.tree.history_tree import HistoryTree
from equilibrist.typing import FloatArray, Int64Array


@dataclass(frozen=True, eq=False)
class Tables:
    """What kernels read and update: float64[Q] in public flat order, and scratch.

    `key` is the uint64 from which all streams come; `touched`, int64[1], counts visited nodes.
    """

    tree: HistoryTree
    key: np.uint64
    regret: FloatArray
    strategy_sum: FloatArray
    touched: Int64Array = field(default_factory=lambda: np.zeros(1, dtype=np.int64))
    kept: dict[str, np.ndarray] = field(default_factory=dict)
    """What the sampler itself keeps between iterations (`keep`), by name; saved with a run."""

    def keep(self, name: str, shape: int | tuple[int, ...], dtype: type = np.float64) -> np.ndarray:
        """The array that the sampler keeps under that name, zeros at first: baselines, clocks."""
        if name not in self.kept:
            self.kept[name] = np.zeros(shape, dtype=dtype)
        return self.kept[name]

    def levels(self, dtype: type = np.float64) -> FloatArray:
        """Scratch: one number per level of the tree and one more."""
        return np.zeros(self.tree.depth + 1, dtype=dtype)

    def rows(self) -> FloatArray:
        """Scratch: one row of actions per level of the tree and one more."""
        return np.zeros((self.tree.depth + 1) * max(self.tree.max_actions, 1))


class Sampler(Protocol):
    """One way to sample: a name, what it is good for, and a kernel."""

    name: ClassVar[str]
    summary: ClassVar[str]
    paper: ClassVar[str]
    averagings: ClassVar[tuple[str, ...]]
    """The averages that its kernel takes on the way, the usual one first."""

    def run(self, tables: Tables, start: int, count: int, averaging: str, weight: float) -> None:
        """Run iterations start .. start+count-1 on `tables`.

        `averaging` is one of `averagings` and `weight` what an iteration counts in it; with
        weight 0 the strategy sum is left alone.
        """
        ...


@dataclass(frozen=True)
class External:
    """Chance and the other players draw one action each, the traverser tries them all."""

    name: ClassVar[str] = "external"
    summary: ClassVar[str] = "chance and the others draw, the traverser tries every action"
    paper: ClassVar[str] = (
        "Lanctot, Waugh, Zinkevich, Bowling: Monte Carlo Sampling for Regret Minimization in "
        "Extensive Games. NIPS 2009"
    )
    averagings: ClassVar[tuple[str, ...]] = ("stochastic",)

    def run(self, tables: Tables, start: int, count: int, averaging: str, weight: float) -> None:
        """As `Sampler.run`; a visit where another player draws adds that player's strategy."""
        from equilibrist.kernels.external import external_sampling

        external_sampling(
            tables.tree.arrays,
            start,
            count,
            tables.key,
            weight,
            tables.regret,
            tables.strategy_sum,
            tables.levels(np.int64),
            tables.levels(np.int64),
            tables.rows(),
            tables.rows(),
            tables.tree.max_actions,
            tables.touched,
        )


SAMPLERS: dict[str, type] = {cls.name: cls for cls in (External,)}
"""All samplers by name."""
