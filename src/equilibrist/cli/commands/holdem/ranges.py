"""`equilibrist range`: read a range of hands in any dialect, show it and write it in another."""

from __future__ import annotations

import sys
from math import comb
from typing import TYPE_CHECKING, Annotated

from equilibrist.cli.inputs import options
from equilibrist.cli.text.output import (
    show,
    show_exactly,
    show_facts,
    show_grid,
    show_json,
    wants_colour,
)
from equilibrist.options.option import DISPLAY

if TYPE_CHECKING:
    from equilibrist.poker.ranges.range import Range

HELP = """Read a range of hold'em hands: its shortest form, its size, its grid.

RANGE looks like 88+,A5s-A2s,KQo:0.5,AhKh; the weight after a colon is from 0 to 1, and 15% means
the best hands. Where groups overlap the earlier one counts. `-` reads the range from standard
input. The dialects of other programs are recognised, or named with --from: gto+ (also flopzilla),
equilab, pokercruncher, propokertools, pokerkit, raw (1,326 numbers).

\b
Examples:
  equilibrist range "88+,A5s-A2s:0.5,AJo+" --grid
  equilibrist range "QQ+,AK" --board QsJh2h
  equilibrist range "AA,[25.0]AKs,AQs[/25.0]" --to pio
  equilibrist range "55+,A2s+,KTo+" --json
"""


def range_(
    text: Annotated[str, options.argument("RANGE", "The range, or - for stdin.")],
    board: Annotated[
        str | None, options.optional("--board", "CARDS", "Remove hands blocked by these cards.")
    ] = None,
    grid: Annotated[
        bool, options.switch("--grid", "Show the 13x13 grid: weights in percent.", DISPLAY)
    ] = False,
    dialect: Annotated[
        str | None, options.optional("--from", "DIALECT", "Read RANGE in this dialect.")
    ] = None,
    to: Annotated[
        str | None, options.optional("--to", "DIALECT", "Print it in this dialect, nothing else.")
    ] = None,
    json: options.Json = False,
) -> None:
    """Read a range, show it, write it."""
    from equilibrist.errors import ConfigError
    from equilibrist.poker.cards.cards import card_names, parse_cards
    from equilibrist.poker.ranges.range import Range

    if to is not None and (json or grid):
        raise ConfigError(
            "--to prints the range alone",
            option="--to",
            given=to,
            remedy="leave out --json and --grid",
        )
    dead = () if board is None else parse_cards(board)
    given = Range(_typed() if text == "-" else text, dialect)
    left = given.without(dead)
    if to is not None:
        show_exactly(left.to(to))
        return
    possible = comb(52 - len(dead), 2)
    if json:
        show_json(_document(given, left, card_names(dead), possible))
        return
    combos = f"{left.num_combos:g} ({left.num_combos / possible:.1%} of {possible:,})"
    combos += f" without {card_names(dead, ' ')}" if dead else ""
    show_facts([("range", str(given) or "no hand"), ("combos", combos)], "")
    if grid:
        show()
        show_grid(left.__rich__() if wants_colour(sys.stdout) else left.grid())


def _typed() -> str:
    """Standard input; empty where it is closed."""
    return "" if sys.stdin is None else sys.stdin.read()


def _document(given: Range, left: Range, board: str, possible: int) -> dict[str, object]:
    from equilibrist.poker.cards.combos import CLASS_NAMES

    classes = zip(CLASS_NAMES, left.class_weights.ravel().tolist(), strict=True)
    return {
        "range": str(given),
        "board": board or None,
        "combos": left.num_combos,
        "share": left.num_combos / possible,
        "classes": {name: weight for name, weight in classes if weight},
        "hands": left.to_dict(),
    }
