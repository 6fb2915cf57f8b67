"""What a review says of one decision: what was played, what was best, what it cost, or why not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, Final, NamedTuple, Self

from equilibrist.formatting.brief import brief_repr
from equilibrist.play.grades import Grade


class Unjudged(StrEnum):
    """Why a decision could not be judged, from the hand to the decision.

    Args:
        value: The word in documents.
    """

    UNREADABLE = "unreadable"
    """The hand is none of hold'em without or with limit, or its play breaks the rules."""
    NO_CARDS = "no-cards"
    """The cards of the player are not known."""
    OTHER_GAME = "another-game"
    """The solution is of another game: other seats, limits or cards."""
    MULTIWAY = "multiway"
    """More than two players see the street with which the solution begins."""
    OTHER_BOARD = "another-board"
    """The solution is of another board."""
    NOT_COVERED = "not-covered"
    """The solution begins later, or ends earlier in the hand."""
    STACKS = "stacks"
    """Stacks, or what is posted, are too far from those of the solution."""
    OFF_TREE = "off-tree"
    """The solution has nothing like what was played."""
    NOT_IN_RANGE = "not-in-range"
    """The solution says nothing of the hand there."""
    UNREACHED = "unreached"
    """The opponents never come to the decision by the solution."""
    NO_RANGES = "no-ranges"
    """Two players are left of more, and nothing says what ranges they come with."""
    UNSOLVED = "unsolved"
    """The spot could not be solved, or was not in time."""


@dataclass(frozen=True)
class JudgedAction:
    """An action of the solution at a decision.

    Attributes:
        action: What it is at the table: `Fold`, `Bet 6.5`.
        frequency: How often the solution takes it with the hand.
        loss: What it wins less than the best one, in chips.
    """

    action: str
    frequency: float
    loss: float


class SolutionPlace(NamedTuple):
    """Where a decision is in the solution that judges it, whose suits and bets may be others.

    Args:
        kind: `spot`, or `hands` for a solution of whole hands.
        line: The line, as the solution takes it.
        board: The public cards, unless the line has them.
        hand: The cards of the player.
    """

    kind: str
    line: str
    board: str
    hand: str


@dataclass(frozen=True, eq=False)
class Judgement:
    """What a solution says of a decision.

    Attributes:
        against: What the solution is called.
        best: The best action.
        loss: What was played wins so much less than the best action, in chips.
        error: Where values are estimates, a bound of the error of `loss` with a probability of at
            least 95 %, in chips; None where they are exact.
        frequency: How often the solution plays what was played; of a bet that was mapped to two
            actions the mean, weighted as the values are.
        grade: The grade of the loss as a share of the pot, as coaches give it.
        actions: All actions of the solution.
        notes: What was taken for something else: bets of the line, stacks.
        is_mapped: Whether any bet was.
        prize_loss: Of a solution with prizes the loss in percent of the prize pool, of which `loss`
            is so many percent of all chips; else None.
    """

    against: str
    best: str
    loss: float
    error: float | None
    frequency: float
    grade: Grade
    actions: tuple[JudgedAction, ...]
    notes: tuple[str, ...] = ()
    is_mapped: bool = False
    prize_loss: float | None = None
    place: SolutionPlace | None = None


