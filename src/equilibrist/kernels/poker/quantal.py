"""Logit responses: actions are played the more seldom the more EV they lose.

At every decision a hand plays an action with a probability in proportion to
exp(EV / (temperature * pot)), where EV is what the action wins against the opponent's hands that
come there, given that they do: the agent quantal response equilibrium (McKelvey and Palfrey, 1998).
Every action is played, so that there is such an EV at every node. EVs are averaged over iterations,

    Q     <- Q + step * (EV - Q)
    sigma <- exp(Q / (temperature * pot)), normalised

which is magnetic mirror descent towards uniform play with a step of its own per iteration (Sokota
et al., 2023). An update passes up the values of the new sigma: a player's decisions respond to each
other within one pass. Numbers are not in 16 bits.

What comes to a decision is summed as terminal nodes are valued, up to ENDS decisions of a board at
a time. `Store.regret` has Q, in payoff units, and `Store.total` the last sigma, which is what is
played.
"""

from __future__ import annotations

import numpy as np

from equilibrist._jit import inner_kernel
from equilibrist.kernels import ENDS, TILE
from equilibrist.kernels.poker.postflop_arrays import DEPTH, MOST_CARDS, STEP, TEMPERATURE
from equilibrist.kernels.poker.row_choices import larger_or_nan, larger_rows, where_positive
from equilibrist.kernels.poker.showdowns import add_hand, clear_sums, transpose_out, unblocked
from equilibrist.kernels.poker.tiles import (
    add_rows,
    divide_rows,
    exp_row,
    fill_row,
    load_ends,
    load_row,
    multiply_rows,
    scaled_row,
    store_row,
    subtract_rows,
    transpose_picked,
    where_number,
)

_ENDS = np.uintp(ENDS)
_TILE = np.uintp(TILE)
_ZEROS = np.uintp(MOST_CARDS * ENDS)
_ZERO = np.float32(0.0)
_ONE = np.float32(1.0)
_LOWEST = np.float32(-3e38)
_LEAST = 1e-9
"""Unblocked reach of a smaller share of all reach is rounding."""


@inner_kernel
def unblocked_reach(boards, board, player, reach, starts, first, decisions, lanes, met, wide):
    """met[i, h] = the reach of all hands of the opponent that share no card with hand h.

    Decision i is the one at `first` + i in `starts`; there are at most ENDS of them, and a multiple
    of TILE.

    reach: float, that of the opponent, in the order of the board.
    starts: uint64; where the opponent's row of reach begins, by decision, in whole tiles.
    lanes: Lanes of float64, scratch.
    met: float[ENDS, wide], flat, written: in the order of the board, 0 where nothing comes.
    """
    other = 1 - player
    own_first, their_first = boards.hands[player, board], boards.hands[other, board]
    live, theirs = boards.live[player, board], boards.live[other, board]
    own_width = np.uintp(boards.width[player, board])
    width = np.uintp(boards.width[other, board])
    end, their_end = own_first + live, their_first + theirs
    card_a, card_b = boards.card_a[own_first:end], boards.card_b[own_first:end]
    twin = boards.twin[own_first:end]
    their_card_a = boards.card_a[their_first:their_end]
    their_card_b = boards.card_b[their_first:their_end]
    faced, results = lanes.faced, lanes.results
    for i in range(np.uintp(live) * _ENDS, own_width * _ENDS):  # hands that pad the row
        results[np.uintp(i)] = 0.0
    for k in range(np.uintp(0), decisions, _TILE):
        lane = np.uintp(k)
        for i in range(np.uintp(0), width, _TILE):
            h = np.uintp(i)
            transpose_picked(
                reach, starts, first + lane, h, faced, lane, boards.rank,
                np.uintp(their_first) + h,
            )  # fmt: skip
    if decisions > _TILE:
        _meet(
            load_ends, faced, their_card_a, their_card_b, theirs, card_a, card_b, twin, live,
            lanes.sums, results,
        )  # fmt: skip
    else:
        _meet(
            load_row, faced, their_card_a, their_card_b, theirs, card_a, card_b, twin, live,
            lanes.sums, results,
        )  # fmt: skip
    none = np.uintp(0)
    transpose_out(results, boards.rank, np.uintp(own_first), met, none, decisions, wide, own_width)


