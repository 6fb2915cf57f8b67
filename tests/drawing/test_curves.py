"""Curves in HTML: points where logarithms say, decades labelled, everything inside the picture."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET

import pytest

import equilibrist as eq
from equilibrist.drawing.curves import curves_svg

NAMESPACE = "{http://www.w3.org/2000/svg}"


def parsed(svg: str) -> tuple[list[list[tuple[float, float]]], dict[str, tuple[float, float]]]:
    """The corners of all curves, and the places of all labels."""
    root = ET.fromstring(svg)
    lines = [
        [(float(x), float(y)) for x, y in (pair.split(",") for pair in line.get("points").split())]
        for line in root.iter(f"{NAMESPACE}polyline")
    ]
    labels = {
        text.text or "": (float(text.get("x", 0)), float(text.get("y", 0)))
        for text in root.iter(f"{NAMESPACE}text")
    }
    return lines, labels


def test_points_stand_where_their_logarithms_are() -> None:
    points = [(1, 1e-1), (10, 1e-2), (100, 1e-3), (1000, 3e-4)]
    (line,), labels = parsed(curves_svg({"a": points}))
    (x0, y0), (x1, y1) = labels["1"], labels["1e3"]
    assert y0 == y1
    for (x, _), (place, _) in zip(points, line, strict=True):
        assert place == pytest.approx(x0 + math.log10(x) / 3 * (x1 - x0), abs=0.06)
    top, bottom = labels["1e-1"][1], labels["1e-4"][1]
    assert top < bottom
    for (_, y), (_, place) in zip(points, line, strict=True):
        share = (-1 - math.log10(y)) / 3
        assert place + 4 == pytest.approx(top + share * (bottom - top), abs=0.06)
    assert "iterations" in labels
    assert "exploitability" in labels
    assert "a" not in labels


@pytest.mark.parametrize("low", [1e-300, 1e-12, 0.3, 40.0])
@pytest.mark.parametrize("factor", [1.0, 1.5, 1e3, 1e15])
def test_labels_have_room(low: float, factor: float) -> None:
    curve = [(1.0, low), (1e3, low * factor)]
    (line,), labels = parsed(curves_svg({"a": curve}, over="over", measure="up"))
    places = sorted(y for text, (x, y) in labels.items() if x < 60 and text not in ("over", "up"))
    assert len(places) >= 2
    assert all(b - a >= 20 for a, b in zip(places, places[1:], strict=False))
    assert all(0 <= x <= 480 and 0 <= y <= 260 for x, y in line)


def test_several_curves_are_named_and_one_point_is_a_dot() -> None:
    svg = curves_svg({"<a>": [(1, 1), (2, 0.5)], "b": [(3, 0.1)], "c": [(0, 1)]}, target=1e-3)
    lines, labels = parsed(svg)
    assert len(lines) == 1
    assert {"<a>", "b", "c"} <= labels.keys()
    assert "1e-3" in labels, "the axis reaches down to the target"
    assert svg.count("stroke-dasharray") == 1
    assert svg.count("<circle") == 1
    assert "<script" not in svg


def test_nothing_above_zero_draws_nothing() -> None:
    assert curves_svg({"a": [(1, 0.0), (0, 1.0)], "b": []}) == ""


def test_results_show_their_curve_in_notebooks() -> None:
    result = eq.solve("kuhn", iterations=30)
    (line,), _ = parsed(svg_in(result._repr_html_()))
    assert len(line) == len(result.trace)
    comparison = eq.compare("kuhn", ["cfr", "dcfr"], iterations=30)
    lines, labels = parsed(svg_in(comparison._repr_html_()))
    assert [len(line) for line in lines] == [len(run.points) for run in comparison.runs]
    assert {"cfr", "dcfr"} <= labels.keys()
    assert "<svg" not in eq.solve("kuhn", "lp")._repr_html_()


def svg_in(html: str) -> str:
    return html[html.index("<svg") : html.index("</svg>") + 6]


def test_hints_name_the_target_and_tell_the_numbers_of_points() -> None:
    curve = [(1.0, 0.5), (1200.0, 0.00123), (1300.0, 0.0)]
    plain, hinted = (curves_svg({"a": curve}, target=1e-3, hints=on) for on in (False, True))
    assert "title" not in plain
    assert "target" not in plain
    root = ET.fromstring(hinted)
    told = [title.text for title in root.iter(f"{NAMESPACE}title")]
    assert told == ["1 iterations: 0.5", "1,200 iterations: 0.00123"]
    assert "target" in parsed(hinted)[1]
