"""What stacks of a tournament are worth: the independent chip model of Malmuth and Harville.

A player finishes first with the probability of their share of the chips; the second place is given
likewise among the others, and so on. D. A. Harville, Assigning probabilities to the outcomes of
multi-entry competitions (JASA 1973); M. Malmuth, Gambling theory and other topics (1987).
"""

from __future__ import annotations

from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from equilibrist.parsing.arguments import bad_argument
from equilibrist.poker.tournaments.places import MOST_PRODUCTS, place_probabilities, products
from equilibrist.typing import BoolArray, FloatArray

_MOST_STEPS: Final = 200_000
"""Sets of players that are enumerated, those who took the places so far; beyond, `places` helps."""
_COUNTED: Final = 10**12


def icm(stacks: ArrayLike, payouts: ArrayLike, before: ArrayLike | None = None) -> FloatArray:
    """The expected payout of each player.

    Players without chips take the last places; of several the one who began the hand with more
    chips is placed higher, and equals share.

    Args:
        stacks: [n] or [m, n], one or m distributions of chips over n players, not negative.
        payouts: [k], the payouts of the first k places, k <= n.
        before: [n], the stacks at the start of the hand.

    Returns:
        float64, in the shape of the stacks and in the unit of the payouts; a row adds up to the sum
        of the payouts.

    Raises:
        ConfigError: An argument has another form, a number is negative or not finite, there are
            more payouts than players, or too many of both (`tournament_values` samples).
    """
    chips, prizes = numbers_of("stacks", stacks, (1, 2)), numbers_of("payouts", payouts, (1,))
    players = chips.shape[-1]
    started = np.ones(players) if before is None else numbers_of("before", before, (1,))
    if not players:
        raise bad_argument("stacks", stacks, "the stacks of one player or more")
    if len(prizes) > players:
        raise bad_argument("payouts", payouts, f"at most {players} payouts, one for each player")
    if len(started) != players:
        raise bad_argument("before", before, f"{players} stacks, one for each player")
    if not is_feasible(players, len(prizes), len(np.atleast_2d(chips))):
        raise bad_argument(
            "payouts", payouts, f"fewer payouts for {players} players",
            remedy="give fewer payouts, or ask `tournament_values`, which samples orders of finish",
        )  # fmt: skip
    return _worth(np.atleast_2d(chips), prizes, started).reshape(chips.shape)


def is_feasible(players: int, paid: int, rows: int = 1) -> bool:
    """Whether `icm` values that many players and payouts exactly, in some ten seconds at most."""
    if number_of_steps(players, paid) <= _MOST_STEPS:
        return True
    return rows * products(players, paid) <= MOST_PRODUCTS


def numbers_of(name: str, values: ArrayLike, dimensions: tuple[int, ...]) -> FloatArray:
    """Numbers as float64; ConfigError where one is negative or not finite."""
    try:
        numbers = np.asarray(values)
        numbers = numbers.astype(np.float64) if numbers.dtype.kind in "iuf" else np.zeros(())
    except ValueError:  # rows of several lengths
        numbers = np.zeros(())
    if numbers.ndim not in dimensions:
        shapes = "a list of numbers" if dimensions == (1,) else "numbers for each player, or rows"
        raise bad_argument(name, values, shapes)
    if not (np.isfinite(numbers) & (numbers >= 0)).all():
        raise bad_argument(name, values, "finite numbers of at least 0")
    return numbers


def _worth(stacks: FloatArray, payouts: FloatArray, started: FloatArray) -> FloatArray:
    """The shares of the payouts by the independent chip model, for rows of stacks."""
    players = stacks.shape[1]
    places = np.zeros(players)
    places[: len(payouts)] = payouts
    alive = stacks > 0
    worth = np.zeros_like(stacks)
    patterns, of = np.unique(alive, axis=0, return_inverse=True)
    for number, pattern in enumerate(patterns):
        rows = np.flatnonzero(of.reshape(-1) == number)
        left = np.flatnonzero(pattern)
        worth[np.ix_(rows, left)] = _harville(stacks[np.ix_(rows, left)], places[: len(left)])
        if len(left) < players:
            worth[np.ix_(rows, np.flatnonzero(~pattern))] = _of_the_busted(
                started, pattern, places[len(left) :]
            )
    return worth


def number_of_steps(players: int, paid: int) -> int:
    """The sets of players of which `icm` enumerates who took the places so far, to 10^12 or so."""
    sets, total = 1, 0
    for taken in range(min(paid, players)):
        total += sets
        if total > _COUNTED:
            break
        sets = sets * (players - taken) // (taken + 1)
    return total


def _harville(stacks: FloatArray, places: FloatArray) -> FloatArray:
    """The shares by Harville's formula; everyone has chips, and each place a payout, perhaps 0."""
    rows, players = stacks.shape
    if number_of_steps(players, len(places)) > _MOST_STEPS:
        prizes = places[: int(np.flatnonzero(places).max(initial=0)) + 1]
        return np.stack([place_probabilities(row, len(prizes)) @ prizes for row in stacks])
    paid = int(np.flatnonzero(places).max(initial=-1)) + 1
    worth = np.zeros_like(stacks)
    # The probability that these players, in any order, took the places so far.
    taken: dict[tuple[int, ...], FloatArray] = {(): np.ones(rows)}
    for place in range(paid):
        following = {who: np.zeros(rows) for who in combinations(range(players), place + 1)}
        for who, probability in taken.items():
            others = [player for player in range(players) if player not in who]
            # Added up, as the difference from all chips says nothing of small stacks.
            rest = stacks[:, others].sum(axis=1)
            for player in others:
                share = probability * (stacks[:, player] / rest)
                worth[:, player] += places[place] * share
                following[tuple(sorted((*who, player)))] += share
        taken = following
    return worth


def _of_the_busted(before: FloatArray, alive: BoolArray, places: FloatArray) -> FloatArray:
    """The payouts of those who lost all their chips in this hand."""
    began = before[~alive]
    order = np.argsort(-began, kind="stable")
    payouts = np.empty(len(began))
    for stack in np.unique(began):
        same = began[order] == stack
        payouts[order[same]] = places[same].mean()
    return payouts
