"""Comparison: the runs of several algorithms on one game, and what they reached."""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import accumulate
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from equilibrist.drawing.curves import curves_svg
from equilibrist.errors import EquilibristError
from equilibrist.formatting.documents import document
from equilibrist.parsing.arguments import file_name
from equilibrist.results.result import Result
from equilibrist.results.spread import Reached, Spread
from equilibrist.solvers.run.trace import TracePoint
from equilibrist.storage.records import records_frame, write_records

if TYPE_CHECKING:
    import pandas

COLUMNS: Final = (
    "algorithm", "seed", "run", "iteration", "seconds", "nash_conv", "exploitability"
)  # fmt: skip
"""The columns of a table of measurements."""
GAP_COLUMNS: Final = (*COLUMNS, "gap")
"""The columns of a table of measurements where the gap of the history of play is measured."""


class BandPoint(NamedTuple):
    """The interval of the measure over seeds at one iteration.

    Attributes:
        iteration: The iteration, at which every run was measured.
        seconds: The median over all runs.
        low: The lower end of the interval, in payoff units.
        high: Its upper end.
    """

    iteration: int
    seconds: float
    low: float
    high: float


@dataclass(frozen=True)
class ComparedRun:
    """One algorithm's run, or its runs with several seeds or repeats.

    Attributes:
        name: Its name as it was given.
        result: What `solve` found, with the first seed.
        others: The further runs: those of the same seed, then those of the next one.
    """

    name: str
    result: Result
    others: tuple[Result, ...] = ()

    @property
    def results(self) -> tuple[Result, ...]:
        """All runs, the first one first."""
        return (self.result, *self.others)

    @property
    def by_seed(self) -> tuple[tuple[Result, ...], ...]:
        """The runs of each seed, which differ in their seconds."""
        groups: dict[int, list[Result]] = {}
        for result in self.results:
            groups.setdefault(result.config["seed"], []).append(result)
        return tuple(map(tuple, groups.values()))

    @property
    def measure(self) -> Spread:
        """The measure at the end, over seeds."""
        return Spread.of(runs[0].measure for runs in self.by_seed)

    @property
    def iterations(self) -> Spread:
        """The iterations, over seeds."""
        return Spread.of(runs[0].iterations for runs in self.by_seed)

    @property
    def seconds(self) -> Spread:
        """The seconds: over seeds the medians of the repeats, or over the repeats of one seed."""
        return self._over_runs(lambda result: result.seconds)

    def reached_by_all(self, level: float) -> Reached:
        """When the runs first measured at most a level.

        Args:
            level: In payoff units.

        Returns:
            With how many seeds they did, and medians and intervals as of `iterations` and
            `seconds`, infinite where too few did.
        """
        points = [_first(points_of(runs[0]), level) for runs in self.by_seed]
        return Reached(
            sum(point is not None for point in points),
            Spread.of(math.inf if p is None else p.iteration for p in points),
            self._over_runs(lambda result: _seconds_to(result, level)),
        )

    def _over_runs(self, seconds: Callable[[Result], float]) -> Spread:
        """Repeats of one seed are runs like any others; those of many count once for each seed."""
        times = [[seconds(result) for result in runs] for runs in self.by_seed]
        return Spread.of(times[0] if len(times) == 1 else map(median, times))

    def reached(self, level: float) -> TracePoint | None:
        """The first measurement of the first run at or below a level.

        Args:
            level: In payoff units.

        Returns:
            The measurement, None if there was none.
        """
        return _first(self.points, level)

    @property
    def points(self) -> tuple[TracePoint, ...]:
        """All measurements of the first run; of one that does not iterate that at its end."""
        return points_of(self.result)

    @property
    def medians(self) -> tuple[TracePoint, ...]:
        """Medians over all runs at the iterations at which every run was measured."""
        if not self.others:
            return self.points
        return tuple(_median_point(points) for points in self._together())

    @property
    def band(self) -> tuple[BandPoint, ...]:
        """The interval of the measure over seeds, where there are several."""
        if len(self.by_seed) == 1:
            return ()
        ends = list(accumulate(len(runs) for runs in self.by_seed))
        firsts = [0, *ends[:-1]]
        band = []
        for points in self._together():
            measures = Spread.of(points[first].measure for first in firsts)
            seconds = median(point.seconds for point in points)
            band.append(BandPoint(points[0].iteration, seconds, measures.low, measures.high))
        return tuple(band)

    def rows(self) -> list[tuple[Any, ...]]:
        """One row per measurement of every run, as `Comparison.to_frame` has them.

        Returns:
            Values in the order of `COLUMNS`, and the gap where one was measured.
        """
        rows, runs = [], Counter[int]()
        for result in self.results:
            seed = result.config["seed"]
            runs[seed] += 1
            for p in points_of(result):
                row = self.name, seed, runs[seed], p.iteration, p.seconds
                figures = p.nash_conv, p.exploitability
                rows.append((*row, *figures, *(() if p.gap is None else (p.gap,))))
        return rows

    @property
    def notes(self) -> tuple[str, ...]:
        """What else there is to know of the runs, a sentence each: where they began, for instance.

        The iterations of a run that did not begin with uniform play are those after that.
        """
        return tuple(dict.fromkeys(note for result in self.results for note in result.notes))

    def _together(self) -> list[tuple[TracePoint, ...]]:
        """The measurements of all runs at the iterations that they share."""
        traces = [{p.iteration: p for p in points_of(result)} for result in self.results]
        shared = sorted(set.intersection(*(set(trace) for trace in traces)))
        return [tuple(trace[iteration] for trace in traces) for iteration in shared]

    def to_dict(self, levels: Sequence[float]) -> dict[str, Any]:
        """Make a document of what the runs reached, and when; no strategy.

        `trace`, `reached` and the figures beside them are of the first run; `runs` lists all, and
        `medians` has medians over all with the ends of their intervals (`Spread`).

        Args:
            levels: The levels in payoff units.

        Returns:
            Values that JSON can hold.
        """
        r = self.result
        figures = "iterations seconds stopped_by nash_conv exploitability"
        points = {f"{level:g}": self.reached(level) for level in levels}
        return {
            "algorithm": self.name,
            **document(r, figures),
            "gap": None if r.evaluation is None or r.evaluation.gap is None else r.measure,
            "values": list(r.values),
            "notes": list(self.notes),
            "reached": {
                level: None if p is None else {"iterations": p.iteration, "seconds": p.seconds}
                for level, p in points.items()
            },
            "trace": [document(point, "iteration seconds measure") for point in self.points],
            "runs": [
                {"seed": result.config["seed"], **document(result, figures)}
                for result in self.results
            ],
            "medians": {
                **document(self, "measure iterations seconds"),
                "reached": {f"{level:g}": self.reached_by_all(level).to_dict() for level in levels},
            },
        }


