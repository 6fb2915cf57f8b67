"""Gaps of correlated play: what players would gain by no longer following recommendations.

A mediator draws an iterate and recommends what it plays. The sums of a trigger (see
`TriggerArrays`) say what each own sequence at or below its infoset would have paid in the iterates
in which the trigger is met; `obeyed` says what obeying paid. Sums over iterates are divided by
`numbers[SCALE]`, so that a decay of all of them is one multiplication. `gap_sums` is a NamedTuple
of them, `equilibria.gaps.GapSums`. J triggers, M sequences and K infosets of plans, S sequences.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from equilibrist._jit import inner_kernel, kernel
from equilibrist.kernels.sequence_form.passes import player_reach, push
from equilibrist.typing import FloatArray


class WatchedArrays(NamedTuple):
    """What takes up the gaps of the history of play of a game."""

    plans: Any  # PlanArrays of the own plans
    triggers: Any  # TriggerArrays
    leaf: FloatArray  # scratch, float64[M]
    worth: FloatArray  # scratch, float64[M + K]
    gap_sums: Any  # GapSums


SCALE, TOTAL = range(2)
"""Places in `numbers`: what all sums are to be multiplied by, and the weight of all iterates."""
LEAST_SCALE = 1e-150
"""Below it the sums are multiplied out."""


@inner_kernel
def multiply_all(factor, gap_sums):
    """Multiply all sums over iterates."""
    for j in range(gap_sums.sums.shape[0]):
        gap_sums.sums[j] *= factor
    for j in range(gap_sums.obeyed.shape[0]):
        gap_sums.obeyed[j] *= factor
    for j in range(gap_sums.root_sums.shape[0]):
        gap_sums.root_sums[j] *= factor
    for j in range(gap_sums.root_obeyed.shape[0]):
        gap_sums.root_obeyed[j] *= factor


@inner_kernel
def decay_all(decay, weight, gap_sums):
    """Decay the weights of all iterates, and count the coming one with `weight`."""
    numbers = gap_sums.numbers
    scale = numbers[SCALE] * decay
    numbers[TOTAL] = decay * numbers[TOTAL] + weight
    if scale < LEAST_SCALE:
        multiply_all(scale, gap_sums)
        scale = 1.0
    numbers[SCALE] = scale


@inner_kernel
def worth_of_plans(plans, behaviour, value, leaf, worth):
    """Payoffs of sequences as `push` left them, and above them what following is worth.

    leaf (float64[M]) gets the payoffs; worth (float64[M + K]) gets the counterfactual value of each
    sequence, then of each infoset.
    """
    places = plans.sequence.shape[0]
    for n in range(places):
        m = np.uintp(n)
        paid = value[np.uintp(plans.sequence[m])]
        leaf[m] = paid
        worth[m] = paid
    # Backwards: infosets below have larger numbers; a worth is complete before it is added above.
    for n in range(plans.first.shape[0] - 1, -1, -1):
        k = np.uintp(n)
        first = np.uintp(plans.first[k])
        total = 0.0
        for a in range(np.uintp(plans.actions[k])):
            m = first + np.uintp(a)
            total += behaviour[np.uintp(plans.sequence[m])] * worth[m]
        worth[np.uintp(places) + k] = total
        if plans.above[k] >= 0:
            worth[np.uintp(plans.above[k])] += total


@inner_kernel
def add_iterate(watched, decay, weight, behaviour, reach, value):
    """Add what deviations and obeying would have paid in one iterate; decay earlier ones.

    `value` is as `push` left it for all players.
    """
    plans, triggers, gap_sums = watched.plans, watched.triggers, watched.gap_sums
    leaf, worth = watched.leaf, watched.worth
    sums, obeyed = gap_sums.sums, gap_sums.obeyed
    root_sums, root_obeyed = gap_sums.root_sums, gap_sums.root_obeyed
    places = plans.sequence.shape[0]
    decay_all(decay, weight, gap_sums)
    if weight != 0.0:
        share = weight / gap_sums.numbers[SCALE]
        worth_of_plans(plans, behaviour, value, leaf, worth)
        for n in range(places):
            m = np.uintp(n)
            root_sums[m] += share * leaf[m]
        players = plans.infoset_offset.shape[0] - 1
        for player in range(players):
            total = 0.0
            for k in range(plans.infoset_offset[player], plans.infoset_offset[player + 1]):
                if plans.above[k] < 0:
                    total += worth[places + k]
            root_obeyed[player] += share * total
            root_obeyed[players + player] += share * value[plans.empty[player]]
        for n in range(triggers.infoset.shape[0]):
            j = np.uintp(n)
            met = share * reach[np.uintp(triggers.weigh[j])]
            if met != 0.0:
                obeyed[j] += met * worth[np.uintp(triggers.worth[j])]
                first = np.uintp(triggers.first[j])
                block = np.uintp(triggers.block[j])
                for i in range(np.uintp(triggers.end[j]) - first):
                    s = block + np.uintp(i)
                    sums[s] += met * leaf[first + np.uintp(i)]


@kernel
def add_play(arrays, watched, behaviour, decay, weight, reach, value):
    """Add one iterate, given by its strategy alone, float64[S] in engine order.

    arrays: SequenceArrays. watched: WatchedArrays. decay: what the weights of earlier iterates are
    multiplied by. weight: that of this iterate. reach: scratch, float64[S]. value: scratch,
    float64[S + LANES].
    """
    players = arrays.sequence_offset.shape[0] - 1
    for player in range(players):
        player_reach(arrays, player, behaviour, reach)
    for player in range(players):
        push(arrays, player, reach, value)
    add_iterate(watched, decay, weight, behaviour, reach, value)


@inner_kernel
def best_below(plans, infoset, paid):
    """The most that a plan from `infoset` on gains of `paid`, float64[M], which is used up."""
    best = 0.0
    for k in range(plans.last[infoset] - 1, infoset - 1, -1):
        first = plans.first[k]
        best = paid[first]
        for m in range(first + 1, first + plans.actions[k]):
            best = max(best, paid[m])
        if k != infoset:
            paid[plans.above[k]] += best
    return best


@kernel
def trigger_gains(
    plans,
    triggers,
    begin,  # int64[G + 1]: triggers of one infoset that are one for this purpose
    sums,
    obeyed,
    paid,  # scratch, float64[M]
    out_gain,  # float64[G]
):
    """Gains of each group of triggers by the best deviation, in units of the sums."""
    for g in range(out_gain.shape[0]):
        low = begin[g]
        first = triggers.first[low]
        size = triggers.end[low] - first
        total = 0.0
        for i in range(size):
            paid[first + i] = 0.0
        for j in range(low, begin[g + 1]):
            total += obeyed[j]
            block = triggers.block[j]
            for i in range(size):
                paid[first + i] += sums[block + i]
        out_gain[g] = best_below(plans, triggers.infoset[low], paid) - total


@kernel
def root_gains(plans, root_sums, root_obeyed, paid, out_gain):
    """Gains of each player by one plan for the whole game, float64[P], in units of the sums.

    plans: PlanArrays. root_sums, root_obeyed: of GapSums. paid: scratch, float64[M].
    """
    for m in range(paid.shape[0]):
        paid[m] = root_sums[m]
    for player in range(out_gain.shape[0]):
        total = 0.0
        for k in range(plans.infoset_offset[player], plans.infoset_offset[player + 1]):
            if plans.above[k] < 0:
                total += best_below(plans, k, paid)
        out_gain[player] = total - root_obeyed[player]


@kernel
def gap_by_action(plans, gain, best):
    """EFCE: the most that several deviations gain together, per infoset, into best (float64[K]).

    `gain` is that of each action, float64[M], which is used up.
    """
    for k in range(best.shape[0]):
        best[k] = 0.0
    below = np.zeros(gain.shape[0])
    for k in range(best.shape[0] - 1, -1, -1):
        for m in range(plans.first[k], plans.first[k] + plans.actions[k]):
            best[k] += max(gain[m], below[m], 0.0)
        if plans.above[k] >= 0:
            below[plans.above[k]] += best[k]


@kernel
def gap_by_infoset(plans, gain, best):
    """EFCCE: the most that several deviations gain together, per infoset, into best (float64[K]).

    `gain` is that of each infoset, float64[K].
    """
    below = np.zeros(plans.sequence.shape[0])
    for k in range(best.shape[0] - 1, -1, -1):
        total = 0.0
        for m in range(plans.first[k], plans.first[k] + plans.actions[k]):
            total += below[m]
        best[k] = max(gain[k], total, 0.0)
        if plans.above[k] >= 0:
            below[plans.above[k]] += best[k]
