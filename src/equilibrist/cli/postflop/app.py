"""`equilibrist postflop`: hold'em spots from the flop, the turn or the river on."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from equilibrist.cli.inputs import options
from equilibrist.cli.postflop import batch as postflop_batch
from equilibrist.cli.postflop import export as postflop_export
from equilibrist.cli.postflop import flops
from equilibrist.cli.postflop import report as postflop_report
from equilibrist.cli.postflop import show as postflop_show
from equilibrist.cli.postflop import solve as postflop_solve
from equilibrist.cli.postflop.run_options import HowStored, Storage, Target, Threads, takes_run
from equilibrist.cli.postflop.spot_options import takes_spot
from equilibrist.cli.text.output import show, show_facts, show_json, show_table
from equilibrist.cli.text.progress import LiveLine
from equilibrist.cli.text.quantities import read_bytes, read_count, seconds_text
from equilibrist.formatting.amounts import bytes_text

if TYPE_CHECKING:
    from equilibrist.poker.estimates.reductions import Reduction
    from equilibrist.poker.estimates.size import SpotSize
    from equilibrist.poker.spots.fields import Storage as Stored
    from equilibrist.poker.spots.spot import Spot

app = typer.Typer(
    help="Heads-up hold'em from the flop, the turn or the river on.",
    rich_markup_mode=None,
)

MOST_SHOWN: Final = 8
_WORDS: Final[dict[Stored, str]] = {"float32": "float32", "int16": "16 bits"}
Limit = Annotated[
    str | None,
    options.optional(
        "--memory",
        "SIZE",
        "The limit, for instance 500MB or 8GB.  [default: half of the machine's]",
    ),
]

ESTIMATE = """Say how large a spot is, and about how long it takes, before anything is allocated.

The spot is a file, or options, or both: options go before the keys of the file. Sizes are one list
for all streets, or three for flop, turn and river between bars. Where the spot does not fit into
--memory, changes that make it fit are counted, those that leave most of it first.

Bytes are at most some percent too many. The time is a rough figure, within a factor of two or
three: the iterations that other spots took to --target, times what the memory of this machine
allows.

\b
Examples:
  equilibrist postflop estimate spot.toml
  equilibrist postflop estimate spot.toml --bets "33%, 75%" --memory 8GB
  equilibrist postflop estimate spot.toml --target 0.1% --threads 2 --storage int16
  equilibrist postflop estimate --board Td9d6hQc --oop "66+,A8s+,A5s-A4s,AJo+" \\
      --ip "QQ-22,AQs-A2s" --pot 200 --stack 900 --bets "60%, e, a" --raises 2.5x
