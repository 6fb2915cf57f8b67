"""`equilibrist blueprint train`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from equilibrist.cli.commands.holdem.blueprint_size import Cards
from equilibrist.cli.commands.holdem.hand_input import HandFile, check_out, hand_of
from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.parameters import takes
from equilibrist.cli.inputs.signals import INTERRUPTED, resumable, terminate_like_interrupt
from equilibrist.cli.inputs.start_time import STARTED
from equilibrist.cli.text.holdem.blueprint_text import live_texts, show_record
from equilibrist.cli.text.output import (
    note,
    show_json,
    suggest,
    typed,
)
from equilibrist.cli.text.progress import LiveLine
from equilibrist.errors import ConfigError
from equilibrist.formatting.amounts import seconds_text
from equilibrist.options.option import LIMITS, SAMPLING, THREADS
from equilibrist.parsing.quantities import read_bytes, read_count, read_seconds
from equilibrist.poker.hands.fields import BLUEPRINT_OPTIONS
from equilibrist.progress import Callbacks, timed

if TYPE_CHECKING:
    from collections.abc import Callable

    from equilibrist.poker.blueprint.evaluation.exploiter import Exploiter
    from equilibrist.poker.blueprint.policy import Blueprint
    from equilibrist.progress import Progress

TRAIN: Final = """Train a blueprint: a strategy of all seats of a hand, from the deal on.

The hand is a file (TOML), or options, or both. --cards has the buckets of cards, as `cards build`
makes them. With two seats an iteration draws a batch of boards, each of the deck once before any
comes again, walks the betting for every board with all hands of both seats, and then updates the
regrets of all information sets, with linear weights.

With more seats, or --algorithm external, cards and the others' actions are drawn (external
sampling). An iteration is a round of --batch deals on each thread, after which regrets are averaged
and discounted; the result depends on the number of threads with which the run began.

The run stops at --time or --iterations, whichever comes first. Ctrl-C stops after the current
iteration and saves what there is, with exit code 130. With --checkpoint the state of the run is
saved when it starts, every minute and when it stops; --resume continues from there, bit-identical
to an uninterrupted run, on any number of threads. --time counts from the start of the command,
--iterations include what was trained before: a run that is past them is refused, and one that ended
at them is not trained further.

With --workers cores of a Ray cluster train in rounds; every machine needs the file of --cards in
the same place.

\b
Examples:
  equilibrist blueprint train --stack 20 --bets "100%,a" --raises "100%,a" --cards c.safetensors \\
      --time 30m -o b.safetensors --checkpoint b.ckpt
  equilibrist blueprint train --resume b.ckpt --time 30m -o b.safetensors
  equilibrist blueprint train --seats 3 --stack 10 --bets a --raises a --cards c.safetensors \\
      --time 10m -o three.safetensors
