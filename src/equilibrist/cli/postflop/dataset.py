"""`equilibrist postflop dataset`: situations with the values of all hands, to train networks on."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import typer

from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.parameters import with_options
from equilibrist.cli.inputs.signals import INTERRUPTED, terminate_like_interrupt
from equilibrist.cli.text.output import note, show, show_json
from equilibrist.cli.text.progress import LiveLine
from equilibrist.errors import ConfigError
from equilibrist.formatting.amounts import seconds_text
from equilibrist.options.option import DISPLAY, FILES, STOPPING, THREADS, declare, shared
from equilibrist.options.solve_options import HOLDEM_RUN_OPTIONS
from equilibrist.parsing.arguments import real_number
from equilibrist.poker.postflop.spot.fields import SPOT_OPTIONS
from equilibrist.progress import Callbacks

if TYPE_CHECKING:
    from equilibrist.progress import Progress

_ROWS: Final = "Situations"

HELP: Final = """Make situations at the beginning of a street, and value all hands of both players.

Boards are dealt. Ranges are random ones in which hands of about the same strength are alike, with
DeepStack's pots and stacks of 200 big blinds. For the share --solved, board, ranges and chips are
those to which solved play of the street before leads, with stacks of 100 big blinds and pots of
5.5, 9, 22 or 48 at its beginning. Each situation is solved to the end of the hand by the engine of
`postflop solve`; a row keeps the board, pot, stack, both ranges, the counterfactual value of every
hand in pots, and the exploitability at which solving ended. With --whole-streets a spot of the
street before is solved for some 200 rows at once.

Rows depend on the settings and their number alone, not on the number of threads or machines. They
are written in parts as they are made; a run that was stopped in any way goes on with --resume, also
to more rows. `postflop train` fits a network to them.

\b
Examples:
  equilibrist postflop dataset --street river --spots 100000 -o river
  equilibrist postflop dataset --street river --spots 200000 -o river --resume
  equilibrist postflop dataset --street turn --spots 20000 --target 0.5% --time 8h -o turn
  equilibrist postflop dataset --street turn --whole-streets --spots 100000 --target 1% \\
      --bets 60% --raises 2.5x -o turns
"""


@dataclass(frozen=True)
class DatasetOptions:
    """What rows are made, and by whom; None for what was not typed."""

    street: str = declare(
        "choice", _ROWS, "The street that begins.", choices=("turn", "river"), required=True
    )
    spots: int = declare(
        "count", _ROWS, "How many situations the folder is to have.", required=True
    )
    out: Path = declare(
        "file",
        FILES,
        "Save the rows in this folder.",
        metavar="FOLDER",
        flags=("--out", "-o"),
        required=True,
    )
    resume: bool = declare("switch", FILES, "Go on with the rows that FOLDER lacks.")
    seed: int = declare("whole number", _ROWS, "Seed of boards, chips and ranges.", default="0")
    target: str = declare(
        "text",
        STOPPING,
        "Solve each situation to this exploitability, in percent of the pot.",
        metavar="X%",
        default="0.3%",
        flags=("--target", "-t"),
    )
    solved: float | None = declare(
        "real number",
        _ROWS,
        "The share of situations whose ranges are from solved play, from 0 to 1.",
        default_text="0.3",
    )
    whole_streets: bool = declare(
        "switch",
        _ROWS,
        "Take all situations to which solved spots of the street before lead, with the values of "
        "these solutions: many times as many rows in the same time, without values of hands that "
        "nobody holds. --solved and --max-ratio are refused then.",
    )
    max_ratio: float | None = declare(
        "real number",
        _ROWS,
        "The largest stack / pot of random situations.",
        default_text="25 on the turn, 100 on the river",
    )
    bets: str = shared(SPOT_OPTIONS["bets"], default="100%,a")
    raises: str = shared(SPOT_OPTIONS["raises"], default="100%,a")
    add_all_in: str = shared(SPOT_OPTIONS["add_all_in"], default="0%")
    force_all_in: str = shared(SPOT_OPTIONS["force_all_in"], default="0%")
    merge: str = shared(SPOT_OPTIONS["merge"], default="0%")
    seconds: float | None = shared(
        HOLDEM_RUN_OPTIONS["seconds"],
        help="Begin no situation after so many seconds (or 10m, 1.5h); what is made by then stays.",
    )
    threads: int | None = shared(
        HOLDEM_RUN_OPTIONS["threads"],
        help="Solve so many situations at a time; rows are the same for any number.",
    )
    ray: str | None = declare(
        "text",
        THREADS,
        "Solve on a Ray cluster, --threads parts of the rows at a time: its head node; auto finds "
        "one on this machine, local starts one.",
        metavar="HOST:PORT",
    )
    json: bool = shared(options.JSON, group=DISPLAY)
    quiet: bool = shared(options.QUIET)


@with_options
def dataset(run: DatasetOptions) -> None:
    """Make rows, and say how many there are."""
    from equilibrist.learned.holdem_values.dataset import make_dataset
    from equilibrist.learned.holdem_values.shard import DatasetPlan

    if run.solved is not None:
        real_number("--solved", run.solved, 0.0, 1.0)
    if run.max_ratio is not None:
        real_number("--max-ratio", run.max_ratio, 0.1, 1e4)
    for option, value in (("--solved", run.solved), ("--max-ratio", run.max_ratio)):
        if run.whole_streets and value is not None:
            raise ConfigError(
                f"{option} is about situations that are drawn; --whole-streets takes those to "
                "which solved spots lead",
                option=option,
                given=value,
                remedy=f"leave out {option} or --whole-streets",
            )
    plan: Any = DatasetPlan(
        street=run.street,  # type: ignore[arg-type] # a choice
        seed=run.seed,
        target=run.target,
        max_ratio=run.max_ratio,
        bets=run.bets,
        raises=run.raises,
        add_all_in=run.add_all_in,
        force_all_in=run.force_all_in,
        merge=run.merge,
        whole_streets=run.whole_streets,
        **({} if run.solved is None else {"solved_share": run.solved}),
    )
    with LiveLine(quiet=run.quiet or run.json, interrupted="") as live, terminate_like_interrupt():
        try:
            report = make_dataset(
                run.out,
                plan,
                run.spots,
                resume=run.resume,
                threads=run.threads,
                seconds=run.seconds,
                ray=run.ray,
                callbacks=Callbacks(lambda progress: live.tell(_texts(progress))),
            )
        except KeyboardInterrupt:
            note(f"interrupted; --resume goes on with the rows that {run.out} lacks")
            raise typer.Exit(INTERRUPTED) from None
    if run.json:
        show_json(
            {
                "folder": str(report.folder),
                "rows": report.rows,
                "wanted": report.wanted,
                "all_rows": report.all_rows,
                "made": report.made,
                "seconds": round(report.seconds, 3),
                "stopped_by": report.stopped_by,
            }
        )
        return
    more = "" if report.all_rows <= report.rows else f" (the folder has {report.all_rows:,})"
    show(
        f"{report.rows:,} of {report.wanted:,} situations in {report.folder}{more}, "
        f"{report.made:,} of them made now in {seconds_text(report.seconds)}"
    )


def _texts(progress: Progress) -> list[str]:
    """How far it is, in a long text and a short one."""
    count = f"{progress.iteration:,} of {progress.total:,} situations"
    if progress.eta_seconds is None:
        return [count]
    per_hour = 3600 * progress.iterations_per_second
    left = f"ETA {seconds_text(progress.eta_seconds)}"
    return [f"{count}  {per_hour:,.0f} an hour  {left}", count]
