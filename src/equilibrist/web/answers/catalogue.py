"""What there is: the server, games with their sizes, algorithms."""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

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


class GameSizes(TypedDict):
    """The sizes of a game, or an estimate of its histories where they were not counted."""

    game: str
    num_players: int
    num_nodes: NotRequired[int]
    num_terminals: NotRequired[int]
    num_infosets: NotRequired[int]
    num_sequences: NotRequired[int]
    constant_sum: NotRequired[float | None]
    min_payoff: NotRequired[list[float]]
    max_payoff: NotRequired[list[float]]
    estimate_num_nodes: NotRequired[float]


class GameParameter(TypedDict):
    """What can be set in brackets behind the name of a game."""

    name: str
    kind: str
    default: str
    minimum: float | None
    maximum: float | None
    choices: list[str]
    meaning: str


class GameOption(TypedDict):
    """An option of a solve of a game: its kind, help, default and choices.

    `is_main` is that of what a form asks first; defaults are empty where there are none.
    """

    name: str
    kind: str
    help: str
    default: str
    choices: list[str]
    is_main: bool


class GameDocument(TypedDict):
    """A game; `sizes` are None where they depend on parameters; `options` are those of a solve.

    Of an uploaded game, and of one that the server was started with, there are only sizes, and
    `title` and `player_names` where its file has them.
    """

    name: str
    title: NotRequired[str]
    player_names: NotRequired[list[str]]
    summary: NotRequired[str]
    aliases: NotRequired[list[str]]
    parameters: NotRequired[list[GameParameter]]
    sizes: NotRequired[GameSizes | None]
    options: NotRequired[list[GameOption]]


class GameForm(GameDocument):
    """A game without its sizes, with the options of a solve, and `values` of its parameters."""

    values: dict[str, str]


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
