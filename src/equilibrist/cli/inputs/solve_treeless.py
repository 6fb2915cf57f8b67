"""`equilibrist solve` on rules too large for a tree: what it shows, and where the strategy goes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from equilibrist.cli.inputs.signals import INTERRUPTED, terminate_like_interrupt
from equilibrist.cli.text.output import heading, show, show_json
from equilibrist.cli.text.progress import LiveLine
from equilibrist.cli.text.quantities import measure_text, seconds_text
from equilibrist.formatting.amounts import bytes_text

if TYPE_CHECKING:
    from equilibrist.results import ImplicitResult
    from equilibrist.rules.game import RulesGame
    from equilibrist.solving import SolveConfig
    from equilibrist.solving.algorithm import Algorithm
    from equilibrist.solving.treeless_result import TreelessProgress
    from equilibrist.tree.compile import GameTree


def tree_or_rules(game: str, config: SolveConfig, *, quiet: bool) -> str | GameTree | RulesGame:
    """The rules if they are to be sampled without a tree, else the game, compiled or not."""
    from equilibrist.games import load_game
    from equilibrist.games.spec import parse_spec
    from equilibrist.rules.game import RulesGame
    from equilibrist.solving import form

    if not form.may_go_without_tree(config) or not parse_spec(game).is_rules:
        return game
    rules = load_game(game)
    assert isinstance(rules, RulesGame)
    with LiveLine(quiet=quiet) as live:
        return form.tree_or_rules(rules, config, live.stage, live.walked)


def solve_without_tree(
    game: RulesGame,
    variant: str | Algorithm,
    config: SolveConfig,
    *,
    quiet: bool,
    json: bool,
) -> None:
    """Solve as the options say, print the report, save the strategy."""
    from equilibrist.cli.inputs.solution_files import check_default, save_packed
    from equilibrist.results import ImplicitResult
    from equilibrist.solving.treeless import run_without_tree
    from equilibrist.solving.writing import ResultWriter

    if config.out is None:
        check_default(game.name, config.algorithm, config.sampler)
    with LiveLine(quiet=quiet) as live, terminate_like_interrupt():

        def tell(progress: TreelessProgress) -> None:
            live.tell(progress_texts(progress))

        told = None if live.quiet else tell
        result, failure = run_without_tree(game, variant, config, told, live.stage)
    writer = ResultWriter[ImplicitResult](lambda found: save_packed(found, config.out))
    result = writer.write(result, failure)
    if json:
        show_json(result.to_dict())
    else:
        show_treeless(result)
    writer.raise_failures()
    if result.stopped_by == "interrupted":
        raise typer.Exit(INTERRUPTED)


def progress_texts(progress: TreelessProgress) -> list[str]:
    """The line in full, then ever shorter: what bounds NashConv, or that nothing does, stays."""
    full, why = "  (full)" if progress.is_full else "", ""
    if progress.bound_nash_conv is not None:
        measure = f"regret bound {measure_text(progress.bound_nash_conv)}"
    elif progress.bound_cce_gap is not None:
        measure = f"coarse correlated bound {measure_text(progress.bound_cce_gap)}"
    else:
        measure, why = "NashConv not affordable", f" ({progress.why_no_bound})"
    parts = {
        "iteration": f"iteration {progress.iteration:,}",
        "speed": f"{progress.trajectories_per_second:,.0f} trajectories/s",
        "nodes": f"{progress.nodes_touched:,} nodes",
        "table": f"{progress.num_infosets:,} infosets in {bytes_text(progress.table_bytes)}{full}",
        "measure": measure + why,
    }
    if progress.eta_seconds is not None:
        parts["eta"] = f"ETA {seconds_text(progress.eta_seconds)}"
    texts = ["  ".join(parts.values())]
    for name in ("nodes", "speed", "why", "eta", "table", "iteration"):
        if name == "why":
            parts["measure"] = measure
        else:
            parts.pop(name, None)
        texts.append("  ".join(parts.values()))
    return texts


def show_treeless(result: ImplicitResult) -> None:
    """Print the report to standard output."""
    from equilibrist.cli.text.result_text import ENDINGS

    drawn = result.details
    assert drawn is not None
    count = f"{result.iterations:,} iteration{'s' * (result.iterations != 1)}"
    heading(
        f"{result.game}: {count} of {result.algorithm} with {drawn.sampler} sampling, "
        f"without a tree, in {seconds_text(result.seconds)}; {ENDINGS[result.stopped_by]}"
    )
    for text in result.notes:
        show(text)
    show()
    show(
        f"Sampled: {drawn.nodes_touched:,} states visited, {result.num_infosets:,} infosets in a "
        f"table of {bytes_text(drawn.table_bytes)} (at most {bytes_text(result.memory)} with all "
        f"that goes with it), {drawn.averaging} averaging, seed {drawn.seed}."
    )
    if drawn.threads > 1:
        show(
            f"{drawn.threads} threads (executor {drawn.executor}) on tables merged every "
            f"{drawn.period:,} iterations."
        )
    show()
    show(result.guarantee)
    if result.solution_file is not None:
        show()
        show(
            f"Strategy of {result.strategy.num_infosets:,} infosets saved to {result.solution_file}"
        )
