"""`equilibrist solve`: a game in, a strategy and the proof of how good it is out."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from equilibrist.cli.inputs import options, sampling_options
from equilibrist.cli.inputs.parameters import file_name
from equilibrist.cli.inputs.signals import INTERRUPTED, terminate_like_interrupt
from equilibrist.cli.text.output import note, show, show_json
from equilibrist.cli.text.progress import LiveLine
from equilibrist.cli.text.quantities import read_bytes, read_count, read_positive, read_seconds
from equilibrist.errors import ConfigError

if TYPE_CHECKING:
    from equilibrist.solvers.matrix.matching_result import MatchingStep
    from equilibrist.solving import Result

HELP = """Solve a game: find a strategy for all players, and prove how good it is.

The run stops at --target, --iterations or --time, whichever comes first. With none of them it
stops at 1e-4 of the game's payoff range, after at most 10,000 iterations (1e-3 and 1,000,000 with
a sampler or fsicfr), and says so. --time counts from when solving begins, after walking the rules
and compiling. --target is exploitability for two players with constant sum, else NashConv; the
output names which.

A rules module with too many histories for a tree is sampled without one, by a sampler that needs
none (`equilibrist samplers` says which): nothing is measured then, --iterations or --time ends the
run, and --memory bounds the table.

Ctrl-C stops after the present slice (50 ms, or one iteration; with --threads one period) and gives
what was found so far, with exit code 130. Without --out the solution goes to
GAME-ALGORITHM.safetensors, or GAME-SAMPLER-ALGORITHM.safetensors, in the current folder; a better
solution of the same game, or any other file, is never replaced: the next free number is added to
the name.

\b
Examples:
  equilibrist solve kuhn
  equilibrist solve leduc --algorithm dcfr --target 1e-3 --plot convergence.svg
  equilibrist solve "kuhn(players=3)" --iterations 5000
  equilibrist solve leduc --sampler external --iterations 1000000 --seed 7
  equilibrist solve leduc --sampler external --threads 2 --time 60
  equilibrist solve "rules:liars_dice(dice=2)" --sampler external --time 10m --memory 4GB
  equilibrist solve rules.py:MyGame --time 10m --checkpoint run.ckpt
  equilibrist solve rules.py:MyGame --time 10m --resume run.ckpt
  equilibrist solve leduc --algorithm lp --json > leduc.json
  equilibrist solve "liar_die(memory=1)" --algorithm fsicfr --iterations 20000
  equilibrist solve rps --algorithm regret-matching --iterations 3 --trace
