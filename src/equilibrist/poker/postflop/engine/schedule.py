"""The order in which boards are traversed, and the parts that threads claim."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from equilibrist.kernels.poker.postflop_arrays import CLAIM, ENTER, LEAVE, MEET, NEW, NEXT, Plan
from equilibrist.typing import Int64Array

TraversalStep = tuple[int, int]
"""A board, and what to do there."""
Children = Sequence[tuple[int, int]]
"""For each board, the range of the boards after it."""
LEAST_PARTS: Final = 10
"""The minimum number of parts that threads claim, if there are enough boards."""
PART_SHARE: Final = 200
"""With more parts, their sums take at most this fraction of the solver state, as 1 / PART_SHARE."""
_LAST_PARTS: Final = (2, 2, 1, 1, 1, 1)
"""Boards in the last parts, which are small so that threads finish together."""


def steps_below(children: Children, board: int) -> list[TraversalStep]:
    """The steps through a board and all boards after it."""
    steps = [(board, ENTER)]
    for below in range(*children[board]):
        steps += steps_below(children, below)
    return [*steps, (board, LEAVE)]


def whole_plan(children: Children, parts: int) -> Plan:
    """The plan of a single thread: all boards.

    The boards after the root are split into `parts`, whose values are summed separately, one part
    after the other.
    """
    cut = _cut(children, parts)
    plan = plan_of(steps_below(children, 0), len(children))
    for number, boards in enumerate(cut):
        plan.part[boards] = 0
        plan.first[boards[0]] = NEXT if number else NEW
    return plan._replace(parts=min(len(cut), 1))


def thread_plans(children: Children, work: Int64Array, parts: int, threads: int) -> list[Plan]:
    """The plans of the threads: the root, the parts they claim, and for the first the root again.

    The parts are those of `whole_plan`. `work`, int[boards], orders them: the largest parts are
    claimed first, so that all threads finish at about the same time.
    """
    if threads == 1:
        return [whole_plan(children, parts)]
    cut = _cut(children, parts)
    begins, steps = [], [(0, ENTER)]
    for boards in cut:
        steps.append((0, CLAIM))
        begins.append(len(steps))
        for board in boards:
            steps += steps_below(children, board)
    steps.append((0, CLAIM))
    total = [sum(_work_below(children, work, board) for board in boards) for boards in cut]
    order = np.argsort(-np.array(total, np.int64), kind="stable")
    claimed = np.array([*np.array(begins, np.int64)[order], len(steps)], np.int64)
    plans = []
    for ending in ([(0, MEET), (0, LEAVE), (0, MEET)], *[[(0, MEET)] * 2] * (threads - 1)):
        plan = plan_of([*steps, *ending], len(children))
        for number, boards in enumerate(cut):
            plan.part[boards] = number
            plan.first[boards[0]] = NEW
        plans.append(plan._replace(parts=len(cut), begins=claimed))
    return plans


def _cut(children: Children, parts: int) -> list[list[int]]:
    """The boards after the root in parts of about equal size, except for the last ones."""
    begin, behind = children[0]
    boards = np.arange(begin, behind)
    if not behind:
        return []
    few = len(_LAST_PARTS) < parts < len(boards) - 1  # with more parts, all are small anyway
    last = list(_LAST_PARTS) if few else []
    rest = len(boards) - sum(last)
    cut = np.array_split(boards[:rest], parts - len(last))
    cut += np.split(boards[rest:], np.cumsum(last)[:-1]) if last else []
    return [part.tolist() for part in cut]


def _work_below(children: Children, work: Int64Array, board: int) -> int:
    """The work of a board and of all boards after it."""
    return int(work[board]) + sum(
        _work_below(children, work, below) for below in range(*children[board])
    )


def plan_to(children: Children, path: Sequence[int], parts: int) -> Plan:
    """The plan of one thread that computes the last board of a path."""
    if len(path) == 1:
        return whole_plan(children, parts)
    steps = [(board, ENTER) for board in path[:-1]] + steps_below(children, path[-1])
    return plan_of(steps, len(children))


def plan_of(steps: Sequence[TraversalStep], boards: int) -> Plan:
    """The plan of one thread from steps, without parts."""
    return Plan(
        np.array([board for board, _ in steps], np.int32),
        np.array([what for _, what in steps], np.int8),
        np.full(boards, -1, np.int32),
        np.zeros(boards, np.int8),
        0,
        np.zeros(1, np.int64),
        0,
    )
