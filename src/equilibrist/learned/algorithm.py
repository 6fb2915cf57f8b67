"""`NeuralAlgorithm`: what all algorithms are whose tables are networks: their numbers, checked."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import MISSING, dataclass, fields
from typing import ClassVar, Final

from equilibrist.learned.regressors import FitSettings
from equilibrist.learned.solver import NeuralSolver
from equilibrist.parsing.arguments import bad_argument, check_bool, real_number, whole_number
from equilibrist.parsing.call_text import format_spec
from equilibrist.tree.compile import GameTree

FALLBACKS: Final = ("largest", "uniform")
"""What is played where no regret is positive: the action of the largest, or all alike."""
LEARNERS: Final = ("network", "table")
_MOST: Final = 10**12
"""The largest whole number; no array has more elements than addresses."""


@dataclass(frozen=True)
class NeuralAlgorithm(ABC):
    """An algorithm with its numbers, by default those of Deep CFR's published runs on Leduc.

    Subclasses are rows of the table of algorithms, or what several of them share.

    Attributes:
        walks: Walks of an iteration.
        steps: Steps of Adam of a fit.
        batch: Rows of a step.
        width: Units of each hidden layer.
        depth: Hidden layers.
        rate: The learning rate.
        clip: The largest norm of a gradient.
        buffer: Rows that are kept of each player.
        warm: Whether a fit goes on from the last network.
        merge: Whether the rows of an infoset are merged into their mean before a fit, whose steps
            then see all rows, and need fewer of them.
        fallback: What is played where no regret is positive: "largest" or "uniform".
        learner: "network", or "table": the weighted mean of each infoset's rows, which is what a
            perfect fit would be.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    paper: ClassVar[str]
    when: ClassVar[str]

    walks: int = 1500
    steps: int = 750
    batch: int = 2048
    width: int = 64
    depth: int = 3
    rate: float = 1e-3
    clip: float = 10.0
    buffer: int = 1_000_000
    warm: bool = True
    merge: bool = False
    fallback: str = "largest"
    learner: str = "network"

    def __post_init__(self) -> None:
        """Check the numbers; raises ConfigError."""
        self._take_whole("walks", "steps", "batch", "width", "depth", "buffer")
        self._take_real("rate", "clip", most=math.inf, is_above=True)
        for name in ("warm", "merge"):
            check_bool(name, getattr(self, name))
        for name, known in (("fallback", FALLBACKS), ("learner", LEARNERS)):
            if getattr(self, name) not in known:
                raise bad_argument(name, getattr(self, name), " or ".join(known))

    def _take_whole(self, *names: str, least: int = 1, most: int = _MOST) -> None:
        """Have parameters be ints from `least` to `most`; ConfigError if they are not."""
        for name in names:
            number = whole_number(name, getattr(self, name), least)
            if number > most:
                raise bad_argument(name, number, f"at most {most}")
            object.__setattr__(self, name, number)

    def _take_real(self, *names: str, most: float, is_above: bool = False) -> None:
        """Have parameters be floats from 0, or above it, to `most`; ConfigError if they are not."""
        for name in names:
            number = real_number(name, getattr(self, name), 0.0, most, is_above=is_above)
            object.__setattr__(self, name, number)

    @abstractmethod
    def solver(self, tree: GameTree, seed: int = 0) -> NeuralSolver:
        """The solver of a game.

        Args:
            tree: The game.
            seed: Fixes all draws.
        """

    @property
    def spec(self) -> str:
        """The shortest text that names it again, with the parameters that are unusual."""
        unusual = {
            item.name: value
            for item in fields(self)
            if item.default is not MISSING and (value := getattr(self, item.name)) != item.default
        }
        return format_spec(self.name, unusual)

    @property
    @abstractmethod
    def sampling(self) -> str:
        """How it samples, as checkpoints say it."""

    @property
    @abstractmethod
    def kernels(self) -> tuple[str, ...]:
        """The kernels that it walks by, each with what it is compiled for if there are several."""

    @property
    def fit(self) -> FitSettings:
        """How the networks of regrets are fitted."""
        return FitSettings(
            hidden=(self.width,) * self.depth,
            steps=self.steps,
            batch_size=self.batch,
            learning_rate=self.rate,
            clip=self.clip,
            warm=self.warm,
            merge=self.merge,
        )
