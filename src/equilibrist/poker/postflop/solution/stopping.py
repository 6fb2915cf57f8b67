"""When the solving of a spot stops: targets, the default without one, and what is said then."""

from __future__ import annotations

from math import isclose
from typing import Final, Protocol

from equilibrist.parsing.arguments import bad_argument
from equilibrist.poker.postflop.solution.spot_file import LeafValuesNote
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.poker.postflop.spot.value_unit import ValueUnit
from equilibrist.solvers.run.stall import kept_text, stall_text
from equilibrist.solvers.run.stopping import Stop, StopRule
from equilibrist.solvers.run.target import Target, Unit
from equilibrist.solvers.run.trace import TracePoint, extrapolate_iterations

TARGET_UNITS: Final[tuple[Unit, ...]] = ("%", "c")
"""The units of targets: percent of the pot, and chips."""
DEFAULT_TARGET: Final = 0.003
"""The default target, as a share of the pot."""
LEAST_TARGET: Final = 1e-8
"""The least target, as a share of the pot: regrets and strategies have single precision, whose
rounding alone moves the exploitability by more."""
DEFAULT_ITERATIONS: Final = 1000
"""Where such a run stops at the latest."""
_COOLING_LAG: Final = 4
"""A quantal run cools as 1 / (t + 4), see `poker.postflop.solving.perturbed`."""
_FAR: Final = 100
_NEVER: Final = 1_000_000
"""How many times as many iterations a target must need to be called far, or never met."""
_NEAR: Final = 10
"""Below so many times the target, a rate that is not known says nothing."""
_LEAST_POINTS: Final = 8
"""Measurements by which a rate is known."""


