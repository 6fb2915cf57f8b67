"""Ranges, setups, spots before they are solved, reports of batches, and stacks of tournaments."""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

Storage = Literal["float32", "int16", "float64"]


class RangePreset(TypedDict):
    """A range that comes with Equilibrist; `weights` as of `OwnRange`."""

    name: str
    rule: str
    range: str
    combos: float
    weights: str


class NamedRange(TypedDict):
    """A range that the user has saved."""

    name: str
    range: str


class OwnRange(NamedRange):
    """A range that the user has saved, and a small picture of it.

    `weights` has a digit to base 36 for each of the 169 hand classes, by the rows of the grid from
    AA on: z for a weight of 1.
    """

    weights: str


class BlueprintRangeDocument(TypedDict):
    """The hands with which a seat, its number, takes an action after a line; `weights` as above.

    Line and action are as in lines: empty, `R3`; `C`, `A20`.
    """

    seat: int
    line: str
    action: str
    range: str
    combos: float
    weights: str


class RangeSetDocument(TypedDict):
    """The ranges of a blueprint that come with Equilibrist, and how it was made.

    `gain_mbb` is what exploiters gain against it, in thousandths of a big blind per hand, a lower
    bound, with half of its 95 % interval; `samples` are boards with two seats, deals with more.
    """

    name: str
    hand: str
    seats: list[str]
    stack: float
    buckets: str
    samples: int
    minutes: int
    gain_mbb: float
    gain_half_width_mbb: float
    ranges: list[BlueprintRangeDocument]


class RangeList(TypedDict):
    """All that can be named: presets, ranges of blueprints, the user's own ranges, dialects.

    `ranking` has the 169 hand classes, best first, as their places in the grid read by rows.
    """

    presets: list[RangePreset]
    solved: list[RangeSetDocument]
    own: list[OwnRange]
    dialects: list[str]
    ranking: list[int]


class RangeDocument(TypedDict):
    """The canonical text of a range, its combos, and its weights by hand class and by combo."""

    range: str
    combos: float
    share: float
    grid: list[list[float]]
    weights: list[float]


class RangeText(TypedDict):
    """A range in a dialect."""

    dialect: str
    text: str


class RangeNames(TypedDict):
    """The names of ranges."""

    names: list[str]


class RangeFileEntry(TypedDict):
    """A range in a file, or a folder of them."""

    path: list[str]
    isGroup: bool
    value: NotRequired[str]


class RangeFile(TypedDict):
    """The user's own ranges as a file."""

    version: int
    name: str
    data: list[RangeFileEntry]


class Setup(TypedDict):
    """A saved setup, as the text of a spot file."""

    name: str
    spot: str


class CheckedSpot(TypedDict):
    """A spot: its text in full, and what in its sizes may not be meant."""

    spot: str
    board: str
    pot: float
    stack: float
    oop: str
    ip: str
    warnings: list[str]


class FormFault(TypedDict):
    """What is wrong with a field of a form; the field "" is the spot as a whole.

    `kind` is the class of the error, `option` what was wrong, `given` what it was, `expected` what
    it may be, `position` the character from 0 at which a text cannot be read. `text` is a sentence.
    """

    field: str
    kind: str
    option: str | None
    given: str | float | bool | None
    expected: str | float | bool | None
    position: int | None
    text: str


class FormWarning(TypedDict):
    """What in a form may not be meant: the key of the spot, and a sentence."""

    option: str
    text: str


class SetupForm(TypedDict):
    """A form: texts, switches and lists by field, what it is of, and the kinds of its fields.

    Kinds are `board`, `range`, `ranges` (with semicolons), `chips`, `share`, `count`, `deck`,
    `sizes`, `switch`, `lines`, `locks` and `run`. Sizes have a field for each street:
    `oop_bets_flop`.
    """

    origin: Literal["blank", "example", "subject", "job", "solution", "setup"]
    name: str | None
    form: dict[str, Any]
    kinds: dict[str, str]


