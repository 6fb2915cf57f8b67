"""Stored solutions and their titles, nodes of solved spots, and charts of hands before the flop."""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict


class GoneFile(TypedDict):
    """What has been replaced or deleted since a table or a drill was opened that goes by it."""

    what: Literal["solution", "game"]
    name: str


class EntryDocument(TypedDict):
    """A stored solution; None for what its file does not say.

    `measure` of a spot is in chips, and in percent of the pot. `values` are what the players earn
    on average, in `measure_unit`. `folder` and `note` are what the user says of it, empty where
    nothing is said.
    """

    name: str
    kind: str | None
    game: str | None
    algorithm: str | None
    iterations: int | None
    measure: float | None
    measure_name: str | None
    measure_unit: MeasureUnit | None
    measure_percent: float | None
    values: list[float] | None
    pot: float | None
    streets: str | None
    saved: str
    num_bytes: int
    title: SolutionTitle
    folder: str
    note: str
    run: SolutionRun | None


class PlayedSolution(EntryDocument):
    """A solution that can be played, and whether its decisions can be drilled, too."""

    has_drills: bool


Numbers = list[float | None]
"""Figures in the order of something else; None for what is not defined."""


class SolutionRun(TypedDict):
    """The run that has saved a solution and goes on, with its newest iteration."""

    job: str
    state: str
    iteration: int | None


TitleKind = Literal[
    "spot",
    "three",
    "game",
    "push-fold",
    "multiway",
    "preflop",
    "blueprint",
    "cards",
    "flops",
    "damaged",
    "review",
    "site",
]
"""Of `three`, a spot of three players, there is what spots have. Of `flops`, a report over boards,
there is what its spot has, but for the board. Of a review the text says how many hands it is of, of
a site the names of what it has."""

MeasureUnit = Literal["chips", "payoffs", "big-blinds", "prize-pool"]
"""Of `prize-pool` measures are shares."""


class SolutionTitle(TypedDict):
    """What a solution is called: numbers and codes, and `text` of them in English.

    Of a spot there are `board`, `pot`, `stack`, `bets` on its first street as shares of the pot,
    and positions and `pot_type` (`3-bet`) where they are known: from the note on the solution, or
    as a range is the preset of one position alone; `has_folded` says that ranges of players who
    folded are given. Of three players there are `stacks` in the order of acting, too, and `stack`
    where all are alike. Of charts there are `stacks`, antes and payouts; `has_blinds` says that
    they are in chips, with blinds of their own.
    None is what does not apply, or is not known.
    """

    text: str
    kind: TitleKind
    game: str | None
    board: str | None
    pot: float | None
    stack: float | None
    bets: list[float] | None
    oop: str | None
    middle: str | None
    ip: str | None
    pot_type: str | None
    has_locks: bool
    has_folded: bool
    rake: float | None
    stacks: list[float] | None
    has_blinds: bool
    ante: float | None
    big_blind_ante: float | None
    payouts: list[float] | None


class LibraryFolder(TypedDict):
    """A folder of the library, and how many solutions are in it, without those below it."""

    name: str
    count: int


class LibraryPage(TypedDict):
    """A page of the library.

    `total` are all solutions, `found` those that were asked for, `start` is the place of the first
    one of the page. `next` is `after` of the next page; None at the end. `revision` is another one
    once a solution or a note has changed.
    """

    solutions: list[EntryDocument]
    total: int
    found: int
    start: int
    next: str | None
    folders: list[LibraryFolder]
    revision: str


class RunAgain(TypedDict):
    """What a job is started with to make a solution again.

    `options` are those of a game, None where no job may have them; `form` is that of a spot.
    """

    kind: Literal["game", "spot"]
    game: str | None
    options: dict[str, str] | None
    form: dict[str, Any] | None


class NodeTotals(TypedDict):
    """Totals of both players, OOP first: a share, chips, and EV over equity times the pot."""

    equity: Numbers
    ev: Numbers
    eqr: Numbers


