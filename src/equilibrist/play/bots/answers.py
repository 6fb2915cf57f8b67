"""What a bot answers: its action, the mixture that it was drawn from, and how it came about."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from equilibrist.formatting.brief import brief_repr
from equilibrist.play.bets import MappedBet


class DecidedBy(StrEnum):
    """What decided an action.

    Args:
        value: Its name.
    """

    BLUEPRINT = "blueprint"
    """The strategy that the bot was given, at the place that the line was mapped to."""
    SEARCH = "search"
    """A search of the decision as it is."""
    FALLBACK = "fallback"
    """The strategy knows nothing of the place: check, else call by pot odds, else fold."""


@dataclass(frozen=True)
class MappedAction:
    """A bet of the line that the strategy does not have, and what it was taken for.

    Attributes:
        where: The line before it, as it was played.
        seat: The seat that bet.
        action: The bet as the line has it.
        bet: The amount, and the probability of each action of the strategy.
        taken_for: The action that was drawn, as the strategy's lines have it.
    """

    where: str
    seat: int
    action: str
    bet: MappedBet
    taken_for: str


@dataclass(frozen=True)
class Depth:
    """Stacks at the table that the strategy was not made for; in big blinds, of a spot in pots.

    Attributes:
        table: The effective stack at the table.
        strategy: That of the strategy.
    """

    table: float
    strategy: float


@dataclass(frozen=True)
class BotAnswer:
    """What a bot does at a decision.

    Attributes:
        action: The action, one of the legal ones, as they were given.
        mixture: The probability of each action that is considered, in the order of the legal ones;
            they add up to 1.
        decided_by: What decided.
        mapped: The bets of the line that the strategy does not have, the first one first.
        strategy_line: The line of the strategy that was played by; None if it has none.
        depth: Stacks that differ from those of the strategy; None if they do not.
        note: What a person may want to know of it: why there was a fallback, what a search did.
        seconds: How long it took.
    """

    action: str
    mixture: dict[str, float]
    decided_by: DecidedBy
    mapped: tuple[MappedAction, ...] = ()
    strategy_line: str | None = None
    depth: Depth | None = None
    note: str = ""
    seconds: float = field(default=0.0, compare=False)

    def __repr__(self) -> str:
        return brief_repr(self)
