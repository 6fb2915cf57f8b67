"""The parts of the kernel that a spot needs: it is compiled once for each kind of spot.

What a spot of one street without locks needs is half of the kernel, which the first run waits for.
Other storages than float32 have one kind, for all spots, so that `cache warm` stays short.
"""

from __future__ import annotations

from typing import Final, Literal

import numpy as np

from equilibrist.kernels.poker.postflop_arrays import Deals, Locks
from equilibrist.poker.postflop.engine.arena import Arena
from equilibrist.poker.postflop.engine.layout import Layout

KERNEL: Final = "equilibrist.kernels.poker.postflop.passes"
"""The kernel that `_jit.cache_is_warm` checks, together with the kind."""
Part = Literal["street", "streets", "all"]
"""One street; several; these, and locks."""


def part_of(storage: str, streets: int, *, locked: bool) -> Part:
    """The parts of the kernel that a game of so many streets needs."""
    if storage != "float32" or locked:
        return "all"
    return "streets" if streets > 1 else "street"


def kind_of(storage: str, streets: int, *, locked: bool) -> str:
    """What the kernel is compiled for, as `_jit.mark_warm` notes it."""
    return f"{storage}-{part_of(storage, streets, locked=locked)}"


def parts_for(layout: Layout, arena: Arena) -> tuple[Deals | None, Locks | None]:
    """The arrays of the parts; None for those that are left out of the kernel."""
    part = part_of(arena.storage, layout.game.streets, locked=arena.locks is not None)
    deals = None if part == "street" else layout.table.deals
    if part != "all":
        return deals, None
    return deals, arena.locks or Locks(np.empty(0, np.int64), np.zeros(1, layout.real))
