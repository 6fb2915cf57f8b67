"""`equilibrist compare`: algorithms on one game, as a table and as a picture."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from equilibrist.cli.completion.values import algorithms_with_samplers
from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.flags import as_typed
from equilibrist.cli.inputs.parameters import takes
from equilibrist.cli.inputs.signals import INTERRUPTED, terminate_like_interrupt
from equilibrist.cli.text.next_commands import next_command
from equilibrist.cli.text.output import (
    complain,
    heading,
    note,
    show,
    show_json,
    show_table,
    suggest,
)
from equilibrist.cli.text.progress import LiveLine, progress_texts
from equilibrist.errors import ConfigError
from equilibrist.formatting.amounts import measure_text, seconds_text
from equilibrist.options.option import ALGORITHM, DISPLAY, FILES, choose
from equilibrist.options.solve_options import COMPARE_RUNS, SHARED_OPTIONS, SOLVE_OPTIONS
from equilibrist.parsing.quantities import read_positive
from equilibrist.progress import ENDINGS

if TYPE_CHECKING:
    from equilibrist.progress import Progress
    from equilibrist.results.comparison import ComparedRun, Comparison
    from equilibrist.results.spread import Spread

HELP = """Compare algorithms on one game: one table and one picture of their convergence.

The algorithms run one after the other, or --side-by-side, each until --target, --iterations or
--time, by default for 10 seconds. The table shows after how many iterations and seconds each first
measured at most 1e-3, 1e-4 and 1e-6 (down to --target, or --levels) of exploitability, NashConv
where that has no meaning. Measurements are taken at square numbers of iterations, later every 4 %;
the seconds include iterating and measuring, not walking the rules and compiling. NAME@SAMPLER runs
a sampler: lcfr@external, @outcome. What `equilibrist train` trains races as well, by the same
names: sd-cfr, dream(learner=table). Networks need the extra `nets`, tables do not.

With --seeds 10 or --repeat 5 the table has medians, with a 95 % interval for the median of all
possible runs; of fewer than six it is their range. Repeats with one seed differ in their seconds
only, and count once.

--side-by-side gives the turn to the run that has had the fewest seconds: what else the machine does
slows all of them alike. Seconds count only a run's own turns; give --threads 1 so that none has
more processors than the others.

\b
Examples:
  equilibrist compare leduc
  equilibrist compare leduc --algorithms cfr+,dcfr,pcfr+ --target 1e-6 --time 60 --plot compare.svg
  equilibrist compare kuhn --algorithms "dcfr,dcfr(gamma=4),hs-pcfr+" --iterations 1000
  equilibrist compare leduc --algorithms dcfr,lcfr@external,@outcome --time 20
  equilibrist compare leduc --algorithms @external,@outcome --seeds 10 --out race.csv
  equilibrist compare leduc --algorithms "lcfr@external,sd-cfr(learner=table)" --seeds 5
  equilibrist compare "kuhn(players=3)" --measure efce --iterations 2000
"""


_LIMITS: Final = SHARED_OPTIONS.index("max_histories")
_SHARED: Final = choose(
    SOLVE_OPTIONS,
    (*SHARED_OPTIONS[:_LIMITS], "plot", *SHARED_OPTIONS[_LIMITS:]),
    seed="Seed of samplers and fsicfr.",
    prune="Skip parts of full traversals, as `solve` does; algorithms that it does not fit are "
    "left out.",
    iterations="Stop each algorithm after this many.",
    target="Stop each algorithm at this exploitability (NashConv where there is none, or the gap "
    "of --measure).",
    seconds="Stop each algorithm after this many seconds (or 10m, 1.5h).",
    threads="The most threads that share a full traversal; results are bit-identical for any "
    "number. Samplers, xfp, cfr-br, efr, fsicfr and small games use one, so that only --threads 1 "
    "makes the seconds of all comparable.",
    plot="Draw the convergence over iterations and over seconds, as .svg or .png.",
    max_histories="Refuse games with more histories than this.",
    memory="Refuse games that need more, for instance 500MB or 2GB.",
)
_SHARED["threads"] = replace(_SHARED["threads"], default_text="one per processor")
_SHARED["memory"] = replace(_SHARED["memory"], default_text="half of the machine's")
_SHARED.update(COMPARE_RUNS)


@takes(_SHARED, "settings")
def compare(
    context: typer.Context,
    game: options.Game,
    algorithms: Annotated[
        str,
        typer.Option(
            "--algorithms",
            "-a",
            metavar="NAMES",
            help="Names that `equilibrist algorithms` lists, and those of `equilibrist train`, "
            "separated by commas, with parameters and @SAMPLER if any.",
            autocompletion=algorithms_with_samplers,
            rich_help_panel=ALGORITHM,
        ),
    ] = "cfr,cfr+,dcfr,pcfr+",
    *,
    settings: dict[str, Any],
    levels: Annotated[
        str | None,
        options.optional(
            "--levels",
            "X,...",
            "The levels of the table's columns.  [default: 1e-3,1e-4,1e-6, down to --target]",
            DISPLAY,
        ),
    ] = None,
    out: Annotated[
        Path | None,
        options.file(
            "--out",
            "FILE",
            "Write all measurements of all runs, as .csv, .json or .parquet.",
            FILES,
        ),
    ] = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Run the algorithms as the options say, print the table, draw the picture."""
    from equilibrist.library.sources import open_strategy
    from equilibrist.plotting import check_picture
    from equilibrist.progress import Callbacks
    from equilibrist.results.comparison import COLUMNS, GAP_COLUMNS
    from equilibrist.solving.comparison import run_comparison
    from equilibrist.storage.atomic import check_folder_of
    from equilibrist.storage.records import check_records_file

    plot, warm = settings.pop("plot"), settings["warm_start"]
    if plot is not None:
        check_picture(plot)
    if out is not None:
        check_folder_of(out)
        check_records_file(out, COLUMNS if settings["measure"] is None else GAP_COLUMNS)
    start = None
    if warm is not None:
        start = open_strategy(warm, game, by_option=False, note=note).strategy
    with LiveLine(quiet=quiet) as live, terminate_like_interrupt():

        def tell(progress: Progress) -> None:
            live.tell([f"{progress.algorithm}: {text}" for text in progress_texts(progress)])

        comparison = run_comparison(
            game,
            split_names(algorithms),
            settings,
            **{name: settings[name] for name in COMPARE_RUNS},
            levels=None
            if levels is None
            else [read_positive(level, "levels") for level in levels.split(",")],
            warm=start,
            callbacks=Callbacks(None if live.quiet else tell, live.stage, live.walked),
        )
    if json:
        show_json(comparison.to_dict())
    else:
        show_comparison(comparison, warm=start is not None)
    if out is not None:
        comparison.export(out)
        (note if json else show)(f"The measurements are written to {out}")
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
    if not (json or quiet):
        suggest(_next_of(game, comparison, settings))


