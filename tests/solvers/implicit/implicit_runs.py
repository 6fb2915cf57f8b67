"""Runs without a tree, to compare: two games, and what stands in a table."""

from __future__ import annotations

import numpy as np

from equilibrist.solvers.implicit.mccfr import ImplicitMCCFR

LARGE = "rules:liars_dice(dice=2,sides=6)"
SMALL = "rules:liars_dice(sides=3)"


def contents(solver: ImplicitMCCFR) -> dict[tuple[int, int], tuple[list[float], list[float]]]:
    """{key: (regrets, strategy sums)} of all rows."""
    table = solver.table
    found = {}
    for slot in np.flatnonzero(table.row != -1):
        place, actions = divmod(int(table.row[slot]), 1 << 16)
        rows = table.pool[:, place : place + actions].tolist()
        found[int(table.high[slot]), int(table.low[slot])] = (rows[0], rows[1])
    return found


def same_state(one: ImplicitMCCFR, other: ImplicitMCCFR) -> bool:
    parts = ("high", "low", "row", "pool", "used")
    tables = all(np.array_equal(getattr(one.table, p), getattr(other.table, p)) for p in parts)
    return tables and np.array_equal(one.progress, other.progress)
