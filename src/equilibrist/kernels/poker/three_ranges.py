"""Values of three players' pots on a river board, for many lines of betting at once.

The forms F(A_j, A_k), F(M_j, A_k) and F(M_j, M_k) + F(E_j, E_k) / 12 are those of
`poker.three_players.forms`: A are all hands of an opponent, M those that lose to the own hand and
half of those that tie with it, E the latter. With t, t(c) and s, s(c) the sums of u and v over all
hands and over those with card c, the own hand h = {a, b} has

    F(u, v)[h] = (t - t(a) - t(b) + u[h]) (s - s(a) - s(b) + v[h]) + d - P + W(a) + W(b)
                 - v[h] (t(a) + t(b)) - u[h] (s(a) + s(b)) + 3 u[h] v[h] - Q(h),
    P = sum of t(c) s(c), d = sum of u v over combos that both hold, d(a) over those with card a,
    W(a) = t(a) s(a) - 2 d(a) + sum over c of (t(c) v[ac] + s(c) u[ac]),
    Q(h) = sum over c of (u[ac] v[bc] + v[ac] u[bc]), the paths a - c - b.

M grows with the strength of the own hand. Hands are visited from the weakest up, level by level of
own strengths: weaker hands are added, then half of each equal hand, then the own hands of the level
are valued, then the other halves are added. Hence sums that are linear (t, s, t(c), s(c)) and the
bilinear P are right at every moment if each addition of w to t(x) and t(y) adds w (s(x) + s(y)) to
P. What does not follow from halves: a combo that both hold and that ties counts 1/3 in d, and a
path of two equal hands 1/3 in Q, since 1/4 + 1/12 = 1/3.

A lane is a form of a line. ENDS lanes lie side by side: x[ENDS * rank + lane] is the reach of a
hand, and each number above a row. Lists depend on the board and the ranges alone and are read once
for all lanes (`kernels.poker.three_lists`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from equilibrist._jit import chosen_by_type, inner_kernel, uncounted_kernel
from equilibrist.kernels import ENDS, TILE
from equilibrist.kernels.poker.three_lists import (
    BOTH_HIGH,
    BOTH_LOW,
    CARDS,
    END,
    HALF,
    J_HIGH,
    J_LOW,
    J_TIED,
    J_WEAK,
    K_HIGH,
    K_LOW,
    K_TIED,
    K_WEAK,
    THIRD,
)
from equilibrist.kernels.poker.tiles import (
    add_picked,
    add_rows,
    load_ends,
    load_row,
    multiply_rows,
    scaled_row,
    store_row,
    subtract_rows,
    transpose_picked,
)

FF, MA, AM, MM = range(4)
"""The forms, see `poker.three_players.forms.Form`."""
SUMS = 9 * CARDS * ENDS
"""Numbers in the sums per card of all lanes."""
PICKS = 3 * ENDS
"""Numbers in the starts of the rows of all lanes."""
TWELFTH = THIRD + 1
"""The constant of a scratch after those of the shares."""
_TILE, _ENDS, _ONE, _TWO = (np.uintp(k) for k in (TILE, ENDS, 1, 2))
_T, _S, _W, _D, _ET, _ES, _MT, _MS, _ZEROS = (np.uintp(k * CARDS * ENDS) for k in range(9))
"""Where the sums begin: t(c), s(c), W(c), 2 d(c), e(c) and f(c) of the hands of j and k that tie,
t(c) / 2 + e(c) / 12, s(c) / 2 + f(c) / 12, and zeros."""
_EW = _ES
"""Where one opponent is compared only: what the hands that tie add to W(c)."""
_PICKS_K, _PICKS_OUT = np.uintp(ENDS), np.uintp(2 * ENDS)


class ThreeScratch(NamedTuple):
    """Working memory of a thread; floats of one type."""

    x: Any  # [(width + 1) * ENDS]: reach of j, a row of zeros last; width of the widest range
    y: Any  # [(width + 1) * ENDS]: reach of k
    results: Any  # [width * ENDS]
    sums: Any  # [SUMS]
    factors: Any  # [ENDS]: coefficients of the lanes of a block
    constants: Any  # [4]: 1, 1/2, 1/3 and 1/12
    picks: Any  # uintp[PICKS]: where the rows of j, k and the result begin


class FineScratch(NamedTuple):
    """As `ThreeScratch`, for float64, of which a vector holds half as many."""

    x: Any  # [(width + 1) * ENDS]: reach of j, a row of zeros last; width of the widest range
    y: Any  # [(width + 1) * ENDS]: reach of k
    results: Any  # [width * ENDS]
    sums: Any  # [SUMS]
    factors: Any  # [ENDS]: coefficients of the lanes of a block
    constants: Any  # [4]: 1, 1/2, 1/3 and 1/12
    picks: Any  # uintp[PICKS]: where the rows of j, k and the result begin


class FormLines(NamedTuple):
    """Which forms of which lines are evaluated: out[row_out] += coefficient * form."""

    begin: Any  # int64[5]: where the lines of FF, MA, AM and MM begin, then the end
    row_j: Any  # int32[L]: row of the reach of j
    row_k: Any  # int32[L]: row of the reach of k
    row_out: Any  # int32[L]: row of the values; may come more than once
    coefficient: Any  # float[L]


@inner_kernel
def _add(load, sums, at, card, row):
    """sums[at + card] += row."""
    place = at + np.uintp(card) * _ENDS
    store_row(sums, place, add_rows(load(sums, place), row))


@inner_kernel
def _of_cards(load, sums, at, a, b):
    """The sum of two cards."""
    return add_rows(load(sums, at + np.uintp(a) * _ENDS), load(sums, at + np.uintp(b) * _ENDS))


@inner_kernel
def _sum_paths(load, x, y, paths, begin, end, total):
    """Add u[p] v[q] over the pairs of a class."""
    for i in range(begin, end):
        n = np.uintp(i)
        row = load(x, np.uintp(paths.first[n]) * _ENDS)
        other = load(y, np.uintp(paths.second[n]) * _ENDS)
        total = add_rows(total, multiply_rows(row, other))
    return total


@inner_kernel
def _share_paths(load, x, y, paths, begin, end, shares, total):
    """Add u[p] v[q] times the share of the own hand against both."""
    for i in range(begin, end):
        n = np.uintp(i)
        row = load(x, np.uintp(paths.first[n]) * _ENDS)
        other = load(y, np.uintp(paths.second[n]) * _ENDS)
        share = shares[np.uintp(paths.share[n])]
        total = add_rows(total, scaled_row(multiply_rows(row, other), share))
    return total


@inner_kernel
def _cross(load, lists, x, sums, at, begin, end, total):
    """Add u[ac] s(c) over the hands {a, c} from begin to end of a card's list; s is at `at`."""
    for i in range(begin, end):
        n = np.uintp(i)
        row = load(x, np.uintp(lists.item[n]) * _ENDS)
        other = load(sums, at + np.uintp(lists.other[n]) * _ENDS)
        total = add_rows(total, multiply_rows(row, other))
    return total


