"""An estimate of the size of a game from a few random histories, before all are walked."""

from __future__ import annotations

import math
import os
import random
import time
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

from equilibrist.game import CHANCE, TERMINAL, Game

_STATM: Final = Path("/proc/self/statm")


def resident_bytes() -> int | None:
    """Bytes of memory that the process occupies now; None where the system has no /proc."""
    try:
        pages = int(_STATM.read_bytes().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError, AttributeError):
        return None


class MemoryWatch:
    """Watches how much the process has grown since the watch was made.

    Args:
        most: The most bytes by which it may grow.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._before = resident_bytes()

    @property
    def grown(self) -> int:
        """Bytes by which the process has grown; 0 where the system does not tell."""
        now = resident_bytes()
        return 0 if now is None or self._before is None else max(0, now - self._before)

    @property
    def is_over(self) -> bool:
        """Whether it has grown by more than it may."""
        return self.grown > self.most


_WATCHED = 16
"""States between two looks at the memory of the process."""


def estimate_histories(
    game: Game[Any],
    width: int = 256,
    depth_limit: int = 10_000,
    seed: int = 0,
    seconds: float = math.inf,
    enough: float = math.inf,
    watch: MemoryWatch | None = None,
) -> float:
    """An unbiased estimate, never below 0, of the number of histories.

    It goes down move by move with at most `width` histories, which are drawn from all successors
    of those before them and stand for as many as there are successors for each one drawn. With
    a width of 1 that is Knuth, Estimating the efficiency of backtrack programs (1975); wider,
    stochastic enumeration: Rubinstein, Stochastic enumeration method for counting NP-hard
    problems (2013). Infinite if some of them do not end within `depth_limit` moves and `seconds`,
    or before the process has grown beyond what `watch` allows.
    More than `enough` histories are not counted to the end: what is returned is then too low.
    """
    generator = random.Random(seed)
    deadline = time.monotonic() + seconds
    states, weight, total = [game.initial_state()], 1.0, 0.0
    for _ in range(depth_limit + 1):
        total += weight * len(states)
        if total > enough:
            return total
        inner, counts = [], []
        for state in states:
            if time.monotonic() >= deadline:
                return math.inf
            acting = game.player(state)
            if acting != TERMINAL:
                inner.append(state)
                counts.append(len(game.chance(state) if acting == CHANCE else game.actions(state)))
        if not inner:
            return total
        ends = list(accumulate(counts))
        moves: Sequence[int] = range(ends[-1])  # one after the other through all of `inner`
        if len(moves) > width:
            weight *= len(moves) / width
            moves = generator.sample(moves, width)
        states = []
        for move in moves:
            if time.monotonic() >= deadline:
                return math.inf
            parent = bisect_right(ends, move)
            if watch is not None and not len(states) % _WATCHED and watch.is_over:
                return math.inf
            states.append(game.next(inner[parent], move - ends[parent] + counts[parent]))
    return math.inf
