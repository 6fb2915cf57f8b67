"""A spot that was given as an object or as text, and its name."""

from __future__ import annotations

from equilibrist.parsing.arguments import instance
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.poker.postflop.spot.toml import parse_spot


def checked_spot(spot: object) -> Spot:
    """A spot, or ConfigError that says how to make one."""
    remedy = "make one with poker.Spot(board=..., ...) or poker.Spot.from_toml(path)"
    return instance("spot", spot, Spot, "a poker.Spot", remedy=remedy)


def game_name(spot: Spot) -> str:
    """What the spot is called as a game: `holdem(board=...,pot=...,stack=...)`."""
    return f"holdem(board={spot.board},pot={spot.pot},stack={spot.stack})"


def spot_from_text(text: str) -> Spot:
    """The spot in a text of `Spot.to_toml`; raises what `Spot` raises, and ValueError."""
    return Spot(**parse_spot(text))