@inner_kernel
def _clear(numbers, begin, end):
    """Set numbers to zero."""
    for i in range(begin, end):
        numbers[np.uintp(i)] = np.float32(0.0)


@inner_kernel
def _all_hands(load, lists, x, sums, at):
    """Add all hands of a range to its cards' sums; returns the total."""
    total = load(sums, _ZEROS)
    for i in range(lists.card_a.shape[0]):
        h = np.uintp(i)
        row = load(x, h * _ENDS)
        _add(load, sums, at, lists.card_a[h], row)
        _add(load, sums, at, lists.card_b[h], row)
        total = add_rows(total, row)
    return total


@inner_kernel
def _value_all(load, lists, scratch):
    """results[h] = factor * F(A_j, A_k)[h]."""
    x, y, sums, results = scratch.x, scratch.y, scratch.sums, scratch.results
    factor = load(scratch.factors, np.uintp(0))
    own, j, k, paths = lists.own, lists.j, lists.k, lists.paths
    zero = load(sums, _ZEROS)
    t = _all_hands(load, j, x, sums, _T)
    s = _all_hands(load, k, y, sums, _S)
    rest = zero
    for i in range(lists.both_j.shape[0]):
        n = np.uintp(i)
        h = np.uintp(lists.both_j[n])
        met = multiply_rows(load(x, h * _ENDS), load(y, np.uintp(lists.both_k[n]) * _ENDS))
        rest = add_rows(rest, met)
        twice = add_rows(met, met)
        _add(load, sums, _D, j.card_a[h], twice)
        _add(load, sums, _D, j.card_b[h], twice)
    for i in range(CARDS):
        c = np.uintp(i)
        place = c * _ENDS
        product = multiply_rows(load(sums, _T + place), load(sums, _S + place))
        rest = subtract_rows(rest, product)
        total = subtract_rows(product, load(sums, _D + place))
        total = _cross(load, j, x, sums, _S, j.begin[c], j.begin[c + _ONE], total)
        total = _cross(load, k, y, sums, _T, k.begin[c], k.begin[c + _ONE], total)
        store_row(sums, _W + place, total)
    # By card: the hands that share the first card with the own one stay in the first-level cache.
    for i in range(own.by_card.shape[0]):
        h = np.uintp(own.by_card[i])
        a, b = own.card_a[h], own.card_b[h]
        t_h, s_h = _of_cards(load, sums, _T, a, b), _of_cards(load, sums, _S, a, b)
        u_h = load(x, np.uintp(lists.twin_j[h]) * _ENDS)
        v_h = load(y, np.uintp(lists.twin_k[h]) * _ENDS)
        u, v = subtract_rows(t_h, u_h), subtract_rows(s_h, v_h)
        # (t - u) (s - v) - v_h t_h - u_h s_h + 3 u_h v_h, with u = t_h - u_h and v = s_h - v_h.
        value = multiply_rows(subtract_rows(t, u), subtract_rows(s, v))
        value = subtract_rows(value, multiply_rows(v_h, u))
        value = subtract_rows(value, multiply_rows(u_h, v))
        value = add_rows(value, multiply_rows(u_h, v_h))
        value = add_rows(value, add_rows(rest, _of_cards(load, sums, _W, a, b)))
        crossed = _sum_paths(
            load, x, y, paths, paths.bound[_TWO * h], paths.bound[_TWO * h + _TWO], zero
        )
        store_row(results, h * _ENDS, multiply_rows(factor, subtract_rows(value, crossed)))


