"""`equilibrist preflop multiway`: two to six seats, with betting before the flop alone."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import typer

from equilibrist.cli.commands.holdem.hand_input import (
    HandFile,
    SampledRun,
    check_csv,
    check_line,
    check_out,
    hand_of,
    optional_hand,
)
from equilibrist.cli.inputs import options, start_time
from equilibrist.cli.inputs.parameters import takes, with_options
from equilibrist.cli.inputs.signals import INTERRUPTED, resumable, terminate_like_interrupt
from equilibrist.cli.text.holdem.decision_text import show_decision
from equilibrist.cli.text.holdem.solution_text import show_multiway
from equilibrist.cli.text.next_commands import next_command
from equilibrist.cli.text.output import note, show_json, suggest
from equilibrist.cli.text.progress import LiveLine, deals_text
from equilibrist.options.option import DISPLAY, FILES, declare, shared
from equilibrist.options.solve_options import HOLDEM_RUN_OPTIONS
from equilibrist.poker.hands.fields import MULTIWAY_OPTIONS
from equilibrist.progress import Callbacks, timed

if TYPE_CHECKING:
    from equilibrist.poker.hands.hand import Hand
    from equilibrist.progress import Progress

_IN_CHECKPOINT: Final = ("file", *MULTIWAY_OPTIONS, "seed")
"""What says which hand is solved, for a new run."""
HELP: Final = """Solve a hand of two to six seats, with betting before the flop alone.

The hand is a file (TOML), or options, or both. The seats bet, call and raise before the flop; then
the board is dealt, or with --board "" hands are compared without one: the higher pair, else the
higher cards. All 169 classes of hands are told apart.

CFR plays sampled deals, and as many deals that it has not seen, or fewer within --time, measure
the result: the value of each seat, and what each could gain by a best response, with 95 %
confidence intervals. With three and more players nothing is promised; NashConv, the sum of all
gains, says what was found.

The run stops at --deals or --time, whichever comes first. Ctrl-C stops after the current iteration
and prints the partial result, with exit code 130. With --checkpoint the state of the run is saved
every minute and when it stops; --resume continues from there, bit-identical to an uninterrupted
run, on any number of threads.

\b
Examples:
  equilibrist preflop multiway --seats 3 --stack 20 --bets "2x,a" --raises a --deals 200000
  equilibrist preflop multiway --seats 3 --stack 162 --blinds 1/2 --bets 100% --raise-cap 1 \\
      --board "" --deals 2e6 -o hand.safetensors
  equilibrist preflop multiway --resume run.ckpt --time 10m
"""


@dataclass(frozen=True)
class MultiwayOutput:
    """Where the solution goes, and what is shown of it."""

    out: Path | None = shared(HOLDEM_RUN_OPTIONS["out"])
    csv: Path | None = declare("file", FILES, "Write all decisions to FILE.")
    line: str | None = declare(
        "text",
        DISPLAY,
        "Show the decision after these actions: F-R2.5.",
        metavar="LINE",
        default_text="the first",
    )
    grid: bool = declare(
        "switch",
        DISPLAY,
        "Show the 13x13 grids.",
        flags=("--grid/--no-grid",),
        default_text="shown",
        make_default=lambda: True,
    )
    json: bool = shared(options.JSON)
    quiet: bool = shared(options.QUIET)


@takes(MULTIWAY_OPTIONS, "hand")
@with_options
def multiway(
    file: HandFile = None, *, hand: dict[str, Any], run: SampledRun, output: MultiwayOutput
) -> None:
    """Solve, save, print."""
    from equilibrist.poker.preflop.multiway.solving import solve_multiway
    from equilibrist.storage.kinds.file_kinds import MULTIWAY
    from equilibrist.storage.tables import write_table_file

    state, out, quiet = run.checkpoint or run.resume, output.out, output.quiet or output.json
    check_out(out, state, MULTIWAY)
    check_csv(output.csv)
    spec = _hand(file, hand, needed=run.resume is None)
    check_line(spec, output.line)
    with resumable(state), LiveLine(quiet=quiet) as live, terminate_like_interrupt():
        live.stage("solving", aloud=False)

        def report(progress: Progress) -> None:
            live.tell([deals_text(progress)])

        callbacks = timed(Callbacks(report), start_time.STARTED)
        solution = solve_multiway(spec, callbacks=callbacks, **run.settings())
    if out is not None:
        solution.save(out)
    if output.csv is not None:
        write_table_file(output.csv, ".csv", solution.to_csv())
    if output.json:
        show_json(solution.to_dict(output.line))
    else:
        node = solution.at(output.line or "")
        show_multiway(solution)
        show_decision(node, grid=output.grid)
        if out is not None and not quiet:
            suggest(next_command("inspect", out), next_command("serve", out))
    if solution.stopped_by == "interrupted":
        if state is not None:
            files = {"resume": state, "out": out, "csv": output.csv}
            again = next_command("preflop multiway", without=_IN_CHECKPOINT, **files)
            note(f"Paused; resume with: {again}")
        raise typer.Exit(INTERRUPTED)


def _hand(file: Path | None, options: dict[str, Any], *, needed: bool) -> Hand | None:
    """The hand of a file and of options, with betting before the flop; None if it is not given."""
    read = hand_of if needed else optional_hand
    return read(file, options, last_street="preflop")
