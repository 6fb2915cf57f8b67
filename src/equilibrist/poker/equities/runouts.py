"""Showdowns on all boards, or on boards drawn at random, by several threads.

The boards are numbered and cut into parts. How they are cut depends on nothing but their number,
and the parts' sums are added in order: so the threads change no bit of the result.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from math import comb
from typing import Final

import numpy as np

from equilibrist.kernels.poker.equity import Hands, all_boards, drawn_boards
from equilibrist.poker.cards.evaluator_tables import strength_tables
from equilibrist.typing import FloatArray, Int64Array, UInt64Array

_PARTS: Final = 256
"""Parts of all boards, more or fewer where they would be too long or too short."""
_SHORTEST: Final = 300
_LONGEST: Final = 10_000
"""Boards of a part; up to two tenths of a second, for somebody may want to stop."""


def on_all_boards(
    hands: Hands, board: tuple[int, ...], deck: list[int], suits: UInt64Array, threads: int
) -> list[float]:
    """What the hands win on all boards that go on from `board` with cards of the deck.

    Adds to the hands' sums, and returns the weight of the matchups that player 0 wins, that of all,
    and how many boards were looked at: of boards that are images of each other under the group
    `suits`, uint64[n, 4], one.
    """
    to_come = 5 - len(board)

    def add(part: Hands, begin: int, end: int, sums: FloatArray) -> None:
        places = _choice(begin, len(deck), to_come)
        given = strength_tables(7), part, _five(board), len(board), np.array(deck), suits
        all_boards(*given, places, end - begin, sums)

    return _in_parts(add, hands, comb(len(deck), to_come), np.zeros(3), threads)


def on_drawn_boards(
    hands: Hands, board: tuple[int, ...], deck: list[int], samples: int, seed: int, threads: int
) -> list[float]:
    """The same on so many boards drawn at random; each depends on its number and the seed alone.

    Returns, of the weight w of the matchups that player 0 wins on a board and m of all, the sums
    of w, m, w * w, w * m and m * m.
    """
    key = np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]

    def add(part: Hands, begin: int, end: int, sums: FloatArray) -> None:
        given = strength_tables(7), part, _five(board), len(board), np.array(deck), key
        drawn_boards(*given, begin, end, sums)

    return _in_parts(add, hands, samples, np.zeros(5), threads)


def _in_parts(
    add: Callable[[Hands, int, int, FloatArray], None],
    hands: Hands,
    boards: int,
    total: FloatArray,
    threads: int,
) -> list[float]:
    """Let threads `add` the parts from begin to end; add what comes of them to hands and total."""
    length = min(max(boards // _PARTS, _SHORTEST), _LONGEST)

    def part(begin: int) -> tuple[Hands, FloatArray]:
        own = hands._replace(won=np.zeros_like(hands.won), met=np.zeros_like(hands.met))
        sums = np.zeros_like(total)
        add(own, begin, min(begin + length, boards), sums)
        return own, sums

    begins = range(0, boards, length)
    pool = ThreadPoolExecutor(threads) if len(begins) > 1 else None  # a river is soon done
    try:
        for own, sums in (pool.map if pool else map)(part, begins):
            hands.won[:] += own.won
            hands.met[:] += own.met
            total += sums
    finally:
        if pool:
            pool.shutdown(cancel_futures=True)
    return [float(each) for each in total]


def _choice(number: int, among: int, size: int) -> Int64Array:
    """int64[size]: the ascending places of a choice, by its number in the order of a dictionary."""
    places: list[int] = []
    place = 0
    for left in reversed(range(size)):
        while number >= (following := comb(among - place - 1, left)):
            number -= following
            place += 1
        places.append(place)
        place += 1
    return np.array(places, np.int64)


def _five(board: tuple[int, ...]) -> Int64Array:
    return np.array([*board, *[0] * (5 - len(board))])
