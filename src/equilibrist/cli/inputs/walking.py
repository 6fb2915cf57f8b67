"""The options of commands that walk the rules of a game, and the live line of such a walk."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from equilibrist.cli.inputs.options import JSON, QUIET, TIME
from equilibrist.cli.text.progress import LiveLine
from equilibrist.library.limits import Limits
from equilibrist.options.option import shared
from equilibrist.options.solve_options import SOLVE_OPTIONS


@dataclass(frozen=True)
class GameLimits:
    """Limits on the size of a game that is enumerated without being solved."""

    max_histories: int | None = shared(
        SOLVE_OPTIONS["max_histories"], help="Refuse games with more histories than this."
    )
    memory: int | None = shared(
        SOLVE_OPTIONS["memory"],
        help="Refuse games that need more, for instance 500MB or 2GB.",
        default_text="half of the machine's",
    )
    max_depth: int = shared(SOLVE_OPTIONS["max_depth"])

    def reported(self, *, quiet: bool = False) -> Limits:
        """The limits for a walk that is reported on standard error unless `quiet`."""
        report = partial(reported_walk, quiet=quiet)
        return Limits(self.max_histories, self.memory, self.max_depth, report)


@dataclass(frozen=True)
class WalkOptions(GameLimits):
    """The options of commands that walk a game."""

    quiet: bool = shared(QUIET)

    @property
    def limits(self) -> Limits:
        """The limits, whose walk is reported on standard error unless --quiet is given."""
        return self.reported(quiet=self.quiet)


@dataclass(frozen=True)
class ReportOptions(WalkOptions):
    """The options of commands that walk a game and report on it."""

    json: bool = shared(JSON)


@dataclass(frozen=True)
class SearchOptions(WalkOptions):
    """The options of commands that walk a game and search until a time limit."""

    time: float | None = shared(TIME)
    json: bool = shared(JSON)


@contextmanager
def reported_walk(*, quiet: bool = False) -> Iterator[Callable[[int], None]]:
    """The callback that reports the count of histories on standard error."""
    with LiveLine(quiet=quiet) as live:
        live.stage("walking the rules", aloud=False)
        yield live.walked
