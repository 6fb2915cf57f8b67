"""CFR in which what is played is a mixture of what is learnt and of what is given.

At infoset I the player plays played(a) = keep(Ia) * sigma(a) + add(Ia), where keep is 1 - p_I for
all actions and add is p_I m_I(a). Regrets are those of sigma against the values of what is played;
values and averages are those of what is played. So p_I = |A| epsilon and a uniform m are trembles
(Farina, Kroer and Sandholm, Regret Minimization in Behaviorally-Constrained Zero-Sum Games, ICML
2017), p_I = 1 is a lock, and observed frequencies are a data-biased opponent (Johanson and Bowling,
AISTATS 2009).

One player, the viewer, may see another plan of the other player than the one that is played:
seen = seen_keep * reach + seen_add, as plans mix linearly. A fixed plan makes the viewer's strategy
a restricted Nash response (Johanson, Zinkevich and Bowling, NIPS 2007). `mixed` is the
MixedArrays of `solvers.full_traversal.mixed_play`.
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel, uncounted_kernel
from equilibrist.kernels.sequence_form.passes import player_reach, push
from equilibrist.kernels.sequence_form.shared import learn


@inner_kernel
def mix(mixed, player, behaviour):
    """Bring what a player plays up to date."""
    offset = mixed.form.sequence_offset
    for s in range(offset[player], offset[player + 1]):
        k = np.uintp(s)
        mixed.played[k] = mixed.keep[k] * behaviour[k] + mixed.add[k]


@inner_kernel
def look(mixed, player, reach):
    """Write the others' reach as `player` sees it to mixed.seen."""
    if player == mixed.viewer[0]:
        for s in range(reach.shape[0]):
            k = np.uintp(s)
            mixed.seen[k] = mixed.seen_keep[k] * reach[k] + mixed.seen_add[k]
    else:
        for s in range(reach.shape[0]):
            k = np.uintp(s)
            mixed.seen[k] = reach[k]


@inner_kernel
def update_player(
    mixed,
    player,
    row,
    regret,
    behaviour,
    strategy_sum,
    reach,
    value,
    infoset_value,
    total,
    memory,
):
    """Update a player whose infosets pass up the values of what is played, mixture included."""
    arrays = mixed.form
    low = arrays.group_offset[player]
    for group in range(arrays.group_offset[player + 1] - 1, low - 1, -1):
        first = np.uintp(arrays.group_first_sequence[group])
        size = np.uintp(arrays.group_size[group])
        base = np.uintp(arrays.group_first_infoset[group])
        actions = np.uintp(arrays.group_actions[group])
        for i in range(size):
            mixed.effective[np.uintp(i)] = 0.0
        for a in range(actions):
            column = first + np.uintp(a) * size
            for i in range(size):
                k = np.uintp(i)
                mixed.effective[k] += mixed.played[column + k] * value[column + k]
        learn(
            memory,
            arrays,
            group,
            row,
            regret,
            behaviour,
            strategy_sum,
            reach,
            value,
            infoset_value,
            total,
        )
        for i in range(size):
            k = np.uintp(i)
            value[arrays.parent_sequence[base + k]] += mixed.effective[k]


@uncounted_kernel
def run(
    mixed,  # MixedArrays
    table,  # float64[T, columns], one row per iteration
    alternating,  # whether players update in turn
    regret,  # float64[S], engine order
    behaviour,  # what is learnt, not what is played
    strategy_sum,  # float64[S], engine order
    reach,  # float64[S], becomes the reach of what is played
    value,  # scratch, float64[S + LANES]
    infoset_value,  # scratch, float64[largest group]
    total,  # scratch, float64[largest group]
    memory,  # None, or the NamedTuple of a local rule
):
    """Run one iteration per row of `table`, as `cfr.run` or `local_rules.run` does."""
    arrays = mixed.form
    players = arrays.sequence_offset.shape[0] - 1
    for player in range(players):
        mix(mixed, player, behaviour)
        player_reach(arrays, player, mixed.played, reach)
    for t in range(table.shape[0]):
        row = table[t]
        for player in range(players):
            if alternating:
                low, high = player, player + 1
            else:
                low, high = 0, players
            if alternating or player == 0:
                for pushed in range(low, high):
                    look(mixed, pushed, reach)
                    push(arrays, pushed, mixed.seen, value)
            update_player(
                mixed,
                player,
                row,
                regret,
                behaviour,
                strategy_sum,
                reach,
                value,
                infoset_value,
                total,
                memory,
            )
            if alternating or player == players - 1:
                for reached in range(low, high):
                    mix(mixed, reached, behaviour)
                    player_reach(arrays, reached, mixed.played, reach)
