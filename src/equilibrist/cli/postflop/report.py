"""`equilibrist postflop report`: what every next card does to a solved spot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.signals import INTERRUPTED
from equilibrist.cli.postflop.run_options import solving
from equilibrist.cli.postflop.three import solved_three
from equilibrist.cli.text.next_commands import next_command
from equilibrist.cli.text.output import (
    heading,
    show_exactly,
    show_json,
    show_table,
    suggest,
)
from equilibrist.cli.text.progress import LiveLine
from equilibrist.errors import ConfigError
from equilibrist.options.option import DISPLAY
from equilibrist.poker.postflop.solving.spot_run import SpotRun

if TYPE_CHECKING:
    from equilibrist.poker.postflop.files.runout_report import Row
    from equilibrist.poker.postflop.spot.spot import Spot
    from equilibrist.poker.three_players.solution import ThreeSolution
    from equilibrist.poker.three_players.spot import ThreeSpot

HELP = """Solve a spot and report on every card that may be dealt after a line.

For each of the 49 turns or 48 rivers: how often it is reached, equity, EV and EQR of both players,
and the frequency of each action of the player who acts next, weighted by matchups. --csv and --json
add the EV of each action. A saved solution (a file, or a stored one: last, last-2) is not solved
again. A turn of three players has the figures of all three seats.

\b
Examples:
  equilibrist postflop report spot.toml --line "X-B120-C" --target 0.3%
  equilibrist postflop report spot.toml --line "X-X" --csv > turns.csv
  equilibrist postflop report last --line "X-X"
  equilibrist postflop report three.spot --line X-X-X
"""


def report(
    spot: Spot | ThreeSpot | ThreeSolution,
    run: SpotRun,
    *,
    line: Annotated[
        str,
        options.optional("--line", "LINE", "A line that ends a street, as X-X.", DISPLAY),
    ],
    csv: Annotated[
        bool, options.switch("--csv", "Print comma-separated values, with a header.", DISPLAY)
    ] = False,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Solve, print."""
    from equilibrist.poker.postflop.files.runout_report import (
        csv_text,
        deals_follow,
        plain,
        runout_rows,
    )
    from equilibrist.poker.postflop.spot.spot import Spot

    if csv and json:
        raise ConfigError(
            "--csv and --json are two forms of the same", option="--csv", remedy="leave out one"
        )
    if not isinstance(spot, Spot):
        _report_three(spot, run.options, line, csv=csv, json=json, quiet=quiet)
        return
    deals_follow(spot, line)
    with solving(spot, run, quiet=quiet) as solution:
        with LiveLine(quiet=quiet, interrupted="interrupted; no file was written") as live:

            def tell(done: int, cards: int) -> None:
                live.tell([f"looking at card {done + 1} of {cards}"])

            rows = runout_rows(solution, line, tell)
        if json:
            show_json({**solution.facts(), "line": line, "runouts": [plain(row) for row in rows]})
        elif csv:
            show_exactly(csv_text(rows).removesuffix("\n"))
        else:
            heading(f"{spot.board} after {line}")
            show_rows("card", rows)
            if solution.solution_file is not None and not quiet:
                file, place = solution.solution_file, rows[0]["line"]
                suggest(next_command("postflop show", file, line=place, board=None))


report.takes_three = True  # type: ignore[attr-defined]


def _report_three(
    spot: ThreeSpot | ThreeSolution,
    options: Mapping[str, Any],
    line: str,
    *,
    csv: bool,
    json: bool,
    quiet: bool,
) -> None:
    """Print what every river card does to a turn.

    Args:
        spot: The spot, which is solved, or its solution.
        options: The options of the run.
        line: A line that ends the turn.
        csv: Whether comma-separated values are printed.
        json: Whether a document is printed.
        quiet: Whether progress is left out.
    """
    from equilibrist.poker.postflop.files.runout_report import csv_text, plain
    from equilibrist.poker.three_players.report import deals_follow, runout_rows
    from equilibrist.poker.three_players.spot import ThreeSpot

    deals_follow(spot if isinstance(spot, ThreeSpot) else spot.spot, line)
    solution = solved_three(spot, options, quiet=quiet) if isinstance(spot, ThreeSpot) else spot
    with LiveLine(quiet=quiet, interrupted="interrupted; no file was written") as live:
        rows = runout_rows(
            solution,
            line,
            lambda done, cards: live.tell([f"looking at card {done + 1} of {cards}"]),
        )
    if json:
        show_json({**solution.facts(), "line": line, "runouts": [plain(row) for row in rows]})
    elif csv:
        show_exactly(csv_text(rows).removesuffix("\n"))
    else:
        heading(f"{solution.spot.board} after {line}")
        show_rows("card", rows)
    if solution.stopped_by == "interrupted" and solution is not spot:
        raise typer.Exit(INTERRUPTED)


def show_rows(first: str, rows: list[Row]) -> None:
    """Print a report: frequency and figures of all seats, then the actions."""
    from equilibrist.formatting.amounts import chips, percent

    seats = [name.removeprefix("equity_") for name in rows[0] if name.startswith("equity_")]
    taken = [name for name in rows[0] if name.endswith(" freq")]
    heads = [f"{what} {seat.upper()}" for what in ("equity", "EV", "EQR") for seat in seats]
    columns = [first, "frequency", *heads, *(name.removesuffix(" freq") for name in taken)]
    show_table(
        columns,
        [
            (
                row[first],
                percent(row["frequency"], 2),
                *(percent(row[f"equity_{seat}"], 1) for seat in seats),
                *(chips(row[f"ev_{seat}"], row["pot"]) for seat in seats),
                *(percent(row[f"eqr_{seat}"], 0) for seat in seats),
                *(percent(row[name], 1) for name in taken),
            )
            for row in rows
        ],
        indent="",
    )
