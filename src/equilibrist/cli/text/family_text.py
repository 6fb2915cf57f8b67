"""Where a strategy stands in a published family of equilibria (Kuhn's alpha), if in one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from equilibrist.cli.text.output import show

if TYPE_CHECKING:
    from equilibrist.strategy import Strategy


def show_family(strategy: Strategy) -> None:
    """Print the family's name, its parameters and how far off the strategy is."""
    from equilibrist.evaluation.families import describe

    report = describe(strategy)
    if report is not None:
        show()
        show(str(report))
