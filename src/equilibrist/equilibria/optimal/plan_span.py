"""Cells as sums over joint reduced plans: any number of players, with or without chance."""

from __future__ import annotations

from math import prod

import numpy as np

from equilibrist.equilibria.optimal.deviations import Deviations
from equilibrist.equilibria.optimal.programme import Span
from equilibrist.errors import UnsupportedError
from equilibrist.evaluation.plans import ReducedPlans, count_plans, enumerate_plans, shown
from equilibrist.evaluation.sequences import Sequences
from equilibrist.typing import BoolArray, FloatArray

MOST_COLUMNS = 200_000
"""The most joint plans."""
MOST_ENTRIES = 30_000_000
"""The most pairs of a cell and a joint plan that plays it."""


def count_joint_plans(sequences: Sequences) -> int:
    """How many joint reduced plans a game has.

    Args:
        sequences: Those of the game.
    """
    return prod(count_plans(sequences, p) for p in range(sequences.tree.num_players))


def joint_plans(sequences: Sequences) -> list[ReducedPlans]:
    """The reduced plans of all players.

    Args:
        sequences: Those of the game.

    Returns:
        One set per player.

    Raises:
        UnsupportedError: There are more than 200,000 joint plans.
    """
    tree = sequences.tree
    counts = [count_plans(sequences, p) for p in range(tree.num_players)]
    joint = prod(counts)
    if joint > MOST_COLUMNS:
        each = " x ".join(map(shown, counts))
        raise UnsupportedError(
            f"{tree.name} has {shown(joint)} joint reduced plans ({each}); the linear programme "
            f"over plans takes up to {MOST_COLUMNS:,}",
            option="plans",
            given=joint if joint < 2**63 else shown(joint),
            expected=MOST_COLUMNS,
            remedy="take a smaller variant of the game, or measure what a learning algorithm "
            "plays: `solve --measure efce`",
        )
    return [enumerate_plans(sequences, p) for p in range(tree.num_players)]


def plan_span(deviations: Deviations, plans: list[ReducedPlans]) -> Span:
    """What the cells may be: mixtures of joint plans, in the order of their numbers.

    Args:
        deviations: Those of the concept; all cells are known.
        plans: All players' plans.

    Returns:
        The span; x are the probabilities of joint plans.

    Raises:
        UnsupportedError: The programme would have more than 30 million entries.
    """
    from scipy.sparse import csr_array

    told = np.array(list(deviations.cells), dtype=np.int64)
    playing = [_playing(told[:, p], one) for p, one in enumerate(plans)]
    entries = int(np.prod([m.sum(axis=1) for m in playing], axis=0).sum())
    if entries > MOST_ENTRIES:
        raise UnsupportedError(
            f"the linear programme over the plans of {deviations.sequences.tree.name} has "
            f"{entries:,} entries; up to {MOST_ENTRIES:,} are solved",
            option="entries",
            given=entries,
            expected=MOST_ENTRIES,
            remedy="take a smaller variant of the game, or a coarser concept",
        )
    strides = np.cumprod([1, *(len(one) for one in plans[:0:-1])])[::-1]
    columns, counts = [], []
    for cell in range(len(told)):
        found = np.zeros(1, dtype=np.int64)
        for stride, masks in zip(strides, playing, strict=True):
            mine = np.flatnonzero(masks[cell]) * stride
            found = (found[:, None] + mine).ravel()
        columns.append(found)
        counts.append(len(found))
    width = prod(map(len, plans))
    basis = csr_array(
        (
            np.ones(sum(counts)),
            np.concatenate([*columns, np.zeros(0, dtype=np.int64)]),
            np.concatenate([[0], np.cumsum(counts)]),
        ),
        shape=(len(told), width),
    )
    return Span(basis, csr_array(np.ones((1, width))), np.ones(1))


def _playing(told: np.ndarray, plans: ReducedPlans) -> BoolArray:
    """Which plans of a player fit their part of each cell, bool[C, K]."""
    beyond = int(plans.tree.action_offset[-1])
    whole = told >= beyond
    fits: BoolArray = plans.reaching(np.where(whole, -1, told)).T.copy()
    fits[whole] = np.arange(len(plans)) == (told[whole] - beyond)[:, None]
    return fits


def profiles_of(
    plans: list[ReducedPlans], x: FloatArray, least: float
) -> tuple[FloatArray, FloatArray]:
    """Of the joint plans above `least`: weights, float64[K], and profiles, float64[K, Q]."""
    drawn = np.flatnonzero(x > least)
    numbers = np.unravel_index(drawn, [len(one) for one in plans])
    rows = [one.behaviour(k) for one, k in zip(plans, numbers, strict=True)]
    weights = x[drawn]
    return weights / weights.sum(), np.concatenate(rows, axis=1)