@inner_kernel
def _move_hand(load, j, h, row, y, twins, sums, at, w_at, t, rest):
    """Add a hand {x, y} of the range that is compared, where the other's sums are complete.

    W(x) and W(y), but for the sum of t(c) v[xc], grow by w (s(x) + s(y)) - 2 w v[xy], and d - P by
    w v[xy] - w (s(x) + s(y)).
    """
    a, b = j.card_a[h], j.card_b[h]
    _add(load, sums, at, a, row)
    _add(load, sums, at, b, row)
    met = multiply_rows(row, load(y, np.uintp(twins[h]) * _ENDS))
    crossed = subtract_rows(multiply_rows(row, _of_cards(load, sums, _S, a, b)), met)
    rest = subtract_rows(rest, crossed)
    crossed = subtract_rows(crossed, met)
    _add(load, sums, w_at, a, crossed)
    _add(load, sums, w_at, b, crossed)
    return add_rows(t, row), rest


@inner_kernel
def _add_half(load, sums, place, other, half):
    """sums[place] += sums[other] / 2."""
    store_row(sums, place, add_rows(load(sums, place), scaled_row(load(sums, other), half)))


@inner_kernel
def _value_one(load, lists, swapped, scratch):
    """results[h] = factor * F(M_j, A_k)[h], or F(A_j, M_k)[h] if opponents are `swapped`."""
    x, y, sums, results = scratch.x, scratch.y, scratch.sums, scratch.results
    factor, constants = load(scratch.factors, np.uintp(0)), scratch.constants
    own, j, k, twin_j, twin_k = lists.own, lists.j, lists.k, lists.twin_j, lists.twin_k
    j_in_k, paths, low, high, tied = lists.j_in_k, lists.paths_j, J_LOW, J_HIGH, 1
    if swapped:
        x, y, j, k, twin_j, twin_k = y, x, k, j, twin_k, twin_j
        j_in_k, paths, low, high, tied = lists.k_in_j, lists.paths_k, K_LOW, K_HIGH, 0
    zero, half = load(sums, _ZEROS), constants[HALF]
    s = _all_hands(load, k, y, sums, _S)
    t, rest = zero, zero
    added, hand = np.uintp(0), np.uintp(0)
    level = lists.level
    for g in range(level.shape[0]):
        weaker, equal = np.uintp(level[g, low]), np.uintp(level[g, high])
        for i in range(added, weaker):
            h = np.uintp(i)
            t, rest = _move_hand(load, j, h, load(x, h * _ENDS), y, j_in_k, sums, _T, _D, t, rest)
        tied_t, tied_rest = zero, zero
        for i in range(weaker, equal):
            h = np.uintp(i)
            tied_t, tied_rest = _move_hand(
                load, j, h, load(x, h * _ENDS), y, j_in_k, sums, _ET, _EW, tied_t, tied_rest
            )
        tied_t, tied_rest = scaled_row(tied_t, half), scaled_row(tied_rest, half)
        t, rest = add_rows(t, tied_t), add_rows(rest, tied_rest)
        begin, stop = lists.tied_begin[3 * g + tied], lists.tied_begin[3 * g + tied + 2]
        for i in range(begin, stop):
            place = np.uintp(lists.tied[i]) * _ENDS
            _add_half(load, sums, _T + place, _ET + place, half)
            _add_half(load, sums, _D + place, _EW + place, half)
        for i in range(lists.level_begin[g], lists.level_begin[g + 1]):
            c = np.uintp(lists.card[i])
            place = c * _ENDS
            total = load(sums, _D + place)
            total = _cross(load, k, y, sums, _T, k.begin[c], k.begin[c + _ONE], total)
            store_row(sums, _W + place, total)
        end = np.uintp(level[g, END])
        for i in range(hand, end):
            h = np.uintp(i)
            a, b = own.card_a[h], own.card_b[h]
            t_h, s_h = _of_cards(load, sums, _T, a, b), _of_cards(load, sums, _S, a, b)
            u_h = scaled_row(load(x, np.uintp(twin_j[h]) * _ENDS), half)
            v_h = load(y, np.uintp(twin_k[h]) * _ENDS)
            u, v = subtract_rows(t_h, u_h), subtract_rows(s_h, v_h)
            value = multiply_rows(subtract_rows(t, u), subtract_rows(s, v))
            value = subtract_rows(value, multiply_rows(v_h, u))
            value = subtract_rows(value, multiply_rows(u_h, v))
            value = add_rows(value, multiply_rows(u_h, v_h))
            value = add_rows(value, add_rows(rest, _of_cards(load, sums, _W, a, b)))
            crossed = _share_paths(
                load, x, y, paths, paths.bound[h], paths.bound[h + _ONE], constants, zero
            )
            store_row(results, h * _ENDS, multiply_rows(factor, subtract_rows(value, crossed)))
        t, rest = add_rows(t, tied_t), add_rows(rest, tied_rest)
        for i in range(begin, stop):
            place = np.uintp(lists.tied[i]) * _ENDS
            _add_half(load, sums, _T + place, _ET + place, half)
            _add_half(load, sums, _D + place, _EW + place, half)
            store_row(sums, _ET + place, zero)
            store_row(sums, _EW + place, zero)
        added, hand = equal, end


