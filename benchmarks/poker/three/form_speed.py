"""Microseconds of a terminal form of three players, by the size of the ranges.

    python benchmarks/poker/three/form_speed.py [--quick]

The hands of each range are drawn from all on the board Qs9h5d3cJs. FORMS forms of a kind and of
seat 1 are evaluated in one call, from rows of reach and added to rows of values, as a solver does
it, with transposes. The processor time of a form is that of the fastest of rounds that take turns.
Tables are those of all three seats. With --quick nothing is recorded.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

import numpy as np

from benchmarks.record import write_record
from equilibrist.kernels.poker.three_ranges import FormLines
from equilibrist.poker.cards.cards import parse_cards
from equilibrist.poker.cards.combos import dealt_hands
from equilibrist.poker.postflop.engine.scratch import numbers
from equilibrist.poker.three_players.form_values import evaluate_forms, working_memory
from equilibrist.poker.three_players.forms import Form
from equilibrist.poker.three_players.tables import Tables

BOARD = "Qs9h5d3cJs"
SIZES = (100, 200, 300, 450, 600, 1081)
FORMS, ROUNDS = 256, 25
SEAT = 1


def measured(hands: int, dtype: Any, lines: int, rounds: int) -> list[float]:
    """Microseconds of a form of each kind, lines of a kind at once; then milliseconds of tables."""
    rng, held = np.random.default_rng(hands), np.flatnonzero(dealt_hands(parse_cards(BOARD)))
    ranges = [rng.choice(held, hands, replace=False).astype(np.int32) for _ in range(3)]
    built = []
    for _ in range(5):
        start = time.process_time()
        tables = Tables(parse_cards(BOARD), ranges)
        built.append(time.process_time() - start)
    rows = [numbers(lines * width, dtype).reshape(lines, width) for width in tables.widths]
    for row in rows:
        row[:, :hands] = rng.random((lines, hands))
    out, pots, picks = (
        np.zeros_like(rows[SEAT]),
        np.ones(lines, dtype),
        np.arange(lines, dtype=np.int32),
    )
    memory = working_memory(tables.widths, dtype)
    begins = {form: np.where(np.arange(len(Form) + 1) > form, lines, 0) for form in Form}
    plans = {form: FormLines(begin, picks, picks, picks, pots) for form, begin in begins.items()}
    taken = {form: [np.inf] for form in Form}
    for _ in range(rounds):
        for form, times in taken.items():
            start = time.process_time()
            evaluate_forms(tables, SEAT, plans[form], rows[0], rows[2], out, memory)
            times.append(time.process_time() - start)
    return [*(1e6 * min(times) / lines for times in taken.values()), 1e3 * min(built)]


def main() -> None:
    """Measure and record."""
    quick = "--quick" in sys.argv
    sizes = (100, 300, 1081) if quick else SIZES
    wide = {size: measured(size, np.float32, FORMS, 5 if quick else ROUNDS) for size in sizes}
    few = {size: measured(size, np.float32, 16, 10 * ROUNDS) for size in sizes}
    fine = {size: measured(size, np.float64, FORMS, 5 if quick else ROUNDS) for size in sizes}
    names = [form.name for form in Form]
    rows: list[list[Any]] = []
    for label, times, picked in (
        ("float32", wide, (Form.MM, Form.MA, Form.AM, Form.FF)),
        ("float32, 16 in a call", few, (Form.MM,)),
        ("float64", fine, (Form.MM, Form.FF)),
    ):
        rows += [
            [f"{names[form]}, {label}", *(round(times[size][form], 3) for size in sizes)]
            for form in picked
        ]
    rows.append(["tables of the board, ms", *(round(wide[size][-1], 2) for size in sizes)])
    for row in rows:
        print(row)
    if not quick:
        write_record(
            "three_forms",
            "Microseconds of processor time of a form for all hands of a seat, by hands in each "
            f"range; the best of {ROUNDS} interleaved rounds of {FORMS} forms.",
            "python benchmarks/poker/three/form_speed.py",
            ["form", *(str(size) for size in sizes)],
            rows,
        )


if __name__ == "__main__":
    main()
