"""In which order boards are visited, and how threads share them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import pytest

from equilibrist._jit import kernel
from equilibrist.kernels.poker.postflop_arrays import CLAIM, ENTER, LEAVE, MEET, NEW, NEXT, Plan
from equilibrist.kernels.primitives.barrier import (
    ABANDONED,
    BEGUN,
    COUNTERS,
    begin,
    claim,
    wait_for_all,
)
from equilibrist.poker.postflop.engine.schedule import thread_plans, whole_plan

CHILDREN = [(1, 8), *[(0, 0)] * 4, (8, 11), (0, 0), (11, 12), *[(0, 0)] * 4]
"""Seven boards after the root; the fifth of them leads to three more, the last to one."""
WORK = np.array([50, 9, 2, 7, 1, 1, 5, 3, 20, 1, 1, 2])


def entered(plan: Plan) -> list[int]:
    return [int(b) for b, what in zip(plan.board, plan.what, strict=True) if what == ENTER]


def test_a_single_thread_visits_everything_in_order() -> None:
    plan = whole_plan(CHILDREN, 3)
    assert entered(plan) == [0, 1, 2, 3, 4, 5, 8, 9, 10, 6, 7, 11]
    assert (plan.board[-1], plan.what[-1]) == (0, LEAVE)
    assert plan.parts == 1
    assert plan.first[[1, 4, 6]].tolist() == [NEW, NEXT, NEXT]
    assert np.flatnonzero(plan.first).tolist() == [1, 4, 6]
    (alone,) = thread_plans(CHILDREN, WORK, 3, 1)
    assert all(np.array_equal(a, b) for a, b in zip(alone, plan, strict=True))


@pytest.mark.parametrize("threads", [2, 3, 5])
def test_threads_claim_parts(threads: int) -> None:
    """Parts have 11, 8, 28 and 5 to do: the third is the first to be claimed."""
    plans = thread_plans(CHILDREN, WORK, 4, threads)
    assert len(plans) == threads
    for number, plan in enumerate(plans):
        assert entered(plan) == [0, 1, 2, 3, 4, 5, 8, 9, 10, 6, 7, 11]
        assert plan.part.tolist() == [-1, 0, 0, 1, 1, 2, 2, 3, *[-1] * 4]
        assert np.flatnonzero(plan.first == NEW).tolist() == [1, 3, 5, 7]
        assert plan.parts == 4
        assert plan.board[plan.begins].tolist() == [5, 1, 3, 7, 0]
        assert (plan.what[plan.begins - 1] == CLAIM).all()
        assert (plan.what == CLAIM).sum() == 5
        after = plan.what[plan.begins[-1] :].tolist()
        assert after == ([MEET, MEET] if number else [MEET, LEAVE, MEET])


def test_the_last_parts_are_small() -> None:
    children = [(1, 49), *[(0, 0)] * 48]
    whole = whole_plan(children, 10)
    assert np.diff([*np.flatnonzero(whole.first), 49]).tolist() == [
        10,
        10,
        10,
        10,
        2,
        2,
        1,
        1,
        1,
        1,
    ]
    (*_, plan) = thread_plans(children, np.ones(49, np.int64), 10, 3)
    assert np.array_equal(np.flatnonzero(plan.first), np.flatnonzero(whole.first))
    for parts in (48, 47, 46):
        assert whole_plan(children, parts).first.sum() == 1 + NEXT * (parts - 1)


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_each_part_is_claimed_once_a_pass(threads: int) -> None:
    counters, taken = np.zeros(COUNTERS, np.int64), np.zeros((3, 7), np.int64)
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(partial(claim_all, counters, threads, taken), range(threads)))
    assert (taken == 1).all()


def test_a_thread_without_the_first_is_let_go() -> None:
    counters = np.zeros(COUNTERS, np.int64)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(begun, counters, 1)
        counters[BEGUN] = ABANDONED
        assert not waiting.result()


def test_threads_begin_after_the_first() -> None:
    counters = np.zeros(COUNTERS, np.int64)
    with ThreadPoolExecutor(2) as pool:
        waiting = [pool.submit(begun, counters, thread) for thread in (2, 1)]
        assert begun(counters, 0)
        assert all(each.result() for each in waiting)


@kernel
def begun(counters, thread):
    return begin(counters, thread)


@kernel
def claim_all(counters, threads, taken, thread):
    """Claim seven jobs in each of three rounds."""
    for rounds in range(taken.shape[0]):
        job = claim(counters, threads, taken.shape[1], rounds)
        while job < taken.shape[1]:
            taken[rounds, job] += 1
            job = claim(counters, threads, taken.shape[1], rounds)
        wait_for_all(counters, threads)


def test_nothing_after_the_root() -> None:
    plans = thread_plans([(0, 0)], np.array([5]), 1, 2)
    assert [entered(plan) for plan in plans] == [[0], [0]]
    assert [plan.parts for plan in plans] == [0, 0]
    assert whole_plan([(0, 0)], 1).parts == 0
