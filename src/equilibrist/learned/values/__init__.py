"""Value networks: what public states are worth for the ranges of both players."""

from __future__ import annotations

from typing import TYPE_CHECKING

from equilibrist._lazy_names import lazy_names

_PUBLIC = {
    "Ladder": "equilibrist.learned.values.ladder",
    "Rung": "equilibrist.learned.values.ladder",
    "ValueCheckpoint": "equilibrist.learned.values.training",
    "ValueNetwork": "equilibrist.learned.values.network",
    "ValueStates": "equilibrist.learned.values.states",
    "ValueTraining": "equilibrist.learned.values.training",
    "climb": "equilibrist.learned.values.ladder",
    "stitched": "equilibrist.learned.values.stitched",
    "train_values": "equilibrist.learned.values.training",
}

__all__ = [*_PUBLIC]

if TYPE_CHECKING:  # type checkers see what __getattr__ gives
    from equilibrist.learned.values.ladder import Ladder as Ladder
    from equilibrist.learned.values.ladder import Rung as Rung
    from equilibrist.learned.values.ladder import climb as climb
    from equilibrist.learned.values.network import ValueNetwork as ValueNetwork
    from equilibrist.learned.values.states import ValueStates as ValueStates
    from equilibrist.learned.values.stitched import stitched as stitched
    from equilibrist.learned.values.training import ValueCheckpoint as ValueCheckpoint
    from equilibrist.learned.values.training import ValueTraining as ValueTraining
    from equilibrist.learned.values.training import train_values as train_values
else:
    __getattr__, __dir__ = lazy_names(__name__, _PUBLIC)
