"""Outcome sampling as introductory texts have it: to compare with, and to explain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from equilibrist.solvers.sampling.outcome import COLUMNS, checked_epsilon
from equilibrist.solvers.sampling.sampler import FitsAll, Tables


@dataclass(frozen=True)
class Textbook(FitsAll):
    """One trajectory, on which all players explore and from which all learn.

    It solves the game in which everybody trembles with probability epsilon. `soft` is the texts'
    average, of what is played; `proper` that of what regrets say, by own reach.
    """

    name: ClassVar[str] = "textbook"
    summary: ClassVar[str] = "one trajectory; all players explore and learn: solves a tremble game"
    paper: ClassVar[str] = "introductory texts; see docs/averaging.md"
    averagings: ClassVar[tuple[str, ...]] = ("soft", "proper")

    epsilon: float = 0.06

    def __post_init__(self) -> None:
        """Refuse an epsilon outside (0, 1]."""
        object.__setattr__(self, "epsilon", checked_epsilon(self.epsilon))

    def run(self, tables: Tables, start: int, count: int, averaging: str, weight: float) -> None:
        """As `Sampler.run`; an iteration is one trajectory."""
        from equilibrist.kernels.sampling.textbook import TextbookSetup, textbook_outcome

        play, scratch = tables.play(), tables.scratch()
        players = play.traversals
        setup = TextbookSetup(
            epsilon=self.epsilon,
            weight=weight,
            proper=averaging == "proper",
            inverse=np.ones(players),
            own_reach=np.ones(players),
            drawn=scratch.whole_level(),
            path=scratch.columns(COLUMNS),
        )
        tables.run(textbook_outcome, setup, start, count, play._replace(traversals=1))
