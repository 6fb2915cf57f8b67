"""In which order the boards of a game are visited, and which of them threads claim."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from equilibrist.kernels.poker.postflop_arrays import CLAIM, ENTER, LEAVE, MEET, NEW, NEXT, Plan
from equilibrist.typing import Int64Array

Visit = tuple[int, int]
"""A board, and what is done there."""
Children = Sequence[tuple[int, int]]
"""Of each board: the first of the boards after it, and the one behind the last."""
LEAST_PARTS: Final = 10
"""Parts that threads claim of spots whose boards are many enough: small ones for the end, too."""
PART_SHARE: Final = 200
"""Where there are more, their sums take at most one in so many bytes of what is learnt."""
_LAST_PARTS: Final = (2, 2, 1, 1, 1, 1)
"""Boards of the last parts, which are small: threads that take them are done together."""


def visits_below(children: Children, board: int) -> list[Visit]:
    """Visits of a board and of all after it."""
    visits = [(board, ENTER)]
    for below in range(*children[board]):
        visits += visits_below(children, below)
    return [*visits, (board, LEAVE)]


def whole_plan(children: Children, parts: int) -> Plan:
    """What a single thread visits: all boards.

    The boards after the root are cut into `parts`, whose values are added up apart: in one place,
    one after the other.
    """
    cut = _cut(children, parts)
    plan = plan_of(visits_below(children, 0), len(children))
    for number, boards in enumerate(cut):
        plan.part[boards] = 0
        plan.first[boards[0]] = NEXT if number else NEW
    return plan._replace(parts=min(len(cut), 1))


def thread_plans(children: Children, work: Int64Array, parts: int, threads: int) -> list[Plan]:
    """What each thread visits: the root, parts that it claims, and the first one the root again.

    Parts are those of `whole_plan`, with a place each. `work` is int[boards]; parts with most work
    on are claimed first, so that threads are done at about the same time, however fast they are.
    """
    if threads == 1:
        return [whole_plan(children, parts)]
    cut = _cut(children, parts)
    begins, visits = [], [(0, ENTER)]
    for boards in cut:
        visits.append((0, CLAIM))
        begins.append(len(visits))
        for board in boards:
            visits += visits_below(children, board)
    visits.append((0, CLAIM))
    total = [sum(_work_below(children, work, board) for board in boards) for boards in cut]
    order = np.argsort(-np.array(total, np.int64), kind="stable")
    claimed = np.array([*np.array(begins, np.int64)[order], len(visits)], np.int64)
    plans = []
    for ending in ([(0, MEET), (0, LEAVE), (0, MEET)], *[[(0, MEET)] * 2] * (threads - 1)):
        plan = plan_of([*visits, *ending], len(children))
        for number, boards in enumerate(cut):
            plan.part[boards] = number
            plan.first[boards[0]] = NEW
        plans.append(plan._replace(parts=len(cut), begins=claimed))
    return plans


def _cut(children: Children, parts: int) -> list[list[int]]:
    """The boards after the root, in parts: of about as many boards, but for the last ones."""
    begin, behind = children[0]
    boards = np.arange(begin, behind)
    if not behind:
        return []
    few = len(_LAST_PARTS) < parts < len(boards) - 1  # with more parts all are small
    last = list(_LAST_PARTS) if few else []
    rest = len(boards) - sum(last)
    cut = np.array_split(boards[:rest], parts - len(last))
    cut += np.split(boards[rest:], np.cumsum(last)[:-1]) if last else []
    return [part.tolist() for part in cut]


def _work_below(children: Children, work: Int64Array, board: int) -> int:
    """Of a board and of all after it."""
    return int(work[board]) + sum(
        _work_below(children, work, below) for below in range(*children[board])
    )


def plan_to(children: Children, path: Sequence[int], parts: int) -> Plan:
    """For one thread: the visits that bring figures of the last board of a path."""
    if len(path) == 1:
        return whole_plan(children, parts)
    visits = [(board, ENTER) for board in path[:-1]] + visits_below(children, path[-1])
    return plan_of(visits, len(children))


def plan_of(visits: Sequence[Visit], boards: int) -> Plan:
    """A plan for one thread, of a game of so many boards, that adds up nothing apart."""
    return Plan(
        np.array([board for board, _ in visits], np.int32),
        np.array([what for _, what in visits], np.int8),
        np.full(boards, -1, np.int32),
        np.zeros(boards, np.int8),
        0,
        np.zeros(1, np.int64),
        0,
    )
