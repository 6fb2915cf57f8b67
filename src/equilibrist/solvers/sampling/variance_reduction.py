"""Parameters that several samplers share: baselines and pruning."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np

from equilibrist.game import TERMINAL
from equilibrist.parsing.arguments import bad_argument, real_number
from equilibrist.solvers.sampling.sampler import Sampler, Scratch, Tables

if TYPE_CHECKING:
    from equilibrist.kernels.traversal.baselines import Baselined
    from equilibrist.kernels.traversal.pruning import Pruning

SamplerT = TypeVar("SamplerT", bound=Sampler)
_BASELINES: Final = ("none", "learned", "oracle")
"""none: what was not drawn is worth 0. learned: a running mean of what was found at each history.
oracle: the exact value under the present strategies, computed for every traversal, at the
cost of a full traversal; no draw below then changes a value."""
_RATE: Final = 0.5
"""How much of a learned baseline each new finding replaces, as in Schmid et al. (AAAI 2019)."""
_LARGEST: Final = 1e300


def checked_baseline(baseline: object) -> str:
    """`baseline`, which must be one of BASELINES; ConfigError otherwise."""
    if isinstance(baseline, str) and baseline in _BASELINES:
        return baseline
    raise bad_argument("baseline", baseline, f"one of {', '.join(_BASELINES)}")


def baselines(tables: Tables, baseline: str, scratch: Scratch) -> Baselined:
    """The kernel arguments for baselines."""
    from equilibrist.kernels.traversal.baselines import Baselined

    shape = (tables.tree.arrays.payoff.shape[1], len(tables.tree.arrays.node))
    if baseline == "learned":
        exact, rate, table = False, _RATE, tables.keep("baseline", shape)
    else:
        exact, rate, table = True, 0.0, tables.once("baseline", lambda: np.zeros(shape))
    return Baselined(
        exact=exact,
        rate=rate,
        baseline=table,
        count=np.zeros(1, dtype=np.int64),
        drawn=scratch.whole_level(),
        above=scratch.level(),
        before=scratch.whole_level(),
        own=scratch.level(),
    )


def checked_prune(prune: object) -> float | None:
    """`prune` as a float above 0, or None; ConfigError otherwise."""
    if prune is None:
        return None
    number = real_number("prune", prune, -math.inf, _LARGEST)
    if number > 0.0:
        return number
    raise bad_argument(
        "prune",
        prune,
        "a number above 0, the X of a regret below -X: without regret an action may be a good one",
    )


def for_batches(sampler: SamplerT, batches: int) -> SamplerT:
    """The sampler for tables that keep the mean gain of several batches.

    Regrets in them are smaller than those of one run by the number of batches, and so is the
    threshold, that `prune` means the same for any number.
    """
    prune = getattr(sampler, "prune", None)
    if prune is None or batches == 1:
        return sampler
    return replace(sampler, prune=prune / batches)  # type: ignore[type-var]


def pruning(prune: float | None, scratch: Scratch) -> Pruning | None:
    """The kernel arguments for pruning, except those that need a tree; None without pruning."""
    if prune is None:
        return None
    from equilibrist.kernels.traversal.pruning import Pruning

    return Pruning(
        bound=-prune,
        floor=floor(prune),
        goes_on=None,
        lifts=scratch.level(),
        poor=scratch.rows(np.bool_),
    )


def on_tree(pruning: Pruning | None, tables: Tables) -> Pruning | None:
    """Add to the arguments for pruning what a tree knows: which actions do not end the game."""
    if pruning is None:
        return None
    return pruning._replace(goes_on=tables.once("goes_on", lambda: _goes_on(tables)))


def floor(prune: float | None) -> float:
    """Regrets fall no lower."""
    from equilibrist.kernels.traversal.pruning import LOWEST

    return -math.inf if prune is None else LOWEST * -prune


def _goes_on(tables: Tables) -> np.ndarray:
    """bool[Q]: whether the action of the infoset does not end the game, or not in all histories."""
    node = tables.tree.arrays.node
    goes_on = np.zeros(len(tables.regret), dtype=np.bool_)
    first, base, actions = node[node[:, 3] >= 0, :3].T
    for a in range(tables.tree.max_actions):
        there = actions > a
        on = node[first[there] + a, 3] != TERMINAL
        goes_on[base[there][on] + a] = True
    return goes_on
