"""`equilibrist blueprint size`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Final

from equilibrist.cli.commands.holdem.hand_input import HandFile, hand_of
from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.parameters import takes
from equilibrist.cli.text.output import show, show_facts, show_json, show_table
from equilibrist.errors import ConfigError
from equilibrist.formatting.amounts import bytes_text
from equilibrist.poker.hands.fields import BLUEPRINT_OPTIONS

SIZE: Final = """Count the abstract game of a hand: betting nodes, information sets, memory.

A decision of the betting and a bucket of cards are an information set, a slot is an action of one.
Nothing is built. --buckets has the numbers of buckets before the flop, on it, on the turn and on
the river; --cards takes those of a file.

\b
Examples:
  equilibrist blueprint size --stack 20 --bets "100%,a" --raises "100%,a" \\
      --buckets 169/200/200/200
  equilibrist blueprint size --limit limit --stack 24 --buckets 169/1000/1000/1000
  equilibrist blueprint size hand.toml --cards c.safetensors
"""

Buckets = Annotated[
    str | None,
    options.optional("--buckets", "N/N/N/N", "Buckets before the flop and on each street."),
]
Cards = Annotated[Path | None, options.file("--cards", "FILE", "The card buckets.")]


@takes(BLUEPRINT_OPTIONS, "hand")
def size(
    file: HandFile = None,
    *,
    hand: dict[str, Any],
    buckets: Buckets = None,
    cards: Cards = None,
    json: options.Json = False,
) -> None:
    """Count, print."""
    from equilibrist.parsing.threads import thread_count
    from equilibrist.poker.blueprint.abstract_game import abstract_size
    from equilibrist.poker.blueprint.training.train import (
        EXTERNAL,
        VECTOR,
        algorithm_bytes,
        algorithm_of,
    )
    from equilibrist.poker.blueprint.training.trainer import INT16
    from equilibrist.poker.hands.rules import STREET_NAMES

    dealt = hand_of(file, hand)
    counted = abstract_size(dealt, _counts(buckets, cards))
    method = algorithm_of(dealt, None)
    needed = algorithm_bytes(counted, method, thread_count(None) if method == EXTERNAL else 0)
    small = algorithm_bytes(counted, method, 0, storage=INT16) if method == VECTOR else None
    rows = list(
        zip(
            STREET_NAMES,
            counted.tree.decisions,
            counted.buckets,
            counted.infosets,
            counted.slots,
            strict=False,
        )
    )
    if json:
        names = ("street", "decisions", "buckets", "infosets", "slots")
        show_json(
            {
                "nodes": counted.tree.nodes,
                "streets": [dict(zip(names, row, strict=True)) for row in rows],
                "training_bytes": needed,
                "training_bytes_int16": small,
                "file_bytes": counted.file_bytes,
            }
        )
        return
    sums = [sum(counts) for counts in (counted.tree.decisions, counted.infosets, counted.slots)]
    texts = [[name, *(f"{count:,}" for count in row)] for name, *row in rows]
    texts.append(["all", f"{sums[0]:,}", "", f"{sums[1]:,}", f"{sums[2]:,}"])
    show_table(("street", "decisions", "buckets", "infosets", "slots"), texts)
    show()
    show_facts(
        [
            ("betting tree", f"{counted.tree.nodes:,} nodes"),
            ("training", bytes_text(needed)),
            *([] if small is None else [("", f"{bytes_text(small)} with --storage int16")]),
            ("file", bytes_text(counted.file_bytes)),
        ],
        "",
    )


def _counts(buckets: str | None, cards: Path | None) -> tuple[int, ...]:
    """The numbers of buckets of a text, or of a file."""
    from equilibrist.poker.buckets.card_buckets import CardBuckets
    from equilibrist.poker.buckets.spec import bucket_spec

    if (buckets is None) == (cards is None):
        raise ConfigError(
            "the numbers of buckets are missing"
            if buckets is None
            else "--buckets and --cards exclude each other",
            option="--buckets",
            expected="--buckets N/N/N/N, or --cards FILE",
            remedy="give one of them",
        )
    if cards is not None:
        return CardBuckets.load(cards).counts
    assert buckets is not None
    return bucket_spec(buckets, kinds="histogram/histogram/histogram/ochs").counts
