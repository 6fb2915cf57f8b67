"""Values of three players' pots for many lines of betting: the kernels, called from Python."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from equilibrist.kernels import ENDS
from equilibrist.kernels.poker.three_ranges import (
    PICKS,
    SUMS,
    FineScratch,
    FormLines,
    ThreeScratch,
    evaluate_finely,
    evaluate_lines,
)
from equilibrist.parsing.arguments import bad_argument
from equilibrist.poker.postflop.engine.scratch import numbers
from equilibrist.poker.three_players.forms import SEATS, Form
from equilibrist.poker.three_players.tables import Tables


def working_memory(widths: Sequence[int], dtype: Any) -> ThreeScratch | FineScratch:
    """The memory that a thread evaluates forms in.

    Args:
        widths: The lengths of the seats' rows.
        dtype: float32 or float64, in which sums are taken, whatever reach and values are.

    Returns:
        Arrays that begin where a cache line does.
    """
    size = max(widths) * ENDS
    kind = ThreeScratch if dtype == np.float32 else FineScratch
    return kind(
        x=numbers(size + ENDS, dtype),
        y=numbers(size + ENDS, dtype),
        results=numbers(size, dtype),
        sums=numbers(SUMS, dtype),
        factors=numbers(ENDS, dtype),
        constants=np.array([1, 1 / 2, 1 / 3, 1 / 12], dtype),
        picks=np.zeros(PICKS, np.uintp),
    )


def working_bytes(widths: Sequence[int], dtype: Any) -> int:
    """The bytes of `working_memory`, but for small arrays.

    Args:
        widths: The lengths of the seats' rows.
        dtype: float32 or float64.

    Returns:
        The bytes.
    """
    return int(np.dtype(dtype).itemsize) * (3 * max(widths) * ENDS + SUMS)


def evaluate_forms(
    tables: Tables,
    seat: int,
    lines: FormLines,
    reach_j: NDArray[Any],
    reach_k: NDArray[Any],
    out: NDArray[Any],
    scratch: ThreeScratch | FineScratch,
) -> None:
    """Add forms to a seat's values: out[row_out] += coefficient * form(reach_j, reach_k).

    Thirty-two lines of one form are evaluated together, sixteen where no more are left. The form
    MM of `forms.Form` takes some 5 to 20 times as long as a showdown of two.

    Args:
        tables: The lists of the board.
        seat: The seat, 0 to 2; j and k are the other two in order.
        lines: The rows of reach and values, and the coefficients, by form.
        reach_j: float[rows, tables.widths[j]], in C order; hands in the order of the tables.
        reach_k: float[rows, tables.widths[k]].
        out: float[rows, tables.widths[seat]], added to. Values need not be of the type of reach.
        scratch: As `working_memory` makes it.

    Raises:
        ConfigError: Reach or values have rows of another width, or are not in C order.
    """
    j, k = (other for other in range(SEATS) if other != seat)
    for name, rows, wide in (("reach_j", reach_j, j), ("reach_k", reach_k, k), ("out", out, seat)):
        if rows.shape[1:] != (tables.widths[wide],) or not rows.flags.c_contiguous:
            raise bad_argument(name, rows.shape, f"[rows, {tables.widths[wide]}] in C order")
    run = evaluate_lines if isinstance(scratch, ThreeScratch) else evaluate_finely
    run(
        tables.seats[seat],
        lines,
        reach_j.reshape(-1),
        reach_k.reshape(-1),
        out.reshape(-1),
        scratch,
    )


def evaluate(
    tables: Tables,
    seat: int,
    form: Form,
    lanes_j: NDArray[Any],
    lanes_k: NDArray[Any],
    coefficients: NDArray[Any],
    out: NDArray[Any],
    scratch: ThreeScratch | FineScratch | None = None,
) -> None:
    """Add one form of each line to a seat's values: out[n] += coefficients[n] * form(line n).

    Args:
        tables: The lists of the board.
        seat: The seat, 0 to 2; j and k are the other two in order.
        form: What of the ranges of j and k counts.
        lanes_j: float[lines, tables.widths[j]], in C order: reach of j on each line.
        lanes_k: float[lines, tables.widths[k]].
        coefficients: float[lines], the pots.
        out: float[lines, tables.widths[seat]], added to.
        scratch: As `working_memory` makes it; new if not given, of the type of `out`.

    Raises:
        ConfigError: Reach or values have rows of another width, or are not in C order.
    """
    rows = np.arange(len(coefficients), dtype=np.int32)
    scratch = scratch or working_memory(tables.widths, out.dtype)
    begin = np.where(np.arange(len(Form) + 1) > form, len(rows), 0)
    lines = FormLines(begin, rows, rows, rows, np.asarray(coefficients, scratch.sums.dtype))
    evaluate_forms(tables, seat, lines, lanes_j, lanes_k, out, scratch)
