"""Equilibria of games with trembles: extensive-form perfect and quasi-perfect selection.

Every action must be played with a least probability, so that every infoset is reached and every
choice counts. For small trembles the equilibria approach a refinement: extensive-form perfect
equilibria, where each player takes their own later trembles into account (Farina and Gatti,
Extensive-Form Perfect Equilibrium Computation in Two-Player Games, AAAI 2017), or quasi-perfect
ones, where they do not (Miltersen and Sorensen, Computing a Quasi-Perfect Equilibrium of a
Two-Player Game, Economic Theory 42, 2010).
"""

from __future__ import annotations

from typing import Final, Literal

import numpy as np

from equilibrist.errors import UnsupportedError
from equilibrist.parsing.arguments import bad_argument, finite_number
from equilibrist.solvers.matrix.worst_case import Duel, Restriction
from equilibrist.strategy import Strategy

Kind = Literal["tremble", "quasi-perfect"]
LEAST_REACH: Final = 1e-9
"""Smaller realization weights are rounding to a linear programme."""


def usual_epsilon(duel: Duel) -> float:
    """Trembles of 0.001, or the least of 0.002, 0.005, 0.01, ... whose reach is no rounding."""
    depth = _depth(duel)
    steps = (c * 10.0**-k for k in (3, 2, 1) for c in (1.0, 2.0, 5.0))
    return next((x for x in steps if x**depth >= LEAST_REACH), 1e-3)


def trembling_strategy(duel: Duel, kind: Kind, epsilon: float) -> tuple[Strategy, float]:
    """The equilibrium of the game with trembles, and what player 0 earns in it.

    Raises ConfigError for an epsilon out of range, UnsupportedError where the game is so deep that
    trembles cannot be told from rounding.
    """
    most = 1.0 / max((len(own) for p in (0, 1) for _, own in duel.infosets(p)), default=1)
    if not 0.0 < finite_number("epsilon", epsilon) < most:
        raise bad_argument("epsilon", epsilon, f"a number above 0 and below {most:g}")
    depth = _depth(duel)
    if epsilon**depth < LEAST_REACH:
        raise UnsupportedError(
            f"{duel.tree.name} has {depth} decisions of one player in a row: with trembles of "
            f"{epsilon:g} some are reached with {epsilon**depth:.1g}, which a linear programme "
            f"cannot tell from 0",
            option="epsilon",
            given=epsilon,
            expected=f"at least {LEAST_REACH ** (1.0 / depth):.2g}",
            remedy="give a larger epsilon, or use `solve --tremble`",
        )
    make = _floors if kind == "tremble" else _lower_bounds
    first, second = make(duel, 0, epsilon), make(duel, 1, epsilon)
    pair = duel.best_plan(0, own=first, other=second)
    return duel.strategy((pair.plan, pair.answer)), pair.guarantee


def _floors(duel: Duel, player: int, epsilon: float) -> Restriction:
    """Every action with at least epsilon wherever its infoset is reached."""
    least = np.zeros(duel.size(player))
    for _, own in duel.infosets(player):
        least[own] = epsilon
    return Restriction(least, np.zeros(len(least)))


def _lower_bounds(duel: Duel, player: int, epsilon: float) -> Restriction:
    """Every sequence of k own actions with a reach of at least epsilon to the power of k."""
    depths = _depths(duel, player)
    lower = np.where(depths > 0, epsilon ** depths.astype(np.float64), 0.0)
    return Restriction(np.zeros(len(lower)), lower)


def _depth(duel: Duel) -> int:
    """The most own actions that a sequence holds."""
    return max(int(_depths(duel, player).max(initial=0)) for player in (0, 1))


def _depths(duel: Duel, player: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Count the own actions of each sequence, 0 for those that belong to no infoset."""
    depth = np.zeros(duel.size(player), dtype=np.int64)
    for parent, own in duel.infosets(player):  # parents come first
        depth[own] = depth[parent] + 1
    return depth
