"""What is in stored solutions, what was uploaded, and two solutions compared."""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

from equilibrist.web.answers.solutions import (
    ChartFacts,
    EntryDocument,
    MeasureUnit,
    SpotSolution,
    ThreeSpotSolution,
)

WhyNotCompared = Literal[
    "other-kind",
    "other-board",
    "other-pot",
    "other-game",
    "other-actions",
    "no-table",
    "three-players",
]
"""Why the strategies of two solutions are not compared; `no-table` of those without infosets."""


class PartDifference(TypedDict):
    """A part of the entries or titles of two solutions that is not equal.

    Of keys of spots that titles do not say it is `keys.` and the key.
    """

    part: str
    first: Any
    second: Any


class DecisionDifference(TypedDict):
    """All hands at one decision of a spot; `noted` is what the second solution does.

    Frequencies and differences are shares, losses are in chips, costs in chips per deal.
    """

    line: str
    player: str
    hands: int
    frequency: float
    covered: float
    noted: dict[str, float]
    solved: dict[str, float]
    difference: float
    loss: float
    cost: float


class HandDifference(TypedDict):
    """A hand at a decision of a spot; as of `DecisionDifference`, with EVs in chips."""

    line: str
    player: str
    hand: str
    frequency: float
    noted: dict[str, float]
    solved: dict[str, float]
    difference: float
    loss: float
    cost: float
    ev: float | None
    noted_ev: float | None
    ev_difference: float | None


class UncomparedHand(TypedDict):
    """What is not compared, and a sentence why; `hand` says how many `hands`.

    With the code `action` the first solution does not have the `action` there, but `actions`; with
    `line` it does not have `action`, a step of the line. Hands are `not-there` where it does not
    come to the decision with them; there may be `no-decision`, or another `board`.
    """

    number: int
    line: str
    hand: str
    reason: str
    code: Literal["not-there", "action", "line", "no-decision", "board", "other"]
    action: str
    actions: list[str]
    hands: int


class SpotDifferences(TypedDict):
    """What the second solution of a spot does otherwise, as `postflop compare --json` has it.

    `different_keys` are keys of the spot files that differ.
    """

    line: str
    unit: str
    pot: float
    cost: float | None
    compared: int
    decisions: list[DecisionDifference]
    hands: list[HandDifference]
    left_out: list[UncomparedHand]
    different_keys: list[str]


class InfosetDifference(TypedDict):
    """An infoset under two strategies: the probability that has to be moved, and its reach."""

    infoset: str
    player: int | None
    reach: float | None
    first: dict[str, float]
    second: dict[str, float]
    difference: float


class GameDifferences(TypedDict):
    """Where two strategies of a game differ, what matters most first.

    `shown_names` are what people read for keys of infosets, as of `GET /api/solutions/NAME/facts`.
    """

    unit: MeasureUnit
    compared: int
    differing: int
    greatest: float
    first_values: list[float] | None
    second_values: list[float] | None
    shown_names: dict[str, str]
    infosets: list[InfosetDifference]


class ClassDifference(TypedDict):
    """A class of hands at a decision of two charts: shares by action, and the share moved.

    `reach` is that of the first chart; EVs are as the charts have them.
    """

    hand: str
    combos: float
    reach: float
    first: list[float]
    second: list[float]
    difference: float
    first_ev: float | None
    second_ev: float | None


class ChartDifferences(TypedDict):
    """What two charts do at a decision, what matters most first.

    `actions` are codes, `names` what they are called; frequencies are those of the whole range,
    `difference` is the mean over the range of the first chart.
    """

    line: str
    board: str
    seat: str
    actions: list[str]
    names: list[str]
    first_frequencies: list[float]
    second_frequencies: list[float]
    difference: float
    differing: int
    hands: list[ClassDifference]


class SolutionComparison(TypedDict):
    """Two solutions: what tells them apart, and where their strategies differ.

    `why_not` is None where strategies are compared: `spots`, `games` or `charts` says how then.
    """

    first: EntryDocument
    second: EntryDocument
    differences: list[PartDifference]
    why_not: WhyNotCompared | None
    spots: SpotDifferences | None
    games: GameDifferences | None
    charts: ChartDifferences | None


class UploadedSolution(TypedDict):
    """A solution that was uploaded, and the kind of its file."""

    name: str
    kind: str


class GameSolution(TypedDict):
    """What `equilibrist solve --json` prints; figures in payoff units, `strategy` by infoset.

    Figures are None where nothing was measured. Runs with a sampler tell what was drawn, others
    under `pruning` or `perturbed` what they did; those without a tree tell bounds.
    """

    game: str
    algorithm: str
    sampler: NotRequired[str]
    averaging: NotRequired[str]
    averaging_every: NotRequired[int | None]
    period: NotRequired[int]
    seed: NotRequired[int]
    nodes_touched: NotRequired[int]
    table_bytes: NotRequired[int]
    executor: NotRequired[str]
    threads: NotRequired[int]
    shared: NotRequired[bool]
    pruning: NotRequired[dict[str, Any]]
    perturbed: NotRequired[dict[str, Any]]
    table_is_full: NotRequired[bool]
    memory: NotRequired[int]
    iterations: int
    seconds: float
    stopped_by: str
    values: list[float] | None
    best_response_values: list[float] | None
    gains: list[float] | None
    nash_conv: float | None
    exploitability: float | None
    rounding: float | None
    gap: NotRequired[dict[str, Any]]
    measure_name: str | None
    bound_nash_conv: NotRequired[float | None]
    bound_cce_gap: NotRequired[float | None]
    bound_unstored_share: NotRequired[float]
    guarantee: str
    family: dict[str, Any] | None
    notes: list[str]
    abstraction: dict[str, Any] | None
    actions: dict[str, Any] | None
    num_players: int
    num_nodes: int | None
    num_infosets: int
    num_sequences: int | None
    strategy: dict[str, dict[str, float]] | None
    solution_file: None
    config: dict[str, Any]
    trace: list[dict[str, Any]]
    fingerprint: str
    versions: dict[str, str]


class SolutionDocument(EntryDocument):
    """A stored solution with what is in it."""

    solution: GameSolution | SpotSolution | ThreeSpotSolution | ChartFacts
