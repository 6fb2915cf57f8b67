"""CFR-BR: every player learns against best responses instead of against learners.

Johanson, Bard, Burch and Bowling, Finding Optimal Abstract Strategies in Extensive-Form Games,
AAAI 2012.
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import kernel
from equilibrist.kernels.cfr import update_player
from equilibrist.kernels.passes import player_reach, push
from equilibrist.kernels.response import respond


@kernel
def run(
    arrays,
    coefficients,  # float64[T, 7], one row per iteration
    _alternating,  # the arguments are those of `cfr.run`; nobody takes turns here
    regret,
    behaviour,
    strategy_sum,
    reach,  # must be the reach of `behaviour`
    value,
    infoset_value,
    total,
):
    """Run one iteration per row of `coefficients`; the arrays are those of `cfr.run`.

    All players' best responses answer the profile that the iteration began with.
    """
    players = arrays.sequence_offset.shape[0] - 1
    answer = np.ones(behaviour.shape[0])
    answered = np.zeros(behaviour.shape[0])
    for t in range(coefficients.shape[0]):
        for player in range(players):
            push(arrays, player, reach, value)
            respond(arrays, player, value, answer)
        for player in range(players):
            player_reach(arrays, player, answer, answered)
        for player in range(players):
            push(arrays, player, answered, value)
            update_player(
                arrays,
                player,
                coefficients[t],
                regret,
                behaviour,
                strategy_sum,
                reach,
                value,
                infoset_value,
                total,
            )
        for player in range(players):
            player_reach(arrays, player, behaviour, reach)
