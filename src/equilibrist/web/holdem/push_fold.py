"""Push-or-fold charts as jobs: `equilibrist preflop pushfold`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Final

from equilibrist.errors import ConfigError
from equilibrist.options.option import Options, choose
from equilibrist.options.solve_options import HOLDEM_RUN_OPTIONS
from equilibrist.parsing.arguments import optional_whole_number
from equilibrist.parsing.threads import thread_count
from equilibrist.poker.hands.fields import PUSH_FOLD_OPTIONS
from equilibrist.web.answers.jobs import HandKindName
from equilibrist.web.holdem.kind import (
    HandRun,
    Needs,
    Solved,
    Working,
    refuse_passed,
)
from equilibrist.web.store.titles import chart_facts

_BYTES: Final = 300_000_000
_FILE: Final = 1_000_000
_COUNTING: Final = 16.0
"""Seconds in which one thread counts the showdowns of all classes, which are kept then."""
_DEALS_PER_SECOND: Final = {3: 140_000, 4: 80_000, 5: 42_000, 6: 27_000}
"""Deals that a thread plays and measures in a second, by seats; measured."""


class PushFoldRun(HandRun):
    """Charts of hands that go all-in or fold: of two seats exactly, of more by sampled deals."""

    NAME: ClassVar[HandKindName] = "push-fold"
    KEYS: ClassVar[Options] = PUSH_FOLD_OPTIONS
    OPTIONS: ClassVar[Options] = choose(HOLDEM_RUN_OPTIONS, ("deals", "seconds", "seed", "threads"))
    MAIN: ClassVar[tuple[str, ...]] = tuple(PUSH_FOLD_OPTIONS)
    LIMITS: ClassVar[tuple[str, ...]] = ("deals", "seconds")
    COUNTED: ClassVar[str] = "deals"
    KERNELS: ClassVar[Mapping[str, float]] = {
        "equilibrist.kernels.preflop.sampled_values.sampled_values": 4.0
    }
    MOST_THREADS: ClassVar[int] = 16
    """All read and write the same tables."""

    def __init__(
        self,
        keys: Mapping[str, str],
        options: Mapping[str, str],
        files: Mapping[str, Path] | None = None,
    ) -> None:
        from equilibrist.poker.preflop.push_fold.reading import read_push_fold
        from equilibrist.poker.preflop.sampled_run import read_limits

        super().__init__(keys, options, files)
        self.game = read_push_fold(keys)
        if self.game.seats == 2:
            for name in ("deals", "seconds", "seed"):
                if name in self.options:
                    raise ConfigError(
                        f"{name} is for three and more players, and two are solved exactly",
                        option=name,
                        given=self.options[name],
                        remedy="leave it out, or give more seats",
                    )
        thread_count(self.values.get("threads"))
        optional_whole_number("seed", self.values.get("seed"), 0)
        read_limits(None, self.values.get("deals"), self.values.get("seconds"))

    @property
    def has_checkpoints(self) -> bool:
        """Those of three and more seats."""
        return self.game.seats > 2

    @property
    def stem(self) -> str:
        """With the number of seats, and the stack where it is that of all."""
        stacks = {*self.game.stacks}
        of_all = f"-{stacks.pop() / self.game.blinds[1]:.4g}bb" if len(stacks) == 1 else ""
        return f"push-fold-{self.game.seats}{of_all}"

    def title(self) -> dict[str, Any]:
        """The keys of the game."""
        return chart_facts(self.game.to_dict())

    @property
    def _deals(self) -> int:
        """The deals that are played, where the time does not end that earlier."""
        from equilibrist.poker.preflop.push_fold.solving import DEALS

        return self.values.get("deals") or DEALS[self.game.seats]

    def work(self, done: int | None = None) -> float:
        """Of two seats the table of showdowns, where it is not kept; of more the deals."""
        from equilibrist.poker.preflop.allin_table import kept_wins

        if self.game.seats == 2:
            return 0.0 if kept_wins() is not None else _COUNTING / thread_count(None)
        return (done or self._deals) / (_DEALS_PER_SECOND[self.game.seats] * self.useful_threads)

    def needs(self) -> Needs:
        """Little memory; the time is that of the deals, or of the limit of seconds."""
        seats, seconds = self.game.seats, self.expected_seconds()
        if seats == 2:
            return Needs(_BYTES, _FILE, seconds, {"seats": 2})
        return Needs(_BYTES, 2 * _FILE, seconds, {"seats": seats, "deals": self._deals})

    def solve(self, working: Working) -> Solved:
        """Solve as the command does."""
        from equilibrist.poker.preflop.push_fold.solving import push_fold

        game = self.game
        saving = working.saving() if self.has_checkpoints else {}
        return push_fold(
            game.stacks,
            blinds=game.blinds,
            ante=game.ante,
            big_blind_ante=game.big_blind_ante,
            payouts=game.payouts,
            others=game.others,
            callbacks=working.callbacks,
            progress=False,
            **saving,
            **self.left(working),
        )

    def check_limits(self, checkpoint: Path) -> None:
        """Deals that were played already are no limit."""
        from equilibrist.poker.preflop.sampled_run import SampledCheckpoint

        if not checkpoint.exists():
            return
        done = SampledCheckpoint(checkpoint).deals
        refuse_passed("deals", self.values.get("deals"), done)
