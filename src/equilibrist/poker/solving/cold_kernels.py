"""The kernels that a spot needs and that are not on disk: its first run compiles them."""

from __future__ import annotations

from collections.abc import Collection

from equilibrist._jit import cache_is_warm
from equilibrist.poker.engine.kernel_parts import KERNEL, kind_of
from equilibrist.poker.equities.equity import BOARDS_KERNEL
from equilibrist.poker.spots.spot import Spot


def cold_kernels(spot: Spot, storage: str, cards: Collection[int] = ()) -> list[str]:
    """The names of such kernels, with their kinds.

    Args:
        spot: The spot.
        storage: How it is stored.
        cards: How many cards are on the boards that replace its own, if it is solved on others.
    """
    streets = {6 - count for count in cards or [len(spot.cards)]}
    locked = bool(spot.locks)
    kinds = sorted({kind_of(storage, each, locked=locked) for each in streets})
    cold = [f"{KERNEL} {kind}" for kind in kinds if not cache_is_warm(KERNEL, kind)]
    if max(streets) > 1 and not cache_is_warm(BOARDS_KERNEL):
        cold.append(BOARDS_KERNEL)
    return cold


def cold_for_any_spot() -> list[str]:
    """The same for a spot that is not known yet: no kind of the kernel is on disk."""
    return [] if cache_is_warm(KERNEL) else [KERNEL]