@inner_kernel
def _meet_hand(load, lists, h, row, sums, own_at, other_at, total, rest):
    """Add a hand of either range where both are compared; returns the total and d - P."""
    a, b = lists.card_a[h], lists.card_b[h]
    _add(load, sums, own_at, a, row)
    _add(load, sums, own_at, b, row)
    crossed = multiply_rows(row, _of_cards(load, sums, other_at, a, b))
    return add_rows(total, row), subtract_rows(rest, crossed)


@inner_kernel
def _tie_hand(load, lists, h, row, sums, at, total):
    """Add a hand to the sums of those that tie; returns their total."""
    _add(load, sums, at, lists.card_a[h], row)
    _add(load, sums, at, lists.card_b[h], row)
    return add_rows(total, row)


@inner_kernel
def _share_combo(load, j, h, met, share, sums, rest):
    """Add the part `share` of what a combo that both hold adds to d, and twice to its cards'."""
    row = scaled_row(met, share)
    twice = add_rows(row, row)
    _add(load, sums, _D, j.card_a[h], twice)
    _add(load, sums, _D, j.card_b[h], twice)
    return add_rows(rest, row)


@inner_kernel
def _cross_weaker(load, lists, x, sums, at, tied_at, begin, weak, tied, total):
    """Add u[ac] s(c) over a card's hands {a, c} that are weaker, then over those that tie.

    For the latter s(c) / 2 + e(c) / 12, which is at `tied_at`, takes its place.
    """
    for i in range(begin, begin + weak + tied):
        n = np.uintp(i)
        row = load(x, np.uintp(lists.item[n]) * _ENDS)
        place = at if i < begin + weak else tied_at
        other = load(sums, place + np.uintp(lists.other[n]) * _ENDS)
        total = add_rows(total, multiply_rows(row, other))
    return total