def read_stop(
    pot: float | ValueUnit,
    stop: Stop = Stop(),  # noqa: B008 - frozen
    *,
    done: int = 0,
    since: float | None = None,
    least: int = 1,
) -> StopRule:
    """When a run ends, at the first of several limits; the target of the result is in chips.

    With nothing given, at 0.3 % of the pot, after at most 1,000 iterations, or so many thousands
    that `least` are among them; if more are `done`, at the next thousand. Seconds count from
    `since`, as `StopRule` says. Raises ConfigError.

    `pot` is that of the spot, or its unit of values: in play for prizes the target of the result is
    in prizes, by default 0.3 % of the prizes that the pot stands for by its share of the chips.
    """
    if stop.is_default:
        thousands = max(1, -(-max(done, least) // DEFAULT_ITERATIONS))
        worth = pot.pot if isinstance(pot, ValueUnit) else pot
        return StopRule(thousands * DEFAULT_ITERATIONS, target=DEFAULT_TARGET * worth)
    chips = None if stop.target is None else chips_of(stop.target, pot)
    return StopRule(stop.iterations, stop.seconds, chips, since)


def chips_of(target: object, pot: float | ValueUnit) -> float:
    """A target in chips; ConfigError without a unit, and for one that no run can be held to.

    In play for prizes it is in prizes: percentages are of the prize pool, and there are no chips.
    """
    if isinstance(pot, ValueUnit):
        if pot.for_prizes:
            return _prizes_of(target, pot)
        pot = pot.pot
    wanted = Target.read(target, TARGET_UNITS)
    if wanted.unit == "%" and wanted.amount > 100.0:
        raise bad_argument("target", target, "a share of the pot of at most 100%")
    chips = pot * wanted.amount / 100 if wanted.unit == "%" else wanted.amount
    least = LEAST_TARGET * pot
    if chips < least and not isclose(chips, least):
        raise bad_argument(
            "target",
            target,
            f"at least {100 * LEAST_TARGET:g}% of the pot: rounding errors hide what is less",
            remedy="give a larger target",
        )
    return chips


def _prizes_of(target: object, unit: ValueUnit) -> float:
    """A target in prizes, a share of the prize pool."""
    wanted = Target.read(target, TARGET_UNITS)
    expected = "a share of the prize pool, such as 0.01%"
    if wanted.unit == "c":
        raise bad_argument("target", target, expected, remedy="give 0.01%, of the prize pool")
    prizes, least = unit.whole * wanted.amount / 100, LEAST_TARGET * unit.pot
    if prizes > unit.whole:
        raise bad_argument("target", target, expected)
    if prizes < least and not isclose(prizes, least):
        raise bad_argument(
            "target",
            target,
            f"at least {100 * least / unit.whole:.3g}% of the prize pool: rounding errors hide "
            "what is less",
            remedy="give a larger target",
        )
    return prizes


class EndedRun(Protocol):
    """The attributes of a solution that describe how its run ended."""

    @property
    def algorithm(self) -> str:
        """The variant."""
        ...

    @property
    def storage(self) -> str:
        """How numbers were held."""
        ...

    @property
    def spot(self) -> Spot:
        """What was solved."""
        ...

    @property
    def mean_gain(self) -> float:
        """What best responses gain, in chips."""
        ...

    @property
    def iterations(self) -> int:
        """How many iterations made it."""
        ...

    @property
    def stopped_by(self) -> str:
        """What ended the run."""
        ...

    @property
    def trace(self) -> tuple[TracePoint, ...]:
        """The measurements."""
        ...

    @property
    def measure_name(self) -> str:
        """What the mean gain is called."""
        ...

    @property
    def target(self) -> float | None:
        """The mean gain that would have ended the run, in chips."""
        ...

    @property
    def tremble(self) -> float | None:
        """The least probability of every action; None without trembles."""
        ...

    @property
    def quantal(self) -> float | None:
        """The temperature that was asked for, as a share of the pot; None for other runs."""
        ...

    @property
    def temperature(self) -> float | None:
        """The temperature with which the run ended."""
        ...

    @property
    def leaf_values(self) -> LeafValuesNote | None:
        """What stood in place of the later streets."""
        ...


def guarantee_of(solution: EndedRun) -> str:
    """Say how good the strategies are, and how that is known."""
    if solution.leaf_values is not None:
        return (
            f"No bound: later streets were replaced by the values of {solution.leaf_values}, and "
            f"the estimated gain, {solution.mean_gain:.4g} chips, is measured against them. "
            "Examine the strategy to measure what it loses."
        )
    unit = solution.spot.value_unit
    gain = f"{solution.mean_gain:.4g}"
    measured = (
        f"Measured by best responses in the whole spot: {solution.measure_name} is {gain} chips."
    )
    if unit.for_prizes:
        measured = (
            f"Measured by best responses in the whole spot: of {unit.whole:g} in prizes both "
            f"players could gain {gain} in the mean. What one of them loses in prizes the other "
            "need not win, so that this is no exploitability."
        )
    advice = ending_advice(solution)
    if solution.stopped_by == "stalled" and advice:
        advice = f"the run ended because {advice}"
    return f"{measured} {advice[0].upper()}{advice[1:]}." if advice else measured


def ending_advice(solution: EndedRun) -> str:
    """Why a run did not end with its last strategies, or not with its best; empty for others.

    Of a stalled run, and of one whose target is far, also what may go further.
    """
    if solution.leaf_values is not None:
        return ""
    if solution.tremble is not None or solution.quantal is not None:
        return _warm_text(solution)
    if solution.stopped_by != "stalled":
        kept = kept_text(
            solution.measure_name,
            () if any(lock.frequency for lock in solution.spot.locks) else solution.trace,
            solution.iterations,
            solution.stopped_by,
            LEAST_TARGET * solution.spot.value_unit.pot,
        )
        return "; ".join(text for text in (kept, _far_text(solution)) if text)
    return stall_text(
        solution.measure_name, solution.trace, solution.iterations, _further(solution)
    )


def _warm_text(solution: EndedRun) -> str:
    """What to do where a quantal run ended too soon; empty for others."""
    wanted, reached = solution.quantal, solution.temperature
    if wanted is None or reached is None or reached <= wanted:
        return ""
    iterations = round((solution.iterations + _COOLING_LAG) * reached / wanted) - _COOLING_LAG
    return (
        f"the temperature has fallen to {reached:.2g} of the pot so far; it is {wanted:g} after "
        f"some {iterations:,} iterations"
    )


def _further(solution: EndedRun) -> str:
    """What may come nearer to the target."""
    other = "dcfr" if "pcfr" in solution.algorithm else "pcfr+"
    remedy = f"another algorithm may go further, such as {other}"
    if solution.storage != "float64":
        remedy = f"storage float64 goes further, and {remedy}"
    return remedy


def _far_text(solution: EndedRun) -> str:
    """The sentence on a run that would need many times its iterations; empty for others."""
    target, trace = solution.target, solution.trace
    if target is None or len(trace) < _LEAST_POINTS or solution.mean_gain <= target:
        return ""
    needed = extrapolate_iterations(trace, target)
    times = None if needed is None else needed / max(trace[-1].iteration, 1)
    if (solution.mean_gain < _NEAR * target) if times is None else times < _FAR:
        return ""
    met = "never met"
    if times is not None and times < _NEVER:
        met = f"met after {times:,.0f} times as many iterations"
    return f"at this rate the target is {met}; give a larger one, or {_further(solution)}"
