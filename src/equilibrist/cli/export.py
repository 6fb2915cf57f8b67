"""`equilibrist export`: a solution as CSV or JSON, for spreadsheets and other programs."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from equilibrist.cli import options
from equilibrist.cli.output import note, show_exactly
from equilibrist.errors import ConfigError
from equilibrist.visible import visible

HELP = """Write a solution as CSV or JSON.

CSV has the columns player, infoset, action, probability. JSON is the document that `solve --json`
prints. Both keep every digit, and `evaluate` reads both. OUT may be - for standard output, then
--format says which.

\b
Examples:
  equilibrist export leduc-dcfr.safetensors leduc.csv
  equilibrist export leduc-dcfr.safetensors leduc.json
  equilibrist export leduc-dcfr.safetensors - --format csv | head
"""


class Format(StrEnum):
    """What to write."""

    csv = "csv"
    json = "json"


def export(
    file: Annotated[
        Path,
        typer.Argument(
            parser=options.file_name, metavar="FILE", show_default=False, help="The solution file."
        ),
    ],
    out: Annotated[
        Path,
        typer.Argument(
            parser=options.file_name,
            metavar="OUT",
            show_default=False,
            help="OUT.csv, OUT.json, or -.",
        ),
    ],
    written_as: Annotated[
        Format | None,
        typer.Option("--format", show_default=False, help="The format, if OUT does not say it."),
    ] = None,
) -> None:
    """Write the strategy of a solution file in another format."""
    from equilibrist.cli.strategy_files import check_target
    from equilibrist.solution import Solution
    from equilibrist.table_files import SUFFIXES, write_table_file

    kind = f".{written_as.value}" if written_as is not None else out.suffix.lower()
    if kind not in SUFFIXES:
        raise ConfigError(
            f"{out}: the name says the format; end it in .csv or .json, or give --format"
        )
    if str(out) != "-":
        check_target(out, file, kind)
    solution = Solution.load(file)
    text = solution.table_text(kind, file)
    if str(out) == "-":
        show_exactly(text.removesuffix("\n"))
        return
    write_table_file(out, kind, text)
    note(f"{solution.num_infosets:,} infosets of {visible(solution.game)} written to {out}")
