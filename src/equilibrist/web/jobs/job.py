"""A job: what is to be solved, how, and its state; stored as a file of JSON."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final, get_args

from equilibrist.storage.atomic import write_bytes
from equilibrist.web.answers.jobs import Kind, Point, State
from equilibrist.web.security.short_names import without_folders
from equilibrist.web.workers.order import saves

CARDS_KEY: Final = "cards"
"""The key that names card buckets of the library."""
ACTIVE: Final[frozenset[State]] = frozenset({"queued", "running"})
WITHOUT_CHECKPOINTS: Final[dict[Kind, str]] = {"compare": "race", "site": "site"}
"""Kinds of jobs that cannot be paused, and what they are called."""
WITHOUT_NEW_LIMITS: Final[dict[Kind, str]] = {**WITHOUT_CHECKPOINTS, "review": "review"}
"""Kinds of jobs that cannot be continued with other limits, and what they are called."""
RECORD: Final = "job.json"
CHECKPOINT: Final = "run.ckpt"
LOG: Final = "worker.log"
MOST_POINTS: Final = 2000
"""Points of the curve that are kept; of more every second one is dropped."""


@dataclass
class Job:
    """A job.

    Attributes:
        id: Its name.
        kind: Whether a game is solved, a spot of two or `three` players, several algorithms race on
            a game (`compare`), or hands are reviewed, some of whose spots may be solved
            (`review`), or whole hands of hold'em are solved, or a site of files is written
            (`site`).
        game: Of a game, its text, with the name of a file alone; of a spot, its board; of a review
            how many hands; of whole hands, what their solution is called at first; of a site, the
            names of what it has.
        spot: Of a spot, its text in TOML.
        options: How it is solved, by the names of the command line's options; texts.
        solution: The name of its solution in the library; empty for a race.
        memory_bytes: What it may take: of a spot an estimate, of a game a limit.
        disk_bytes: What it will write at most at a time, its checkpoint and its solution; 0 where
            that is not known, as for games.
        created: When it was made, in seconds since 1970.
        state: Its state.
        asked: A command that it has not carried out yet: `pause` or `stop`.
        can_resume: Whether there is a checkpoint to go on from.
        is_saved: Whether the library has its solution, final or as of a checkpoint.
        seconds: Seconds that it has run.
        limited_from: How many of them it had run when it was given its limits.
        stage: What it does before it iterates, such as walking the rules.
        stage_done: How far that is: histories that were walked, hands that were judged.
        stage_total: Of how many, where that is known.
        progress: The newest state of the run.
        points: The curve: iteration, seconds and measure of each measurement.
        stopped_by: What ended the run.
        note: What was left out of the solution.
        error: Why it failed, as an error's document.
        algorithms: Of a race, the entries in their order, such as `lcfr@external`.
        curves: Of a race, the curve of each entry that has begun, by name.
        more_seeds: Of a race with several seeds, the curves of the entries that sample, for every
            seed but the first: {entry: {which run, from 1: curve}}.
        comparison: Of a race that has ended, the document of `compare --json`.
        review: Of a review, what a request says, without its hands: `against` and so on.
        site: Of a site, its `solutions`, `games` and `streets`.
        renamed: Of a review or a site, solutions of other names than it knows them by, and these
            names.
        keys: Of a run on whole hands, the texts that say what is solved.
        report: Of a report over boards, its name.
        has_parts: Whether its solution so far can be saved while it runs.
        has_checkpoints: Of a run on whole hands or on three players, whether its state is saved
            while it runs.
    """

    id: str
    kind: Kind
    game: str
    options: dict[str, str]
    solution: str
    memory_bytes: int
    created: float
    spot: str | None = None
    disk_bytes: int = 0
    state: State = "queued"
    asked: str | None = None
    can_resume: bool = False
    is_saved: bool = False
    seconds: float = 0.0
    limited_from: float = 0.0
    stage: str | None = None
    stage_done: int | None = None
    stage_total: int | None = None
    progress: dict[str, Any] | None = None
    points: list[Point] = field(default_factory=list)
    stopped_by: str | None = None
    note: str | None = None
    error: dict[str, Any] | None = None
    algorithms: list[str] = field(default_factory=list)
    curves: dict[str, list[Point]] = field(default_factory=dict)
    more_seeds: dict[str, dict[str, list[Point]]] = field(default_factory=dict)
    comparison: dict[str, Any] | None = None
    review: dict[str, Any] | None = None
    site: dict[str, Any] | None = None
    renamed: dict[str, str] = field(default_factory=dict)
    keys: dict[str, str] | None = None
    report: str = ""
    has_parts: bool = True
    has_checkpoints: bool = True

    def __post_init__(self) -> None:
        self.game = without_folders(self.game)  # requests name it so, too

    @property
    def cards(self) -> str | None:
        """The card buckets of the library on which it trains, if it does."""
        return (self.keys or {}).get(CARDS_KEY)

    @property
    def read_solutions(self) -> list[str]:
        """The solutions of the library that it reads while it runs, by the names that it knows."""
        if self.review is not None:
            return list(self.review["against"])
        return [] if self.site is None else list(self.site["solutions"])

    @property
    def saves(self) -> bool:
        """Whether its state is saved while it runs, so that it can be paused and continued."""
        is_kind = self.has_checkpoints and self.kind not in WITHOUT_CHECKPOINTS
        return is_kind and saves(self.options)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for a file and for the API."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def add_point(self, iteration: int, seconds: float, measure: float) -> None:
        """Add a measurement to the curve, in place of those that are not earlier.

        Args:
            iteration: The iteration.
            seconds: Seconds since the start of the run.
            measure: What was measured.
        """
        self.points = _with_point(self.points, (iteration, seconds, measure))

    def add_point_of(self, algorithm: str, run: int, point: Point) -> None:
        """Add a measurement to a curve of a race, unless it is there.

        Args:
            algorithm: The entry.
            run: Which of its runs, from 0.
            point: Iteration, seconds and measure.
        """
        if run == 0:
            self.curves[algorithm] = _with_point(self.curves.get(algorithm, []), point)
        else:
            runs = self.more_seeds.setdefault(algorithm, {})
            runs[str(run)] = _with_point(runs.get(str(run), []), point)

    def save(self, folder: Path) -> None:
        """Write it to its folder; raises OutputError."""
        content = json.dumps(self.to_dict(), allow_nan=False).encode()
        write_bytes(folder / RECORD, content)

    @classmethod
    def load(cls, folder: Path) -> Job | None:
        """The job of a folder; None if there is none, or it cannot be read."""
        try:
            record = json.loads((folder / RECORD).read_bytes())
            field_names = {field.name for field in fields(cls)}
            job = cls(**{name: value for name, value in record.items() if name in field_names})
            job.created, job.points = float(job.created), _curve(job.points)
            job.curves = {name: _curve(points) for name, points in job.curves.items()}
            job.more_seeds = {
                name: {run: _curve(points) for run, points in runs.items()}
                for name, runs in job.more_seeds.items()
            }
        except (OSError, ValueError, TypeError, AttributeError):
            return None
        is_sound = job.state in get_args(State) and job.kind in get_args(Kind)
        return job if is_sound and job.id == folder.name else None


def _curve(points: list[Any]) -> list[Point]:
    return [(int(i), float(s), float(m)) for i, s, m in points]


def _with_point(points: list[Point], point: Point) -> list[Point]:
    """A curve with one more measurement, in place of those that are not earlier."""
    if points and points[-1][0] >= point[0]:
        points = [earlier for earlier in points if earlier[0] < point[0]]
    points.append(point)
    return points[::2] if len(points) > MOST_POINTS else points
