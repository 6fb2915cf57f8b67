"""What makes a large spot fit into memory: tried in a process of its own, which can be ended."""

from __future__ import annotations

from equilibrist.web.workers.order import FitOrder, Voice


def fit(order: FitOrder, voice: Voice) -> None:
    """Say each reduction that fits, those first that keep most of the spot."""
    from equilibrist.poker.estimates.reductions import smaller_spots
    from equilibrist.poker.spots.given import spot_from_text

    spot = spot_from_text(order.spot)
    for found in smaller_spots(spot, order.memory, order.storage, threads=order.threads):
        voice.say(
            "found",
            reduction={
                "changes": found.changes,
                "keys": found.keys,
                "storage": found.storage,
                "num_bytes": found.num_bytes,
            },
        )
