"""`equilibrist preflop solve`: solve a hand from the deal on, exactly."""

from __future__ import annotations

import warnings
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import typer

from equilibrist.cli.commands.holdem.hand_input import (
    HandFile,
    check_csv,
    check_line,
    check_out,
    hand_of,
    optional_hand,
)
from equilibrist.cli.inputs import options, start_time
from equilibrist.cli.inputs.parameters import takes, with_options
from equilibrist.cli.inputs.signals import INTERRUPTED, resumable, terminate_like_interrupt
from equilibrist.cli.inputs.start_time import note_overrun
from equilibrist.cli.text.holdem.decision_text import show_decision
from equilibrist.cli.text.holdem.solution_text import show_exact
from equilibrist.cli.text.next_commands import new_file, next_command
from equilibrist.cli.text.output import note, show_json, suggest
from equilibrist.cli.text.progress import LiveLine
from equilibrist.formatting.amounts import bytes_text, seconds_text
from equilibrist.options.option import DISPLAY, FILES, declare, shared
from equilibrist.options.solve_options import HOLDEM_RUN_OPTIONS
from equilibrist.poker.hands.fields import EXACT_HAND_OPTIONS
from equilibrist.progress import Callbacks, timed

if TYPE_CHECKING:
    from equilibrist.poker.hands.hand import Hand
    from equilibrist.progress import Progress


_BOARDS: Final = "Boards"
_IN_CHECKPOINT: Final = ("file", *EXACT_HAND_OPTIONS, "flops", "seed", "algorithm")
"""What says which hand is solved and how, for a new run."""
_OF_RUN: Final = ("memory",)
"""Limits of a run, of no use where its solution is read."""


@dataclass(frozen=True)
class ExactRun:
    """How a hand is solved, by the arguments of `solve_preflop`; None for what was not typed."""

    flops: int | None = declare(
        "count",
        _BOARDS,
        "Draw this many flops, as likely as they come, and leave out the others.",
        default_text="all",
    )
    seed: int | None = shared(
        HOLDEM_RUN_OPTIONS["seed"], group=_BOARDS, help="The seed of that draw."
    )
    target: str | None = shared(
        HOLDEM_RUN_OPTIONS["target"],
        help="Stop at this exploitability, in mbb (thousandths of a big blind) a hand: 1mbb.",
    )
    iterations: int | None = shared(HOLDEM_RUN_OPTIONS["iterations"], flags=("--iterations", "-n"))
    seconds: float | None = shared(HOLDEM_RUN_OPTIONS["seconds"])
    algorithm: str | None = shared(
        HOLDEM_RUN_OPTIONS["algorithm"],
        help="A variant of CFR that updates in turn: dcfr(gamma=3), lcfr, cfr+.",
        default_text="dcfr",
        flags=("--algorithm", "-a"),
    )
    threads: int | None = shared(HOLDEM_RUN_OPTIONS["threads"])
    memory: int | None = shared(HOLDEM_RUN_OPTIONS["memory"])
    checkpoint: Path | None = shared(HOLDEM_RUN_OPTIONS["checkpoint"])
    resume: Path | None = shared(HOLDEM_RUN_OPTIONS["resume"])
    keep_flops: int | None = declare(
        "count",
        FILES,
        "Keep the strategies of all streets in --out, with so many bits for each action.",
        metavar="16|32",
        default_text="those before the flop alone",
    )


@dataclass(frozen=True)
class ExactOutput:
    """Where the solution goes, and what is shown of it."""

    out: Path | None = shared(HOLDEM_RUN_OPTIONS["out"])
    csv: Path | None = declare("file", FILES, "Write all nodes before the flop to FILE.")
    line: str | None = declare(
        "text",
        DISPLAY,
        "Show the node after these actions: R2.5-C; with --keep-flops also R2.5-C|AsKsQs|X.",
        metavar="LINE",
        default_text="the root",
    )
    json: bool = shared(options.JSON)
    quiet: bool = shared(options.QUIET)


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

The file of --out has the strategies before the flop. With --keep-flops it has those of all streets,
for `inspect --line` with cards, and is read where it is asked for something: 16 bits for each
action of each class of hands; how many bytes that takes is said before the first iteration.

\b
Examples:
  equilibrist preflop solve --stack 10 --last-street flop --bets "2x,a|50%,a" --target 5mbb
  equilibrist preflop solve hand.toml --last-street turn --time 10m -o hand.safetensors
  equilibrist preflop solve --stack 100 --limit limit --fixed-bets 1/1 --board 3 --target 1mbb
  equilibrist preflop solve --resume run.ckpt --target 1mbb
  equilibrist preflop solve "royal(bets=all,stack=8)" --keep-flops 16 -o royal.safetensors
"""


@takes(EXACT_HAND_OPTIONS, "hand")
@with_options
def solve_hand(
    file: HandFile = None, *, hand: dict[str, Any], run: ExactRun, output: ExactOutput
) -> None:
    """Solve, save, print."""
    from equilibrist.poker.preflop.exact.solving import solve_preflop
    from equilibrist.storage.kinds.file_kinds import PREFLOP_SOLUTION
    from equilibrist.storage.tables import write_table_file

    spec = hand_of(file, hand) if run.resume is None else optional_hand(file, hand)
    check_line(spec, output.line, all_streets=run.keep_flops is not None)
    state, out, quiet = run.checkpoint or run.resume, output.out, output.quiet or output.json
    check_out(out, state, PREFLOP_SOLUTION)
    check_csv(output.csv)
    if run.keep_flops is not None and spec is not None and not output.quiet:
        _say_what_is_kept(spec, run, output)
    settings = {name: value for name, value in asdict(run).items() if value is not None}
    with resumable(state), LiveLine(quiet=quiet) as live, terminate_like_interrupt():
        callbacks = timed(
            Callbacks(lambda progress: live.progress(progress, _texts(progress)), live.stage),
            start_time.STARTED,
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            solution = solve_preflop(spec, callbacks=callbacks, **settings)
    note_overrun(run.seconds, solution.iterations)
    if out is not None:
        solution.save(out)
    if output.csv is not None:
        write_table_file(output.csv, ".csv", solution.to_csv())
    if output.json:
        show_json(solution.to_dict())
    else:
        show_exact(solution)
        show_decision(solution.at(output.line or ""))
        if out is not None and not quiet:
            suggest(
                next_command("inspect", out, without=_OF_RUN),
                next_command("export", out, new_file("hand.csv"), without=_OF_RUN),
            )
    if solution.failure is not None:
        raise solution.failure
    if solution.stopped_by == "interrupted":
        if state is not None:
            files = {"resume": state, "out": out, "csv": output.csv}
            again = next_command("preflop solve", without=_IN_CHECKPOINT, **files)
            note(f"Paused; resume with: {again}")
        raise typer.Exit(INTERRUPTED)


def _say_what_is_kept(hand: Hand, run: ExactRun, output: ExactOutput) -> None:
    """Say how many bytes the strategies of all streets take, unless the run is refused anyway."""
    from equilibrist.poker.preflop.exact.game import ExactGame
    from equilibrist.poker.preflop.exact.strategy import STORAGE, kept_bytes

    if run.keep_flops in STORAGE and output.out is not None:
        game = ExactGame.of(hand, run.flops, run.seed or 0)
        size = bytes_text(kept_bytes(game, run.keep_flops))
        note(f"the strategies of all streets will take {size} in {output.out}")


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
