"""Exports solved trees as Parquet files, some hundred thousand rows at a time (extra `pandas`)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import IO, Any, Final, NamedTuple

import numpy as np

from equilibrist.poker.cards.combos import NUM_COMBOS
from equilibrist.poker.postflop.solution.node import Node
from equilibrist.poker.postflop.solution.tree_files.batch import NodeBatch, batches
from equilibrist.poker.postflop.solution.tree_files.table import (
    ALL_HANDS,
    FIGURES,
    PLACE,
    combo_names,
    hand_rows,
)
from equilibrist.poker.postflop.spot.fields import SEATS
from equilibrist.storage.frames import import_pandas
from equilibrist.typing import BoolArray, FloatArray, Int32Array, Int64Array

ROWS: Final = 200_000
"""Rows of a group, the unit that is held in memory and compressed."""


class _Piece(NamedTuple):
    """Rows of a player at some nodes."""

    place: Int64Array
    """int64[R]: the entry of each row in the list of places."""
    hand: Int32Array
    """int32[R]: the combo of each row, NUM_COMBOS for the totals."""
    figures: FloatArray
    """float64[4, R]: the figures of FIGURES."""
    by_action: FloatArray
    """float64[A, 2, R]: for every action column the probability and the EV, NaN where none is."""


class ParquetNodes:
    """Writes nodes with the columns of CSV files: texts as dictionaries, undefined values null.

    Weights are not rounded. Pots are whole numbers if `whole_chips`. Raises ConfigError if pyarrow
    is not installed.
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
        self._places: list[tuple[Any, ...]] = []
        self._names: list[list[str]] = []
        self._pieces: list[_Piece] = []

    def write(self, boards: Iterable[tuple[list[Node], int]], only: BoolArray) -> None:
        """Write the nodes of all boards, with their numbers of runouts, and the end of the file."""
        for nodes, runouts in boards:
            for node in nodes:
                acts = None if node.player is None else SEATS[node.player]
                place = (node.line, node.street, node.board, runouts, node.pot, acts)
                for player, seat in enumerate(SEATS):
                    self._places.append((*place, seat))
                    acting = player == node.player
                    self._names.append([str(action) for action in node.actions] if acting else [])
            first = len(self._places) - 2 * len(nodes)
            for numbers, batch in batches(nodes, only):
                for player in (0, 1):
                    at = first + 2 * np.array(numbers) + player
                    self._pieces.append(self._piece(batch, player, at))
                    self._count += len(self._pieces[-1].place)
            if self._count >= ROWS:
                self._flush()
        self._flush()
        self._writer.close()

    def _piece(self, batch: NodeBatch, player: int, at: Int64Array) -> _Piece:
        """The rows of a player at the nodes of a batch; `at` are their entries in the places."""
        rows = hand_rows(batch, player)
        codes = np.append(NUM_COMBOS, batch.hands[player].combos[::-1]).astype(np.int32)
        shown = rows.shown
        by_action = np.full((self._actions, 2, int(shown.sum())), np.nan)
        by_action[: len(rows.by_action)] = rows.by_action[:, :, shown]
        return _Piece(
            np.repeat(at, shown.sum(axis=1)),
            np.broadcast_to(codes, shown.shape)[shown],
            rows.figures[:, shown],
            by_action,
        )

    def _flush(self) -> None:
        """Write what was collected as a group of rows."""
        if not self._count:
            return
        place, hand, figures, by_action = (
            np.concatenate(pieces, axis=-1) for pieces in zip(*self._pieces, strict=True)
        )
        order = np.argsort(place, kind="stable")  # batches mix the nodes of a board
        kinds = [self._numbers.get(name) for name in PLACE]
        columns = [
            self._repeated(column, place[order], kind)
            for column, kind in zip(zip(*self._places, strict=True), kinds, strict=True)
        ]
        columns.append(self._hands(hand[order]))
        columns += [self._arrow.array(row, from_pandas=True) for row in figures[:, order]]
        for number, pair in enumerate(by_action[:, :, order]):
            names = [names[number] if number < len(names) else None for names in self._names]
            columns.append(self._repeated(names, place[order]))
            columns += [self._arrow.array(row, from_pandas=True) for row in pair]
        cast_columns = [
            column.cast(kind) for column, kind in zip(columns, self._schema.types, strict=True)
        ]
        self._writer.write_table(self._arrow.table(cast_columns, schema=self._schema))
        self._begin()

    def _repeated(self, values: Iterable[Any], places: Int64Array, number: Any = None) -> Any:
        """A column with the value at the place of each row; `number` is its type.

        Texts have none.
        """
        column = self._arrow.array(values, number or self._arrow.string())
        return (column if number else column.dictionary_encode()).take(self._arrow.array(places))

    def _hands(self, codes: Int32Array) -> Any:
        """The column of hands; only those that occur are in its dictionary."""
        present, which = np.unique(codes, return_inverse=True)
        names = [*combo_names(), ALL_HANDS]
        texts = self._arrow.array([names[code] for code in present.tolist()], self._arrow.string())
        return self._arrow.DictionaryArray.from_arrays(which.astype(np.int32), texts)
