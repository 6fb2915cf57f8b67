"""Hands of several seats with betting before the flop as jobs: `equilibrist preflop multiway`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from equilibrist.options.option import Options, choose
from equilibrist.options.solve_options import HOLDEM_RUN_OPTIONS
from equilibrist.parsing.arguments import optional_whole_number
from equilibrist.parsing.threads import thread_count
from equilibrist.poker.cards.combos import NUM_CLASSES
from equilibrist.poker.hands.fields import MULTIWAY_OPTIONS
from equilibrist.web.answers.jobs import HandKindName
from equilibrist.web.holdem.kind import (
    HandRun,
    Needs,
    Solved,
    Working,
    hand_of_texts,
    refuse_passed,
)
from equilibrist.web.store.titles import chart_facts

if TYPE_CHECKING:
    from equilibrist.poker.hands.betting_tree import TreeSize

_BYTES: Final = 220_000_000
_NUMBER_BYTES: Final = 8
_FILE_ARRAYS: Final = 4
"""Strategies, values and what else checkpoint and file have of each action."""
_SOLVING_ARRAYS: Final = 8
_ARRAYS_OF_PART: Final = 3.5
"""The measurement holds the values of parts of the deals, which are copied to be compared."""
_SECONDS_PER_DEAL: Final = 2.5e-6
_SECONDS_PER_DECISION: Final = 6.8e-7
"""Of one thread, for a deal that is played and measured; measured with two to four seats."""


class MultiwayRun(HandRun):
    """Two to six seats that bet, call and raise before the flop; then the board is dealt."""

    NAME: ClassVar[HandKindName] = "multiway"
    KEYS: ClassVar[Options] = {
        key: option for key, option in MULTIWAY_OPTIONS.items() if key != "last_street"
    }
    OPTIONS: ClassVar[Options] = choose(HOLDEM_RUN_OPTIONS, ("deals", "seconds", "seed", "threads"))
    MAIN: ClassVar[tuple[str, ...]] = (
        "seats", "stack", "bets", "raises", "raise_cap", "ante", "deals", "seconds",
    )  # fmt: skip
    LIMITS: ClassVar[tuple[str, ...]] = ("deals", "seconds")
    COUNTED: ClassVar[str] = "deals"
    KERNELS: ClassVar[Mapping[str, float]] = {
        "equilibrist.kernels.preflop.sampled_values.sampled_values": 4.0
    }

    def __init__(
        self,
        keys: Mapping[str, str],
        options: Mapping[str, str],
        files: Mapping[str, Path] | None = None,
    ) -> None:
        from equilibrist.poker.preflop.multiway.hand_tree import check_hand
        from equilibrist.poker.preflop.sampled_run import read_limits

        super().__init__(keys, options, files)
        self.hand = hand_of_texts(self.KEYS, keys, last_street="preflop")
        check_hand(self.hand)
        thread_count(self.values.get("threads"))
        optional_whole_number("seed", self.values.get("seed"), 0)
        read_limits(None, self.values.get("deals"), self.values.get("seconds"))

    def title(self) -> dict[str, Any]:
        """The keys of the hand."""
        from equilibrist.poker.hands.stored import stored_hand

        return chart_facts(stored_hand(self.hand))

    @cached_property
    def _size(self) -> TreeSize:
        return self.hand.size()

    @property
    def _decisions(self) -> int:
        return sum(self._size.decisions)

    @property
    def _numbers(self) -> int:
        """Of a strategy: each decision has room for as many actions as the largest."""
        actions = 1 + math.ceil(sum(self._size.actions) / max(self._decisions, 1))
        return NUM_CLASSES * self._decisions * actions

    @property
    def _deals(self) -> int | None:
        """The deals that are played; None where the time alone ends that."""
        from equilibrist.poker.preflop.multiway.solving import DEALS

        return self.values.get("deals") or (None if self.values.get("seconds") else DEALS)

    def work(self, done: int | None = None) -> float | None:
        """A deal visits a part of the betting."""
        deals = done or self._deals
        if deals is None:
            return None
        of_deal = _SECONDS_PER_DEAL + _SECONDS_PER_DECISION * self._decisions
        return deals * of_deal / self.useful_threads

    def needs(self) -> Needs:
        """Count the betting; the time is that of the deals, or of the limit of seconds."""
        from equilibrist.poker.preflop.sampled_evaluation import parts_of

        arrays = _NUMBER_BYTES * self._numbers
        own = int(arrays * (_SOLVING_ARRAYS + _ARRAYS_OF_PART * parts_of(self._numbers)))
        disk = 2 * _FILE_ARRAYS * arrays
        counts = {
            "seats": self.hand.seats,
            "decisions": self._decisions,
            "deals": self._deals or 0,
        }
        return Needs(_BYTES + own, disk, self.expected_seconds(), counts)

    def solve(self, working: Working) -> Solved:
        """Solve as the command does."""
        from equilibrist.poker.preflop.multiway.solving import solve_multiway

        saving = working.saving()
        return solve_multiway(
            self.hand,
            callbacks=working.callbacks,
            progress=False,
            **saving,
            **self.left(working),
        )

    def check_limits(self, checkpoint: Path) -> None:
        """Deals that were played already are no limit."""
        from equilibrist.poker.preflop.sampled_run import SampledCheckpoint

        if checkpoint.exists():
            done = SampledCheckpoint(checkpoint).deals
            refuse_passed("deals", self.values.get("deals"), done)
