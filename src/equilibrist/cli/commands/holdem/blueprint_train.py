"""`equilibrist blueprint train`."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from equilibrist.cli.commands.holdem.blueprint_size import Cards
from equilibrist.cli.commands.holdem.hand_input import HandFile, check_out, hand_of
from equilibrist.cli.inputs import options, start_time
from equilibrist.cli.inputs.parameters import described, takes, with_options
from equilibrist.cli.inputs.signals import INTERRUPTED, resumable, terminate_like_interrupt
from equilibrist.cli.text.holdem.blueprint_text import live_texts, show_record
from equilibrist.cli.text.next_commands import next_command
from equilibrist.cli.text.output import (
    note,
    show_json,
    suggest,
)
from equilibrist.cli.text.progress import LiveLine
from equilibrist.errors import ConfigError
from equilibrist.formatting.amounts import seconds_text
from equilibrist.options.option import SAMPLING, THREADS, by_flag, declare, options_of, shared
from equilibrist.options.solve_options import HOLDEM_RUN_OPTIONS, SOLVE_OPTIONS
from equilibrist.poker.hands.fields import BLUEPRINT_OPTIONS
from equilibrist.progress import Callbacks, timed

if TYPE_CHECKING:
    from collections.abc import Callable

    from equilibrist.poker.blueprint.evaluation.exploiter import Exploiter
    from equilibrist.poker.blueprint.policy import Blueprint
    from equilibrist.progress import Progress

Out = Annotated[Path | None, described("out", HOLDEM_RUN_OPTIONS["out"])]

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


@dataclass(frozen=True)
class TrainingOptions:
    """What the result of a training depends on; None for what was not typed."""

    algorithm: str | None = shared(
        HOLDEM_RUN_OPTIONS["algorithm"],
        help="vector or external.",
        default_text="vector with two seats, external with more",
    )
    seed: int | None = shared(HOLDEM_RUN_OPTIONS["seed"], help="Seed of the cards.")
    batch: int | None = declare(
        "whole number",
        SAMPLING,
        "Boards of an iteration, or deals of each thread in a round.",
        default_text="4, or 20000",
    )
    storage: str | None = shared(
        HOLDEM_RUN_OPTIONS["storage"],
        help="How regrets and average strategies are stored: int16 is 16 bits with a scale for "
        "each decision, for two seats, not with --workers.",
    )

    def settings(self) -> dict[str, Any]:
        """What was typed, by the names of the arguments."""
        return {name: value for name, value in asdict(self).items() if value is not None}


@dataclass(frozen=True)
class TrainingRun:
    """How long the training lasts, on what it runs, and its checkpoint."""

    seconds: float | None = shared(
        HOLDEM_RUN_OPTIONS["seconds"],
        help="Stop after this many seconds (or 10m, 1.5h), counted from the start of the command; "
        "the iteration that has begun is finished.",
    )
    iterations: int | None = shared(HOLDEM_RUN_OPTIONS["iterations"])
    memory: int | None = shared(HOLDEM_RUN_OPTIONS["memory"], default_text="no limit")
    threads: int | None = shared(
        HOLDEM_RUN_OPTIONS["threads"],
        help="Work with this many threads. On boards four are of use, or one for every three "
        "boards of a larger batch, at most 16; the result is the same.",
    )
    evaluate_every: float | None = declare(
        "time",
        SAMPLING,
        "Train exploiters of all seats whenever this time of training has passed, for a tenth of "
        "it each, and show what they gain on average: 10m.",
    )
    workers: int | None = declare(
        "whole number",
        THREADS,
        "Train on so many cores of a Ray cluster, in rounds. The result depends on N and on "
        "--period, not on the machines.",
    )
    period: int | None = declare(
        "whole number", THREADS, "Iterations of a round of --workers.", default_text="100"
    )
    address: str | None = shared(SOLVE_OPTIONS["address"])
    checkpoint: Path | None = shared(HOLDEM_RUN_OPTIONS["checkpoint"])
    resume: Path | None = shared(
        HOLDEM_RUN_OPTIONS["resume"], help="Resume from this checkpoint, and save to it."
    )

    def settings(self) -> dict[str, Any]:
        """What was typed and both a new run and a resumed one take, by the names of arguments."""
        names = ("seconds", "iterations", "memory", "threads", "evaluate_every")
        typed = {name: getattr(self, name) for name in names}
        return {name: value for name, value in typed.items() if value is not None}


@takes(BLUEPRINT_OPTIONS, "hand")
@with_options
def train(
    file: HandFile = None,
    *,
    hand: dict[str, Any],
    cards: Cards = None,
    training: TrainingOptions,
    run: TrainingRun,
    out: Out = None,
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

    state = run.checkpoint or run.resume
    if out is None and state is None:
        raise ConfigError(
            "the blueprint would be lost",
            option="--out",
            expected="--out FILE",
            remedy="name a file for it with -o",
        )
    check_out(out, state, BLUEPRINT)
    if run.workers is None and run.resume is None:
        _refuse_without_workers(by_flag(run, "period", "address"))
    with resumable(state), LiveLine(quiet=quiet or json) as live, terminate_like_interrupt():
        has_trained = False

        def report(progress: Progress) -> None:
            nonlocal has_trained
            has_trained = True
            live.tell(live_texts(progress))

        settings = run.settings() | {"callbacks": timed(Callbacks(report), start_time.STARTED)}
        if run.evaluate_every is not None:
            settings["evaluate"] = _exploited(run.evaluate_every / 10, run.threads)
        if run.resume is not None:
            rounds = {"workers": run.workers, "period": run.period, "checkpoint": run.checkpoint}
            _refuse_with_resume(file, hand, {**asdict(training), **rounds})
            _say_stage(live, None)
            blueprint = resume_blueprint(run.resume, cards=cards, address=run.address, **settings)
        else:
            read = hand_of(file, hand)
            if cards is None:
                raise ConfigError(
                    "the card buckets are missing",
                    option="--cards",
                    expected="--cards FILE",
                    remedy="build them with `equilibrist cards build`, and name their file",
                )
            settings |= training.settings() | {"checkpoint": run.checkpoint}
            if run.workers is not None:
                settings["workers"] = Workers(run.workers, run.period or PERIOD, run.address)
            _say_stage(live, algorithm_of(read, training.algorithm))
            blueprint = train_blueprint(read, cards, **settings)
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
            suggest(next_command("blueprint show", out))
    if blueprint.record["stopped_by"] == "interrupted":
        if state is not None:
            fixed = ("file", *BLUEPRINT_OPTIONS, *options_of(TrainingOptions), "workers", "period")
            again = next_command("blueprint train", resume=state, out=out, without=fixed)
            note(f"Paused; resume with: {again}")
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
