"""`equilibrist postflop batch`: one spot on many boards."""

from __future__ import annotations

import warnings
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.signals import INTERRUPTED, terminate_like_interrupt
from equilibrist.cli.postflop.board_options import (
    FOLDER,
    GROUP,
    BoardsFile,
    Resume,
    chosen_boards,
    flops_option,
    note_skipped,
)
from equilibrist.cli.postflop.report import show_rows
from equilibrist.cli.postflop.run_options import say_stage, warn_of
from equilibrist.cli.text.help_text import GroupedCommand
from equilibrist.cli.text.next_commands import next_command
from equilibrist.cli.text.output import note, show, show_json, suggest
from equilibrist.cli.text.progress import LiveLine
from equilibrist.errors import ConfigError, EquilibristError, FileFormatError
from equilibrist.formatting.amounts import counted
from equilibrist.options.option import FILES, THREADS
from equilibrist.poker.postflop.solving.spot_run import SpotRun

if TYPE_CHECKING:
    from equilibrist.poker.postflop.spot.spot import Spot

HELP = """Solve a spot on many boards, and report on all of them.

The boards replace the spot's own. --boards is a file with one board per line, optionally followed
by a comma and a weight, such as `postflop flops --csv` prints, or boards, AhKd2c,QsJs4h; --flops
all takes the 1,755 flops with their weights, --flops subset:N a smaller subset that represents
them. The list of --boards may also stand in place of the spot file: options then describe the spot.

Every finished board is written to the folder at once; after an interruption --resume continues with
the same settings. At the end report.csv, and with the extra pandas report.parquet, has a row for
each board and one for all. Boards on which the ranges leave no deal are listed and skipped.

With --keep the solutions of boards stay in the folder, too, with the streets that it names:
`postflop show FOLDER` and `postflop browse FOLDER` open them, and --resume with further lines reads
them in place of solving again.

\b
Examples:
  equilibrist postflop batch spot.toml --flops subset:49 --target 1% --out flops
  equilibrist postflop batch spot.toml --flops subset:49 --target 1% --out flops --resume
  equilibrist postflop batch spot.toml --boards boards.txt --out study --keep
  equilibrist postflop batch spot.toml --boards boards.txt --line X --out study --resume
  equilibrist postflop batch spot.toml --flops all --hand AKs --executor ray --out flops
"""


class Kept(StrEnum):
    """The streets of solutions that are kept, as an option that Typer reads."""

    first_street = "first-street"
    no_rivers = "no-rivers"
    all = "all"


class BatchCommand(GroupedCommand):
    """The command, whose --keep may stand without a value."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the words; --keep alone keeps the first street."""
        words = []
        for word, following in zip(args, [*args[1:], "--"], strict=True):
            words.append(word)
            if word == "--keep" and following.startswith("-"):
                words.append(Kept.first_street.value)
        return super().parse_args(ctx, words)


