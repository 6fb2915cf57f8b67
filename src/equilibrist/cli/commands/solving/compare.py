"""`equilibrist compare`: algorithms on one game, as a table and as a picture."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.flags import as_typed
from equilibrist.cli.inputs.parameters import takes
from equilibrist.cli.inputs.signals import INTERRUPTED, terminate_like_interrupt
from equilibrist.cli.text.output import complain, heading, note, show, show_json, show_table
from equilibrist.cli.text.progress import LiveLine, progress_texts
from equilibrist.cli.text.quantities import (
    measure_text,
    read_positive,
    seconds_text,
)
from equilibrist.cli.text.result_text import ENDINGS
from equilibrist.errors import ConfigError
from equilibrist.options.option import ALGORITHM, DISPLAY, choose
from equilibrist.options.solve_options import SOLVE_OPTIONS

if TYPE_CHECKING:
    from equilibrist.progress import Progress
    from equilibrist.solving.comparison import Comparison

HELP = """Compare algorithms on one game: one table and one picture of their convergence.

The algorithms run one after the other, each until --target, --iterations or --time, by default for
10 seconds. The table shows after how many iterations and seconds each first measured at most 1e-3,
1e-4 and 1e-6 (--levels) of exploitability, NashConv where that has no meaning. Measurements are
taken at square numbers of iterations, later every 4 %; the seconds include iterating and measuring,
not walking the rules and compiling. NAME@SAMPLER runs a sampler: lcfr@external, @outcome.

\b
Examples:
  equilibrist compare leduc
  equilibrist compare leduc --algorithms cfr+,dcfr,pcfr+ --target 1e-6 --time 60 --plot compare.svg
  equilibrist compare kuhn --algorithms "dcfr,dcfr(gamma=4),hs-pcfr+" --iterations 1000
  equilibrist compare leduc --algorithms dcfr,lcfr@external,@outcome --time 20
"""


_SHARED: Final = choose(
    SOLVE_OPTIONS,
    (
        "seed",
        "alternating",
        "warm_start",
        "warm_iterations",
        "iterations",
        "target",
        "seconds",
        "plot",
        "max_histories",
        "memory",
        "max_depth",
    ),
    seed="Seed of samplers and fsicfr.",
    iterations="Stop each algorithm after this many.",
    target="Stop each algorithm at this exploitability (NashConv where there is none).",
    seconds="Stop each algorithm after this many seconds (or 10m, 1.5h).",
    plot="Draw the convergence over iterations and over seconds, as .svg or .png.",
    max_histories="Refuse games with more histories than this.",
    memory="Refuse games that need more, for instance 500MB or 2GB.",
)
_SHARED["memory"] = replace(_SHARED["memory"], default_text="half of the machine's")


@takes(_SHARED, "given")
def compare(
    context: typer.Context,
    game: options.Game,
    algorithms: Annotated[
        str,
        typer.Option(
            "--algorithms",
            "-a",
            metavar="NAMES",
            help="Names that `equilibrist algorithms` lists, separated by commas, with parameters "
            "and @SAMPLER if any.",
            rich_help_panel=ALGORITHM,
        ),
    ] = "cfr,cfr+,dcfr,pcfr+",
    *,
    given: dict[str, Any],
    levels: Annotated[
        str, options.valued("--levels", "X,...", "The levels of the table's columns.", DISPLAY)
    ] = "1e-3,1e-4,1e-6",
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Run the algorithms as the options say, print the table, draw the picture."""
    from equilibrist.cli.inputs.sources import open_strategy
    from equilibrist.plotting import check_picture
    from equilibrist.progress import Callbacks
    from equilibrist.solving.comparison import compare as compare_algorithms

    plot, warm = given.pop("plot"), given["warm_start"]
    if plot is not None:
        check_picture(plot)
    start = None if warm is None else open_strategy(warm, game, by_option=False).strategy
    with LiveLine(quiet=quiet) as live, terminate_like_interrupt():

        def tell(progress: Progress) -> None:
            live.tell([f"{progress.algorithm}: {text}" for text in progress_texts(progress)])

        comparison = compare_algorithms(
            game,
            split_names(algorithms),
            **{**given, "warm_start": start},
            levels=[read_positive(level, "levels") for level in levels.split(",")],
            callbacks=Callbacks(None if live.quiet else tell, live.stage, live.walked),
        )
    if json:
        show_json(comparison.to_dict())
    else:
        show_comparison(comparison, warm=start is not None)
    if plot is not None:
        drawn = comparison.plot(plot)
        (note if json else show)(f"The comparison is drawn in {drawn}")
    for failure in comparison.failed:
        leading = isinstance(failure.error, ConfigError)
        commands = context.find_root().command
        why = as_typed(f"{failure.error}", commands, ["compare"], leading=leading)
        complain(f"{failure.name} failed: {why}")
    if comparison.interrupted:
        raise typer.Exit(INTERRUPTED)
    if comparison.failed:
        raise typer.Exit(2)


def split_names(text: str) -> list[str]:
    """The names between the commas that stand outside brackets."""
    parts = re.split(r",(?![^(\[]*[)\]])", text)
    return [part.strip() for part in parts if part.strip()]


def show_comparison(comparison: Comparison, warm: bool) -> None:
    """Print who reached what, and when, and where each ended."""
    from equilibrist.solving.comparison import count_text

    heading(f"{comparison.game}: iterations and seconds to {comparison.measure_name}")
    columns = ["", *(f"{level:g}" for level in comparison.levels), "at the end", "", ""]
    rows = []
    for run in comparison.runs:
        points = [run.reached(level) for level in comparison.levels]
        result = run.result
        rows.append(
            [
                run.name,
                *(
                    "-" if p is None else f"{count_text(p.iteration)} {p.seconds:.3g} s"
                    for p in points
                ),
                measure_text(result.measure),
                count_text(result.iterations),
                seconds_text(result.seconds),
            ]
        )
    show_table(columns, rows)
    show()
    afresh = [r.name for r in comparison.runs if r.result.config["warm_start"] is None]
    if warm and afresh:
        names = ", ".join(afresh)
        show(f"Without the warm start, which is for variants with full traversals: {names}")
    for run in comparison.runs:
        if run.result.stopped_by in ("interrupted", "callback"):
            show(f"{run.name}: {ENDINGS[run.result.stopped_by]}")