"""


@takes(BLUEPRINT_OPTIONS, "hand")
def train(
    file: HandFile = None,
    *,
    hand: dict[str, Any],
    cards: Cards = None,
    algorithm: Annotated[
        str | None,
        options.optional(
            "--algorithm",
            "NAME",
            "vector or external.  [default: vector with two seats, external with more]",
        ),
    ] = None,
    time: Annotated[
        str | None,
        options.optional(
            "--time",
            "TIME",
            "Stop after this long, counted from the start of the command: 30m.",
            LIMITS,
        ),
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
        options.whole("--seed", "N", "Seed of the cards.  [default: 0]", SAMPLING),
    ] = None,
    batch: Annotated[
        int | None,
        options.whole(
            "--batch",
            "N",
            "Boards of an iteration, or deals of each thread in a round.  [default: 4, or 20000]",
            SAMPLING,
        ),
    ] = None,
    storage: Annotated[
        str | None,
        options.optional(
            "--storage",
            "NAME",
            "float32, or int16: regrets and average strategies in 16 bits with a scale for each "
            "decision, for two seats, not with --workers.  [default: float32]",
            SAMPLING,
        ),
    ] = None,
    threads: Annotated[
        int | None,
        options.whole(
            "--threads",
            "N",
            "Work with this many threads. On boards four are of use, or one for every three boards "
            "of a larger batch, at most 16; the result is the same.  [default: one per processor]",
            THREADS,
        ),
    ] = None,
    evaluate_every: Annotated[
        str | None,
        options.optional(
            "--evaluate-every",
            "TIME",
            "Train exploiters of all seats whenever this time of training has passed, for a tenth "
            "of it each, and show what they gain on average: 10m.",
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
        options.out("Save the blueprint here; an earlier one is replaced."),
    ] = None,
    checkpoint: options.Checkpoint = None,
    resume: options.Resume = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Train, save, print."""
    from equilibrist.poker.blueprint.training.rounds import PERIOD, Workers
    from equilibrist.poker.blueprint.training.train import (
        algorithm_of,
        resume_blueprint,
        train_blueprint,
    )
    from equilibrist.storage.kinds.file_kinds import BLUEPRINT

    if out is None and checkpoint is None and resume is None:
        raise ConfigError(
            "the blueprint would be lost",
            option="--out",
            expected="--out FILE",
            remedy="name a file for it with -o",
        )
    check_out(out, checkpoint or resume, BLUEPRINT)
    options: dict[str, Any] = {"threads": threads}
    if time is not None:
        options["seconds"] = read_seconds(time)
    if iterations is not None:
        options["iterations"] = read_count(iterations, "iterations")
    if memory is not None:
        options["memory"] = read_bytes(memory)
    fixed = {"seed": seed, "batch": batch, "algorithm": algorithm, "storage": storage}
    rounds = {"workers": workers, "period": period}
    if workers is None and resume is None:
        _refuse_without_workers({"--period": period, "--address": address})
    with (
        resumable(checkpoint or resume),
        LiveLine(quiet=quiet or json) as live,
        terminate_like_interrupt(),
    ):
        has_trained = False

        def report(progress: Progress) -> None:
            nonlocal has_trained
            has_trained = True
            live.tell(live_texts(progress))

        options["callbacks"] = timed(Callbacks(report), STARTED)
        if evaluate_every is not None:
            every = read_seconds(evaluate_every)
            options |= {"evaluate_every": every, "evaluate": _exploited(every / 10, threads)}
        if resume is not None:
            _refuse_with_resume(file, hand, {**fixed, **rounds, "checkpoint": checkpoint})
            _say_stage(live, None)
            blueprint = resume_blueprint(resume, cards=cards, address=address, **options)
        else:
            if cards is None:
                raise ConfigError(
                    "the card buckets are missing",
                    option="--cards",
                    expected="--cards FILE",
                    remedy="build them with `equilibrist cards build`, and name their file",
                )
            options |= {name: value for name, value in fixed.items() if value is not None}
            if workers is not None:
                options["workers"] = Workers(workers, period or PERIOD, address)
            read = hand_of(file, hand)
            _say_stage(live, algorithm_of(read, algorithm))
            blueprint = train_blueprint(read, cards, checkpoint=checkpoint, **options)
    if out is not None:
        blueprint.save(out)
    if not has_trained and blueprint.record["stopped_by"] != "interrupted":
        note(
            f"nothing was trained: {_ended(blueprint)}; a higher --iterations, or --time, trains on"
        )
    if json:
        show_json(blueprint.facts())
    else:
        show_record(blueprint)
        if out is not None:
            suggest(f"equilibrist blueprint show {typed(out)}")
    if blueprint.record["stopped_by"] == "interrupted":
        state = checkpoint or resume
        if state is not None:
            note(f"Paused; resume with: equilibrist blueprint train --resume {typed(state)}")
        raise typer.Exit(INTERRUPTED)


def _say_stage(live: LiveLine, algorithm: str | None) -> None:
    """Say that the training is prepared, and whether kernels are compiled for that."""
    from equilibrist._jit.first_run import compiling_text
    from equilibrist.poker.blueprint.training.compiling import is_compiled

    text = "preparing the training"
    if is_compiled(algorithm):
        live.stage(text, aloud=False)
    else:
        live.stage(compiling_text(before=text))


def _ended(blueprint: Blueprint) -> str:
    iterations, seconds = blueprint.record["iterations"], blueprint.record["seconds"]
    return f"the run ended at its limit after {iterations:,} iterations, {seconds_text(seconds)}"


def _refuse_with_resume(file: Path | None, hand: dict[str, Any], others: dict[str, Any]) -> None:
    named = [key for key, value in {**hand, **others, "hand": file}.items() if value is not None]
    if named:
        raise ConfigError(
            "a run that is resumed keeps its hand and its options",
            option=named[0],
            given=named[0],
            remedy=f"leave out {', '.join(named)}",
        )


def _refuse_without_workers(of_clusters: dict[str, Any]) -> None:
    for option, value in of_clusters.items():
        if value is not None:
            raise ConfigError(
                f"{option} is for --workers",
                option=option,
                given=value,
                remedy="give --workers, the cores of a Ray cluster, or leave it out",
            )


def _exploited(seconds: float, threads: int | None) -> Callable[[Blueprint], Exploiter]:
    """Make what measures a blueprint in between."""

    def exploited(blueprint: Blueprint) -> Exploiter:
        from equilibrist.poker.blueprint.evaluation.exploiter import MEANTIME_DEALS, PILOT, exploit

        boards = PILOT if blueprint.hand.seats == 2 else MEANTIME_DEALS
        return exploit(blueprint, seconds=seconds, boards=boards, threads=threads)

    return exploited
