"""Solutions of push or fold on the screen: figures, a line a decision, and charts."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from equilibrist.cli.text.output import (
    heading,
    show,
    show_facts,
    show_grid,
    show_table,
    wants_colour,
)
from equilibrist.formatting.amounts import counted
from equilibrist.progress import ENDINGS

if TYPE_CHECKING:
    from equilibrist.poker.decisions.decision import Decision
    from equilibrist.poker.preflop.push_fold.solution import PushFoldSolution


def show_charts(solution: PushFoldSolution, *, grid: bool) -> None:
    """Print a solution: its figures, and its decisions or charts."""
    game = solution.game
    facts = [
        ("stacks", _by_seat(solution, lambda seat: f"{game.stacks[seat]:g}")),
        ("blinds", "/".join(f"{blind:g}" for blind in game.blinds) + _antes(solution)),
        ("payouts", "/".join(f"{payout:g}" for payout in game.payouts or ())),
        ("others", ", ".join(f"{stack:g}" for stack in game.others)),
        ("EV", _by_seat(solution, lambda seat: value_text(solution, solution.values[seat]))),
        ("std. error", _by_seat(solution, lambda seat: _error_text(solution, seat))),
        ("NashConv", _nash_conv(solution)),
        ("deals", _deals(solution)),
    ]
    show_facts([fact for fact in facts if fact[1]], "")
    if solution.game.seats > 2:
        show()
        _show_decisions(solution)
    if solution.game.seats == 2 or grid:
        for chart in solution.charts:
            show()
            show_chart(solution, chart, grid=grid)


def _antes(solution: PushFoldSolution) -> str:
    game = solution.game
    parts = [f"ante {game.ante:g}"] if game.ante else []
    parts += [f"big blind ante {game.big_blind_ante:g}"] if game.big_blind_ante else []
    return "".join(f", {part}" for part in parts)


def _by_seat(solution: PushFoldSolution, text: Callable[[int], str]) -> str:
    texts = [(solution.game.names[seat], text(seat)) for seat in solution.game.order]
    return ", ".join(f"{name} {words}" for name, words in texts if words)


def value_text(solution: PushFoldSolution, value: float) -> str:
    """An EV: mbb, or percent of the prize pool."""
    return f"{1000 * value:+z.3f} mbb" if solution.game.unit == "bb" else f"{value:+z.4%}"


def _error_text(solution: PushFoldSolution, seat: int) -> str:
    if solution.standard_errors is None:
        return ""
    error = solution.standard_errors[seat]
    return f"{1000 * error:.2g} mbb" if solution.game.unit == "bb" else f"{error:.2%}"


def _nash_conv(solution: PushFoldSolution) -> str:
    """NashConv as text, with its unit and how it was computed or bounded."""
    scale, unit = (1000, "mbb") if solution.game.unit == "bb" else (100, "% of the prize pool")
    value = f"{scale * max(solution.nash_conv, 0.0):.2g} {unit}"
    if solution.interval is None:
        return f"{value} ({solution.method})"
    low, high = (f"{scale * bound:z.2g}" for bound in solution.interval)
    return f"at most {value} (95 % interval {low} to {high})"


def _deals(solution: PushFoldSolution) -> str:
    if not solution.measured_deals:
        return ""
    if not solution.deals:
        return f"{solution.measured_deals:,} to measure, seed {solution.seed}"
    iterations = counted(solution.iterations, "iteration")
    again = f"{iterations} of CFR; {solution.measured_deals:,} to measure"
    ended = "" if solution.stopped_by in (None, "deals") else f"; {ENDINGS[solution.stopped_by]}"
    return f"{solution.deals:,} sampled, seed {solution.seed} ({again}{ended})"


def mostly(chart: Decision) -> str:
    """The hands that go all-in more often than not."""
    from equilibrist.poker.cards.combos import CLASS_OF_COMBO
    from equilibrist.poker.ranges.range import Range

    return str(Range.from_weights((chart.strategy[1] > 0.5)[CLASS_OF_COMBO])) or "no hand"


def _show_decisions(solution: PushFoldSolution) -> None:
    """A line for each decision, in the order of acting."""
    rows = [
        (
            chart.seat_name,
            "+".join(solution.against(chart)) or "-",
            f"{chart.reached:.2%}",
            f"{chart.count(1) / 1326:.2%}",
            mostly(chart) if chart.reached else "not reached",
        )
        for chart in solution.charts
    ]
    columns = ["seat", "all-in before", "reached", "all-in", "hands, more often than not"]
    show_table(columns, rows, ["left", "left", "right", "right", "left"], fold=True)


def show_chart(solution: PushFoldSolution, chart: Decision, *, grid: bool) -> None:
    """Print a chart: its hands, and with `grid` a grid of them."""
    from equilibrist.poker.preflop.push_fold.solution import pushes_of

    heading(solution.title(chart))
    mixed = ", ".join(f"{hand} {share:.4f}" for hand, share in chart.mixed(1).items())
    pushes, count = pushes_of(chart), chart.count(1)
    show_facts(
        [
            ("combos", f"{count:.3f} ({count / 1326:.2%})"),
            ("mixed", mixed or "none"),
            ("range", str(pushes) or "no hand"),
        ]
    )
    if grid:
        show()
        show_grid(pushes.__rich__() if wants_colour(sys.stdout) else pushes.grid())


def show_several(solutions: list[PushFoldSolution]) -> None:
    """A line for each game of two players."""
    unit = "mbb" if solutions[0].game.unit == "bb" else "% of pool"
    scale = 1000 if solutions[0].game.unit == "bb" else 100
    rows = []
    for solution in solutions:
        combos, mixed = ["-", "-"], ["-", "-"]  # of a seat that does not decide
        for k, chart in enumerate(solution.charts):
            combos[k] = f"{chart.count(1):.3f}"
            both = [f"{hand} {share:.4f}" for hand, share in chart.mixed(1).items()]
            mixed[k] = " ".join(both) or "-"
        value = f"{scale * solution.values[0]:z.4f}"
        rows.append((f"{solution.game.stacks[0]:g}", value, *combos, *mixed))
    columns = ["stack", f"SB {unit}", "SB pushes", "BB calls", "SB mixes", "BB mixes"]
    show_table(columns, rows, ["right", "right", "right", "right", "left", "left"])
