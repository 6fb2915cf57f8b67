"""Set-ups, spots before they are solved and their trees, and stacks of tournaments."""

from __future__ import annotations

from typing import Any, Literal

from typing_extensions import TypedDict

from equilibrist.web.answers.spots import SpotEstimate, ThreeEstimate


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


class EmptySizes(TypedDict):
    """A list of sizes that is empty: whose it is, `bets` or `raises`, and on which street."""

    seat: str
    kind: str
    street: str


class FormWarning(TypedDict):
    """What in a form may not be meant: the key of the spot, a code, and a sentence.

    Raises have no effect where they are `capped`, where bets are `all-in-only`, or where there are
    `no-bets`; with `left-out`, `lists` get no all-in.
    """

    option: Literal["raises", "add_all_in"]
    code: Literal["capped", "all-in-only", "no-bets", "left-out"]
    lists: list[EmptySizes]
    text: str


Origin = Literal["blank", "example", "subject", "job", "solution", "setup", "report"]
"""With what a form begins."""


class SetupForm(TypedDict):
    """A form: texts, switches and lists by field, what it is of, and the kinds of its fields.

    Kinds are `board`, `range`, `ranges` (with semicolons), `chips`, `share`, `count`, `deck`,
    `sizes`, `switch`, `lines`, `locks`, `players` and `run`. Sizes have a field for each street:
    `oop_bets_flop`. `players` is 2 or 3; `three` are the fields that spots of three players have,
    whose sizes are in those of the first player.
    """

    origin: Origin
    name: str | None
    form: dict[str, Any]
    kinds: dict[str, str]
    three: list[str]


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
    estimate: SpotEstimate | ThreeEstimate | None
    estimate_error: FormFault | None
    locks: list[str]


class LeftOutPart(TypedDict):
    """What a text says and a spot does not have: a code, what it names, and a phrase.

    A `setting` has no counterpart; `raise-cap`, `rake`, `target`, `iterations` and `threads` are
    set with others, and `out` says where the result is stored. A `share` is no percentage; a number
    is `beyond` what a spot takes; lines have another `board-length`. Limits of all-ins are
    `all-in-limit` and `all-in-threshold`; `prizes` are those of tournaments. Of a hand there are
    `hand-cards`, `hand-streets` that more than two players saw, `hand-streets-before` the board,
    `hand-bets` of a street that it does not have, and `hand-rake`. `values` are texts by name, such
    as `setting` as it is written; `street` and `last` are `flop`, `turn` or `river`.
    """

    code: Literal[
        "setting",
        "prizes",
        "raise-cap",
        "rake",
        "target",
        "iterations",
        "threads",
        "out",
        "share",
        "beyond",
        "board-length",
        "all-in-limit",
        "all-in-threshold",
        "hand-cards",
        "hand-streets",
        "hand-streets-before",
        "hand-bets",
        "hand-rake",
    ]
    values: dict[str, str]
    text: str


class ReadForm(TypedDict):
    """A form that was read from a text: whose text that is, and what the form does not have of it.

    `omissions` are the phrases of `left_out` with codes. `kept` names fields that the text does not
    say and that are as they were.
    """

    form: dict[str, Any]
    program: str
    left_out: list[str]
    omissions: list[LeftOutPart]
    kept: list[str]


class ReadSetUp(TypedDict):
    """The set-up of another solver as a spot file, and what that does not have of it.

    `omissions` are the phrases of `left_out` with codes.
    """

    spot: str
    program: str
    left_out: list[str]
    omissions: list[LeftOutPart]


class SetUpText(TypedDict):
    """A spot as the text of a file of another solver."""

    text: str


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
