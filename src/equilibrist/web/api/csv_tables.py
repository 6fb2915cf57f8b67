"""Tables of pages as CSV: races, infosets, drawn trees, payoff tables, charts."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any, Final, Literal

from equilibrist.formatting.escaping import guard_cell
from equilibrist.web.answers.games import DrawnTree, InfosetDocument, MatrixTable, MatrixTrajectory
from equilibrist.web.answers.solutions import ChartDocument
from equilibrist.web.errors import ConflictError
from equilibrist.web.jobs.job import Job

_STATE: Final = ("current", "regret")


def rows_csv(names: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Rows as CSV with all digits; what is not known is an empty cell.

    Args:
        names: The columns.
        rows: A value for each of them.
    """
    text = io.StringIO()
    cells = [[_cell(value) for value in row] for row in rows]
    # Python 3.11 leaves a lone carriage return unquoted, and no reader takes that.
    is_odd = any("\r" in cell for row in cells for cell in row)
    quoting: Literal[0, 1] = csv.QUOTE_ALL if is_odd else csv.QUOTE_MINIMAL
    writer = csv.writer(text, lineterminator="\n", quoting=quoting)
    writer.writerow(map(guard_cell, names))
    writer.writerows(cells)
    return text.getvalue()


def curves_csv(job: Job) -> str:
    """The measurements of a run, or of all runs of a race: a row each.

    Args:
        job: The job; `run` counts the runs of an entry from 0.
    """
    algorithm = job.options.get("algorithm") or (job.progress or {}).get("algorithm") or ""
    curves = [(algorithm, 0, job.points)] if job.points else []
    for name, points in job.curves.items():
        curves.append((name, 0, points))
        curves += [(name, int(run), more) for run, more in job.more_seeds.get(name, {}).items()]
    rows = [(name, run, *point) for name, run, points in curves for point in points]
    return rows_csv(("algorithm", "run", "iteration", "seconds", "measure"), rows)


def comparison_csv(job: Job) -> str:
    """What the entries of a race have reached: a row each, and columns for every level.

    Args:
        job: The job.

    Raises:
        ConflictError: It is no race that has ended.
    """
    if job.comparison is None:
        raise ConflictError(
            "this is no race that has ended, so there is no comparison",
            option="job",
            given=job.state if job.kind == "compare" else job.kind,
            expected="a race that is done",
            remedy="/api/jobs/ID/curves.csv has what was measured so far",
        )
    figures = ("iterations", "seconds", "stopped_by", "nash_conv", "exploitability", "gap")
    levels = [f"{level:g}" for level in job.comparison["levels"]]
    names = ["algorithm", *figures, "error"]
    names += [f"{what} to {level}" for level in levels for what in ("iterations", "seconds")]
    rows: list[list[Any]] = []
    for entry in job.comparison["algorithms"]:
        reached = [entry["reached"].get(level) or {} for level in levels]
        at = [level.get(what) for level in reached for what in ("iterations", "seconds")]
        rows.append([entry["algorithm"], *(entry.get(name) for name in figures), None, *at])
    for failed in job.comparison["failed"]:
        blank = [None] * len(figures)
        rows.append([failed["algorithm"], *blank, failed["error"], *[None] * 2 * len(levels)])
    return rows_csv(names, rows)


def infosets_csv(infosets: Iterable[InfosetDocument]) -> str:
    """Infosets of a solution: a row for each action.

    Args:
        infosets: Documents of `infoset_table`.
    """
    names = ("player", "infoset", "action", "probability", "histories", "reach",
             "counterfactual_reach", "value", "cf_value", "action_cf_value", *_STATE)  # fmt: skip
    rows = []
    for entry in infosets:
        of_actions = [entry["cf_action_values"], entry.get("current"), entry.get("regrets")]
        figures = [
            entry["histories"],
            entry["reach"],
            entry["counterfactual_reach"],
            entry["value"],
            entry["cf_value"],
        ]
        for action, probability in entry["strategy"].items():
            more = [None if table is None else table.get(action) for table in of_actions]
            rows.append([entry["player"], entry["infoset"], action, probability, *figures, *more])
    return rows_csv(names, rows)


def tree_csv(tree: DrawnTree) -> str:
    """A drawn tree: a row for each history, with the payoffs of those at which play ends.

    Args:
        tree: Its document; histories have bars between actions.
    """
    payoffs = [f"payoff {player}" for player in range(tree["num_players"])]
    blank: list[float | None] = [None] * len(payoffs)
    names = ["history", "kind", "player", "infoset", "action", "probability", *payoffs]
    rows = [
        [
            " | ".join(node["history"]),
            node["kind"],
            node["player"] if node["kind"] == "decision" else None,
            node["infoset"],
            node["action"],
            node["probability"],
            *(node["payoffs"] or blank),
        ]
        for node in tree["nodes"]
    ]
    return rows_csv(names, rows)


def matrix_csv(table: MatrixTable) -> str:
    """A payoff table: a row for each pair of actions.

    Args:
        table: Its document.
    """
    rows = [
        [row, column, *table["payoffs"][i][j]]
        for i, row in enumerate(table["rows"])
        for j, column in enumerate(table["columns"])
    ]
    return rows_csv(("row", "column", "payoff 0", "payoff 1"), rows)


def trajectory_csv(path: MatrixTrajectory) -> str:
    """The path of an algorithm through a payoff table: a row for each iteration and action.

    Args:
        path: Its document.
    """
    labels = (path["rows"], path["columns"])
    rows = [
        [moment["iteration"], player, action, current, average]
        for moment in path["moments"]
        for player, names in enumerate(labels)
        for action, current, average in zip(
            names, moment["current"][player], moment["average"][player], strict=True
        )
    ]
    return rows_csv(("iteration", "player", "action", "current", "average"), rows)


def chart_csv(chart: ChartDocument) -> str:
    """A decision of a chart: a row for each class of hands, with the frequencies of actions.

    Args:
        chart: Its document.
    """
    actions = [action["name"] for action in chart["way"][-1]["actions"]]
    names = ["hand", "combos", "reach", *actions, "ev", *(f"{name} ev" for name in actions)]
    rows = [
        [
            hand,
            entry["combos"],
            entry["reach"],
            *entry["strategy"],
            entry["ev"],
            *(entry["action_ev"] or [None] * len(actions)),
        ]
        for hand, entry in chart["classes"].items()
    ]
    return rows_csv(names, rows)


def _cell(value: Any) -> str:
    if value is None or value != value:
        return ""
    return repr(float(value)) if isinstance(value, float) else guard_cell(str(value))
