"""Passes of three players over all boards that a card makes of one, in threads.

The boards of a street have the same betting and their own hands, regrets and strategy sums; those
with the same cards, dealt in another order, share their lists.
A board is a job: its rows of reach are gathered from those of the street before, which lead to it,
and what it is worth to each entered row is written apart. When all jobs are done, those numbers are
added to the street before in the order of the boards, so that sums do not depend on the threads.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from equilibrist._jit import inner_kernel, uncounted_kernel
from equilibrist.kernels.poker.postflop_arrays import Locks
from equilibrist.kernels.poker.three_decisions import (
    add_best,
    add_forms,
    add_played,
    average,
    learn,
    match,
    pass_reach,
)
from equilibrist.kernels.poker.three_lists import Paths, RangeLists, SeatLists
from equilibrist.kernels.poker.three_ranges import evaluate_by_type
from equilibrist.kernels.primitives.barrier import APART, COUNTERS, begin, claim_from, wait_for_all

JOB_COUNTERS = COUNTERS + 3 * APART
"""Numbers that the threads of a pass count with together, zeros before it."""
OWN, J, K, TIES, LEVELS, CARDS_OF_LEVELS, TIED, PATHS, PATHS_J, PATHS_K = range(10)
"""Columns of `RunoutLists.at`."""
_BOARDS, _ROWS, _ROWS_OF_BEST = range(3)
"""The queues of a pass."""


class RunoutLists(NamedTuple):
    """The `SeatLists` of L boards, each array of one behind that of the other."""

    seat: SeatLists
    at: Any  # int64[L + 1, 10]: where the lists of each board begin, by what they list


class SeatRunouts(NamedTuple):
    """What a seat plays on B boards: R rows of W hands each, N of them entered."""

    entry: Any  # int32[N]: rows of the street before
    parent: Any  # int32[D]
    first: Any  # int32[D + 1]
    uniform: Any  # float[D]: one over the number of actions
    hands: Any  # int32[B]: hands on each board
    lists: Any  # int32[B]: the number of the lists of each board
    place: Any  # int32[B, W]: the column of each hand in rows of the street before
    strategy: Any  # float[B, R, W]: what is played, or weights in proportion to it; may be empty
    regrets: Any  # float[B, R - N, W]: whose positive part is played where `strategy` is empty
    locks: Any  # Locks, where int64[B, D] say where they begin, or int64[B, 0]


class Worth(NamedTuple):
    """What the rows of a seat are worth, and where it goes on the street before."""

    start: Any  # int32[R + 1]: terms of each row
    form: Any  # int32[E]
    coefficient: Any  # float[E]
    board: Any  # int32[I]: the board of each card that may be dealt
    target: Any  # uint32[I, W]: for the hands of that board the column on the street before
    chance: Any  # float[1]: the probability of a card that no hand of a deal holds


class SeatScratch(NamedTuple):
    """Working memory of a thread for a seat."""

    flat: Any  # float[R * W]: reach
    reach: Any  # float[R, W]: the same memory
    strategy: Any  # float[R, W]
    total: Any  # float[W]


class WorthScratch(NamedTuple):
    """Working memory of a thread for the seat whose rows are valued."""

    flat: Any  # float[F * W]: forms
    forms: Any  # float[F, W]: the same memory
    worth: Any  # float[R, W]
    best: Any  # float[R, W]
    mean: Any  # float[2, W]


@inner_kernel
def _range_of(lists, at, kind, b):
    """The lists of a range on a board."""
    low, high = at[b, kind], at[b + 1, kind]
    boards = at.shape[0] - 1
    width = lists.rank.shape[0] // boards
    rows, begins = lists.row.shape[0] // boards, lists.begin.shape[0] // boards
    return RangeLists(
        lists.card_a[low:high],
        lists.card_b[low:high],
        lists.rank[b * width : (b + 1) * width],
        lists.row[b * rows : (b + 1) * rows],
        lists.begin[b * begins : (b + 1) * begins],
        lists.by_card[low:high],
        lists.item[2 * low : 2 * high],
        lists.other[2 * low : 2 * high],
    )


@inner_kernel
def _paths_of(paths, classes, at, kind, b):
    """The paths of a board."""
    low, high = at[b, kind], at[b + 1, kind]
    return Paths(
        paths.bound[classes * at[b, OWN] + b : classes * at[b + 1, OWN] + b + 1],
        paths.first[low:high],
        paths.second[low:high],
        paths.share[low:high],
    )


@inner_kernel
def _lists_of(lists, b):
    """The lists of a board."""
    at, seat, c = lists.at, lists.seat, b + 1
    return SeatLists(
        _range_of(seat.own, at, OWN, b),
        _range_of(seat.j, at, J, b),
        _range_of(seat.k, at, K, b),
        seat.twin_j[at[b, OWN] : at[c, OWN]],
        seat.twin_k[at[b, OWN] : at[c, OWN]],
        seat.j_in_k[at[b, J] : at[c, J]],
        seat.k_in_j[at[b, K] : at[c, K]],
        seat.both_j[at[b, TIES] : at[c, TIES]],
        seat.both_k[at[b, TIES] : at[c, TIES]],
        seat.level[at[b, LEVELS] : at[c, LEVELS]],
        seat.level_begin[at[b, LEVELS] + b : at[c, LEVELS] + c],
        seat.card[at[b, CARDS_OF_LEVELS] : at[c, CARDS_OF_LEVELS]],
        seat.count[at[b, CARDS_OF_LEVELS] : at[c, CARDS_OF_LEVELS]],
        seat.tied[at[b, TIED] : at[c, TIED]],
        seat.tied_begin[3 * at[b, LEVELS] + b : 3 * at[c, LEVELS] + c],
        _paths_of(seat.paths, 2, at, PATHS, b),
        _paths_of(seat.paths_j, 1, at, PATHS_J, b),
        _paths_of(seat.paths_k, 1, at, PATHS_K, b),
    )


@inner_kernel
def _locks_of(runouts, b):
    """The locks of a board."""
    return Locks(runouts.locks.start[b], runouts.locks.numbers)


@inner_kernel
def _gather(runouts, b, before, out_reach):
    """The reach of the rows that are entered, from the rows of the street before."""
    hands, width = runouts.hands[b], out_reach.shape[1]
    for n in range(runouts.entry.shape[0]):
        row = runouts.entry[n]
        for h in range(hands):
            out_reach[n, h] = before[row, runouts.place[b, h]]
        for h in range(hands, width):
            out_reach[n, h] = 0.0


@inner_kernel
def _pass_on(runouts, b, tremble, scratch):
    """Pass reach on to all rows of a board, with what is played there."""
    if runouts.strategy.shape[0] > 0:
        pass_reach(runouts.parent, runouts.first, runouts.strategy[b], scratch.reach)
    else:
        match(
            runouts.first, runouts.regrets[b], runouts.uniform, tremble, scratch.total,
            scratch.strategy,
        )  # fmt: skip
        pass_reach(runouts.parent, runouts.first, scratch.strategy, scratch.reach)


@inner_kernel
def _update(own, b, factors, sums, scratch_own, scratch):
    """Update a seat on a board; what it will play is kept if what it plays is."""
    if own.strategy.shape[0] > 0:
        learn(
            own.parent, own.first, own.uniform, factors, _locks_of(own, b), scratch_own.reach,
            scratch.worth, own.regrets[b], sums[b], own.strategy[b], scratch.mean,
        )  # fmt: skip
    else:
        learn(
            own.parent, own.first, own.uniform, factors, _locks_of(own, b), scratch_own.reach,
            scratch.worth, own.regrets[b], sums[b], scratch_own.strategy, scratch.mean,
        )  # fmt: skip


@inner_kernel
def _scatter(runouts, worth, out, to_worth, queue, threads, counters):
    """Add what all boards are worth to the rows of the street before, in the order of the boards.

    out: float[B, N, W]. to_worth: float[rows, V].
    """
    jobs, chance = np.int64(runouts.entry.shape[0]), worth.chance[0]
    job = claim_from(counters, queue, threads, jobs, 0)
    while job < jobs:
        row = to_worth[runouts.entry[job]]
        for n in range(worth.board.shape[0]):
            b = worth.board[n]
            of_board, target = out[b, job], worth.target[n]
            for h in range(runouts.hands[b]):
                row[target[h]] += chance * of_board[h]
        job = claim_from(counters, queue, threads, jobs, 0)


@inner_kernel
def _clear(numbers):
    """Set numbers to zero."""
    for n in range(numbers.shape[0]):
        numbers[n] = 0.0


@uncounted_kernel
def learn_runouts(
    lists, lines, own, j, k, worth, before_own, before_j, before_k, factors, sums, out, to_worth,
    scratch_own, scratch_j, scratch_k, scratch, forms_scratch, thread, threads, counters,
):  # fmt: skip
    """One update of a seat on all boards; adds what they are worth to rows of the street before.

    Args:
        lists: RunoutLists of the seat.
        lines: FormLines of its game.
        own: SeatRunouts of the seat; its regrets are updated in place, and what it plays, if it
            has it, is replaced.
        j: SeatRunouts of an opponent, with what it plays.
        k: That of the other.
        worth: Worth.
        before_own: float[rows, V]; the seat's reach on the street before.
        before_j: float[rows, V]; that of j.
        before_k: float[rows, V]; that of k.
        factors: float[8], see `three_decisions.learn`.
        sums: float[B, R, W], or without the N rows that are entered; strategy sums, updated in
            place.
        out: float[B, N, W]; scratch for all threads.
        to_worth: float[rows, V]; worth of the seat on the street before, added to.
        scratch_own: SeatScratch of the thread for the seat.
        scratch_j: That for j.
        scratch_k: That for k.
        scratch: WorthScratch of the thread.
        forms_scratch: ThreeScratch or FineScratch of the thread.
        thread: Its number.
        threads: How many there are.
        counters: int64[JOB_COUNTERS], see `kernels.primitives.barrier`.
    """
    if not begin(counters, thread):
        return
    jobs, tremble = np.int64(own.hands.shape[0]), factors[7]
    b = claim_from(counters, _BOARDS, threads, jobs, 0)
    while b < jobs:
        board = _lists_of(lists, own.lists[b])
        _gather(own, b, before_own, scratch_own.reach)
        _gather(j, b, before_j, scratch_j.reach)
        _gather(k, b, before_k, scratch_k.reach)
        _pass_on(own, b, tremble, scratch_own)
        _pass_on(j, b, tremble, scratch_j)
        _pass_on(k, b, tremble, scratch_k)
        _clear(scratch.flat)
        evaluate_by_type(forms_scratch, board, lines, scratch_j.flat, scratch_k.flat, scratch.flat)
        add_forms(worth.start, worth.form, worth.coefficient, scratch.forms, scratch.worth)
        _update(own, b, factors, sums, scratch_own, scratch)
        for n in range(out.shape[1]):
            for h in range(out.shape[2]):
                out[b, n, h] = scratch.worth[n, h]
        b = claim_from(counters, _BOARDS, threads, jobs, 0)
    wait_for_all(counters, threads)
    _scatter(own, worth, out, to_worth, _ROWS, threads, counters)
    wait_for_all(counters, threads)


@uncounted_kernel
def measure_runouts(
    lists, lines, own, j, k, worth, before_own, before_j, before_k, out_played, out_best,
    to_played, to_best, scratch_own, scratch_j, scratch_k, scratch, forms_scratch, thread, threads,
    counters,
):  # fmt: skip
    """Value strategies and a seat's best response to them on all boards, where the street goes on.

    Arguments are those of `learn_runouts`; but `strategy` of own, j and k are weights, such as
    strategy sums, in proportion to which actions are taken, out_played and out_best: float[B, N, W]
    are scratch for all threads, and to_played and to_best are added to.
    """
    if not begin(counters, thread):
        return
    jobs = np.int64(own.hands.shape[0])
    b = claim_from(counters, _BOARDS, threads, jobs, 0)
    while b < jobs:
        board = _lists_of(lists, own.lists[b])
        _gather(j, b, before_j, scratch_j.reach)
        _gather(k, b, before_k, scratch_k.reach)
        average(own.first, own.strategy[b], own.uniform, scratch_own.total, scratch_own.strategy)
        average(j.first, j.strategy[b], j.uniform, scratch_j.total, scratch_j.strategy)
        average(k.first, k.strategy[b], k.uniform, scratch_k.total, scratch_k.strategy)
        pass_reach(j.parent, j.first, scratch_j.strategy, scratch_j.reach)
        pass_reach(k.parent, k.first, scratch_k.strategy, scratch_k.reach)
        _clear(scratch.flat)
        evaluate_by_type(forms_scratch, board, lines, scratch_j.flat, scratch_k.flat, scratch.flat)
        add_forms(worth.start, worth.form, worth.coefficient, scratch.forms, scratch.worth)
        for row in range(scratch.worth.shape[0]):
            for h in range(scratch.worth.shape[1]):
                scratch.best[row, h] = scratch.worth[row, h]
        locks = _locks_of(own, b)
        if locks.start.shape[0]:
            _gather(own, b, before_own, scratch_own.reach)
            pass_reach(own.parent, own.first, scratch_own.strategy, scratch_own.reach)
        add_played(
            own.parent, own.first, scratch_own.strategy, locks, scratch_own.reach, scratch.worth
        )
        add_best(own.parent, own.first, locks, scratch.best)
        for n in range(out_played.shape[1]):
            for h in range(out_played.shape[2]):
                out_played[b, n, h] = scratch.worth[n, h]
                out_best[b, n, h] = scratch.best[n, h]
        b = claim_from(counters, _BOARDS, threads, jobs, 0)
    wait_for_all(counters, threads)
    _scatter(own, worth, out_played, to_played, _ROWS, threads, counters)
    _scatter(own, worth, out_best, to_best, _ROWS_OF_BEST, threads, counters)
    wait_for_all(counters, threads)
