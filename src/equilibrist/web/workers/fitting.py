"""What makes a large spot fit into memory: tried in a process of its own, which can be ended."""

from __future__ import annotations

from equilibrist.web.workers.order import Events, FitOrder


def fit(order: FitOrder, events: Events) -> None:
    """Send each reduction that fits, in the order of how much of the spot it keeps.

    Args:
        order: The spot and the memory that it may take.
        events: Where reductions are sent.
    """
    from equilibrist.poker.postflop.estimate.reductions import smaller_spots
    from equilibrist.poker.postflop.spot.given import spot_from_text

    spot = spot_from_text(order.spot)
    for found in smaller_spots(spot, order.memory, order.storage, threads=order.threads):
        events.send(
            "found",
            reduction={
                "changes": found.changes,
                "keys": found.keys,
                "storage": found.storage,
                "num_bytes": found.num_bytes,
            },
        )
