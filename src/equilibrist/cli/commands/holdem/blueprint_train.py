"""`equilibrist blueprint size` and `train`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.parameters import file_name, takes
from equilibrist.cli.inputs.signals import INTERRUPTED, resumable, terminate_like_interrupt
from equilibrist.cli.text.output import (
    note,
    show,
    show_facts,
    show_json,
    show_table,
    suggest,
    typed,
)
from equilibrist.cli.text.progress import LiveLine
from equilibrist.cli.text.quantities import read_bytes, read_count, read_seconds, seconds_text
from equilibrist.errors import ConfigError
from equilibrist.formatting.amounts import bytes_text
from equilibrist.options.option import FILES, LIMITS, SAMPLING, THREADS
from equilibrist.poker.holdem.fields import HAND_OPTIONS

if TYPE_CHECKING:
    from equilibrist.blueprint.policy import Blueprint
    from equilibrist.blueprint.training import TrainingProgress
    from equilibrist.poker.holdem.hand import Hand

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
TRAIN: Final = """Train a blueprint: a strategy of both seats of a hand, from the deal on.

The hand is a file (TOML), or options, or both. --cards has the buckets of cards, as `cards build`
makes them. An iteration draws a batch of boards, each of the deck once before any comes again,
walks the betting for every board with all hands of both seats, and then updates the regrets of all
information sets, with the discounts of DCFR (1.5, 0, 2).

The run stops at --time or --iterations, whichever comes first. Ctrl-C stops after the current
iteration and saves what there is, with exit code 130. With --checkpoint the state of the run is
saved every minute and when it stops; --resume continues from there, bit-identical to a run that was
not stopped, on any number of threads. With --workers cores of a Ray cluster train in rounds; every
machine needs the file of --cards in the same place.

\b
Examples:
  equilibrist blueprint train --stack 20 --bets "100%,a" --raises "100%,a" --cards c.safetensors \\
      --time 30m -o b.safetensors --checkpoint b.ckpt
  equilibrist blueprint train --resume b.ckpt --time 60m -o b.safetensors
"""

Buckets = Annotated[
    str | None,
    options.optional("--buckets", "N/N/N/N", "Buckets before the flop and on each street."),
]
Cards = Annotated[Path | None, options.file("--cards", "FILE", "The card buckets.")]
HandFile = Annotated[
    Path | None, options.file_argument("HAND", "A hand file (TOML); options override its keys.")
]


@takes(HAND_OPTIONS, "hand")
def size(
    file: HandFile = None,
    *,
    hand: dict[str, Any],
    buckets: Buckets = None,
    cards: Cards = None,
    json: options.Json = False,
) -> None:
    """Count, print."""
    from equilibrist.blueprint.abstract_game import abstract_size
    from equilibrist.blueprint.trainer import training_bytes
    from equilibrist.poker.holdem.rules import STREET_NAMES

    found = abstract_size(hand_of(file, hand, needed=True), _counts(buckets, cards))
    rows = list(
        zip(
            STREET_NAMES,
            found.tree.decisions,
            found.buckets,
            found.infosets,
            found.slots,
            strict=False,
        )
    )
    if json:
        names = ("street", "decisions", "buckets", "infosets", "slots")
        show_json(
            {
                "nodes": found.tree.nodes,
                "streets": [dict(zip(names, row, strict=True)) for row in rows],
                "training_bytes": training_bytes(found),
                "file_bytes": found.file_bytes,
            }
        )
        return
    sums = [sum(counts) for counts in (found.tree.decisions, found.infosets, found.slots)]
    texts = [[name, *(f"{count:,}" for count in row)] for name, *row in rows]
    texts.append(["all", f"{sums[0]:,}", "", f"{sums[1]:,}", f"{sums[2]:,}"])
    show_table(("street", "decisions", "buckets", "infosets", "slots"), texts)
    show()
    show_facts(
        [
            ("betting tree", f"{found.tree.nodes:,} nodes"),
            ("training", bytes_text(training_bytes(found))),
            ("file", bytes_text(found.file_bytes)),
        ],
        "",
    )


@takes(HAND_OPTIONS, "hand")
def train(
    file: HandFile = None,
    *,
    hand: dict[str, Any],
    cards: Cards = None,
    time: Annotated[
        str | None, options.optional("--time", "TIME", "Stop after this time: 30m.", LIMITS)
    ] = None,
    iterations: Annotated[
        str | None,
        options.optional("--iterations", "N", "Stop after this many iterations.", LIMITS),
    ] = None,
    memory: Annotated[
        str | None,
        options.optional("--memory", "SIZE", "Refuse to need more than this, as 2GB.", LIMITS),
    ] = None,
    seed: Annotated[
        int | None,
        options.whole("--seed", "N", "Seed of the order of boards.  [default: 0]", SAMPLING),
    ] = None,
    batch: Annotated[
        int | None,
        options.whole("--batch", "N", "Boards of an iteration.  [default: 12]", SAMPLING),
    ] = None,
    threads: Annotated[
        int | None,
        options.whole(
            "--threads",
            "N",
            "Work with this many threads, at most 4; the result is the same.  [default: one per "
            "processor]",
            THREADS,
        ),
    ] = None,
    workers: Annotated[
        int | None,
        options.whole(
            "--workers",
            "N",
            "Train on so many cores of a Ray cluster, in rounds. The result depends on N and on "
            "--period, not on the machines.",
            THREADS,
        ),
    ] = None,
    period: Annotated[
        int | None,
        options.whole(
            "--period", "N", "Iterations of a round of --workers.  [default: 100]", THREADS
        ),
    ] = None,
    address: Annotated[
        str | None,
        options.optional(
            "--address",
            "HOST:PORT",
            "The head node of the Ray cluster; auto finds one on this machine, local starts one.  "
            "[default: local]",
            THREADS,
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE",
            parser=file_name,
            show_default=False,
            help="Write the blueprint to this file.",
            rich_help_panel=FILES,
        ),
    ] = None,
    checkpoint: Annotated[
        Path | None,
        options.file(
            "--checkpoint",
            "FILE",
            "Save the state of the run here periodically; --resume continues from it.",
            FILES,
        ),
    ] = None,
    resume: Annotated[
        Path | None,
        options.file("--resume", "FILE", "Resume from this checkpoint, and save to it.", FILES),
    ] = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Train, save, print."""
    from equilibrist.blueprint.checkpoint import check_out
    from equilibrist.blueprint.training import resume_blueprint, train_blueprint
    from equilibrist.blueprint.workers import PERIOD, Workers

    if out is None and checkpoint is None and resume is None:
        raise ConfigError(
            "the blueprint would be lost",
            option="--out",
            expected="--out FILE",
            remedy="name a file for it with -o",
        )
    if out is not None:
        check_out(out)
    given: dict[str, Any] = {"threads": threads}
    if time is not None:
        given["seconds"] = read_seconds(time)
    if iterations is not None:
        given["iterations"] = read_count(iterations, "iterations")
    if memory is not None:
        given["memory"] = read_bytes(memory)
    fixed = {"seed": seed, "batch": batch}
    rounds = {"workers": workers, "period": period}
    if workers is None and resume is None:
        _refuse_without_workers({"--period": period, "--address": address})
    with (
        resumable(checkpoint or resume),
        LiveLine(quiet=quiet or json) as live,
        terminate_like_interrupt(),
    ):
        live.stage("preparing the training", aloud=False)

        def told(progress: TrainingProgress) -> None:
            live.tell(_texts(progress))

        given["on_progress"] = told
        if resume is not None:
            _refuse_with_resume(file, hand, {**fixed, **rounds, "checkpoint": checkpoint})
            found = resume_blueprint(resume, cards=cards, address=address, **given)
        else:
            if cards is None:
                raise ConfigError(
                    "the card buckets are missing",
                    option="--cards",
                    expected="--cards FILE",
                    remedy="build them with `equilibrist cards build`, and name their file",
                )
            given |= {name: value for name, value in fixed.items() if value is not None}
            if workers is not None:
                given["workers"] = Workers(workers, period or PERIOD, address)
            found = train_blueprint(
                hand_of(file, hand, needed=True), cards, checkpoint=checkpoint, **given
            )
    if out is not None:
        found.save(out)
    if json:
        show_json(document(found))
    else:
        show_record(found)
        if out is not None:
            suggest(f"equilibrist blueprint show {typed(out)}")
    if found.record["stopped_by"] == "interrupted":
        state = checkpoint or resume
        if state is not None:
            note(f"Paused; resume with: equilibrist blueprint train --resume {typed(state)}")
        raise typer.Exit(INTERRUPTED)


