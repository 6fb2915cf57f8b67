"""Matches between two strategies of a compiled game: exact, or by duplicate deals."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from equilibrist.evaluation import Estimate, Match, evaluate
from equilibrist.evaluation.duplicates import until_interrupted
from equilibrist.game import CHANCE, TERMINAL
from equilibrist.parsing.arguments import whole_number
from equilibrist.play.aivat import Aivat
from equilibrist.progress import Callbacks, OnProgress, as_callbacks, shows_progress
from equilibrist.strategy import Strategy, checked_strategy
from equilibrist.typing import BoolArray, FloatArray, Int64Array

_NUMBERS = 1 << 21
"""Random numbers held in memory at once."""


@dataclass(frozen=True)
class ExactMatch:
    """What `first` and `second` win on average, in payoff units per hand, without any sampling.

    In game p of P, `first` plays as player p and `second` as all others.

    Attributes:
        values: `values[p]` holds every player's expected payoff in game p.
        even: The mean payoff of a seat when `second` plays all of them: what `first` has to
            beat.
    """

    values: tuple[tuple[float, ...], ...]
    even: float

    @property
    def mean(self) -> float:
        """The payoff of `first` per hand, averaged over its seats."""
        return math.fsum(row[p] for p, row in enumerate(self.values)) / len(self.values)

    @property
    def second_mean(self) -> float:
        """The payoff of one seat of `second` per hand; 0.0 if it has none."""
        places = len(self.values) * (len(self.values) - 1)
        others = [v for p, row in enumerate(self.values) for q, v in enumerate(row) if q != p]
        return math.fsum(others) / places if places else 0.0


def match_exactly(first: Strategy, second: Strategy) -> ExactMatch:
    """Let `first` play each seat in turn, `second` in all others; expected payoffs in each.

    Args:
        first: A strategy.
        second: Another of the same game.

    Returns:
        The expected payoffs of all seatings; with two players both.

    Raises:
        MismatchError: If the strategies are of different games.
        RecallError: If the game has imperfect recall.
    """
    players = checked_strategy(second).tree.num_players
    values = tuple(evaluate(second.replace(p, first)).values for p in range(players))
    return ExactMatch(values, math.fsum(evaluate(second).values) / players)


@shows_progress
def match_by_deals(
    first: Strategy,
    second: Strategy,
    *,
    deals: int = 10_000,
    seed: int = 0,
    callbacks: Callbacks | OnProgress | None = None,
    progress: bool | None = None,  # noqa: ARG001 - read by shows_progress
) -> Match:
    """Let `first` play each seat in turn, `second` in all others; sampled by duplicate deals.

    Chance, and every player, draw the same numbers in all games of a deal. The same seed gives the
    same games. Imperfect recall is allowed.

    Args:
        first: A strategy.
        second: Another of the same game.
        deals: How many deals, at least 2; each is played once per seat of `first`.
        seed: The seed of the random numbers.
        callbacks: Functions called as deals are played.
        progress: Whether a line shows the progress; by default in notebooks and interactive
            sessions.

    Returns:
        The mean payoff of `first` with its interval; its `aivat` uses the strategy of `first`, not
        that of `second`. After Ctrl-C they are of fewer deals.

    Raises:
        ConfigError: For fewer than 2 deals.
        MismatchError: If the strategies are of different games.
        KeyboardInterrupt: Ctrl-C, before the first deals were played.
    """
    tree = checked_strategy(second).tree
    whole_number("deals", deals, 2, 10**12)
    whole_number("seed", seed, 0)
    profiles = [second.replace(place, first) for place in range(tree.num_players)]
    luckless = [Aivat.of(first, {place: first}).by_history() for place in range(tree.num_players)]
    arrays = tree.history_tree.arrays
    depth = tree.history_tree.depth
    chunk = max(1, _NUMBERS // ((depth + 1) * (tree.num_players + 1)))

    def played(start: int, sums: FloatArray) -> FloatArray:
        """The sums of payoffs and of estimates, then of their squares, with the next deals."""
        spawned = np.random.SeedSequence(seed, spawn_key=(start // chunk,))
        generator = np.random.default_rng(spawned)
        size = min(chunk, deals - start)
        drawn = generator.random((tree.num_players + 1, depth + 1, size))
        won = np.zeros((2, size))
        for place, profile in enumerate(profiles):
            ends = _ends(profile, drawn)
            won[0] += arrays.payoff[arrays.node[ends, 1], place]
            won[1] += luckless[place][ends, place]
        won /= tree.num_players
        added: FloatArray = sums + np.stack([won.sum(axis=1), np.square(won).sum(axis=1)])
        return added

    done, sums = until_interrupted(played, np.zeros((2, 2)), deals, chunk, as_callbacks(callbacks))
    payoff, aivat = (Estimate.of_sums(done, *row) for row in sums.T.tolist())
    return Match(payoff.mean, payoff.half_width, done, seed, aivat, interrupted=done < deals)


def _ends(profile: Strategy, drawn: FloatArray) -> Int64Array:
    """Where one game per deal ends, int64[deals].

    `drawn` is float64[P + 1, depth + 1, deals]: what chance (last) and the players draw by, each in
    the order of their own moves.
    """
    tree = profile.tree
    arrays = tree.history_tree.arrays
    size = drawn.shape[2]
    at = np.zeros(size, dtype=np.int64)
    moves = np.zeros((tree.num_players + 1, size), dtype=np.int64)
    while True:
        going = np.flatnonzero(arrays.node[at, 3] != TERMINAL)
        if not len(going):
            return at
        first, base, count, player = arrays.node[at[going]].astype(np.int64).T
        player[player == CHANCE] = tree.num_players
        level = drawn[player, moves[player, going], going]
        moves[player, going] += 1
        chosen = np.empty(len(going), dtype=np.int64)
        by_chance = player == tree.num_players
        for these, rows in (
            (~by_chance, profile.probabilities),
            (by_chance, arrays.chance_probability),
        ):
            chosen[these] = _drawn(rows, base[these], count[these], level[these])
        at[going] = first + chosen


def _drawn(
    probability: FloatArray, base: Int64Array, count: Int64Array, level: FloatArray
) -> Int64Array:
    """For each row, the index of its `count` probabilities from `base` that `level` falls on."""
    chosen = np.zeros(len(base), dtype=np.int64)
    total = np.zeros(len(base))
    open_ = np.ones(len(base), dtype=np.bool_)
    for index in range(int(count.max(initial=0))):
        here = open_ & (index < count)
        share = np.zeros(len(base))
        share[here] = probability[base[here] + index]
        total += share
        possible: BoolArray = here & (share > 0.0)
        chosen[possible] = index  # the last possible one so far, should rounding pass the level
        open_ &= ~(possible & (level < total))
    return chosen
