"""Lists of all algorithms and samplers, for people and programs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from equilibrist.parsing.arguments import bad_argument
from equilibrist.solvers.full_traversal.best_response_solvers import RESPONDING, Responding
from equilibrist.solvers.full_traversal.efr import NAME as EFR_NAME
from equilibrist.solvers.full_traversal.efr import DeviationRegrets, get_efr, is_efr
from equilibrist.solvers.full_traversal.fsicfr import FIXED_STRATEGY, FixedStrategyIteration
from equilibrist.solvers.implicit.samplers import needs_no_tree
from equilibrist.solvers.sampling.formulas import WEIGHTED_SAMPLER, SamplerFormulas
from equilibrist.solvers.sampling.registry import (
    get_sampler,
)
from equilibrist.solvers.sampling.registry import (
    parameters_of as sampler_parameters_of,
)
from equilibrist.solvers.sampling.samplers import SAMPLERS
from equilibrist.solvers.variants.local_rule import LocalRule
from equilibrist.solvers.variants.registry import RULES, get_rule, parameters_of
from equilibrist.solvers.variants.variant import Variant

_Kind: TypeAlias = Variant | LocalRule | DeviationRegrets | Responding | FixedStrategyIteration


@dataclass(frozen=True)
class AlgorithmInfo:
    """An algorithm: what it does, and when to use it.

    Attributes:
        name: Its name in algorithm texts.
        summary: What it is, in a line.
        update: The update of regrets and the next strategy, as formulas.
        average: The weights of the average, in words.
        when: When to use it.
        paper: Where it comes from.
        parameters: What can be set in brackets, with the values: the usual ones, or those given.
        needs_horizon: Whether the number of iterations must be known before the first one.
    """

    name: str
    summary: str
    update: str
    average: str
    when: str
    paper: str
    parameters: dict[str, float | str]
    needs_horizon: bool


@dataclass(frozen=True)
class SamplerInfo:
    """A sampler: what it draws, and when to use it.

    Attributes:
        name: Its name in sampler texts.
        summary: What it is, in a line.
        when: When to use it.
        parameters: What can be set in brackets, with the values: the usual ones, or those given.
        averagings: The averages that it takes on its way, the usual one first.
        paper: Where it comes from.
        needs_no_tree: Whether it samples games by their rules as well.
        formulas: What it draws, how it weights that, and what its parameters mean.
    """

    name: str
    summary: str
    when: str
    parameters: dict[str, Any]
    averagings: tuple[str, ...]
    paper: str
    needs_no_tree: bool
    formulas: SamplerFormulas


def list_algorithms() -> list[AlgorithmInfo]:
    """List all algorithms.

    Returns:
        Variants of CFR, local rules, EFR, algorithms against best responses, and those that go
        their own way, in this order.
    """
    return list(_algorithms())


def list_samplers() -> list[SamplerInfo]:
    """List all samplers of Monte Carlo CFR.

    Returns:
        One entry per sampler, the most common first.
    """
    return [sampler_info(name) for name in SAMPLERS]


def algorithm_info(
    algorithm: _Kind | str,
) -> AlgorithmInfo:
    """Describe one algorithm, of the user's own too.

    Args:
        algorithm: The algorithm, or its name, with its parameters if any.

    Returns:
        What `list_algorithms` says of it; `parameters` has the values that it was given.

    Raises:
        UnknownNameError: There is no algorithm of that name.
        ConfigError: It is not an algorithm, or a parameter is out of range.
    """
    if isinstance(algorithm, str):
        if algorithm in _OTHERS:
            return _OTHERS[algorithm]
        algorithm = _named(algorithm)
    if not isinstance(algorithm, _Kind):
        raise bad_argument("algorithm", algorithm, "an algorithm or the name of one")
    return AlgorithmInfo(
        name=algorithm.name,
        summary=algorithm.summary,
        update=algorithm.update,
        average=algorithm.averaging,
        when=algorithm.when,
        paper=algorithm.paper,
        parameters=_parameters(algorithm),
        needs_horizon=algorithm.needs_horizon,
    )


def sampler_info(sampler: str) -> SamplerInfo:
    """Describe one sampler.

    Args:
        sampler: Its name, or its text with parameters.

    Returns:
        What `list_samplers` says of it; `parameters` has the values that the text gives.

    Raises:
        UnknownNameError: There is no such sampler.
        ConfigError: A parameter is not one of its parameters, or out of range.
    """
    parsed = get_sampler(sampler)
    return SamplerInfo(
        parsed.name,
        parsed.summary,
        getattr(parsed, "when", ""),
        {p.name: getattr(parsed, p.name, p.default) for p in sampler_parameters_of(parsed)},
        parsed.averagings,
        parsed.paper,
        needs_no_tree(parsed),
        getattr(parsed, "formulas", WEIGHTED_SAMPLER),
    )


def _named(text: str) -> _Kind:
    """The algorithm that a text names, of those that are objects."""
    if is_efr(text):
        return get_efr(text)
    return {**RESPONDING, **FIXED_STRATEGY}.get(text) or get_rule(text, _NAMES)


def _parameters(algorithm: _Kind) -> dict[str, float | str]:
    """The parameters that can be set in brackets, with their values."""
    if isinstance(algorithm, DeviationRegrets):
        return {**algorithm.parameters}
    return {**parameters_of(algorithm)} if isinstance(algorithm, Variant | LocalRule) else {}


def _algorithms() -> Iterator[AlgorithmInfo]:
    for rule in (
        *RULES.values(),
        get_efr(EFR_NAME),
        *RESPONDING.values(),
        *FIXED_STRATEGY.values(),
    ):
        yield algorithm_info(rule)
    yield from _OTHERS.values()


_MATCHING_PAPER: Final = (
    "Hart, Mas-Colell: A Simple Adaptive Procedure Leading to Correlated Equilibrium. "
    "Econometrica 2000"
)
_OTHERS: Final = {
    other.name: other
    for other in (
        AlgorithmInfo(
            name="lp",
            summary="the exact equilibrium by one sequence-form linear programme",
            update="none: SciPy's HiGHS solves the programme",
            average="none",
            when="small two-player games with constant sum, and to check the others",
            paper="Koller, Megiddo, von Stengel: Efficient Computation of Equilibria for Extensive "
            "Two-Person Games. Games and Economic Behavior 14, 1996",
            parameters={},
            needs_horizon=False,
        ),
        AlgorithmInfo(
            name="regret-matching",
            summary="regret matching on matrix games, each step on record",
            update="R = R + r; sigma = RM(R)",
            average="uniform",
            when="to learn how regrets work; matrix games only",
            paper=_MATCHING_PAPER,
            parameters={},
            needs_horizon=False,
        ),
        AlgorithmInfo(
            name="regret-matching+",
            summary="regret matching whose regrets never fall below zero",
            update="R = max(R + r, 0); sigma = RM(R)",
            average="uniform",
            when="as regret-matching; quicker to change its mind",
            paper=f"{_MATCHING_PAPER}; Tammelin: arXiv 1407.5042, 2014",
            parameters={},
            needs_horizon=False,
        ),
    )
}
"""The algorithms that are not variants of CFR."""
_NAMES: Final = (*RULES, EFR_NAME, *RESPONDING, *FIXED_STRATEGY, *_OTHERS)
