"""`equilibrist postflop flops`: the 1,755 flops, or a subset that stands for all."""

from __future__ import annotations

from typing import Annotated

import typer

from equilibrist.cli.inputs import options
from equilibrist.cli.text.output import show, show_exactly, show_json, show_table
from equilibrist.cli.text.quantities import read_count
from equilibrist.errors import ConfigError

HELP = """List the 1,755 flops that differ in more than the names of their suits.

The weight is how many of the 22,100 flops each stands for. --subset takes fewer of equal weights,
in which every texture has its share.

\b
Examples:
  equilibrist postflop flops
  equilibrist postflop flops --subset 49 --csv
"""


def flops(
    subset: Annotated[
        str | None,
        options.optional("--subset", "N", "So many flops that stand for all, up to 920."),
    ] = None,
    csv: Annotated[
        bool, typer.Option("--csv", help="Print comma-separated values, with a line of names.")
    ] = False,
    json: options.Json = False,
) -> None:
    """List flops."""
    from equilibrist.poker.cards import flops as poker

    if csv and json:
        raise ConfigError(
            "--csv and --json are two forms of the same", option="--csv", remedy="leave out one"
        )
    chosen = poker.flops() if subset is None else poker.flop_subset(read_count(subset))
    columns = ("flop", "weight", "suits", "ranks")
    rows = [(flop.name, flop.weight, flop.suits, flop.ranks) for flop in chosen]
    if json:
        show_json([dict(zip(columns, row, strict=True)) for row in rows])
        return
    texts = [(name, f"{weight:.10g}", *texture) for name, weight, *texture in rows]
    if csv:
        show_exactly("\n".join(",".join(row) for row in (columns, *texts)))
        return
    show_table(columns, texts, ("left", "right", "left", "left"), indent="")
    show()
    show(f"{len(rows):,} flops stand for {poker.NUM_FLOPS:,}")
