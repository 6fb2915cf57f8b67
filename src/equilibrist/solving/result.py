"""What is told while a game is solved."""

from __future__ import annotations

from dataclasses import dataclass

from equilibrist.evaluation import Evaluation


@dataclass(frozen=True)
class Progress:
    """What a callback of `solve` is told about 20 times a second.

    `evaluation` is the newest one, made after `evaluated_at` iterations; `eta_seconds` estimates
    when the target is met, or without a target when the run stops (None: it cannot be foreseen).
    Times in seconds, values in payoff units.
    """

    iteration: int
    seconds: float
    evaluation: Evaluation
    evaluated_at: int
    iterations_per_second: float
    eta_seconds: float | None
    target: float | None
    nodes_touched: int | None = None
    """With a sampler, the histories visited so far."""
    table_bytes: int | None = None
    """With a sampler, the bytes of its tables."""
