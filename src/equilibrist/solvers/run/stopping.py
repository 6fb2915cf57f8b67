"""When a run stops: `Stop`, which callers give, and `StopRule`, which the loop uses."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from equilibrist.errors import ConfigError
from equilibrist.parsing.arguments import (
    bad_argument,
    finite_number,
    optional_whole_number,
    whole_number,
)

_MOST_ITERATIONS: Final = 2**53
TARGET_TEXT: Final = re.compile(
    r"\s*((?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*(%|c|chips?)\s*", re.IGNORECASE | re.ASCII
)
"""A target of a spot: a number and its unit."""
_TARGET: Final = "a number above 0, or for a spot a text with a unit, such as '0.5%' or '0.5c'"
_WITH_UNIT: Final = "a number above 0 with its unit, 0.5% of the pot or 0.5c in chips"


def allowed_overrun(seconds: float) -> float:
    """How many seconds a run may take beyond its limit of `seconds` without saying why."""
    return max(2.0, 0.2 * seconds)


def checked_iterations(iterations: object) -> int:
    """How many iterations `run` is to add; ConfigError for anything else."""
    return whole_number("iterations", iterations, 0, _MOST_ITERATIONS)


@dataclass(frozen=True)
class Stop:
    """When a run ends: at the first of several limits; None for no limit.

    `solve` takes it as `stop=`, or its fields directly. Every limit is above 0.

    Args:
        iterations: The most iterations, those before the run was resumed included.
        seconds: The most seconds, counted from the call (of a command from its start): walking the
            rules and compiling are included. At least one iteration is made.
        target: How good the strategy must be. For a game a number in payoff units: of the
            exploitability, or of NashConv where that is not defined. For a spot a text with a
            unit: `"0.5%"` of the pot, or `"0.5c"` in chips.

    Raises:
        ConfigError: A limit is not positive, or not of its type.
    """

    iterations: int | None = None
    seconds: float | None = None
    target: float | str | None = None

    def __post_init__(self) -> None:
        optional_whole_number("iterations", self.iterations, 1, _MOST_ITERATIONS)
        if self.seconds is not None and finite_number("seconds", self.seconds) <= 0.0:
            raise bad_argument("seconds", self.seconds, "a number above 0")
        if isinstance(self.target, str):
            match = TARGET_TEXT.fullmatch(self.target)
            if match is None or not float(match[1]) > 0.0:
                raise bad_argument("target", self.target, _WITH_UNIT)
        elif self.target is not None and finite_number("target", self.target) <= 0.0:
            raise bad_argument("target", self.target, _TARGET)

    @property
    def is_default(self) -> bool:
        """Whether no limit is given, so that the documented default applies."""
        return self.iterations is None and self.seconds is None and self.target is None


def merge_stop(
    stop: Stop | None,
    iterations: int | None,
    seconds: float | None,
    target: float | str | None,
) -> tuple[int | None, float | None, float | str | None]:
    """The iterations, seconds and target of `stop`, or those given in its place.

    Raises ConfigError where both are given, or `stop` is no Stop.
    """
    if stop is None:
        return iterations, seconds, target
    if not isinstance(stop, Stop):
        raise bad_argument("stop", stop, "a Stop, or None")
    limits = {"iterations": iterations, "seconds": seconds, "target": target}
    for name, value in limits.items():
        if value is not None:
            raise ConfigError(
                f"stop says when the run ends, and so does {name}",
                option=name,
                given=value,
                remedy=f"give `{name}` in the Stop, or leave out `stop`",
            )
    return stop.iterations, stop.seconds, stop.target


@dataclass(frozen=True)
class StopRule:
    """When the loop ends, at the first of several limits; None for no limit.

    `target` is in the unit of what is measured. `seconds` count from `since`, a moment of
    `time.perf_counter`, or if that is None from `Loop.run`; one iteration is made in any case, and
    none is begun that would end long after them.
    `paused` gives the seconds so far in which the run waited for others, which do not count.
    `target_of`, if given, is asked after every measurement for the target that holds for it.
    """

    iterations: int | None = None
    seconds: float | None = None
    target: float | None = None
    since: float | None = None
    paused: Callable[[], float] | None = None
    target_of: Callable[[], float] | None = None
