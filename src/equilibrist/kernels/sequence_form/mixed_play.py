"""CFR in which what is played is a mixture of what is learnt and of what is given.

At infoset I the player plays played(a) = keep(Ia) * sigma(a) + add(Ia), where keep is 1 - p_I for
all actions and add is p_I m_I(a). Regrets are those of sigma against the values of what is played;
values and averages are those of what is played. So p_I = |A| epsilon and a uniform m are trembles
(Farina, Kroer and Sandholm, Regret Minimization in Behaviorally-Constrained Zero-Sum Games, ICML
2017), p_I = 1 is a lock, and observed frequencies are a data-biased opponent (Johanson and Bowling,
AISTATS 2009).

One player, the viewer, may see another plan of the other player than the one that is played:
seen = seen_keep * reach + seen_add, as plans mix linearly. A fixed plan makes the viewer's strategy
a restricted Nash response (Johanson, Zinkevich and Bowling, NIPS 2007). Arrays that are not in
`MixedArrays` are those of `full_traversals.run`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from equilibrist._jit import inner_kernel
from equilibrist.kernels.sequence_form.passes import player_reach
from equilibrist.typing import FloatArray, Int64Array


class MixedArrays(NamedTuple):
    """A game in sequence form, the mixture, and scratch; float64[S] unless said otherwise."""

    form: Any  # SequenceArrays
    keep: FloatArray  # what the probabilities of the learnt strategy are multiplied by
    add: FloatArray  # what is added to them
    viewer: Int64Array  # [1], a player, or -1
    seen_keep: FloatArray  # what the viewer multiplies the others' reach by
    seen_add: FloatArray  # what the viewer adds to it
    played: FloatArray  # scratch: what is played
    seen: FloatArray  # scratch: the others' reach as the player whose payoffs are pushed sees it
    effective: FloatArray  # scratch, float64[largest group]: values of infosets as they are played


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
def value_mixed(mixed, group, value):
    """Value the infosets of a group by what is played there, before the update spends `value`."""
    arrays = mixed.form
    first = np.uintp(arrays.group_first_sequence[group])
    size = np.uintp(arrays.group_size[group])
    for i in range(size):
        mixed.effective[np.uintp(i)] = 0.0
    for a in range(np.uintp(arrays.group_actions[group])):
        column = first + np.uintp(a) * size
        for i in range(size):
            k = np.uintp(i)
            mixed.effective[k] += mixed.played[column + k] * value[column + k]


@inner_kernel
def carry_mixed(mixed, player, behaviour, reach):
    """Bring what a player plays up to date, and carry its reach down."""
    mix(mixed, player, behaviour)
    player_reach(mixed.form, player, mixed.played, reach)
