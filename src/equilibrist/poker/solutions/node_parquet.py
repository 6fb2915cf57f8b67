"""Exports solved trees as Parquet files, some hundred thousand rows at a time (extra `pandas`)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import IO, Any, Final

import numpy as np

from equilibrist.poker.solutions.node import Node
from equilibrist.poker.solutions.node_table import FIGURES, PLACE, hand_rows
from equilibrist.poker.spots.fields import SEATS
from equilibrist.storage.frames import import_pandas
from equilibrist.typing import BoolArray, FloatArray

_ROWS: Final = 200_000
"""Rows of a group, the unit that is held in memory and compressed."""


class ParquetNodes:
    """Writes nodes with the columns of CSV files: texts as dictionaries, undefined values null.

    Pots are whole numbers if `whole_chips`. Raises ConfigError if pyarrow is not installed.
    """

    def __init__(
        self, file: IO[bytes], action_columns: list[str], *, whole_chips: bool = True
    ) -> None:
        import_pandas(parquet=True)
        import pyarrow
        import pyarrow.parquet

        self._arrow = pyarrow
        coded = pyarrow.dictionary(pyarrow.int32(), pyarrow.string())
        self._numbers = {
            "runouts": pyarrow.int64(),
            "pot": pyarrow.int64() if whole_chips else pyarrow.float64(),
        }
        place = [(name, self._numbers.get(name, coded)) for name in PLACE]
        figures = [(name, pyarrow.float64()) for name in FIGURES]
        actions = [
            (name, coded if name.startswith("action") else pyarrow.float64())
            for name in action_columns
        ]
        self._schema = pyarrow.schema([*place, ("hand", coded), *figures, *actions])
        self._actions = len(action_columns) // 3
        self._writer = pyarrow.parquet.ParquetWriter(file, self._schema, compression="zstd")
        self._begin()

    def _begin(self) -> None:
        self._count = 0
        self._sizes: list[int] = []
        self._place: list[tuple[Any, ...]] = []
        self._names: list[list[str]] = []
        self._hands: list[str] = []
        self._figures: list[FloatArray] = []
        self._by_action: list[FloatArray] = []

    def write(self, nodes: Iterable[tuple[Node, int]], only: BoolArray) -> None:
        """Write all nodes, each with its number of runouts, and the end of the file."""
        for node, runouts in nodes:
            acts = None if node.player is None else SEATS[node.player]
            for player, seat in enumerate(SEATS):
                rows = hand_rows(node, player, only)
                place = (node.line, node.street, node.board, runouts, node.pot, acts, seat)
                self._place.append(place)
                self._sizes.append(len(rows.hands))
                self._names.append(rows.actions)
                self._hands += rows.hands
                self._figures.append(rows.figures)
                wide = np.full((self._actions, 2, len(rows.hands)), np.nan)
                wide[: len(rows.actions)] = rows.by_action
                self._by_action.append(wide)
                self._count += len(rows.hands)
            if self._count >= _ROWS:
                self._flush()
        self._flush()
        self._writer.close()

    def _flush(self) -> None:
        """Write what was collected as a group of rows."""
        if not self._count:
            return
        sizes = np.array(self._sizes)
        kinds = [self._numbers.get(name) for name in PLACE]
        columns = [
            self._repeated(column, sizes, kind)
            for column, kind in zip(zip(*self._place, strict=True), kinds, strict=True)
        ]
        columns.append(self._coded(self._hands))
        figures = np.concatenate(self._figures, axis=1)
        columns += [self._arrow.array(row, from_pandas=True) for row in figures]
        by_action = np.concatenate(self._by_action, axis=2)
        for number, pair in enumerate(by_action):
            names = [names[number] if number < len(names) else None for names in self._names]
            columns.append(self._repeated(names, sizes))
            columns += [self._arrow.array(row, from_pandas=True) for row in pair]
        made = [column.cast(kind) for column, kind in zip(columns, self._schema.types, strict=True)]
        self._writer.write_table(self._arrow.table(made, schema=self._schema))
        self._begin()

    def _repeated(self, values: Iterable[Any], sizes: Any, number: Any = None) -> Any:
        """A column where each value stands for as many rows as its size; `number` is its type.

        Texts have none.
        """
        column = self._arrow.array(values, number or self._arrow.string())
        places = self._arrow.array(np.repeat(np.arange(len(sizes), dtype=np.int32), sizes))
        return (column if number else column.dictionary_encode()).take(places)

    def _coded(self, texts: list[str]) -> Any:
        return self._arrow.array(texts, self._arrow.string()).dictionary_encode()
