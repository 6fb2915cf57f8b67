"""`equilibrist postflop flops`: the 1,755 flops, or a subset that stands for all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from equilibrist.cli.inputs import options
from equilibrist.cli.text.output import show, show_exactly, show_json, show_table
from equilibrist.errors import ConfigError
from equilibrist.formatting.amounts import counted
from equilibrist.options.option import DISPLAY
from equilibrist.parsing.arguments import whole_number
from equilibrist.parsing.quantities import read_count

if TYPE_CHECKING:
    from equilibrist.poker.cards.flops import Flop

HELP = """List the 1,755 strategically distinct flops.

The weight is how many of the 22,100 flops each represents. --subset takes fewer flops of equal
weights, in which every texture keeps its share.

\b
Examples:
  equilibrist postflop flops
  equilibrist postflop flops --subset 49 --csv
"""


def flops(
    subset: Annotated[
        str | None,
        options.optional("--subset", "N", "This many flops that represent all, up to 920."),
    ] = None,
    csv: Annotated[
        bool, options.switch("--csv", "Print comma-separated values, with a header.", DISPLAY)
    ] = False,
    json: options.Json = False,
) -> None:
    """List flops."""
    from equilibrist.poker.cards import flops as poker

    if csv and json:
        raise ConfigError(
            "--csv and --json are two forms of the same", option="--csv", remedy="leave out one"
        )
    chosen = poker.flops() if subset is None else _subset(subset)
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
    stands = "stands" if len(rows) == 1 else "stand"
    show(f"{counted(len(rows), 'flop')} {stands} for {poker.NUM_FLOPS:,}")


def _subset(text: str) -> tuple[Flop, ...]:
    from equilibrist.poker.cards import flops as poker

    most = poker.NUM_FLOPS // 24
    return poker.flop_subset(whole_number("subset", read_count(text, "subset"), 1, most))
