"""Walks of one player on frozen strategies, by the existing samplers: the rows to learn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from equilibrist.errors import ConfigError
from equilibrist.learned.features import InfosetFeatures
from equilibrist.solvers.sampling.external import External
from equilibrist.solvers.sampling.outcome import Outcome
from equilibrist.solvers.sampling.registry import sampler_spec
from equilibrist.solvers.sampling.sampler import Tables
from equilibrist.tree.compile import GameTree
from equilibrist.typing import FloatArray, Int32Array

_FIRST_VISITS: Final = 16
"""Room in the log for so many visits per walk at first."""


class Walked(NamedTuple):
    """What walks of one player found.

    V visits of the player's infosets, A outputs of the features.
    """

    infoset: Int32Array  # int32[V]: the infoset of each visit, in their order
    regret: NDArray[np.float64]  # [V, A]: utility less value by output; 0 at outputs of no action
    scale: FloatArray  # float64[V]: what makes them unbiased: 1 over own sampling probabilities
    others: FloatArray  # float64[Q]: visits of the others' infosets times their strategies
    touched: int  # histories visited


@dataclass(frozen=True)
class WalkLog:
    """Lets one player walk on a strategy that does not change, and logs what each visit regrets.

    Args:
        tree: The game.
        features: Its features.
        sampler: External or outcome sampling, without baselines and pruning.
        key: Fixes all draws, together with the number of the iteration.
    """

    tree: GameTree
    features: InfosetFeatures
    sampler: External | Outcome
    key: np.uint64

    def __post_init__(self) -> None:
        """Refuse samplers whose regrets are not logged; ConfigError."""
        plain = (External(), Outcome(getattr(self.sampler, "epsilon", 0.6)))
        if self.sampler not in plain:
            raise ConfigError(
                f"networks learn from external or outcome sampling, not {self.sampler!r}",
                option="sampler",
                given=sampler_spec(self.sampler),
                expected="external or outcome",
                remedy="leave out baselines and pruning",
            )

    def run(self, regret: FloatArray, player: int, iteration: int, walks: int) -> Walked:
        """Walk.

        Args:
            regret: float64[Q]: whose positive parts are played, public order.
            player: Who walks; the others and chance draw.
            iteration: Its number, from 1: no two iterations may have the same.
            walks: How many walks.

        Returns:
            What they found.
        """
        from equilibrist.kernels.sampling.frozen import (
            OnePlayer,
            external_walks,
            outcome_walks,
        )
        from equilibrist.kernels.traversal.status import DONE, LOG_FULL, TOUCHED
        from equilibrist.kernels.traversal.steps import Recorded

        histories = self.tree.history_tree
        width = max(histories.max_actions, 1)
        drawn = isinstance(self.sampler, Outcome)
        kernel: Any = outcome_walks if drawn else external_walks
        room = walks * (histories.depth + 1 if drawn else _FIRST_VISITS)
        while True:
            others = np.zeros_like(regret)
            tables = Tables(histories, self.key, regret, others)
            log = Recorded(
                first_action=np.empty(room, dtype=np.int32),
                scale=np.empty(room),
                regret=np.zeros(room * width),
                used=np.zeros(2, dtype=np.int64),
                width=width,
            )
            _, setup = self.sampler.kernel(tables.scratch())
            setup = OnePlayer(player, setup._replace(weight=1.0))
            play = tables.play()._replace(traversals=walks, delayed=log)
            progress = np.array([iteration, 0, 0, 0], dtype=np.int64)
            status = kernel(setup, play, iteration, self.key, progress)
            if status == DONE:
                return self._walked(log, others, int(progress[TOUCHED]))
            assert status == LOG_FULL, status
            # The walk that found no room has added to `others` already: all start anew.
            room *= 2

    def _walked(self, log: Any, others: FloatArray, touched: int) -> Walked:
        """The log by infosets and outputs."""
        visits = int(log.used[1])
        infoset = self.features.infoset_of[log.first_action[:visits]]
        by_action = log.regret[: visits * log.width].reshape(visits, log.width)
        regret = self.features.rows_to_outputs(infoset, by_action)
        return Walked(infoset, regret, log.scale[:visits].copy(), others, touched)
