"""`equilibrist range`: read a range of hands in any dialect, show it and write it in another."""

from __future__ import annotations

import sys
from math import comb
from typing import TYPE_CHECKING, Annotated, Final

from equilibrist.cli.inputs import options
from equilibrist.cli.text.next_commands import next_command
from equilibrist.cli.text.output import (
    note,
    show,
    show_exactly,
    show_facts,
    show_grid,
    show_json,
    show_table,
    suggest,
    wants_colour,
)
from equilibrist.options.option import DISPLAY, FILES

if TYPE_CHECKING:
    from pathlib import Path

    from equilibrist.poker.cards.decks import Deck
    from equilibrist.poker.ranges.range import Range

HELP = """Read a range of hold'em hands: its shortest form, its size, its grid.

RANGE looks like 88+,A5s-A2s,KQo:0.5,AhKh; the weight after a colon is from 0 to 1, and 15% means
the best hands, random all hands, 6max-BTN an example of an opening range; --presets lists these
with their rule. Where groups overlap the earlier one counts. `-` reads the range from standard
input. The dialects of other programs are recognised, or named with --from: gto+ (also flopzilla),
equilab, pokercruncher, propokertools, pokerkit, raw (1,326 numbers).

A RANGE that ends in .txt or .json names a file: text in any dialect, or ranges by name as
WASM-Postflop exports them, FILE.json#NAME. --out writes such a file; one in JSON keeps its other
ranges. A folder, as GTO+ and PioSOLVER keep ranges, is read whole: a row for each range in it, and
--out FILE.json writes them all by their places in the folder.

\b
Examples:
  equilibrist range "88+,A5s-A2s:0.5,AJo+" --grid
  equilibrist range "QQ+,AK" --board QsJh2h
  equilibrist range "AA,[25.0]AKs,AQs[/25.0]" --to pio
  equilibrist range "55+,A2s+,KTo+" --json
  equilibrist range 6max-BTN --grid
  equilibrist range "55+,A2s+" --to gto+ --out button.txt
  equilibrist range button.txt --out ranges.json#BTN/open
  equilibrist range C:/PioSOLVER/Ranges --out ranges.json
"""


_READING: Final = ("board", "deck", "dialect", "grid", "to")
"""Options on how a range is read and shown."""


