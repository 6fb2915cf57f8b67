"""When a run stops: `Stop`, which callers give, and `StopRule`, which the loop uses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeVar

from equilibrist.errors import ConfigError
from equilibrist.parsing.arguments import (
    bad_argument,
    finite_number,
    optional_whole_number,
    whole_number,
)
from equilibrist.solvers.run.target import Target, Unit

StopReason = Literal[
    "target", "iterations", "deals", "seconds", "stalled", "interrupted", "callback", "exact"
]
"""What ends a run: one of its limits, by its name, that iterations no longer help, the user (Ctrl-C
or a callback); `exact` where nothing iterates."""
T = TypeVar("T")

_MOST_ITERATIONS: Final = 2**53


def stop_reason_of_file(reason: T) -> T | str:
    """A `StopReason` in a file, under its name of today: earlier versions wrote `time`."""
    return "seconds" if reason == "time" else reason


def allowed_overrun(seconds: float) -> float:
    """The seconds that a run may take beyond its limit of `seconds` without saying why."""
    return max(2.0, 0.2 * seconds)


def checked_iterations(iterations: object) -> int:
    """Check how many iterations `run` is to add; ConfigError for anything else."""
    return whole_number("iterations", iterations, 0, _MOST_ITERATIONS)


@dataclass(frozen=True)
class Stop:
    """When a run ends: at the first of several limits; None for no limit.

    Whatever solves or trains takes it as `stop=`, or its fields directly. Every limit is above 0.

    Args:
        iterations: The most iterations, those before the run was resumed included.
        seconds: The most seconds, counted from the call (of a command from its start): walking the
            rules, preparing, compiling and measuring are included, the time before the run was
            resumed is not. At least one iteration is made; but rules that take far longer to walk
            are an error, and a training of networks leaves an iteration that takes far longer, and
            has the state before it.
        target: How good the strategy must be. For a game a number in payoff units: of the
            exploitability, or of NashConv where that is not defined. For a spot a text with its
            unit, `"0.5%"` of the pot or `"0.5c"` in chips, and for a hand `"5mbb"`, in thousandths
            of a big blind.
        deals: For what plays sampled deals: the most deals, those before a resume included.

    Raises:
        ConfigError: A limit is not positive, or not of its type.
    """

    iterations: int | None = None
    seconds: float | None = None
    target: float | str | Target | None = None
    deals: int | None = None

    def __post_init__(self) -> None:
        optional_whole_number("iterations", self.iterations, 1, _MOST_ITERATIONS)
        optional_whole_number("deals", self.deals, 1, _MOST_ITERATIONS)
        if self.seconds is not None and finite_number("seconds", self.seconds) <= 0.0:
            raise bad_argument("seconds", self.seconds, "a number above 0")
        if self.target is not None:
            Target.read(self.target)

    @property
    def is_default(self) -> bool:
        """Whether no limit is given, so that the documented default applies."""
        return self == Stop()


_LIMITS: Final = {
    "iterations": ("iterations", "the run counts deals, not iterations"),
    "seconds": ("seconds", "the run does not look at the clock"),
    "target": ("a target", "the run is measured at its end alone, too late for a target"),
    "deals": ("deals", "the run plays no sampled deals that could be counted"),
}
"""By limit what it is called, and why some runs do not know it."""


def merge_stop(
    stop: Stop | None, *, units: Sequence[Unit] | None = None, **limits: Any
) -> dict[str, Any]:
    """The limits of `stop`, or those given in its place.

    Args:
        stop: When the run ends; None where the limits are given one by one.
        units: The units of the run's targets; a target in another one is refused. None where the
            run checks that by itself.
        limits: All limits that the run knows, by the names of the fields of `Stop`.

    Returns:
        These limits, in the same order; None for no limit.

    Raises:
        ConfigError: Both are given, `stop` is no Stop, it has a limit that the run does not know,
            or the target is none in these units.
    """
    target = limits.get("target") if stop is None else getattr(stop, "target", None)
    if units is not None and target is not None:
        Target.read(target, units)
    if stop is None:
        return limits
    if not isinstance(stop, Stop):
        raise bad_argument("stop", stop, "a Stop, or None")
    for name, (_, reason) in _LIMITS.items():
        if name not in limits and getattr(stop, name) is not None:
            *others, last = (_LIMITS[known][0] for known in limits)
            words = f"{', '.join(others)} or {last}" if others else last
            raise ConfigError(
                reason, option=name, given=getattr(stop, name), remedy=f"give {words}"
            )
    for name, value in limits.items():
        if value is not None:
            raise ConfigError(
                f"stop says when the run ends, and so does {name}",
                option=name,
                given=value,
                remedy=f"give `{name}` in the Stop, or leave out `stop`",
            )
    return {name: getattr(stop, name) for name in limits}


@dataclass(frozen=True)
class StopRule:
    """When the loop ends, at the first of several limits; None for no limit.

    `target` is in the unit of what is measured. `seconds` count from `since`, a moment of
    `time.perf_counter`, or if that is None from `Loop.run`; one iteration is made in any case, and
    none is begun that would end long after them.
    `paused` gives the seconds so far in which the run waited for others, which do not count.
    `target_of`, if given, is asked after every measurement for the target that holds for it.
    `deals` are for a solver that counts them.
    """

    iterations: int | None = None
    seconds: float | None = None
    target: float | None = None
    since: float | None = None
    paused: Callable[[], float] | None = None
    target_of: Callable[[], float] | None = None
    deals: int | None = None