@inner_kernel
def _meet(
    load, faced, their_card_a, their_card_b, theirs, card_a, card_b, twin, live, sums, results
):
    """results[ENDS * h + i] = the unblocked reach of hand h in lane i, 0 where it is rounding.

    Arguments as in `showdowns.fold_lanes`.
    """
    clear_sums(sums)
    total = load(sums, _ZEROS)
    zero = total
    for j in range(theirs):
        k = np.uintp(j)
        total = add_rows(total, add_hand(load, faced, k, their_card_a[k], their_card_b[k], sums))
    least = scaled_row(total, _LEAST)
    for i in range(live):
        k = np.uintp(i)
        # Inclusion-exclusion: the opponent's hand of the same two cards was subtracted twice.
        met = add_rows(
            unblocked(load, total, card_a[k], card_b[k], sums),
            load(faced, np.uintp(twin[k]) * _ENDS),
        )
        store_row(results, k * _ENDS, where_positive(subtract_rows(met, least), met, zero))


@inner_kernel
def respond(
    locks, lock, averages, strategy, first_number, actions, width, met, met_at, row, pot, value,
    value_at, child_at,
):  # fmt: skip
    """Average EVs, strategy and value of one decision, for all hands of its player on a board.

    value[value_at + h] becomes sum_n sigma(n, h) * value[child_at[n] + h] with the new sigma.
    Locked actions keep their probability, free ones share the rest.

    locks, lock: Locks, and where those of the decision begin; -1 for none.
    averages, strategy: float, [actions][width] from `first_number` on; updated in place.
    met: float; the unblocked reach of the opponent from `met_at` on; where it is 0 nothing is
        learnt.
    row: float[8]: STEP, TEMPERATURE as a share of the pot, and DEPTH, the most by which logits may
        be below that of the best action.
    pot: The pot at the decision, in payoff units.
    value: float; counterfactual values in payoff units, child n's from child_at[n] on.
    """
    none = _ZERO * row[STEP]
    zero, one, lowest = fill_row(none), fill_row(none + _ONE), fill_row(none + _LOWEST)
    step, heat = fill_row(row[STEP]), fill_row(_ONE / (row[TEMPERATURE] * pot))
    depth = fill_row(-row[DEPTH])
    numbers = locks.numbers
    for i in range(np.uintp(0), width, _TILE):
        h = np.uintp(i)
        there = load_row(met, met_at + h)
        inverse = divide_rows(one, there)  # where nothing comes it is infinite, and not used
        best, left = lowest, one
        for n in range(actions):
            place = np.uintp(n) * width + h
            before = load_row(averages, first_number + place)
            ev = multiply_rows(load_row(value, np.uintp(child_at[np.uintp(n)]) + h), inverse)
            after = add_rows(before, multiply_rows(step, subtract_rows(ev, before)))
            average = where_positive(there, after, before)
            store_row(averages, first_number + place, average)
            if lock >= 0:
                locked = load_row(numbers, np.uintp(lock) + place)
                left = subtract_rows(left, where_number(locked, locked, zero))
                average = where_number(locked, lowest, average)
            best = larger_or_nan(best, average)
        total = zero
        for n in range(actions):
            place = np.uintp(n) * width + h
            average = load_row(averages, first_number + place)
            logit = larger_rows(multiply_rows(subtract_rows(average, best), heat), depth)
            if lock >= 0:
                locked = load_row(numbers, np.uintp(lock) + place)
                part = where_number(locked, zero, exp_row(where_number(locked, zero, logit)))
            else:
                part = exp_row(logit)
            store_row(strategy, first_number + place, part)
            total = add_rows(total, part)
        share, worth = divide_rows(left, total), zero
        for n in range(actions):
            place = np.uintp(n) * width + h
            part = load_row(strategy, first_number + place)
            chance = multiply_rows(share, part)
            if lock >= 0:
                locked = load_row(numbers, np.uintp(lock) + place)
                store_row(strategy, first_number + place, where_number(locked, part, chance))
                chance = where_number(locked, locked, chance)
            else:
                store_row(strategy, first_number + place, chance)
            child_value = load_row(value, np.uintp(child_at[np.uintp(n)]) + h)
            worth = add_rows(worth, multiply_rows(chance, child_value))
        store_row(value, value_at + h, worth)
