"""The samplers that need no tree: their kernels, and the scratch space of one traversal."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final, TypeAlias

import numpy as np

from equilibrist.arguments import refused
from equilibrist.rules.module import Rules
from equilibrist.solvers.outcome import COLUMNS, Outcome
from equilibrist.solvers.sampler_names import get_sampler
from equilibrist.solvers.samplers import Chance, External, Sampler

TreelessSampler: TypeAlias = External | Outcome | Chance
_NUMBER: Final = 8
"""Bytes of a number, of whatever kind."""


def needs_no_tree(sampler: Sampler) -> bool:
    """Whether it is external, outcome or chance sampling, without baselines or pruned chance."""
    if isinstance(sampler, Chance):
        return sampler.prune is None
    return isinstance(sampler, External | Outcome) and sampler.baseline == "none"


def fit_sampler(sampler: Sampler | str) -> TreelessSampler:
    """The sampler, or the one of that name; ConfigError for one that needs a tree."""
    found = get_sampler(sampler) if isinstance(sampler, str) else sampler
    if not isinstance(found, External | Outcome | Chance) or not needs_no_tree(found):
        raise refused(
            "sampler",
            sampler,
            "external, perhaps with prune, outcome, perhaps with epsilon, or chance: all others "
            "need a tree",
        )
    return found


def bytes_of_scratch(sampler: TreelessSampler, rules: Rules) -> int:
    """Bytes of `make_scratch`."""
    return _NUMBER * sum(math.prod(shape) for shape, _ in _shapes(sampler, rules))


def make_scratch(sampler: TreelessSampler, rules: Rules) -> tuple[Any, ...]:
    """What the kernel writes while it is on its path; the last two are a state and its key."""
    return tuple(np.empty(shape, dtype=kind) for shape, kind in _shapes(sampler, rules))


def _shapes(sampler: TreelessSampler, rules: Rules) -> list[tuple[tuple[int, ...], Any]]:
    levels = rules.max_moves + 1
    path: list[tuple[tuple[int, ...], Any]] = [((levels,), np.int64)] * 3
    if isinstance(sampler, Outcome):
        path = [*path, ((levels, COLUMNS), np.float64)]
    else:
        rows = ((levels * rules.max_actions,), np.float64)
        more: list[tuple[tuple[int, ...], Any]] = []
        if isinstance(sampler, Chance):
            more = [((levels,), np.float64)] * 2
        elif sampler.prune is not None:
            more = [((levels,), np.float64), ((levels * rules.max_actions,), np.bool_)]
        path = [((levels, rules.state_size), np.int64), *path, *more, rows, rows]
    return [*path, ((rules.state_size,), np.int64), ((2,), np.uint64)]


def kernel_of(sampler: TreelessSampler) -> tuple[Callable[..., Any], tuple[float, ...]]:
    """The kernel, and what it takes besides sizes, key, weight and scratch."""
    if isinstance(sampler, Outcome):
        from equilibrist.kernels.treeless_outcome import outcome_sampling

        return outcome_sampling, (sampler.epsilon,)
    if isinstance(sampler, Chance):
        from equilibrist.kernels.treeless_chance import chance_sampling

        return chance_sampling, ()
    if sampler.prune is not None:
        from equilibrist.kernels.treeless_pruned import external_pruned

        return external_pruned, (-sampler.prune,)
    from equilibrist.kernels.treeless import external_sampling

    return external_sampling, ()