@inner_kernel
def _value_both(load, lists, scratch):
    """results[h] = factor * (F(M_j, M_k) + F(E_j, E_k) / 12)[h]."""
    # Long: the sums of a level are some ten rows, kept in registers.
    x, y, sums, results = scratch.x, scratch.y, scratch.sums, scratch.results
    factor, constants = load(scratch.factors, np.uintp(0)), scratch.constants
    own, j, k, paths, level = lists.own, lists.j, lists.k, lists.paths, lists.level
    zero = load(sums, _ZEROS)
    half, twelfth = constants[HALF], constants[TWELFTH]
    third = constants[THIRD]
    two_thirds = third + third
    t, s, rest = zero, zero, zero
    added_j, added_k, added = np.uintp(0), np.uintp(0), np.uintp(0)
    hand = np.uintp(0)
    for g in range(level.shape[0]):
        j_low, j_high = np.uintp(level[g, J_LOW]), np.uintp(level[g, J_HIGH])
        k_low, k_high = np.uintp(level[g, K_LOW]), np.uintp(level[g, K_HIGH])
        low, high = np.uintp(level[g, BOTH_LOW]), np.uintp(level[g, BOTH_HIGH])
        end = np.uintp(level[g, END])
        tie = j_low < j_high and k_low < k_high
        for i in range(added_j, j_low):
            h = np.uintp(i)
            t, rest = _meet_hand(load, j, h, load(x, h * _ENDS), sums, _T, _S, t, rest)
        for i in range(added_k, k_low):
            h = np.uintp(i)
            s, rest = _meet_hand(load, k, h, load(y, h * _ENDS), sums, _S, _T, s, rest)
        for i in range(added, low):
            n = np.uintp(i)
            h = np.uintp(lists.both_j[n])
            met = multiply_rows(load(x, h * _ENDS), load(y, np.uintp(lists.both_k[n]) * _ENDS))
            rest = add_rows(rest, met)
            twice = add_rows(met, met)
            _add(load, sums, _D, j.card_a[h], twice)
            _add(load, sums, _D, j.card_b[h], twice)
        tied_t, tied_s, linear, squared = zero, zero, zero, zero
        for i in range(j_low, j_high):
            h = np.uintp(i)
            tied_t = _tie_hand(load, j, h, load(x, h * _ENDS), sums, _ET, tied_t)
        for i in range(k_low, k_high):
            h = np.uintp(i)
            tied_s = _tie_hand(load, k, h, load(y, h * _ENDS), sums, _ES, tied_s)
        begin, stop = lists.tied_begin[3 * g], lists.tied_begin[3 * g + 3]
        for i in range(begin, stop):
            place = np.uintp(lists.tied[i]) * _ENDS
            t_c, e_c = load(sums, _T + place), load(sums, _ET + place)
            s_c, f_c = load(sums, _S + place), load(sums, _ES + place)
            linear = add_rows(linear, add_rows(multiply_rows(t_c, f_c), multiply_rows(e_c, s_c)))
            squared = add_rows(squared, multiply_rows(e_c, f_c))
            t_c, s_c = add_rows(t_c, scaled_row(e_c, half)), add_rows(s_c, scaled_row(f_c, half))
            store_row(sums, _T + place, t_c)
            store_row(sums, _S + place, s_c)
            t_c = add_rows(scaled_row(t_c, half), scaled_row(e_c, twelfth))
            s_c = add_rows(scaled_row(s_c, half), scaled_row(f_c, twelfth))
            store_row(sums, _MT + place, t_c)
            store_row(sums, _MS + place, s_c)
        if tie:
            for i in range(low, high):
                n = np.uintp(i)
                h = np.uintp(lists.both_j[n])
                met = multiply_rows(load(x, h * _ENDS), load(y, np.uintp(lists.both_k[n]) * _ENDS))
                rest = _share_combo(load, j, h, met, third, sums, rest)
        # P grows by (t + e / 2) (s + f / 2) - t s, and 1/4 + 1/12 = 1/3.
        here = subtract_rows(rest, scaled_row(linear, half))
        here = subtract_rows(here, scaled_row(squared, third))
        half_t, half_s = scaled_row(tied_t, half), scaled_row(tied_s, half)
        t, s = add_rows(t, half_t), add_rows(s, half_s)
        for i in range(lists.level_begin[g], lists.level_begin[g + 1]):
            c = np.uintp(lists.card[i])
            place = c * _ENDS
            total = multiply_rows(load(sums, _T + place), load(sums, _S + place))
            total = subtract_rows(total, load(sums, _D + place))
            weak, tied = lists.count[i, J_WEAK], lists.count[i, J_TIED]
            total = _cross_weaker(load, j, x, sums, _S, _MS, j.begin[c], weak, tied, total)
            weak, tied = lists.count[i, K_WEAK], lists.count[i, K_TIED]
            total = _cross_weaker(load, k, y, sums, _T, _MT, k.begin[c], weak, tied, total)
            if tie:
                both = multiply_rows(load(sums, _ET + place), load(sums, _ES + place))
                total = add_rows(total, scaled_row(both, twelfth))
            store_row(sums, _W + place, total)
        for i in range(hand, end):
            h = np.uintp(i)
            a, b = own.card_a[h], own.card_b[h]
            t_h, s_h = _of_cards(load, sums, _T, a, b), _of_cards(load, sums, _S, a, b)
            full_u = load(x, np.uintp(lists.twin_j[h]) * _ENDS)
            full_v = load(y, np.uintp(lists.twin_k[h]) * _ENDS)
            u_h, v_h = scaled_row(full_u, half), scaled_row(full_v, half)
            u, v = subtract_rows(t_h, u_h), subtract_rows(s_h, v_h)
            value = multiply_rows(subtract_rows(t, u), subtract_rows(s, v))
            value = subtract_rows(value, multiply_rows(v_h, u))
            value = subtract_rows(value, multiply_rows(u_h, v))
            value = add_rows(value, multiply_rows(u_h, v_h))
            value = add_rows(value, add_rows(here, _of_cards(load, sums, _W, a, b)))
            if tie:
                u = subtract_rows(_of_cards(load, sums, _ET, a, b), full_u)
                v = subtract_rows(_of_cards(load, sums, _ES, a, b), full_v)
                tied = multiply_rows(subtract_rows(tied_t, u), subtract_rows(tied_s, v))
                tied = subtract_rows(tied, multiply_rows(full_v, u))
                tied = subtract_rows(tied, multiply_rows(full_u, v))
                tied = add_rows(tied, multiply_rows(full_u, full_v))
                value = add_rows(value, scaled_row(tied, twelfth))
            first = _TWO * h
            crossed = _share_paths(
                load, x, y, paths, paths.bound[first], paths.bound[first + _ONE], constants, zero
            )
            store_row(results, h * _ENDS, multiply_rows(factor, subtract_rows(value, crossed)))
        t, s = add_rows(t, half_t), add_rows(s, half_s)
        rest = subtract_rows(rest, add_rows(linear, squared))
        for i in range(begin, stop):
            place = np.uintp(lists.tied[i]) * _ENDS
            _add_half(load, sums, _T + place, _ET + place, half)
            _add_half(load, sums, _S + place, _ES + place, half)
            store_row(sums, _ET + place, zero)
            store_row(sums, _ES + place, zero)
        if tie:
            for i in range(low, high):
                n = np.uintp(i)
                h = np.uintp(lists.both_j[n])
                met = multiply_rows(load(x, h * _ENDS), load(y, np.uintp(lists.both_k[n]) * _ENDS))
                rest = _share_combo(load, j, h, met, two_thirds, sums, rest)
        added_j, added_k, added, hand = j_high, k_high, high, end


