"""`equilibrist algorithms`: what each algorithm updates, averages, and when to use it."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

from equilibrist.cli.completion import values
from equilibrist.cli.inputs import options
from equilibrist.cli.text.output import heading, show, show_exactly, show_facts, show_json
from equilibrist.errors import ConfigError
from equilibrist.options.option import DISPLAY

if TYPE_CHECKING:
    from equilibrist.solvers.catalogue import AlgorithmInfo


HELP = """List the algorithms, or show one: update, average, paper, when to use it.

R are the regrets, r those of the last iteration, t the iteration, n the planned number of
iterations, sigma the next strategy; RM is regret matching (positive parts, normalised).

Algorithms that train networks (`equilibrist train`) are shown by name, too.

--bibtex prints the papers to cite, of one algorithm or of all.

\b
Examples:
  equilibrist algorithms
  equilibrist algorithms dcfr
  equilibrist algorithms "dcfr(alpha=1.5,beta=0.5,gamma=3)"
  equilibrist algorithms my.py:MyVariant
  equilibrist algorithms sd-cfr
  equilibrist algorithms --bibtex > cfr.bib
  equilibrist algorithms dcfr --bibtex
"""


def algorithms(
    algorithm: Annotated[
        str | None,
        options.argument("ALGORITHM", "Show this one in detail.", values.algorithms_and_networks),
    ] = None,
    bibtex: Annotated[
        bool, options.switch("--bibtex", "Print the papers as BibTeX entries.", DISPLAY)
    ] = False,
    json: options.Json = False,
) -> None:
    """List the algorithms of `solve`, or show one."""
    if bibtex:
        show_bibtex([_one(algorithm).paper] if algorithm else None, json)
        return
    if algorithm is None:
        from equilibrist.solvers.catalogue import list_algorithms

        listed = list_algorithms()
        if json:
            show_json([asdict(a) for a in listed])
            return
        _list(listed)
        return
    info = _one(algorithm)
    if json:
        show_json(asdict(info))
        return
    _show(info)


def _one(text: str) -> AlgorithmInfo:
    from equilibrist.solvers.catalogue import algorithm_info
    from equilibrist.solving.comparison_runs.contenders import Contender, get_contestant

    algorithm = get_contestant(text)
    return algorithm.info if isinstance(algorithm, Contender) else algorithm_info(algorithm)


def _list(listed: list[AlgorithmInfo]) -> None:
    width = max(len(a.name) for a in listed)
    for a in listed:
        show_facts([(a.name, a.summary), ("", f"use: {a.when}")], "", width)
    show()
    show("Formulas, average, parameters and paper of one:  equilibrist algorithms dcfr")
    show("All papers as BibTeX:  equilibrist algorithms --bibtex")
    show("Use one:  equilibrist solve leduc --algorithm pcfr+")
    show("Your own:  equilibrist solve leduc --algorithm my.py:MyVariant")
    show(f"Networks, by train and compare:  {', '.join(values.NETWORKS)}")


def _written(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:g}"


def _show(info: AlgorithmInfo) -> None:
    heading(f"{info.name}: {info.summary}" if info.summary else info.name)
    family = info.name.partition("(")[0]
    values = ", ".join(f"{name}={_written(value)}" for name, value in info.parameters.items())
    usual = "" if "(" in info.name else " by default"
    example = f"{family}({next(iter(info.parameters), '')}=...)"
    horizon = "must be given (--iterations): the schedule spans them"
    show_facts(
        [
            ("update", info.update),
            ("average", info.average),
            ("use it", info.when),
            ("paper", info.paper),
            ("parameters", values and f"{values}{usual}; set them as {example}"),
            ("iterations", horizon if info.needs_horizon else ""),
        ]
    )


def show_bibtex(papers: list[str] | None, json: bool) -> None:
    """Print the entries of these papers, by default of those of all algorithms and samplers."""
    from equilibrist.solvers.bibliography import bibtex
    from equilibrist.solvers.catalogue import list_algorithms, list_samplers

    if json:
        raise ConfigError(
            "--bibtex and --json are two formats",
            option="--bibtex",
            remedy="leave out one of them",
        )
    if papers is None:
        papers = [info.paper for info in list_algorithms()]
        papers += [info.paper for info in list_samplers()]
    show_exactly(bibtex(papers))
