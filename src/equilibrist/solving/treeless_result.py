"""What is told while a game is solved without its tree."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class TreelessProgress:
    """What a callback of `solve_without_tree` is told about 20 times a second.

    `nodes_touched` counts visited states, `num_infosets` those with a row in the table; `is_full`
    says that it has reached its bound. `eta_seconds` is None where the end cannot be foreseen.
    `bound_nash_conv` is that of `ImplicitMCCFR`, at most a few seconds old; where there is none,
    `why_no_bound` says why, and `bound_cce_gap` may say something else.
    """

    iteration: int
    seconds: float
    trajectories_per_second: float
    eta_seconds: float | None
    nodes_touched: int
    num_infosets: int
    table_bytes: int
    is_full: bool
    bound_nash_conv: float | None
    why_no_bound: str
    bound_cce_gap: float | None
