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
"""A piece has at most so many times the iterations of the largest before, since the last turn."""
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
        self._each: dict[bool, float] = {}  # seconds per iteration, as last known
        self._done = (0, 0.0)  # iterations and seconds since the last turn
        self._largest = 0  # iterations of a piece since then

    def iterations(self) -> int:
        """Iterations to run next in the way that `together` says."""
        count, seconds = self._done
        if not count:
            seconds_each = self._each.get(self.together)
            return 1 if seconds_each is None else max(1, int(_TRIAL / 2 / seconds_each))
        left = min(_PIECE, self._until - seconds)
        fitting = int(left * count / max(seconds, 1e-9))
        return max(1, min(_GROWTH * self._largest, fitting))

    def note(self, iterations: int, seconds: float) -> None:
        """Learn what those took."""
        count, spent = self._done[0] + iterations, self._done[1] + seconds
        self._done = count, spent
        self._largest = max(self._largest, iterations)
        if spent < self._until:
            return
        self._each[self.together] = max(spent / count, 1e-9)
        self._until = _TRIAL
        if self._trying:
            if self._each[self.together] < _CLEARLY * self._each[self._usual]:
                self._usual = self.together
            self._until = _BETWEEN * spent
        self._trying = not self._trying
        self.together = self._usual != self._trying
        self._done, self._largest = (0, 0.0), 0
