"""The 13x13 grid of hand classes as text, as coloured text, and as HTML.

All take the mean weight of each class, float64[13, 13]: rows and columns run from A to 2, suited
hands stand above the diagonal and offsuit hands below.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from equilibrist.poker.cards.cards import RANKS
from equilibrist.poker.cards.combos import CLASS_NAMES
from equilibrist.poker.ranges.dialects import weight_text
from equilibrist.typing import FloatArray

if TYPE_CHECKING:
    from rich.text import Text

_FALLING: Final = RANKS[::-1]
_FULL: Final = (234, 179, 8)
"""Amber, the colour of a weight of 1."""
_NONE: Final = (38, 38, 38)


def plain(weights: FloatArray) -> str:
    """Weights in percent under a line of ranks; a dot means exactly 0."""
    lines = ["   " + "".join(f"{rank:>4}" for rank in _FALLING)]
    for rank, row in zip(_FALLING, weights.tolist(), strict=True):
        lines.append(f"  {rank}" + "".join(f"{_percent(weight):>4}" for weight in row))
    return "\n".join(lines)


def _percent(weight: float) -> str:
    """The weight in percent, rounded; 0 and 100 mean exactly 0 and 1."""
    if weight in {0, 1}:
        return "100" if weight else "."
    return str(min(max(round(100 * weight), 1), 99))


def coloured(weights: FloatArray) -> Text:
    """The names of the hands on a background that brightens with the weight."""
    from rich.text import Text

    text = Text()
    for row, values in enumerate(weights.tolist()):
        for column, weight in enumerate(values):
            red, green, blue = (
                round(a + (b - a) * weight) for a, b in zip(_NONE, _FULL, strict=True)
            )
            ink = "black" if weight > 0.4 else "grey70"
            text.append(
                f" {CLASS_NAMES[13 * row + column]:<3} ", f"{ink} on rgb({red},{green},{blue})"
            )
        text.append("\n" if row < 12 else "")
    return text


def html(weights: FloatArray) -> str:
    """A table whose cells are filled from the bottom; tooltips show the weights."""
    rows = []
    for row, values in enumerate(weights.tolist()):
        cells = (_cell(CLASS_NAMES[13 * row + column], w) for column, w in enumerate(values))
        rows.append(f"<tr>{''.join(cells)}</tr>")
    return (
        '<table style="border-collapse:collapse;font:11px sans-serif;color:#fff">'
        f"{''.join(rows)}</table>"
    )


def _cell(name: str, weight: float) -> str:
    background = "#404040" if len(name) == 2 else "#262626"
    height = f"{100 * weight:.4g}%"
    return (
        f'<td title="{name}: {weight_text(weight)}" style="width:34px;height:28px;padding:2px;'
        "border:1px solid #111;text-align:left;vertical-align:top;text-shadow:0 0 2px #000;"
        f'background:linear-gradient(to top,#ca8a04 {height},{background} {height})">{name}</td>'
    )
