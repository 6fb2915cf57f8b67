"""`equilibrist postflop solve`: a spot in, its equilibrium and the proof of how good it is out."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.parameters import file_name
from equilibrist.cli.postflop.files import check_out, how_to_go_on, raise_all, run_of, saved_to
from equilibrist.cli.postflop.node_screen import show_node
from equilibrist.cli.postflop.run_options import Quiet, solving
from equilibrist.cli.text.output import heading, note, show, show_json
from equilibrist.cli.text.quantities import measure_text, read_seconds, seconds_text
from equilibrist.cli.text.result_text import ENDINGS
from equilibrist.errors import ConfigError
from equilibrist.formatting.amounts import bytes_text

if TYPE_CHECKING:
    from equilibrist.poker.solutions.result import PostflopResult
    from equilibrist.poker.spots.spot import Spot

HELP = """Solve a spot: strategies, EV and equity of every hand, and what a best response gains.

The spot is a file, or options, or both: options go before the keys of the file. The run stops at
--target, --iterations or --time, whichever comes first; with none of them at 0.3% of the pot, after
at most 1,000 iterations. The target is the exploitability: how much a player who knows the other's
strategy gains, the mean of both players, in percent of the pot (0.3%) or in chips (0.5c). With rake
this figure is called mean gain.

--lock fixes what a player does, LINE: HANDS = ACTION SHARE; the rest is solved, and exploitability
is that of the game in which the player is bound. Without HANDS the shares are those of every hand,
separated by commas; a semicolon comes before more hands. The word frequency in place of HANDS means
the whole range, with whichever hands are best. Locks replace those of the file.

Ctrl-C stops after the present iteration and gives what was found so far, with exit code 130. With
--checkpoint the state of the run is saved then, and every now and then before. --resume goes on
from there and ends with the bits of a run without a break; the spot may be left out, and
--iterations counts those before the break, too.

--keep no-rivers and --keep first-street make small files; the streets that they lack are solved
anew when they are looked at.

\b
Examples:
  equilibrist postflop solve spot.toml --target 0.3%
  equilibrist postflop solve spot.toml --time 5m --threads 2 --out out.spot --keep no-rivers
  equilibrist postflop solve spot.toml --target 0.1% --checkpoint run.ckpt
  equilibrist postflop solve --resume run.ckpt --target 0.1%
  equilibrist postflop solve spot.toml --lock "B120: AA,KK = Call 100%; QQ = Fold 25%"
  equilibrist postflop solve spot.toml --lock ": frequency = Bet 120 30%"
  equilibrist postflop solve --board Td9d6hQc --oop "66+,A8s+,A5s-A4s,AJo+" \\
      --ip "QQ-22,AQs-A2s" --pot 200 --stack 900 --bets "60%, e, a" --raises 2.5x
"""

MOST_LOCKS: Final = 5
"""Lines of locks that are printed."""


class Keep(StrEnum):
    """The streets that a file keeps."""

    all = "all"
    no_rivers = "no-rivers"
    first_street = "first-street"


ByCombos = Annotated[
    bool,
    typer.Option("--combos", help="Frequencies by combos: each hand counts with its weight alone."),
]


def solve(
    spot: Spot | None,
    run: dict[str, Any],
    *,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            parser=file_name,
            metavar="FILE",
            show_default=False,
            help="Save the solution here, for `equilibrist postflop show`.",
        ),
    ] = None,
    keep: Annotated[Keep, typer.Option("--keep", help="The streets that the file keeps.")] = (
        Keep.all
    ),
    checkpoint: Annotated[
        Path | None,
        typer.Option(
            "--checkpoint",
            parser=file_name,
            metavar="FILE",
            show_default=False,
            help="Save the state of the run here every now and then, to go on with --resume.",
        ),
    ] = None,
    checkpoint_every: Annotated[
        str | None,
        options.optional("--checkpoint-every", "TIME", "How often, in seconds.  [default: 10]"),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(
            "--resume",
            parser=file_name,
            metavar="FILE",
            show_default=False,
            help="Go on from this checkpoint, and keep saving to it unless --checkpoint names "
            "another file.",
        ),
    ] = None,
    combos: ByCombos = False,
    json: options.Json = False,
    quiet: Quiet = False,
) -> None:
    """Solve, save, print."""
    going, file = run_of(spot, run, resume), checkpoint or resume
    if out is not None:
        check_out(going.spot, out, keep.value, file)
    elif keep is not Keep.all:
        raise ConfigError(
            f"--keep {keep.value} says what the file of --out keeps",
            option="--keep",
            given=keep.value,
            remedy="give --out",
        )
    saving: dict[str, Any] = {"checkpoint": checkpoint}
    if checkpoint_every is not None:
        if file is None:
            raise ConfigError(
                "--checkpoint-every says how often a run is saved",
                option="--checkpoint-every",
                given=checkpoint_every,
                remedy="give --checkpoint",
            )
        saving["checkpoint_every"] = read_seconds(checkpoint_every)
    solve, storage = going.solve, going.storage
    with solving(going.spot, saving, quiet=quiet, solve=solve, storage=storage) as solution:
        failures = saved_to(solution, out, keep.value)
        if json:
            show_json(solution.to_dict())
        else:
            show_solution(solution)
            show()
            show_node(solution.at(), by_combos=combos)
        if out is not None and not failures:
            (note if json else show)(f"Solution saved to {out}")
        raise_all(failures)
        if solution.stopped_by == "interrupted" and file is not None:
            kept = None if keep is Keep.all else keep.value
            others = {"checkpoint_every": checkpoint_every, "out": out, "keep": kept}
            screen = {"combos": combos, "json": json, "quiet": quiet}
            note(f"Paused; go on with: {how_to_go_on(file, run, **others, **screen)}")


def show_solution(solution: PostflopResult) -> None:
    """Print how the spot was solved and how good the result is."""
    count = f"{solution.iterations:,} iteration{'s' * (solution.iterations != 1)}"
    ending = ENDINGS[solution.stopped_by]
    heading(f"{solution.spot.board}: {count} in {seconds_text(solution.seconds)}; {ending}")
    show(
        f"{solution.spot.measure_name} {measure_text(solution.mean_gain)} chips "
        f"({solution.mean_gain_percent:.3g}% of the pot), "
        f"memory {bytes_text(solution.memory_bytes)}"
    )
    if solution.unlocked_mean_gain is not None:
        locked = [*dict.fromkeys(lock.place for lock in solution.spot.locks)]
        more = f" and {len(locked) - MOST_LOCKS} more" if len(locked) > MOST_LOCKS else ""
        show(
            f"locked: {', '.join(locked[:MOST_LOCKS])}{more}; players who break their locks gain "
            f"{measure_text(solution.unlocked_mean_gain)} chips"
        )
    if solution.missed_frequency is not None:
        show(f"frequencies are met within {100 * solution.missed_frequency:.2g}% of the range")
