"""`equilibrist algorithms`: what each algorithm updates, averages, and when to use it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated

from equilibrist.cli.inputs import options
from equilibrist.cli.text.output import heading, show, show_facts, show_json

if TYPE_CHECKING:
    from equilibrist.solving import algorithm as solving

HELP = """List the algorithms, or show one: update, average, paper, when to use it.

R are the regrets, r those of the last iteration, t the iteration, n the planned number of
iterations, sigma the next strategy; RM is regret matching (positive parts, normalised).

\b
Examples:
  equilibrist algorithms
  equilibrist algorithms dcfr
  equilibrist algorithms "dcfr(alpha=1.5,beta=0.5,gamma=3)"
  equilibrist algorithms my.py:MyVariant
"""


@dataclass(frozen=True)
class Algorithm:
    """What people want to know about an algorithm."""

    name: str
    summary: str
    update: str
    average: str
    when: str
    paper: str
    parameters: dict[str, float]
    needs_iterations: bool


def algorithms(
    algorithm: Annotated[
        str | None,
        options.argument("ALGORITHM", "Show this one in detail."),
    ] = None,
    json: options.Json = False,
) -> None:
    """List all algorithms, or show one."""
    if algorithm is None:
        found = _all()
        if json:
            show_json([asdict(a) for a in found])
            return
        _list(found)
        return
    one = _one(algorithm)
    if json:
        show_json(asdict(one))
        return
    _show(one)


def _others() -> list[Algorithm]:
    """The algorithms that are not variants of CFR."""
    matching = "Hart, Mas-Colell: A Simple Adaptive Procedure Leading to Correlated Equilibrium. "
    return [
        Algorithm(
            "lp",
            "the exact equilibrium by one sequence-form linear programme",
            "none: SciPy's HiGHS solves the programme",
            "none",
            "small two-player games with constant sum, and to check the others",
            "Koller, Megiddo, von Stengel: Efficient Computation of Equilibria for Extensive "
            "Two-Person Games. Games and Economic Behavior 14, 1996",
            {},
            False,
        ),
        Algorithm(
            "regret-matching",
            "regret matching on matrix games, each step on record (--trace)",
            "R = R + r; sigma = RM(R)",
            "uniform",
            "to learn how regrets work; matrix games only",
            matching + "Econometrica 2000",
            {},
            False,
        ),
        Algorithm(
            "regret-matching+",
            "regret matching whose regrets never fall below zero",
            "R = max(R + r, 0); sigma = RM(R)",
            "uniform",
            "as regret-matching; quicker to change its mind",
            matching + "Econometrica 2000; Tammelin: arXiv 1407.5042, 2014",
            {},
            False,
        ),
    ]


def _of_rule(variant: solving.Algorithm) -> Algorithm:
    from equilibrist.solvers.variants.registry import RULES, variant_parameters

    family = variant.name.partition("(")[0]
    return Algorithm(
        variant.name,
        variant.summary,
        variant.update,
        variant.averaging,
        variant.when,
        variant.paper,
        variant_parameters(family) if family in RULES else {},
        variant.needs_horizon,
    )


def _all() -> list[Algorithm]:
    from equilibrist.solvers.full_traversal.best_response_solvers import RESPONDING
    from equilibrist.solvers.full_traversal.fsicfr import FIXED_STRATEGY
    from equilibrist.solvers.variants.registry import RULES

    rules = (*RULES.values(), *RESPONDING.values(), *FIXED_STRATEGY.values())
    return [_of_rule(rule) for rule in rules] + _others()


def _one(spec: str) -> Algorithm:
    from equilibrist.solving.algorithm import get_algorithm

    found = get_algorithm(spec)
    if isinstance(found, str):
        return next(a for a in _others() if a.name == found)
    return _of_rule(found)


def _list(found: list[Algorithm]) -> None:
    width = max(len(a.name) for a in found)
    for a in found:
        show_facts([(a.name, a.summary), ("", f"use: {a.when}")], "", width)
    show()
    show("Formulas, average, parameters and paper of one:  equilibrist algorithms dcfr")
    show("Use one:  equilibrist solve leduc --algorithm pcfr+")
    show("Your own:  equilibrist solve leduc --algorithm my.py:MyVariant")


def _show(one: Algorithm) -> None:
    heading(f"{one.name}: {one.summary}" if one.summary else one.name)
    family = one.name.partition("(")[0]
    defaults = ", ".join(f"{name}={value:g}" for name, value in one.parameters.items())
    example = f"{family}({next(iter(one.parameters), '')}=...)"
    horizon = "must be given (--iterations): the schedule spans them"
    show_facts(
        [
            ("update", one.update),
            ("average", one.average),
            ("use it", one.when),
            ("paper", one.paper),
            ("parameters", defaults and f"{defaults} by default; set them as {example}"),
            ("iterations", horizon if one.needs_iterations else ""),
        ]
    )
