"""Discounts and averages: the factors of regrets and strategy sums in iteration t.

Each is a frozen dataclass holding a few numbers, so that it prints, compares and pickles.
They are NumPy expressions over an array of iterations `t` (float64, shape [count]), because
a solver asks for thousands of rows at once.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.typing import FloatArray

FloatLike: TypeAlias = FloatArray | float
"""A float64 array of shape [count], or one number that holds for every iteration."""


class Discount(Protocol):
    """Gives (positive, negative): the factors for regrets above and not above zero.

    Called with `t` of shape [count], every entry at least 2: before the first iteration all
    regrets are zero and there is nothing to discount. `horizon` is the planned number of
    iterations, or None. Set `needs_horizon = True` on the class if None will not do, and
    return a sentence from `describe()` if the `algorithms` command shall explain it.
    """

    def __call__(self, t: FloatArray, horizon: float | None, /) -> tuple[FloatLike, FloatLike]:
        """Return (positive, negative), each of shape [count] or a number; finite, not negative."""
        ...


class Average(Protocol):
    """Gives (decay, weight): S <- decay * S + weight * own_reach * sigma.

    Called with `t` of shape [count], every entry at least 1; the decay of t = 1 multiplies a
    sum of zeros and is not used. `horizon` and `describe()` as for `Discount`.
    """

    def __call__(self, t: FloatArray, horizon: float | None, /) -> tuple[FloatLike, FloatLike]:
        """Return (decay, weight), each of shape [count] or a number; finite, not negative."""
        ...


@dataclass(frozen=True)
class Ramp:
    """An exponent that moves evenly over the planned run: start + slope * t / horizon.

    Hyperparameter schedules, arXiv 2404.09097v2, eq. (4).

    Attributes:
        start: The exponent at the beginning.
        slope: By how much it rises over the run.
    """

    start: float
    slope: float
    needs_horizon = True

    def __call__(self, t: FloatArray, horizon: float | None, /) -> FloatArray:
        """Return the exponents, shape [count]; `horizon` must not be None."""
        assert horizon is not None
        return self.start + self.slope * t / horizon

    @property
    def least(self) -> float:
        """A bound below all exponents, met at the start or at the end of the run."""
        return min(self.start, self.start + self.slope)

    def __str__(self) -> str:
        return f"{self.start:g}{self.slope:+g}t/n"


@dataclass(frozen=True)
class Knots:
    """An exponent that is linear between points and constant outside them.

    Attributes:
        points: (iteration, value) pairs, in order.
    """

    points: tuple[tuple[float, float], ...]
    needs_horizon = False

    def __call__(self, t: FloatArray, horizon: float | None, /) -> FloatArray:
        """Return the exponents, shape [count]; `horizon` is not used."""
        times, values = zip(*self.points, strict=True)
        return np.asarray(np.interp(t, times, values), dtype=np.float64)

    @property
    def least(self) -> float:
        """The least exponent."""
        return min(value for _, value in self.points)

    def __str__(self) -> str:
        return ", ".join(f"{value:g} at t={t:g}" for t, value in self.points)


Exponent: TypeAlias = float | Ramp | Knots
"""A number, or a schedule that gives one number per iteration."""


def _at(exponent: Exponent, t: FloatArray, horizon: float | None) -> FloatLike:
    return exponent if isinstance(exponent, (int, float)) else exponent(t, horizon)


def _show(exponent: Exponent) -> str:
    return f"{exponent:g}" if isinstance(exponent, (int, float)) else str(exponent)


def _power(base: FloatArray, exponent: FloatLike) -> FloatArray:
    """Return base ** exponent with the C library's bits.

    NumPy has a faster power of its own on some processors, which differs in the last bit here
    and there; that is enough to move published figures in their third digit after 200
    iterations. Overflow gives inf.
    """
    if isinstance(exponent, (int, float)) and exponent in (0.0, 1.0):
        return base if exponent == 1.0 else np.ones_like(base)
    bases = base.tolist()
    exponents = np.broadcast_to(np.asarray(exponent, dtype=np.float64), base.shape).tolist()
    try:
        return np.array(list(map(math.pow, bases, exponents)))
    except OverflowError:
        return np.array(list(map(_power_or_inf, bases, exponents)))


def _power_or_inf(base: float, exponent: float) -> float:
    try:
        return math.pow(base, exponent)
    except OverflowError:
        return math.inf


def _fraction(x: FloatArray, exponent: FloatLike, offset: float) -> FloatArray:
    """Return x^exponent / (x^exponent + offset), and 1 where the power overflows."""
    power = _power(x, exponent)
    return np.where(np.isinf(power), 1.0, power / (power + offset))


@dataclass(frozen=True)
class NoDiscount:
    """Old regrets count in full. CFR: Zinkevich et al., NIPS 2007, eq. (7)."""

    needs_horizon = False

    def __call__(self, t: FloatArray, horizon: float | None, /) -> tuple[FloatLike, FloatLike]:
        """Return (1, 1)."""
        return 1.0, 1.0

    def describe(self) -> str:
        """Say it in a formula."""
        return "R"


@dataclass(frozen=True)
class PowerDiscount:
    """Positive regrets times x^alpha / (x^alpha + offset), others with beta; x = t - 1.

    Discounted CFR: Brown and Sandholm, AAAI 2019, section 4. Their text discounts with t after
    adding; discounting with t - 1 before adding gives the same strategies.

    Attributes:
        alpha: The exponent for positive regrets.
        beta: That for the others.
        offset: What is added in the denominator.

    Raises:
        ConfigError: `offset` is not positive.
    """

    alpha: Exponent
    beta: Exponent
    offset: float = 1.0

    def __post_init__(self) -> None:
        if not self.offset > 0.0:
            raise ConfigError(
                f"the offset of a discount is {self.offset}: more than 0",
                option="offset",
                given=self.offset,
            )

    @property
    def needs_horizon(self) -> bool:
        """Whether an exponent is planned over the whole run."""
        return any(getattr(e, "needs_horizon", False) for e in (self.alpha, self.beta))

    def __call__(self, t: FloatArray, horizon: float | None, /) -> tuple[FloatLike, FloatLike]:
        """Return (positive, negative), each of shape [count], in [0, 1]."""
        alpha, beta = _at(self.alpha, t, horizon), _at(self.beta, t, horizon)
        x = t - 1.0
        positive = _fraction(x, alpha, self.offset)
        same = self.alpha == self.beta
        return positive, positive if same else _fraction(x, beta, self.offset)

    def describe(self) -> str:
        """Say it in a formula."""
        if (self.alpha, self.beta, self.offset) == (1.0, 1.0, 1.0):
            return "R*(t-1)/t"
        up = self._factor(self.alpha, "a")
        if self.alpha == self.beta:
            return f"R*{up}"
        half = self.beta == 0.0 and self.offset == 1.0
        down = "R/2" if half else f"R*{self._factor(self.beta, 'b')}"
        return f"(R*{up} if R>0 else {down})"

    def _factor(self, exponent: Exponent, letter: str) -> str:
        fixed = isinstance(exponent, (int, float))
        power = f"(t-1)^{_show(exponent)}" if fixed else f"(t-1)^{letter}(t)"
        where = "" if fixed else f" [{letter}(t) = {_show(exponent)}]"
        return f"{power}/({power}+{self.offset:g}){where}"


@dataclass(frozen=True)
class PowerAverage:
    """Iterate t counts t^gamma in the average, kept as decay ((t-1)/t)^gamma and weight 1.

    The decay form gives the same average as the weights t^gamma and does not overflow at
    gamma = 30. With a changing gamma each iteration's decay uses that iteration's gamma.
    gamma 0: uniform; 1: linear (CFR+, Tammelin 2014); 2: quadratic (DCFR).

    Attributes:
        gamma: The power.

    Raises:
        ConfigError: `gamma` can be negative.
    """

    gamma: Exponent

    def __post_init__(self) -> None:
        least = self.gamma if isinstance(self.gamma, (int, float)) else self.gamma.least
        if not least >= 0.0:
            raise ConfigError(
                f"gamma, the power of the average, is {_show(self.gamma)}: at least 0 in every "
                f"iteration",
                option="gamma",
                given=self.gamma,
                expected="at least 0",
            )

    @property
    def needs_horizon(self) -> bool:
        """Whether the exponent is planned over the whole run."""
        return bool(getattr(self.gamma, "needs_horizon", False))

    def __call__(self, t: FloatArray, horizon: float | None, /) -> tuple[FloatLike, FloatLike]:
        """Return (decay of shape [count] in [0, 1], 1)."""
        return _power((t - 1.0) / t, _at(self.gamma, t, horizon)), 1.0

    def describe(self) -> str:
        """Say it in words."""
        names = {"0": "uniform", "1": "linear (t)", "2": "quadratic (t^2)"}
        gamma = _show(self.gamma)
        if isinstance(self.gamma, (int, float)):
            return names.get(gamma, f"t^{gamma}")
        return f"t^g(t) [g(t) = {gamma}]"
