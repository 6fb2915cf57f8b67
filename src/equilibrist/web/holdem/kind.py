"""What a kind of jobs on whole hands of hold'em has: what is solved, its run, needs, solution."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, Protocol

from equilibrist.errors import ConfigError, MemoryBudgetError
from equilibrist.formatting.amounts import bytes_text
from equilibrist.options.option import Options
from equilibrist.options.reading import read_texts
from equilibrist.parsing.threads import thread_count
from equilibrist.web.answers.jobs import HandKindName
from equilibrist.web.holdem.crowd import Crowd
from equilibrist.web.holdem.pace import note_run, seconds_here, start_here

if TYPE_CHECKING:
    from equilibrist.poker.hands.hand import Hand
    from equilibrist.progress import Callbacks, Progress


SAVE_EVERY: Final = 10.0
"""Seconds between two checkpoints, as of other jobs; a run waits longer where they take long."""
NO_BOARD: Final = "none"
"""The text of the key `board` for hands without a board."""


@dataclass(frozen=True)
class Needs:
    """What a run needs, as it is estimated beforehand.

    Attributes:
        memory_bytes: Memory.
        disk_bytes: What it writes at most at a time: its checkpoint and its solution.
        seconds: How long it takes; None where only whoever stops it ends it.
        counts: How large what is solved is, by name, such as `decisions`.
    """

    memory_bytes: int
    disk_bytes: int = 0
    seconds: float | None = None
    counts: Mapping[str, int] = field(default_factory=dict)


class Solved(Protocol):
    """What a run has found, which can be saved."""

    @property
    def stopped_by(self) -> str | None:
        """What ended the run; None where nothing had to."""

    def save(self, path: Path) -> object:
        """Write the file."""


class Written:
    """What a run has found that has written its files itself."""

    stopped_by: str | None = None

    def save(self, path: Path) -> None:
        """Nothing is left to be written."""


@dataclass(frozen=True)
class Working:
    """Where a run stands.

    Attributes:
        callbacks: Receive the progress, and may end the run.
        checkpoint: The file of its state, which is resumed if it is there.
        out: Where its solution, or its report, is to be.
        spent: The seconds that it has had already under its limits.
        tell: Receives what it does before or beside iterations, how many parts of that are done,
            and how many there are, where that is known; may end the run.
        is_told_to_end: Whether it is to end now.
    """

    callbacks: Callbacks
    checkpoint: Path
    out: Path
    spent: float
    tell: Callable[[str, int | None, int | None], None]
    is_told_to_end: Callable[[], bool]

    @property
    def goes_on(self) -> bool:
        """Whether there is a checkpoint to resume."""
        return self.checkpoint.exists()

    def saving(self) -> dict[str, Any]:
        """The arguments of a solve that save its state, and resume it."""
        place = "resume" if self.goes_on else "checkpoint"
        return {place: self.checkpoint, "checkpoint_every": SAVE_EVERY}


class HandRun(ABC):
    """A run on whole hands, from the texts of a request; those of the command line have the names.

    Args:
        keys: What is solved, by the names of `KEYS`.
        options: How it is solved, by the names of `OPTIONS`.
        files: Files that keys name.

    Attributes:
        crowd: The other programs, for estimates of time; a server sets its own.

    Raises:
        EquilibristError: What the command raises for them before it solves.
    """

    NAME: ClassVar[HandKindName]
    KEYS: ClassVar[Options]
    """What says what is solved."""
    OPTIONS: ClassVar[Options]
    """What says how, and for how long."""
    MAIN: ClassVar[tuple[str, ...]]
    """What a form asks first, of both."""
    HAS_PARTS: ClassVar[bool] = True
    """Whether a solution can be saved of a run that has not come to its end."""
    LIMITS: ClassVar[tuple[str, ...]] = ()
    """Options that end a run, and may be given anew to one that has ended."""
    MOST_THREADS: ClassVar[int] = 1 << 30
    """Threads beyond which more hardly help."""
    COUNTED: ClassVar[str] = ""
    """What of its progress `work` goes by: `deals` or `iteration`; empty where it is always all."""
    KERNELS: ClassVar[Mapping[str, float]] = {}
    """Kernels that it compiles where nothing has before, and the seconds that this takes on the
    machine of the constants."""
    IS_LOCAL: ClassVar[bool] = False
    """Whether `work` is found by the speed of this machine."""

    def __init__(
        self,
        keys: Mapping[str, str],
        options: Mapping[str, str],
        files: Mapping[str, Path] | None = None,
    ) -> None:
        self.keys, self.options, self.files = dict(keys), dict(options), dict(files or {})
        self.values: dict[str, Any] = read_texts(self.OPTIONS, options)
        self.crowd = Crowd()

    @property
    def has_checkpoints(self) -> bool:
        """Whether its state is saved while it runs, so that it can be paused."""
        return True

    @property
    def stem(self) -> str:
        """How the name of its solution begins."""
        return self.NAME

    @abstractmethod
    def title(self) -> dict[str, Any]:
        """What its title is made of, as `store.titles` has it."""

    @abstractmethod
    def needs(self) -> Needs:
        """Estimate what it needs; nothing is built."""

    @property
    def useful_threads(self) -> int:
        """The threads that help it."""
        return min(thread_count(self.values.get("threads")), self.MOST_THREADS)

    @abstractmethod
    def work(self, done: int | None = None) -> float | None:
        """Seconds of its work on the machine of the constants, with its threads.

        Args:
            done: How many deals, iterations or boards are played; None for those that it plays
                unless it is ended.

        Returns:
            The seconds, without the start of its process; None where nothing says how many there
            will be.
        """

    def expected_seconds(self) -> float | None:
        """How long it takes on this machine; None where only whoever stops it ends it."""
        work, limit = self.work(), self.values.get("seconds")
        if work is None:
            return None if limit is None else float(limit)
        took = self.start_seconds() + seconds_here(
            self.NAME, work, self.useful_threads, self.crowd, is_local=self.IS_LOCAL
        )
        return took if limit is None else min(took, float(limit))

    def start_seconds(self) -> float:
        """How long it takes until it solves: a process starts, and compiles what it lacks."""
        from equilibrist._jit import cache_is_warm

        missing = (took for kernel, took in self.KERNELS.items() if not cache_is_warm(kernel))
        return start_here(self.crowd, sum(missing))

    def note(self, last: Progress | None, took: float) -> None:
        """Remember how long it has taken, for later estimates.

        Args:
            last: What it told last; None where it told nothing.
            took: The seconds, without the start of its process.
        """
        done = getattr(last, self.COUNTED, None) if self.COUNTED else None
        work = self.work(done)
        if work is not None:
            note_run(self.NAME, work, took, self.useful_threads, self.crowd, is_local=self.IS_LOCAL)

    def check_fits(self, limit: int) -> None:
        """Raise MemoryBudgetError for a run that needs more than so many bytes.

        Args:
            limit: The bytes.
        """
        needed = self.needs().memory_bytes
        if needed > limit:
            raise MemoryBudgetError(
                f"this needs {bytes_text(needed)}; the limit for all runs together is "
                f"{bytes_text(limit)}",
                0,
                option="memory",
                given=limit,
                expected=needed,
                remedy="make it smaller: fewer sizes or seats, smaller stacks, or a raise cap",
            )

    @abstractmethod
    def solve(self, working: Working) -> Solved:
        """Solve, or go on.

        Args:
            working: Where the run stands.
        """

    def left(self, working: Working) -> dict[str, Any]:
        """The values of its options, with the seconds that are left of its limit."""
        if self.values.get("seconds") is None:
            return self.values
        return {**self.values, "seconds": max(self.values["seconds"] - working.spent, 1e-3)}

    @abstractmethod
    def check_limits(self, checkpoint: Path) -> None:
        """Raise EquilibristError where a checkpoint is past the limits.

        Args:
            checkpoint: The file, which may be missing.
        """


def hand_of_texts(options: Options, texts: Mapping[str, str], **defaults: Any) -> Hand:
    """A hand from the texts of its keys.

    Args:
        options: How they are read.
        texts: The texts.
        **defaults: Keys that hold where there is no text.

    Raises:
        EquilibristError: What `Hand` raises.
    """
    from equilibrist.poker.hands.hand import Hand

    if texts.get("board", "").strip().lower() == NO_BOARD:
        texts = {**texts, "board": ""}  # an empty text of a form is one that is not given
    return Hand(**{**defaults, **read_texts(options, texts)})


def refuse_passed(limit: str, most: int | None, done: int) -> None:
    """Raise ConfigError for a limit that a run has passed.

    Args:
        limit: What is limited: `iterations` or `deals`.
        most: How many there may be; None for no limit.
        done: How many there were.
    """
    if most is not None and most <= done:
        raise ConfigError(
            f"the run has {done:,} {limit} already",
            option=limit,
            given=most,
            expected=f"more than {done}",
            remedy=f"give more {limit}, or start a new run",
        )
