"""`NeuralSolver`: what all solvers share whose tables are learned from samples."""

from __future__ import annotations

import hashlib
import math
import os
import time
from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from equilibrist.learned.features import InfosetFeatures, infoset_features
from equilibrist.learned.network import Network
from equilibrist.learned.regressors import (
    FitSettings,
    NetworkRegressor,
    Regressor,
    TableRegressor,
)
from equilibrist.learned.rows import Rows, Store, taken
from equilibrist.parsing.arguments import whole_number
from equilibrist.solvers.run.checkpoint import TrainingCheckpoint, save_checkpoint
from equilibrist.solvers.run.fingerprint import RunFingerprint
from equilibrist.solvers.run.solver import Checkpointed
from equilibrist.solvers.run.state import (
    SamplingState,
    check_state,
    frozen_copy,
    in_proportion,
    refuse_another_seed,
)
from equilibrist.solvers.sampling.averaging import Full
from equilibrist.solvers.sampling.sampler import Tables
from equilibrist.storage.kinds.file_kinds import TRAINING_CHECKPOINT
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree
from equilibrist.typing import FloatArray

LOGITS: Final = "logits"
"""The unit of networks of probabilities: logarithms, up to a constant of the infoset."""
ADVANTAGES: Final = "advantages"
"""The unit of networks of regrets: weighted means of what an action is worth beyond its infoset."""
_WEIGHTS: Final = "weights."
_LOSS: Final = "loss."
"""Before the names of what a checkpoint keeps of learners."""
_LONG: Final = 1.0
"""Seconds of an iteration that is worth leaving: the state before the next is copied."""


class _Left(Exception):  # noqa: N818 - it is no error
    """An iteration is left where it is."""


class Method(Protocol):
    """What a solver asks of its algorithm."""

    @property
    def learner(self) -> str:
        """Whether a "network" learns, or a "table" in its place."""
        ...

    @property
    def spec(self) -> str:
        """The shortest text that names it again, with the parameters that are unusual."""
        ...

    @property
    def sampling(self) -> str:
        """How it samples, as checkpoints say it."""
        ...