class SpotFacts(NodeTotals):
    """A spot, its run, and the totals at the root; with rake there is no exploitability.

    Over leaf values there is none either: `mean_gain_chips` is an estimate then, and `leaf_values`
    says what stood in place of the later streets.
    """

    board: str
    pot: float
    stack: float
    oop: str
    ip: str
    folded: list[str]
    locks: list[str]
    iterations: int
    seconds: float
    exploitability_chips: float | None
    exploitability_percent: float | None
    mean_gain_chips: float
    mean_gain_percent: float
    unlocked_exploitability_chips: float | None
    unlocked_mean_gain_chips: float | None
    frequency_error: float | None
    stopped_by: str
    converged: bool
    memory_bytes: int
    leaf_values: dict[str, str] | None
    ev_error_chips: float | None
    tremble: float | None
    quantal: float | None
    temperature: float | None
    trembling_gain_chips: float | None


class Resolution(TypedDict):
    """To which error a street that the file lacks was re-solved."""

    resolved_exploitability_chips: float | None
    resolved_mean_gain_chips: float | None


class NodeMeans(NodeTotals, Resolution):
    """Means over the hands at a node, by action, of hands as often as they are held there.

    `frequency_by_combos` counts each hand with its weight alone.
    """

    frequency: Numbers
    frequency_by_combos: Numbers
    action_ev: Numbers


class NodeHand(TypedDict):
    """A hand at a node; the player who acts has a strategy, and an EV for each action."""

    weight: float
    equity: float | None
    ev: float | None
    strategy: NotRequired[Numbers]
    action_ev: NotRequired[Numbers]


class NodeDocument(NodeMeans):
    """A node: `hands` are of the player to act, or of OOP, `other_hands` of the other one."""

    line: str
    board: str
    street: str
    pot: float
    player: int | None
    actions: list[str]
    codes: list[str]
    hands: dict[str, NodeHand]
    other_hands: dict[str, NodeHand]


class SpotSolution(SpotFacts):
    """What `equilibrist postflop show --json` prints: the spot, its run, and one of its nodes."""

    node: NodeDocument


class ThreeNodeDocument(TypedDict):
    """A decision of a spot of three: frequencies and ranges of actions, and hands by name.

    `reached` is how often play gets there. A hand has `reach`, `strategy`, `ev` and `action_ev`.
    """

    line: str
    street: str
    board: str
    seat: str
    actions: list[str]
    reached: float
    frequencies: list[float]
    ranges: dict[str, str]
    hands: dict[str, dict[str, Any]]


class ThreeSpotSolution(TypedDict):
    """What `equilibrist postflop solve --json` prints of three players: a spot, its run, a node.

    `gains` are what each seat wins more by a best response to the two others, `nash_conv` is their
    sum; for three players there is no exploitability.
    """

    spot: str
    seats: list[str]
    values: dict[str, float]
    gains: dict[str, float]
    nash_conv: float
    nash_conv_percent: float
    guarantee: str
    algorithm: str
    iterations: int
    seconds: float
    stopped_by: str
    target: float | None
    locks: list[str]
    unlocked_gains: dict[str, float] | None
    frequency_error: float | None
    tremble: float | None
    node: ThreeNodeDocument


class OpenedSpot(TypedDict):
    """The solution of a spot, or a run on one, as a page opens it, before any of its nodes.

    `seats` are those of the spot in the order of acting; of three, `values` and `gains` are what
    each wins, and would win more by a best response to the two others, in chips.
    `name` and `stamp` are its present ones; `is_later` says that its run has saved it again since
    the stamp of the request. `kept_cards` are the cards after those of `board` that the file keeps.
    What was measured is as in the library; None of a run.
    """

    name: str
    stamp: str
    is_later: bool
    run: SolutionRun | None
    title: SolutionTitle
    seats: list[str]
    values: list[float] | None
    gains: list[float] | None
    pot: float
    board: str
    kept_cards: int
    iterations: int
    measure: float | None
    measure_name: str | None
    measure_unit: MeasureUnit | None
    measure_percent: float | None


class StudiedAction(TypedDict):
    """An action, the line after it, and its role for a palette.

    Roles are `fold`, `passive` for a check or a call, and `bet:i/n` for the i-th smallest of n
    bets or raises, from 0 on.
    """

    name: str
    code: str
    role: str
    line: str


