"""Saved charts of push or fold, and solved hands of several seats: shown and exported."""

from __future__ import annotations

from pathlib import Path

from equilibrist.cli.text.holdem.class_rows import ClassRows
from equilibrist.cli.text.holdem.multiway_text import show_decision, show_multiway
from equilibrist.cli.text.holdem.push_fold_text import show_chart, show_charts
from equilibrist.cli.text.output import show_json
from equilibrist.formatting.amounts import counted
from equilibrist.storage.kinds.file_kinds import PUSH_FOLD


def inspect_charts(
    file: Path, kind: str, line: str, hands: str, *, draw: Path | None, json: bool
) -> None:
    """Show a file: charts of push or fold, or a decision of a hand of several seats."""
    if draw is not None:
        from equilibrist.poker.postflop.solution.grid_pictures import check_picture

        check_picture(draw, "--draw")
    if kind == PUSH_FOLD:
        _inspect_pushes(file, line, hands, draw=draw, json=json)
        return
    from equilibrist.poker.preflop.multiway.files import load_multiway

    solution = load_multiway(file)
    node = solution.at(line)
    rows = ClassRows.of_node(node)
    if draw is not None:
        rows.draw(draw)
    if hands:
        rows.show(hands, json=json)
    elif json:
        show_json(solution.to_dict(line))
    else:
        show_multiway(solution)
        show_decision(node, grid=True)


def _inspect_pushes(file: Path, line: str, hands: str, *, draw: Path | None, json: bool) -> None:
    """Show all charts, or that after a line of letters."""
    import numpy as np

    from equilibrist.poker.betting.actions import FOLD, Action, Kind
    from equilibrist.poker.cards.combos import CLASS_NAMES
    from equilibrist.poker.preflop.push_fold.files import load_push_fold

    charts = load_push_fold(file)
    if not (charts.charts or line or hands or draw):  # nobody decides
        show_json(charts.to_dict()) if json else show_charts(charts, grid=False)
        return
    chart = charts.at(line)
    scale, valued = (1.0, "gain") if chart.unit == "bb" else (100.0, "% gain")
    pushes, gains = chart.frequencies, np.stack([np.zeros(len(CLASS_NAMES)), scale * chart.gains])
    rows = ClassRows(
        chart.title, CLASS_NAMES, np.ones(len(CLASS_NAMES)), ("F", "A"),
        np.stack([1.0 - pushes, pushes]), gains, (FOLD, Action(Kind.ALL_IN)), valued,
    )  # fmt: skip
    if draw is not None:
        rows.draw(draw)
    if hands:
        rows.show(hands, json=json)
    elif json:
        show_json(chart.to_dict() if line else charts.to_dict())
    elif line:
        show_chart(chart, grid=True)
    else:
        show_charts(charts, grid=True)


def evaluate_charts(file: Path, kind: str, *, json: bool) -> None:
    """Show what was measured when the file was made."""
    if kind == PUSH_FOLD:
        from equilibrist.poker.preflop.push_fold.files import load_push_fold

        charts = load_push_fold(file)
        if json:
            document = charts.to_dict()
            del document["charts"]
            show_json(document)
        else:
            show_charts(charts, grid=False)
        return
    from equilibrist.poker.preflop.multiway.files import load_multiway

    solution = load_multiway(file)
    if json:
        document = solution.to_dict("")
        del document["nodes"]
        show_json(document)
    else:
        show_multiway(solution)


def export_charts(file: Path, kind: str, out: Path, written_as: str | None) -> None:
    """Write all decisions as CSV, JSON, or ranges, a line of text each."""
    from equilibrist.cli.text.holdem.decision_files import Decisions, file_format, write_decisions

    form = file_format(out, written_as)
    if kind == PUSH_FOLD:
        from equilibrist.poker.preflop.push_fold.files import load_push_fold
        from equilibrist.poker.preflop.push_fold.solution import charts_csv

        charts = load_push_fold(file)
        count = counted(len(charts.charts), "decision")
        found = Decisions(lambda: charts_csv([charts]), charts.to_dict, charts.ranges, count)
    else:
        from equilibrist.poker.preflop.multiway.files import load_multiway

        solution = load_multiway(file)
        count = counted(len(solution.lines()), "decision")
        found = Decisions(solution.to_csv, solution.to_dict, solution.ranges, count)
    write_decisions(out, form, found)