def _next_of(game: str, comparison: Comparison, settings: dict[str, Any]) -> str:
    """Write the command that solves the game as the entry did that measured best at its end."""
    from equilibrist.solving.comparison import fits, read_entries
    from equilibrist.solving.comparison_runs.contenders import Contender

    name = min(comparison.runs, key=lambda run: run.measure.median).name
    (entry,) = read_entries([name], settings["iterations"])
    if isinstance(entry.algorithm, Contender):
        return next_command("train", game, algorithm=name, without={"seeds"})
    warm = settings["warm_start"] is not None
    unfit = {option for option in SHARED_OPTIONS if not fits(option, entry, warm=warm)}
    algorithm, _, sampler = name.partition("@")
    return next_command(
        "solve",
        game,
        algorithm=algorithm or None,
        sampler=sampler or None,
        without={*unfit, "seeds"},
    )


def split_names(text: str) -> list[str]:
    """The names between the commas that stand outside brackets."""
    parts = re.split(r",(?![^(\[]*[)\]])", text)
    return [part.strip() for part in parts if part.strip()]


def show_comparison(comparison: Comparison, warm: bool) -> None:
    """Print who reached what, and when, and where each ended."""
    from equilibrist.results.spread import count_text

    heading(f"{comparison.game}: iterations and seconds to {comparison.measure_name}")
    several = comparison.most_runs > 1
    columns = ["", *(f"{level:g}" for level in comparison.levels), "at the end", "", ""]
    rows = [
        [
            run.name,
            *(run.reached_by_all(level).text for level in comparison.levels),
            measure_text(run.measure.median),
            count_text(run.iterations.median),
            seconds_text(run.seconds.median),
            *([_runs_text(run)] if several else []),
        ]
        for run in comparison.runs
    ]
    show_table([*columns, ""] if several else columns, rows)
    show()
    if several:
        _show_intervals(comparison)
    afresh = [r.name for r in comparison.runs if r.result.config["warm_start"] is None]
    if warm and afresh:
        names = ", ".join(afresh)
        show(f"Without the warm start, which is for variants with full traversals: {names}")
    for text in dict.fromkeys(text for run in comparison.runs for text in run.notes):
        show(text)
    for run in comparison.runs:
        if run.results[-1].stopped_by in ("interrupted", "callback"):
            show(f"{run.name}: {ENDINGS[run.results[-1].stopped_by]}")


def _show_intervals(comparison: Comparison) -> None:
    """Print the intervals of the medians, of what more than one run was made of."""
    show("Those are medians of the runs; intervals for the medians of all possible runs:")
    rows = []
    for run in comparison.runs:
        if not run.others:
            continue
        for level in comparison.levels:
            reached = run.reached_by_all(level)
            if math.isfinite(reached.iterations.low):
                iterations = _interval(reached.iterations, "{:,.0f}", "it")
                seconds = _interval(reached.seconds, "{:.3g}", "s")
                rows.append([run.name, f"{level:g}", iterations, seconds])
        rows.append(
            [
                run.name,
                f"end: {_interval(run.measure, '{:.3g}')}",
                _interval(run.iterations, "{:,.0f}", "it"),
                _interval(run.seconds, "{:.3g}", "s"),
            ]
        )
    show_table(["", comparison.measure_name, "iterations", "seconds"], rows)
    kinds = {run.name: run.seconds.words for run in comparison.runs if run.others}
    for words in dict.fromkeys(kinds.values()):
        show(f"{words}: {', '.join(name for name, kind in kinds.items() if kind == words)}")
    show()


def _runs_text(run: ComparedRun) -> str:
    """The number of runs in words, such as `10 seeds x 3`."""
    seeds = len(run.by_seed)
    repeats = len(run.results) // seeds
    if seeds > 1:
        return f"{seeds} seeds" + f" x {repeats}" * (repeats > 1)
    return f"{repeats} run{'s' * (repeats > 1)}"


def _interval(spread: Spread, form: str, unit: str = "") -> str:
    """`1.2 to 3.4 s`; open where runs never got there, one number where all are alike."""
    low, high = form.format(spread.low), form.format(spread.high)
    if not math.isfinite(spread.high):
        return f"{low} {unit} to never"
    return f"{low if low == high else f'{low} to {high}'} {unit}".rstrip()
