"""Bounds from the regrets of a run without a tree, and when they do not apply.

Let the regrets of iteration t be in the table with weight w_t, and its strategies in the average
with the same weight. With two players and a constant sum, NashConv of the average is then at most
the sum over infosets of their largest positive regret, divided by the sum of all w_t. With equal
weights that is Zinkevich et al. (NIPS 2007), theorems 2 and 3; their proof allows any weights of
iterations, which Brown and Sandholm (AAAI 2019) use for linear weights. Negative regrets that are
discounted more, or kept above a floor, only make the largest ones larger.

With any number of players, and any payoffs, the same sum bounds the coarse correlated gap of the
history of play: what the players together could gain by each committing to a fixed strategy,
while the others play as they did. Iterations of the history are drawn with the weights w_t,
and the others' play is that against which a player is updated. The weights of strategies in the
average do not matter for that.

An infoset for which a full table has no row has no regrets either. There the largest regret of
every visit is added up instead: the sum of the largest is at least the largest of the sums. Such an
infoset is always played uniformly, in the average too.

For three reasons it is an estimate, not a bound of a particular run. Regrets are sampled: the
expectation for any one deviation is right, and noise makes the largest regret larger on average,
but a single run may have been lucky. The average is sampled too, and its noise makes NashConv
larger: infosets that its samples missed are played uniformly, whatever was learned there. And
updates alternate: NashConv is then smaller by the immediate gain of player 0's updates, which is
never negative in full traversals (Burch, Moravcik, Schmid, JAIR 2019), but may be so under
sampling. Averages that are taken before the update, by chance sampling and by walks, are one
iteration behind the play that player 1 meets, which may add the range of payoffs over the sum of
all w_t.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from equilibrist.errors import GameError
from equilibrist.solvers.implicit.infoset_table import InfosetTable
from equilibrist.solvers.variants.variant import Variant

_BLOCK: Final = 4096
"""Periods whose numbers are laid out at once."""
_ROUNDING: Final = 1e-9


@dataclass(frozen=True, eq=False)
class RegretSummary:
    """What the bounds read of a run without a tree after `iteration` iterations.

    Regrets in `table` are counted in `unit`s of payoff and are means over `threads`. `variant`
    discounts them once per `period` iterations. The average is taken every `averaging_every`
    iterations, None if the sampler takes it itself.
    """

    table: InfosetTable
    unit: float
    threads: int
    variant: Variant
    period: int
    iteration: int
    num_players: int
    averaging_every: int | None


def why_no_bound(run: RegretSummary) -> str:
    """Why the regrets of a run bound nothing, in a few words; empty if they bound NashConv."""
    if run.num_players != 2:
        return f"with {run.num_players} players regrets do not bound NashConv"
    if run.iteration == 0:
        return "there are no regrets before the first iteration"
    if run.table.is_full and run.threads > 1:
        return "the average lacks the play of threads at infosets without a row in the full table"
    if run.table.has_reopened:
        return "the average lacks the play of infosets that had no row while the table was full"
    if run.averaging_every not in (None, 1):
        return f"the average is taken every {run.averaging_every} iterations only"
    if total_weight(run.variant, run.iteration, run.period) is None:
        return f"{run.variant.name} weights regrets differently from the average"
    return ""


def bound_of(run: RegretSummary) -> float | None:
    """The sum of the largest regrets over the sum of weights; None where it bounds nothing."""
    if why_no_bound(run):
        return None
    total = total_weight(run.variant, run.iteration, run.period)
    assert total is not None
    return sum(_largest(run)) / total


def coarse_bound_of(run: RegretSummary) -> float | None:
    """The sum of the largest regrets over the weights of the regrets alone, where it is a bound."""
    if run.iteration == 0:
        return None
    total = total_weight(run.variant, run.iteration, run.period, averaged=False)
    return None if total is None else sum(_largest(run)) / total


def bound_unstored_share(run: RegretSummary) -> float:
    """The share of infosets without a row in the sum of the largest regrets, from 0 to 1."""
    rows, unstored = _largest(run)
    return unstored / (rows + unstored) if unstored else 0.0


def _largest(run: RegretSummary) -> tuple[float, float]:
    """The sums of the largest regrets, of infosets with a row and of those without, in payoffs.

    Raises GameError where regrets are not finite.
    """
    from equilibrist.kernels.implicit.infoset_table import UNSTORED, sum_of_largest

    table = run.table
    scale = run.threads * run.unit  # regrets are means over threads
    rows = float(sum_of_largest(table.row, table.pool[0]))
    sums = scale * rows, scale * float(table.pool[UNSTORED])
    if not math.isfinite(sum(sums)):
        raise GameError(
            f"the numbers have left the range of floating point by iteration {run.iteration:,}",
            kind="payoffs",
            option="iteration",
            given=run.iteration,
            remedy="scale the payoffs of the game down",
        )
    return sums


def total_weight(
    variant: Variant, iterations: int, period: int, *, averaged: bool = True
) -> float | None:
    """The sum of the weights with which the regrets of all iterations are in the table.

    None if negative regrets are discounted less than positive ones, or if strategies are
    `averaged` with other weights. `variant` discounts as each period of that many iterations
    begins.
    """
    periods = -(-iterations // period)
    total, weight = 0.0, 0.0
    for start in range(1, periods + 1, _BLOCK):
        rows = variant.table(start, min(_BLOCK, periods + 1 - start))
        positive, negative, decay, counted = rows[:, 0], rows[:, 1], rows[:, 5], rows[:, 6]
        if start == 1:
            weight = float(counted[0])
        before = np.concatenate(([weight], counted[:-1]))
        if (negative > positive * (1.0 + _ROUNDING)).any():
            return None
        alike = np.allclose(before * decay, counted * positive, rtol=_ROUNDING, atol=0.0)
        if averaged and not (alike and (counted > 0.0).all()):
            return None
        lengths = np.full(len(rows), float(period))
        if start + len(rows) > periods:
            lengths[-1] = iterations - (periods - 1) * period
        kept = np.append(np.cumprod(positive[:0:-1])[::-1], 1.0)  # of each period's at the end
        total = total * float(positive[0] * kept[0]) + float(lengths @ kept)
        weight = float(counted[-1])
    return total
