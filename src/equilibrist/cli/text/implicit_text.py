"""The report of `equilibrist solve` on rules that were sampled without a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from equilibrist.cli.text.output import heading, show
from equilibrist.cli.text.quantities import seconds_text
from equilibrist.cli.text.result_text import ENDINGS
from equilibrist.formatting.amounts import bytes_text

if TYPE_CHECKING:
    from equilibrist.results import ImplicitResult


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
