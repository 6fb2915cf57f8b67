"""Result: what `solve` gives back, frozen, and remembers how it was made."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any, Literal

from equilibrist.evaluation import Evaluation
from equilibrist.solution import Solution
from equilibrist.solvers.run.trace import TracePoint
from equilibrist.solving.config import SolveConfig
from equilibrist.strategy import Strategy

StoppedBy = Literal["target", "iterations", "time", "interrupted", "callback", "exact"]


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


@dataclass(frozen=True)
class Sampling:
    """What was drawn: the sampler with its parameters, the average, the seed, and how much.

    `averaging_every` (iterations) is None where the sampler averages on its way; `nodes_touched`
    counts visited histories, `table_bytes` all tables that the sampler needs. `threads` batches ran
    side by side, on the `executor` (serial, threads, ray); `shared` means on one table, which no
    other run with the same seed repeats to the bit.
    """

    sampler: str
    averaging: str
    averaging_every: int | None
    period: int
    seed: int
    nodes_touched: int
    table_bytes: int
    executor: str
    threads: int
    shared: bool


@dataclass(frozen=True)
class StateGraphStats:
    """What FSICFR worked on: `game`, with its distinct `states` and its `infosets`.

    `nodes_touched` counts the states visited in all iterations, `histories` those that they stood
    for. With fewer infosets than the tree in which the strategy is given, the players forget.
    """

    game: str
    states: int
    infosets: int
    nodes_touched: int
    histories: float
    seed: int


@dataclass(frozen=True, eq=False)
class Result:
    """A strategy for all players, the proof of how good it is, and the way there.

    `seconds` counts iterating and measuring, with those before the run was resumed; walking the
    rules, compiling, callbacks and writing files are not counted.
    """

    game: str
    algorithm: str
    iterations: int
    seconds: float
    strategy: Strategy
    evaluation: Evaluation
    trace: tuple[TracePoint, ...]
    stopped_by: StoppedBy
    target: float | None
    """The target in force, given or by default, in payoff units; None if there was none."""
    config: SolveConfig
    guarantee: str
    notes: tuple[str, ...]
    family: dict[str, Any] | None
    """The published family of equilibria the strategy belongs to (`FamilyReport.to_dict`)."""
    versions: dict[str, str]
    solution_file: Path | None = None
    details: object | None = None
    """LinearSolution of lp, MatchingResult, Sampling, StateGraphStats of fsicfr; else None."""

    @property
    def values(self) -> tuple[float, ...]:
        """Each player's expected payoff."""
        return self.evaluation.values

    @property
    def gains(self) -> tuple[float, ...]:
        """What each player could still gain by a best response."""
        return self.evaluation.gains

    @property
    def nash_conv(self) -> float:
        """Sum of the gains."""
        return self.evaluation.nash_conv

    @property
    def exploitability(self) -> float | None:
        """nash_conv / 2 for two players with constant sum, else None."""
        return self.evaluation.exploitability

    @property
    def measure_name(self) -> str:
        """Which measure is held against the target: exploitability or NashConv."""
        return self.evaluation.measure_name

    @property
    def num_players(self) -> int:
        """Number of players."""
        return self.strategy.tree.num_players

    @property
    def num_nodes(self) -> int:
        """Number of histories."""
        return self.strategy.tree.num_nodes

    @property
    def num_infosets(self) -> int:
        """Number of infosets of all players."""
        return self.strategy.tree.num_infosets

    @property
    def num_sequences(self) -> int:
        """Pairs of infoset and action, plus one empty sequence per player."""
        return self.strategy.tree.num_sequences

    @cached_property
    def solution(self) -> Solution:
        """The same as an object that needs no rules: what `save` writes."""
        return replace(
            Solution.of(self.strategy, self.algorithm, self.evaluation),
            game=self.game,
            iterations=self.iterations,
            seconds=self.seconds,
            stopped_by=self.stopped_by,
            guarantee=self.guarantee,
            notes=self.notes,
            family=self.family,
            config=self.config.model_dump(mode="json"),
            versions=self.versions,
            trace=self.trace,
            sampling=asdict(self.details) if isinstance(self.details, Sampling) else None,
        )

    def to_dict(self) -> dict[str, Any]:
        """The document that `--json` prints."""
        return self.solution.to_dict(self.solution_file)

    def save(self, path: str | os.PathLike[str]) -> Result:
        """Write the solution file; returns this result with `solution_file` set.

        Raises OutputError; an earlier file at `path` then stays as it was.
        """
        return replace(self, solution_file=self.solution.save(path))

    def plot(self, path: str | os.PathLike[str]) -> Path:
        """Draw the trace on logarithmic axes as SVG or PNG and return the path.

        Raises ConfigError for another suffix, OutputError if the file cannot be written.
        """
        from equilibrist.plotting import convergence_figure, save_figure

        title = f"{self.game}, {self.algorithm}"
        traces = {self.algorithm: self.trace}
        figure = convergence_figure(traces, title=title, target=self.target)
        return save_figure(figure, path)

    def __repr__(self) -> str:
        return (
            f"Result({self.game!r}, {self.algorithm!r}, iterations={self.iterations:,}, "
            f"{self.measure_name}={self.evaluation.measure:.3g}, stopped_by={self.stopped_by!r})"
        )

    def _repr_html_(self) -> str:
        rows = [
            ("algorithm", f"{self.algorithm}, {self.iterations:,} iterations"),
            ("stopped by", self.stopped_by),
            ("seconds", f"{self.seconds:.3g}"),
            ("values", ", ".join(f"{v:.6g}" for v in self.values)),
            ("gains", ", ".join(f"{g:.3g}" for g in self.gains)),
            (self.measure_name, f"{self.evaluation.measure:.3g}"),
        ]
        body = "".join(f"<tr><th>{escape(k)}</th><td>{escape(v)}</td></tr>" for k, v in rows)
        said = "".join(f"<p>{escape(text)}</p>" for text in (self.guarantee, *self.notes))
        table = f"<table><caption>{escape(self.game)}</caption>{body}</table>"
        return f"{table}{said}{self.strategy._repr_html_()}"
