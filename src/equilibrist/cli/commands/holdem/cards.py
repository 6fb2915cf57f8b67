"""`equilibrist cards`: build card buckets, and look hands up in them."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import Annotated, Any, Final

import typer

from equilibrist.cli.inputs import options
from equilibrist.cli.text.help_text import GroupedCommand, GroupedCommands
from equilibrist.cli.text.next_commands import next_command
from equilibrist.cli.text.output import note, show_json, suggest
from equilibrist.cli.text.progress import LiveLine
from equilibrist.errors import ConfigError
from equilibrist.formatting.amounts import bytes_text, seconds_text
from equilibrist.library.kinds import kind_for
from equilibrist.options.option import DISPLAY, LIMITS, SAMPLING
from equilibrist.parsing.quantities import read_bytes, read_count

app = typer.Typer(
    help="Card buckets: merge hands that play alike, and look them up.",
    rich_markup_mode=None,
    cls=GroupedCommands,
)

_BUILD: Final = """Build card buckets: on every street, sets of hands that are played alike.

--buckets has their numbers before the flop, on it, on the turn and on the river; `all` gives every
hand a bucket of its own. --kind says by what hands are merged:

\b
  histogram  the distribution of their equity on the river, by earth mover's distance
  potential  the buckets of the next street that their next cards lead to (flop, turn)
  equity     their equity against a random hand, by least squares
  quantile   their equity, in equal shares of the deals
  ochs       their equities against eight groups of opponents' hands (river only)

The same options and seed give the same file on any number of threads. A street that is finished is
kept beside OUT; a build that was killed continues from there when the command is given again.

\b
Examples:
  equilibrist cards build --buckets 169/200/200/200 -o c.safetensors
  equilibrist cards build --buckets 169/500/500/500 -o c.safetensors \\
      --kind histogram/histogram/histogram/ochs
  equilibrist cards build --buckets all/100/100/50 --deck T -o small.safetensors
"""
_SHOW: Final = """Look a hand up in card buckets, or say what a file of them holds.

With --cards the words are a hand and a board of none, three, four or five cards. It shows the
bucket, the hand's equity against a random hand, the distribution of that on the river, and the
other hands of the bucket on the board. Without --cards the word is a file.

\b
Examples:
  equilibrist cards show AhKh Td9d6h --cards c.safetensors
  equilibrist cards show 7c7d --cards c.safetensors
  equilibrist cards show c.safetensors