"""


class Output(StrEnum):
    """Which strategy a solve gives back."""

    average = "average"
    last = "last"


def solve(
    game: options.Game,
    algorithm: Annotated[
        str | None,
        typer.Option(
            "--algorithm",
            "-a",
            metavar="NAME",
            show_default=False,
            help="A name of `equilibrist algorithms`, or my.py:MyVariant, with parameters if any.  "
            "[default: dcfr; with a sampler cfr]",
        ),
    ] = None,
    sampler: sampling_options.Sampler = None,
    iterations: Annotated[
        str | None,
        typer.Option(
            "--iterations", "-n", metavar="N", show_default=False, help="Stop after this many."
        ),
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(
            "--target",
            "-t",
            metavar="X",
            show_default=False,
            help="Stop at this exploitability (NashConv where there is none), in payoff units.",
        ),
    ] = None,
    time: Annotated[
        str | None,
        typer.Option(
            "--time",
            metavar="TIME",
            show_default=False,
            help="Stop after so many seconds (or 10m, 1.5h), counted from when solving begins.",
        ),
    ] = None,
    seed: Annotated[
        int,
        typer.Option("--seed", metavar="N", help="Seed of samplers, fsicfr and regret matching."),
    ] = 0,
    averaging: sampling_options.Averaging = None,
    averaging_every: sampling_options.AveragingEvery = None,
    period: sampling_options.Period = None,
    threads: sampling_options.Threads = "1",
    shared_table: sampling_options.SharedTable = False,
    executor: sampling_options.Executor = None,
    address: sampling_options.Address = None,
    alternating: options.UpdateOrder = None,
    output: Annotated[
        Output,
        typer.Option("--output", help="The average strategy, which converges, or the last one."),
    ] = Output.average,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            parser=file_name,
            metavar="FILE",
            show_default=False,
            help="Save the solution here; replaces an earlier solution, but no other file.",
        ),
    ] = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option(
            "--checkpoint",
            parser=file_name,
            metavar="FILE",
            show_default=False,
            help="Save the state of the run here every now and then, to go on with --resume.",
        ),
    ] = None,
    checkpoint_every: Annotated[
        str, typer.Option("--checkpoint-every", metavar="TIME", help="How often, in seconds.")
    ] = "10",
    resume: Annotated[
        Path | None,
        typer.Option(
            "--resume",
            parser=file_name,
            metavar="FILE",
            show_default=False,
            help="Go on from this checkpoint, and keep saving to it unless --checkpoint names "
            "another file. The bits at the end are those of a run without a break.",
        ),
    ] = None,
    warm_start: options.WarmStart = None,
    warm_iterations: options.WarmIterations = "100",
    plot: Annotated[
        Path | None,
        typer.Option(
            "--plot",
            parser=file_name,
            metavar="FILE",
            show_default=False,
            help="Draw the convergence as .svg or .png.",
        ),
    ] = None,
    max_histories: options.MaxHistoriesOfTree = None,
    memory: options.MemoryOfTreeOrTable = None,
    max_depth: options.MaxDepth = options.MAX_DEPTH,
    trace: Annotated[
        bool,
        typer.Option(
            "--trace", help="Print the first 100 steps; regret matching on matrix games only."
        ),
    ] = False,
    json: options.Json = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Show no progress, only the result.")
    ] = False,
) -> None:
    """Solve a game as the options say, print the report, save the solution."""
    from equilibrist.cli.inputs.solution_files import check_default, save
    from equilibrist.cli.inputs.sources import open_strategy
    from equilibrist.cli.text.implicit_text import show_implicit
    from equilibrist.cli.text.result_text import show_result
    from equilibrist.progress import Callbacks
    from equilibrist.results import ImplicitResult
    from equilibrist.solving import SolveConfig
    from equilibrist.solving.algorithm import get_algorithm, read_sampler
    from equilibrist.solving.running import run
    from equilibrist.solving.writing import ResultWriter
    from equilibrist.storage.tables import refuse_table_name

    drawn = read_sampler(sampler)
    found = get_algorithm(algorithm, sampled=drawn is not None)
    name = found if isinstance(found, str) else found.name
    if trace and name not in {"regret-matching", "regret-matching+"}:
        raise ConfigError(
            f"--trace prints the steps of regret matching, {name} records none",
            option="--trace",
            given=name,
            remedy="use --algorithm regret-matching (matrix games), or --plot for the convergence",
        )
    config = SolveConfig.build(
        algorithm=name,
        iterations=_read(read_count, iterations),
        target=_read(read_positive, target),
        seconds=_read(read_seconds, time),
        seed=seed,
        alternating=alternating,
        sampler=drawn,
        averaging=averaging,
        averaging_every=_read(read_count, averaging_every),
        period=_read(read_count, period),
        threads=read_count(threads),
        shared=shared_table,
        executor=executor,
        address=address,
        output=output.value,
        out=out,
        plot=plot,
        checkpoint=checkpoint,
        checkpoint_every=read_seconds(checkpoint_every),
        resume=resume,
        warm_start=None if warm_start is None else str(warm_start),
        warm_iterations=read_count(warm_iterations),
        max_histories=_read(read_count, max_histories),
        memory=_read(read_bytes, memory),
        max_depth=read_count(max_depth),
    )
    warm = None if warm_start is None else open_strategy(warm_start, game).strategy
    if config.out is None:
        check_default(game, name, drawn)
    else:
        refuse_table_name(config.out)
    with LiveLine(quiet=quiet) as live, terminate_like_interrupt():
        told = Callbacks(None if live.quiet else live.progress, live.stage, live.walked)
        result, failure = run(game, found, config, told, warm)
    writer = ResultWriter[Any](lambda found: save(found, config.out), config.plot)
    result = writer.write(result, failure)
    if json:
        document = result.to_dict()
        if trace:
            document["matching_trace"] = _trace_document(result)
        show_json(document)
    elif isinstance(result, ImplicitResult):
        show_implicit(result)
    else:
        if trace:
            _show_trace(result)
        show_result(result)
    if writer.plotted is not None:
        (note if json else show)(f"Convergence drawn to {writer.plotted}")
    writer.raise_failures()
    if result.stopped_by == "interrupted":
        raise typer.Exit(INTERRUPTED)


def _read(reader: Any, text: str | None) -> Any:
    return None if text is None else reader(text)


def _show_trace(result: Result) -> None:
    steps = _steps(result)
    for step in steps:
        show(str(step))
        show()
    if len(steps) < result.iterations:
        show(f"(the first {len(steps)} of {result.iterations:,} iterations)")
        show()


def _steps(result: Result) -> tuple[MatchingStep, ...]:
    from equilibrist.solvers.matrix.matching_result import MatchingResult

    assert isinstance(result.details, MatchingResult)
    return result.details.trace


def _trace_document(result: Result) -> list[dict[str, Any]]:
    from dataclasses import asdict

    return [asdict(step) for step in _steps(result)]
