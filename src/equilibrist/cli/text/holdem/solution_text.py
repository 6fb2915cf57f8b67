"""How hands were solved, and how good the solutions are, on the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from equilibrist.cli.text.output import heading, show, show_table
from equilibrist.formatting.amounts import bytes_text, counted, seconds_text
from equilibrist.progress import ENDINGS

if TYPE_CHECKING:
    from equilibrist.poker.preflop.exact.solution import PreflopSolution
    from equilibrist.poker.preflop.multiway.solution import MultiwaySolution


def show_exact(solution: PreflopSolution) -> None:
    """Print how the hand was solved, and how good the result is."""
    game = solution.game
    count = counted(solution.iterations, "iteration")
    missed = solution.target is not None and solution.exploitability > solution.target
    warning = f"not converged to {solution.target:g} mbb: " if missed else ""
    ending = ENDINGS[solution.stopped_by]
    heading(f"{game.name}: {warning}{count} in {seconds_text(solution.seconds)}; {ending}")
    low, high = (1000 * bound for bound in solution.value_interval)
    show(
        f"exploitability {solution.exploitability:.3g} mbb (NashConv {solution.nash_conv:.4g}), "
        f"{solution.seats[0]} {1000 * solution.values[0]:+z.4g} mbb (value from {low:+z.4g} to "
        f"{high:+z.4g}), memory {bytes_text(solution.memory_bytes)}"
    )
    if solution.advice:
        show(solution.advice)
    if game.flops is not None:
        show(f"on {game.flops:,} drawn flops; on all of them it is not measured")


def show_multiway(solution: MultiwaySolution) -> None:
    """Print how a hand was solved, and how good the result is."""
    heading(
        f"{solution.hand.name}: {counted(solution.deals, 'deal')} in "
        f"{counted(solution.iterations, 'iteration')}, "
        f"{seconds_text(solution.seconds)}; {ENDINGS[solution.stopped_by]}"
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
