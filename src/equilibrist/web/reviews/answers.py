"""Reviews of hands: decisions, what they lost, and totals."""

from __future__ import annotations

from typing_extensions import TypedDict

from equilibrist.play.histories.faults import HandFaultCode, LeftOutCode
from equilibrist.web.play.answers import Scene


class ReviewTotal(TypedDict):
    """What decisions lost together: in chips, in big blinds, and in percent of their pots."""

    judged: int
    unjudged: int
    loss: float
    loss_bb: float
    mean_loss_percent: float | None


class ReviewedAction(TypedDict):
    """An action of the solution: how often it is taken, and what it loses in chips."""

    action: str
    frequency: float
    loss: float


class ReviewedPlace(TypedDict):
    """Where a decision is in the solution: its kind (`spot`, `hands`), line, board and hand."""

    kind: str
    line: str
    board: str
    hand: str


class ReviewedDecisionDocument(TypedDict):
    """A decision: where it was, what was played and what is best, or why it was not judged."""

    hand: str
    player: str
    position: str
    street: str
    cards: str
    board: str
    line: str
    played: str
    best: str | None
    loss: float | None
    loss_bb: float | None
    loss_percent: float | None
    prize_loss: float | None
    error: float | None
    frequency: float | None
    grade: str | None
    pot: float
    big_blind: float
    against: str | None
    notes: list[str]
    reason: str | None
    why: str
    place: ReviewedPlace | None
    actions: list[ReviewedAction]


class LeftOutHand(TypedDict):
    """A hand that was not read, or not to its `end`: a code, and a sentence.

    Text is `unreadable`; of an `other-game` or site no hands are read; a hand is `unfinished` which
    does not say how it ends or who won; play, amounts or cards are `impossible`; with `no-stacks`
    they are not known. `fault` says it more exactly, and `values` what the sentence names.
    """

    number: int
    line: int
    name: str
    reason: str
    code: LeftOutCode
    fault: HandFaultCode
    values: dict[str, str]


class ReviewDocument(TypedDict):
    """A review of hands, the worst decisions first."""

    hands: int
    players: list[str]
    complete: bool
    total: ReviewTotal
    by_street: dict[str, ReviewTotal]
    by_position: dict[str, ReviewTotal]
    by_player: dict[str, ReviewTotal]
    grades: dict[str, int]
    unjudged: dict[str, int]
    left_out: list[LeftOutHand]
    decisions: list[ReviewedDecisionDocument]


class ReviewedStep(TypedDict):
    """What a player did in a hand, and what lay on the table before it.

    `line` is that of the decision, as decisions of the review have it; the name of a player is the
    one at the table.
    """

    player: str
    position: str
    street: str
    line: str
    played: str
    scene: Scene


class ReviewedHand(TypedDict):
    """A hand of a review, action by action; all cards that are known are shown."""

    hand: str
    player: str
    steps: list[ReviewedStep]
