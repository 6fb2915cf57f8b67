"""Whether several threads pay at present, found by trying: other programs may hold their cores."""

from __future__ import annotations

from typing import Final

_TRIAL: Final = 0.02
"""Seconds for which the other way is tried."""
_BETWEEN: Final = 50.0
"""From one trial to the next passes this multiple of what the last one took."""
_PIECE: Final = 0.25
"""The most seconds that kernels run before the next look."""
_GROWTH: Final = 8
"""A piece has at most so many times the iterations of the largest before."""
_CLEARLY: Final = 0.95
"""The other way is taken if it needs less than this share of the time."""


class Pace:
    """Which way iterations are faster at present: with all threads, or with one.

    Threads wait for each other many times in an iteration. If one has lost its processor to another
    program, all wait, and one thread alone is faster. The bits are the same.

    Attributes:
        together: Whether all threads are to run the coming iterations.
    """

    def __init__(self) -> None:
        self.together = True
        self._usual = True
        self._trying = False
        self._until = _TRIAL
        self._done = (0, 0.0)  # iterations and seconds since the last turn
        self._before: float | None = None  # seconds per iteration in the usual way
        self._largest = {True: 0, False: 0}

    def iterations(self) -> int:
        """How many iterations to run next in the way that `together` says."""
        count, seconds = self._done
        most = max(1, _GROWTH * self._largest[self.together])
        if not count:
            return max(1, min(most, self._largest[self.together] // _GROWTH))
        left = min(_PIECE, self._until - seconds)
        return max(1, min(most, int(left * count / max(seconds, 1e-9))))

    def note(self, iterations: int, seconds: float) -> None:
        """Learn what those took."""
        count, spent = self._done[0] + iterations, self._done[1] + seconds
        self._done = count, spent
        self._largest[self.together] = max(self._largest[self.together], iterations)
        if spent < self._until:
            return
        each = spent / count
        if not self._trying:
            self._before, self._until = each, _TRIAL
        else:
            if self._before is None or each < _CLEARLY * self._before:
                self._usual = self.together
            self._until = _BETWEEN * spent
        self._trying = not self._trying
        self.together = self._usual != self._trying
        self._done = 0, 0.0