"""


@app.command(help=_BUILD, short_help="Build card buckets.", cls=GroupedCommand)
def build(
    buckets: Annotated[
        str, options.optional("--buckets", "N/N/N/N", "Buckets before the flop and on each street.")
    ],
    out: Annotated[Path, options.out("Write the buckets to this file.")],
    kind: Annotated[
        str, options.valued("--kind", "K/K/K/K", "How hands are merged on each street.")
    ] = "histogram/histogram/histogram/equity",
    deck: Annotated[
        str,
        options.optional(
            "--deck",
            "RANK",
            "The lowest rank in the deck, as for hands, or its number of cards: T or 20. Hands "
            "rank as with 52 cards.  [default: 2]",
        ),
    ] = "2",
    seed: Annotated[
        int, options.whole("--seed", "N", "Seed of the clustering.", SAMPLING, default=True)
    ] = 0,
    restarts: Annotated[
        int,
        options.whole("--restarts", "N", "How often k-means starts.", SAMPLING, default=True),
    ] = 3,
    passes: Annotated[
        int,
        options.whole("--passes", "N", "The most passes of k-means.", SAMPLING, default=True),
    ] = 20,
    sample: Annotated[
        str,
        options.valued("--sample", "N", "Hands of each street that k-means sees.", SAMPLING),
    ] = "200000",
    threads: options.Threads = None,
    memory: Annotated[
        str | None,
        options.optional("--memory", "SIZE", "Refuse to need more than this, as 2GB.", LIMITS),
    ] = None,
    quiet: options.Quiet = False,
    json: options.Json = False,
) -> None:
    """Build, and say what was built."""
    from equilibrist.cli.commands.holdem.cards_text import show_file
    from equilibrist.poker.buckets.build import (
        build_bytes,
        build_card_buckets,
        check_memory,
        file_bytes,
    )
    from equilibrist.poker.buckets.spec import LEAST_SAMPLE, bucket_spec, lowest_rank_of

    settings: dict[str, Any] = {"seed": seed, "restarts": restarts, "passes": passes}
    settings |= {"sample": read_count(sample, "sample", LEAST_SAMPLE), "threads": threads}
    settings["memory"] = None if memory is None else read_bytes(memory)
    spec = bucket_spec(
        buckets, kind, lowest_rank=lowest_rank_of(deck), seed=seed, restarts=restarts,
        passes=passes, sample=settings["sample"],
    )  # fmt: skip
    check_memory(spec, settings["memory"])
    if not (quiet or json):
        size, needs = bytes_text(file_bytes(spec)), bytes_text(build_bytes(spec))
        note(
            f"{out} will have about {size}, and as much again is kept beside it until it is whole; "
            f"building needs about {needs} of memory"
        )
    begun = perf_counter()
    with LiveLine(
        quiet=quiet or json, interrupted="interrupted; finished streets are kept"
    ) as live:
        built = build_card_buckets(
            buckets,
            out,
            kinds=kind,
            lowest_rank=lowest_rank_of(deck),
            on_stage=_Stages(live),
            **settings,
        )
    if not (quiet or json):
        note(f"built in {seconds_text(perf_counter() - begun)}")
    show_file(built, json=json)
    if not json:
        suggest(next_command("cards show", "AhKh", cards=out))


class _Stages:
    """Shows what a build does: a line for each street, and where it stands."""

    def __init__(self, live: LiveLine) -> None:
        self._live, self._street = live, ""

    def __call__(self, street: str, text: str, share: float | None) -> None:
        if street != self._street:
            self._street = street
            self._live.stage(street)
        done = "" if share is None else f" {share:.0%}"
        self._live.tell([f"{street}: {text}{done}"])


@app.command(help=_SHOW, short_help="Look a hand up, or describe a file.", cls=GroupedCommand)
def show(
    words: Annotated[
        list[str], options.argument("HAND [BOARD] | FILE", "A hand and a board, or a file.")
    ],
    cards: Annotated[
        Path | None, options.file("--cards", "FILE", "The card buckets to look a hand up in.")
    ] = None,
    every: Annotated[
        bool, options.switch("--all", "Show all other hands of the bucket.", DISPLAY)
    ] = False,
    json: options.Json = False,
) -> None:
    """Show a hand, or a file."""
    from equilibrist.cli.commands.holdem.cards_text import hand_document, show_file, show_hand
    from equilibrist.poker.buckets.card_buckets import CardBuckets
    from equilibrist.poker.buckets.hand_report import hand_report
    from equilibrist.poker.cards.cards import card_names, parse_board
    from equilibrist.poker.cards.combos import combo_name, parse_combo

    if cards is None:
        if len(words) > 1 or every:
            raise ConfigError(
                "a hand is looked up in a file of card buckets",
                option="--cards",
                given=" ".join(words),
                expected="--cards FILE",
                remedy="give --cards FILE with the hand",
            )
        kind_for("cards show", words[0])
        show_file(CardBuckets.load(words[0]), json=json)
        return
    hand = parse_combo(words[0])
    board = parse_board(" ".join(words[1:])) if len(words) > 1 else ()
    kind_for("cards show", cards)
    report = hand_report(CardBuckets.load(cards), board, hand)
    if json:
        show_json({"board": card_names(board) or None, **hand_document(report)})
        return
    name = combo_name(hand) if board else report.hand
    show_hand(report, name + (f" on {card_names(board)}" if board else ""), every=every)
