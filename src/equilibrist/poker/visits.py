"""In which order the boards of a game are visited, and which thread does it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from equilibrist.kernels.postflop_arrays import ENTER, LEAVE, MEET, NEW, NEXT, Plan
from equilibrist.typing import Int64Array

Visit = tuple[int, int]
"""A board, and ENTER or LEAVE."""
Children = Sequence[tuple[int, int]]
"""Of each board: the first of the boards after it, and the one behind the last."""


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
    return _plan(children, _cut(children, parts), None, 0)


def thread_plans(children: Children, work: Int64Array, parts: int, threads: int) -> list[Plan]:
    """What each thread visits: the root, parts of the boards, and the first one the root again.

    Parts are those of `whole_plan`, with a place each. `work` is int[boards]; parts go to threads
    from the one with most work on, each to the thread that has least so far, so that threads have
    done at about the same time.
    """
    if threads == 1:
        return [whole_plan(children, parts)]
    cut = _cut(children, parts)
    total = np.array([sum(_work_below(children, work, board) for board in part) for part in cut])
    thread_of, load = np.zeros(len(cut), np.int64), np.zeros(threads, np.int64)
    for number in np.argsort(-total, kind="stable"):
        thread_of[number] = load.argmin()
        load[thread_of[number]] += total[number]
    return [_plan(children, cut, thread_of, thread) for thread in range(threads)]


def _cut(children: Children, parts: int) -> list[list[int]]:
    """The boards after the root, in parts."""
    begin, behind = children[0]
    if not behind:
        return []
    return [part.tolist() for part in np.array_split(np.arange(begin, behind), parts)]


def _work_below(children: Children, work: Int64Array, board: int) -> int:
    """Of a board and of all after it."""
    return int(work[board]) + sum(
        _work_below(children, work, below) for below in range(*children[board])
    )


def _plan(
    children: Children, cut: Sequence[Sequence[int]], thread_of: Int64Array | None, thread: int
) -> Plan:
    """The visits of a thread; `thread_of` is None for one that is alone."""
    alone = thread_of is None
    part, first = np.full(len(children), -1, np.int32), np.zeros(len(children), np.int8)
    visits = [(0, ENTER)]
    for number, boards in enumerate(cut):
        part[boards] = 0 if alone else number
        first[boards[:1]] = NEXT if number and alone else NEW
        if thread_of is None or thread_of[number] == thread:
            for board in boards:
                visits += visits_below(children, board)
    meet = [] if alone else [(0, MEET)]
    visits += [*meet, *([(0, LEAVE)] if thread == 0 else []), *meet]
    return plan_of(visits, len(children))._replace(
        part=part, first=first, parts=min(len(cut), 1) if alone else len(cut)
    )


def plan_of(visits: Sequence[Visit], boards: int) -> Plan:
    """A plan for one thread, of a game of so many boards, that adds up nothing apart."""
    return Plan(
        np.array([board for board, _ in visits], np.int32),
        np.array([what for _, what in visits], np.int8),
        np.full(boards, -1, np.int32),
        np.zeros(boards, np.int8),
        0,
        0,
    )
