"""`equilibrist postflop`: hold'em spots from the flop, the turn or the river on."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import typer

from equilibrist.cli import flops, options
from equilibrist.cli.output import show, show_facts, show_json, show_table
from equilibrist.cli.quantities import bytes_text
from equilibrist.cli.spot_options import takes_spot

if TYPE_CHECKING:
    from equilibrist.poker.spot import Spot
    from equilibrist.poker.spot_size import SpotSize

app = typer.Typer(
    help="Heads-up hold'em from the flop, the turn or the river on.",
    rich_markup_mode=None,
)

ESTIMATE = """Say how large a spot is before anything is allocated.

The spot is a file, or options, or both: options go before the keys of the file. Sizes are one list
for all streets, or three for flop, turn and river between bars.

\b
Examples:
  equilibrist postflop estimate spot.toml
  equilibrist postflop estimate spot.toml --bets "33%, 75%" --json
  equilibrist postflop estimate --board Td9d6hQc --oop "66+,A8s+,A5s-A4s,AJo+" \\
      --ip "QQ-22,AQs-A2s" --pot 200 --stack 900 --bets "60%, e, a" --raises 2.5x
"""


@app.command(help=ESTIMATE, short_help="Say how much memory a spot needs.")
@takes_spot
def estimate(spot: Spot, *, json: options.Json = False) -> None:
    """Count nodes and bytes."""
    size = spot.estimate()
    if json:
        show_json(_document(spot, size))
        return
    symmetric = f", suits change places in {size.symmetries} ways" if size.symmetries > 1 else ""
    show_facts(
        [
            ("board", spot.board + symmetric),
            ("pot, stack", f"{spot.pot:,} and {spot.stack:,} chips"),
            ("hands", f"{size.hands[0]:,} out of position, {size.hands[1]:,} in position"),
            ("decisions", f"{size.action_nodes:,}"),
            ("memory", f"{bytes_text(size.float32_bytes)} in float32"),
            ("", f"{bytes_text(size.int16_bytes)} in 16 bits"),
        ],
        "",
    )
    show()
    show_table(
        ("street", "boards", "solved", "decisions on each", "entries", "float32"),
        [
            (
                street.street,
                f"{street.all_boards:,}",
                f"{street.boards:,}",
                f"{street.betting_nodes:,}",
                f"{street.entries:,}",
                bytes_text(street.float32_bytes),
            )
            for street in size.streets
        ],
        indent="",
    )


def _document(spot: Spot, size: SpotSize) -> dict[str, Any]:
    return {
        "board": spot.board,
        "pot": spot.pot,
        "stack": spot.stack,
        "hands": size.hands,
        "symmetries": size.symmetries,
        "action_nodes": size.action_nodes,
        "entries": size.entries,
        "float32_bytes": size.float32_bytes,
        "int16_bytes": size.int16_bytes,
        "streets": [asdict(street) for street in size.streets],
    }


app.command("flops", help=flops.HELP, short_help="List the 1,755 flops, or a subset.")(flops.flops)
