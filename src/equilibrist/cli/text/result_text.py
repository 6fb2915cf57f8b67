"""The report of a solve or an evaluation: how it ended, the strategy, and its evaluation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from equilibrist.cli.text.device_text import show_gap
from equilibrist.cli.text.next_commands import next_command
from equilibrist.cli.text.output import heading, show, show_table
from equilibrist.cli.text.strategy_text import DEFAULT_ROWS, show_strategy
from equilibrist.formatting.amounts import bytes_text, measure_text, seconds_text, value_text
from equilibrist.library.strategy_table import StrategyTable
from equilibrist.progress import ENDINGS

if TYPE_CHECKING:
    from equilibrist.evaluation import Evaluation
    from equilibrist.results import ImplicitResult, Result
    from equilibrist.strategy import Strategy
    from equilibrist.typing import FloatArray


REACH_LIMIT = 2_000_000
"""Histories up to which a long table is ordered by reach, which costs a pass over all of them."""


def show_result(result: Result, name: str | None) -> None:
    """Print the report of a solve to standard output.

    `name` is what to type for the solution; None if it was not saved.
    """
    heading(f"{result.game}: {_how_it_ended(result)}")
    for text in result.notes:
        show(text)
    show()
    table = StrategyTable.of(result.strategy, _reach(result))
    show_strategy(table, see_all=next_command("inspect", name or "SOLUTION", all_rows=True))
    show_family(result.strategy)
    show()
    assert result.evaluation is not None
    if result.evaluation.gap is not None:
        from equilibrist.tree.payoff_scale import PayoffScale

        units = PayoffScale(result.strategy.tree).units()
        show_gap(result.evaluation.gap, units, table.names)
        show()
        show(_whose_values(result))
    show_values(result.evaluation, result.strategy)
    show()
    if result.config["sampler"] is not None:
        _show_sampling(result)
    if result.config.get("prune") is not None:
        _show_pruning(result)
    show(result.guarantee)


def _whose_values(result: Result) -> str:
    """Say what the strategies below are, beside a history of play."""
    from equilibrist.results import PerturbedPlay

    details = result.details
    if isinstance(details, PerturbedPlay) and details.kind == "quantal":
        return "Of the history of play the last strategies alone count, which are:"
    return "The average strategies, which are not what was played together:"


def _show_sampling(result: Result) -> None:
    """Say how much was drawn."""
    from equilibrist.results import SamplingDetails

    drawn = result.details
    assert isinstance(drawn, SamplingDetails)
    every = drawn.averaging_every
    often = "" if every is None else f", taken every {every:,} iteration{'s' * (every != 1)}"
    show(
        f"Sampled: {drawn.nodes_touched:,} histories visited, tables of "
        f"{bytes_text(drawn.table_bytes)}, {drawn.averaging} averaging{often}, seed {drawn.seed}."
    )
    if drawn.threads > 1:
        table = "one shared table" if drawn.shared else f"tables merged every {drawn.period:,}"
        what = "" if drawn.shared else " iterations"
        show(f"{drawn.threads} threads (executor {drawn.executor}) on {table}{what}.")
    show()


def _show_pruning(result: Result) -> None:
    """Say how much was visited, and kept."""
    from equilibrist.results import PrunedTraversals

    details = result.details
    assert isinstance(details, PrunedTraversals)
    parts = (
        ("histories", details.nodes_touched, details.nodes_unpruned),
        ("terminals", details.terminals_touched, details.terminals_unpruned),
    )
    visits = [f"{n:,} of {of:,} {what} ({100 * n / max(of, 1):.1f} %)" for what, n, of in parts]
    show(f"Pruned ({details.pruning}): visited {' and '.join(visits)}.")
    if details.stored_infosets is not None:
        show(
            f"At the end {details.stored_infosets:,} of {result.num_infosets:,} infosets and "
            f"{details.stored_actions:,} of {result.num_sequences - result.num_players:,} pairs of "
            f"infoset and action had regrets stored."
        )
    show()


def show_values(evaluation: Evaluation, strategy: Strategy) -> None:
    """Print each player's value, best response and gain, and what they add up to."""
    from equilibrist.tree.payoff_scale import PayoffScale

    scale = PayoffScale(strategy.tree)
    as_played, units = scale.units(strategy.probabilities), scale.units()
    columns = zip(evaluation.values, evaluation.best_response_values, evaluation.gains, strict=True)
    rows = [
        [
            f"player {p}",
            value_text(v, as_played.payoff(p, v)),
            value_text(b, units.payoff(p, b)),
            measure_text(g),
        ]
        for p, (v, b, g) in enumerate(columns)
    ]
    show_table(["", "value", "best response", "gain"], rows)
    show()
    total = f"NashConv {_amount(evaluation.nash_conv, evaluation.rounding)} (sum of the gains"
    if evaluation.exploitability is None:
        show(f"{total}, in payoff units)")
    else:
        amount = _amount(evaluation.exploitability, evaluation.rounding / 2)
        show(f"exploitability {amount} (NashConv / 2, in payoff units), {total})")
    if evaluation.nash_conv < evaluation.rounding:
        show("Differences below that cannot be told from rounding errors.")


