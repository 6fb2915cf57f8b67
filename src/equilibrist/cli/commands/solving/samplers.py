"""`equilibrist samplers`: what each sampler draws, its parameters, and when to use it."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

from equilibrist.cli.completion import values
from equilibrist.cli.inputs import options
from equilibrist.cli.text.output import heading, show, show_facts, show_json
from equilibrist.options.option import DISPLAY

if TYPE_CHECKING:
    from equilibrist.solvers.catalogue import SamplerInfo

HELP = """List the samplers, or show one: what it draws, parameters, averages, paper.

A sampler replaces the full traversal of the game by one trajectory, or a few, per player.

\b
Examples:
  equilibrist samplers
  equilibrist samplers outcome
  equilibrist samplers outcome --bibtex
"""


def samplers(
    sampler: Annotated[
        str | None,
        options.argument("SAMPLER", "Show this one in detail.", values.samplers),
    ] = None,
    bibtex: Annotated[
        bool, options.switch("--bibtex", "Print the papers as BibTeX entries.", DISPLAY)
    ] = False,
    json: options.Json = False,
) -> None:
    """List all samplers, or show one."""
    from equilibrist.solvers.catalogue import list_samplers, sampler_info
    from equilibrist.solvers.sampling.averaging import SEPARATE_AVERAGES

    found = list_samplers() if sampler is None else [sampler_info(sampler)]
    if bibtex:
        from equilibrist.cli.commands.solving.algorithms import show_bibtex

        show_bibtex([one.paper for one in found], json)
        return
    if json:
        documents = [asdict(one) for one in found]
        show_json(documents if sampler is None else documents[0])
        return
    if sampler is not None:
        _show(found[0], SEPARATE_AVERAGES)
        return
    width = max(len(one.name) for one in found)
    for one in found:
        show_facts([(one.name, one.summary), ("", f"use: {one.when}")], "", width)
    show()
    plain = ", ".join(one.name for one in found if one.needs_no_tree)
    show(f"Rules that are too large for one are sampled without a tree:  {plain}")
    show("Parameters, averages and paper of one:  equilibrist samplers outcome")
    show("Use one:  equilibrist solve leduc --sampler external --iterations 1000000")


def _show(one: SamplerInfo, apart: dict[str, str]) -> None:
    heading(f"{one.name}: {one.summary}")
    defaults = ", ".join(f"{name}={value}" for name, value in one.parameters.items())
    show_facts(
        [
            ("use it", one.when),
            ("parameters", defaults),
            ("averages", ", ".join(one.averagings) + "; as with all: " + ", ".join(apart)),
            ("large rules", "without a tree" if one.needs_no_tree else "need a tree"),
            ("paper", one.paper),
        ]
    )
    show()
    show_facts(list(apart.items()))
