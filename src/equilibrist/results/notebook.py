"""A result as a notebook shows it."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from equilibrist.drawing.curves import curves_svg
from equilibrist.formatting.amounts import counted
from equilibrist.solvers.run.trace import TracePoint


def figures_html(
    caption: str, rows: Iterable[tuple[str, str]], curve: str, texts: Iterable[str]
) -> str:
    """A table of figures, a curve, and what is to be said of them.

    Args:
        caption: The name above the table, as plain text.
        rows: Name and figure, as plain text.
        curve: An SVG element, or nothing.
        texts: A paragraph each, as plain text.

    Returns:
        HTML without scripts.
    """
    body = "".join(f"<tr><th>{escape(k)}</th><td>{escape(v)}</td></tr>" for k, v in rows)
    paragraphs = "".join(f"<p>{escape(text)}</p>" for text in texts)
    return f"<table><caption>{escape(caption)}</caption>{body}</table>{curve}{paragraphs}"


def run_rows(
    algorithm: str, iterations: int, stopped_by: str, seconds: float
) -> list[tuple[str, str]]:
    """The rows that every run has: how it was made, what ended it, and its seconds."""
    return [
        ("algorithm", f"{algorithm}, {counted(iterations, 'iteration')}"),
        ("stopped by", stopped_by),
        ("seconds", f"{seconds:.3g}"),
    ]


def trace_curve(
    name: str, trace: Iterable[TracePoint], measure_name: str, target: float | None
) -> str:
    """The convergence as an SVG element; empty without measurements."""
    points = [(point.iteration, point.measure) for point in trace]
    return curves_svg({name: points}, measure=measure_name, target=target)
