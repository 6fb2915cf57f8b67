"""Solutions of one spot of three from several starts: how far equilibria differ.

With three players a game may have several equilibria with different values, and seats of different
ones need not be one together. What runs from different starts find says how much that matters in a
spot; it proves nothing about equilibria that none of them found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from equilibrist.formatting.brief import brief_repr
from equilibrist.poker.cards.isomorphism import CARD_IMAGES, COMBO_IMAGES
from equilibrist.poker.three_players.game import SeatGame
from equilibrist.poker.three_players.profile import HandsAndGames, uniform_strategy
from equilibrist.poker.three_players.solution import ThreeSolution
from equilibrist.typing import FloatArray, Int32Array


@dataclass(frozen=True, eq=False)
class ThreeStarts:
    """What was found from several starts.

    Attributes:
        solutions: The solutions, that of uniform strategies first.
        seed: The seed of the drawn starts.
    """

    solutions: tuple[ThreeSolution, ...]
    seed: int

    def __repr__(self) -> str:
        return brief_repr(self)

    @property
    def best_start(self) -> int:
        """The number of the start whose solution has the least sum of gains."""
        return min(range(len(self.solutions)), key=lambda k: self.solutions[k].nash_conv)

    @property
    def best(self) -> ThreeSolution:
        """The solution with the least sum of gains."""
        return self.solutions[self.best_start]

    @property
    def value_differences(self) -> tuple[float, ...]:
        """By seat, the largest value less the smallest, in chips."""
        values = np.array([solution.values for solution in self.solutions])
        return tuple(np.ptp(values, axis=0).tolist())

    @cached_property
    def root_frequencies(self) -> FloatArray:
        """float64[N, A]: how often each action of the first decision is taken, start by start."""
        return np.stack([solution.at().frequencies for solution in self.solutions])

    @property
    def frequency_differences(self) -> tuple[float, ...]:
        """By action of the first decision, the largest frequency less the smallest."""
        return tuple(np.ptp(self.root_frequencies, axis=0).tolist())

    @cached_property
    def hand_difference(self) -> float:
        """How far two solutions differ hand by hand at the first decision, at most.

        For each hand the probability that has to be moved from one action to another; the mean over
        hands, by their weights in the range, for the two solutions that differ most.
        """
        roots = [solution.at() for solution in self.solutions]
        weights = roots[0].reach * roots[0].combos
        shares = weights / weights.sum()
        return max(
            float(np.abs(one.strategy - other.strategy).sum(axis=0) @ shares) / 2.0
            for one in roots
            for other in roots
        )

    def to_dict(self) -> dict[str, Any]:
        """The runs for JSON, without their decisions.

        Returns:
            `seed`; `starts`, for each run its values, gains, their sum and the frequencies at the
            root; `best`, the number of the best from 0; and the differences.
        """
        first, seats = self.solutions[0], self.solutions[0].seats
        codes = first.at().codes
        return {
            "seed": self.seed,
            "starts": [
                {
                    "values": dict(zip(seats, solution.values, strict=True)),
                    "gains": dict(zip(seats, solution.gains, strict=True)),
                    "nash_conv": solution.nash_conv,
                    "nash_conv_percent": solution.nash_conv_percent,
                    "root_frequencies": dict(zip(codes, row, strict=True)),
                    "iterations": solution.iterations,
                    "stopped_by": solution.stopped_by,
                }
                for solution, row in zip(
                    self.solutions, self.root_frequencies.tolist(), strict=True
                )
            ],
            "best": self.best_start,
            "value_differences": dict(zip(seats, self.value_differences, strict=True)),
            "frequency_differences": dict(zip(codes, self.frequency_differences, strict=True)),
            "hand_difference": self.hand_difference,
        }


class BoardStart(NamedTuple):
    """What a seat begins with on a board of a later street."""

    street: int
    """The number of the street, 0 for the next one."""
    seat: int
    board: int
    """Its number among those of the street; rivers of a flop are numbered through."""
    strategy: FloatArray
    """float64[R, H], H the hands that the board leaves."""


def drawn_start(laid_out: HandsAndGames, generator: np.random.Generator) -> Sequence[FloatArray]:
    """Draw strategies to begin with on the first street.

    Hands that are drawn each by itself would average out over a range, and all starts would be
    alike. So each decision has frequencies of its own, drawn evenly from all mixtures, and around
    them each hand has its own; hands that are images of each other have the same.

    Args:
        laid_out: The spot.
        generator: Draws them.

    Returns:
        For each seat float64[R, H].
    """
    return [
        _drawn(
            game,
            _frequencies(game, generator),
            _images_on(laid_out.group, (), held),
            generator,
        )
        for game, held in zip(laid_out.games, laid_out.hands, strict=True)
    ]


def drawn_later(laid_out: HandsAndGames, generator: np.random.Generator) -> Iterator[BoardStart]:
    """Draw strategies to begin with on the boards of later streets.

    Boards that are drawn each by itself would average out, too: frequencies of a decision are the
    same on all of them.

    Args:
        laid_out: The spot.
        generator: Draws them.

    Yields:
        What each seat begins with on each board; nothing on a river.
    """
    streets = ((laid_out.runouts,), laid_out.rivers) if laid_out.later else ()
    for street, (games, runouts) in enumerate(zip(laid_out.later, streets, strict=False)):
        boards = [board for part in runouts for board in zip(part.boards, part.hands, strict=True)]
        for seat, game in enumerate(games):
            frequencies = _frequencies(game, generator)
            for number, (cards, hands) in enumerate(boards):
                dealt = cards[len(laid_out.spot.cards) :]
                alike = _images_on(laid_out.group, dealt, hands[seat])
                start = _drawn(game, frequencies, alike, generator)
                yield BoardStart(street, seat, number, start)


def _frequencies(game: SeatGame, generator: np.random.Generator) -> FloatArray:
    """float64[R - N, 1]: numbers in proportion to which a range takes each action."""
    return generator.exponential(size=(game.num_rows - game.num_entries, 1))


def _drawn(
    game: SeatGame, frequencies: FloatArray, alike: Int32Array, generator: np.random.Generator
) -> FloatArray:
    """float64[R, H]: a strategy around frequencies, the same for hands that are `alike`."""
    strategy = uniform_strategy(game, len(alike))
    if game.num_decisions:
        counts = np.diff(game.first)
        hands = generator.exponential(size=(len(frequencies), len(alike)))
        weights = frequencies * hands[:, alike]
        totals = np.add.reduceat(weights, game.first[:-1] - game.num_entries, axis=0)
        strategy[game.num_entries :] = weights / np.repeat(totals, counts, axis=0)
    return strategy


def _images_on(group: Int32Array, dealt: Sequence[int], held: Int32Array) -> Int32Array:
    """int32[H]: of the hands that are images of each hand on a board the first.

    Only those permutations of suits count that leave each card which was dealt as it is.
    """
    cards = np.array(dealt, np.int64)
    kept = group[(CARD_IMAGES[group][:, cards] == cards).all(axis=1)]
    first = COMBO_IMAGES[kept][:, held].min(axis=0)
    return np.asarray(np.searchsorted(held, first), np.int32)
