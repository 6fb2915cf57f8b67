"""What may look on while full traversals run: it receives what every iteration plays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Protocol

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.solvers.variants.rule import Rule
from equilibrist.solvers.variants.variant import Variant
from equilibrist.typing import FloatArray

WATCHED: Final = "watched-"
"""What the kernel of a run is compiled for that tells its watcher inside an iteration."""


class Watcher(Protocol):
    """Receives the profile of each iteration, with the weights of the strategy sums.

    `name` says what it measures, `form` is the sequence form of its game.
    """

    @property
    def name(self) -> str:
        """What it measures; a run is resumed only with a watcher of the same name."""
        ...

    @property
    def compiled(self) -> tuple[Any, ...] | None:
        """The watcher's arrays, `kernels.deviations.gaps.WatchedArrays`.

        None where it must be called for each iteration.
        """
        ...

    def watch(self, weight: float, behaviour: FloatArray, decay: float) -> None:
        """Take an iteration's profile, float64[S] in engine order; earlier ones are decayed."""
        ...

    def state(self) -> dict[str, np.ndarray]:
        """A copy of all that it remembers, for checkpoints."""
        ...

    def restore(self, state: Mapping[str, Any], /) -> None:
        """Continue from a `state`; MismatchError if it is of another game or measure."""
        ...


def refuse_turns(*, alternating: bool) -> None:
    """ConfigError where players update in turn, so that no iteration has one profile."""
    if alternating:
        raise ConfigError(
            "players update in turn, so that what they play in an iteration is not one profile",
            option="alternating",
            given=True,
            expected=False,
            remedy="make the solver with `alternating=False`",
        )


def decay_and_weight(rule: Rule, row: FloatArray) -> tuple[float, float]:
    """Decay and weight of the strategy sums in an iteration, from its row of the rule's table."""
    if isinstance(rule, Variant):
        return float(row[5]), float(row[6])
    return float(row[0]), float(row[1])
