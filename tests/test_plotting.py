"""Pictures of convergence: what they show, and that equal runs give equal files."""

from __future__ import annotations

import struct
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from equilibrist.errors import ConfigError, OutputError
from equilibrist.plotting import (
    check_picture,
    comparison_figure,
    convergence_figure,
    save_figure,
)
from equilibrist.solvers.run.trace import TracePoint
from tests.refusals import refuses


def trace(*pairs: tuple[int, float], exploitability: bool = True) -> list[TracePoint]:
    return [TracePoint(t, 0.0, 2 * y, y if exploitability else None, ()) for t, y in pairs]


RUN = trace((1, 0.5), (4, 0.25), (9, 0.01), (16, 0.001))


def test_it_draws_the_measure_over_iterations_on_logarithmic_axes() -> None:
    (axes,) = convergence_figure({"dcfr": RUN}, title="kuhn, dcfr").axes
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    (line,) = axes.lines
    assert list(np.asarray(line.get_xdata())) == [1, 4, 9, 16]
    assert list(np.asarray(line.get_ydata())) == [0.5, 0.25, 0.01, 0.001]
    assert axes.get_xlabel() == "iterations"
    assert axes.get_ylabel() == "exploitability (payoff units per game)"
    assert axes.get_title() == "kuhn, dcfr"
    assert axes.get_legend() is None


def test_without_exploitability_it_draws_nash_conv() -> None:
    other = trace((1, 0.3), (4, 0.1), exploitability=False)
    (axes,) = convergence_figure({"one": RUN, "other": other}).axes
    assert axes.get_ylabel() == "NashConv (payoff units per game)"
    assert [list(np.asarray(line.get_ydata())) for line in axes.lines] == [
        [1.0, 0.5, 0.02, 0.002],
        [0.6, 0.2],
    ]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["one", "other"]


def test_the_target_is_a_line() -> None:
    (axes,) = convergence_figure({"dcfr": RUN}, target=0.002).axes
    assert list(np.asarray(axes.lines[1].get_ydata())) == [0.002, 0.002]
    assert "target" in [text.get_text() for text in axes.get_legend().get_texts()]
    (axes,) = convergence_figure({"dcfr": RUN}, target=0.0).axes
    assert len(axes.lines) == 1


def test_what_logarithms_cannot_show_is_left_out() -> None:
    (axes,) = convergence_figure({"a": trace((0, 1.0), (1, 0.5), (4, 0.0), (9, -1e-17))}).axes
    assert list(np.asarray(axes.lines[0].get_xdata())) == [1]
    assert axes.lines[0].get_marker() == "o"  # a single point would be invisible as a line


@pytest.mark.parametrize("run", [[], trace((1, 0.0), (4, -1e-17))])
def test_a_picture_without_points_says_so(tmp_path: Path, run: list[TracePoint]) -> None:
    """Where uniform play is an equilibrium, the first measurement is exactly zero."""
    figure = convergence_figure({"dcfr": run}, target=0.1)
    assert "nothing to draw" in figure.axes[0].texts[0].get_text()
    ET.parse(save_figure(figure, tmp_path / "empty.svg"))


@pytest.mark.slow
def test_equal_runs_give_equal_files(tmp_path: Path) -> None:
    for suffix in ("svg", "png"):
        one, other = tmp_path / f"one.{suffix}", tmp_path / f"other.{suffix}"
        for path in (one, other):
            save_figure(convergence_figure({"dcfr": RUN}, target=0.1), path)
        assert one.read_bytes() == other.read_bytes()
    text = (tmp_path / "one.svg").read_text()
    assert ET.fromstring(text).tag.endswith("svg")
    assert "<dc:date>" not in text


def test_png_is_png(tmp_path: Path) -> None:
    path = save_figure(convergence_figure({"dcfr": RUN}), tmp_path / "a.PNG")
    content = path.read_bytes()
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", content[16:24]) == (1050, 675)


def test_other_formats_and_bad_targets_are_refused(tmp_path: Path) -> None:
    figure = convergence_figure({"dcfr": RUN})
    for name in ("a.pdf", "a", "a.svg.gz"):
        with refuses(ConfigError, option="plot", given=name):
            save_figure(figure, tmp_path / name)
    with refuses(OutputError, option="folder", given=tmp_path / "missing"):
        save_figure(figure, tmp_path / "missing" / "a.svg")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", [".svg", ".png"])
def test_only_pictures_are_drawn_over(tmp_path: Path, suffix: str) -> None:
    target = tmp_path / f"run{suffix}"
    check_picture(target)
    save_figure(convergence_figure({"dcfr": RUN}), target)
    check_picture(target)
    target.write_text("notes of mine")
    with refuses(OutputError, option="plot", given=target.name, path=target):
        check_picture(target)


def test_names_are_not_read_as_formulas(tmp_path: Path) -> None:
    runs = {"my $x^$\x1b": RUN, "\N{CJK UNIFIED IDEOGRAPH-4E2D}": RUN}
    figure = convergence_figure(runs, title="a $\\frac$ game\n", target=0.1)
    assert figure.axes[0].get_title() == "a $\\frac$ game\\n"
    ET.parse(save_figure(figure, tmp_path / "odd.svg"))


def timed(*seconds: float) -> list[TracePoint]:
    """A run that is measured at these times."""
    return [TracePoint(k + 1, s, 2 / s, 1 / s, ()) for k, s in enumerate(seconds)]


@pytest.mark.by_default(3)
@pytest.mark.parametrize("factor", [1.02, 1.2, 1.7, 2.5, 4, 9, 11, 30, 99, 130, 1e4, 1e9])
@pytest.mark.parametrize("start", [2.2e-4, 9.7e-4, 3.0])
def test_labels_of_ticks_do_not_overlap(factor: float, start: float) -> None:
    figure = comparison_figure({"a": timed(start, start * factor**0.5, start * factor)})
    figure.draw_without_rendering()
    for axes in figure.axes:
        axis = axes.xaxis
        low, high = sorted(axis.get_view_interval())
        labels = [
            tick.label1
            for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks())
            if tick.label1.get_text() and low <= tick.get_loc() <= high
        ]
        boxes = sorted((label.get_window_extent() for label in labels), key=lambda box: box.x0)
        assert len(boxes) >= 1
        assert all(one.x1 < other.x0 for one, other in zip(boxes, boxes[1:], strict=False))


def test_intervals_are_bands() -> None:
    run = timed(1.0, 2.0, 4.0)
    band = [(1, 1.0, 0.5, 2.0), (2, 2.0, 0.0, 1.0), (3, 4.0, 0.1, 0.3)]
    left, right = comparison_figure({"a": run, "b": run}, bands={"b": band, "a": []}).axes
    for axes, places in ((left, {1, 3}), (right, {1.0, 4.0})):
        (shade,) = axes.collections
        corners = np.asarray(shade.get_paths()[0].vertices)
        assert {float(x) for x, _ in corners} == places
        assert {float(y) for _, y in corners} == {0.5, 2.0, 0.1, 0.3}
        assert to_rgb(np.asarray(shade.get_facecolor())[0]) == pytest.approx(
            to_rgb(axes.lines[1].get_color())
        )
