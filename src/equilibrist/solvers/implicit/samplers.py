"""The samplers that need no tree: their kernels, and the scratch space of one traversal."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from equilibrist.parsing.arguments import refused
from equilibrist.rules.module import Rules
from equilibrist.solvers.sampling.outcome import COLUMNS, Outcome
from equilibrist.solvers.sampling.registry import get_sampler
from equilibrist.solvers.sampling.samplers import (
    AverageStrategy,
    Chance,
    External,
    Probing,
    Pure,
    Robust,
    Sampler,
)

WITHOUT_TREE: Final[tuple[type[Sampler], ...]] = (
    External,
    Outcome,
    Chance,
    AverageStrategy,
    Robust,
    Probing,
    Pure,
)
"""Samplers whose kernel has a form for rules."""
_NUMBER: Final = 8
"""Bytes of a number, of whatever kind."""


def needs_no_tree(sampler: Sampler) -> bool:
    """Whether it is one of `WITHOUT_TREE`, without baselines; chance sampling without pruning."""
    if isinstance(sampler, Chance) and sampler.prune is not None:
        return False
    return type(sampler) in WITHOUT_TREE and getattr(sampler, "baseline", "none") == "none"


def fit_sampler(sampler: Sampler | str) -> Sampler:
    """The sampler, or the one of that name; ConfigError for one that needs a tree."""
    found = get_sampler(sampler) if isinstance(sampler, str) else sampler
    if not needs_no_tree(found):
        names = [one.name for one in WITHOUT_TREE]
        raise refused(
            "sampler",
            sampler,
            f"{', '.join(names[:-1])} or {names[-1]}, without baseline, and with prune if it is "
            f"external: all others need a tree",
        )
    return found


def bytes_of_scratch(sampler: Sampler, rules: Rules) -> int:
    """Bytes of `make_scratch`."""
    return _NUMBER * sum(math.prod(shape) for shape, _ in _shapes(sampler, rules))


def make_scratch(sampler: Sampler, rules: Rules) -> tuple[Any, ...]:
    """What the kernel writes while it is on its path; the last two are a state and its key."""
    return tuple(np.empty(shape, dtype=kind) for shape, kind in _shapes(sampler, rules))


def _shapes(sampler: Sampler, rules: Rules) -> list[tuple[tuple[int, ...], Any]]:
    levels = rules.max_moves + 1
    states = ((levels, rules.state_size), np.int64)
    whole, real = ((levels,), np.int64), ((levels,), np.float64)
    rows = ((levels * rules.max_actions,), np.float64)
    whole_rows = (rows[0], np.int64)
    pruned: list[tuple[tuple[int, ...], Any]] = []
    if isinstance(sampler, External) and sampler.prune is not None:
        pruned = [real, (rows[0], np.bool_)]
    path: dict[type, list[tuple[tuple[int, ...], Any]]] = {
        External: [states, whole, whole, whole, *pruned, rows, rows],
        Outcome: [whole, whole, whole, ((levels, COLUMNS), np.float64)],
        Chance: [states, whole, whole, whole, real, real, rows, rows],
        AverageStrategy: [states, whole, whole, whole, real, rows, rows, rows],
        Robust: [states, whole, whole, whole, whole, real, rows, rows],
        Probing: [states, whole, whole, whole, whole, real, real, rows, rows],
        Pure: [states, whole, whole, whole, whole, whole_rows],
    }
    return [*path[type(sampler)], ((rules.state_size,), np.int64), ((2,), np.uint64)]


def kernel_of(sampler: Sampler, rules: Rules) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """The kernel, and what it takes besides sizes, key, weight and scratch."""
    if isinstance(sampler, Outcome):
        from equilibrist.kernels.implicit.outcome import outcome_sampling

        return outcome_sampling, (sampler.epsilon,)
    if isinstance(sampler, Chance):
        from equilibrist.kernels.implicit.chance import chance_sampling

        return chance_sampling, ()
    if isinstance(sampler, AverageStrategy):
        from equilibrist.kernels.implicit.average_strategy import average_strategy_sampling

        return average_strategy_sampling, (sampler.epsilon, sampler.tau, sampler.beta)
    if isinstance(sampler, Robust):
        from equilibrist.kernels.implicit.robust import robust_sampling

        return robust_sampling, (min(sampler.k, rules.max_actions),)
    if isinstance(sampler, Probing):
        from equilibrist.kernels.implicit.probing import probing_sampling

        return probing_sampling, (min(sampler.k, rules.max_actions),)
    if isinstance(sampler, Pure):
        from equilibrist.kernels.implicit.pure import pure_sampling

        return pure_sampling, ()
    if isinstance(sampler, External) and sampler.prune is not None:
        from equilibrist.kernels.implicit.external_pruned import external_pruned

        return external_pruned, (-sampler.prune,)
    from equilibrist.kernels.implicit.external import external_sampling

    return external_sampling, ()
