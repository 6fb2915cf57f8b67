"""Protocols by which programs play each other, and the files of hands that poker programs write."""

from __future__ import annotations

from typing import TYPE_CHECKING

from equilibrist._lazy_names import lazy_names

_PUBLIC = {
    "Converted": "equilibrist.protocols.converting",
    "HAND_FAULTS": "equilibrist.play.histories.faults",
    "HandFault": "equilibrist.play.histories.faults",
    "LeftOut": "equilibrist.play.histories.faults",
    "PlayedHand": "equilibrist.play.histories.played",
    "ReadHands": "equilibrist.play.histories.played",
    "convert_hands": "equilibrist.protocols.converting",
    "read_hands": "equilibrist.protocols.hand_files",
    "write_hands": "equilibrist.protocols.converting",
}

__all__ = [*_PUBLIC]

if TYPE_CHECKING:  # type checkers see what __getattr__ gives
    from equilibrist.play.histories.faults import HAND_FAULTS as HAND_FAULTS
    from equilibrist.play.histories.faults import HandFault as HandFault
    from equilibrist.play.histories.faults import LeftOut as LeftOut
    from equilibrist.play.histories.played import PlayedHand as PlayedHand
    from equilibrist.play.histories.played import ReadHands as ReadHands
    from equilibrist.protocols.converting import Converted as Converted
    from equilibrist.protocols.converting import convert_hands as convert_hands
    from equilibrist.protocols.converting import write_hands as write_hands
    from equilibrist.protocols.hand_files import read_hands as read_hands
else:
    __getattr__, __dir__ = lazy_names(__name__, _PUBLIC)
