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

HELP = """List the samplers, or show one: formulas, parameters, averages, paper.

A sampler replaces the full traversal of the game by one trajectory, or a few, per player.

\b
Examples:
  equilibrist samplers
  equilibrist samplers outcome
  equilibrist samplers outcome --bibtex
  equilibrist samplers my.py:MySampler
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

    listed = list_samplers() if sampler is None else [sampler_info(sampler)]
    if bibtex:
        from equilibrist.cli.commands.solving.algorithms import show_bibtex

        show_bibtex([info.paper for info in listed], json)
        return
    if json:
        documents = [asdict(info) for info in listed]
        show_json(documents if sampler is None else documents[0])
        return
    if sampler is not None:
        _show(listed[0], SEPARATE_AVERAGES)
        return
    width = max(len(info.name) for info in listed)
    for info in listed:
        show_facts([(info.name, info.summary), ("", f"use: {info.when}")], "", width)
    show()
    plain = ", ".join(info.name for info in listed if info.needs_no_tree)
    show(f"Rules that are too large for one are sampled without a tree:  {plain}")
    show("Formulas, parameters and averages of one:  equilibrist samplers outcome")
    show("Use one:  equilibrist solve leduc --sampler external --iterations 1000000")
    show("One of your own:  equilibrist check my.py:MySampler")


def _show(info: SamplerInfo, apart: dict[str, str]) -> None:
    from equilibrist.solvers.sampling.formulas import SYMBOLS

    heading(f"{info.name}: {info.summary}")
    formulas = info.formulas
    show_facts(
        [
            ("use it", info.when),
            ("own moves", formulas.own),
            ("others'", formulas.others),
            ("weight", formulas.weight),
            ("estimate", formulas.estimate),
            ("regrets", formulas.regret),
            ("large rules", "without a tree" if info.needs_no_tree else "need a tree"),
            ("paper", info.paper),
        ]
    )
    if info.parameters:
        show()
        show("Parameters:")
        show_facts(
            [
                (f"{name}={value}", formulas.parameters.get(name, "of your own"))
                for name, value in info.parameters.items()
            ]
        )
    show()
    show("Averages, the usual one first; the last three are for all samplers:")
    own = [(name, formulas.averages.get(name, "of your own")) for name in info.averagings]
    show_facts([*own, *apart.items()])
    show()
    show("In the formulas:")
    show_facts(list(SYMBOLS))
