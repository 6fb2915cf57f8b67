"""How good the solution of a spot is: `evaluate FILE.spot`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from equilibrist.cli.postflop.solve import show_solution
from equilibrist.cli.text.next_commands import after_spot
from equilibrist.cli.text.output import (
    first_left,
    note,
    show,
    show_json,
    show_table,
    suggest,
)
from equilibrist.errors import MemoryBudgetError, UnsupportedError
from equilibrist.formatting.amounts import measure_text
from equilibrist.formatting.documents import document
from equilibrist.library.kinds import open_spot
from equilibrist.poker.postflop.spot.fields import SEATS

if TYPE_CHECKING:
    from equilibrist.poker.postflop.files.evaluation import SpotEvaluation
    from equilibrist.poker.postflop.spot.value_unit import ValueUnit


def show_evaluation(file: Path, *, json: bool) -> None:
    """Print EV, best responses and gains; those of the run where they cannot be computed again."""
    from equilibrist.poker.postflop.files.evaluation import evaluate_spot

    solution = open_spot("evaluate", file)
    evaluation, why = None, ""
    try:
        evaluation = evaluate_spot(solution)
    except (UnsupportedError, MemoryBudgetError) as error:
        why = str(error).partition(";")[0]
    if json:
        show_json({**solution.facts(), **_document(file, evaluation)})
    else:
        show_solution(solution)
        show()
        _show(evaluation, solution.ev, solution.spot.value_unit)
    if why:
        note(f"the figures are those of the run: {why}")
    if not json:
        suggest(*after_spot(file, for_prizes=solution.spot.payouts is not None))


def _show(evaluation: SpotEvaluation | None, ev: tuple[float, float], unit: ValueUnit) -> None:
    pot = unit.pot
    if evaluation is None:
        rows = [
            [seat.upper(), unit.text(value, pot)] for seat, value in zip(SEATS, ev, strict=True)
        ]
        show_table(["", "EV"], rows, first_left(2))
        return
    columns = ["", "EV", "best response", "gain"]
    figures = zip(
        SEATS, evaluation.values, evaluation.best_response_values, evaluation.gains, strict=True
    )
    rows = [
        [s.upper(), unit.text(v, pot), unit.text(b, pot), measure_text(g)] for s, v, b, g in figures
    ]
    if evaluation.unlocked_gains is not None:
        columns.append("gain without own locks")
        for row, gain in zip(rows, evaluation.unlocked_gains, strict=True):
            row.append(measure_text(gain))
    show_table(columns, rows, first_left(len(columns)))
    show()
    name = "exploitability" if evaluation.constant_sum else "mean gain"
    show(
        f"{name} {measure_text(evaluation.mean_gain)} (the mean of the gains, "
        f"{'in prizes' if unit.for_prizes else 'in chips per hand'})"
    )


def _document(file: Path, evaluation: SpotEvaluation | None) -> dict[str, Any]:
    names = "values best_response_values gains unlocked_gains"
    nothing: dict[str, Any] = dict.fromkeys(names.split())
    figures = nothing if evaluation is None else document(evaluation, names)
    return {"file": str(file), "recomputed": evaluation is not None, **figures}
