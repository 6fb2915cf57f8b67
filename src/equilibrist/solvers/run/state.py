"""The state of a solver, as it is copied, saved and restored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

from equilibrist.errors import MismatchError
from equilibrist.formatting.brief import brief_repr
from equilibrist.parsing.arguments import bad_argument, instance, whole_number
from equilibrist.solvers.run.fingerprint import RunFingerprint
from equilibrist.typing import FloatArray, Int64Array

Array = TypeVar("Array", bound=np.ndarray)


def frozen_copy(array: Array) -> Array:
    """A copy that cannot be written to."""
    copy = array.copy()
    copy.flags.writeable = False
    return copy


def in_proportion(weights: FloatArray, offset: Int64Array) -> FloatArray:
    """Give strategies in proportion to weights.

    Args:
        weights: float64[Q], not negative.
        offset: int64[I + 1]: where the actions of each infoset begin, and the end of the last.

    Returns:
        float64[Q]: probabilities; uniform where all weights of an infoset are zero, NaN where one
            is NaN.
    """
    counts = np.diff(offset)
    if not len(counts):
        return weights.copy()
    totals = np.repeat(np.add.reduceat(weights, offset[:-1]), counts)
    uniform = np.repeat(1.0 / counts, counts)
    none = totals <= 0.0
    return np.where(none, uniform, weights / np.where(none, 1.0, totals))


@dataclass(frozen=True)
class SolverState:
    """All that a run of full traversals needs to continue.

    Attributes:
        regret: Cumulative regrets: float64[S] in engine order, but for EFR, which has one per
            deviation and memory probability.
        behaviour: float64[S]: the strategy of the next iteration.
        strategy_sum: float64[S]: what the average is in proportion to.
        iteration: How many iterations have run.
        kept: float64[S] each: what a rule remembers besides regrets, by name.
        identity: The run that it is of, which `restore` checks; None where that is not known.
        watched: What measures of the history of play remember, and what pruning does, by name.
    """

    regret: FloatArray
    behaviour: FloatArray
    strategy_sum: FloatArray
    iteration: int
    kept: Mapping[str, FloatArray] = field(default_factory=dict)
    identity: RunFingerprint | None = None
    watched: Mapping[str, np.ndarray] = field(default_factory=dict)

    def __repr__(self) -> str:
        return brief_repr(self)


@dataclass(frozen=True)
class SamplingState:
    """All that a sampling run needs to continue.

    Attributes:
        regret: float64[Q] in public order: cumulative regrets.
        strategy_sum: float64[Q]: what the average is in proportion to.
        iteration: How many iterations have run.
        nodes_touched: Histories visited.
        seed: That of the run.
        kept: Arrays that the sampler itself keeps between iterations, by name.
        before: The tables as the present round of several threads began, if it is not over.
        identity: The run that it is of, which `restore` checks; None where that is not known.
    """

    regret: FloatArray
    strategy_sum: FloatArray
    iteration: int
    nodes_touched: int
    seed: int
    kept: Mapping[str, np.ndarray] = field(default_factory=dict)
    before: Mapping[str, np.ndarray] = field(default_factory=dict)
    identity: RunFingerprint | None = None

    def __repr__(self) -> str:
        return brief_repr(self)


def check_state(
    state: SolverState | SamplingState, size: int, game: str, names: tuple[str, ...]
) -> None:
    """Refuse a state that was edited: its iteration, mappings, and the arrays called `names`.

    `size` is how many numbers each of them needs for `game`. Raises ConfigError for what no state
    has, MismatchError for an array of another shape.
    """
    whole_number("iteration", state.iteration, 0)
    _check_mapping("kept", state.kept)
    for name in names:
        check_numbers(name, getattr(state, name), size, game)
    if isinstance(state, SamplingState):
        whole_number("nodes_touched", state.nodes_touched, 0)
        _check_mapping("before", state.before)
        for name, array in (*state.kept.items(), *state.before.items()):
            instance(name, array, np.ndarray, "an array")


def _check_mapping(name: str, value: object) -> None:
    if not isinstance(value, Mapping):
        raise bad_argument(name, value, "arrays by name")


def refuse_another_seed(seed: object, own: int) -> None:
    """Raise MismatchError unless the seed of a state is the solver's."""
    if seed != own:
        raise MismatchError(
            f"the state has the seed {seed}, this solver has {own}",
            option="seed",
            given=seed,
            expected=own,
            remedy="restore it in a solver that was made with the same arguments",
        )


def check_numbers(name: str, array: object, size: int, game: str) -> None:
    """Refuse an array of a state unless it holds `size` numbers, none of them NaN."""
    if not isinstance(array, np.ndarray) or array.dtype.kind not in "fiu":
        raise bad_argument(name, array, f"an array of {size:,} numbers")
    if array.shape != (size,):
        raise MismatchError(
            f"{name} of the state has the shape {array.shape}, {game} needs ({size},)",
            option=name,
            given=array.shape,
            expected=(size,),
        )
    if np.isnan(array).any():
        raise bad_argument(name, "NaN", "numbers", label=f"an entry of {name}")
