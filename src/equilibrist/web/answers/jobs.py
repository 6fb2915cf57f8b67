"""Jobs: solves, races and reviews that wait, run, or have ended."""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

from equilibrist.web.answers.solutions import SolutionTitle


class JobCounts(TypedDict):
    """How many jobs run and wait, the memory and disk they take, and the limits."""

    running: int
    queued: int
    memory_bytes: int
    memory_in_use_bytes: int
    most_running: int
    most_queued: int
    checkpoint_bytes: int
    most_checkpoint_bytes: int


State = Literal["queued", "running", "paused", "stopped", "done", "failed", "interrupted"]
"""`interrupted`: its process, or the server, ended before it did."""

HandKindName = Literal["push-fold", "multiway", "preflop", "cards", "blueprint", "flops"]
"""Kinds of jobs on whole hands of hold'em."""

Kind = Literal["game", "spot", "three", "compare", "review", "site", HandKindName]
"""`three` is a spot of three players."""

Point = tuple[int, float, float]
"""A measurement: iteration, seconds and measure."""

Band = tuple[float, float, float, float, float]
"""Iteration, median of the seconds, and least, median and greatest measure of several seeds."""

WaitCode = Literal["queue", "running", "memory", "starting"]

StageCode = Literal[
    "walking",
    "compiling",
    "sampling",
    "preparing",
    "solving",
    "running",
    "restoring",
    "reviewing",
    "measuring",
    "saving",
    "counting",
    "boards",
    "clustering",
    "writing",
    "working",
]
"""What a run does before it iterates, or afterwards; `working` is anything else."""

NoteCode = Literal["game-deleted", "left-out"]
"""Why a solution was not saved, or not whole."""


class WaitDocument(TypedDict):
    """Why a job waits: jobs `ahead` of it, as many `running` as may be, or too little memory."""

    code: WaitCode
    ahead: int
    running: int
    most_running: int
    need_bytes: int
    free_bytes: int


class CheckpointDocument(TypedDict):
    """A checkpoint: from where a run goes on, and when it was written, in seconds since 1970."""

    iteration: int
    seconds: float
    saved: float
    age_seconds: float
    bytes: int


class JobProgress(TypedDict):
    """The newest state of a run; of a race, `run` and `elapsed` of the entry that runs.

    Of three players `gains` are what each gains by a best response, in the order of acting.
    """

    algorithm: str
    iteration: int
    seconds: float
    measure: float | None
    measured_at: int | None
    iterations_per_second: NotRequired[float | None]
    eta_seconds: NotRequired[float | None]
    measure_name: NotRequired[str | None]
    measure_percent: NotRequired[float | None]
    gains: NotRequired[list[float] | None]
    target: NotRequired[float | None]
    nodes_touched: NotRequired[int | None]
    num_infosets: NotRequired[int | None]
    frequency_error: NotRequired[float | None]
    deals: NotRequired[int | None]
    deals_per_second: NotRequired[float | None]
    average_regret: NotRequired[float | None]
    run: NotRequired[int | None]
    elapsed: NotRequired[float]


class SpreadDocument(TypedDict):
    """A median with the ends of its interval; None for what is infinite."""

    median: float | None
    low: float | None
    high: float | None


class ReachedSpread(TypedDict):
    """With how many seeds a level was reached, and when."""

    count: int
    iterations: SpreadDocument
    seconds: SpreadDocument


class ReachedLevel(TypedDict):
    """When the first run reached a level."""

    iterations: int
    seconds: float


class ComparedRunFacts(TypedDict):
    """One run of an entry."""

    seed: int
    iterations: int
    seconds: float
    stopped_by: str
    nash_conv: float
    exploitability: float | None


class ComparedMedians(TypedDict):
    """Medians over all runs of an entry; `reached` is by level."""

    measure: SpreadDocument
    iterations: SpreadDocument
    seconds: SpreadDocument
    reached: dict[str, ReachedSpread]


class ComparedAlgorithm(TypedDict):
    """What an entry reached; figures beside `runs` and `medians` are of its first run."""

    algorithm: str
    iterations: int
    seconds: float
    stopped_by: str
    nash_conv: float
    exploitability: float | None
    gap: float | None
    values: list[float]
    notes: list[str]
    reached: dict[str, ReachedLevel | None]
    runs: list[ComparedRunFacts]
    medians: ComparedMedians


class FailedAlgorithm(TypedDict):
    """An entry that did not get to the end, and why."""

    algorithm: str
    error: str


class ComparisonDocument(TypedDict):
    """What `equilibrist compare --json` prints, without the measurements.

    Levels are in payoff units.
    """

    game: str
    measure: str
    levels: list[float]
    algorithms: list[ComparedAlgorithm]
    failed: list[FailedAlgorithm]


class ReviewFacts(TypedDict):
    """What a review is of, beside the text of its hands.

    `renamed` has solutions whose names are others now than those in `against`, or than those under
    which the review has kept them, by these first names.
    """

    against: list[str]
    hero: str | None
    everybody: bool
    stacks_within: float
    solve: bool
    keep: NotRequired[bool]
    ranges: str | None
    bets: str
    raises: str
    renamed: dict[str, str]


class SiteFacts(TypedDict):
    """What a site of files has, and the bytes of its archive; None where there is none (any more).

    The archive is that of `/jobs/ID/site`.
    """

    solutions: list[str]
    games: list[str]
    streets: int
    archive_bytes: int | None


class JobDocument(TypedDict):
    """A job; of its fields those of `equilibrist.web.jobs.job.Job` mean the same.

    `can_resume` says whether there is a checkpoint, `has_checkpoints` whether it makes any while it
    runs, so that it can be paused and its solution so far be saved; `waiting` why a queued job does
    not run, `unwritten` what keeps its record from being written. Sentences in English are in
    `waits_for`, `stage` and `note`; their codes in `waiting`, `stage_code` and `note_code`.
    `stage_done` counts histories that were walked, hands that were judged, or documents of a site.
    `title` is that of what is solved. `bands` are rows of the entries of a race with several seeds.
    `review` is of a review, whose result is that of `/jobs/ID/review`; `keys` of a run on whole
    hands, `report` of one over boards the name of its report. `has_parts` says whether its solution
    so far can be saved.
    """

    id: str
    kind: Kind
    game: str
    options: dict[str, str]
    solution: str
    memory_bytes: int
    created: float
    spot: str | None
    disk_bytes: int
    state: State
    asked: str | None
    can_resume: bool
    has_checkpoints: bool
    is_saved: bool
    seconds: float
    limited_from: float
    stage: str | None
    stage_done: int | None
    stage_total: int | None
    progress: JobProgress | None
    points: list[Point]
    stopped_by: str | None
    note: str | None
    error: dict[str, Any] | None
    algorithms: list[str]
    curves: dict[str, list[Point]]
    comparison: ComparisonDocument | None
    review: ReviewFacts | None
    site: SiteFacts | None
    keys: dict[str, str] | None
    report: str
    has_parts: bool
    waits_for: str | None
    waiting: WaitDocument | None
    stage_code: StageCode | None
    note_code: NoteCode | None
    title: SolutionTitle
    checkpoint_bytes: int
    checkpoint: CheckpointDocument | None
    unwritten: str | None
    bands: dict[str, list[Band]]


class JobList(JobCounts):
    """All jobs, newest first, without their curves, and how much runs."""

    jobs: list[JobDocument]
