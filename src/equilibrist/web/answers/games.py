"""Games with their sizes, and solutions of games: histories, trees, tables, lessons."""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from equilibrist.web.answers.solutions import SolutionRun


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


class GameFacts(GameDocument):
    """A game with its sizes; whether its tree is drawn, and whether it is shown as a table.

    `shown_names` are those of a walk.
    """

    text: str
    is_drawn: bool
    is_table: bool
    shown_names: dict[str, str]


class Passed(TypedDict):
    """A history on the way, who decided there (-1 is chance), and what was chosen."""

    kind: Literal["chance", "decision"]
    player: int
    infoset: str
    label: str
    probability: float | None


class Step(TypedDict):
    """A way on from a history, and what each player earns after it on average."""

    label: str
    probability: float | None
    values: list[float] | None


class WalkedHistory(TypedDict):
    """A history: who moves, how it came about, how likely it is, what it is worth, the ways on.

    `shown_names` has what people read for outcomes and keys that are called otherwise: J for the 1
    of Kuhn poker. `steps` are at most 500; `num_steps` is how many there are. `reach` includes
    chance; None where no strategy says.
    """

    game: str
    shown_names: dict[str, str]
    history: list[str]
    kind: Literal["chance", "decision", "terminal"]
    player: int
    infoset: str
    passed: list[Passed]
    steps: list[Step]
    reach: float | None
    chance_reach: float
    values: list[float] | None
    num_steps: int


class WalkedSolution(WalkedHistory):
    """A history under the solution `name`; `why_no_values` is None where values are known."""

    name: str
    why_no_values: str | None


class DrawnNode(TypedDict):
    """A history in a drawn tree: its place in pixels, and what led to it from its parent."""

    x: float
    y: float
    parent: int
    kind: str
    player: int
    infoset: str
    action: str
    probability: float | None
    payoffs: list[float]
    history: list[str]


class DrawnInfoset(TypedDict):
    """An infoset, and the numbers of its nodes."""

    key: str
    player: int
    nodes: list[int]


class BestResponse(TypedDict):
    """What a best response earns, and what it does at each infoset."""

    value: float
    actions: dict[str, str]


class DrawnTree(TypedDict):
    """The tree below the history `start`.

    `shown_names` are those of a walk. `best_responses` are by player; None for a game that is not
    solved, that is too large, or whose players forget.
    """

    game: str
    name: str
    shown_names: dict[str, str]
    num_players: int
    start: list[str]
    width: float
    height: float
    nodes: list[DrawnNode]
    infosets: list[DrawnInfoset]
    best_responses: dict[str, BestResponse] | None


class DrawnSolution(DrawnTree):
    """The tree with the probabilities of a solution."""

    solution: str


class LessonHistory(TypedDict):
    """A history of an infoset: its reaches, and values and regrets by action."""

    history: list[str]
    chance_reach: float
    others_reach: float
    own_reach: float
    counterfactual_reach: float
    values: list[float]
    value: float
    regrets: list[float]


class LessonTurn(TypedDict):
    """A player's update of an infoset; lists have a number for each action.

    `instant` are the instantaneous regrets, `regret` and `sums` the stored ones before the update,
    `expected` what regret matching receives.
    """

    player: int
    infoset: str
    actions: list[str]
    strategy: list[float]
    own_reach: float
    histories: list[LessonHistory]
    instant: list[float]
    regret: list[float]
    regret_after: list[float]
    sums: list[float]
    sums_after: list[float]
    expected: list[float]
    next_strategy: list[float]


class LessonEnding(TypedDict):
    """Where the iteration leads: the average strategy, its values and NashConv."""

    average: dict[str, list[float]]
    values: list[float]
    nash_conv: float


class Coefficients(TypedDict):
    """The seven numbers of an iteration; no floor is None."""

    positive: float | None
    negative: float | None
    floor: float | None
    lookahead: float | None
    prediction: float | None
    decay: float | None
    weight: float | None


class Lesson(TypedDict):
    """One iteration of CFR: `turns`, each with the steps `stages` in this order, and its ending."""

    game: str
    algorithm: str
    iteration: int
    alternating: bool
    stages: list[str]
    coefficients: Coefficients
    num_steps: int
    turns: list[LessonTurn]
    ending: LessonEnding
    is_drawn: bool
    shown_names: dict[str, str]


class SamplerWords(TypedDict):
    """The formulas of a sampler: what is walked, what a visit counts, and what is added."""

    own: str
    others: str
    weight: str
    estimate: str
    regret: str
    average: str


class SampledTrajectory(TypedDict):
    """The weight w_I of an infoset where a single trajectory was drawn, with what it is made of.

    `tail` is how probable the moves from the history to the end are, `tail_after` those after the
    drawn move.
    """

    payoff: float
    others: float
    sampled: float
    weight: float
    tail: float
    tail_after: float


