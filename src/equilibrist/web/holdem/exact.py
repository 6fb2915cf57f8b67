"""Exact hands as jobs: `equilibrist preflop solve`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from equilibrist.options.option import Option, Options, choose
from equilibrist.options.reading import read_texts
from equilibrist.options.solve_options import HOLDEM_RUN_OPTIONS
from equilibrist.parsing.threads import thread_count
from equilibrist.poker.hands.fields import EXACT_HAND_OPTIONS
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
    from equilibrist.poker.preflop.exact.size import ExactSize

_NO_LIMIT: Final = 1 << 62
"""The queue of the server has admitted the run."""
_PROCESS: Final = 120_000_000
"""Bytes of the process of a job beyond what the size of a game counts; measured."""
_SECONDS_PER_BYTE: Final = 1.6e-9
_SECONDS_PER_FLOP: Final = 0.06
"""Of one thread: what an iteration takes for each byte, and a flop to be prepared; measured."""
_USUAL_ITERATIONS: Final = 100
_MEASURING: Final = 1.5
"""What measurements add to iterations."""
_FLOPS: Final = Option(
    "count",
    "Boards",
    "Draw this many flops, as likely as they come, and leave out the others.",
    default_text="all",
)
_KEEP: Final = Option(
    "choice",
    "Files",
    "Keep the strategies of all streets, with so many bits for each action.",
    default_text="those before the flop alone",
    choices=("16", "32"),
)


class ExactRun(HandRun):
    """A hand of two seats from the deal on: every hand, every board or a sample of the flops."""

    NAME: ClassVar[HandKindName] = "preflop"
    KEYS: ClassVar[Options] = {**EXACT_HAND_OPTIONS, "flops": _FLOPS}
    OPTIONS: ClassVar[Options] = choose(
        HOLDEM_RUN_OPTIONS,
        ("target", "iterations", "seconds", "algorithm", "seed", "threads"),
        target="Stop at this exploitability, in mbb (thousandths of a big blind) a hand: 1mbb.",
        algorithm="A variant of CFR that updates in turn: dcfr(gamma=3), lcfr, cfr+.",
    ) | {"keep_flops": _KEEP}
    MAIN: ClassVar[tuple[str, ...]] = (
        "stack", "bets", "raises", "last_street", "flops", "ante", "target", "seconds",
    )  # fmt: skip
    LIMITS: ClassVar[tuple[str, ...]] = ("target", "iterations", "seconds")
    COUNTED: ClassVar[str] = "iteration"
    KERNELS: ClassVar[Mapping[str, float]] = {
        "equilibrist.kernels.exact_holdem.traversal.passes": 20.0,
        "equilibrist.kernels.exact_holdem.runouts.pairs_from_cards": 1.0,
    }

    def __init__(
        self,
        keys: Mapping[str, str],
        options: Mapping[str, str],
        files: Mapping[str, Path] | None = None,
    ) -> None:
        from equilibrist.poker.preflop.exact.game import ExactGame
        from equilibrist.poker.preflop.exact.solver import exact_variant
        from equilibrist.solvers.run.stopping import Stop, merge_stop
        from equilibrist.solvers.run.target import Target

        super().__init__(keys, options, files)
        if "keep_flops" in self.values:
            self.values["keep_flops"] = int(self.values["keep_flops"])
        self.hand = hand_of_texts(self.KEYS, {k: v for k, v in keys.items() if k != "flops"})
        flops = read_texts(self.KEYS, {k: v for k, v in keys.items() if k == "flops"})
        self.flops: int | None = flops.get("flops")
        self.game = ExactGame.of(self.hand, self.flops, self.values.get("seed") or 0)
        exact_variant(self.values.get("algorithm"))
        thread_count(self.values.get("threads"))
        limits = {name: self.values.get(name) for name in self.LIMITS}
        stop = Stop(**merge_stop(None, units=("mbb",), **limits))
        if stop.target is not None:
            Target.read(stop.target, ("mbb",))

    def title(self) -> dict[str, Any]:
        """The keys of the hand."""
        from equilibrist.poker.hands.stored import stored_hand

        return chart_facts(stored_hand(self.hand))

    @cached_property
    def _size(self) -> ExactSize:
        from equilibrist.poker.preflop.exact.size import exact_size

        return exact_size(self.game)

    @property
    def _flops(self) -> int:
        streets = self._size.streets
        return streets[1].boards if len(streets) > 1 else 0

    @property
    def _bytes(self) -> int:
        return sum(street.num_bytes for street in self._size.streets)

    def work(self, done: int | None = None) -> float:
        """Boards are prepared, then iterations go through all numbers."""
        iterations = done or self.values.get("iterations") or _USUAL_ITERATIONS
        iterating = _MEASURING * iterations * _SECONDS_PER_BYTE * self._bytes
        return (iterating + _SECONDS_PER_FLOP * self._flops) / self.useful_threads

    def needs(self) -> Needs:
        """Count the game; the time is a rough guess where only a target ends the run."""
        streets = self._size.streets
        bits = self.values.get("keep_flops") or 0
        kept = sum(street.rows * street.slots for street in streets) * bits // 8
        counts = {"flops": self._flops, "hands": sum(street.rows for street in streets)}
        memory = self._size.num_bytes + _PROCESS
        return Needs(memory, self._bytes + kept, self.expected_seconds(), counts)

    def check_fits(self, limit: int) -> None:
        """The refusal says what would fit."""
        from equilibrist.poker.preflop.exact.size import check_fits

        check_fits(self.game, limit)

    def solve(self, working: Working) -> Solved:
        """Solve as the command does."""
        from equilibrist.poker.preflop.exact.solving import solve_preflop

        saving = working.saving()
        return solve_preflop(
            self.hand,
            flops=self.flops,
            memory=_NO_LIMIT,
            callbacks=working.callbacks,
            progress=False,
            **saving,
            **self.left(working),
        )

    def check_limits(self, checkpoint: Path) -> None:
        """Iterations that were made already are no limit."""
        from equilibrist.poker.preflop.exact.checkpoint import HandCheckpoint

        if not checkpoint.exists():
            return
        done = HandCheckpoint(checkpoint, "resume").iteration
        refuse_passed("iterations", self.values.get("iterations"), done)
