"""`equilibrist preflop solve`: solve a hand from the deal on, exactly."""

from __future__ import annotations

import warnings
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
from equilibrist.cli.inputs.start_time import STARTED, note_overrun
from equilibrist.cli.text.holdem.decision_text import show_decision
from equilibrist.cli.text.holdem.solution_text import show_exact
from equilibrist.cli.text.output import note, show_json, suggest, typed
from equilibrist.cli.text.progress import LiveLine
from equilibrist.formatting.amounts import seconds_text
from equilibrist.options.option import ALGORITHM, DISPLAY, FILES, LIMITS, STOPPING, THREADS, Option
from equilibrist.poker.hands.fields import EXACT_HAND_OPTIONS
from equilibrist.progress import Callbacks, timed

if TYPE_CHECKING:
    from equilibrist.progress import Progress


_BOARDS: Final = "Boards"
RUN_OPTIONS: Final[dict[str, Option]] = {
    "flops": Option(
        "count",
        _BOARDS,
        "Draw this many flops, as likely as they come, and leave out the others.",
        default_text="all",
    ),
    "seed": Option("whole number", _BOARDS, "The seed of that draw.", default_text="0"),
    "target": Option(
        "text",
        STOPPING,
        "Stop at this exploitability, in mbb (thousandths of a big blind) a hand: 1mbb.",
        metavar="X",
    ),
    "iterations": Option("count", STOPPING, "Stop after this many.", flags=("--iterations", "-n")),
    "seconds": Option(
        "time",
        STOPPING,
        "Stop after this many seconds (or 10m, 1.5h); at least one iteration is made and measured.",
        flags=("--time",),
    ),
    "algorithm": Option(
        "text",
        ALGORITHM,
        "A variant of CFR that updates in turn: dcfr(gamma=3), lcfr, cfr+.",
        default_text="dcfr",
        flags=("--algorithm", "-a"),
    ),
    "threads": Option(
        "count",
        THREADS,
        "Work with this many threads; results are bit-identical for any number.",
        default_text="one per processor",
    ),
    "memory": Option(
        "memory",
        LIMITS,
        "Refuse games that need more, for instance 8GB.",
        default_text="half of the machine's",
    ),
}
"""How the command line takes what `solve_preflop` takes of a run."""


HELP: Final = """Solve a hand of two players from the deal on, exactly: every hand, every board.

The hand is a file (TOML), or options, or both: options override the keys of the file. Betting goes
up to --last-street, after which the rest of the board is dealt; nothing is put into buckets. Flops
and hands that differ by the names of suits alone are solved once. Betting on the turn takes 0.9 GB
for each decision of two actions, betting on the river, where a hand without --last-street goes, 20
times as much: a game that does not fit into --memory is refused with its size and with what would
fit. --flops draws some flops in place of all.

The run stops at --target, --iterations or --time, whichever comes first; with none of them at 5 mbb
(thousandths of a big blind a hand), after at most 1,000 iterations. The target is the
exploitability: what a best response to the other player's strategy gains, the mean of both players.
It is exact for the game that is solved. EV is what a hand wins or loses against its stack before
anything is posted, in big blinds.

Ctrl-C stops after the current iteration and prints the partial result, with exit code 130. With
--checkpoint the state of the run is saved periodically and when it stops; --resume continues from
there, bit-identical to an uninterrupted run.

\b
Examples:
  equilibrist preflop solve --stack 10 --last-street flop --bets "2x,a|50%,a" --target 5mbb
  equilibrist preflop solve hand.toml --last-street turn --time 10m -o hand.safetensors
  equilibrist preflop solve --stack 100 --limit limit --fixed-bets 1/1 --board 3 --target 1mbb
  equilibrist preflop solve --resume run.ckpt --target 1mbb
"""


@takes(RUN_OPTIONS, "run")
@takes(EXACT_HAND_OPTIONS, "hand")
def solve_hand(
    file: HandFile = None,
    *,
    hand: dict[str, Any],
    run: dict[str, Any],
    out: Annotated[
        Path | None,
        options.out("Save the solution here; an earlier one is replaced."),
    ] = None,
    csv: Annotated[
        Path | None,
        options.file("--csv", "FILE", "Write all nodes before the flop to FILE.", FILES),
    ] = None,
    checkpoint: options.Checkpoint = None,
    resume: options.Resume = None,
    line: Annotated[
        str | None,
        options.optional(
            "--line",
            "LINE",
            "Show the node after these actions: R2.5-C.  [default: the root]",
            DISPLAY,
        ),
    ] = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Solve, save, print."""
    from equilibrist.poker.preflop.exact.solving import solve_preflop
    from equilibrist.storage.kinds.file_kinds import PREFLOP_SOLUTION
    from equilibrist.storage.tables import write_table_file

    spec = hand_of(file, hand) if resume is None else optional_hand(file, hand)
    check_line(spec, line)
    state = checkpoint or resume
    check_out(out, state, PREFLOP_SOLUTION)
    check_csv(csv)
    settings = {name: value for name, value in run.items() if value is not None}
    with resumable(state), LiveLine(quiet=quiet or json) as live, terminate_like_interrupt():
        callbacks = timed(
            Callbacks(lambda progress: live.tell(_texts(progress)), live.stage),
            STARTED,
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            solution = solve_preflop(
                spec, callbacks=callbacks, checkpoint=checkpoint, resume=resume, **settings
            )
    note_overrun(run["seconds"], solution.iterations)
    if out is not None:
        solution.save(out)
    if csv is not None:
        write_table_file(csv, ".csv", solution.to_csv())
    if json:
        show_json(solution.to_dict())
    else:
        show_exact(solution)
        show_decision(solution.at(line or ""))
        if out is not None and not quiet:
            suggest(
                f"equilibrist inspect {typed(out)}",
                f"equilibrist export {typed(out)} hand.csv",
            )
    if solution.failure is not None:
        raise solution.failure
    if solution.stopped_by == "interrupted":
        if state is not None:
            note(f"Paused; resume with: equilibrist preflop solve --resume {typed(state)}")
        raise typer.Exit(INTERRUPTED)


def _texts(progress: Progress) -> list[str]:
    """The live line in full, then ever shorter."""
    assert progress.measure is not None
    measure = f"exploitability {1000 * progress.measure:.3g} mbb"
    target = "" if progress.target is None else f" (target {1000 * progress.target:.3g})"
    speed = f"{progress.iterations_per_second:.3g} it/s"
    eta = "" if progress.eta_seconds is None else f"  ETA {seconds_text(progress.eta_seconds)}"
    count = f"iteration {progress.iteration:,}"
    return [
        f"{count}  {measure}{target}  {speed}{eta}",
        f"{count}  {measure}{target}{eta}",
        f"{count}  {measure}",
        measure,
    ]
