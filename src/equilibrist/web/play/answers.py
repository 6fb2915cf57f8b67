"""Tables at which somebody plays against a solution, and drills."""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from equilibrist.web.answers.solutions import GoneFile, PlayedSolution, SolutionTitle


class GradeLimit(TypedDict):
    """The greatest EV loss of a grade, as a share of the stake; None for no limit."""

    grade: str
    most: float | None


class PlayedSolutions(TypedDict):
    """The solutions that can be played, those of one game together, the best of them first."""

    solutions: list[PlayedSolution]


class PlayPlace(TypedDict):
    """A table or a drill: the solution, its error, and the limits of grades.

    `stamp` tells the solution from others that had its name, `gone` is the solution or its game
    where that has been replaced or deleted since (None for neither), `title` what the library calls
    the solution (None where it is not there any more), `range` is what amounts are large or small
    by: the stake of a choice where it is the same for all, the pot of a spot, the big blind of a
    hand, `stake_name` what EV losses are shares of, `played` the least frequency of what the
    solution plays.
    """

    id: str
    solution: str
    stamp: str
    gone: GoneFile | None
    game: str
    title: SolutionTitle | None
    kind: Literal["game", "spot", "hand"]
    unit: str
    range: float | None
    stake_name: str
    error: float | None
    measure_name: str | None
    thresholds: list[GradeLimit]
    played: float


class PlayAction(TypedDict):
    """An action that may be chosen: the best word for it, all words, and its role for a palette."""

    word: str
    words: list[str]
    label: str
    role: str


class SeatedPlayer(TypedDict):
    """A player at a table of hold'em; cards of others are None before they are shown."""

    seat: str
    name: NotRequired[str]
    you: bool
    cards: list[str] | None
    behind: float
    bet: float
    acts: bool
    folded: bool


class StreetMoves(TypedDict):
    """What was done on a street, as pairs of a seat and an action."""

    street: str
    card: str | None
    moves: list[list[str]]


class Scene(TypedDict):
    """What lies on the table, as somebody at it may see it.

    Of a game there are `facts`, pairs of a name and a text; of hold'em amounts, players and moves.
    """

    kind: Literal["game", "spot"]
    player: int
    you: str
    cards: list[str]
    board: list[str]
    facts: NotRequired[list[tuple[str, str]]]
    pot: NotRequired[float]
    total: NotRequired[float]
    to_call: NotRequired[float]
    players: NotRequired[list[SeatedPlayer]]
    moves: NotRequired[list[StreetMoves]]
    infoset: str


class AdvisedAction(TypedDict):
    """An action, its EV with half of its interval, and how often the solution takes it."""

    word: str
    label: str
    role: str
    ev: float | None
    error: float | None
    frequency: float | None


class MappedShare(TypedDict):
    """With which probability a bet is taken for an action."""

    action: int
    word: str
    probability: float


class MappedBetDocument(TypedDict):
    """A bet of any size in chips, and what it is mapped to."""

    amount: float
    share: float
    exact: bool
    mapping: str
    shares: list[MappedShare]


class AdvisedChoice(TypedDict):
    """A choice, what the coach says of it, and its grade; None without EVs.

    EVs and losses are in payoff units, `share` is the loss as a share of the stake.
    """

    actions: list[AdvisedAction]
    chosen: int
    best: int | None
    ev_loss: float | None
    estimated: bool
    grade: str | None
    share: float | None
    stake: float | None
    stake_name: str | None
    mapped: MappedBetDocument | None


class DecisionLinks(TypedDict):
    """The addresses of the pages that study and drill a decision."""

    study: str
    drill: str | None


class StudiedChoice(AdvisedChoice, DecisionLinks):
    """A choice at an infoset, and the pages that study and drill it."""

    infoset: str


class TableDecision(StudiedChoice):
    """A choice of the person in a hand; `move` is its number."""

    move: int


class Mean(TypedDict):
    """A mean per hand with its 95 % interval, where there is one."""

    mean: float
    low: float | None
    high: float | None


class DrillScore(TypedDict):
    """The answers of a drill, how many there were of each grade, and mean losses."""

    answers: int
    choices: int
    right: float | None
    grades: dict[str, int]
    ev_loss: Mean | None
    share: Mean | None


class TableScore(TypedDict):
    """The score at a table: payoffs, with less variance (AIVAT), and grades.

    `expected` is what the solution earns per hand in the seats that were played.
    """

    hands: int
    revealed: int
    total: float
    payoff: Mean
    aivat: Mean | None
    expected: float | None
    choices: int
    grades: dict[str, int]
    right: float | None
    ev_loss: Mean | None
    share: Mean | None
    total_ev_loss: float


class HandSummary(TypedDict):
    """A hand in a line; `worst` is the grade of the worst choice."""

    hand: int
    player: int
    payoff: float
    ev_loss: float | None
    worst: str | None
    revealed: bool


class MixedAction(TypedDict):
    """An action, and how often a strategy takes it."""

    word: str
    role: str
    frequency: float


class TableMove(TypedDict):
    """A move: who made it, what it was drawn from, and what the coach says of it."""

    who: str
    player: int | None
    infoset: str | None
    word: str
    mixture: list[MixedAction] | None
    decision: TableDecision | None


class BetLimits(TypedDict):
    """What may be bet: totals on the street; `menu` are pairs of an action and its amount."""

    least: float
    most: float
    step: float
    facing: float
    pot: float
    menu: list[tuple[int, float]]


class TableTurn(TypedDict):
    """The turn of the person; `moves` only where all is revealed."""

    hand: int
    move: int
    scene: Scene
    moves: list[TableMove] | None
    actions: list[PlayAction]
    bets: BetLimits | None


class HandDocument(HandSummary):
    """A hand that is over with all its secrets; of hold'em the table after each move."""

    payoffs: list[float]
    moves: list[TableMove]
    scenes: list[Scene] | None


class TableDocument(PlayPlace):
    """A table: the person's turn, or the hand that is over, and the score."""

    players: int
    seat_names: list[str] | None
    seat: int | None
    seed: int | None
    has_coach: bool
    has_ranges: bool
    has_histories: bool
    revealed: bool
    score: TableScore
    recent: list[HandSummary]
    hand: int
    decisions: list[TableDecision]
    state: Literal["turn", "over"]
    turn: TableTurn | None
    over: HandDocument | None


class RangeAction(TypedDict):
    """An action of the AI, how often its range takes it, and whether it was taken."""

    word: str
    label: str
    role: str
    frequency: float | None
    taken: bool


class RangeDecision(TypedDict):
    """What the AI does with its range at a decision; `holdings` are hands that come there."""

    who: str
    line: str | None
    holdings: int | None
    actions: list[RangeAction]


class TableRanges(TypedDict):
    """The AI's decisions in the hand; None where the solution has no tree."""

    hand: int
    move: int
    decisions: list[RangeDecision] | None


class DrillQuestion(TypedDict):
    """What a drill asks."""

    number: int
    scene: Scene
    actions: list[PlayAction]


class DrillAnswer(StudiedChoice):
    """An answer, with the scene that it was given at."""

    number: int
    scene: Scene


class DrillDocument(PlayPlace):
    """A drill: what is asked, or what the last answer was worth, the score, the worst answers.

    `is_later` says that its run had saved the solution again since the link that has led here.
    """

    about: str
    is_later: bool
    infosets: int
    seed: int | None
    state: Literal["turn", "over"]
    question: DrillQuestion | None
    answer: DrillAnswer | None
    score: DrillScore
    worst: list[DrillAnswer]


class Closed(TypedDict):
    """The table or drill that was closed."""

    closed: str
