"""A spot of three laid out, and the passes that value three strategies of it.

All in float64. A strategy is float64[R, H] of a seat: the probability of each row's action with
each hand; that of row 0, the whole range, is not used.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from equilibrist.poker.three_players.forms import Showdown
from equilibrist.poker.three_players.game import SeatGame, seat_games
from equilibrist.poker.three_players.spot import ThreeSpot
from equilibrist.solvers.run.trace import HasMeasure
from equilibrist.typing import FloatArray, Int32Array


class Forms(Protocol):
    """Evaluates all forms of a seat."""

    def __call__(self, seat: int, reach_j: FloatArray, reach_k: FloatArray, /) -> FloatArray:
        """Evaluate them for the rows of reach of both opponents; float64[F, H]."""
        ...


@dataclass(frozen=True)
class Measure(HasMeasure):
    """What three strategies are worth, in chips.

    Attributes:
        values: What each seat wins, net of the chips that it puts in from the spot on.
        gains: What each seat gains by a best response to the two others.
    """

    values: tuple[float, ...]
    gains: tuple[float, ...]

    exploitability = None
    """It has no meaning for three players."""

    @property
    def nash_conv(self) -> float:  # type: ignore[override]
        """The sum of the gains."""
        return sum(self.gains)


@dataclass(frozen=True, eq=False)
class HandsAndGames:
    """A spot laid out: the hands of each seat, and the games that they play.

    Attributes:
        spot: The spot.
        hands: For each seat int32[H], the combos of its range, ascending.
        weights: For each seat float64[H], their weights.
        games: The game of each seat.
    """

    spot: ThreeSpot
    hands: tuple[Int32Array, ...]
    weights: tuple[FloatArray, ...]
    games: tuple[SeatGame, ...]

    @classmethod
    def of(cls, spot: ThreeSpot) -> HandsAndGames:
        """Lay a spot out.

        Args:
            spot: The spot.

        Returns:
            Its hands and games.
        """
        hands = tuple(np.flatnonzero(range_.weights).astype(np.int32) for range_ in spot.ranges)
        weights = tuple(
            np.ascontiguousarray(range_.weights[held])
            for range_, held in zip(spot.ranges, hands, strict=True)
        )
        return cls(spot, hands, weights, seat_games(spot))

    @cached_property
    def deals(self) -> tuple[FloatArray, ...]:
        """For each seat float64[H]: the weight of the opponents' pairs that each hand leaves."""
        return tuple(self.spot.deals[seat][held] for seat, held in enumerate(self.hands))

    @cached_property
    def total(self) -> float:
        """The weight of all deals."""
        return float(self.weights[0] @ self.deals[0])

    @cached_property
    def showdown(self) -> Showdown:
        """The forms, in plain NumPy."""
        return Showdown(self.spot.cards, self.hands)

    def uniform(self) -> list[FloatArray]:
        """The strategies that take all actions alike."""
        strategies = []
        for game, held in zip(self.games, self.hands, strict=True):
            strategy = np.ones((game.num_rows, len(held)))
            counts = np.diff(game.first)
            strategy[1:] = np.repeat(1.0 / counts, counts)[:, None]
            strategies.append(strategy)
        return strategies


def row_reach(game: SeatGame, weights: FloatArray, strategy: FloatArray) -> FloatArray:
    """How often a seat brings its hands to each of its rows.

    Args:
        game: Its game.
        weights: float64[H], of its range.
        strategy: float64[R, H].

    Returns:
        float64[R, H].
    """
    reach = np.empty_like(strategy)
    reach[0] = weights
    for d in range(game.num_decisions):
        rows = slice(game.first[d], game.first[d + 1])
        reach[rows] = reach[game.parent[d]] * strategy[rows]
    return reach


def row_worth(game: SeatGame, forms: FloatArray) -> FloatArray:
    """What each row is worth by itself: pots at ends that it leads to, less the chips it puts in.

    Args:
        game: The game of a seat.
        forms: float64[F, H].

    Returns:
        float64[R, H].
    """
    worth = np.zeros((game.num_rows, forms.shape[1]), forms.dtype)
    for row in range(game.num_rows):
        terms = slice(game.start[row], game.start[row + 1])
        worth[row] = game.coefficient[terms] @ forms[game.form[terms]]
    return worth


def add_decisions(game: SeatGame, worth: FloatArray, strategy: FloatArray | None) -> None:
    """Add to the worth of rows what the decisions behind them are worth.

    Args:
        game: The game of a seat.
        worth: float64[R, H] of `row_worth`; changed in place.
        strategy: float64[R, H], what the seat plays; None for a best response.
    """
    for d in reversed(range(game.num_decisions)):
        rows = slice(game.first[d], game.first[d + 1])
        if strategy is None:
            worth[game.parent[d]] += worth[rows].max(axis=0)
        else:
            worth[game.parent[d]] += (strategy[rows] * worth[rows]).sum(axis=0)
