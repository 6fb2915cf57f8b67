"""Public chance events: groups of outcomes that look alike to all players."""

from __future__ import annotations

from array import array
from collections.abc import Sequence


class PublicEvents:
    """The public events found so far: each is a public state and its successor."""

    def __init__(self) -> None:
        self.event = array("i")
        """Per outcome, its event."""
        self.state = array("i")
        """Per event, the public state before it."""
        self._states: dict[str, int] = {}
        self._events: dict[tuple[int, str], int] = {}

    def add(self, before: str, after: Sequence[str]) -> None:
        """A chance node in public state `before`, whose outcomes lead to those in `after`."""
        state = self._states.setdefault(before, len(self._states))
        for key in after:
            event = self._events.setdefault((state, key), len(self._events))
            if event == len(self.state):
                self.state.append(state)
            self.event.append(event)
