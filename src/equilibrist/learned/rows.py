"""Rows to learn from: a reservoir by counted random numbers, and the last rows of a stream."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from equilibrist.errors import CheckpointError, MismatchError
from equilibrist.parsing.arguments import whole_number
from equilibrist.typing import FloatArray, Int32Array, Int64Array, UInt64Array

_GAMMA: Final = 0x9E3779B97F4A7C15
_FIRST_SIZE: Final = 4096
Columns = TypeVar("Columns", bound=tuple[NDArray[Any], ...])


class Store(Protocol):
    """What keeps rows between iterations, and through checkpoints."""

    def arrays(self, prefix: str = "") -> dict[str, NDArray[Any]]:
        """What a checkpoint keeps, by name."""
        ...

    def restore(self, arrays: Mapping[str, NDArray[Any]], prefix: str = "") -> None:
        """Take over what `arrays` gave; raises CheckpointError if it does not fit."""
        ...


class Rows:
    """Rows of (infoset, target, weight, iteration), of which at most `capacity` are kept.

    Once it is full, the n-th row that is added (from 1) is kept with probability capacity / n, in
    the place of one of the others: every row seen so far is there with equal probability (Vitter,
    Random sampling with a reservoir, 1985). The draw for a row depends on the key and its number
    alone, so that the rows do not depend on how they were added, nor on a resume.

    Attributes:
        capacity: The most rows that are kept.
        width: Numbers of a target.
        key: What fixes the draws.
        seen: How many rows were added.
    """

    def __init__(
        self, capacity: int, width: int, key: int, dtype: type[np.floating[Any]] = np.float32
    ) -> None:
        """Prepare an empty reservoir.

        Args:
            capacity: The most rows that are kept.
            width: Numbers of a target.
            key: What fixes the draws, an unsigned number of 64 bits.
            dtype: The type of targets and weights: float32, or float64 for tests.
        """
        self.capacity = whole_number("capacity", capacity, 1)
        self.width = whole_number("width", width, 1)
        self.key = int(key)
        self.seen = 0
        self._dtype = np.dtype(dtype)
        self._allocate(0)

    def _allocate(self, size: int) -> None:
        self._infoset = np.zeros(size, dtype=np.int32)
        self._target = np.zeros((size, self.width), dtype=self._dtype)
        self._weight = np.zeros(size, dtype=self._dtype)
        self._iteration = np.zeros(size, dtype=np.int32)

    def __len__(self) -> int:
        """How many rows are kept."""
        return min(self.seen, self.capacity)

    @property
    def infoset(self) -> Int32Array:
        """int32[n]: the infoset of each row."""
        return self._infoset[: len(self)]

    @property
    def target(self) -> NDArray[np.floating[Any]]:
        """float32[n, width]: what is to be learned there."""
        return self._target[: len(self)]

    @property
    def weight(self) -> NDArray[np.floating[Any]]:
        """float32[n]: how much each row counts."""
        return self._weight[: len(self)]

    @property
    def iteration(self) -> Int32Array:
        """int32[n]: the iteration that each row is from."""
        return self._iteration[: len(self)]

    def add(
        self,
        infoset: NDArray[np.integer],
        target: NDArray[np.floating],
        weight: NDArray[np.floating] | float,
        iteration: int,
    ) -> None:
        """Add rows, in their order.

        Args:
            infoset: int[n].
            target: float[n, width].
            weight: float[n], or one number for all.
            iteration: The iteration that they are from.
        """
        count = len(infoset)
        if np.shape(target) != (count, self.width):
            raise MismatchError(
                f"target has the shape {np.shape(target)}; expected {(count, self.width)}",
                option="target",
                given=np.shape(target),
                expected=(count, self.width),
            )
        weights = np.broadcast_to(np.asarray(weight, dtype=self._dtype), (count,))
        places = self._places(count)
        self._grow(min(self.seen + count, self.capacity))
        kept = np.flatnonzero(places < self.capacity)
        # Of rows that fall on one place the last one stays: np.unique takes the first of a kind.
        places, last = np.unique(places[kept][::-1], return_index=True)
        chosen = kept[::-1][last]
        self._infoset[places] = infoset[chosen]
        self._target[places] = target[chosen]
        self._weight[places] = weights[chosen]
        self._iteration[places] = iteration
        self.seen += count

    def merged(self) -> Rows:
        """Rows with one row per infoset: the weighted mean of its targets, and their weight.

        Squared errors of these rows and of all rows have the same minimum, at the same predictions.
        """
        infosets, number = np.unique(self.infoset, return_inverse=True)
        weight = np.bincount(number, self.weight).astype(np.float64)
        sums = np.zeros((len(infosets), self.width))
        for a in range(self.width):
            sums[:, a] = np.bincount(number, self.weight * self.target[:, a].astype(np.float64))
        merged = Rows(max(1, len(infosets)), self.width, self.key, self._dtype.type)
        merged.add(infosets, sums / weight[:, None], weight, int(self.iteration.max(initial=0)))
        return merged

    def clear(self) -> None:
        """Drop all rows; those that follow are drawn as the first ones were."""
        self.seen = 0

    def _places(self, count: int) -> Int64Array:
        """Where the next rows go: their number while there is room, then a random place."""
        numbers = np.arange(self.seen, self.seen + count, dtype=np.uint64)
        places = numbers.astype(np.int64)
        beyond = places >= self.capacity
        drawn = counted_uniform(self.key, numbers[beyond]) * (places[beyond] + 1)
        places[beyond] = drawn.astype(np.int64)
        return places

    def _grow(self, size: int) -> None:
        present = len(self._infoset)
        if size <= present:
            return
        old = self._infoset, self._target, self._weight, self._iteration
        self._allocate(min(self.capacity, max(size, 2 * present, _FIRST_SIZE)))
        new = self._infoset, self._target, self._weight, self._iteration
        for array, values in zip(new, old, strict=True):
            array[:present] = values

    def arrays(self, prefix: str = "") -> dict[str, NDArray[Any]]:
        """What a checkpoint keeps: copies of the rows, and `seen`, by name."""
        return {
            f"{prefix}infoset": self.infoset.copy(),
            f"{prefix}target": self.target.copy(),
            f"{prefix}weight": self.weight.copy(),
            f"{prefix}iteration": self.iteration.copy(),
            f"{prefix}seen": np.array([self.seen], dtype=np.int64),
        }

    def restore(self, arrays: Mapping[str, NDArray[Any]], prefix: str = "") -> None:
        """Take over what `arrays` gave; raises CheckpointError if it does not fit."""
        try:
            seen = int(arrays[f"{prefix}seen"][0])
            parts = [arrays[f"{prefix}{n}"] for n in ("infoset", "target", "weight", "iteration")]
        except (KeyError, IndexError) as error:
            raise CheckpointError(
                f"the rows lack {error}", option=f"{prefix}rows", remedy="start a new run"
            ) from None
        size = min(seen, self.capacity)
        shapes = [(size,), (size, self.width), (size,), (size,)]
        if seen < 0 or [part.shape for part in parts] != shapes:
            raise CheckpointError(
                f"the rows have the shapes {[part.shape for part in parts]}, not {shapes}",
                option=f"{prefix}rows",
                remedy="resume with the options the run was made with",
            )
        self.seen = seen
        self._allocate(size)
        own = self._infoset, self._target, self._weight, self._iteration
        for array, values in zip(own, parts, strict=True):
            array[:] = values


class LastRows(Generic[Columns]):
    """The last rows of a stream, in columns.

    Attributes:
        columns: A named tuple of arrays of equal length, in the order in which rows were added.
        capacity: The most rows that are kept.
    """

    def __init__(self, empty: Columns, capacity: int) -> None:
        """Begin without rows.

        Args:
            empty: Columns without rows.
            capacity: The most rows that are kept.
        """
        self.columns = empty
        self.capacity = whole_number("capacity", capacity, 1)

    def add(self, columns: Columns) -> None:
        """Add rows, in their order; the first ones make room."""
        make: Any = type(columns)
        pairs = zip(self.columns, columns, strict=True)
        self.columns = make(*(np.concatenate(pair)[-self.capacity :] for pair in pairs))

    def arrays(self, prefix: str = "") -> dict[str, NDArray[Any]]:
        """What a checkpoint keeps: the columns by name."""
        columns: Any = self.columns
        return {f"{prefix}{name}": array for name, array in columns._asdict().items()}

    def restore(self, arrays: Mapping[str, NDArray[Any]], prefix: str = "") -> None:
        """Take over what `arrays` gave; raises CheckpointError if it does not fit."""
        make: Any = type(self.columns)
        self.columns = make(*(taken(arrays, f"{prefix}{name}") for name in make._fields))


def counted_uniform(key: int, numbers: UInt64Array) -> FloatArray:
    """Uniform numbers in [0, 1) that depend on a key and on each number alone (SplitMix64).

    As `kernels.primitives.rng` draws them: the first number of each number's stream.

    Args:
        key: The key.
        numbers: uint64[n].

    Returns:
        float64[n].
    """
    with np.errstate(over="ignore"):
        gamma = np.uint64(_GAMMA)
        state = _mix(np.uint64(key) ^ _mix(numbers * gamma)) + gamma
        return (_mix(state) >> np.uint64(11)).astype(np.float64) * 2.0**-53


def _mix(z: UInt64Array) -> UInt64Array:
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: UInt64Array = z ^ (z >> np.uint64(31))
    return mixed


def taken(
    arrays: Mapping[str, NDArray[Any]], name: str, shape: tuple[int, ...] | None = None
) -> NDArray[Any]:
    """A copy of an array of a checkpoint; CheckpointError if it is missing or of another shape."""
    array = arrays.get(name)
    if array is None or (shape is not None and array.shape != shape):
        given = None if array is None else array.shape
        raise CheckpointError(
            f"the run has no {name}" + ("" if shape is None else f" of the shape {shape}"),
            option=name,
            given=given,
            expected=shape,
            remedy="start a new run",
        )
    return array.copy()