@dataclass(frozen=True)
class FailedRun:
    """An algorithm that did not get to the end.

    Attributes:
        name: Its name as it was given.
        error: Why.
    """

    name: str
    error: EquilibristError


@dataclass(frozen=True)
class Comparison:
    """Runs of several algorithms on one game, in the order they were given.

    Attributes:
        game: The name of the game.
        levels: The requested levels, in payoff units.
        runs: The runs that ended.
        failed: The algorithms that refused the game, or failed.
    """

    game: str
    levels: tuple[float, ...]
    runs: tuple[ComparedRun, ...]
    failed: tuple[FailedRun, ...] = ()

    @property
    def measure_name(self) -> str:
        """What the levels are of: exploitability, or NashConv where that has no meaning."""
        return self.runs[0].result.measure_name

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C ended the comparison."""
        return any(
            result.stopped_by == "interrupted" for run in self.runs for result in run.results
        )

    @property
    def most_runs(self) -> int:
        """Runs of the algorithm that has the most, which has several seeds or repeats."""
        return max(len(run.results) for run in self.runs)

    def to_frame(self) -> pandas.DataFrame:
        """All measurements of all runs as a pandas DataFrame.

        Returns:
            One row per measurement, with columns algorithm, seed, run (from 1, of those with the
            same seed), iteration, seconds, nash_conv and exploitability (NaN where that has no
            meaning), with `measure` also gap; its `attrs["game"]` names the game.

        Raises:
            ConfigError: Without pandas.
        """
        return records_frame(self.columns, self._rows(), self.game)

    def export(self, path: str | os.PathLike[str]) -> Path:
        """Write the measurements as CSV or Parquet, or the document of `to_dict` as JSON.

        Args:
            path: The file; its name ends in .csv, .json or .parquet. An earlier table of
                measurements is replaced, but no other file.

        Returns:
            The path.

        Raises:
            ConfigError: The name has another suffix.
            OutputError: The file cannot be written.
        """
        target = file_name("path", path)
        return write_records(target, self.columns, self._rows(), self.game, self.to_dict)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of a table of the measurements."""
        measured = self.runs[0].points[-1].gap is not None
        return GAP_COLUMNS if measured else COLUMNS

    def _rows(self) -> list[tuple[Any, ...]]:
        return [row for run in self.runs for row in run.rows()]

    def to_dict(self) -> dict[str, Any]:
        """The document that `compare --json` prints.

        Returns:
            Plain numbers, texts, lists and dictionaries; `levels` are in payoff units.
        """
        return {
            "game": self.game,
            "measure": self.measure_name,
            "levels": list(self.levels),
            "algorithms": [run.to_dict(self.levels) for run in self.runs],
            "failed": [{"algorithm": d.name, "error": str(d.error)} for d in self.failed],
        }

    def plot(self, path: str | os.PathLike[str]) -> Path:
        """Draw the measure over iterations and over seconds.

        Of several runs it draws the medians, and their intervals as bands.

        Args:
            path: Where to, as `.svg` or `.png`.

        Returns:
            The path.

        Raises:
            ConfigError: For another suffix.
            OutputError: If the file cannot be written.
        """
        from equilibrist.plotting import comparison_figure, save_figure

        traces = {run.name: run.medians for run in self.runs}
        bands = {run.name: run.band for run in self.runs}
        return save_figure(comparison_figure(traces, title=self.game, bands=bands), path)

    def _repr_html_(self) -> str:
        heads = ["algorithm", *(f"{level:g}" for level in self.levels), self.measure_name]
        rows = []
        for ended in self.runs:
            cells = [ended.reached_by_all(level).text for level in self.levels]
            rows.append([ended.name, *cells, f"{ended.measure.median:.3g}"])
        head = "".join(f"<th>{escape(text)}</th>" for text in heads)
        body = "".join(
            "<tr>" + "".join(f"<td>{escape(text)}</td>" for text in row) + "</tr>" for row in rows
        )
        table = f"<table><caption>{escape(self.game)}</caption><tr>{head}</tr>{body}</table>"
        traces = {run.name: [(p.iteration, p.measure) for p in run.medians] for run in self.runs}
        return table + curves_svg(traces, measure=self.measure_name)


