"""What stacks of a tournament are worth, as a document."""

from __future__ import annotations

from decimal import Decimal
from typing import Final, cast

from pydantic import BaseModel, ConfigDict, Field

from equilibrist.parsing.arguments import bad_argument
from equilibrist.poker.tournaments.notation import read_amounts, read_prizes
from equilibrist.web.setup.answers import TournamentDocument

_MOST_PLAYERS: Final = 1_000
_MOST_SAMPLES: Final = 100_000
Amounts = str | list[float]


class TournamentInput(BaseModel):
    """Stacks and payouts, as the command takes them or as lists of numbers."""

    model_config = ConfigDict(extra="forbid")

    stacks: Amounts = Field(description="The chips of each player: 5000/3000/2000, or a list.")
    payouts: Amounts = Field(description="The prizes, the first place first: 50/30/20, or a list.")
    pool: str | float | None = Field(
        None, description="The prize pool of which payouts are percents."
    )
    names: list[str] | None = Field(None, description="The players.")
    leave: float = Field(0.0, description="What a deal leaves for the winner to play for.")
    samples: int | None = Field(
        None, ge=2, le=_MOST_SAMPLES, description="Sample this many orders of finish."
    )
    seed: int = Field(0, ge=0, description="The seed of the sample.")


def tournament_document(body: TournamentInput) -> TournamentDocument:
    """What stacks are worth, as `equilibrist icm --json` prints it.

    Args:
        body: Stacks and payouts.

    Returns:
        The document.

    Raises:
        NotationError: A list of amounts cannot be read.
        ConfigError: An argument is invalid, or there are too many players for a request.
    """
    from equilibrist.poker.tournaments.values import tournament_values

    stacks, names = body.stacks, body.names
    if isinstance(stacks, str):
        chips = read_amounts(stacks, "stack")
        stacks, names = chips.numbers, names or chips.names
    if len(stacks) > _MOST_PLAYERS:
        raise bad_argument("stacks", len(stacks), f"at most {_MOST_PLAYERS:,} players")
    payouts = body.payouts if body.pool is None else _percents(body.payouts)
    pool = _digits(body.pool) if isinstance(body.pool, float) else body.pool
    prizes = read_prizes(payouts, pool) if isinstance(payouts, str) else payouts
    values = tournament_values(
        stacks, prizes, names=names, leave=body.leave, samples=body.samples, seed=body.seed
    )
    return cast("TournamentDocument", values.to_dict())


def _percents(payouts: Amounts) -> str:
    """Payouts of a pool as text."""
    if isinstance(payouts, str):
        return payouts
    return "/".join(f"{_digits(share)}%" for share in payouts)


def _digits(number: float) -> str:
    """A number without an exponent, which amounts do not have."""
    return f"{Decimal(repr(number)):f}"