@inner_kernel
def _widths(lists):
    """The lengths of the rows of j, k and the seat."""
    own, j, k = lists.own.rank, lists.j.rank, lists.k.rank
    return np.uintp(j.shape[0]), np.uintp(k.shape[0]), np.uintp(own.shape[0])


@inner_kernel
def _begin(lists, scratch):
    """Clear the rows that no block writes: those of hands that a range lacks, and of padding."""
    widths = _widths(lists)
    _clear(scratch.x, widths[0] * _ENDS, (widths[0] + _ONE) * _ENDS)
    _clear(scratch.y, widths[1] * _ENDS, (widths[1] + _ONE) * _ENDS)
    hands = np.uintp(lists.own.card_a.shape[0])
    _clear(scratch.results, hands * _ENDS, widths[2] * _ENDS)


@inner_kernel
def _arrives(reach, begin, hands):
    """Whether any hand of a row has reach."""
    hand, end = begin, begin + hands
    while hand < end and reach[hand] == 0:
        hand += _ONE
    return hand < end


@inner_kernel
def _take_lines(lists, lines, at, end, most, reach_j, reach_k, scratch):
    """Choose the next lines that both opponents reach with some hand; others are worth 0.

    Writes where their rows begin and their coefficients; lanes without a line add 0 to the first.

    Returns:
        How many there are, and where to go on.
    """
    widths, picks, factors = _widths(lists), scratch.picks, scratch.factors
    hands_j, hands_k = np.uintp(lists.j.card_a.shape[0]), np.uintp(lists.k.card_a.shape[0])
    lanes = np.uintp(0)
    while at < end and lanes < most:
        row_j = np.uintp(lines.row_j[at]) * widths[0]
        row_k = np.uintp(lines.row_k[at]) * widths[1]
        if _arrives(reach_j, row_j, hands_j) and _arrives(reach_k, row_k, hands_k):
            picks[lanes] = row_j
            picks[_PICKS_K + lanes] = row_k
            picks[_PICKS_OUT + lanes] = np.uintp(lines.row_out[at]) * widths[2]
            factors[lanes] = lines.coefficient[at]
            lanes += _ONE
        at += _ONE
    for n in range(lanes, _ENDS):
        lane = np.uintp(n)
        factors[lane] = np.float32(0.0)
        for start in (np.uintp(0), _PICKS_K, _PICKS_OUT):
            picks[start + lane] = picks[start]
    return lanes, at


