"""A drawn game tree as PNG or PDF, by Matplotlib: the same picture as the SVG."""

from __future__ import annotations

import io
import warnings
from typing import TYPE_CHECKING, Any, Final

from equilibrist.drawing.layout import LABEL_AT, RADIUS, Layout, edge_label, lay_out, payoff_text
from equilibrist.drawing.outline import Outline
from equilibrist.drawing.svg import HEADER, MARGIN, colour, legend_width, title
from equilibrist.formatting.escaping import escape_control_chars
from equilibrist.storage.replaceable import picture_metadata

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_POINTS: Final = 72.0
"""One unit of the layout is a point, of which an inch has so many."""
_DPI: Final = 144.0
_MOST_PIXELS: Final = 30_000.0
"""On either side of a PNG; larger pictures have a lower resolution."""
_LINE: Final = 12.0


def to_picture(outline: Outline, kind: str) -> bytes:
    """The content of a file.

    Args:
        outline: What is drawn.
        kind: `png` or `pdf`.
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure

    layout = lay_out(outline)
    width = max(layout.width, legend_width(outline)) + 2 * MARGIN
    height = layout.height + HEADER + 2 * MARGIN
    figure = Figure(figsize=(width / _POINTS, height / _POINTS))
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(height, 0))
    axes.set_axis_off()
    _legend(axes, outline)
    left, top = (width - layout.width) / 2, HEADER + MARGIN
    at = [(left + x, top + y) for x, y in zip(layout.x, layout.y, strict=True)]
    _infosets(axes, outline, layout, at)
    _edges(axes, outline, at)
    _nodes(axes, outline, at)
    buffer = io.BytesIO()
    dpi = min(_DPI, _MOST_PIXELS * _POINTS / max(width, height))
    with mpl.rc_context({"path.simplify": False}), warnings.catch_warnings():
        # A name in letters that the font lacks is drawn as boxes, without a warning.
        warnings.filterwarnings("ignore", "Glyph .* missing from font", UserWarning)
        figure.savefig(buffer, format=kind, dpi=dpi, metadata=picture_metadata(kind))
    return buffer.getvalue()


def _write(axes: Axes, x: float, y: float, text: str, across: Any = "left", **style: Any) -> None:
    """Text whose base line is at y; a dollar sign is one, and begins no formula."""
    axes.text(
        x,
        y,
        escape_control_chars(text),
        ha=across,
        va="baseline",
        parse_math=False,
        **{"fontsize": 11, "color": "#222", "zorder": 5, **style},
    )


def _halo() -> list[Any]:
    from matplotlib.patheffects import withStroke

    return [withStroke(linewidth=4, foreground="#fff")]


def _circle(axes: Axes, x: float, y: float, radius: float, fill: str) -> None:
    from matplotlib.patches import Circle

    axes.add_patch(Circle((x, y), radius, facecolor=fill, edgecolor="none", zorder=3))


def _diamond(axes: Axes, x: float, y: float, r: float) -> None:
    from matplotlib.patches import Polygon

    corners = [(x, y - r), (x + r, y), (x, y + r), (x - r, y)]
    axes.add_patch(Polygon(corners, facecolor="#eee", edgecolor="#666", linewidth=1, zorder=3))


def _legend(axes: Axes, outline: Outline) -> None:
    _write(axes, MARGIN, MARGIN + 4, title(outline), fontsize=15, fontweight="bold")
    x, y = MARGIN + 6, MARGIN + 26
    for player in range(outline.num_players):
        _circle(axes, x, y - 4, 6, colour(player))
        _write(axes, x + 11, y, f"player {player}")
        x += 84
    _diamond(axes, x, y - 4, 7)
    _write(axes, x + 12, y, "chance")
    x += 74
    axes.plot([x, x + 26], [y - 4, y - 4], color="#444", linewidth=1.6, dashes=(3, 2.5))
    _write(axes, x + 33, y, "one infoset: not told apart")


def _infosets(axes: Axes, outline: Outline, layout: Layout, at: list[tuple[float, float]]) -> None:
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    for members in outline.infosets.values():
        order = sorted(members, key=lambda i: (outline.nodes[i].depth, layout.x[i]))
        for a, b in zip(order, order[1:], strict=False):
            bend = (at[a][0] + at[b][0]) / 2 + 40 * (at[a][1] != at[b][1])
            middle = (bend, (at[a][1] + at[b][1]) / 2)
            axes.add_patch(
                PathPatch(
                    Path([at[a], middle, at[b]], [Path.MOVETO, Path.CURVE3, Path.CURVE3]),
                    fill=False,
                    edgecolor=colour(outline.nodes[members[0]].player),
                    linewidth=1.6,
                    linestyle=(0, (3, 2.5)),
                    zorder=1,
                )
            )


def _edges(axes: Axes, outline: Outline, at: list[tuple[float, float]]) -> None:
    for i, node in enumerate(outline.nodes[1:], start=1):
        (x0, y0), (x1, y1) = at[node.parent], at[i]
        axes.plot(
            [x0, x1],
            [y0, y1],
            color="#888",
            linewidth=1.3 if node.probability is None else 0.7 + 2.3 * node.probability,
            alpha=0.45 if node.probability == 0.0 else 1.0,
            zorder=2,
        )
        x, y = (1 - LABEL_AT) * x0 + LABEL_AT * x1, (1 - LABEL_AT) * y0 + LABEL_AT * y1
        for k, line in enumerate(edge_label(node.action, node.probability)):
            _write(axes, x, y + k * _LINE, line, "center", path_effects=_halo())


def _nodes(axes: Axes, outline: Outline, at: list[tuple[float, float]]) -> None:
    for (x, y), node in zip(at, outline.nodes, strict=True):
        if node.kind == "chance":
            _diamond(axes, x, y, RADIUS)
        elif node.kind == "decision":
            own = colour(node.player)
            _circle(axes, x, y, RADIUS, own)
            _write(axes, x, y + 4, f"{node.player}", "center", color="#fff", fontweight="bold")
            _write(axes, x + RADIUS + 4, y + 4, node.infoset, color=own, path_effects=_halo())
        else:
            _circle(axes, x, y, 3, "#444")
            for player, payoff in enumerate(node.payoffs):
                below = y + 16 + _LINE * player
                _write(axes, x, below, payoff_text(payoff), "center", color=colour(player))
