"""PlayHistory: measures what a solver plays while it runs, and remembers it if that is wanted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from equilibrist.equilibria.concepts import Concept, concept_named
from equilibrist.equilibria.device import CorrelationDevice
from equilibrist.equilibria.gaps import GapMeter
from equilibrist.errors import MemoryBudgetError, MismatchError
from equilibrist.evaluation.correlation import Gap
from equilibrist.formatting.amounts import bytes_text
from equilibrist.parsing.arguments import optional_whole_number
from equilibrist.tree.compile import GameTree
from equilibrist.tree.walk.budget import default_memory
from equilibrist.typing import FloatArray

_FIRST_ROWS: Final = 64


class PlayHistory:
    """The profiles that a solver plays, with the weights of its average: `solver.watch(history)`.

    Args:
        tree: The compiled game.
        concept: `efce`, `efcce` or `nfcce` (also `cce`).
        memory: The most bytes for the sums and for the profiles; by default half of the machine's.
        record: The most iterations whose profiles are kept, for `device`; None keeps none.

    Raises:
        RecallError: A player forgets their own past.
        MemoryBudgetError: It would take more memory; nothing has been allocated.
        UnknownNameError: There is no such concept.
    """

    def __init__(
        self,
        tree: GameTree,
        concept: str | Concept = "efce",
        *,
        memory: int | None = None,
        record: int | None = None,
    ) -> None:
        """Prepare; the class says what the arguments are."""
        self.tree = tree
        optional_whole_number("record", record, 1)
        budget = default_memory() if memory is None else memory
        if record is not None:
            refuse_large_device(tree, record, budget)
        self.meter = GapMeter(tree, concept_named(concept), memory=memory)
        self._weights: list[float] | None = None if record is None else []
        self._rows = np.empty((0 if record is None else _FIRST_ROWS, int(tree.action_offset[-1])))

    @property
    def records(self) -> bool:
        """Whether the profiles are kept."""
        return self._weights is not None

    @property
    def name(self) -> str:
        """What it measures, for runs that are resumed."""
        return f"{self.meter.name}{' and all profiles' if self.records else ''}"

    @property
    def compiled(self) -> tuple[Any, ...] | None:
        """The arrays of the meter, where no profile is kept."""
        return None if self.records else self.meter.compiled

    def watch(self, weight: float, behaviour: FloatArray, decay: float) -> None:
        """Take the profile of an iteration, float64[S] in engine order.

        Args:
            weight: Its weight.
            behaviour: The profile.
            decay: What the weights of earlier ones are multiplied by.
        """
        self.meter.add_engine(weight, behaviour, decay)
        if self._weights is None:
            return
        if decay != 1.0:
            self._weights = [w * decay for w in self._weights]
        if decay == 0.0:
            self._weights.clear()
        if weight == 0.0:
            return
        count = len(self._weights)
        if count == len(self._rows):
            self._rows = np.concatenate((self._rows, np.empty_like(self._rows)))
        self._rows[count] = self.meter.form.to_public(behaviour)
        self._weights.append(weight)

    def gap(self) -> Gap:
        """The gap of what was played so far.

        Returns:
            The gap of each player, their sum, and the largest single trigger.

        Raises:
            ConfigError: No iteration with a weight has been played.
        """
        return self.meter.gaps()

    def device(self) -> CorrelationDevice:
        """The mixture of what was played.

        Returns:
            A device with one profile per iteration.

        Raises:
            MismatchError: Profiles are not kept, or none was played.
        """
        count = len(self._weights or ())
        if self._weights is None or not count:
            raise MismatchError(
                "no profile was kept",
                option="record",
                given=None,
                remedy="give `record`, and run the solver",
            )
        weights = np.array(self._weights)
        return CorrelationDevice(self.tree, weights / weights.sum(), self._rows[:count])

    def state(self) -> dict[str, np.ndarray]:
        """A copy of all that it remembers, for checkpoints.

        Returns:
            Arrays by name.
        """
        arrays: dict[str, np.ndarray] = dict(self.meter.state())
        if self._weights is not None:
            arrays["weights"] = np.array(self._weights)
            arrays["profiles"] = self._rows[: len(self._weights)].copy()
        return arrays

    def restore(self, state: Mapping[str, Any]) -> None:
        """Continue from a `state`.

        Args:
            state: That of a history of the same game and concept, which records or does not alike.

        Raises:
            MismatchError: It is of another one.
        """
        self.meter.restore(state)
        if self._weights is None:
            return
        weights, rows = state.get("weights"), state.get("profiles")
        wanted = (None if weights is None else len(weights), self._rows.shape[1])
        if weights is None or rows is None or rows.shape != wanted:
            raise MismatchError(
                f"the profiles are not those of a run on {self.tree.name}",
                option="profiles",
                given=None if rows is None else rows.shape,
                expected=wanted,
            )
        self._weights = weights.tolist()
        room = np.empty((max(_FIRST_ROWS, len(rows)), rows.shape[1]))
        room[: len(rows)] = rows
        self._rows = room


def refuse_large_device(tree: GameTree, profiles: int, memory: int) -> None:
    """MemoryBudgetError, where so many profiles of a game take more bytes than that."""
    need = 8 * profiles * (int(tree.action_offset[-1]) + 1)
    if need > memory:
        raise MemoryBudgetError(
            f"the device of {profiles:,} iterations of {tree.name} takes {bytes_text(need)}",
            tree.num_nodes,
            tree.num_nodes,
            option="memory",
            given=memory,
            expected=need,
            remedy="raise `memory`, or give fewer `iterations`",
        )
