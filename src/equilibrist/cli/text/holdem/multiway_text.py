"""Solved hands of several seats on the screen: values and gains by seat, and grids of decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from equilibrist.cli.text.holdem.preflop_text import grid_text
from equilibrist.cli.text.output import heading, show, show_grid, show_table
from equilibrist.cli.text.quantities import seconds_text
from equilibrist.formatting.amounts import counted

if TYPE_CHECKING:
    from equilibrist.poker.preflop.multiway.solution import MultiwayNode, MultiwaySolution

_ENDINGS: Final = {
    "deals": "stopped at the deals asked for",
    "seconds": "stopped by the time limit",
    "interrupted": "interrupted",
}


def show_multiway(solution: MultiwaySolution) -> None:
    """Print how a hand was solved, and how good the result is."""
    heading(
        f"{solution.hand.name}: {counted(solution.deals, 'deal')} in "
        f"{counted(solution.iterations, 'iteration')}, "
        f"{seconds_text(solution.seconds)}; {_ENDINGS[solution.stopped_by]}"
    )
    low, high = solution.interval
    show(
        f"NashConv at most {1000 * solution.nash_conv:z.3g} mbb "
        f"(95 % interval {1000 * low:z.3g} to {1000 * high:z.3g}), "
        f"measured on {solution.measured_deals:,} other deals"
    )
    show()
    acting = [*range(2, len(solution.values)), 0, 1] if len(solution.values) > 2 else [0, 1]
    rows = []
    for seat in acting:
        low, high = solution.intervals[seat]
        rows.append(
            [
                solution.seats[seat],
                f"{1000 * solution.values[seat]:+z.2f}",
                f"{1000 * solution.standard_errors[seat]:.2f}",
                f"{1000 * solution.gains[seat]:z.2f}",
                f"{1000 * low:z.2f} to {1000 * high:z.2f}",
            ]
        )
    columns = ["seat", "EV (mbb)", "std. error", "could gain", "95 % interval"]
    show_table(columns, rows, ["left", "right", "right", "right", "right"])


def show_decision(node: MultiwayNode, *, grid: bool) -> None:
    """Print a decision: how often actions are taken, and with `grid` one of each and of EV."""
    where = f"after {node.line}" if node.line else "at the start"
    show()
    heading(f"{node.seat_name} {where}, which {node.reached:.2%} of hands reach")
    rows = [
        [code, f"{100 * share:.1f}%"]
        for code, share in zip(node.actions, node.frequencies, strict=True)
    ]
    show_table(["action", "frequency"], rows)
    if not grid:
        return
    for k, code in enumerate(node.actions):
        show()
        show(f"{code}, in percent of each hand")
        show_grid(grid_text(node, 100.0 * node.strategy[k], "{:.0f}"))
    show()
    show("EV in big blinds")
    show_grid(grid_text(node, node.ev, "{:+z.2f}"))
