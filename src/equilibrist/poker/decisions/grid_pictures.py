"""Pictures of 13x13 grids of strategies in files: SVG, or PNG through Matplotlib."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.parsing.arguments import file_name
from equilibrist.poker.betting.actions import Action
from equilibrist.poker.cards.combos import CLASS_NAMES
from equilibrist.poker.decisions.strategy_grid import ClassValues, colours, svg
from equilibrist.storage.replaceable import check_replaceable, write_picture
from equilibrist.typing import FloatArray

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SUFFIXES: Final = (".svg", ".png")
_SIDE: Final = 13
_DARK: Final = (0.15, 0.15, 0.15)


def check_picture(path: str | os.PathLike[str], option: str = "draw") -> Path:
    """Check that a grid can be drawn to a file.

    Args:
        path: The file.
        option: The option that names it.

    Returns:
        The file.

    Raises:
        ConfigError: Its name ends in neither .svg nor .png.
        OutputError: It exists and is not a picture of Equilibrist.
    """
    file = Path(file_name(option, path))
    if file.suffix.lower() not in SUFFIXES:
        raise ConfigError(
            f"{file}: unknown file format",
            option=option,
            given=str(file),
            expected=", ".join(SUFFIXES),
            remedy="use a name that ends in .svg or .png",
        )
    check_replaceable(file, file.suffix.lower(), option)
    return file


def draw_grid(
    path: str | os.PathLike[str],
    reach: FloatArray,
    strategy: FloatArray,
    actions: Sequence[Action],
    title: str,
) -> None:
    """Draw the strategies of all hand classes as a grid, whose cells are filled up to the reach.

    Args:
        path: The file, .svg or .png.
        reach: float64[169]: how often each class gets there; 0 for classes that do not.
        strategy: float64[A, 169]: how often each class takes each action.
        actions: The actions.
        title: What stands above the picture.

    Raises:
        ConfigError: The name of the file ends otherwise, or Matplotlib is missing.
        OutputError: The file cannot be written, or is not a picture of Equilibrist.
    """
    file = check_picture(path)
    held = np.where(reach > 0, strategy, np.nan).reshape(-1, _SIDE, _SIDE)
    weight = reach.reshape(_SIDE, _SIDE)
    if file.suffix.lower() == ".svg":
        nothing = np.full((_SIDE, _SIDE), np.nan)
        classes = ClassValues(weight, nothing, nothing, held, np.full(held.shape, np.nan))
        write_picture(file, svg(classes, actions, title).encode(), "draw")
        return
    from equilibrist.plotting import save_figure

    save_figure(_figure(weight, held, actions, title), file)


def _figure(weight: FloatArray, held: FloatArray, actions: Sequence[Action], title: str) -> Figure:
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch, Rectangle

    figure = Figure(figsize=(7.0, 7.6), layout="constrained")
    axes = figure.add_subplot()
    paints = ["#{:02x}{:02x}{:02x}".format(*paint) for paint in colours(actions)]
    full = weight / max(weight.max(), 1e-300)
    for row, column in np.ndindex(_SIDE, _SIDE):
        x, y = column + 0.02, _SIDE - row - 0.98
        axes.add_patch(Rectangle((x, y), 0.96, 0.96, color=_DARK, linewidth=0))
        begin = 0.0
        shares = np.nan_to_num(held[:, row, column])[::-1].tolist()
        for share, paint in zip(shares, paints[::-1], strict=True):
            if share > 0:
                place, size = (
                    (x + 0.96 * begin, y),
                    (0.96 * share, 0.96 * full[row, column]),
                )
                axes.add_patch(Rectangle(place, *size, color=paint, linewidth=0))
                begin += share
        axes.text(
            x + 0.48, y + 0.48, CLASS_NAMES[_SIDE * row + column], ha="center", va="center",
            color="white", fontsize=9,
        )  # fmt: skip
    axes.set_xlim(0, _SIDE)
    axes.set_ylim(0, _SIDE)
    axes.set_aspect("equal")
    axes.axis("off")
    axes.set_title(title, parse_math=False)
    key = [Patch(color=paint, label=str(a)) for paint, a in zip(paints, actions, strict=True)]
    axes.legend(handles=key, loc="upper center", bbox_to_anchor=(0.5, 0.0), ncols=4, frameon=False)
    return figure
