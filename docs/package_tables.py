"""Tables that the package itself provides: its algorithms, its games, its commands.

`python benchmarks/render_tables.py` writes them into the pages, and a test compares.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.render_tables import markdown_table
from docs.command_reference import command_reference


def algorithms_table() -> str:
    """One row per variant and local rule of the engine."""
    from equilibrist.solvers.responding import RESPONDING
    from equilibrist.solvers.variants import RULES

    rules: dict[str, Any] = {**RULES, **RESPONDING}
    columns = ("algorithm", "what it does", "when to use it", "paper")
    rows = [(f"`{name}`", v.summary, v.when, v.paper) for name, v in rules.items()]
    return markdown_table(columns, rows)


def formulas_table() -> str:
    """The update and the average of each variant and local rule, as formulas."""
    from equilibrist.solvers.responding import RESPONDING
    from equilibrist.solvers.variants import RULES

    rules: dict[str, Any] = {**RULES, **RESPONDING}
    rows = [(f"`{name}`", f"`{v.update}`", v.averaging) for name, v in rules.items()]
    return markdown_table(("algorithm", "regrets and next strategy", "weight in the average"), rows)


def samplers_table() -> str:
    """One row per sampler."""
    from equilibrist.solvers.sampler_names import get_sampler, sampler_parameters, sampler_use
    from equilibrist.solvers.samplers import SAMPLERS
    from equilibrist.solvers.treeless_samplers import needs_no_tree

    rows = [
        (
            f"`{name}`",
            sampler.summary,
            sampler_use(name),
            ", ".join(f"`{p.name}={p.default}`" for p in sampler_parameters(name)) or "none",
            ", ".join(f"`{a}`" for a in sampler.averagings),
            "yes" if needs_no_tree(get_sampler(name)) else "no",
        )
        for name, sampler in SAMPLERS.items()
    ]
    columns = (
        "sampler", "what it draws", "when to use it", "parameters", "its own averages",
        "without a tree",
    )  # fmt: skip
    return markdown_table(columns, rows)


def games_table() -> str:
    """One row per built-in game, with its parameters and their defaults."""
    from equilibrist.call_text import format_value
    from equilibrist.games import list_games
    from equilibrist.games.parameters import REQUIRED

    def default(p: Any) -> str:
        if p.default_text:
            return f"`{p.name}`: {p.doc} ({p.default_text})"
        if p.default == REQUIRED:
            return f"`{p.name}`: {p.doc} (must be given)"
        return f"`{p.name}={format_value(p.default)}`: {p.doc}"

    def parameters(info: Any) -> str:
        return "; ".join(default(p) for p in info.parameters) or "none"

    rows = [(f"`{info.name}`", info.summary, parameters(info)) for info in list_games()]
    return markdown_table(("game", "what it is", "parameters and defaults"), rows)


FROM_PACKAGE: dict[str, Callable[[], str]] = {
    "algorithms": algorithms_table,
    "formulas": formulas_table,
    "commands": command_reference,
    "games": games_table,
    "samplers": samplers_table,
}
