"""`equilibrist solve`: solve a game and measure how good the strategy is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.parameters import takes
from equilibrist.cli.inputs.signals import INTERRUPTED, terminate_like_interrupt
from equilibrist.cli.text.output import note, show, show_json
from equilibrist.cli.text.progress import LiveLine
from equilibrist.errors import ConfigError
from equilibrist.options.option import DISPLAY
from equilibrist.options.solve_options import SOLVE_OPTIONS

if TYPE_CHECKING:
    from equilibrist.solvers.matrix.matching_result import MatchingStep
    from equilibrist.solving import Result

HELP = """Solve a game: find a strategy for all players, and measure how good it is.

The run stops at --target, --iterations or --time, whichever comes first. With none of them it
stops at 1e-4 of the game's payoff range, after at most 10,000 iterations (1e-3 and 1,000,000 with
a sampler or fsicfr), and says so. --time counts from when solving begins, after walking the rules
and compiling. --target is exploitability for two players with constant sum, else NashConv; the
output names which.

With --sampler, a rules module with too many histories for a tree is sampled without one, if the
sampler needs none (`equilibrist samplers` says which): nothing is measured then, --iterations or
--time ends the run, and --memory bounds the table. Without --sampler such a game is refused.

Ctrl-C stops after the current slice (50 ms, or one iteration; with --threads one period) and saves
the partial result, with exit code 130. Without --out the solution goes to
GAME-ALGORITHM.safetensors, or GAME-SAMPLER-ALGORITHM.safetensors, in the current folder. A better
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


@takes(SOLVE_OPTIONS, "given")
def solve(
    game: options.Game,
    given: dict[str, Any],
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
    from equilibrist.cli.inputs.configs import configured
    from equilibrist.cli.inputs.solution_files import check_default, save
    from equilibrist.cli.inputs.sources import open_strategy
    from equilibrist.progress import Callbacks
    from equilibrist.results import ImplicitResult
    from equilibrist.solving.running import run
    from equilibrist.solving.writing import ResultWriter
    from equilibrist.storage.tables import refuse_table_name

    found, config = configured(given)
    if trace and config.algorithm not in {"regret-matching", "regret-matching+"}:
        raise ConfigError(
            f"--trace prints the steps of regret matching, {config.algorithm} records none",
            option="--trace",
            given=config.algorithm,
            remedy="use --algorithm regret-matching (matrix games), or --plot for the convergence",
        )
    start = given["warm_start"]
    warm = None if start is None else open_strategy(start, game, by_option=False).strategy
    if config.out is None:
        check_default(game, config.algorithm, config.sampler)
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
        from equilibrist.cli.text.implicit_text import show_implicit

        show_implicit(result)
    else:
        from equilibrist.cli.text.result_text import show_result

        if trace:
            _show_trace(result)
        show_result(result)
    if writer.plotted is not None:
        (note if json else show)(f"Convergence drawn to {writer.plotted}")
    writer.raise_failures()
    if result.stopped_by == "interrupted":
        raise typer.Exit(INTERRUPTED)


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
