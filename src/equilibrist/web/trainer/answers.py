"""Sessions of the trainer: decisions of many solutions, asked at several tables at once."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from equilibrist.web.answers.solutions import SolutionTitle
from equilibrist.web.play.answers import DrillQuestion, GradeLimit, Mean, Scene, StudiedChoice

Difficulty = Literal["any", "clear", "mixed"]


class TrainedSolution(TypedDict):
    """A solution whose decisions are asked.

    Of a spot, `positions` are those of the players out of and in position (`OOP` and `IP` where
    they are not known), `spr` is the stack in pots, `street` the first one; None in other games.
    """

    solution: str
    stamp: str
    title: SolutionTitle
    positions: list[str] | None
    spr: float | None
    street: str | None


class TrainerSettings(TypedDict):
    """What is asked, and how; None is what is not limited.

    `seconds` is the time for an answer, `questions` how many are asked, `again` the session whose
    bad decisions are asked once more.
    """

    sources: list[TrainedSolution]
    positions: list[str] | None
    streets: list[str] | None
    difficulty: Difficulty
    first: bool
    tables: int
    seconds: float | None
    questions: int | None
    seed: int
    again: str | None


class TrainerQuestion(DrillQuestion):
    """A question: a decision of the solution with the number `source`.

    `unit`, `range` and `kind` are as of a drill; `seconds_left` is None without a clock.
    """

    source: int
    position: str
    street: str | None
    unit: str
    range: float | None
    kind: Literal["game", "spot", "hand"]
    seconds_left: float | None


class TrainerAnswer(StudiedChoice):
    """An answer; `late` says that the clock has given it, `seconds` how long it took."""

    number: int
    table: int
    source: int
    position: str
    street: str | None
    unit: str
    range: float | None
    kind: Literal["game", "spot", "hand"]
    scene: Scene
    seconds: float
    late: bool


class TrainerTable(TypedDict):
    """A table: its question, or its last answer where none is open; None where there is none."""

    table: int
    question: TrainerQuestion | None
    answer: TrainerAnswer | None


class TrainerScore(TypedDict):
    """Answers, how many of each grade, and their mean EV loss as a share of the pot.

    `share` has the 95 % interval of the mean; `right` is the share of best and correct ones.
    """

    answers: int
    graded: int
    late: int
    right: float | None
    grades: dict[str, int]
    share: Mean | None


class ScoreOfSource(TrainerScore):
    """The score with one solution."""

    source: int


class ScoreOfName(TrainerScore):
    """The score on a street, or in a position; without a name in games that have none."""

    name: str


class TrainerSession(TypedDict):
    """A session, with all that was asked and answered.

    `count` is how many questions were asked, `worst` are the answers that cost most of the pot,
    `again` is how many decisions a session with the bad ones would ask.
    """

    id: str
    created: float
    state: Literal["running", "done"]
    settings: TrainerSettings
    count: int
    tables: list[TrainerTable]
    score: TrainerScore
    by_source: list[ScoreOfSource]
    by_street: list[ScoreOfName]
    by_position: list[ScoreOfName]
    worst: list[TrainerAnswer]
    again: int
    thresholds: list[GradeLimit]
    played: float


class TrainerLine(TypedDict):
    """A session in a list."""

    id: str
    created: float
    state: Literal["running", "done"]
    solutions: int
    questions: int | None
    again: str | None
    score: TrainerScore


class TrainerOverview(TypedDict):
    """What can be trained, and the sessions so far, the newest first."""

    solutions: list[TrainedSolution]
    sessions: list[TrainerLine]
