"""Extensive-form fictitious play: best responses to the averages, and averages of them.

Heinrich, Lanctot and Silver, Fictitious Self-Play in Extensive-Form Games, ICML 2015, Algorithm 1.
"""

from __future__ import annotations

from equilibrist._jit import kernel
from equilibrist.kernels.passes import player_reach, push
from equilibrist.kernels.response import respond


@kernel
def run(
    arrays,
    table,  # float64[T, 1], the number of each iteration
    _alternating,  # the arguments are those of `cfr.run`; nobody takes turns here
    _regret,
    behaviour,
    strategy_sum,
    reach,  # must be the reach of `behaviour`
    value,
    _infoset_value,
    _total,
):
    """Run one iteration per row of `table`; `behaviour` becomes the best responses.

    `strategy_sum` holds realization plans, whose plain mean is the average: the uniform strategy
    that all begin with counts as one.
    """
    players = arrays.sequence_offset.shape[0] - 1
    for row in range(table.shape[0]):
        t = table[row, 0]
        if t == 1.0:
            for s in range(behaviour.shape[0]):
                strategy_sum[s] = reach[s]
        for s in range(behaviour.shape[0]):
            reach[s] = strategy_sum[s] / t
        for player in range(players):
            push(arrays, player, reach, value)
            respond(arrays, player, value, behaviour)
        for player in range(players):
            player_reach(arrays, player, behaviour, reach)
        for s in range(behaviour.shape[0]):
            strategy_sum[s] += reach[s]
