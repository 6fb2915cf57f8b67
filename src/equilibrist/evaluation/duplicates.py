"""Matches by duplicate deals: an unbiased comparison of two strategies of a large game by play."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np

from equilibrist.errors import GameError
from equilibrist.game import Game
from equilibrist.options.defaults import DUPLICATE_DEALS
from equilibrist.parsing.arguments import whole_number
from equilibrist.progress import (
    Callbacks,
    OnProgress,
    PartsReport,
    as_callbacks,
    shows_progress,
)
from equilibrist.rules.binding import bind
from equilibrist.rules.module import Rules
from equilibrist.rules.strategy import PackedStrategy, checked_packed
from equilibrist.solvers.implicit.options import opened
from equilibrist.typing import FloatArray

T = TypeVar("T")
_CHUNK: Final = 1 << 16
"""Deals played in one call, so that Ctrl-C is heard between two."""
_LEAST: Final = 2
"""Deals without which there is no interval."""
_MOST: Final = 10**12
_SHOWN: Final = 5e-5
"""Means and intervals below it need more than five decimals."""
_LEVEL: Final = 0.975
"""The quantile of Student's t for a two-sided interval of 95 %."""


def student_95(count: float) -> float:
    """Standard errors from a mean to the ends of its 95 % interval.

    Args:
        count: How many independent numbers the mean and its error are from, at least 2; of numbers
            with weights, how many of equal weight say as much.

    Returns:
        The quantile of Student's t: 12.7 for 2 numbers, 1.96 for many.
    """
    from scipy.special import stdtrit

    return float(stdtrit(count - 1.0, _LEVEL))


class _Rows(NamedTuple):
    """A strategy as `kernels.implicit.playouts` reads it."""

    high: Any
    low: Any
    row: Any
    probability: FloatArray


