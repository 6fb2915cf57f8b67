"""`equilibrist postflop solve`: a spot in, its equilibrium and the proof of how good it is out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from equilibrist.amounts import bytes_text
from equilibrist.cli import options
from equilibrist.cli.node_screen import show_node
from equilibrist.cli.output import heading, show, show_json
from equilibrist.cli.quantities import measure_text, seconds_text
from equilibrist.cli.result_text import ENDINGS
from equilibrist.cli.spot_run import Quiet, solving

if TYPE_CHECKING:
    from equilibrist.poker.solution import Solution
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


ByCombos = Annotated[
    bool,
    typer.Option("--combos", help="Frequencies by combos: each hand counts with its weight alone."),
]


def solve(
    spot: Spot,
    run: dict[str, Any],
    *,
    combos: ByCombos = False,
    json: options.Json = False,
    quiet: Quiet = False,
) -> None:
    """Solve, print."""
    with solving(spot, run, quiet=quiet) as solution:
        if json:
            show_json(solution.to_dict())
        else:
            show_solution(solution)
            show()
            show_node(solution.at(), by_combos=combos)


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