@inner_kernel
def _lanes_in(lists, lanes, reach_j, reach_k, scratch):
    """Transpose the reach of a block's lines into lanes."""
    zero, widths, picks = np.uintp(0), _widths(lists), scratch.picks
    _clear(scratch.sums, 0, SUMS)
    for n in range(zero, lanes, _TILE):
        lane = np.uintp(n)
        for i in range(zero, widths[0], _TILE):
            c = np.uintp(i)
            transpose_picked(reach_j, picks, lane, c, scratch.x, lane, lists.j.rank, c)
        for i in range(zero, widths[1], _TILE):
            c = np.uintp(i)
            place = _PICKS_K + lane
            transpose_picked(reach_k, picks, place, c, scratch.y, lane, lists.k.rank, c)


@inner_kernel
def _lanes_out(lists, lanes, out, scratch):
    """Add the lanes of a block to the rows of values."""
    zero, widths, picks = np.uintp(0), _widths(lists), scratch.picks
    for n in range(zero, lanes, _TILE):
        lane = np.uintp(n)
        for i in range(zero, widths[2], _TILE):
            c = np.uintp(i)
            place = _PICKS_OUT + lane
            add_picked(scratch.results, lane, lists.own.rank, c, out, picks, place, c)


@uncounted_kernel
def evaluate_lines(lists, lines, reach_j, reach_k, out, scratch):
    """Add coefficient times form to the rows of values, for all lines of all forms.

    Rows are as wide as the `rank` of their range.

    Args:
        lists: SeatLists.
        lines: FormLines.
        reach_j: float[rows, width] of j as one array of one dimension; hands as they were given,
            what pads a row is not read.
        reach_k: float[rows, width] of k.
        out: float[rows, width] of the seat, added to; by 0 where a row is padded.
        scratch: ThreeScratch, whose floats are those of the arithmetic.
    """
    _begin(lists, scratch)
    for form in range(4):
        line, end = np.uintp(lines.begin[form]), np.uintp(lines.begin[form + 1])
        while line < end:
            lanes, line = _take_lines(lists, lines, line, end, _ENDS, reach_j, reach_k, scratch)
            if lanes == 0:
                break
            _lanes_in(lists, lanes, reach_j, reach_k, scratch)
            if lanes > _TILE:
                if form == FF:
                    _value_all(load_ends, lists, scratch)
                elif form == MM:
                    _value_both(load_ends, lists, scratch)
                else:
                    _value_one(load_ends, lists, form == AM, scratch)
            elif form == FF:
                _value_all(load_row, lists, scratch)
            elif form == MM:
                _value_both(load_row, lists, scratch)
            else:
                _value_one(load_row, lists, form == AM, scratch)
            _lanes_out(lists, lanes, out, scratch)