@dataclass(frozen=True)
class Estimate:
    """A mean, and half of its 95 % interval (Student's t over independent numbers).

    Attributes:
        mean: The estimate.
        half_width: Half the width of its 95 % interval.
    """

    mean: float
    half_width: float

    @classmethod
    def of_sums(cls, count: int, total: float, squares: float) -> Estimate:
        """The estimate of a mean from sums over independent numbers.

        Args:
            count: How many numbers, at least 2.
            total: Their sum.
            squares: The sum of their squares.

        Returns:
            Their mean with its 95 % interval.
        """
        mean = total / count
        variance = max(0.0, squares - count * mean * mean) / (count - 1)
        return cls(mean, student_95(count) * math.sqrt(variance / count))

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the mean."""
        return self.mean - self.half_width, self.mean + self.half_width

    def interval_within(self, least: float, most: float) -> tuple[float, float]:
        """The 95 % interval of the mean without what lies beyond bounds of the mean.

        Args:
            least: The least that the mean can be.
            most: The most that it can be.

        Returns:
            The ends of the interval.
        """
        low, high = self.interval
        return min(max(low, least), most), max(min(high, most), least)


@dataclass(frozen=True)
class Match(Estimate):
    """What `first` wins from `second` per game, in payoff units, over duplicate deals.

    Where payoffs add up to 0, a strategy wins 0 from itself.

    Attributes:
        mean: The mean payoff of `first` over all seats and deals.
        half_width: Half the width of the 95 % interval, over deals.
        deals: How many deals were played.
        seed: The seed of their random numbers.
        aivat: An unbiased estimate of the same mean of lower variance (AIVAT), where a tree
            allows one.
        interrupted: Whether Ctrl-C ended the match before all deals were played.
    """

    deals: int
    seed: int
    aivat: Estimate | None = None
    interrupted: bool = False

    def __str__(self) -> str:
        is_tiny = 0.0 < max(abs(self.mean), self.half_width) < _SHOWN
        form = ".5g" if is_tiny else ".5f"
        interval = f"{self.mean:+z{form}} ± {self.half_width:z{form}}"
        return f"{interval} per game ({self.deals:,} duplicate deals)"


@shows_progress
def play_duplicates(
    rules: Rules | Game[Any] | str,
    first: PackedStrategy,
    second: PackedStrategy | None = None,
    *,
    deals: int = DUPLICATE_DEALS,
    lines: int = 1,
    seed: int = 0,
    callbacks: Callbacks | OnProgress | None = None,
    progress: bool | None = None,  # noqa: ARG001 - read by shows_progress
) -> Match:
    """Let `first` play against `second`, every deal once per seat.

    In every game of a deal one seat is played by `first`, all others by `second`. Chance draws the
    same numbers in all of them, and so does every player: luck of the deal that helps one seat
    hurts another, and two strategies that hardly differ play nearly the same games. The same seed
    gives the same games.

    Args:
        rules: The rules of the game, or their name (`rules:liars_dice(dice=2)`).
        first: The strategy whose winnings are estimated.
        second: The strategy of the other seats; None for uniform play.
        deals: How many deals, at least 2.
        lines: Up to this many lines of play of each game are followed and weighted by their
            probabilities, the rest is drawn. With 1 nothing is weighted; with as many as the
            players have, only the luck of the deal is left. More take longer, and narrow the
            interval most where the strategies hardly differ.
        seed: The seed of the random numbers.
        callbacks: Functions called as deals are played.
        progress: Whether a line shows the progress; by default in notebooks and interactive
            sessions.

    Returns:
        The mean payoff of `first` per game, with its interval; of fewer deals after Ctrl-C, or
        where a callback ends the match.

    Raises:
        MismatchError: If a strategy is one of other rules.
        ConfigError: For fewer than 2 deals or 1 line.
        GameSpecError: If the rules cannot be loaded or compiled.
        GameError: If the rules break their promises.
        KeyboardInterrupt: Ctrl-C, before the first deals were played.
    """
    from equilibrist.kernels.implicit.playouts import play_deals

    rules = opened(rules)
    whole_number("deals", deals, 2, _MOST)
    whole_number("lines", lines, 1, _MOST)
    rows = [_rows(rules, strategy) for strategy in (first, second)]
    keys = np.random.SeedSequence(whole_number("seed", seed, 0)).generate_state(2, np.uint64)
    play = bind(rules, play_deals)
    longest, streams = rules.max_moves, rules.num_players + 1
    scratch = (
        np.zeros(rules.state_size, dtype=np.int64),
        np.zeros(2, dtype=np.uint64),
        np.zeros(streams, dtype=np.uint64),
        np.zeros((longest, rules.state_size), dtype=np.int64),
        np.zeros((longest, streams), dtype=np.uint64),
        np.zeros((longest, 6), dtype=np.int64),
        np.zeros(longest + 1),
    )
    sizes = (longest, rules.num_players, lines)
    every = np.zeros(min(deals, _CHUNK))

    def played(start: int, sums: tuple[float, float]) -> tuple[float, float]:
        """The sums of payoffs, and of their squares, with the next deals."""
        out = every[: deals - start]
        if not play(rules.g, *sizes, *rows, start, *keys, *scratch, out):
            raise GameError(
                f"the rules {rules.name} contradict themselves: a line of play is longer than "
                f"max_moves() = {rules.max_moves} moves",
                kind="endless",
                option="max_moves",
                given=rules.max_moves,
                remedy="check_game reports where",
            )
        return sums[0] + float(out.sum()), sums[1] + float(out @ out)

    done, sums = until_interrupted(played, (0.0, 0.0), deals, _CHUNK, as_callbacks(callbacks))
    estimate = Estimate.of_sums(done, *sums)
    return Match(estimate.mean, estimate.half_width, done, seed, interrupted=done < deals)


def until_interrupted(
    play: Callable[[int, T], T],
    sums: T,
    deals: int,
    chunk: int,
    callbacks: Callbacks,
) -> tuple[int, T]:
    """Play deals chunk by chunk, until Ctrl-C or a callback ends it.

    Args:
        play: Plays the deals from a number on, and gives the sums with them.
        sums: Those before the first.
        deals: How many are to be played.
        chunk: How many are played at a time.
        callbacks: Functions called as deals are played.

    Returns:
        How many deals were played, and their sums.

    Raises:
        KeyboardInterrupt: Ctrl-C, before two deals were played.
    """
    done, report = (0, sums), PartsReport(callbacks, "duplicate deals", "deals", deals)
    try:
        for start in range(0, deals, chunk):
            done = min(start + chunk, deals), play(start, done[1])
            if not report.goes_on(done[0]) and done[0] >= _LEAST:
                break
    except KeyboardInterrupt:
        if done[0] < _LEAST:
            raise
    return done


def _rows(rules: Rules, strategy: PackedStrategy | None) -> _Rows:
    strategy = PackedStrategy.uniform(rules) if strategy is None else checked_packed(strategy)
    strategy.rules_of(rules)
    return _Rows(*strategy.index, strategy.probabilities)
