"""Turns: several runs share one processor, and the one that has had the least time goes on."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager


class Turns:
    """Whose turn it is among runs in threads of their own, of which one at a time works.

    A run keeps its turn until it hands over; then that one goes on which has had the fewest
    seconds, of equals the first. All thus see the same machine at nearly the same time: what else
    it does slows all of them alike.

    Args:
        first: For each run what counts as its seconds before it begins: 0, or infinite for one
            that shall wait until no other is left.
    """

    def __init__(self, first: Sequence[float]) -> None:
        self._spent = dict(enumerate(first))
        self._changed = threading.Condition()
        self._holder: int | None = None
        self._ends = False

    @property
    def ends(self) -> bool:
        """Whether all runs are to end as soon as they can."""
        return self._ends

    def end(self) -> None:
        """Let all runs end as soon as they can."""
        self._ends = True

    @contextmanager
    def part_of(self, run: int) -> Iterator[None]:
        """Around all that a run does: wait for its first turn, and leave at the end."""
        with self._changed:
            self._wait_for(run)
        try:
            yield
        finally:
            with self._changed:
                del self._spent[run]
                self._pass_on()

    def hand_over(self, run: int, seconds: float) -> float:
        """Let those go on that have had less, and wait for the next turn.

        Args:
            run: Whose turn it is.
            seconds: What it has had so far.

        Returns:
            The seconds that it has waited.
        """
        began = time.perf_counter()
        with self._changed:
            self._spent[run] = seconds
            self._pass_on()
            self._wait_for(run)
        return time.perf_counter() - began

    def begin(self) -> None:
        """Give the first turn."""
        with self._changed:
            self._pass_on()

    def over(self, seconds: float) -> bool:
        """Wait for the end of all runs, for so many seconds at most; whether they have ended."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._spent, seconds)

    def _pass_on(self) -> None:
        self._holder = min(self._spent, key=lambda run: (self._spent[run], run), default=None)
        self._changed.notify_all()

    def _wait_for(self, run: int) -> None:
        self._changed.wait_for(lambda: self._holder == run)
