"""Three strategies of a spot, exactly measured: values, best responses, the figures of a decision.

All in float64. A strategy is float64[R, H] of a seat: the probability of each row's action with
each hand; that of row 0, the whole range, is not used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from equilibrist.poker.postflop.three.forms import Form, Showdown
from equilibrist.poker.three_players.game import OTHERS, SeatGame, seat_games
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

    def plain_forms(self, seat: int, reach_j: FloatArray, reach_k: FloatArray) -> FloatArray:
        """Evaluate the forms of a seat one by one; slow.

        Args:
            seat: The seat.
            reach_j: float64[rows of j, hands of j].
            reach_k: float64[rows of k, hands of k].

        Returns:
            float64[F, H].
        """
        game = self.games[seat]
        values = np.zeros((len(game.kind), len(self.hands[seat])))
        for number, (kind, (j, k)) in enumerate(zip(game.kind, game.rows, strict=True)):
            values[number] = self.showdown.value(Form(kind), seat, reach_j[j], reach_k[k])
        return values

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


def measure(laid_out: HandsAndGames, strategies: Sequence[FloatArray], forms: Forms) -> Measure:
    """Measure three strategies.

    Args:
        laid_out: The spot.
        strategies: Of each seat float64[R, H].
        forms: What evaluates the forms.

    Returns:
        Values and gains.
    """
    reach = [
        row_reach(game, weights, strategy)
        for game, weights, strategy in zip(
            laid_out.games, laid_out.weights, strategies, strict=True
        )
    ]
    values, gains = [], []
    for seat, game in enumerate(laid_out.games):
        j, k = OTHERS[seat]
        played = row_worth(game, forms(seat, reach[j], reach[k]))
        best = played.copy()
        add_decisions(game, played, strategies[seat])
        add_decisions(game, best, None)
        share = laid_out.weights[seat] / laid_out.total
        values.append(float(share @ played[0]))
        gains.append(float(share @ (best[0] - played[0])))
    return Measure(tuple(values), tuple(gains))