"""


@app.command(help=ESTIMATE, short_help="Say how much memory and time a spot needs.")
@takes_spot
def estimate(
    spot: Spot,
    *,
    target: Target = None,
    threads: Threads = "1",
    storage: HowStored = None,
    memory: Limit = None,
    json: options.Json = False,
) -> None:
    """Count nodes and bytes, and foresee seconds."""
    from equilibrist import poker
    from equilibrist.poker.estimates.reductions import smaller_spots
    from equilibrist.tree.walk.budget import default_memory

    stored: Stored = "int16" if storage is Storage.int16 else "float32"
    limit = default_memory() if memory is None else read_bytes(memory)
    size = poker.estimate(spot)
    count = read_count(threads)
    run = size.estimate_run(target, threads=count)
    each = {name: size.memory_bytes(name, threads=count) for name in _WORDS}
    needed = each[stored]
    cheaper: list[Reduction] = []
    if needed > limit:
        with LiveLine(quiet=json) as live:
            live.stage("trying what is cheaper", aloud=False)
            cheaper = list(smaller_spots(spot, limit, stored, threads=count))
    if json:
        how = {"target": target or "0.3%", "threads": count, "storage": stored, **asdict(run)}
        how |= {"memory_bytes": each, "fits": needed <= limit}
        show_json(_document(spot, size, limit, cheaper) | how)
        return
    symmetric = f", suits change places in {size.symmetries} ways" if size.symmetries > 1 else ""
    whose = " (half of this machine's memory)" if memory is None else ""
    fits = "the spot fits" if needed <= limit else f"the spot does not fit in {_WORDS[stored]}"
    seconds = seconds_text(float(f"{run.seconds:.2g}"))
    many = "one thread" if count == 1 else f"{count:,} threads"
    show_facts(
        [
            ("board", spot.board + symmetric),
            ("pot, stack", f"{spot.pot:,} and {spot.stack:,} chips"),
            ("hands", f"{size.hands[0]:,} out of position, {size.hands[1]:,} in position"),
            ("decisions", f"{size.action_nodes:,}"),
            ("memory", f"{bytes_text(each['float32'])} in float32"),
            ("", f"{bytes_text(each['int16'])} in 16 bits"),
            ("of which", f"{bytes_text(size.overhead.total(count))} are tables and working memory"),
            ("limit", f"{bytes_text(limit)}{whose}: {fits}"),
            (
                "time",
                f"about {seconds} to {target or '0.3%'}, {many}, {run.iterations:,} iterations",
            ),
        ],
        "",
    )
    show()
    _show_streets(size, stored)
    if needed > limit:
        show()
        _show_cheaper(cheaper, needed, stored)


def _show_streets(size: SpotSize, stored: Stored) -> None:
    show_table(
        ("street", "boards", "solved", "decisions on each", "entries", _WORDS[stored]),
        [
            (
                street.street,
                f"{street.all_boards:,}",
                f"{street.boards:,}",
                f"{street.betting_nodes:,}",
                f"{street.entries:,}",
                bytes_text(street.solver_state_bytes(stored)),
            )
            for street in size.streets
        ],
        indent="",
    )


def _show_cheaper(cheaper: list[Reduction], before: int, stored: Stored) -> None:
    if not cheaper:
        show("no change that was tried makes it fit; give fewer sizes, a raise cap or more memory")
        return
    rows = [
        (
            " + ".join(found.changes),
            bytes_text(found.num_bytes),
            f"{100 * (1 - found.num_bytes / before):.0f} %",
            " ".join(_options(found, stored)),
        )
        for found in cheaper[:MOST_SHOWN]
    ]
    show_table(
        ("what fits", "memory", "saves", "options"),
        rows,
        ("left", "right", "right", "left"),
        indent="",
        fold=True,
    )


def _options(found: Reduction, stored: Stored) -> Iterator[str]:
    for key, value in found.keys.items():
        yield f"--{key.replace('_', '-')} {shlex.quote(str(value))}"
    if found.storage != stored:
        yield f"--storage {found.storage}"


def _document(spot: Spot, size: SpotSize, limit: int, cheaper: list[Reduction]) -> dict[str, Any]:
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
        "streets": [
            asdict(street) | {"float32_bytes": street.float32_bytes} for street in size.streets
        ],
        "limit_bytes": limit,
        "cheaper": [
            {
                "changes": found.changes,
                "keys": found.keys,
                "storage": found.storage,
                "bytes": found.num_bytes,
            }
            for found in cheaper
        ],
    }


app.command("solve", help=postflop_solve.HELP, short_help="Find the equilibrium of a spot.")(
    takes_run(postflop_solve.solve)
)
app.command("show", help=postflop_show.HELP, short_help="Look up a node of a solved spot.")(
    postflop_show.show_node_of
)
app.command("flops", help=flops.HELP, short_help="List the 1,755 flops, or a subset.")(flops.flops)
app.command("export", help=postflop_export.HELP, short_help="Write the tree of a solved spot.")(
    takes_run(postflop_export.export, solutions=True)
)
app.command("report", help=postflop_report.HELP, short_help="Say what every next card does.")(
    takes_run(postflop_report.report, solutions=True)
)
app.command("batch", help=postflop_batch.HELP, short_help="Solve a spot on many boards.")(
    takes_run(postflop_batch.batch)
)
