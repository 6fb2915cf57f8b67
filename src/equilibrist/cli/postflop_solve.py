"""`equilibrist postflop solve`: a spot in, its equilibrium and the proof of how good it is out."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from equilibrist.amounts import bytes_text
from equilibrist.cli import options
from equilibrist.cli.node_screen import show_node
from equilibrist.cli.output import heading, show, show_json
from equilibrist.cli.progress import LiveLine
from equilibrist.cli.quantities import (
    measure_text,
    read_bytes,
    read_count,
    read_seconds,
    seconds_text,
)
from equilibrist.cli.result_text import ENDINGS
from equilibrist.cli.signals import INTERRUPTED, terminate_like_interrupt

if TYPE_CHECKING:
    from equilibrist.poker.solution import Solution
    from equilibrist.poker.solving import Progress
    from equilibrist.poker.spot import Spot

HELP = """Solve a spot: strategies, EV and equity of every hand, and what a best response gains.

The spot is a file, or options, or both: options go before the keys of the file. The run stops at
--target, --iterations or --time, whichever comes first; with none of them at 0.3% of the pot, after
at most 1,000 iterations. The target is the exploitability: how much a player who knows the other's
strategy gains, the mean of both players, in percent of the pot (0.3%) or in chips (0.5c).

Ctrl-C stops after the present iteration and gives what was found so far, with exit code 130.

\b
Examples:
  equilibrist postflop solve spot.toml --target 0.3%
  equilibrist postflop solve spot.toml --time 5m --threads 2
  equilibrist postflop solve --board Td9d6hQc --oop "66+,A8s+,A5s-A4s,AJo+" \\
      --ip "QQ-22,AQs-A2s" --pot 200 --stack 900 --bets "60%, e, a" --raises 2.5x
"""


class Storage(StrEnum):
    """How regrets and strategies are kept."""

    float32 = "float32"
    int16 = "int16"


ByCombos = Annotated[
    bool,
    typer.Option("--combos", help="Frequencies by combos: each hand counts with its weight alone."),
]


def solve(
    spot: Spot,
    *,
    target: Annotated[
        str | None,
        options.optional(
            "--target", "X", "Stop at this exploitability: 0.3% of the pot, or 0.5c in chips."
        ),
    ] = None,
    iterations: Annotated[
        str | None,
        options.optional("--iterations", "N", "Stop after this many."),
    ] = None,
    time: Annotated[
        str | None,
        options.optional("--time", "TIME", "Stop after so many seconds (or 10m, 1.5h)."),
    ] = None,
    variant: Annotated[
        str | None,
        options.optional(
            "--variant",
            "NAME",
            "A variant of CFR, as `dcfr(gamma=3)`.  [default: what is fastest on spots]",
        ),
    ] = None,
    storage: Annotated[
        Storage, typer.Option("--storage", help="How numbers are kept; int16 takes half the room.")
    ] = Storage.float32,
    threads: Annotated[
        str, typer.Option("--threads", metavar="N", help="Threads; they change no bit.")
    ] = "1",
    memory: Annotated[
        str | None,
        options.optional(
            "--memory",
            "SIZE",
            "Refuse spots that need more, for instance 8GB.  [default: half of the machine's]",
        ),
    ] = None,
    combos: ByCombos = False,
    json: options.Json = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Show no progress, only the result.")
    ] = False,
) -> None:
    """Solve, print."""
    with LiveLine(quiet=quiet) as live, terminate_like_interrupt():
        live.stage(f"preparing {spot.board}", aloud=False)
        solution = spot.solve(
            target,
            iterations=None if iterations is None else read_count(iterations),
            seconds=None if time is None else read_seconds(time),
            storage=storage.value,
            variant=variant,
            threads=read_count(threads),
            memory=None if memory is None else read_bytes(memory),
            progress=None if live.quiet else lambda moment: live.tell(progress_texts(moment)),
        )
    if json:
        show_json(solution.to_dict())
    else:
        show_solution(solution)
        show()
        show_node(solution.at(), by_combos=combos)
    if solution.stopped_by == "interrupted":
        raise typer.Exit(INTERRUPTED)


def show_solution(solution: Solution) -> None:
    """Print how the spot was solved and how good the result is."""
    count = f"{solution.iterations:,} iteration{'s' * (solution.iterations != 1)}"
    ending = ENDINGS[solution.stopped_by]
    heading(f"{solution.spot.board}: {count} in {seconds_text(solution.seconds)}; {ending}")
    show(
        f"exploitability {measure_text(solution.exploitability)} chips "
        f"({solution.exploitability_percent:.3g}% of the pot), "
        f"memory {bytes_text(solution.memory_bytes)}"
    )


def progress_texts(moment: Progress) -> list[str]:
    """The line in full, then ever shorter: without speed, target, ETA, time."""
    percent = f"{moment.exploitability_percent:.3g}%"
    parts = {
        "iteration": f"iteration {moment.iteration:,}",
        "measure": f"exploitability {measure_text(moment.exploitability)} chips ({percent})",
        "target": "",
        "time": f"time {seconds_text(moment.seconds)}",
        "eta": "",
        "speed": f"{moment.iterations_per_second:,.3g} it/s",
    }
    if moment.target is not None:
        percent = f"{100 * moment.target / moment.pot:.3g}%"
        parts["target"] = f"target {measure_text(moment.target)} ({percent})"
    if moment.eta_seconds is not None:
        parts["eta"] = f"ETA {seconds_text(moment.eta_seconds)}"
    texts = ["  ".join(filter(None, parts.values()))]
    for name in ("speed", "target", "eta", "time"):
        parts[name] = ""
        texts.append("  ".join(filter(None, parts.values())))
    return texts
