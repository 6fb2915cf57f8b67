"""Reviews of hands: decisions, what they lost, and totals."""

from __future__ import annotations

from typing_extensions import TypedDict


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
    actions: list[ReviewedAction]


class LeftOutHand(TypedDict):
    """A hand that was not read, or not to its end."""

    number: int
    line: int
    name: str
    reason: str


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