class StudiedPlace(TypedDict):
    """A point of the betting, in chips; `behind` is what both players have left, OOP first.

    `locked` is what locks fix: `all hands`, `some hands`, `frequency`, or None. On a way, `chosen`
    is the number of the action that was taken, `card` the card that was dealt. Of three players
    `live` says which have not folded.
    """

    line: str
    board: str
    street: str
    pot: float
    to_call: float
    behind: list[float]
    player: int | None
    what: str
    locked: str | None
    deals_a_card: bool
    actions: list[StudiedAction]
    chosen: int | None
    card: str | None
    live: NotRequired[list[bool]]


class HandColumns(TypedDict):
    """The hands of a player: numbers of combos in the order of `Range.weights`, and figures.

    `made` and `draw` are numbers of `made_hands` and `draws`. Of three players there are EVs of the
    one who acts alone, and no equities. `arrives` says which hands come here at least once in
    10,000 times that they are dealt; `gone` are combos of the range that never do.
    """

    combos: list[int]
    weight: list[float]
    matchups: list[float]
    equity: Numbers
    ev: Numbers
    eqr: Numbers
    made: list[int]
    draw: list[int]
    arrives: NotRequired[list[bool]]
    gone: NotRequired[list[int]]


class StudiedNode(StudiedPlace, NodeMeans):
    """A node with the way to it, a place for the root and after each action and card.

    `hands` are of all players, OOP first. `strategy` and `action_evs` have a list for each action
    with a number for each hand of the player who acts. `absent` names the seats of which no hand
    arrives.
    """

    way: list[StudiedPlace]
    hands: list[HandColumns]
    strategy: list[Numbers]
    action_evs: list[Numbers]
    made_hands: list[str]
    draws: list[str]
    absent: list[str]


class StudiedThree(StudiedNode):
    """A node of three players; `reached` is how often play gets here, given the cards."""

    reached: float | None


class PresentNode(StudiedNode):
    """A node of a spot that is being solved, as it is played after an iteration."""

    iteration: int


class LockedSpot(TypedDict):
    """Locks as they are written and as people read them, the spot file, and options of the run."""

    locks: list[str]
    shown: dict[str, str]
    spot: str
    options: dict[str, Any]


class ChartHead(TypedDict):
    """What is known of a file with charts, as numbers and codes; None for what is not.

    `values` are by seat, and like `measure` and the 95 % `interval` of it in `unit`: big blinds,
    or shares of the prize pool. `is_bound` says that the measure is at most that.
    """

    unit: MeasureUnit
    values: list[float] | None
    measure: float | None
    measure_name: Literal["nash_conv", "exploitability"] | None
    is_bound: bool
    interval: list[float] | None
    stacks: list[float] | None
    algorithm: str | None
    iterations: int | None
    deals: int | None
    boards: int | None
    seed: int | None
    buckets: list[int] | None


class ChartFacts(TypedDict):
    """What a file with charts is: `head` as numbers, `facts` as pairs of a word and a text.

    `ev` says what EVs mean, or why there are none; `takes_board`, whether decisions after the flop
    need a board.
    """

    kind: str
    title: str
    seats: list[str]
    facts: list[list[str]]
    head: ChartHead
    ev: str
    takes_board: bool


class OpenedCharts(ChartFacts):
    """A file with charts as a page opens it; `name` and `stamp` are its present ones.

    `is_later` says that its run has saved it again since the stamp of the request, `called` is what
    the library calls it.
    """

    name: str
    stamp: str
    is_later: bool
    called: SolutionTitle | None


class ChartChoice(TypedDict):
    """An action of a chart; `line` is that of the next decision, None where the hand ends."""

    code: str
    name: str
    role: str
    line: str | None


class ChartAction(ChartChoice):
    """An action of a chart, and how often it is taken."""

    frequency: float


class ChartPlace(TypedDict):
    """A decision on the way; `chosen` is the number of the action that was taken."""

    line: str
    seat: str
    street: str
    chosen: int | None
    actions: list[ChartAction]


class ChartClass(TypedDict):
    """A class of hands; of push or fold `ev` is the gain of going all-in."""

    combos: float
    reach: float
    strategy: list[float]
    ev: float | None
    action_ev: Numbers | None


class ChartDocument(TypedDict):
    """A decision: the way to it, itself last, its classes by name, and the range of each action."""

    line: str
    seat: str
    street: str
    way: list[ChartPlace]
    classes: dict[str, ChartClass]
    ranges: list[str]
