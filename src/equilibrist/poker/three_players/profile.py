"""A spot of three laid out, and the passes that value three strategies of it.

All in float64. A strategy is float64[R, H] of a seat: the probability of each row's action with
each hand; that of row 0, the whole range, is not used.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from equilibrist.poker.cards.isomorphism import symmetries
from equilibrist.poker.postflop.spot.resolved_locks import symmetries_with
from equilibrist.poker.three_players.forms import Showdown
from equilibrist.poker.three_players.game import SeatGame, SeatGames, street_games
from equilibrist.poker.three_players.runouts import Runouts
from equilibrist.poker.three_players.spot import ThreeSpot
from equilibrist.solvers.run.trace import HasMeasure
from equilibrist.typing import FloatArray, Int32Array, Int64Array

LEAST: Final = 1e-30
"""Less weight than this in all counts as none, as in `kernels.poker.three_decisions`."""


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
        gains: What each seat gains by a best response to the two others, bound by its locks.
        unlocked_gains: What it gains if it is not bound by them; None without locks.
        frequency_error: By how much a locked frequency is missed, as a share of the range; None
            without such locks.
        worth: For each seat float64[R, H], the value of its rows on the first street, times the
            reach of the others; where it was counted.
    """

    values: tuple[float, ...]
    gains: tuple[float, ...]
    unlocked_gains: tuple[float, ...] | None = None
    frequency_error: float | None = None
    worth: tuple[FloatArray, ...] = field(default=(), repr=False, compare=False)

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
        games: The game of each seat on the first street.
        later: Those of each later street.
        merges_suits: Whether boards that differ by suits only are solved once.
    """

    spot: ThreeSpot
    hands: tuple[Int32Array, ...]
    weights: tuple[FloatArray, ...]
    games: tuple[SeatGame, ...]
    later: tuple[SeatGames, ...] = ()
    merges_suits: bool = True

    @classmethod
    def of(cls, spot: ThreeSpot, *, merges_suits: bool = True) -> HandsAndGames:
        """Lay a spot out.

        Args:
            spot: The spot.
            merges_suits: Whether boards that differ by suits only are solved once.

        Returns:
            Its hands and games.
        """
        hands = tuple(np.flatnonzero(range_.weights).astype(np.int32) for range_ in spot.ranges)
        weights = tuple(
            np.ascontiguousarray(range_.weights[held])
            for range_, held in zip(spot.ranges, hands, strict=True)
        )
        first, *later = street_games(spot)
        return cls(spot, hands, weights, first, tuple(later), merges_suits)

    @property
    def most_actions(self) -> int:
        """The most actions at a decision."""
        games = (*self.games, *(game for of_street in self.later for game in of_street))
        return max(int(np.diff(game.first).max(initial=1)) for game in games)

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

    @cached_property
    def group(self) -> Int32Array:
        """int32[G]: the permutations of suits that leave board, ranges and locks as they are."""
        if not self.merges_suits:
            return np.zeros(1, np.int32)
        group = symmetries(self.spot.cards, [range_.weights for range_ in self.spot.ranges])
        return symmetries_with(self.spot.locked_nodes, group)

    @cached_property
    def runouts(self) -> Runouts:
        """The boards of the next street."""
        return Runouts(self.spot.cards, self.hands, self.group)

    @cached_property
    def rivers(self) -> tuple[Runouts, ...]:
        """For each turn of a flop its rivers; none of other spots."""
        return self.runouts.following() if len(self.later) > 1 else ()

    @cached_property
    def river_begins(self) -> Int64Array:
        """int64[T + 1]: of each turn the first river, if they are numbered through; the end."""
        return np.append(0, np.cumsum([rivers.count for rivers in self.rivers])).astype(np.int64)

    @property
    def later_shapes(self) -> list[tuple[int, int, int]]:
        """The shapes of strategy sums after the first street: by street, for each seat [B, R, W].

        Those of the rivers of a flop, which take most of the memory, lack the rows that are
        entered, in which there is nothing.
        """
        boards: list[tuple[Runouts, ...]] = [(self.runouts,)] if self.later else []
        boards += [self.rivers] if self.rivers else []
        return [
            (
                sum(of_board.count for of_board in runouts),
                game.num_rows - street * game.num_entries,
                width,
            )
            for street, (games, runouts) in enumerate(zip(self.later, boards, strict=True))
            for game, width in zip(games, runouts[0].widths, strict=True)
        ]

    @property
    def last_boards(self) -> tuple[Runouts, ...]:
        """The rivers of each turn; those of a spot on the turn are of one."""
        return self.rivers or (self.runouts,)

    def uniform(self) -> list[FloatArray]:
        """The strategies that take all actions alike on the first street."""
        return [
            uniform_strategy(game, len(held))
            for game, held in zip(self.games, self.hands, strict=True)
        ]


def uniform_strategy(game: SeatGame, hands: int) -> FloatArray:
    """The strategy that takes all actions alike.

    Args:
        game: The game of a seat.
        hands: How many hands it has.

    Returns:
        float64[R, H].
    """
    strategy = np.ones((game.num_rows, hands))
    counts = np.diff(game.first)
    strategy[game.num_entries :] = np.repeat(1.0 / counts, counts)[:, None]
    return strategy


def in_proportion(game: SeatGame, weights: NDArray[Any]) -> FloatArray:
    """The strategy whose probabilities are in proportion to weights.

    Args:
        game: The game of a seat.
        weights: float[R, H], such as strategy sums; perhaps without the rows that are entered.

    Returns:
        float64[R, H]; uniform where there are no weights.
    """
    strategy, entries = uniform_strategy(game, weights.shape[1]), game.num_entries
    if game.num_decisions:
        sums = weights[len(weights) - (game.num_rows - entries) :].astype(np.float64)
        totals = np.add.reduceat(sums, game.first[:-1] - entries, axis=0)
        total = np.repeat(totals, np.diff(game.first), axis=0)
        np.divide(sums, total, out=strategy[entries:], where=total > LEAST)
    return strategy


def row_reach(game: SeatGame, entered: FloatArray, strategy: FloatArray) -> FloatArray:
    """How often a seat brings its hands to each of its rows.

    Args:
        game: Its game.
        entered: float64[N, H], of the rows that are entered; float64[H] on the first street, the
            weights of the range.
        strategy: float64[R, H].

    Returns:
        float64[R, H].
    """
    reach = np.empty_like(strategy)
    reach[: game.num_entries] = entered
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
