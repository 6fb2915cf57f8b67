"""What a spot needs: the estimate at once, and what would make it fit after a while."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from equilibrist.web.documents.orders import check_spot_options

if TYPE_CHECKING:
    from equilibrist.poker.spots.spot import Spot

_MOST: Final = 8
"""Reductions that are shown."""


def estimated(spot: Spot, options: dict[str, str], memory: int) -> dict[str, Any]:
    """The document of `equilibrist postflop estimate --json`, without reductions.

    Args:
        spot: The spot.
        options: Those of its run, as texts.
        memory: The bytes that a job may take.

    Raises what `postflop estimate` raises, and MemoryBudgetError for betting without end.
    """
    from equilibrist.poker.estimates.needs import spot_needs

    values = check_spot_options(options, spot.pot)
    needs = spot_needs(
        spot,
        target=_percent(values.get("target"), spot.pot),
        storage=values.get("storage"),
        threads=values.get("threads"),
        memory=2**62,
    )
    document = needs.to_dict()
    fits = needs.memory_bytes[needs.storage] <= memory
    return {**document, "limit_bytes": memory, "fits": fits}


def reductions(
    spot: Spot, options: dict[str, str], memory: int, is_wanted: Callable[[], bool]
) -> list[dict[str, Any]]:
    """What makes it fit, those first that keep most of it; ends early once nobody wants it."""
    from equilibrist.poker.estimates.reductions import smaller_spots

    values = check_spot_options(options, spot.pot)
    found = []
    for one in smaller_spots(
        spot, memory, values.get("storage", "float32"), threads=values.get("threads")
    ):
        found.append(
            {
                "changes": list(one.changes),
                "keys": one.keys,
                "storage": one.storage,
                "num_bytes": one.num_bytes,
            }
        )
        if len(found) >= _MOST or not is_wanted():
            break
    return found


def _percent(target: str | None, pot: float) -> str | None:
    """A target as a share of the pot, as the estimate of seconds takes it."""
    if target is None or target.endswith("%"):
        return target
    from equilibrist.poker.solutions.stopping import chips_of

    return f"{100 * chips_of(target, pot) / pot:g}%"
