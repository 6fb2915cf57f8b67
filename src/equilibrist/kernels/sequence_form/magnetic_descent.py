"""Magnetic mirror descent with dilated entropy, towards quantal response equilibria.

Sokota, D'Orazio, Kolter, Loizou, Lanctot, Mitliagkas, Brown and Kroer, A Unified Approach to
Reinforcement Learning, Quantal Response Equilibria, and Two-Player Zero-Sum Games, ICLR 2023, with
uniform play as the magnet. The step over whole plans splits into one per infoset, deepest first:

    z(a) = (ln sigma(a) + step * value(a)) / (1 + step * alpha),   sigma <- softmax(z),

and what an infoset adds to the value of the sequence above it is (1 + step * alpha) / step times
the logarithm of the sum of exp(z). `magnetic` is the MagneticArrays of `solvers.variants.magnetic`.
"""

from __future__ import annotations

import math

import numpy as np

from equilibrist._jit import inner_kernel, uncounted_kernel
from equilibrist.kernels.sequence_form.local_steps import DECAY, ITERATION, OWN, WEIGHT
from equilibrist.kernels.sequence_form.passes import player_reach, push


@inner_kernel
def update_player(arrays, player, alpha, step, row, behaviour, strategy_sum, reach, value, logit):
    """One step of a player; logit holds ln sigma, and behaviour sigma."""
    shrink = 1.0 / (1.0 + step * alpha)
    low = arrays.group_offset[player]
    for group in range(arrays.group_offset[player + 1] - 1, low - 1, -1):
        first = np.uintp(arrays.group_first_sequence[group])
        size = np.uintp(arrays.group_size[group])
        base = np.uintp(arrays.group_first_infoset[group])
        actions = np.uintp(arrays.group_actions[group])
        for i in range(size):
            s = first + np.uintp(i)
            best = -math.inf
            for a in range(actions):
                k = s + np.uintp(a) * size
                strategy_sum[k] = row[DECAY] * strategy_sum[k] + row[WEIGHT] * reach[k]
                known = -math.log(actions) if row[ITERATION] == 1.0 else logit[k]
                logit[k] = (known + step * value[k]) * shrink
                best = max(best, logit[k])
            total = 0.0
            for a in range(actions):
                total += math.exp(logit[s + np.uintp(a) * size] - best)
            whole = best + math.log(total)
            for a in range(actions):
                k = s + np.uintp(a) * size
                logit[k] -= whole
                behaviour[k] = math.exp(logit[k])
            value[arrays.parent_sequence[base + np.uintp(i)]] += whole / (shrink * step)


@uncounted_kernel
def run(
    magnetic,  # MagneticArrays
    table,  # float64[T, 5], one row per iteration
    alternating,  # whether players update in turn
    _regret,
    behaviour,  # float64[S], the current strategy
    strategy_sum,  # float64[S], which becomes the last strategy
    reach,  # must be the reach of `behaviour`
    value,  # scratch, float64[S + LANES]
    _infoset_value,
    _total,  # the arguments are those of `cfr.run`
    logit,  # float64[S]
):
    """Run one iteration per row of `table`."""
    arrays = magnetic.form
    players = arrays.sequence_offset.shape[0] - 1
    for t in range(table.shape[0]):
        row = table[t]
        alpha = row[OWN]
        step = row[OWN + 1] * alpha / magnetic.largest[0] ** 2
        for player in range(players):
            if alternating:
                low, high = player, player + 1
            else:
                low, high = 0, players
            if alternating or player == 0:
                for pushed in range(low, high):
                    push(arrays, pushed, reach, value)
            update_player(
                arrays, player, alpha, step, row, behaviour, strategy_sum, reach, value, logit
            )
            if alternating or player == players - 1:
                for reached in range(low, high):
                    player_reach(arrays, reached, behaviour, reach)
