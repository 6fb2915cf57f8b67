"""The 13x13 grid of a strategy as text, as coloured text, as HTML and as SVG.

Each cell is split among the actions, the largest bet on the left, fold or check on the right. Rows
and columns run from A to 2, suited hands stand above the diagonal and offsuit hands below.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from equilibrist.formatting.amounts import chips
from equilibrist.formatting.brief import brief_repr
from equilibrist.poker.betting.actions import Action, Kind
from equilibrist.poker.cards.cards import RANKS
from equilibrist.poker.cards.combos import CLASS_NAMES
from equilibrist.typing import FloatArray

if TYPE_CHECKING:
    from rich.text import Text

_Colour = tuple[int, int, int]
_FOLD: Final[_Colour] = (59, 130, 246)
_PASSIVE: Final[_Colour] = (34, 197, 94)
_BETS: Final[tuple[_Colour, ...]] = (
    (245, 158, 11), (249, 115, 22), (239, 68, 68), (236, 72, 153), (217, 70, 239), (168, 85, 247),
    (139, 92, 246),
)  # fmt: skip
"""From the smallest bet to the largest: amber, orange, red, pink, fuchsia, purple, violet."""
_NONE: Final[_Colour] = (38, 38, 38)
_PASSIVE_KINDS: Final = {Kind.CHECK, Kind.CALL}
_CELL: Final = 46
"""Width and height of a cell of the picture."""
_FONTS: Final = "Arial,Helvetica,'DejaVu Sans',sans-serif"
_LETTERS: Final = 5
"""Letters in a cell of the plain-text grid."""


class ClassValues(NamedTuple):
    """A player's hands by class: rows and columns from A to 2, suited above the diagonal.

    Attributes:
        weight: float64[13, 13], the mean over the hands of the class that the board leaves.
        equity: float64[13, 13], NaN for classes not held.
        ev: float64[13, 13], in chips, NaN for classes not held.
        strategy: float64[A, 13, 13], NaN for classes not held; A is 0 unless the player acts.
        action_ev: float64[A, 13, 13], the EV of each action in chips, NaN for classes not held.
    """

    weight: FloatArray
    equity: FloatArray
    ev: FloatArray
    strategy: FloatArray
    action_ev: FloatArray

    def __repr__(self) -> str:
        return brief_repr(self)


def colours(actions: Sequence[Action]) -> list[_Colour]:
    """The RGB colour of each action: fold blue, check and call green, bets from amber to violet."""
    bets = [action for action in actions if action.amount]
    last = len(_BETS) - 1
    shades = []
    for action in actions:
        if not action.amount:
            shades.append(_PASSIVE if action.kind in _PASSIVE_KINDS else _FOLD)
        else:
            place = last * bets.index(action) / max(len(bets) - 1, 1)
            shades.append(_mix(_BETS[int(place)], _BETS[min(int(place) + 1, last)], place % 1))
    return shades


def letters(actions: Sequence[Action]) -> list[str]:
    """A hyphen for the check or the fold, so that the other actions stand out.

    These have their letter as in lines, or a number by size if there are several bets.
    """
    bets = [action for action in actions if action.kind in {Kind.BET, Kind.RAISE}]
    signs = [
        str(bets.index(action) + 1) if action in bets and len(bets) > 1 else action.kind.value
        for action in actions
    ]
    modest = (action.kind in {Kind.CHECK, Kind.FOLD} for action in actions)
    return ["-" if hides else sign for hides, sign in zip(modest, signs, strict=True)]


def plain(classes: ClassValues, actions: Sequence[Action]) -> str:
    """Five letters in each cell, one per 20 % of frequency; a dot is a hand not held."""
    signs = letters(actions)
    lines = ["  " + "".join(f"  {rank}   " for rank in RANKS[::-1]).rstrip()]
    for row, rank in enumerate(RANKS[::-1]):
        cells = []
        for column in range(13):
            order = _parts(classes.strategy[:, row, column], _LETTERS)
            cells.append("".join(signs[k] for k in order) or "  .  ")
        lines.append(f"{rank} {' '.join(cells)}".rstrip())
    key = "  ".join(f"{sign} {action}" for sign, action in zip(signs, actions, strict=True))
    return "\n".join([*lines, "", key])


def coloured(classes: ClassValues, actions: Sequence[Action], width: int) -> Text:
    """The names of the hands on the colours of the actions, darker for lower weights.

    `width` is that of the terminal in columns, at least 78.
    """
    from rich.text import Text

    paints, cell = colours(actions), min(max(width // 13, 6), 9) - 1
    weights = classes.weight / max(classes.weight.max(), 1e-300)
    text = Text()
    for row, column in np.ndindex(13, 13):
        name = f"{CLASS_NAMES[13 * row + column]:^{cell}}"
        order = _parts(classes.strategy[:, row, column], cell)
        rule = "underline" if row < 12 else "not underline"  # the gap between rows
        for place, sign in enumerate(name):
            if order:
                paint = _mix(_NONE, paints[order[place]], 0.25 + 0.75 * weights[row, column])
                text.append(sign, f"{_ink(paint)} {rule} on {_css(paint)}")
            else:
                text.append(sign, f"grey42 {rule} on {_css(_NONE)}")
        text.append(" " if column < 12 else "\n")
    text.append("\n")
    for paint, action in zip(paints, actions, strict=True):
        text.append("  ", f"on {_css(paint)}")
        text.append(f" {action}   ")
    text.rstrip()
    return text


def html(
    classes: ClassValues,
    actions: Sequence[Action],
    pot: float,
    ev_text: Callable[[float], str] | None = None,
) -> str:
    """A table whose cells are filled up to the weight; tooltips show the values, by the pot.

    `ev_text` writes EVs that are not in chips, with their unit.
    """
    write = ev_text or (lambda ev: f"{chips(ev, pot)} chips")
    paints = colours(actions)
    weights = classes.weight / max(classes.weight.max(), 1e-300)
    rows = []
    for row in range(13):
        cells = []
        for column in range(13):
            fill = _gradient(classes.strategy[:, row, column], paints)
            height = f"{100 * weights[row, column]:.4g}%"
            about = escape(_about(classes, actions, row, column, write), quote=True)
            background = f"{fill} bottom/100% {height} no-repeat," if fill else ""
            ink = "#fff" if fill else "#777"
            shade = "#404040" if row == column else "#262626"
            cells.append(
                f'<td title="{about}" style="width:38px;height:30px;padding:2px 3px;color:{ink};'
                "border:1px solid #111;text-align:left;vertical-align:top;"
                f'text-shadow:0 0 3px #000,0 0 2px #000;background:{background}{shade}">'
                f"{CLASS_NAMES[13 * row + column]}</td>"
            )
        rows.append(f"<tr>{''.join(cells)}</tr>")
    return (
        '<table style="border-collapse:collapse;font:11px sans-serif;margin:6px 0">'
        f"{''.join(rows)}</table>"
    )


def svg(classes: ClassValues, actions: Sequence[Action], title: str) -> str:
    """The grid as an SVG file: cells are filled up to the weight; `title` stands above it."""
    width, top = 13 * _CELL + 2, 34
    key = list(zip(actions, colours(actions), strict=True))
    per_row = max(1, width // 130)
    high = top + 13 * _CELL + 14 + 22 * -(-len(key) // per_row)
    size = f'width="{width}" height="{high}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {width} {high}" role="img">',
        f"<title>{escape(title)}</title>",
        f"<style>text{{font-family:{_FONTS};font-size:12px}}</style>",
        f'<rect {size} fill="#fff"/>',
        f'<text x="2" y="21" font-weight="bold" fill="#222">{escape(title)}</text>',
    ]
    weights = classes.weight / max(classes.weight.max(), 1e-300)
    for row, column in np.ndindex(13, 13):
        left, above = 1 + column * _CELL, top + row * _CELL
        parts += _svg_cell(
            left, above, classes.strategy[:, row, column], colours(actions), weights[row, column]
        )
        name = CLASS_NAMES[13 * row + column]
        ink = "#fff" if weights[row, column] > 0 else "#8a8a8a"
        place = f'x="{left + _CELL / 2:g}" y="{above + _CELL / 2 + 4:g}" text-anchor="middle"'
        parts.append(
            f'<text {place} fill="{ink}" stroke="#1c1c1c" stroke-width="2.5" '
            f'stroke-linejoin="round" paint-order="stroke">{name}</text>'
        )
    for number, (action, paint) in enumerate(key):
        left = 2 + width // per_row * (number % per_row)
        above = top + 13 * _CELL + 12 + 22 * (number // per_row)
        parts += [
            f'<rect x="{left}" y="{above}" width="14" height="14" fill="{_css(paint)}"/>',
            f'<text x="{left + 20}" y="{above + 12}" fill="#222">{escape(str(action))}</text>',
        ]
    return "\n".join([*parts, "</svg>"]) + "\n"


def _svg_cell(
    left: int, above: int, frequency: FloatArray, paints: Sequence[_Colour], weight: float
) -> list[str]:
    """The rectangles of a cell: dark ground, and the actions up to the weight."""
    side = _CELL - 2
    rectangles = [
        f'<rect x="{left}" y="{above}" width="{side}" height="{side}" fill="{_css(_NONE)}"/>'
    ]
    if not len(frequency) or np.isnan(frequency).any():
        return rectangles
    high = max(side * weight, 1.0)
    begin = 0.0
    for share, paint in zip(frequency[::-1].tolist(), reversed(paints), strict=True):
        if share > 0:
            rectangles.append(
                f'<rect x="{left + side * begin:.2f}" y="{above + side - high:.2f}" '
                f'width="{side * share:.2f}" height="{high:.2f}" fill="{_css(paint)}"/>'
            )
            begin += share
    return rectangles


def _about(
    classes: ClassValues,
    actions: Sequence[Action],
    row: int,
    column: int,
    ev_text: Callable[[float], str],
) -> str:
    """The tooltip of a cell."""
    name = CLASS_NAMES[13 * row + column]
    if not classes.weight[row, column]:
        return f"{name}: not held"
    lines = [f"{name}: weight {classes.weight[row, column]:.3g}"]
    played = classes.strategy[:, row, column]
    if np.isnan(played).any():
        return lines[0]
    lines += [
        f"{action} {share:.1%}, EV {ev_text(ev)}"
        for action, share, ev in zip(
            actions, played, classes.action_ev[:, row, column], strict=True
        )
    ]
    lines.append(f"equity {classes.equity[row, column]:.1%}, EV {ev_text(classes.ev[row, column])}")
    return "\n".join(lines)


def _parts(frequency: FloatArray, count: int) -> list[int]:
    """The action in each of `count` equal parts of a cell; empty for a hand not held."""
    if not len(frequency) or np.isnan(frequency).any():
        return []
    ends = np.cumsum(frequency[::-1])
    places = np.searchsorted(ends, (np.arange(count) + 0.5) / count * ends[-1])
    return [len(frequency) - 1 - int(place) for place in places]


def _gradient(frequency: FloatArray, paints: Sequence[_Colour]) -> str:
    """The CSS gradient of the colours; empty for a hand not held."""
    if not len(frequency) or np.isnan(frequency).any():
        return ""
    stops, begin = [], 0.0
    for share, paint in zip(frequency[::-1].tolist(), reversed(paints), strict=True):
        if share > 0:
            end = begin + 100 * share
            stops.append(f"{_css(paint)} {begin:.4g}% {end:.4g}%")
            begin = end
    return f"linear-gradient(to right,{','.join(stops)})"


def _mix(first: _Colour, second: _Colour, share: float) -> _Colour:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(first, second, strict=True))
    return red, green, blue


def _ink(paint: _Colour) -> str:
    """A readable text colour on a background."""
    red, green, blue = paint
    return "black" if 0.3 * red + 0.59 * green + 0.11 * blue > 110 else "white"


def _css(paint: _Colour) -> str:
    return "rgb({},{},{})".format(*paint)
