"""Pictures of runs: convergence on logarithmic axes, as SVG or PNG."""

from __future__ import annotations

import io
import math
import os
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from equilibrist.errors import ConfigError
from equilibrist.formatting.escaping import escape_control_chars
from equilibrist.parsing.arguments import file_name
from equilibrist.storage.archive import check_writable
from equilibrist.storage.replaceable import check_replaceable, picture_metadata, write_picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["comparison_figure", "convergence_figure", "save_figure"]

SUFFIXES = (".svg", ".png")
"""The formats of pictures, by the suffix of the file name."""


_FEW_DECADES = 2.0
_FEWER_DECADES = 0.7
"""Up to so many powers of ten on an axis, their multiples are labelled too, or round numbers."""


class Point(Protocol):
    """One measurement of a run (`solvers.run.trace.TracePoint` is one)."""

    @property
    def iteration(self) -> int:
        """Iterations done."""
        ...

    @property
    def nash_conv(self) -> float:
        """Sum of gains."""
        ...

    @property
    def measure(self) -> float:
        """What is drawn."""
        ...

    @property
    def measure_name(self) -> str:
        """What that is: exploitability, NashConv, or mean gain for a spot with rake."""
        ...


class TimedPoint(Point, Protocol):
    """One measurement that knows when it was made."""

    @property
    def seconds(self) -> float:
        """Seconds of solving."""
        ...


def convergence_figure(
    traces: Mapping[str, Sequence[Point]], *, title: str = "", target: float | None = None
) -> Figure:
    """Draw the measure of runs over iterations, a line per run; NashConv if their measures differ.

    Both axes are logarithmic; points at or below zero cannot be drawn and are left out. Where
    no point is left, the picture says so.

    Args:
        traces: The measurements of each run by its label, such as `result.trace`.
        title: Stands above the picture.
        target: Draws a horizontal line, in units of the measure.

    Returns:
        A Matplotlib figure, for `save_figure`.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.0, 4.5), layout="constrained")
    axes = figure.add_subplot()
    axes.set_ylabel(_draw_traces(axes, traces, "iterations"))
    if target is not None and target > 0.0:
        axes.axhline(target, color="0.4", linewidth=1.0, linestyle="--", label="target")
    axes.set_title(escape_control_chars(title), parse_math=False)  # names may hold dollar signs
    if len(traces) > 1 or target is not None:
        _add_legend(axes)
    return figure


def comparison_figure(
    traces: Mapping[str, Sequence[TimedPoint]],
    *,
    title: str = "",
    bands: Mapping[str, Sequence[tuple[int, float, float, float]]] | None = None,
) -> Figure:
    """Draw runs over iterations on the left and over seconds on the right, a line per run.

    Args:
        traces: The measurements of each run by its label, such as `result.trace`.
        title: Stands above the picture.
        bands: By label iteration, seconds, and an interval of the measure, which is shaded.

    Returns:
        A Matplotlib figure, for `save_figure`.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10.0, 4.5), layout="constrained")
    left, right = figure.subplots(1, 2, sharey=True)
    left.set_ylabel(_draw_traces(left, traces, "iterations"))
    _draw_traces(right, traces, "seconds")
    for axes, over in ((left, 0), (right, 1)):
        _draw_bands(axes, bands or {}, over)
    figure.suptitle(escape_control_chars(title), parse_math=False)
    _add_legend(right)
    return figure


def _draw_traces(axes: Axes, traces: Mapping[str, Sequence[Any]], over: str) -> str:
    """A line per run over `iterations` or `seconds`; returns what the ordinate shows."""
    whole = [point for trace in traces.values() for point in trace]
    names = {point.measure_name for point in whole}
    name = "NashConv" if len(names) > 1 else next(iter(names), "exploitability")
    anything = False
    for label, trace in traces.items():
        place = [p.iteration if over == "iterations" else p.seconds for p in trace]
        height = [p.nash_conv if len(names) > 1 else p.measure for p in trace]
        drawn = [(x, y) for x, y in zip(place, height, strict=True) if x > 0 and y > 0.0]
        anything = anything or bool(drawn)
        axes.plot(
            [x for x, _ in drawn],
            [y for _, y in drawn],
            label=escape_control_chars(label),
            linewidth=1.8,
            marker="o" if len(drawn) < 3 else None,
        )
    if anything:
        axes.set_xscale("log")
        axes.set_yscale("log")
        _label_decades(axes)
    else:
        nothing = "no measurement is above zero: nothing to draw on logarithmic axes"
        axes.text(0.5, 0.5, nothing, ha="center", transform=axes.transAxes)
    axes.set_xlabel(over)
    axes.grid(visible=True, which="major", color="0.9")
    axes.spines[["top", "right"]].set_visible(False)
    return f"{name} ({'chips' if name == 'mean gain' else 'payoff units per game'})"


