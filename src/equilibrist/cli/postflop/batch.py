"""`equilibrist postflop batch`: one spot on many boards."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.signals import INTERRUPTED, terminate_like_interrupt
from equilibrist.cli.postflop.report import show_rows
from equilibrist.cli.postflop.run_options import Quiet, say_stage
from equilibrist.cli.text.output import note, show, show_json
from equilibrist.cli.text.progress import LiveLine
from equilibrist.errors import ConfigError

if TYPE_CHECKING:
    from equilibrist.poker.spots.spot import Spot

HELP = """Solve a spot on many boards, and report on all of them.

The boards take the place of the spot's own. --boards is a file with one in each line, maybe with a
weight behind a comma, such as `postflop flops --csv` prints; --flops all takes the 1,755 flops with
their weights, --flops subset:N fewer that stand for all.

Every finished board is written to the folder at once; after an interruption --resume goes on there,
with the same settings. In the end report.csv, and with the extra pandas report.parquet, has a row
for each board and one for all. Boards on which the spot leaves no deal are named and left out.

\b
Examples:
  equilibrist postflop batch spot.toml --flops subset:49 --target 1% --out flops
  equilibrist postflop batch spot.toml --flops subset:49 --target 1% --out flops --resume
  equilibrist postflop batch spot.toml --boards boards.txt --line "" --line X --out study
"""


def batch(
    spot: Spot,
    run: dict[str, Any],
    *,
    out: Annotated[
        Path,
        options.file("--out", "FOLDER", "Where the boards and the report go."),
    ],
    boards: Annotated[
        Path | None,
        options.file("--boards", "FILE", "A file with a board in each line."),
    ] = None,
    flops: Annotated[
        str | None, options.optional("--flops", "WHICH", "all, or subset:N, such as subset:49.")
    ] = None,
    line: Annotated[
        list[str] | None,
        options.optional(
            "--line", "LINE", "A node of the first street to report on; the root by default."
        ),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with what is in FOLDER.")] = False,
    json: options.Json = False,
    quiet: Quiet = False,
) -> None:
    """Solve, report."""
    from equilibrist.poker.files import batch as batches
    from equilibrist.poker.files.runout_report import plain
    from equilibrist.progress import Callbacks

    if (boards is None) == (flops is None):
        raise ConfigError(
            "give boards",
            option="--boards",
            remedy="either --boards FILE, or --flops all or subset:N",
        )
    chosen = batches.read_boards(boards) if boards else batches.flop_boards(f"{flops}")
    begun: list[str] = []
    with LiveLine(quiet=quiet) as live, terminate_like_interrupt():

        def tell(stage: str) -> None:
            begun.append(stage)
            live.tell([stage, stage.partition(": ")[2]])

        say_stage(live, f"checking {len(chosen):,} boards", run.get("storage", "float32"))
        told = Callbacks(on_stage=tell)
        try:
            report = batches.batch(
                spot, chosen, out, lines=line or ("",), resume=resume, callbacks=told, **run
            )
        except KeyboardInterrupt:
            done = max(len(begun) - 1, 0)
            note(f"{done:,} of {len(chosen):,} boards are in {out}; --resume goes on with the rest")
            raise typer.Exit(INTERRUPTED) from None
    for board, reason in report.skipped.items():
        note(f"{board} left out: {reason}")
    if json:
        rows = [plain(row) for row in report.rows]
        show_json({"rows": rows, "skipped": report.skipped})
        return
    totals = [row for row in report.rows if row["board"] == batches.ALL_BOARDS]
    for place, row in enumerate(totals):
        if place:
            show()
        show(f"{row['line'] or 'root'}, {len(chosen) - len(report.skipped):,} boards:")
        show_rows("board", [row])
    note(f"the report is in {out / 'report.csv'}")