def hand_of(file: Path | None, given: dict[str, Any], *, needed: bool) -> Hand:
    """The hand of a file and options."""
    from equilibrist.poker.holdem.hand import Hand

    keys = {key: value for key, value in given.items() if value is not None}
    if file is not None:
        return Hand.from_toml(file, **keys)
    if not keys and needed:
        raise ConfigError(
            "no hand",
            option="hand",
            remedy="give a hand file, or --stack, --bets and --raises",
        )
    return Hand(**keys)


def _refuse_with_resume(file: Path | None, hand: dict[str, Any], others: dict[str, Any]) -> None:
    given = [key for key, value in {**hand, **others, "hand": file}.items() if value is not None]
    if given:
        raise ConfigError(
            "a run that is resumed keeps its hand and its options",
            option=given[0],
            given=given[0],
            remedy=f"leave out {', '.join(given)}",
        )


def _refuse_without_workers(given: dict[str, Any]) -> None:
    for option, value in given.items():
        if value is not None:
            raise ConfigError(
                f"{option} is for --workers",
                option=option,
                given=value,
                remedy="give --workers, the cores of a Ray cluster, or leave it out",
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


def _texts(progress: TrainingProgress) -> list[str]:
    """The live line, and shorter ones."""
    parts = [
        f"{progress.boards:,} boards",
        f"{progress.boards_per_second:,.0f}/s",
        f"{progress.updates:,} updates per infoset",
        f"regret {progress.average_regret:,.3g} mbb",
    ]
    if progress.eta_seconds is not None:
        parts.append(f"{seconds_text(progress.eta_seconds)} to go")
    return ["  ".join(parts), "  ".join([*parts[:2], *parts[3:]]), parts[0]]


def document(found: Blueprint) -> dict[str, Any]:
    """A blueprint as JSON has it, without its strategy."""
    return {
        "hand": found.hand.name,
        "buckets": list(found.game.buckets),
        "cards": found.cards.hash,
        "infosets": found.game.num_infosets,
        "slots": found.game.num_slots,
        **found.record,
    }


def show_record(found: Blueprint) -> None:
    """Print how a blueprint was trained."""
    record = found.record
    boards = f"{record['boards']:,} boards in {record['iterations']:,} iterations, "
    boards += seconds_text(record["seconds"])
    show_facts(
        [
            ("hand", found.hand.name),
            ("buckets", "/".join(map(str, found.game.buckets)) + f", hash {found.cards.hash[:8]}"),
            ("infosets", f"{found.game.num_infosets:,}"),
            (
                "training",
                boards,
            ),
            ("average regret", f"{record['average_regret_mbb']:.3g} mbb"),
            ("value", f"{record['value_mbb']:+.4g} mbb for the small blind, while training"),
        ],
        "",
    )
