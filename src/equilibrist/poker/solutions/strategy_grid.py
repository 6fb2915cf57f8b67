"""The 13x13 grid of a strategy as text, as coloured text, and as HTML.

Each cell is split among the actions, the largest bet on the left, fold or check on the right. Rows
and columns run from A to 2, suited hands stand above the diagonal and offsuit hands below.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Final

import numpy as np

from equilibrist.poker.betting.actions import Action, Kind
from equilibrist.poker.cards.cards import RANKS
from equilibrist.poker.cards.combos import CLASS_NAMES
from equilibrist.poker.solutions.node_aggregates import ClassValues
from equilibrist.typing import FloatArray

if TYPE_CHECKING:
    from rich.text import Text

_Colour = tuple[int, int, int]
_FOLD: Final[_Colour] = (59, 130, 246)
_PASSIVE: Final[_Colour] = (34, 197, 94)
_ONE_BET: Final[_Colour] = (239, 68, 68)
_SMALLEST_BET: Final[_Colour] = (248, 146, 116)
_LARGEST_BET: Final[_Colour] = (140, 16, 28)
_NONE: Final[_Colour] = (38, 38, 38)
_PASSIVE_KINDS: Final = {Kind.CHECK, Kind.CALL}
_LETTERS: Final = 5
"""Letters in a cell of the plain-text grid."""


def colours(actions: Sequence[Action]) -> list[_Colour]:
    """The RGB colour of each action: fold blue, check and call green, larger bets darker red."""
    bets = [action for action in actions if action.amount]
    found = []
    for action in actions:
        if not action.amount:
            found.append(_PASSIVE if action.kind in _PASSIVE_KINDS else _FOLD)
        elif len(bets) == 1:
            found.append(_ONE_BET)
        else:
            found.append(_mix(_SMALLEST_BET, _LARGEST_BET, bets.index(action) / (len(bets) - 1)))
    return found


def letters(actions: Sequence[Action]) -> list[str]:
    """A letter for each action as in lines, or a number by size if there are several bets."""
    bets = [action for action in actions if action.kind in {Kind.BET, Kind.RAISE}]
    if len(bets) < 2:
        return [action.kind.value for action in actions]
    return [str(bets.index(a) + 1) if a in bets else a.kind.value for a in actions]


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
        for place, sign in enumerate(name):
            if order:
                paint = _mix(_NONE, paints[order[place]], 0.25 + 0.75 * weights[row, column])
                text.append(sign, f"{_ink(paint)} on {_css(paint)}")
            else:
                text.append(sign, f"grey42 on {_css(_NONE)}")
        text.append(" " if column < 12 else "\n")
    text.append("\n")
    for paint, action in zip(paints, actions, strict=True):
        text.append("  ", f"on {_css(paint)}")
        text.append(f" {action}   ")
    text.rstrip()
    return text


def html(classes: ClassValues, actions: Sequence[Action]) -> str:
    """A table whose cells are filled up to the weight; tooltips show the values."""
    paints = colours(actions)
    weights = classes.weight / max(classes.weight.max(), 1e-300)
    rows = []
    for row in range(13):
        cells = []
        for column in range(13):
            fill = _gradient(classes.strategy[:, row, column], paints)
            height = f"{100 * weights[row, column]:.4g}%"
            about = escape(_about(classes, actions, row, column), quote=True)
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


def _about(classes: ClassValues, actions: Sequence[Action], row: int, column: int) -> str:
    """The tooltip of a cell."""
    name = CLASS_NAMES[13 * row + column]
    if not classes.weight[row, column]:
        return f"{name}: not held"
    lines = [f"{name}: weight {classes.weight[row, column]:.3g}"]
    played = classes.strategy[:, row, column]
    if np.isnan(played).any():
        return lines[0]
    lines += [
        f"{action} {share:.1%}, EV {ev:z,.2f} chips"
        for action, share, ev in zip(
            actions, played, classes.action_ev[:, row, column], strict=True
        )
    ]
    lines.append(
        f"equity {classes.equity[row, column]:.1%}, EV {classes.ev[row, column]:z,.2f} chips"
    )
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


def _mix(one: _Colour, other: _Colour, share: float) -> _Colour:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


def _ink(paint: _Colour) -> str:
    """A readable text colour on a background."""
    red, green, blue = paint
    return "black" if 0.3 * red + 0.59 * green + 0.11 * blue > 110 else "white"


def _css(paint: _Colour) -> str:
    return "rgb({},{},{})".format(*paint)