class SampledHistory(TypedDict):
    """A history that a traversal visited; lists have a number for each action or outcome.

    `strategy` is what is played, or chance's probabilities; `chances` are the probabilities q of
    being walked, and `choice` says how the walked ones, by number, were drawn: one, each, some,
    all, blocks, or end. `below` are the values that came from below, None of what was not walked;
    `values` what each action is estimated to be worth. `weight`, `average_weight` and `trajectory`
    are None where there are none. Without a `traverser` all players learn.
    """

    kind: Literal["chance", "decision", "terminal"]
    traverser: int | None
    player: int
    infoset: str
    history: list[str]
    actions: list[str]
    payoffs: list[float]
    is_own: bool
    strategy: list[float]
    choice: str
    chances: list[float]
    walked: list[int]
    probed: list[int]
    compared: int | None
    chance_reach: float
    own_reach: float
    others_reach: float
    sample_reach: float
    own_sample_reach: float
    weight: float | None
    below: list[float | None]
    values: list[float]
    value: float
    regret: list[float]
    average: list[float]
    average_weight: float | None
    trajectory: SampledTrajectory | None


class SampledUpdate(TypedDict):
    """What a traversal changed at an infoset; None for what it did not change."""

    infoset: str
    actions: list[str]
    regret: list[float]
    regret_change: list[float] | None
    sums: list[float]
    sums_change: list[float] | None
    next_strategy: list[float] | None


class SampledUpdates(TypedDict):
    """What a traversal changed: the last of its steps. `profile` is what was played during it."""

    kind: Literal["updates"]
    traverser: int | None
    profile: dict[str, list[float]]
    infosets: list[SampledUpdate]


class SampledLesson(TypedDict):
    """One sampled iteration: its `steps`, and its ending, which is the last of `num_steps`.

    `actions` are those of each infoset.
    `biased_average` says that the average is biased with so many players.
    """

    game: str
    sampler: str
    iteration: int
    seed: int
    estimate: str
    average_share: str
    formulas: SamplerWords
    biased_average: bool
    num_steps: int
    actions: dict[str, list[str]]
    steps: list[SampledHistory | SampledUpdates]
    ending: LessonEnding
    is_drawn: bool
    shown_names: dict[str, str]


class MatrixTable(TypedDict):
    """The table of a game in normal form: payoffs [row][column][player]."""

    game: str
    infosets: list[str]
    rows: list[str]
    columns: list[str]
    payoffs: list[list[list[float]]]


class SolvedMatrixTable(MatrixTable):
    """The table of a game in normal form with the strategies of a solution: average[player][k]."""

    average: list[list[float]]


class PayoffTableDocument(TypedDict):
    """A table for two players that can be edited: payoffs [row][column][player].

    `players` are the names of both; `is_zero_sum` says that the column player gets the opposite.
    """

    title: str
    players: list[str]
    rows: list[str]
    columns: list[str]
    payoffs: list[list[list[float]]]
    is_zero_sum: bool


class MatrixMoment(TypedDict):
    """The strategies of both players after an iteration."""

    iteration: int
    current: list[list[float]]
    average: list[list[float]]


class MatrixAnswer(TypedDict):
    """What each action of a player earns against the other's average, and the best of them."""

    values: list[float]
    best: list[int]


class MatrixTrajectory(MatrixTable):
    """The table, and the path of an algorithm through it."""

    algorithm: str
    iterations: int
    alternating: bool
    begin: str
    moments: list[MatrixMoment]
    answers: list[MatrixAnswer]


class FamilyFacts(TypedDict):
    """A published family of equilibria: its name, where it was published, and parameters."""

    name: str
    source: str
    parameters: dict[str, float]


class SolvedGameFacts(TypedDict):
    """What the solution of a game is, and what is known of its infosets.

    `job` is the run that made it; `run` the same while it goes on. `is_later` says that the run has
    saved the solution again since the stamp of the request. `game_title` and `player_names` are
    those of the file of a game; empty where it has none. `values` and `measure` are as in the
    library, in units of the payoffs; `family` is the published family of equilibria to which the
    strategy belongs, with the parameters of the nearest member. `is_table` says that the game is
    shown as a table.
    """

    name: str
    stamp: str
    is_later: bool
    run: SolutionRun | None
    game_title: str
    player_names: list[str]
    game: str | None
    title: str
    shown_names: dict[str, str]
    num_players: int
    algorithm: str
    iterations: int
    values: list[float] | None
    measure: float | None
    measure_name: str | None
    family: FamilyFacts | None
    num_infosets: int
    is_sortable: bool
    is_table: bool
    has_values: bool
    why_no_values: str | None
    state_iteration: int | None
    why_no_state: str | None
    job: str | None


class InfosetDocument(TypedDict):
    """An infoset under a solution; None for what is not known.

    `current` and `regrets` are of the newest checkpoint of the run, if they were asked for.
    """

    infoset: str
    player: int | None
    abstract_infoset: str | None
    taken_for: str | None
    left_out: list[str] | None
    strategy: dict[str, float]
    histories: int | None
    reach: float | None
    counterfactual_reach: float | None
    value: float | None
    cf_value: float | None
    cf_action_values: dict[str, float] | None
    current: NotRequired[dict[str, float] | None]
    regrets: NotRequired[dict[str, float] | None]


class InfosetPage(TypedDict):
    """A page of the infosets that fit: how many fit, the number of the first, and the page."""

    total: int
    start: int
    infosets: list[InfosetDocument]


class InfosetTable(InfosetPage):
    """A page of the infosets of a solution of `game`."""

    game: str