def _amount(measure: float, rounding: float) -> str:
    """A measure, or the bound below which rounding hides it."""
    if measure < rounding:
        return f"below {measure_text(rounding)}"
    return measure_text(measure)


def _how_it_ended(result: Result) -> str:
    ending = ENDINGS[result.stopped_by]
    if result.stopped_by == "target" and result.target is not None:
        ending = f"{result.measure_name} is at most {result.target:g}"
    if result.stopped_by == "exact":
        return f"{ending} by {result.algorithm} in {seconds_text(result.seconds)}"
    count = f"{result.iterations:,} iteration{'s' * (result.iterations != 1)}"
    drawn = result.config["sampler"]
    method = result.algorithm if drawn is None else f"{result.algorithm} with {drawn} sampling"
    return f"{count} of {method} in {seconds_text(result.seconds)}; {ending}"


def _reach(result: Result) -> FloatArray | None:
    """The reach of each infoset, if the table is too long to show whole."""
    if result.num_infosets <= DEFAULT_ROWS or result.num_nodes > REACH_LIMIT:
        return None
    from equilibrist.evaluation.infosets import infoset_reach

    return infoset_reach(result.strategy)


def show_family(strategy: Strategy) -> None:
    """Print the family's name, its parameters and how far off the strategy is."""
    from equilibrist.evaluation.families import describe

    report = describe(strategy)
    if report is not None:
        show()
        show(str(report))


def show_implicit(result: ImplicitResult) -> None:
    """Print the report to standard output."""
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
    played, missed = result.strategy.num_infosets, result.num_unplayed
    show(
        f"Sampled: {drawn.nodes_touched:,} states visited, {result.num_infosets:,} infosets in a "
        f"table of {bytes_text(drawn.table_bytes)} (at most {bytes_text(result.memory)} with all "
        f"that goes with it), {drawn.averaging} averaging, seed {drawn.seed}."
    )
    if missed:
        show(
            f"The average strategy has reached {played:,} of these infosets; the other {missed:,} "
            f"have regrets alone, are not saved, and are played uniformly."
        )
    if drawn.threads > 1:
        show(
            f"{drawn.threads} threads (executor {drawn.executor}) on tables merged every "
            f"{drawn.period:,} iterations."
        )
    show()
    show(result.guarantee)


def network_lines(facts: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Lines of facts on networks, each with its name.

    Args:
        facts: Features, unit, sizes, activation and losses, as `StoredNetworks.to_dict` has them.

    Returns:
        The lines; networks that are alike share one.
    """
    alike: dict[tuple[int, ...], list[str]] = {}
    for name, sizes in facts["sizes"].items():
        alike.setdefault(tuple(sizes), []).append(name)
    shapes = [
        (
            f"network{'s' * (len(names) > 1)}",
            f"{', '.join(names)}: {_layers_text(sizes)}, {facts['activation']}",
        )
        for sizes, names in alike.items()
    ]
    unit = facts["unit"]
    units = unit if isinstance(unit, str) else ", ".join(dict.fromkeys(unit.values()))
    return [
        *shapes,
        ("features", facts["features"]),
        ("unit", units),
        ("losses", losses_text(facts["losses"])),
    ]


def losses_text(losses: Mapping[str, float]) -> str:
    """Losses by their names; empty where there are none."""
    return ", ".join(f"{name} {loss:.4g}" for name, loss in losses.items())


def _layers_text(sizes: Sequence[int]) -> str:
    """Layers and weights: `12-64-64-3, 5,187 weights`."""
    weights = sum((one + 1) * two for one, two in zip(sizes, sizes[1:], strict=False))
    return f"{'-'.join(map(str, sizes))}, {weights:,} weights"
