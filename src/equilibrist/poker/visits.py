"""In which order the boards of a game are visited, and which thread does it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from equilibrist.kernels.postflop_arrays import ENTER, LEAVE, MEET, NEW, NEXT, Plan

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


def whole_plan(children: Children, parts: int, thread: int = 0, threads: int = 1) -> Plan:
    """What a thread visits: the root, its parts of the boards, and the first one the root again.

    The boards after the root are cut into `parts`, whose values are added up apart: in a place
    each, or, by a single thread, in one place one after the other.
    """
    part, first = np.full(len(children), -1, np.int32), np.zeros(len(children), np.int8)
    begin, behind = children[0]
    visits = [(0, ENTER)]
    if behind:
        for number, boards in enumerate(np.array_split(np.arange(begin, behind), parts)):
            part[boards] = number if threads > 1 else 0
            first[boards[:1]] = NEXT if number and threads == 1 else NEW
            if number % threads == thread:
                for board in boards.tolist():
                    visits += visits_below(children, board)
    meet = [(0, MEET)] if threads > 1 else []
    visits += [*meet, *([(0, LEAVE)] if thread == 0 else []), *meet]
    return plan_of(visits, len(children))._replace(
        part=part, first=first, parts=0 if not behind else parts if threads > 1 else 1
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