def batch(
    spot: Spot,
    run: SpotRun,
    *,
    out: Annotated[Path, FOLDER],
    boards: BoardsFile = None,
    flops: Annotated[str | None, flops_option()] = None,
    line: Annotated[
        list[str] | None,
        options.optional(
            "--line",
            "LINE",
            "A node of the first street to report on; the root by default.",
            GROUP,
        ),
    ] = None,
    resume: Resume = False,
    keep: Annotated[
        Kept | None,
        options.optional(
            "--keep",
            "[STREETS]",
            "Keep the solutions of the boards: first-street (also without a value), no-rivers or "
            "all of their streets. Others are re-solved when they are looked up.",
            FILES,
        ),
    ] = None,
    hand: Annotated[
        list[str] | None,
        options.optional(
            "--hand",
            "HAND",
            "Columns of these hands of who acts, such as AKs or 22-66,AhKh: share, EV, actions.",
            GROUP,
        ),
    ] = None,
    executor: Annotated[
        str | None,
        options.optional(
            "--executor",
            "NAME",
            "ray: a Ray cluster solves the boards, --threads at a time on one core each. The "
            "numbers are the same.",
            THREADS,
        ),
    ] = None,
    address: Annotated[
        str | None,
        options.optional(
            "--address",
            "HOST:PORT",
            "The head node of the cluster; auto finds one on this machine, local starts one.  "
            "[default: local]",
            THREADS,
        ),
    ] = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Solve, report."""
    # Long: the signature declares every option.
    from equilibrist.poker.cards.cards import parse_board
    from equilibrist.poker.postflop.files import batch as batches
    from equilibrist.poker.postflop.files.runout_report import plain
    from equilibrist.poker.postflop.solving.cold_kernels import cold_kernels
    from equilibrist.progress import Callbacks

    if boards is None and flops is None:
        raise ConfigError(
            "give boards",
            option="--boards",
            remedy="either --boards FILE, or --flops all or subset:N",
        )
    chosen = chosen_boards(boards, flops, spot.deck)
    warn_of(spot)
    begun: list[str] = []
    with LiveLine(quiet=quiet) as live, terminate_like_interrupt():

        def tell(stage: str) -> None:
            begun.append(stage)
            live.tell([stage, stage.partition(": ")[2]])

        cards = {len(parse_board(chosen_board.board)) for chosen_board in chosen}
        cold = cold_kernels(spot, run.storage, cards, run.perturbation)
        say_stage(live, f"checking {counted(len(chosen), 'board')}", cold)
        callbacks = Callbacks(on_stage=tell)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # `warn_of` prints them
                report = batches.batch(
                    spot,
                    chosen,
                    out,
                    lines=line or ("",),
                    resume=resume,
                    keep=None if keep is None else keep.value,
                    hands=[part.strip() for text in hand or () for part in text.split(",")],
                    executor=executor,
                    address=address,
                    callbacks=callbacks,
                    **run.options,
                )
        except KeyboardInterrupt:
            done = max(len(begun) - 1, 0)
            note(f"boards in {out}: {done:,} of {len(chosen):,}; --resume continues with the rest")
            raise typer.Exit(INTERRUPTED) from None
    note_skipped(report.skipped)
    if json:
        rows = [_with_both_measures(plain(row)) for row in report.rows]
        show_json({"rows": rows, "skipped": report.skipped})
        return
    totals = [row for row in report.rows if row["board"] == batches.ALL_BOARDS]
    for place, row in enumerate(totals):
        if place:
            show()
        show(f"{row['line'] or 'root'}, {counted(len(chosen) - len(report.skipped), 'board')}:")
        show_rows("board", [row])
    note(f"the report is in {out / 'report.csv'}")
    if _keeps_solutions(out):
        suggest(next_command("postflop show", out))
    else:
        boards_alone = (chosen_board.board for chosen_board in chosen)
        possible = next((text for text in boards_alone if _is_possible(spot, text)), None)
        if possible is not None:
            suggest(next_command("postflop solve", board=possible))


def _keeps_solutions(folder: Path) -> bool:
    """Whether the folder of a batch has solutions of its boards."""
    from equilibrist.poker.postflop.files.kept_boards import KeptBoards

    try:
        KeptBoards.open(folder)
    except FileFormatError:
        return False
    return True


def _is_possible(spot: Spot, board: str) -> bool:
    """Whether a spot can be solved on another board: ranges leave deals, and locks its cards."""
    try:
        spot.replace(board=board)
    except EquilibristError:
        return False
    return True


def _with_both_measures(row: dict[str, Any]) -> dict[str, Any]:
    """A row with the same keys for spots with rake and without, null where there is no such thing.

    Without rake the mean gain is the exploitability.
    """
    measures = {
        "exploitability_percent": row.get("exploitability_percent"),
        "mean_gain_percent": row.get("mean_gain_percent", row.get("exploitability_percent")),
        "frequency_error": row.get("frequency_error"),
    }
    return {**row, **measures}