@dataclass(frozen=True, eq=False)
class ReviewedDecision:
    """A decision of a player in a hand that was reviewed.

    Attributes:
        hand: What the hand is called.
        player: The name of the player.
        position: The seat: `BTN`, `BB`.
        street: `preflop`, `flop`, `turn` or `river`.
        cards: The cards of the player; empty where they are not known.
        board: The public cards.
        line: What was played and dealt before, as lines are written.
        played: What the player did.
        pot: What was in the middle, in chips.
        big_blind: The big blind in chips.
        judgement: What the solution says; None if it could not be judged.
        reason: Why not; None if it was judged.
        why: Why not, in words; empty if it was judged.
    """

    hand: str
    player: str
    position: str
    street: str
    cards: str
    board: str
    line: str
    played: str
    pot: float
    big_blind: float
    judgement: Judgement | None = None
    reason: Unjudged | None = None
    why: str = ""

    def __repr__(self) -> str:
        return brief_repr(self)

    @property
    def loss(self) -> float | None:
        """The loss in chips; None if it could not be judged."""
        return None if self.judgement is None else self.judgement.loss

    @property
    def loss_bb(self) -> float | None:
        """The loss in big blinds."""
        return None if self.loss is None else self.loss / self.big_blind

    @property
    def loss_percent(self) -> float | None:
        """The loss in percent of the pot."""
        return None if self.loss is None else 100.0 * self.loss / self.pot

    def to_dict(self) -> dict[str, Any]:
        """Give all of it as plain values.

        Returns:
            The values of `COLUMNS`, and with a judgement all `actions` and the `place` in the
            solution.
        """
        document: dict[str, Any] = self.row()
        judged = self.judgement
        document["notes"] = [] if judged is None else list(judged.notes)
        place = None if judged is None else judged.place
        document["place"] = None if place is None else place._asdict()
        document["actions"] = (
            []
            if judged is None
            else [
                {"action": each.action, "frequency": each.frequency, "loss": each.loss}
                for each in judged.actions
            ]
        )
        return document

    def to_state(self) -> dict[str, Any]:
        """Give all of it as values for JSON, of which `from_state` makes an equal decision."""
        return asdict(self)

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> Self:
        """Make a decision of what `to_state` gave, by way of JSON perhaps.

        Args:
            state: What it gave.

        Raises:
            KeyError: Something is missing; TypeError and ValueError likewise for what is none.
        """
        judged, reason = state["judgement"], state["reason"]
        if judged is not None:
            place = judged["place"]
            judged = Judgement(
                **{
                    **judged,
                    "grade": Grade(judged["grade"]),
                    "actions": tuple(JudgedAction(**action) for action in judged["actions"]),
                    "notes": tuple(judged["notes"]),
                    "place": None if place is None else SolutionPlace(*place),
                }
            )
        reason = None if reason is None else Unjudged(reason)
        return cls(**{**state, "judgement": judged, "reason": reason})

    def row(self) -> dict[str, Any]:
        """Give it as a row of a table.

        Returns:
            A value for each of `COLUMNS`; None where there is none.
        """
        judged = self.judgement
        said: dict[str, Any] = dict.fromkeys(
            ("against", "best", "error", "frequency", "grade", "notes", "prize_loss")
        )
        if judged is not None:
            said = {
                "against": judged.against,
                "best": judged.best,
                "error": judged.error,
                "frequency": judged.frequency,
                "grade": str(judged.grade),
                "notes": "; ".join(judged.notes),
                "prize_loss": judged.prize_loss,
            }
        return {
            "hand": self.hand,
            "player": self.player,
            "position": self.position,
            "street": self.street,
            "cards": self.cards,
            "board": self.board,
            "line": self.line,
            "played": self.played,
            "best": said["best"],
            "loss": self.loss,
            "loss_bb": self.loss_bb,
            "loss_percent": self.loss_percent,
            "prize_loss": said["prize_loss"],
            "error": said["error"],
            "frequency": said["frequency"],
            "grade": said["grade"],
            "pot": self.pot,
            "big_blind": self.big_blind,
            "against": said["against"],
            "notes": said["notes"] or "",
            "reason": None if self.reason is None else str(self.reason),
            "why": self.why,
        }


COLUMNS: Final = (
    "hand", "player", "position", "street", "cards", "board", "line", "played", "best", "loss",
    "loss_bb", "loss_percent", "prize_loss", "error", "frequency", "grade", "pot", "big_blind",
    "against", "notes", "reason", "why",
)  # fmt: skip
"""The columns of the table of a review."""