class CheckedForm(TypedDict):
    """What a form describes: the spot file, or errors; warnings, and what solving it needs.

    `first_street` is 0, 1 or 2, None without a board. `estimate` is without `reductions`; where
    there is none although the spot is right, `estimate_error` says why. `locks` are those of the
    form as texts.
    """

    spot: str | None
    first_street: int | None
    errors: list[FormFault]
    warnings: list[FormWarning]
    estimate: SpotEstimate | None
    estimate_error: FormFault | None
    locks: list[str]


class ReadForm(TypedDict):
    """A form that was read from a text: whose text that is, and what the form does not have of it.

    `kept` names fields that the text does not say and that are as they were.
    """

    form: dict[str, Any]
    program: str
    left_out: list[str]
    kept: list[str]


class ReadSetUp(TypedDict):
    """The set-up of another solver as a spot file, and what that does not have of it."""

    spot: str
    program: str
    left_out: list[str]


class SetUpText(TypedDict):
    """A spot as the text of a file of another solver."""

    text: str


class StreetNeeds(TypedDict):
    """The size of one street of a spot."""

    street: str
    boards: int
    all_boards: int
    betting_nodes: int
    action_nodes: int
    entries: int
    float32_bytes: int


class ReducedSpot(TypedDict):
    """Changes that make a spot fit, and the bytes that it takes then."""

    changes: list[str]
    keys: dict[str, Any]
    storage: Storage
    num_bytes: int


class SpotEstimate(TypedDict):
    """What a spot needs, as `equilibrist postflop estimate --json` prints it."""

    board: str
    pot: float
    stack: float
    hands: list[int]
    symmetries: int
    action_nodes: int
    entries: int
    float32_bytes: int
    int16_bytes: int
    streets: list[StreetNeeds]
    limit_bytes: int
    reductions: list[ReducedSpot]
    target: str
    threads: int
    storage: Storage
    iterations: int
    seconds: float
    memory_bytes: dict[str, int]
    fits: bool


class TreeAction(TypedDict):
    """An action of a betting tree; a bet in percent of the pot after a call."""

    name: str
    code: str
    line: str
    amount: float
    pot_percent: float | None
    is_added: bool
    is_taken: bool


class TreeNode(TypedDict):
    """A node of a betting tree, in chips; `least` and `most` bound a bet where one is possible.

    `player` acts, or has folded; `stack` is what the player to act, or each player, has behind.
    """

    line: str
    street: str
    phase: str
    player: str | None
    pot: float
    stack: float
    to_call: float
    least: float | None
    most: float | None
    actions: list[TreeAction]


class TreeWalk(TypedDict):
    """The nodes of a betting tree from the root to a line."""

    line: str
    nodes: list[TreeNode]


class AddedLine(TypedDict):
    """A line that adds a bet or a raise, for the key `added_lines`."""

    line: str


class ReportRun(TypedDict):
    """The run that makes a report, and its state."""

    job: str
    state: str


class BatchReport(TypedDict):
    """A batch in the data folder, whether its report is complete, and its run, if it has one."""

    name: str
    is_done: bool
    run: ReportRun | None


class ReportTable(TypedDict):
    """The rows of a batch, and `together` those of all boards; None where the file is empty.

    `kept` are the boards whose solutions the batch keeps.
    """

    name: str
    kept: list[str]
    columns: list[str]
    rows: list[list[float | str | None]]
    together: list[list[float | str | None]]


class TournamentPlayer(TypedDict):
    """A player: the stack, what it is worth, and the probability of each paid place."""

    name: str
    stack: float
    share_of_chips: float
    icm: float
    interval: list[float] | None
    per_chip: float | None
    chip_chop: float
    places: list[float] | None


class TournamentDocument(TypedDict):
    """Payouts and players; without `exact` orders of finish were sampled."""

    payouts: list[float]
    prize_pool: float
    chips: float
    left_for_winner: float
    exact: bool
    samples: int | None
    seed: int | None
    players: list[TournamentPlayer]
