"""Saved charts of push or fold, and solved hands of several seats: shown and exported."""

from __future__ import annotations

import json as json_text
from pathlib import Path
from typing import Final

from equilibrist.cli.inputs.dispatch.file_kinds import PUSH_FOLD
from equilibrist.cli.text.holdem.multiway_text import show_decision, show_multiway
from equilibrist.cli.text.holdem.push_fold_text import show_charts
from equilibrist.cli.text.output import note, show_exactly, show_json
from equilibrist.errors import ConfigError
from equilibrist.formatting.amounts import counted

_FORMATS: Final = ("csv", "json")


def inspect_charts(file: Path, kind: str, line: str, *, json: bool) -> None:
    """Show a file: all charts of push or fold, or a decision of a hand of several seats."""
    if kind == PUSH_FOLD:
        from equilibrist.poker.preflop.push_fold_files import load_push_fold

        charts = load_push_fold(file)
        if line:
            raise ConfigError(
                "charts of push or fold are all shown",
                option="--line",
                given=line,
                remedy="leave it out",
            )
        if json:
            show_json(charts.to_dict())
        else:
            show_charts(charts, grid=True)
        return
    from equilibrist.poker.preflop.multiway.files import load_multiway

    solution = load_multiway(file)
    node = solution.at(line)
    if json:
        show_json(solution.to_dict(line))
    else:
        show_multiway(solution)
        show_decision(node, grid=True)


def evaluate_charts(file: Path, kind: str, *, json: bool) -> None:
    """Show what was measured when the file was made."""
    if kind == PUSH_FOLD:
        from equilibrist.poker.preflop.push_fold_files import load_push_fold

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
    """Write all decisions as CSV or JSON."""
    from equilibrist.storage.tables import write_table_file

    form = out.suffix.lower().removeprefix(".") if written_as is None else written_as
    if form not in _FORMATS:
        raise ConfigError(
            f"{out}: unknown file format",
            option="--format",
            given=out.name,
            remedy="use a name that ends in .csv or .json",
        )
    if kind == PUSH_FOLD:
        from equilibrist.poker.preflop.push_fold_files import load_push_fold
        from equilibrist.poker.preflop.push_fold_solution import charts_csv

        charts = load_push_fold(file)
        csv, document, count = charts_csv([charts]), charts.to_dict(), len(charts.charts)
    else:
        from equilibrist.poker.preflop.multiway.files import load_multiway

        solution = load_multiway(file)
        csv, document, count = solution.to_csv(), solution.to_dict(), len(solution.lines())
    text = csv if form == "csv" else json_text.dumps(document, indent=1) + "\n"
    if str(out) == "-":
        show_exactly(text.removesuffix("\n"))
        return
    write_table_file(out, f".{form}", text)
    note(f"{counted(count, 'decision')} written to {out}")
