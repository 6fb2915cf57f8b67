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
weights, in which every texture keeps its share. With --deck short there are 573 for the 7,140 flops
of 36 cards.

\b
Examples:
  equilibrist postflop flops
  equilibrist postflop flops --subset 49 --csv
  equilibrist postflop flops --deck short
"""


def flops(
    subset: Annotated[
        str | None,
        options.optional("--subset", "N", "This many flops that represent all, up to 920."),
    ] = None,
    deck: Annotated[
        str | None,
        options.optional(
            "--deck", "DECK", "The lowest rank in the deck, or short: 36 cards.  [default: 2]"
        ),
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
    whole = deck or "2"
    chosen = poker.flops(whole) if subset is None else _subset(subset, whole)
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
    show(f"{counted(len(rows), 'flop')} {stands} for {poker.flop_count(whole):,}")


def _subset(text: str, deck: str) -> tuple[Flop, ...]:
    from equilibrist.poker.cards import flops as poker

    most = max(poker.flop_count(deck) // 24, 1)
    return poker.flop_subset(whole_number("subset", read_count(text, "subset"), 1, most), deck)