@uncounted_kernel
def evaluate_finely(lists, lines, reach_j, reach_k, out, scratch):
    """Add coefficient times form to the rows of values, TILE lines at a time.

    For float64, of which a vector holds half as many. Arguments are those of `evaluate_lines`.
    """
    _begin(lists, scratch)
    for form in range(4):
        line, end = np.uintp(lines.begin[form]), np.uintp(lines.begin[form + 1])
        while line < end:
            lanes, line = _take_lines(lists, lines, line, end, _TILE, reach_j, reach_k, scratch)
            if lanes == 0:
                break
            _lanes_in(lists, lanes, reach_j, reach_k, scratch)
            if form == FF:
                _value_all(load_row, lists, scratch)
            elif form == MM:
                _value_both(load_row, lists, scratch)
            else:
                _value_one(load_row, lists, form == AM, scratch)
            _lanes_out(lists, lanes, out, scratch)


@inner_kernel
def _coarsely(scratch, lists, lines, reach_j, reach_k, out):
    """`evaluate_lines`."""
    evaluate_lines(lists, lines, reach_j, reach_k, out, scratch)


@inner_kernel
def _finely(scratch, lists, lines, reach_j, reach_k, out):
    """`evaluate_finely`."""
    evaluate_finely(lists, lines, reach_j, reach_k, out, scratch)


evaluate_by_type = chosen_by_type({ThreeScratch: _coarsely, FineScratch: _finely})
"""Either of them for other kernels, with the scratch as first argument."""
