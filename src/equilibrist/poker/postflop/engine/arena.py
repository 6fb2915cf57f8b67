"""The arena: the stored regrets and strategy sums of all decisions on all boards."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from equilibrist.errors import MismatchError
from equilibrist.kernels.poker.postflop_arrays import UPDATE, VALUE, Locks, Store
from equilibrist.poker.postflop.engine.layout import Layout
from equilibrist.poker.postflop.engine.lock_layout import frequency_error, lock_table
from equilibrist.poker.postflop.engine.node_rows import AverageOf, average_of
from equilibrist.poker.postflop.engine.perturbation import Perturbation
from equilibrist.poker.postflop.engine.scratch import numbers
from equilibrist.poker.postflop.spot.fields import Storage
from equilibrist.typing import FloatArray

_SOLVER_ARRAYS: Final = (
    "regret", "regret_scale", "match", "match_scale", "total", "total_scale",
)  # fmt: skip
"""The arrays of `Store` that a resumed run needs."""
_PIECE: Final = 1 << 22
"""Numbers checked at a time."""


def real_of(storage: Storage) -> Any:
    """The type of floats used with a storage."""
    return np.float64 if storage == "float64" else np.float32


class Arena:
    """The stored numbers of a game, all 0 initially.

    `predicts` allocates the predicted regrets that predictive variants match in place of regrets;
    with trembles what is played stands there.
    """

    def __init__(
        self,
        layout: Layout,
        storage: Storage,
        *,
        predicts: bool = False,
        perturbation: Perturbation | None = None,
    ) -> None:
        self.storage = storage
        self.perturbation = perturbation
        self._layout = layout
        lock_layout = lock_table(layout.game, layout.betting, layout.table, layout.real)
        self.locks = lock_layout.locks
        """The locked probabilities and frequencies; None without any."""
        self.target_frequencies = lock_layout.target_frequencies
        """int64[K, 4]: decisions with locked frequencies, see `LockTable`."""
        predicts |= perturbation is not None and not perturbation.is_quantal
        small = storage == "int16"
        stored = np.int16 if small else layout.real
        entries, scales = layout.table.entries, layout.table.decisions if small else 1
        self.store = Store(
            numbers(entries, stored),
            np.zeros(scales, np.float32),
            numbers(entries if predicts else 0, stored),
            np.zeros(scales if predicts else 1, np.float32),
            numbers(entries, stored),
            np.zeros(scales, np.float32),
        )

    @property
    def has_frequency_locks(self) -> bool:
        """Whether any frequency is locked."""
        return len(self.target_frequencies) > 0

    @property
    def nbytes(self) -> int:
        """Bytes of the stored numbers, locks included."""
        return sum(array.nbytes for array in self.arrays)

    @property
    def arrays(self) -> tuple[NDArray[Any], ...]:
        """All arrays that it holds, those of locks included."""
        return (*self.store, *(self.locks or ()))

    def played(self, mode: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """The numbers to which strategies are proportional in this mode, and their scales."""
        store = self.store
        if mode != UPDATE or (self.perturbation is not None and self.perturbation.is_quantal):
            return store.total, store.total_scale
        if len(store.match):
            return store.match, store.match_scale
        return store.regret, store.regret_scale

    def strategy(self, place: int, board: int) -> FloatArray:
        """float64[A, n]: the average strategy at a decision of the program on a board.

        Uniform before the first iteration.
        """
        return self._in_proportion(self.store.total, self.locks, place, board)

    def strategies(self, *, current: bool = False) -> AverageOf:
        """A function of a decision and a board that gives the strategy there, float64[A, n].

        The average strategies of now, copied, or with `current` what the next iteration plays.
        """
        sums, _ = self.played(UPDATE if current else VALUE)
        locks = self.locks
        if locks is not None and self.has_frequency_locks:
            locks = locks._replace(numbers=locks.numbers.copy())
        return partial(self._in_proportion, np.maximum(sums, 0), locks)

    def _in_proportion(
        self, stored: NDArray[Any], locks: Locks | None, place: int, board: int
    ) -> FloatArray:
        """The strategy at a decision, float64[A, n], n live hands in board order.

        Locked probabilities as they are; free actions in proportion to their `stored` numbers,
        float or int16 units, and uniform without any.
        """
        program, boards = self._layout.betting.program, self._layout.table.boards
        player, actions = int(program.player[place]), int(program.count[place])
        width = int(boards.width[player, board])
        start = int(boards.arena[player, board]) + int(program.row[place]) * width
        decision = int(boards.decisions[player, board]) + int(program.decision[place])
        sums = stored[start : start + actions * width].astype(np.float64).reshape(actions, width)
        if stored.dtype.kind == "f":  # as in the kernel, subnormal totals count as 0
            sums[:, sums.sum(axis=0) < np.finfo(stored.dtype).tiny] = 0.0
        fixed = None
        if locks is not None and locks.start[decision] >= 0:
            lock = int(locks.start[decision])
            locked_numbers = locks.numbers[lock : lock + actions * width]
            fixed = locked_numbers.reshape(actions, width).astype(np.float64)
        strategy = average_of(sums, fixed)
        return strategy[:, : int(boards.live[player, board])]

    def frequency_error(self) -> float:
        """The largest error of a locked frequency in the last pass with incentives."""
        return frequency_error(self.target_frequencies, self.locks.numbers) if self.locks else 0.0

    def solver_arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays that a resumed run needs, not copied; incentives of frequencies included."""
        arrays = {name: getattr(self.store, name) for name in _SOLVER_ARRAYS}
        if self.locks is not None and self.has_frequency_locks:
            arrays["locks"] = self.locks.numbers
        return arrays

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take over `solver_arrays` of another arena of the same layout.

        Args:
            arrays: What it has; copied.

        Raises:
            MismatchError: They are of another layout or storage; nothing has been changed then.
        """
        own = self.solver_arrays()
        for name, array in own.items():
            there = arrays.get(name)
            if there is None or (there.shape, there.dtype) != (array.shape, array.dtype):
                raise MismatchError(
                    f"the state does not fit this spot and its storage: {name}",
                    option=name,
                    given=None if there is None else (there.shape, str(there.dtype)),
                    expected=(array.shape, str(array.dtype)),
                )
        for name, array in own.items():
            array[:] = arrays[name]

    def clear(self) -> None:
        """Forget all iterations; not what locked frequencies have learnt."""
        for array in self.store:
            array[:] = 0

    def is_finite(self) -> bool:
        """Whether no regret and no strategy sum has overflowed."""
        arrays = [getattr(self.store, name) for name in _SOLVER_ARRAYS]
        return all(
            bool(np.isfinite(array[begin : begin + _PIECE]).all())
            for array in arrays
            if array.dtype.kind == "f"  # 16-bit numbers are covered by their scales
            for begin in range(0, len(array), _PIECE)
        )
