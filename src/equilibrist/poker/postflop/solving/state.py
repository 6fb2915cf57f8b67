"""The state of a run on a spot, and of what run it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from numpy.typing import NDArray

from equilibrist.errors import MismatchError
from equilibrist.poker.postflop.spot.fields import SPOT_KEYS
from equilibrist.poker.postflop.spot.spot import Spot


class SpotRunIdentity(NamedTuple):
    """Spot, storage and algorithm of a run; a solver restores only states of an equal identity."""

    spot: Spot
    storage: str
    algorithm: str
    coefficients: str
    """A digest of the numbers of the algorithm."""
    reach_weighted: bool
    locked: str = ""
    """A digest of nodes that are locked beside the locks of the spot; empty without any."""
    lowest_rank: int = 0
    perturbation: str = ""
    """What keeps play alive everywhere; empty for a plain run."""

    def refuse_unless(self, wanted: SpotRunIdentity) -> None:
        """Raise MismatchError that says what differs."""
        there, here = self._asdict(), wanted._asdict()
        for key in SPOT_KEYS:
            there[key], here[key] = getattr(self.spot, key), getattr(wanted.spot, key)
        del there["spot"]
        for name in (*SPOT_KEYS, *self._fields[1:]):
            if there[name] != here[name]:
                words = f"its {name} is {there[name]}, not {here[name]}"
                changed = f"the coefficients of {self.algorithm} have changed since"
                raise MismatchError(
                    f"the state is of another run: {changed if name == 'coefficients' else words}",
                    option=name,
                    given=there[name],
                    expected=here[name],
                    remedy="restore it in a solver that was made with the same arguments",
                )


@dataclass(frozen=True, eq=False)
class SpotState:
    """All that the coming iterations on a spot depend on.

    Attributes:
        iteration: How many iterations have run.
        arrays: Regrets and strategy sums as they are stored, by name; copies.
        layout: A digest of the order in which they are stored.
        grows: Whether a variant has raised sums, so that they may overflow.
        identity: The run that it is of, which `restore` checks; None where that is not known.
    """

    iteration: int
    arrays: Mapping[str, NDArray[Any]] = field(repr=False)
    layout: str
    grows: bool
    identity: SpotRunIdentity | None = None
