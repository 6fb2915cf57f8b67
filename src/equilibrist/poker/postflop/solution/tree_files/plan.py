"""What an export will write, extrapolated from a part of it."""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import IO, Any, Final, NamedTuple

from equilibrist.poker.postflop.solution.tree_files.parquet import ROWS
from equilibrist.poker.postflop.solution.tree_files.tree_filter import SelectedBoard

_OF_PARQUET: Final = 0.1, 20_000, 600_000
_OF_TEXT: Final = 0.01, 5_000, 100_000
"""The share of the rows that is sampled, the least and the most; less of texts, whose rows are
alike. Writing 600,000 rows takes about three seconds."""
_NEIGHBOURS: Final = 72
"""Boards in a row that are sampled of a Parquet file, or as many as fill a group of rows: a number
that occurs on several boards of a group is stored once, and few neighbours have few in common."""
_SECONDS: Final = 10.0
"""Where sampling stops, for streets that are re-solved."""
_ALWAYS: Final = 3
"""Boards that are sampled however long they take."""

WriteSample = Callable[[Iterable[SelectedBoard], IO[bytes]], int]
"""Writes boards to a file, and returns the number of nodes."""


class ExportPlan(NamedTuple):
    """What an export will write."""

    nodes: int
    """The number of nodes."""
    boards: int
    """The number of boards that they are on."""
    num_bytes: int
    """The size of the file, about."""
    seconds: float
    """The time to write it, about."""


def planned(
    form: str, boards: Sequence[SelectedBoard], rows_per_node: int, write: WriteSample
) -> ExportPlan:
    """Write some boards of the last street, which has most nodes, into memory."""
    total = sum(len(board.nodes) for board in boards)
    sample = _Timed(_sample(form, boards, rows_per_node * total))
    file = io.BytesIO()
    nodes = write(sample, file)
    seconds = time.perf_counter() - sample.began
    fixed = _end_of_file(file.getbuffer()) if form == ".parquet" else 0
    size = fixed + (file.tell() - fixed) * total // nodes
    return ExportPlan(total, len(boards), size, seconds / (nodes - sample.untimed) * total)


class _Timed:
    """Boards, which end early where writing them takes long."""

    def __init__(self, boards: Sequence[SelectedBoard]) -> None:
        self._boards = boards
        self.began = time.perf_counter()
        self.untimed = 0
        """Nodes that were written before; for the first board kernels are loaded."""

    def __iter__(self) -> Iterator[SelectedBoard]:
        for number, board in enumerate(self._boards):
            if number == 1:
                self.began, self.untimed = time.perf_counter(), len(self._boards[0].nodes)
            if number >= _ALWAYS and time.perf_counter() - self.began > _SECONDS:
                return
            yield board


def _sample(form: str, boards: Sequence[SelectedBoard], rows: int) -> list[SelectedBoard]:
    """Boards of the last street, evenly spread, as high cards block more hands than low ones."""
    longest = max(len(board.runout) for board in boards)
    last = [board for board in boards if len(board.runout) == longest]
    share, least, most = _OF_PARQUET if form == ".parquet" else _OF_TEXT
    sampled = min(max(share * rows, least), most) / rows
    count = min(max(_ALWAYS, round(sampled * len(last))), len(last))
    together = min(max(ROWS * len(boards) // rows, 1), _NEIGHBOURS) if form == ".parquet" else 1
    places = max(1, round(count / together))
    stretch = -(-count // places)
    starts = [(2 * place + 1) * (len(last) - stretch) // (2 * places) for place in range(places)]
    chosen = sorted({number for start in starts for number in range(start, start + stretch)})
    return [last[number] for number in chosen]


def _end_of_file(content: Any) -> int:
    """The bytes at the end of a Parquet file that say where its columns are."""
    return 8 + int.from_bytes(content[-8:-4], "little")
