"""`equilibrist solve`: solve a game and measure how good the strategy is."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.parameters import takes
from equilibrist.cli.inputs.signals import INTERRUPTED, resumable, terminate_like_interrupt
from equilibrist.cli.inputs.start_time import STARTED, note_overrun, stages_text
from equilibrist.cli.text.next_commands import next_command
from equilibrist.cli.text.output import note, show, show_json, suggest
from equilibrist.cli.text.progress import LiveLine
from equilibrist.errors import ConfigError
from equilibrist.formatting.amounts import counted, measure_text, seconds_text
from equilibrist.options.option import ALGORITHM, DISPLAY
from equilibrist.options.solve_options import SOLVE_OPTIONS
from equilibrist.parsing.quantities import read_count

if TYPE_CHECKING:
    from equilibrist.results.comparison import ComparedRun
    from equilibrist.solvers.matrix.matching_result import MatchingStep
    from equilibrist.solving import Result
    from equilibrist.solving.algorithm import Algorithm
    from equilibrist.solving.config import SolveConfig

_SPREADS: Final = ("measure", "iterations", "seconds")
"""What several seeds are compared in."""
_DRAWN: Final = ("seed",)
"""Options on what a run draws, which say nothing of the deals that are played later."""

HELP = """Solve a game: find a strategy for all players, and measure how good it is.

The run stops at --target, --iterations or --time, whichever comes first. With none of them it
stops at 1e-4 of the scale of the payoffs in play, which is the range of the payoffs in most games,
after at most 10,000 iterations (1e-3 and 1,000,000 with a sampler or fsicfr). --target is
exploitability for two players with constant sum, else NashConv; the output names which.

--measure efce, efcce or cce measures the history of play instead: how much players gain, summed,
if a mediator recommends what was played and they deviate. --target is then that gap.

With --sampler, a rules module with too many histories for a tree is sampled without one, if the
sampler needs none (`equilibrist samplers` says which): nothing is measured then, --iterations or
--time ends the run, and --memory bounds the table. Without --sampler such a game is refused.

--seeds 10 runs a sampler, fsicfr or regret matching with ten seeds from --seed on, and reports the
median of the measure with a 95 % interval for the median of all seeds; of fewer than six seeds it
is their range. Each seed has the whole of --time, counted from when its solving begins. The
solution of the first seed is shown and saved.

Ctrl-C stops after the current slice (50 ms, or one iteration; one period of threads that sample)
and saves the partial result, with exit code 130.

The solution stays in your data folder as `last`, the one before it as `last-2`, and so on: the last
ten are kept, and every command takes these names for files (`equilibrist last` lists them). --out
saves it to a file of your own as well.

\b
Examples:
  equilibrist solve kuhn
  equilibrist solve leduc --algorithm dcfr --target 1e-3 --plot convergence.svg
  equilibrist solve "kuhn(players=3)" --iterations 5000
  equilibrist solve "kuhn(players=3)" --measure efce --iterations 5000 --save-device play.device
  equilibrist solve leduc --sampler external --iterations 1000000 --seed 7
  equilibrist solve leduc --sampler external --iterations 100000 --seeds 10
  equilibrist solve leduc --sampler external --threads 2 --time 60
  equilibrist solve "rules:liars_dice(dice=2)" --sampler external --time 10m --memory 4GB
  equilibrist solve rules.py:MyGame --time 10m --checkpoint run.ckpt
  equilibrist solve rules.py:MyGame --time 10m --resume run.ckpt
  equilibrist solve leduc --algorithm lp --json > leduc.json
  equilibrist solve "liar_die(memory=1)" --algorithm fsicfr --iterations 20000
  equilibrist solve rps --algorithm regret-matching --iterations 3 --trace
