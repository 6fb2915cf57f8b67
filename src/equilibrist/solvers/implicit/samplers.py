"""The samplers that need no tree: their kernels, and the scratch space of one traversal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple, Protocol, cast

import numpy as np

from equilibrist.parsing.arguments import bad_argument
from equilibrist.rules.module import Rules
from equilibrist.solvers.sampling.outcome import Outcome
from equilibrist.solvers.sampling.registry import get_sampler
from equilibrist.solvers.sampling.sampler import Kernel, Scratch, Setup
from equilibrist.solvers.sampling.samplers import (
    AverageStrategy,
    Chance,
    External,
    Probing,
    Pure,
    Robust,
    Sampler,
)
from equilibrist.typing import Int64Array

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
"""Bytes of a number of any kind."""


def needs_no_tree(sampler: Sampler) -> bool:
    """Whether it is one of `WITHOUT_TREE`, without baselines; chance sampling as it is."""
    if isinstance(sampler, Chance) and (sampler.prune is not None or sampler.blocks is not None):
        return False
    return type(sampler) in WITHOUT_TREE and getattr(sampler, "baseline", "none") == "none"


def fit_sampler(sampler: Sampler | str) -> Sampler:
    """The sampler, or the one of that name; ConfigError for one that needs a tree."""
    chosen = get_sampler(sampler) if isinstance(sampler, str) else sampler
    if not needs_no_tree(chosen):
        names = [known.name for known in WITHOUT_TREE]
        raise bad_argument(
            "sampler",
            sampler,
            f"{', '.join(names[:-1])} or {names[-1]}, without baseline, and with prune if it is "
            f"external, without blocks: all others need a tree",
        )
    return chosen


class WithoutTree(Sampler, Protocol):
    """A sampler that runs on rules as well."""

    def kernel(self, scratch: Scratch) -> tuple[Kernel, Setup]:
        """The sampler's kernel and the setup that it takes; `weight` is set for every call."""
        ...


class Path(NamedTuple):
    """A sampler's kernel, and what it writes along its path: see `RulesPlay`."""

    kernel: Kernel
    setup: Setup
    states: Int64Array | None
    places: Int64Array
    counts: Int64Array
    s: Int64Array
    packed: np.ndarray
    logged: Int64Array


def bytes_of_scratch(sampler: Sampler, rules: Rules) -> int:
    """Bytes of what `make_path` makes."""

    def make_none(shape: tuple[int, ...], dtype: type) -> np.ndarray:
        return np.empty((0,) * len(shape), dtype=dtype)

    scratch = _scratch(rules, make_none)
    _path(sampler, rules, scratch)
    return _NUMBER * scratch.numbers


def make_path(sampler: Sampler, rules: Rules) -> Path:
    """A sampler's kernel and its scratch."""
    return _path(sampler, rules, _scratch(rules, np.empty))


def kernel_of(sampler: Sampler) -> Kernel:
    """The sampler's kernel."""
    return cast(WithoutTree, sampler).kernel(Scratch(1, 1))[0]


def _scratch(rules: Rules, make: Callable[..., np.ndarray]) -> Scratch:
    return Scratch(rules.max_moves + 1, rules.max_actions, make)


def _path(sampler: Sampler, rules: Rules, scratch: Scratch) -> Path:
    kernel, setup = cast(WithoutTree, sampler).kernel(scratch)
    # Outcome sampling never returns to a state.
    goes_back = not isinstance(sampler, Outcome)
    return Path(
        kernel=kernel,
        setup=setup,
        states=scratch.array(rules.max_moves + 1, rules.state_size, kind=np.int64)
        if goes_back
        else None,
        places=scratch.whole_level(),
        counts=scratch.whole_level(),
        s=scratch.array(rules.state_size, kind=np.int64),
        packed=scratch.array(2, kind=np.uint64),
        logged=np.zeros(1, dtype=np.int64),
    )
