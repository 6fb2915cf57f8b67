"""Which thread visits which boards."""

from __future__ import annotations

import numpy as np
import pytest

from equilibrist.kernels.postflop_arrays import ENTER, LEAVE, MEET, NEW, NEXT, Plan
from equilibrist.poker.visits import thread_plans, whole_plan

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
def test_every_board_has_one_thread(threads: int) -> None:
    plans = thread_plans(CHILDREN, WORK, 4, threads)
    below = [board for plan in plans for board in entered(plan) if board]
    assert sorted(below) == list(range(1, 12))
    for number, plan in enumerate(plans):
        assert entered(plan)[0] == 0
        assert plan.part.tolist() == [-1, 0, 0, 1, 1, 2, 2, 3, *[-1] * 4]
        assert np.flatnonzero(plan.first == NEW).tolist() == [1, 3, 5, 7]
        assert plan.parts == 4
        assert plan.what.tolist().count(MEET) == 2
        assert ((0, LEAVE) in zip(plan.board, plan.what, strict=True)) == (number == 0)


def test_threads_have_as_much_to_do() -> None:
    """Parts have 11, 8, 28 and 5: the third is as much as the others, wherever it comes."""
    plans = thread_plans(CHILDREN, WORK, 4, 2)
    assert [sum(WORK[entered(plan)[1:]]) for plan in plans] == [28, 24]


def test_nothing_after_the_root() -> None:
    plans = thread_plans([(0, 0)], np.array([5]), 1, 2)
    assert [entered(plan) for plan in plans] == [[0], [0]]
    assert [plan.parts for plan in plans] == [0, 0]
    assert whole_plan([(0, 0)], 1).parts == 0
