"""`equilibrist preflop multiway`: two to six seats, with betting before the flop alone."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from equilibrist.cli.commands.holdem.hand_input import (
    HandFile,
    check_csv,
    check_line,
    check_out,
    hand_of,
    optional_hand,
)
from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.parameters import takes
from equilibrist.cli.inputs.signals import INTERRUPTED, resumable, terminate_like_interrupt
from equilibrist.cli.inputs.start_time import STARTED
from equilibrist.cli.text.holdem.decision_text import show_decision
from equilibrist.cli.text.holdem.solution_text import show_multiway
from equilibrist.cli.text.output import note, show_json, suggest, typed
from equilibrist.cli.text.progress import LiveLine, deals_text
from equilibrist.options.option import DISPLAY, FILES, LIMITS, SAMPLING
from equilibrist.parsing.quantities import read_count, read_seconds
from equilibrist.poker.hands.fields import MULTIWAY_OPTIONS
from equilibrist.progress import Callbacks, timed

if TYPE_CHECKING:
    from equilibrist.poker.hands.hand import Hand
    from equilibrist.progress import Progress

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


@takes(MULTIWAY_OPTIONS, "hand")
def multiway(
    file: HandFile = None,
    *,
    hand: dict[str, Any],
    deals: Annotated[
        str | None,
        options.optional(
            "--deals", "N", "Play this many deals.  [default: a million without --time]", LIMITS
        ),
    ] = None,
    time: Annotated[
        str | None,
        options.optional(
            "--time", "TIME", "Play and measure for about this time, half each: 10m.", LIMITS
        ),
    ] = None,
    seed: Annotated[
        int | None, options.whole("--seed", "N", "Seed of the deals.  [default: 0]", SAMPLING)
    ] = None,
    threads: options.Threads = None,
    out: Annotated[
        Path | None,
        options.out("Save the solution here; an earlier one is replaced."),
    ] = None,
    csv: Annotated[
        Path | None, options.file("--csv", "FILE", "Write all decisions to FILE.", FILES)
    ] = None,
    checkpoint: options.Checkpoint = None,
    resume: options.Resume = None,
    line: Annotated[
        str | None,
        options.optional(
            "--line",
            "LINE",
            "Show the decision after these actions: F-R2.5.  [default: the first]",
            DISPLAY,
        ),
    ] = None,
    grid: Annotated[
        bool, options.switch("--grid/--no-grid", "Show the 13x13 grids.", DISPLAY)
    ] = True,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Solve, save, print."""
    from equilibrist.poker.preflop.multiway.solving import solve_multiway
    from equilibrist.storage.kinds.file_kinds import MULTIWAY
    from equilibrist.storage.tables import write_table_file

    settings: dict[str, Any] = {"seed": seed, "threads": threads}
    if deals is not None:
        settings["deals"] = read_count(deals, "deals")
    if time is not None:
        settings["seconds"] = read_seconds(time)
    state = checkpoint or resume
    check_out(out, state, MULTIWAY)
    check_csv(csv)
    spec = _hand(file, hand, needed=resume is None)
    check_line(spec, line)
    with resumable(state), LiveLine(quiet=quiet or json) as live, terminate_like_interrupt():
        live.stage("solving", aloud=False)

        def report(progress: Progress) -> None:
            live.tell([deals_text(progress)])

        settings |= {
            "checkpoint": checkpoint,
            "resume": resume,
            "callbacks": timed(Callbacks(report), STARTED),
        }
        solution = solve_multiway(spec, **settings)
    if out is not None:
        solution.save(out)
    if csv is not None:
        write_table_file(csv, ".csv", solution.to_csv())
    if json:
        show_json(solution.to_dict(line))
    else:
        node = solution.at(line or "")
        show_multiway(solution)
        show_decision(node, grid=grid)
        if out is not None and not quiet:
            suggest(f"equilibrist inspect {typed(out)}", f"equilibrist serve {typed(out)}")
    if solution.stopped_by == "interrupted":
        if state is not None:
            note(f"Paused; resume with: equilibrist preflop multiway --resume {typed(state)}")
        raise typer.Exit(INTERRUPTED)


def _hand(file: Path | None, options: dict[str, Any], *, needed: bool) -> Hand | None:
    """The hand of a file and of options, with betting before the flop; None if it is not given."""
    read = hand_of if needed else optional_hand
    return read(file, options, last_street="preflop")
