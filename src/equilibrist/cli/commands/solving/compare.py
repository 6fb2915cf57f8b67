"""`equilibrist compare`: race algorithms on one game, as a table and as a picture."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.parameters import file_name
from equilibrist.cli.inputs.signals import INTERRUPTED, terminate_like_interrupt
from equilibrist.cli.text.output import complain, heading, note, show, show_json, show_table
from equilibrist.cli.text.progress import LiveLine, progress_texts
from equilibrist.cli.text.quantities import (
    measure_text,
    read_bytes,
    read_count,
    read_positive,
    read_seconds,
    seconds_text,
)
from equilibrist.cli.text.result_text import ENDINGS

if TYPE_CHECKING:
    from equilibrist.progress import Progress
    from equilibrist.solving.comparison import Comparison

HELP = """Race algorithms on one game: one table and one picture of who gets how far, and when.

Every algorithm runs alone, one after the other, until --target, --iterations or --time (each), by
default for 10 seconds. The table says after how many iterations and seconds each first measured at
most 1e-3, 1e-4 and 1e-6 (--levels) of exploitability, NashConv where that has no meaning. It is
measured at squares of iterations, later every 4 %; the seconds count iterating and measuring, not
walking the rules and compiling. NAME@SAMPLER races a sampler: lcfr@external, @outcome.

\b
Examples:
  equilibrist compare leduc
  equilibrist compare leduc --algorithms cfr+,dcfr,pcfr+ --target 1e-6 --time 60 --plot race.svg
  equilibrist compare kuhn --algorithms "dcfr,dcfr(gamma=4),hs-pcfr+" --iterations 1000
  equilibrist compare leduc --algorithms dcfr,lcfr@external,@outcome --time 20
"""


def compare(
    game: options.Game,
    algorithms: Annotated[
        str,
        typer.Option(
            "--algorithms",
            "-a",
            metavar="NAMES",
            help="Names of `equilibrist algorithms` with commas between, parameters and @SAMPLER "
            "if any.",
        ),
    ] = "cfr,cfr+,dcfr,pcfr+",
    iterations: Annotated[
        str | None,
        typer.Option(
            "--iterations", "-n", metavar="N", show_default=False, help="Each: stop after so many."
        ),
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(
            "--target",
            "-t",
            metavar="X",
            show_default=False,
            help="Each: stop at this exploitability (NashConv where there is none).",
        ),
    ] = None,
    time: Annotated[
        str | None,
        typer.Option(
            "--time",
            metavar="TIME",
            show_default=False,
            help="Each: stop after so many seconds (or 10m, 1.5h).",
        ),
    ] = None,
    levels: Annotated[
        str, typer.Option("--levels", metavar="X,...", help="What the columns of the table are.")
    ] = "1e-3,1e-4,1e-6",
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", help="Seed of samplers and fsicfr.")
    ] = 0,
    alternating: options.UpdateOrder = None,
    warm_start: options.WarmStart = None,
    warm_iterations: options.WarmIterations = "100",
    plot: Annotated[
        Path | None,
        typer.Option(
            "--plot",
            parser=file_name,
            metavar="FILE",
            show_default=False,
            help="Draw the race over iterations and over seconds, as .svg or .png.",
        ),
    ] = None,
    max_histories: options.MaxHistories = None,
    memory: options.Memory = None,
    max_depth: options.MaxDepth = options.MAX_DEPTH,
    json: options.Json = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Show no progress, only the result.")
    ] = False,
) -> None:
    """Race algorithms as the options say, print the table, draw the picture."""
    from equilibrist.cli.inputs.sources import open_strategy
    from equilibrist.plotting import check_picture
    from equilibrist.progress import Callbacks
    from equilibrist.solving.comparison import compare as race

    if plot is not None:
        check_picture(plot)
    start = None if warm_start is None else open_strategy(warm_start, game).strategy
    with LiveLine(quiet=quiet) as live, terminate_like_interrupt():

        def tell(progress: Progress) -> None:
            live.tell([f"{progress.algorithm}: {text}" for text in progress_texts(progress)])

        comparison = race(
            game,
            split_names(algorithms),
            iterations=None if iterations is None else read_count(iterations),
            target=None if target is None else read_positive(target),
            seconds=None if time is None else read_seconds(time),
            levels=[read_positive(level) for level in levels.split(",")],
            seed=seed,
            alternating=alternating,
            warm_start=start,
            warm_iterations=read_count(warm_iterations),
            max_histories=None if max_histories is None else read_count(max_histories),
            memory=None if memory is None else read_bytes(memory),
            max_depth=read_count(max_depth),
            callbacks=Callbacks(None if live.quiet else tell, live.stage, live.walked),
        )
    if json:
        show_json(comparison.to_dict())
    else:
        show_comparison(comparison, warm=start is not None)
    if plot is not None:
        drawn = comparison.plot(plot)
        (note if json else show)(f"The race is drawn in {drawn}")
    for dropout in comparison.dropouts:
        complain(f"{dropout.name} is out of the race: {dropout.error}")
    if comparison.interrupted:
        raise typer.Exit(INTERRUPTED)
    if comparison.dropouts:
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
    for racer in comparison.racers:
        points = [racer.reached(level) for level in comparison.levels]
        result = racer.result
        rows.append(
            [
                racer.name,
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
    afresh = [r.name for r in comparison.racers if r.result.config["warm_start"] is None]
    if warm and afresh:
        show(f"Without the warm start, which is for variants by full passes: {', '.join(afresh)}")
    for racer in comparison.racers:
        if racer.result.stopped_by in ("interrupted", "callback"):
            show(f"{racer.name}: {ENDINGS[racer.result.stopped_by]}")
