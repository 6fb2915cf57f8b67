"""The coefficient formulas of the papers, one scalar function each, written without the library.

`expected(name, t, horizon)` returns (positive, negative, floor, lookahead, prediction, decay,
weight). At t = 1 the discounts multiply zeros; None stands for "does not matter".
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf

Row = tuple[float | None, float | None, float, float, float, float | None, float]


def _ratio(t: int, exponent: float, offset: float = 1.0) -> float:
    return float(t) ** exponent / (float(t) ** exponent + offset)


def _row(
    t: int,
    gamma: float,
    positive: Callable[[], float] = lambda: 1.0,
    negative: Callable[[], float] | None = None,
    floor: float = -inf,
    lookahead: float = 1.0,
    prediction: float = 0.0,
) -> Row:
    if t == 1:
        return None, None, floor, lookahead, prediction, None, 1.0
    up = positive()
    down = up if negative is None else negative()
    return up, down, floor, lookahead, prediction, ((t - 1) / t) ** gamma, 1.0


def _between(t: int, values: tuple[float, float, float]) -> float:
    """Linear between t = 100, 500 and 1000, constant outside."""
    early, middle, late = values
    if t <= 100:
        return early
    if t <= 500:
        return early + (middle - early) * (t - 100) / 400
    if t <= 1000:
        return middle + (late - middle) * (t - 500) / 500
    return late


def _ddcfr(t: int, n: int) -> Row:
    a = _between(t, (1.1, 2.5, 4.15))
    b = _between(t, (-1.1, -2.05, -2.0))
    g = _between(t, (5.0, 3.7, 0.0))
    return _row(t, g, lambda: _ratio(t - 1, a), lambda: _ratio(t - 1, b))


def _hs_dcfr(t: int, n: int, g: float = 30.0) -> Row:
    a, b = 1 + 3 * t / n, -1 - 2 * t / n
    return _row(t, g - 5 * t / n, lambda: _ratio(t - 1, a), lambda: _ratio(t - 1, b))


RULES: dict[str, Callable[[int, int], Row]] = {
    "cfr": lambda t, n: _row(t, 0),
    "cfr+": lambda t, n: _row(t, 1, floor=0.0),
    "lcfr": lambda t, n: _row(t, 1, lambda: (t - 1) / t),
    "dcfr": lambda t, n: _row(t, 2, lambda: _ratio(t - 1, 1.5), lambda: 0.5),
    "dcfr(alpha=1.2,beta=0.5,gamma=3)": lambda t, n: _row(
        t, 3, lambda: _ratio(t - 1, 1.2), lambda: _ratio(t - 1, 0.5)
    ),
    "dcfr+": lambda t, n: _row(t, 4, lambda: _ratio(t - 1, 1.5, 1.5), floor=0.0),
    "pcfr+": lambda t, n: _row(t, 2, floor=0.0, prediction=1.0),
    "pcfr+(gamma=5)": lambda t, n: _row(t, 5, floor=0.0, prediction=1.0),
    "pdcfr+": lambda t, n: _row(
        t, 5, lambda: _ratio(t - 1, 2.3), floor=0.0, lookahead=_ratio(t, 2.3), prediction=1.0
    ),
    "sapcfr+": lambda t, n: _row(t, 2, floor=0.0, prediction=1 / 3),
    "hs-dcfr": _hs_dcfr,
    "hs-dcfr(15)": lambda t, n: _hs_dcfr(t, n, 15.0),
    "hs-pcfr+": lambda t, n: _row(t, 30 - 5 * t / n, floor=0.0, prediction=1.0),
    "hs-pcfr+(15)": lambda t, n: _row(t, 15 - 5 * t / n, floor=0.0, prediction=1.0),
    "ddcfr": _ddcfr,
}
