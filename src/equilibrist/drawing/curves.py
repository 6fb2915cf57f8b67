"""Curves on logarithmic axes as a small SVG inside HTML, without Matplotlib."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Final

Curve = Sequence[tuple[float, float]]
"""Points (x, y); those that are not above zero cannot be drawn, and are left out."""

_WIDTH: Final = 480
_HEIGHT: Final = 260
_LEFT: Final = 64
_RIGHT: Final = 12
_TOP: Final = 10
_BOTTOM: Final = 40
_ROW: Final = 16
_COLOURS: Final = ("#1f77b4", "#d95f02", "#2ca02c", "#9467bd", "#8c564b", "#17becf", "#7f7f7f")
_MOST_LABELS: Final = 7


def curves_svg(
    curves: Mapping[str, Curve],
    *,
    over: str = "iterations",
    measure: str = "exploitability",
    target: float | None = None,
    hints: bool = False,
) -> str:
    """Draw curves over iterations, or anything else, with decades as grid lines.

    Args:
        curves: The points of each curve by its label.
        over: What the abscissa shows.
        measure: What the ordinate shows.
        target: Draws a dashed horizontal line.
        hints: Whether the line of the target is named, and points show their numbers where the
            mouse rests on them.

    Returns:
        An `svg` element; empty where nothing can be drawn.
    """
    drawn = {
        label: [(math.log10(x), math.log10(y)) for x, y in curve if x > 0.0 and y > 0.0]
        for label, curve in curves.items()
    }
    points = [point for curve in drawn.values() for point in curve]
    if not points:
        return ""
    marks = [math.log10(target)] if target is not None and target > 0.0 else []
    across = _Axis.of((x for x, _ in points), _LEFT, _WIDTH - _RIGHT)
    up = _Axis.of((*(y for _, y in points), *marks), _HEIGHT - _BOTTOM, _TOP)
    bottom, right = _HEIGHT - _BOTTOM, _WIDTH - _RIGHT
    legend = len(drawn) > 1
    height = _HEIGHT + _ROW * len(drawn) * legend
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" '
        f'viewBox="0 0 {_WIDTH} {height}" font-family="sans-serif" font-size="11" '
        f'fill="currentColor">'
    )
    parts = [head]
    for decade, shown in across.ticks():
        x = across.at(decade)
        parts.append(_line(x, _TOP, x, bottom, 'stroke="#999" stroke-opacity="0.3"'))
        if shown:
            parts.append(_text(x, bottom + 14, _power(decade), "middle"))
    for decade, shown in up.ticks():
        y = up.at(decade)
        parts.append(_line(_LEFT, y, right, y, 'stroke="#999" stroke-opacity="0.3"'))
        if shown:
            parts.append(_text(_LEFT - 5, y + 4, _power(decade), "end"))
    dashed = 'stroke="#888" stroke-dasharray="4 3"'
    for y in map(up.at, marks):
        parts.append(_line(_LEFT, y, right, y, dashed))
        if hints:
            parts.append(_text(right, y - 4, "target", "end"))
    for number, (label, curve) in enumerate(drawn.items()):
        colour = _COLOURS[number % len(_COLOURS)]
        places = [(across.at(x), up.at(y)) for x, y in curve]
        if len(places) > 1:
            corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
            parts.append(
                f'<polyline points="{corners}" fill="none" stroke="{colour}" stroke-width="1.6"/>'
            )
        else:
            parts += [
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in places
            ]
        if hints:
            parts += [
                f'<circle cx="{across.at(x):.1f}" cy="{up.at(y):.1f}" r="6" fill-opacity="0">'
                f"<title>{10**x:,.6g} {escape(over)}: {10**y:.3g}</title></circle>"
                for x, y in curve
            ]
        if legend:
            y = _HEIGHT + _ROW * number
            parts.append(_line(_LEFT, y, _LEFT + 22, y, f'stroke="{colour}" stroke-width="2"'))
            parts.append(_text(_LEFT + 28, y + 4, label, "start"))
    parts.append(_text((_LEFT + right) / 2, _HEIGHT - 8, over, "middle"))
    middle = (_TOP + bottom) / 2
    parts.append(
        f'<text transform="translate(12 {middle:.1f}) rotate(-90)" text-anchor="middle">'
        f"{escape(measure)}</text></svg>"
    )
    return "".join(parts)


class _Axis:
    """A logarithmic axis from `low` to `high`, in powers of ten, between two places."""

    def __init__(self, low: float, high: float, start: float, end: float) -> None:
        self.low, self.high, self.start, self.end = low, high, start, end

    @classmethod
    def of(cls, powers: Iterable[float], start: float, end: float) -> _Axis:
        """The axis over whole decades around these powers."""
        exponents = list(powers)
        low, high = math.floor(min(exponents) + 1e-9), math.ceil(max(exponents) - 1e-9)
        return cls(low, max(high, low + 1), start, end)

    def at(self, power: float) -> float:
        """The place of a power."""
        share = (power - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    def ticks(self) -> list[tuple[int, bool]]:
        """The decades, and whether there is room for the label of each."""
        low, high = int(self.low), int(self.high)
        step = -(-(high - low + 1) // _MOST_LABELS)
        lines = max(1, step // 2)
        return [(k, (k - low) % step == 0) for k in range(low, high + 1, lines)]


def _power(exponent: int) -> str:
    """1, 10 and 100 in full, other powers as such."""
    if 0 <= exponent <= 2:
        return str(10**exponent)
    return f"1e{exponent}"


def _line(x1: float, y1: float, x2: float, y2: float, style: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" {style}/>'


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'
