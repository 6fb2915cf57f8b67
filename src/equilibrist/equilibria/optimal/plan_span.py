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
    """Count the joint reduced plans of a game.

    Args:
        sequences: The game's sequences.
    """
    return prod(count_plans(sequences, p) for p in range(sequences.tree.num_players))


def joint_plans(sequences: Sequences) -> list[ReducedPlans]:
    """The reduced plans of all players.

    Args:
        sequences: The game's sequences.

    Returns:
        One set per player.

    Raises:
        UnsupportedError: There are more than 200,000 joint plans.
    """
    tree = sequences.tree
    counts = [count_plans(sequences, p) for p in range(tree.num_players)]
    joint = prod(counts)
    if joint > MOST_COLUMNS:
        plan_counts = " x ".join(map(shown, counts))
        raise UnsupportedError(
            f"{tree.name} has {shown(joint)} joint reduced plans ({plan_counts}); the linear "
            f"programme over plans takes up to {MOST_COLUMNS:,}",
            option="plans",
            given=joint if joint < 2**63 else shown(joint),
            expected=MOST_COLUMNS,
            remedy="take a smaller variant of the game, or measure what a learning algorithm "
            "plays: `solve --measure efce`",
        )
    return [enumerate_plans(sequences, p) for p in range(tree.num_players)]


def plan_span(deviations: Deviations, plans: list[ReducedPlans]) -> Span:
    """Span the cells by mixtures of joint plans, in the order of their numbers.

    Args:
        deviations: The deviations of the concept; all cells are known.
        plans: All players' plans.

    Returns:
        The span; x are the probabilities of joint plans.

    Raises:
        UnsupportedError: The programme would have more than 30 million entries.
    """
    from scipy.sparse import csr_array

    recommended = np.array(list(deviations.cells), dtype=np.int64)
    playing = [_playing(recommended[:, p], player_plans) for p, player_plans in enumerate(plans)]
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
    # Joint plans are numbered in C order: the last player's plan changes fastest.
    strides = np.cumprod([1, *(len(player_plans) for player_plans in plans[:0:-1])])[::-1]
    columns, counts = [], []
    for cell in range(len(recommended)):
        joint = np.zeros(1, dtype=np.int64)
        for stride, masks in zip(strides, playing, strict=True):
            mine = np.flatnonzero(masks[cell]) * stride
            joint = (joint[:, None] + mine).ravel()
        columns.append(joint)
        counts.append(len(joint))
    width = prod(map(len, plans))
    basis = csr_array(
        (
            np.ones(sum(counts)),
            np.concatenate([*columns, np.zeros(0, dtype=np.int64)]),
            np.concatenate([[0], np.cumsum(counts)]),
        ),
        shape=(len(recommended), width),
    )
    return Span(basis, csr_array(np.ones((1, width))), np.ones(1))


def _playing(recommended: np.ndarray, plans: ReducedPlans) -> BoolArray:
    """Which plans of a player fit their part of each cell, bool[C, K]."""
    beyond = int(plans.tree.action_offset[-1])
    whole = recommended >= beyond
    fits: BoolArray = plans.reaching(np.where(whole, -1, recommended)).T.copy()
    fits[whole] = np.arange(len(plans)) == (recommended[whole] - beyond)[:, None]
    return fits


def profiles_of(
    plans: list[ReducedPlans], x: FloatArray, least: float
) -> tuple[FloatArray, FloatArray]:
    """The joint plans that are drawn, and their weights.

    Args:
        plans: All players' plans.
        x: Probabilities of joint plans, in the order of their numbers.
        least: Plans of at most this probability are left out.

    Returns:
        Weights, float64[K], which add up to 1, and profiles, float64[K, Q].
    """
    drawn = np.flatnonzero(x > least)
    numbers = np.unravel_index(drawn, [len(player_plans) for player_plans in plans])
    rows = [player_plans.behaviour(k) for player_plans, k in zip(plans, numbers, strict=True)]
    weights = x[drawn]
    return weights / weights.sum(), np.concatenate(rows, axis=1)
