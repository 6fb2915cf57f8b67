"""One step of mirror descent from a trunk, in closed form at every infoset by itself.

Let q(a) be what action a earns at an infoset if both players go on as the trunk does, divided by
how likely chance and the opponent come there, and mu the magnet, uniform play. What is played there
is the x with the largest

    sum_a x(a) q(a) - alpha KL(x, mu) - beta KL(x, trunk),

    x(a) in proportion to (exp(q(a)) mu(a)^alpha trunk(a)^beta)^(1 / (alpha + beta)).

No part of the game is solved: q needs play of the trunk alone, which may be sampled where the game
has no tree. The step at one infoset does not know that others take one, too, and beta keeps it
small: without it the result may be far worse than the trunk.
"""

from __future__ import annotations

import numpy as np
from scipy.special import xlogy

from equilibrist.search.seat_task import SeatPlay, SeatTask
from equilibrist.typing import FloatArray


def action_values(task: SeatTask) -> FloatArray:
    """float64[X]: q of every action of p's inside the subgames, in payoff units.

    They hold up to a number that the actions of an infoset share; 0 at infosets where chance and
    the opponent never come.
    """
    trunk, rows = task.trunk, task.rows
    search, player = trunk.subgames.search, trunk.player
    earned = search.earned(player, trunk.opponent_plan)
    values = search.own[player].expected(earned, trunk.probabilities)
    mass = np.repeat(search.mass(player, trunk.opponent_plan)[rows.own_infosets], rows.own_counts)
    worth = values.sequence[rows.own] * search.game.scale
    return np.where(mass > 0.0, worth / np.where(mass > 0.0, mass, 1.0), 0.0)


def solve_by_step(task: SeatTask) -> SeatPlay:
    """Take one step at every infoset of a seat below all roots.

    Args:
        task: What is asked of the seat.

    Returns:
        The play; the trunk's at infosets where the opponent never comes.
    """
    trunk, rows, method = task.trunk, task.rows, task.method
    search = trunk.subgames.search
    played = trunk.probabilities[search.own[trunk.player].start + rows.own - 1]
    if not len(rows.own):
        return SeatPlay.of(task, played)
    starts = np.cumsum(rows.own_counts) - rows.own_counts
    # beta ln 0 = -inf: what the trunk never does stays so, but not without beta.
    present = np.asarray(xlogy(method.beta, played), dtype=np.float64)
    logit = action_values(task) + present
    logit -= np.repeat(np.maximum.reduceat(logit, starts), rows.own_counts)
    with np.errstate(over="ignore"):  # a tiny weight leaves the best action alone: exp(-inf)
        logit /= method.alpha + method.beta
    share = np.exp(logit)
    share /= np.repeat(np.add.reduceat(share, starts), rows.own_counts)
    mass = search.mass(trunk.player, trunk.opponent_plan)[rows.own_infosets]
    return SeatPlay.of(task, np.where(np.repeat(mass > 0.0, rows.own_counts), share, played))
