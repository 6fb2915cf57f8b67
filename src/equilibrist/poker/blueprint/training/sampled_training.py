"""`SampledTraining`: what trainings on sampled boards and on sampled deals have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, Self

import numpy as np
from numpy.typing import DTypeLike, NDArray

from equilibrist.parsing.arguments import whole_number
from equilibrist.poker.blueprint.abstract_game import AbstractGame, check_cards, check_counts
from equilibrist.poker.buckets.card_buckets import CardBuckets
from equilibrist.typing import UInt16Array

MILLI: Final = 1000.0


class SampledTraining(ABC):
    """Regrets and average strategies of an abstract game, iteration by iteration.

    Args:
        game: The abstract game.
        cards: Its card buckets.
        seed: The seed of all that is drawn.
        batch: What is drawn in an iteration.
        most: The most that `batch` may be.
        dtypes: The dtypes of regrets and of average strategies.

    Raises:
        ConfigError: An argument is out of range, or the card buckets are of another deck.
    """

    _threads = 1

    def __init__(
        self,
        game: AbstractGame,
        cards: CardBuckets,
        *,
        seed: int,
        batch: int,
        most: int,
        dtypes: tuple[DTypeLike, DTypeLike] = (np.float32, np.float32),
    ) -> None:
        check_cards(game.hand, cards)
        check_counts(game, cards)
        self.game, self.cards = game, cards
        self.seed = whole_number("seed", seed, 0)
        self.batch = whole_number("batch", batch, 1, most)
        self.iteration = self.boards = 0
        self.regret: NDArray[Any] = np.zeros(game.num_slots, dtypes[0])
        self.average: NDArray[Any] = np.zeros(game.num_slots, dtypes[1])
        self._weight = self._won = 0.0

    @abstractmethod
    def strategy(self) -> UInt16Array:
        """The average strategies, as files have them.

        Returns:
            uint16[slots], in 1/65,535; where nothing was averaged the current strategy.
        """

    @property
    @abstractmethod
    def average_regret(self) -> float:
        """The positive regret of all seats together, in mbb per hand."""

    @property
    @abstractmethod
    def updates(self) -> float:
        """Updates of each information set."""

    @property
    @abstractmethod
    def memory_bytes(self) -> int:
        """Bytes of the numbers of all information sets."""

    @property
    def deals(self) -> int:
        """Boards so far, as the loop of a run counts them; deals with external sampling."""
        return self.boards

    @abstractmethod
    def _iterate(self, map_parts: Callable[..., Any]) -> None:
        """Run an iteration; `map_parts` maps a function over the parts of its work."""

    def options(self) -> dict[str, Any]:
        """The arguments on which the result depends, as JSON has them.

        Returns:
            Arguments by name.
        """
        return {"seed": self.seed, "batch": self.batch}

    def run(self, iterations: int = 1) -> Self:
        """Run iterations.

        Args:
            iterations: How many.

        Returns:
            The trainer.
        """
        with ThreadPoolExecutor(self._threads) as pool:
            for _ in range(iterations):
                self._iterate(pool.map if self._threads > 1 else map)
        return self

    @property
    def value(self) -> float:
        """What seat 0 has won in mbb per hand so far, on average with the weights.

        All seats played the strategies of their time: not the value of the average strategies.
        """
        return MILLI * self._won / self._weight if self._weight else 0.0

    def state(self) -> dict[str, Any]:
        """The numbers that the next iterations depend on, besides the arguments and `arrays`.

        Returns:
            Numbers by name, as JSON has them.
        """
        return {
            "iteration": self.iteration,
            "boards": self.boards,
            "weight": self._weight,
            "won": self._won,
            **self._own_state(),
        }

    @abstractmethod
    def _own_state(self) -> dict[str, Any]:
        """Further numbers that the iterations of the algorithm depend on, by name."""

    @abstractmethod
    def _restore_own(self, state: Mapping[str, Any]) -> None:
        """Take these numbers from a state."""

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays that the next iterations depend on.

        Returns:
            The arrays themselves by name.
        """
        return {"regret": self.regret, "average": self.average}

    def restore(self, state: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Continue from a state, bit-identical to the run that it is from.

        Args:
            state: What `state` said.
            arrays: What `arrays` gave.

        Returns:
            The trainer.
        """
        self.iteration, self.boards = int(state["iteration"]), int(state["boards"])
        self._weight, self._won = float(state["weight"]), float(state["won"])
        self._restore_own(state)
        for name, own in self.arrays().items():
            own[:] = arrays[name]
        return self
