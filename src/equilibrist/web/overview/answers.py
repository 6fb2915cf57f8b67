"""The server, who asks, algorithms, lessons, examples, and events of what changes."""

from __future__ import annotations

from typing import Any, Literal

from typing_extensions import TypedDict

from equilibrist.web.answers.jobs import JobCounts, JobDocument, State
from equilibrist.web.answers.solutions import MeasureUnit, SolutionTitle
from equilibrist.web.settings import Limits


class VersionFacts(TypedDict):
    """The version of Equilibrist."""

    name: str
    version: str


class SubjectFacts(TypedDict):
    """What the server was started with: its `kind`, what was typed, and a spot as TOML."""

    kind: str
    text: str
    spot: str | None


class ServerFacts(TypedDict):
    """How the server was started, and how busy it is."""

    version: str
    subject: SubjectFacts | None
    jobs: JobCounts
    limits: Limits


class SectionFacts(TypedDict):
    """A section of the bar: the name by which pages call it, and its address."""

    name: str
    address: str


class VisitorLimits(TypedDict):
    """How much whoever asks may have: bytes, and counts of what lasts.

    `memory_bytes` is what running jobs take together; `tables` are those of all visitors of the
    role; `race_algorithms` and `race_runs` are of one race.
    """

    memory_bytes: int
    running: int
    queue: int
    jobs: int
    upload_bytes: int
    game_upload_bytes: int
    body_bytes: int
    reviewed_bytes: int
    streams: int
    tables: int
    hands: int
    race_algorithms: int
    race_runs: int


class VisitorFacts(TypedDict):
    """Who asks: the role, what it `may` do, the sections, and limits.

    `is_open` says that the server asks for no token; `can_sign_out`, that a browser has signed in.
    """

    role: Literal["owner", "guest"]
    is_open: bool
    can_sign_out: bool
    sections: list[SectionFacts]
    may: list[str]
    limits: VisitorLimits


class AlgorithmDocument(TypedDict):
    """An algorithm: its formulas, weights of the average, when to use it, and its paper."""

    name: str
    summary: str
    update: str
    average: str
    when: str
    paper: str
    parameters: dict[str, float | str]
    needs_horizon: bool


class NetworkAlgorithms(TypedDict):
    """Algorithms that train networks, for races, and what the server lacks to fit networks."""

    algorithms: list[AlgorithmDocument]
    missing: str | None


class FormulasDocument(TypedDict):
    """What a sampler draws and makes of it, as formulas; averages and parameters by name."""

    own: str
    others: str
    weight: str
    estimate: str
    regret: str
    averages: dict[str, str]
    parameters: dict[str, str]


class CourseLesson(TypedDict):
    """A lesson: the page it leads to, and its question: of a number, a share, or `choices`.

    An answer within `tolerance` of `answer` is right; of a choice it is its number, from 1.
    """

    name: str
    path: str
    query: dict[str, str]
    kind: str
    answer: float
    tolerance: float
    choices: int


class SamplerDocument(TypedDict):
    """A sampler: when to use it, its parameters, and the averages that it takes on its way."""

    name: str
    summary: str
    when: str
    parameters: dict[str, Any]
    averagings: list[str]
    paper: str
    needs_no_tree: bool
    formulas: FormulasDocument


class JobsEvent(TypedDict):
    """The event `jobs`: how much runs, and the jobs that have changed, without their curves.

    `whole` says that these are all jobs, newest first, in place of those that were known before;
    `removed` are the names of jobs that were deleted.
    """

    whole: bool
    counts: JobCounts
    jobs: list[JobDocument]
    removed: list[str]


class LibraryEvent(TypedDict):
    """The event `library`: `revision` is another one whenever a solution or a note has changed."""

    revision: str


class RunEvent(TypedDict):
    """The event `run`: a job, or None once it is deleted.

    `whole` says that its curves are there from the beginning, in place of those that were known
    before; else they have what was measured since the event before, and `bands` the newest row.
    """

    id: str
    whole: bool
    job: JobDocument | None


class ExampleDocument(TypedDict):
    """An example, and what of it is there.

    `seconds` is about how long solving it takes, of a spot to an exploitability of `target`.
    `solution` is the name of its best stored solution, with what was measured of it as of a
    solution of the library; `job` that of its newest run which has not ended, or which may go on,
    with its `state`. None is what is not there.
    """

    name: str
    kind: Literal["spot", "push-fold", "multiway"]
    title: SolutionTitle
    seconds: float
    target: str | None
    solution: str | None
    measure: float | None
    measure_name: str | None
    measure_unit: MeasureUnit | None
    measure_percent: float | None
    job: str | None
    state: State | None


class StartedRuns(TypedDict):
    """Runs that have been queued: their names and the boards that they solve."""

    jobs: list[str]
    boards: list[str]


class ExampleList(TypedDict):
    """All examples, in the order in which they are proposed."""

    examples: list[ExampleDocument]