def range_(
    text: Annotated[str | None, options.argument("[RANGE]", "The range, or - for stdin.")] = None,
    board: Annotated[
        str | None, options.optional("--board", "CARDS", "Remove hands blocked by these cards.")
    ] = None,
    deck: Annotated[
        str | None,
        options.optional(
            "--deck",
            "DECK",
            "The lowest rank in the deck, or short or short-trips, with 36 cards: 15% is a share "
            "of its hands.  [default: 2]",
        ),
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
    out: Annotated[
        str | None,
        options.optional(
            "--out", "FILE", "Write the range to FILE.txt, or by name to FILE.json#NAME.", FILES
        ),
    ] = None,
    presets: Annotated[
        bool, options.switch("--presets", "List the example ranges with their rule.", DISPLAY)
    ] = False,
    json: options.Json = False,
) -> None:
    """Read a range, show it, write it."""
    # Long: the signature declares every option.
    from equilibrist.errors import ConfigError
    from equilibrist.poker.cards.cards import card_names, parse_cards, refuse_outside_deck
    from equilibrist.poker.cards.decks import read_deck
    from equilibrist.poker.ranges.range import Range
    from equilibrist.poker.ranges.range_files import range_or_file
    from equilibrist.poker.ranges.range_folders import range_folder

    if presets:
        _list_presets(text, json=json)
        return
    if text is None:
        raise ConfigError(
            "the range is missing",
            option="RANGE",
            expected="a range, such as 88+,AKs",
            remedy="give a range, or - to read standard input; --presets lists examples",
        )
    _refuse_display(to, out, is_shown=json or grid)
    dead = () if board is None else parse_cards(board)
    cards = read_deck(deck or "2")
    refuse_outside_deck("--board", dead, cards.lowest_rank)
    if (folder := range_folder(text)) is not None:
        _show_folder(folder, dead, cards, dialect, to, out, grid=grid, json=json)
        return
    if text == "-":
        whole = Range(_typed(), dialect, deck=cards)
    else:
        whole = range_or_file(text, dialect, deck=cards)
    whole = whole.without(cards.absent)
    left = whole.without(dead)
    if out is not None:
        _write(left, out, to)
        suggest(next_command("range", out, without=_READING))
        return
    if to is not None:
        show_exactly(left.to(to))
        return
    possible = comb(cards.size - len(dead), 2)
    if json:
        show_json(_document(whole, left, card_names(dead), possible))
        return
    combos = f"{left.num_combos:g} ({left.num_combos / possible:.1%} of {possible:,})"
    combos += f" without {card_names(dead, ' ')}" if dead else ""
    show_facts([("range", str(whole) or "no hand"), ("combos", combos)], "")
    if grid:
        show()
        show_grid(left.__rich__() if wants_colour(sys.stdout) else left.grid())
    if left:
        word = text if dialect is None and text != "-" else str(whole)
        # Cards that cannot be a board are dead.
        names, is_board = card_names(dead) or None, 3 <= len(dead) <= 5
        board, others = (names, None) if is_board else (None, names)
        suggest(next_command("equity", word, "random", board=board, dead=others, deck=deck))
    else:
        suggest(next_command("range", presets=True, without=("text", *_READING)))


def _write(hand_range: Range, out: str, dialect: str | None) -> None:
    from equilibrist.errors import ConfigError
    from equilibrist.poker.ranges.range_files import FILE_FORMS, named_file, write_range_file

    target = named_file(out)
    if target is None:
        raise ConfigError(option="--out", given=out, expected=FILE_FORMS)
    path, name = target
    write_range_file(hand_range, path, name, dialect=dialect)
    note(f"range written to {out}")


def _show_folder(
    folder: Path,
    dead: tuple[int, ...],
    deck: Deck,
    dialect: str | None,
    to: str | None,
    out: str | None,
    *,
    grid: bool,
    json: bool,
) -> None:
    """List the ranges of a folder, print them in a dialect, or write them to one file."""
    from equilibrist.errors import ConfigError
    from equilibrist.formatting.amounts import counted
    from equilibrist.poker.cards.cards import card_names
    from equilibrist.poker.ranges.dialects import PIO
    from equilibrist.poker.ranges.range_files import named_file, write_ranges
    from equilibrist.poker.ranges.range_folders import read_range_folder

    if grid:
        raise ConfigError(
            f"{folder} is a folder, and a grid shows one range",
            option="--grid",
            given=str(folder),
            remedy="name a file in it, or leave out --grid",
        )
    target = None if out is None else named_file(out)
    if out is not None and (
        target is None or target[0].suffix.lower() != ".json" or target[1] is not None
    ):
        raise ConfigError(
            option="--out", given=out, expected="FILE.json, which holds the ranges by name"
        )
    read = read_range_folder(folder, dialect=dialect, deck=deck)
    left = {name: whole.without((*deck.absent, *dead)) for name, whole in read.ranges.items()}
    if read.others:
        others = counted(len(read.others), "file")
        some = ", ".join(read.others[:3]) + (", ..." if len(read.others) > 3 else "")
        note(f"left out {others} without a range: {some}")
    if target is not None:
        if to not in (None, PIO):
            raise ConfigError(
                f"ranges in {out} are written in the dialect {PIO}",
                option="--to",
                given=to,
                expected=PIO,
                remedy="leave out --to, or leave out --out",
            )
        write_ranges(target[0], left)
        note(f"{counted(len(left), 'range')} written to {target[0]}")
        suggest(next_command("range", f"{target[0]}#{next(iter(left))}", without=_READING))
        return
    if to is not None:
        for name, hand_range in left.items():
            show_exactly(f"{name}\t{hand_range.to(to)}")
        return
    possible = comb(deck.size - len(dead), 2)
    if json:
        rows = [
            {"name": name, **_document(read.ranges[name], hand_range, card_names(dead), possible)}
            for name, hand_range in left.items()
        ]
        show_json({"folder": str(folder), "ranges": rows})
        return
    show_table(
        ["name", "combos", "share", "range"],
        [
            (name, f"{hands.num_combos:g}", f"{hands.num_combos / possible:.1%}", str(hands))
            for name, hands in left.items()
        ],
        ["left", "right", "right", "left"],
        fold=True,
    )
    suggest(next_command("range", str(folder), out="ranges.json", without=_READING))


def _refuse_display(to: str | None, out: str | None, *, is_shown: bool) -> None:
    """Raise ConfigError where a range is to be shown whose text alone is wanted, or its file."""
    from equilibrist.errors import ConfigError

    does = {
        "--to": (to, "prints the range alone"),
        "--out": (out, "writes the range and prints nothing"),
    }
    for option, (given, words) in does.items():
        if given is not None and is_shown:
            raise ConfigError(
                f"{option} {words}",
                option=option,
                given=given,
                remedy="leave out --json and --grid",
            )


def _list_presets(text: str | None, *, json: bool) -> None:
    from equilibrist.errors import ConfigError
    from equilibrist.poker.ranges.presets import PRESETS, RULE
    from equilibrist.poker.ranges.range import Range

    if text is not None:
        raise ConfigError(
            "--presets lists all presets and takes no range",
            option="--presets",
            given=text,
            remedy="leave out the range or --presets",
        )
    ranges = {name: Range(name) for name in PRESETS}
    if json:
        rows = [
            {
                "name": name,
                "players_behind": preset.players_behind,
                "share": preset.share,
                "rule": preset.rule,
                "range": str(ranges[name]),
                "combos": ranges[name].num_combos,
            }
            for name, preset in PRESETS.items()
        ]
        show_json({"rule": RULE, "presets": rows})
        return
    show("Examples of opening ranges, not advice. Rule: " + RULE + ".")
    show()
    show_table(
        ["preset", "k", "share", "combos", "range"],
        [
            (
                name,
                str(preset.players_behind),
                f"{preset.share:.1%}",
                f"{ranges[name].num_combos:g}",
                str(ranges[name]),
            )
            for name, preset in PRESETS.items()
        ],
        ["left", "right", "right", "right", "left"],
        fold=True,
    )
    suggest(next_command("range", next(iter(PRESETS)), grid=True, presets=False))


def _typed() -> str:
    """Standard input; empty where it is closed."""
    return "" if sys.stdin is None else sys.stdin.read()


def _document(whole: Range, left: Range, board: str, possible: int) -> dict[str, object]:
    from equilibrist.poker.cards.combos import CLASS_NAMES

    classes = zip(CLASS_NAMES, left.class_weights.ravel().tolist(), strict=True)
    return {
        "range": str(whole),
        "board": board or None,
        "combos": left.num_combos,
        "share": left.num_combos / possible,
        "classes": {name: weight for name, weight in classes if weight},
        "hands": left.to_dict(),
    }
