"""Logit responses: actions are played the more seldom the more EV they lose.

At every decision a hand plays an action with a probability in proportion to
exp(EV / (temperature * pot)), where EV is what the action wins against the opponent's hands that
come there, given that they do: the agent quantal response equilibrium (McKelvey and Palfrey, 1998).
Every action is played, so that there is such an EV at every node. EVs are averaged over iterations,

    Q     <- Q + step * (EV - Q)
    sigma <- exp(Q / (temperature * pot)), normalised

which is magnetic mirror descent towards uniform play with a step of its own per iteration (Sokota
et al., 2023). An update passes up the values of the new sigma: a player's decisions respond to each
other within one pass. Hands are taken one at a time; numbers are not in 16 bits.

`Store.regret` has Q, in payoff units, and `Store.total` the last sigma, which is what is played.
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel
from equilibrist.kernels.poker.postflop_arrays import DEPTH, MOST_CARDS, STEP, TEMPERATURE

_ZERO = np.float32(0.0)
_ONE = np.float32(1.0)
_LEAST = 1e-9
"""Unblocked reach of a smaller share of all reach is rounding."""


@inner_kernel
def unblocked_reach(boards, board, player, reach, origin, by_rank, sums, met):
    """met[h] = the reach of all hands of the opponent that share no card with hand h of a player.

    reach: float, that of the opponent at a node, from `origin` on, in the order of the board.
    by_rank, sums: float64, scratch. met: float64[live], written.
    """
    other = 1 - player
    start, their_start = boards.hands[player, board], boards.hands[other, board]
    live, theirs = boards.live[player, board], boards.live[other, board]
    for card in range(MOST_CARDS + 1):
        sums[np.uintp(card)] = 0.0
    for j in range(theirs):
        by_rank[np.uintp(boards.rank[np.uintp(their_start + j)])] = reach[origin + np.uintp(j)]
    total = 0.0
    for j in range(theirs):
        k, there = np.uintp(j), by_rank[np.uintp(j)]
        sums[np.uintp(boards.card_a[np.uintp(their_start) + k])] += there
        sums[np.uintp(boards.card_b[np.uintp(their_start) + k])] += there
        total += there
    for i in range(live):
        k = np.uintp(start + boards.rank[np.uintp(start + i)])
        left = total - sums[np.uintp(boards.card_a[k])] - sums[np.uintp(boards.card_b[k])]
        if boards.twin[k] < theirs:  # counted with both of its cards
            left += by_rank[np.uintp(boards.twin[k])]
        met[np.uintp(i)] = left if left > _LEAST * total else 0.0


@inner_kernel
def respond(
    locks, lock, averages, strategy, first_number, actions, width, live, met, row, pot, value,
    value_at, child_at,
):  # fmt: skip
    """Average EVs, strategy and value of one decision, for all hands of its player on a board.

    value[value_at + h] becomes sum_n sigma(n, h) * value[child_at[n] + h] with the new sigma.
    Locked actions keep their probability, free ones share the rest.

    locks, lock: Locks, and where those of the decision begin; -1 for none.
    averages, strategy: float, [actions][width] from `first_number` on; updated in place.
    met: float64[live], the unblocked reach of the opponent; where it is 0 nothing is learnt.
    row: float[8]: STEP, TEMPERATURE as a share of the pot, and DEPTH, the most by which logits may
        be below that of the best action.
    pot: The pot at the decision, in payoff units.
    value: float; counterfactual values in payoff units, child n's from child_at[n] on.
    """
    step, heat, depth = row[STEP], _ONE / (row[TEMPERATURE] * pot), -row[DEPTH]
    for i in range(live):
        h = np.uintp(i)
        there = met[h]
        best, any_free, left = _ZERO * step, False, _ONE
        for n in range(actions):
            place = np.uintp(n) * width + h
            average = averages[first_number + place]
            if there > 0.0:
                ev = value[np.uintp(child_at[np.uintp(n)]) + h] / there
                average += step * (ev - average)
                averages[first_number + place] = average
            if lock >= 0 and not np.isnan(locks.numbers[np.uintp(lock) + place]):
                left -= locks.numbers[np.uintp(lock) + place]
            elif not any_free or average > best:
                best, any_free = average, True
        total = _ZERO * step
        for n in range(actions):
            place = np.uintp(n) * width + h
            part = _ZERO * step
            if lock < 0 or np.isnan(locks.numbers[np.uintp(lock) + place]):
                part = np.exp(max((averages[first_number + place] - best) * heat, depth))
            strategy[first_number + place] = part
            total += part
        worth = _ZERO * step
        for n in range(actions):
            place = np.uintp(n) * width + h
            if lock >= 0 and not np.isnan(locks.numbers[np.uintp(lock) + place]):
                chance = locks.numbers[np.uintp(lock) + place]
            else:
                chance = left * strategy[first_number + place] / total
                strategy[first_number + place] = chance
            worth += chance * value[np.uintp(child_at[np.uintp(n)]) + h]
        value[value_at + h] = worth
    for i in range(live, width):  # hands that pad the row
        value[value_at + np.uintp(i)] = _ZERO