class NeuralSolver(Checkpointed[SamplingState]):
    """A solver whose tables are learned from samples; subclasses are the algorithms.

    One iteration lets one player walk and learn; players take turns, so that a round of
    `num_players` iterations is what papers that count both players' iterations as one call an
    iteration.

    Attributes:
        tree: The game.
        features: What networks are told of its infosets.
        variant: The algorithm with its numbers.
        seed: Fixes all draws.
        losses: Mean loss of the last fits, by name.
        should_stop: Asked between the steps of fits; once it answers True, an iteration that takes
            long is left, and the state is that of before it. None while nobody asks for it.
    """

    _state_type = SamplingState
    _probabilities: tuple[str, ...] = ()
    """Of what is learned, what is learned as probabilities."""
    _tables: tuple[str, ...] = ()
    """Arrays that checkpoints keep; each is an attribute, with an underscore before its name."""

    def __init__(self, tree: GameTree, method: Method, seed: int) -> None:
        """Prepare.

        Args:
            tree: The game.
            method: The algorithm with its numbers.
            seed: Fixes all draws.
        """
        self.tree, self.variant = tree, method
        self.seed = whole_number("seed", seed, 0)
        self.features: InfosetFeatures = infoset_features(tree)
        self.losses: dict[str, float] = {}
        size = int(tree.action_offset[-1])
        self._regret = np.zeros(size)
        self._strategy_sum = np.zeros(size)
        self._touched = 0
        self.should_stop: Callable[[], bool] | None = None
        self._took = math.inf
        self._is_leavable = False
        self._learners: dict[str, Regressor] = {}
        """What learns, by what it learns and for whom, as "regrets.0"."""
        self._stores: dict[str, Store] = {}
        """What keeps rows, by what stands before their names in checkpoints."""
        self._is_tabular = method.learner == "table"
        self._owner = tree.infoset_player[self.features.infoset_of]
        self._every = Full.of(tree, 1)

    def _new_rows(self, capacity: int, width: int, key: int) -> Rows:
        """Rows whose numbers are as exact as what learns them."""
        return Rows(capacity, width, key, np.float64 if self._is_tabular else np.float32)

    def _new_learner(
        self,
        fit: FitSettings,
        seed: int,
        features: Callable[[], InfosetFeatures] | None = None,
        shape: tuple[int, int] | None = None,
    ) -> Regressor:
        """A network, or the table in its place.

        Args:
            fit: How a network is fitted.
            seed: Fixes its first weights.
            features: Makes what it reads, which tables do without; by default infosets'.
            shape: What there is to tell apart, and the numbers of a target; those of infosets.
        """
        if self._is_tabular:
            return TableRegressor(*(self.features.mask.shape if shape is None else shape))
        learner = NetworkRegressor(self.features if features is None else features(), fit, seed)
        learner.stop = self._leave_if_told
        return learner

    @property
    def name(self) -> str:
        """The algorithm, with the parameters that are unusual."""
        return self.variant.spec

    @property
    def nodes_touched(self) -> int:
        """Histories visited so far, terminals and chance nodes included."""
        return self._touched

    def _iterate(self, iterations: int) -> None:
        for _ in range(iterations):
            player = self._iteration % self.tree.num_players
            turn = self._iteration // self.tree.num_players + 1
            self._is_leavable = self.should_stop is not None and self._took > _LONG
            before = self._copy_state() if self._is_leavable else None
            started = time.perf_counter()
            try:
                self._learn(player, turn)
            except _Left:
                assert before is not None
                self._adopt(before)
                return
            finally:
                self._is_leavable = False
            self._took = time.perf_counter() - started
            self._iteration += 1

    def _leave_if_told(self) -> bool:
        """Leave the iteration if it is to be left, else False: the fit that asks goes on."""
        if self._is_leavable and self.should_stop is not None and self.should_stop():
            raise _Left
        return False

    @abstractmethod
    def _learn(self, player: int, turn: int) -> None:
        """Let a player walk and learn, for the turn-th time, from 1.

        What it changes must not matter if it is interrupted: a run goes on from its last state.
        """

    @property
    def fitted(self) -> Mapping[str, NetworkRegressor]:
        """All that is fitted, by name; nothing where tables stand in the place of networks."""
        return {
            name.replace(".", " "): learner
            for name, learner in self._all_learners().items()
            if isinstance(learner, NetworkRegressor)
        }

    @property
    def networks(self) -> Mapping[str, Network]:
        """The networks that read infosets, as they are; others only help to train."""
        return {
            name: learner.network
            for name, learner in self.fitted.items()
            if learner.features is self.features
        }

    @property
    def units(self) -> Mapping[str, str]:
        """What the outputs of each of `networks` are in."""
        return {
            name: LOGITS if name.partition(" ")[0] in self._probabilities else self._unit_of_regrets
            for name in self.networks
        }

    @property
    def _unit_of_regrets(self) -> str:
        return ADVANTAGES

    def _all_learners(self) -> Mapping[str, Regressor]:
        return self._learners

    def _arrays(self) -> dict[str, NDArray[Any]]:
        """What coming iterations depend on beside regrets, sums and networks, by name."""
        arrays: dict[str, NDArray[Any]] = {name: getattr(self, f"_{name}") for name in self._tables}
        for prefix, store in self._stores.items():
            arrays |= store.arrays(prefix)
        return arrays

    def _take(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what `_arrays` gave; raises CheckpointError if it does not fit."""
        for prefix, store in self._stores.items():
            store.restore(arrays, prefix)
        for name in self._tables:
            shape = getattr(self, f"_{name}").shape
            setattr(self, f"_{name}", taken(arrays, name, shape))

    def _tabulate(self, player: int, weight: float) -> None:
        """Add weight times own reach times what a player plays to the average, exactly."""
        sums = np.zeros_like(self._strategy_sum)
        tables = Tables(self.tree.history_tree, np.uint64(0), self._regret, sums)
        self._every.take(tables, 1, weight)
        own = self._owner == player
        self._strategy_sum[own] += sums[own]

    def _strategy(self) -> FloatArray:
        """float64[Q]: what all players play."""
        return in_proportion(np.maximum(self._regret, 0.0), self.tree.action_offset)

    def seed_of(self, purpose: int, *numbers: int) -> int:
        """A seed that depends on the run's, on a purpose and on numbers such as the iteration."""
        sequence = np.random.SeedSequence([self.seed, purpose, *numbers])
        return int(sequence.generate_state(1, np.uint64)[0])

    def average_strategy(self) -> Strategy:
        """Give the average strategy, which converges; uniform where nobody has come.

        Returns:
            A copy.
        """
        return Strategy(self.tree, in_proportion(self._strategy_sum, self.tree.action_offset))

    def current_strategy(self) -> Strategy:
        """Give the strategy of the next iteration, which need not converge.

        Returns:
            A copy.
        """
        return Strategy(self.tree, self._strategy())

    def _copy_state(self) -> SamplingState:
        arrays = self._arrays()
        for name, learner in self._learners.items():
            if isinstance(learner, NetworkRegressor):
                arrays[f"{_WEIGHTS}{name}"] = learner.network.weights
        arrays |= {f"{_LOSS}{name}": np.array([loss]) for name, loss in self.losses.items()}
        kept = {name: frozen_copy(np.asarray(array)) for name, array in arrays.items()}
        return SamplingState(
            regret=frozen_copy(self._regret),
            strategy_sum=frozen_copy(self._strategy_sum),
            iteration=self._iteration,
            nodes_touched=self._touched,
            seed=self.seed,
            kept=kept,
            identity=self._identity,
        )

    def _adopt(self, state: SamplingState) -> None:
        refuse_another_seed(state.seed, self.seed)
        check_state(state, self._regret.size, self.tree.name, ("regret", "strategy_sum"))
        for name, learner in self._learners.items():
            if isinstance(learner, NetworkRegressor):
                sizes, shape = learner.network.sizes, learner.network.weights.shape
                learner.network = Network(sizes, taken(state.kept, f"{_WEIGHTS}{name}", shape))
        self._take(state.kept)
        self.losses = losses_of(state.kept)
        self._regret[:] = state.regret
        self._strategy_sum[:] = state.strategy_sum
        self._touched = state.nodes_touched
        self._iteration = state.iteration

    def _save(self, path: str | os.PathLike[str]) -> None:
        save_checkpoint(path, self, kind=TRAINING_CHECKPOINT)

    def _load(self, path: str | os.PathLike[str]) -> None:
        TrainingCheckpoint(path).restore(self)

    def _fingerprint(self, output: str) -> RunFingerprint:
        numbers = hashlib.sha256(repr(self.variant).encode()).hexdigest()
        return RunFingerprint(
            game=self.tree.name,
            fingerprint=self.tree.fingerprint,
            layout=self.features.name,
            algorithm=self.variant.spec,
            coefficients=numbers,
            alternating=True,
            horizon=None,
            seed=self.seed,
            output=output,
            sampler=self.variant.sampling,
        )

    def __repr__(self) -> str:
        name = type(self).__name__
        return f"{name}({self.tree.name!r}, {self.name!r}, iteration={self._iteration:,})"


def losses_of(kept: Mapping[str, NDArray[Any]]) -> dict[str, float]:
    """Read the mean losses of the last fits.

    Args:
        kept: What a checkpoint keeps of a solver.

    Returns:
        The losses by name, as `NeuralSolver.losses` has them.
    """
    return {
        name.removeprefix(_LOSS): float(array[0])
        for name, array in kept.items()
        if name.startswith(_LOSS)
    }
