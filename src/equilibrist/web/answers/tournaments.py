"""Tournaments: what stacks are worth by the independent chip model."""

from __future__ import annotations

from typing_extensions import TypedDict


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
