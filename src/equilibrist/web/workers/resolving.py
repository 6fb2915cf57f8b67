"""Streets that a file does not keep, solved again in a process of its own, which can be ended."""

from __future__ import annotations

from equilibrist.web.workers.order import Events, FitOrder, ResolveOrder


def resolve(order: ResolveOrder, events: Events) -> None:
    """Solve the street of a line and save it, or report on all next cards.

    Args:
        order: The solution, the line, and the file for the street.
        events: Where the end is sent.

    Raises:
        EquilibristError: What `load_result` and `PostflopResult.at` raise.
        OutputError: The file cannot be written.
    """
    from equilibrist.poker.postflop.files.runout_report import (
        distinct_runouts,
        plain,
        rows_of_runouts,
    )
    from equilibrist.poker.postflop.files.storage import load_spot, resolve_street

    solution = load_spot(order.path)
    if order.into is None:
        rows = [*distinct_runouts(solution, order.line)]
        runouts = [plain(row) for row in rows_of_runouts(solution, order.line, rows)]
        events.send("resolved", runouts=runouts)
        return
    street = resolve_street(solution, order.line)
    if street is not None:
        street.save(order.into)
    events.send("resolved", is_reached=street is not None)


def fit(order: FitOrder, events: Events) -> None:
    """Send each reduction that fits, in the order of how much of the spot it keeps.

    Args:
        order: The spot and the memory that it may take.
        events: Where reductions are sent.
    """
    from equilibrist.poker.postflop.estimate.reductions import smaller_spots
    from equilibrist.poker.postflop.spot.spot import spot_from_text

    spot = spot_from_text(order.spot)
    for reduction in smaller_spots(spot, order.memory, order.storage, threads=order.threads):
        events.send(
            "found",
            reduction={
                "changes": reduction.changes,
                "keys": reduction.keys,
                "storage": reduction.storage,
                "num_bytes": reduction.num_bytes,
            },
        )
