"""`equilibrist postflop export`: the tree of a solved spot as a file for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.strategy_files import only_out
from equilibrist.cli.postflop.run_options import solving
from equilibrist.cli.text.next_commands import next_command
from equilibrist.cli.text.output import note, suggest
from equilibrist.cli.text.progress import LiveLine
from equilibrist.errors import ConfigError
from equilibrist.formatting.amounts import bytes_text, counted, seconds_text
from equilibrist.library.kinds import open_spot, refuse_options
from equilibrist.options.option import FILES
from equilibrist.poker.postflop.solving.spot_run import SpotRun
from equilibrist.storage.kinds.file_kinds import SPOT_SOLUTION

if TYPE_CHECKING:
    from equilibrist.poker.postflop.solution.tree_files.plan import ExportPlan
    from equilibrist.poker.postflop.spot.spot import Spot

HELP = """Solve a spot and write its tree as JSON, CSV or Parquet, with the EV of every action.

The suffix of the file selects the format: .json is one document, .jsonl has one node per line, .csv
and .parquet (extra `pandas`) have one hand per row. The size and the time of the file are said
beforehand. Nodes are streamed, so that a tree of any size takes little memory; the file
appears under its name when it is complete. Hands blocked by the board are never written.

Of isomorphic runouts one is written, with their number, unless --all-runouts. --line selects a node
and what follows it; cards may be left out of the line. A saved solution (a file, or a stored one:
last, last-2) is written without solving again.

\b
Examples:
  equilibrist postflop export spot.toml --target 0.3% --out tree.json
  equilibrist postflop export last --out tree.csv
  equilibrist postflop export spot.toml --street river --line "X-B120" --out rivers.csv
  equilibrist postflop export spot.toml --line "X-X|2c" --hand "AhKh,QQ" --out tree.jsonl
"""


_WRITTEN: Final = "What is written"


def export(
    spot: Spot,
    run: SpotRun,
    *,
    written: Annotated[
        Path | None,
        options.file_argument("OUT", "OUT.json, .jsonl, .csv or .parquet; or --out OUT."),
    ] = None,
    out: Annotated[
        Path | None,
        options.file("--out", "FILE", "FILE.json, FILE.jsonl, FILE.csv or FILE.parquet.", FILES),
    ] = None,
    line: Annotated[
        str, options.optional("--line", "LINE", "Write this node and what follows it.", _WRITTEN)
    ] = "",
    street: Annotated[
        str | None,
        options.optional(
            "--street", "STREETS", "Write these streets only, as `river` or `flop,turn`.", _WRITTEN
        ),
    ] = None,
    hand: Annotated[
        str | None,
        options.optional(
            "--hand", "RANGE", "Write these hands only, as `AhKh` or `QQ+`.", _WRITTEN
        ),
    ] = None,
    all_runouts: Annotated[
        bool,
        options.switch("--all-runouts", "Include runouts that are isomorphic to others.", _WRITTEN),
    ] = False,
    ends: Annotated[
        bool,
        options.switch(
            "--ends", "Include nodes where nobody acts: folds, cards, showdowns.", _WRITTEN
        ),
    ] = False,
    quiet: options.Quiet = False,
) -> None:
    """Solve, write."""
    from equilibrist.poker.postflop.files.tree_export import export_tree
    from equilibrist.poker.postflop.solution.tree_files.tree_filter import NodeFilter
    from equilibrist.poker.postflop.solution.tree_files.writing import file_form, refuse_foreign
    from equilibrist.storage.archive import check_writable

    out = only_out(written, out)
    form = file_form(out)
    check_writable(out)
    refuse_foreign(out, form)
    choice = NodeFilter(spot, line, street, hand, all_runouts=all_runouts, ends=ends)
    with (
        solving(spot, run, quiet=quiet) as solution,
        LiveLine(quiet=quiet, interrupted="interrupted; no file was written") as live,
    ):

        def tell(done: int, boards: int) -> None:
            live.tell([f"writing board {done + 1:,} of {boards:,}"])

        def plan(planned: ExportPlan) -> None:
            nodes, boards = counted(planned.nodes, "node"), counted(planned.boards, "board")
            seconds = seconds_text(float(f"{planned.seconds:.1g}"))
            size = bytes_text(planned.num_bytes)
            live.stage(f"writing {nodes} on {boards}, about {size} in {seconds}")

        live.stage("estimating the size of the file", aloud=False)
        nodes = export_tree(solution, out, choice, tell, plan)
        note(f"{solution}")
        note(f"{nodes:,} node{'s' * (nodes != 1)} written to {out}")
        if solution.solution_file is not None and not quiet:
            suggest(next_command("postflop browse", solution.solution_file, board=None))


export.takes_prizes = True  # type: ignore[attr-defined]


def export_spot(file: Path, out: Path, written_as: str | None) -> None:
    """Do what `export` does with the solution of a spot: write its whole tree."""
    from equilibrist.cli.inputs.strategy_files import check_target

    refuse_options(file, SPOT_SOLUTION, {"--format": written_as})
    if str(out) == "-":
        raise ConfigError(
            "the tree of a spot is written to a file",
            option="out",
            given=str(out),
            remedy="give OUT.json, OUT.jsonl, OUT.csv or OUT.parquet",
        )
    check_target(out, file, "")
    solution = open_spot("export", file)
    export(solution.spot, SpotRun({}, solution), out=out)
