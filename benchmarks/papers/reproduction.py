"""Running the published comparisons of algorithms again: what was printed, and what comes out."""

from __future__ import annotations

from collections.abc import Sequence

import equilibrist as eq
from benchmarks.papers.figures import Figure
from benchmarks.record import write_record
from equilibrist.solvers import CFR
from equilibrist.solvers.variants.registry import get_rule

COLUMNS = ("game", "iterations", "algorithm", "printed", "ours", "ours / printed", "digits")


def measured(figure: Figure) -> float:
    """What the engine reaches where the figure was taken."""
    rule = get_rule(figure.algorithm)
    horizon = figure.planned if rule.needs_horizon else None
    solver = CFR(figure.game, rule, horizon=horizon).run(figure.iterations)
    value = eq.nash_conv(solver.average_strategy())
    return value if figure.measure == "nash_conv" else value / 2.0


def reproduce(name: str, figures: Sequence[Figure], source: str) -> None:
    """Run every figure's configuration, print and record the comparison."""
    rows: list[list[object]] = []
    for figure in figures:
        ours = measured(figure)
        ratio = "-" if figure.is_bound else f"{ours / figure.value:.4f}"
        met = "a bound, met" if figure.is_bound else "all"
        digits = met if figure.agrees(ours) else "not all"
        configuration = [figure.game, figure.iterations, figure.algorithm]
        rows.append([*configuration, figure.printed, _as_printed(ours, figure), ratio, digits])
        print(rows[-1], flush=True)
    measures = {figure.measure for figure in figures}
    unit = "NashConv" if measures == {"nash_conv"} else "Exploitability"
    write_record(
        name,
        f"{unit} of the average strategy, alternating updates, against {source}.",
        f"python benchmarks/papers/{name}.py",
        COLUMNS,
        rows,
    )


def _as_printed(value: float, figure: Figure) -> str:
    """With as many digits as the figure was printed with."""
    mantissa = figure.printed.partition("e")[0].lstrip("0.").replace(".", "")
    return f"{value:.{max(len(mantissa) - 1, 0)}e}".replace("e-0", "e-")
