"""`equilibrist postflop export`: the tree of a solved spot as a file for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from equilibrist.cli.inputs import options
from equilibrist.cli.postflop.run_options import Quiet, solving
from equilibrist.cli.text.output import note
from equilibrist.cli.text.progress import LiveLine

if TYPE_CHECKING:
    from equilibrist.poker.spots.spot import Spot

HELP = """Solve a spot and write its tree as JSON or CSV, with EV and equity of every hand.

The name of the file says the format: .json is one document, .jsonl has a node in each line, .csv a
hand. Nodes are written as they come, so that a tree of any size takes little memory; a file appears
under its name when it is complete. Hands that share a card with the board are never written.

Of runouts that are the same but for the names of suits one is written, with how many it stands for,
unless --all-runouts. --line leaves a node and what follows it; cards may be left out of the line.
A solution that was saved by `postflop solve --out` is written without solving again.

\b
Examples:
  equilibrist postflop export spot.toml --target 0.3% --out tree.json
  equilibrist postflop export solved.spot --out tree.csv
  equilibrist postflop export spot.toml --street river --line "X-B120" --out rivers.csv
  equilibrist postflop export spot.toml --line "X-X|2c" --hand "AhKh,QQ" --out tree.jsonl
"""


def export(
    spot: Spot,
    run: dict[str, Any],
    *,
    out: Annotated[
        Path,
        options.file("--out", "FILE", "FILE.json, FILE.jsonl or FILE.csv."),
    ],
    line: Annotated[
        str, typer.Option("--line", metavar="LINE", show_default=False, help="From this node on.")
    ] = "",
    street: Annotated[
        str | None,
        options.optional("--street", "STREETS", "These streets alone, as `river` or `flop,turn`."),
    ] = None,
    hand: Annotated[
        str | None, options.optional("--hand", "RANGE", "These hands alone, as `AhKh` or `QQ+`.")
    ] = None,
    all_runouts: Annotated[
        bool, typer.Option("--all-runouts", help="Runouts that are suit images of others, too.")
    ] = False,
    ends: Annotated[
        bool, typer.Option("--ends", help="Nodes where nobody acts, too: folds, cards, showdowns.")
    ] = False,
    quiet: Quiet = False,
) -> None:
    """Solve, write."""
    from equilibrist.poker.files.tree_export import export_tree
    from equilibrist.poker.solutions.node_files import file_form
    from equilibrist.poker.solutions.tree_filter import NodeFilter
    from equilibrist.storage.archive import check_writable

    file_form(out)
    check_writable(out)
    choice = NodeFilter(spot, line, street, hand, all_runouts=all_runouts, ends=ends)
    with solving(spot, run, quiet=quiet) as solution, LiveLine(quiet=quiet) as live:

        def tell(done: int, boards: int) -> None:
            live.tell([f"writing board {done + 1:,} of {boards:,}"])

        nodes = export_tree(solution, out, choice, tell)
        note(f"{solution}")
        note(f"{nodes:,} nodes written to {out}")