def _draw_bands(
    axes: Axes, bands: Mapping[str, Sequence[tuple[int, float, float, float]]], over: int
) -> None:
    """Shade the interval of each run around its line; `over` is the column of the abscissa."""
    colours = {line.get_label(): line.get_color() for line in axes.lines}
    for label, band in bands.items():
        drawn = [row for row in band if row[over] > 0 and row[2] > 0.0]
        if drawn:
            axes.fill_between(
                [row[over] for row in drawn],
                [row[2] for row in drawn],
                [row[3] for row in drawn],
                color=colours[escape_control_chars(label)],
                alpha=0.2,
                linewidth=0.0,
            )


def _label_decades(axes: Axes) -> None:
    """Label powers of ten, and multiples of them only where there are few powers to label.

    Matplotlib's own labels of multiples overlap where an axis is about one decade long.
    """
    from matplotlib.ticker import (
        LogFormatterSciNotation,
        LogLocator,
        MaxNLocator,
        NullFormatter,
        ScalarFormatter,
    )

    for axis in (axes.xaxis, axes.yaxis):
        low, high = sorted(axis.get_view_interval())
        decades = math.log10(high / low)
        axis.set_minor_formatter(NullFormatter())
        if decades <= _FEWER_DECADES:  # nearly linear
            axis.set_major_locator(MaxNLocator(4, steps=[1, 2, 5, 10]))
            axis.set_major_formatter(ScalarFormatter())
        elif decades <= _FEW_DECADES:
            axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0), numticks=20))
            thresholds = (math.inf, math.inf)
            axis.set_major_formatter(LogFormatterSciNotation(minor_thresholds=thresholds))


def _add_legend(axes: Axes) -> None:
    for text in axes.legend(frameon=False).get_texts():
        text.set_parse_math(False)


def check_picture(path: str | os.PathLike[str]) -> None:
    """Refuse what `save_figure` would refuse, before a run.

    Raises ConfigError and OutputError.
    """
    target = file_name("path", path)
    _refuse_suffix(target)
    check_writable(target)
    check_replaceable(target, target.suffix.lower(), "plot")


def _refuse_suffix(path: Path) -> None:
    if path.suffix.lower() not in SUFFIXES:
        raise ConfigError(
            f"{path}: unknown file format",
            option="plot",
            given=path.name,
            remedy=f"use a name that ends in {' or '.join(SUFFIXES)}",
        )


def save_figure(figure: Figure, path: str | os.PathLike[str]) -> Path:
    """Write a figure as SVG or PNG by the suffix of `path`; equal figures give equal files.

    Args:
        figure: A Matplotlib figure.
        path: Ends in `.svg` or `.png`.

    Returns:
        The path.

    Raises:
        ConfigError: For another suffix.
        OutputError: If the file cannot be written, or is not a picture of Equilibrist.
    """
    import matplotlib as mpl

    path = file_name("path", path)
    _refuse_suffix(path)
    suffix = path.suffix.lower()
    buffer = io.BytesIO()
    # A fixed salt and no date: SVG names its clip paths by hashes of the salt.
    with mpl.rc_context({"svg.hashsalt": "equilibrist"}), warnings.catch_warnings():
        # A name in letters that the font lacks is drawn as boxes, without a warning.
        warnings.filterwarnings("ignore", "Glyph .* missing from font", UserWarning)
        kind = suffix[1:]
        figure.savefig(buffer, format=kind, dpi=150, metadata=picture_metadata(kind))
    write_picture(path, buffer.getvalue(), "plot")
    return path
