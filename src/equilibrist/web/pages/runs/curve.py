"""The curve of a run: the measure against iterations, on a logarithmic scale."""

from __future__ import annotations

from typing import Any, Final

from nicegui import ui

from equilibrist.web.jobs.job import Job

_MOST: Final = 400
"""Points that are drawn."""
_FORMAT: Final = "value => value < 0.001 ? value.toExponential(0) : String(value)"
"""In JavaScript, how the axis writes a measure: 0.01, 1e-7."""


class Curve:
    """An ECharts plot that follows a job.

    Args:
        job: The job.
    """

    def __init__(self, job: Job) -> None:
        self._job = job
        self._shown: object = None
        self._chart = ui.echart(_options(job), renderer="svg").classes("ru-curve")
        self._chart.props["role"] = "img"
        self._chart.props["aria-label"] = "Convergence: the measure by iteration"

    def follow(self) -> None:
        """Draw what is new."""
        job = self._job
        now = (len(job.points), job.points[-1:], (job.progress or {}).get("target"))
        if now == self._shown:
            return
        self._shown = now
        self._chart.options.clear()
        self._chart.options.update(_options(job))
        self._chart.update()


def _options(job: Job) -> dict[str, Any]:
    """The plot: percent of the pot for a spot, else the measure itself; zeros have no logarithm."""
    progress = job.progress or {}
    scale, unit = 1.0, ""
    if progress.get("measure_percent") and progress.get("measure"):
        scale, unit = progress["measure_percent"] / progress["measure"], ", % of the pot"
    every = max(1, -(-len(job.points) // _MOST))
    points = [
        [iteration, measure * scale]
        for iteration, _, measure in job.points[::-1][::every][::-1]
        if measure > 0
    ]
    name = str(progress.get("measure_name") or "exploitability")
    target = progress.get("target")
    axis = {
        "axisLabel": {"color": "var(--eq-muted)"},
        "nameTextStyle": {"color": "var(--eq-muted)"},
        "axisLine": {"lineStyle": {"color": "var(--eq-control-line)"}},
        "splitLine": {"lineStyle": {"color": "var(--eq-line)"}},
    }
    series: dict[str, Any] = {
        "type": "line",
        "name": name,
        "data": points,
        "showSymbol": len(points) < 40,
        "lineStyle": {"color": "var(--eq-accent)", "width": 2},
        "itemStyle": {"color": "var(--eq-accent)"},
        "animation": False,
    }
    if target:
        series["markLine"] = {
            "symbol": "none",
            "silent": True,
            "animation": False,
            "data": [{"yAxis": target * scale, "name": "target"}],
            "label": {"formatter": "target", "position": "insideEndTop", "color": "var(--eq-good)"},
            "lineStyle": {"color": "var(--eq-good)", "type": "dashed"},
        }
    return {
        "animation": False,
        "textStyle": {"fontFamily": "inherit"},
        "grid": {"left": 64, "right": 44, "top": 34, "bottom": 40},
        "tooltip": {"trigger": "axis"},
        "xAxis": {"type": "value", "name": "iterations", "nameLocation": "middle", "nameGap": 26,
                  "min": 0, **axis},
        "yAxis": {"type": "log", "name": f"{name}{unit}", **axis,
                  "axisLabel": {"color": "var(--eq-muted)", ":formatter": _FORMAT},
                  "nameTextStyle": {"color": "var(--eq-muted)", "align": "left"}},
        "series": [series],
    }  # fmt: skip