"""


@takes(SOLVE_OPTIONS, "settings")
def solve(
    game: options.Game,
    settings: dict[str, Any],
    seeds: Annotated[
        str,
        options.valued(
            "--seeds", "N", "Run with so many seeds and report the median measure.", ALGORITHM
        ),
    ] = "1",
    trace: Annotated[
        bool,
        options.switch(
            "--trace", "Print the first 100 steps; regret matching on matrix games only.", DISPLAY
        ),
    ] = False,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Solve a game as the options say, print the report, save the solution."""
    from equilibrist.cli.text.saving import Saver, warn_if_unwritable
    from equilibrist.library.sources import open_strategy
    from equilibrist.progress import Callbacks, timed
    from equilibrist.results import ImplicitResult
    from equilibrist.solving.algorithm import configured
    from equilibrist.solving.running import run
    from equilibrist.solving.writing import ResultWriter
    from equilibrist.storage.archive import refuse_table_name
    from equilibrist.storage.kinds.file_kinds import SOLUTION

    algorithm, config = configured(settings)
    if trace and config.algorithm not in {"regret-matching", "regret-matching+"}:
        raise ConfigError(
            f"--trace prints the steps of regret matching, {config.algorithm} records none",
            option="--trace",
            given=config.algorithm,
            remedy="use --algorithm regret-matching (matrix games), or --plot for the convergence",
        )
    count = read_count(seeds, "seeds")
    if count > 1:
        config = _for_seeds(config, count)
    start = settings["warm_start"]
    warm = None
    if start is not None:
        warm = open_strategy(start, game, by_option=False, note=note).strategy
    warn_if_unwritable(config.out)
    if config.out is not None:
        refuse_table_name(config.out, SOLUTION)
    with resumable(config.saves_to):
        with LiveLine(quiet=quiet, interrupted="") as live, terminate_like_interrupt():
            callbacks = Callbacks(None if live.quiet else live.progress, live.stage, live.walked)
            clock = timed(callbacks, STARTED, limits=count == 1)
            result, failure = run(game, algorithm, config, clock, warm)
        if count == 1:
            note_overrun(config.seconds, result.iterations)
        saver = Saver(config.out, lambda solution, path: solution.save(path))
        writer = ResultWriter[Any](saver, config.plot, config.save_device)
        result = writer.write(result, failure)
        runs = _with_seeds(result, algorithm, config, count, quiet)
        if json:
            document = result.to_dict()
            if count > 1:
                document["seeds"] = _seeds_document(runs)
            if trace:
                document["matching_trace"] = _trace_document(result)
            show_json(document)
        elif isinstance(result, ImplicitResult):
            from equilibrist.cli.text.result_text import show_implicit

            show_implicit(result)
            played = f"{result.strategy.num_infosets:,}"
            saver.close(f"Strategy of {played} infosets")
        else:
            from equilibrist.cli.text.result_text import show_result

            if trace:
                _show_trace(result)
            show_result(result, saver.name)
            saver.close()
            if count > 1:
                _show_seeds(runs)
        if config.seconds is not None and count == 1 and not json:
            show(stages_text(result.stages).capitalize())
        if result.device is not None and not writer.failures:
            profiles = counted(len(result.device), "profile")
            (note if json else show)(f"History of play, {profiles}, saved to {config.save_device}")
        if writer.plotted is not None:
            (note if json else show)(f"Convergence drawn to {writer.plotted}")
        writer.raise_failures()
        if not (json or quiet):
            _suggest(saver.name, game, result)
        if "interrupted" in (result.stopped_by, runs.results[-1].stopped_by):
            raise typer.Exit(INTERRUPTED)


def _suggest(name: str | None, game: str, result: Any) -> None:
    """Print what may be typed next; rules of the user's own are run where the user names them."""
    from equilibrist.results import ImplicitResult

    if name is None:
        return
    look = next_command("inspect", name)
    own = re.fullmatch(r"[a-z_:]+(\(.*\))?", game) is None
    if isinstance(result, ImplicitResult):
        rules = game if own else None
        suggest(look, next_command("match", name, "uniform", game=rules, without=_DRAWN))
    elif not len(result.strategy):
        suggest(look)  # nobody decides anything
    elif own:
        suggest(look, next_command("play", game, strategy=name, coach=True, without=_DRAWN))
    else:
        suggest(look, next_command("play", name, coach=True, without=_DRAWN))


def _for_seeds(config: SolveConfig, count: int) -> SolveConfig:
    """The options for one of several runs by seed; ConfigError where seeds make no sense."""
    if not config.uses_seed:
        raise ConfigError(
            f"{config.algorithm} draws nothing at random: all seeds give the same result",
            option="--seeds",
            given=count,
            remedy="leave it out, or sample: --sampler external",
        )
    if config.saves_to is not None or config.explicit_tree is False:
        flag = "--no-explicit-tree" if config.explicit_tree is False else "--checkpoint"
        why = "measures nothing" if config.explicit_tree is False else "is for one run"
        raise ConfigError(
            f"--seeds compares what several runs measure, and {flag} {why}",
            option="--seeds",
            given=count,
            remedy=f"leave out --seeds, or {flag}",
        )
    return config.model_copy(update={"explicit_tree": True})


def _with_seeds(
    result: Any, algorithm: Algorithm | str, config: SolveConfig, count: int, quiet: bool
) -> ComparedRun:
    """The run, and those with the next seeds, on the same tree; Ctrl-C ends them."""
    from equilibrist.progress import Callbacks
    from equilibrist.results import ImplicitResult
    from equilibrist.results.comparison import ComparedRun
    from equilibrist.solving.running import run

    others: list[Result] = []
    with LiveLine(quiet=quiet) as live, terminate_like_interrupt():
        for k in range(1, count):
            if (others or [result])[-1].stopped_by == "interrupted":
                break
            seed = config.seed + k
            live.stage(f"seed {seed}")
            again = config.model_copy(update={"seed": seed, "out": None, "plot": None})
            callbacks = Callbacks(None if live.quiet else live.progress)
            again_result, _ = run(result.strategy.tree, algorithm, again, callbacks)
            assert not isinstance(again_result, ImplicitResult)
            others.append(again_result)
    return ComparedRun(config.algorithm, result, tuple(others))


def _seeds_document(runs: ComparedRun) -> dict[str, Any]:
    document = runs.to_dict(())
    return {"runs": document["runs"], **{n: document["medians"][n] for n in _SPREADS}}


def _show_seeds(runs: ComparedRun) -> None:
    measure, seeds = runs.measure, [result.config["seed"] for result in runs.results]
    show()
    show(
        f"{len(seeds)} seeds, {seeds[0]} to {seeds[-1]}: median {runs.result.measure_name} "
        f"{measure_text(measure.median)}, {measure.words} {measure_text(measure.low)} to "
        f"{measure_text(measure.high)}; median of {runs.iterations.median:,.0f} iterations and "
        f"{seconds_text(runs.seconds.median)}. The solution above is that of seed {seeds[0]}."
    )


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