def points_of(result: Result) -> tuple[TracePoint, ...]:
    """All measurements of a run; of an algorithm that does not iterate the one at its end."""
    r = result
    figure = None if r.evaluation is None else r.evaluation.gap_figure
    concept, gap = figure or (None, None)
    end = TracePoint(r.iterations, r.seconds, r.nash_conv, r.exploitability, r.values, gap, concept)
    return r.trace or (end,)


def _first(points: Sequence[TracePoint], level: float) -> TracePoint | None:
    """The first measurement at or below a level."""
    return next((p for p in points if p.measure <= level), None)


def _seconds_to(result: Result, level: float) -> float:
    """The seconds of the first measurement at or below a level; infinite without one."""
    point = _first(points_of(result), level)
    return math.inf if point is None else point.seconds


def _median_point(points: Sequence[TracePoint]) -> TracePoint:
    """Medians of measurements at the same iteration; values are those of the first."""
    exploitable = [p.exploitability for p in points if p.exploitability is not None]
    gaps = [p.gap for p in points if p.gap is not None]
    return TracePoint(
        points[0].iteration,
        median(p.seconds for p in points),
        median(p.nash_conv for p in points),
        median(exploitable) if exploitable else None,
        points[0].values,
        median(gaps) if gaps else None,
        points[0].concept,
    )
