"""NamedRows: the rows of a strategy by packed keys in their order, with the names of the rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from html import escape
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from equilibrist.errors import FileFormatError, GameError, UnknownNameError
from equilibrist.rules.infoset_names import HexNames, InfosetNames, Key, Labels
from equilibrist.storage.frames import import_pandas, make_frame
from equilibrist.storage.tables import (
    csv_text,
    document_text,
    table_kind,
    write_frame_pieces,
    write_table_file,
    write_table_pieces,
)
from equilibrist.typing import FloatArray, Int8Array, Int32Array, Int64Array, UInt64Array

if TYPE_CHECKING:
    import pandas

PIECE: Final = 1 << 14
"""Infosets that are laid out as a table at once."""


_SHOWN: Final = 50
"""Infosets in HTML."""


class Piece(NamedTuple):
    """Consecutive rows; `players` is None where keys do not tell who acts."""

    keys: list[str]
    players: list[int] | None
    labels: list[Labels]
    probabilities: list[float]


class NamedRows:
    """The rows in the order of their keys, which for the included rules begins at the root.

    Positions are numbers from 0 to N - 1 in that order. Names are made when they are asked for.
    """

    def __init__(
        self,
        game: str,
        names: InfosetNames,
        *,
        high: UInt64Array,
        low: UInt64Array,
        actions: Int32Array,
        probabilities: FloatArray,
    ) -> None:
        self.game = game
        self.names = names
        self._order = np.lexsort((low, high))
        self._high, self._low = high[self._order], low[self._order]
        self._actions = actions
        self._values = probabilities

    @property
    def are_named(self) -> bool:
        """Whether infosets have the names that the rules give, and not their keys for names."""
        return not isinstance(self.names, HexNames)

    @cached_property
    def players(self) -> Int8Array | None:
        """int8[N]: who acts; None where keys do not tell."""
        return self.names.players(self._high, self._low)

    def __len__(self) -> int:
        return len(self._order)

    def find(self, high: int, low: int) -> int | None:
        """The position of a key; None if it has no row."""
        half = np.uint64(high)
        first, end = (int(np.searchsorted(self._high, half, side)) for side in ("left", "right"))
        position = first + int(np.searchsorted(self._low[first:end], np.uint64(low)))
        return position if position < end and int(self._low[position]) == low else None

    def has(self, name: str) -> bool:
        """Whether there is a row for the infoset of this name."""
        packed = self.key(name)
        return packed is not None and self.find(*packed) is not None

    def key(self, name: str) -> Key | None:
        """The packed key of an infoset by its name, or in hexadecimals; None if there is none."""
        return self.names.pack(name) or self._by_name.get(name) or self._written_out(name)

    def behaviour(self, name: str) -> dict[str, float]:
        """{action: probability} at an infoset, uniform where it has no row.

        UnknownNameError for what is no infoset, and for one without a row and known actions.
        """
        packed = self.key(name)
        place = None if packed is None else self.find(*packed)
        if place is not None:
            return dict(zip(self.read(place)[1], self.row(place).tolist(), strict=True))
        labels = () if packed is None else self.names.read(*packed)[1]
        if not labels:
            known = list(islice(self.names_in_order(), 5000))
            raise UnknownNameError(f"infoset of {self.game}", name, known, option="infoset")
        return dict.fromkeys(labels, 1.0 / len(labels))

    def name(self, i: int) -> str:
        """The name of the infoset at a position."""
        return self.read(i)[0]

    def read(self, i: int) -> tuple[str, Labels]:
        """The infoset's name and the labels of its actions at a position.

        Raises FileFormatError for a key that the rules lack.
        """
        high, low, actions = int(self._high[i]), int(self._low[i]), int(self.actions[i])
        try:
            name, labels = self.names.read(high, low, actions)
        except IndexError:
            name, labels = "", ()
        if len(labels) != actions:
            raise FileFormatError(
                f"this strategy has an infoset {high:x}.{low:x} with {actions} actions, which "
                f"{self.game} does not have",
                option="infoset",
                given=f"{high:x}.{low:x}",
            )
        return name, labels

    def player(self, name: str) -> int | None:
        """Who acts at an infoset, of which there need be no row; None where keys do not tell."""
        packed = self.key(name)
        assert packed is not None
        players = self.names.players(*(np.array([half], dtype=np.uint64) for half in packed))
        return None if players is None else int(players[0])

    def of_player(self, player: int) -> list[int]:
        """The positions at which a player acts; none where keys do not tell."""
        players = self.players
        chosen: list[int] = [] if players is None else np.flatnonzero(players == player).tolist()
        return chosen

    def row(self, i: int) -> FloatArray:
        """The probabilities at a position."""
        place = int(self._offset[self._order[i]])
        return self._values[place : place + int(self.actions[i])]

    @cached_property
    def actions(self) -> Int32Array:
        """int32[N]: how many actions."""
        return self._actions[self._order]

    def piece(self, chosen: Sequence[int]) -> Piece:
        """The rows at these positions."""
        read = [self.read(i) for i in chosen]
        players = self.players
        return Piece(
            [name for name, _ in read],
            None if players is None else [int(players[i]) for i in chosen],
            [labels for _, labels in read],
            np.concatenate([np.zeros(0), *(self.row(i) for i in chosen)]).tolist(),
        )

    def pieces(self) -> Iterator[Piece]:
        """All rows, some at a time; without any there is one empty piece."""
        for first in range(0, max(1, len(self)), PIECE):
            yield self.piece(range(first, min(first + PIECE, len(self))))

    def names_in_order(self) -> Iterator[str]:
        """The names of all infosets."""
        return (self.name(i) for i in range(len(self)))

    def to_dict(self) -> dict[str, dict[str, float]]:
        """{infoset: {action: probability}}."""
        rows = ((*self.read(i), self.row(i).tolist()) for i in range(len(self)))
        return {name: dict(zip(labels, row, strict=True)) for name, labels, row in rows}

    def to_frame(self) -> pandas.DataFrame:
        """All rows as a DataFrame; ConfigError without pandas."""
        frame: pandas.DataFrame
        frame = import_pandas().concat(list(self._frames()), ignore_index=True)
        frame.attrs["game"] = self.game
        return frame

    def csv_pieces(self) -> Iterator[str]:
        """The text of a CSV file, some rows at a time."""
        for number, piece in enumerate(self.pieces()):
            yield csv_text(*piece, header=number == 0)

    def save(self, path: Path, document: dict[str, Any]) -> Path:
        """Write CSV, JSON (`document`, with the strategy in it) or Parquet, atomically.

        Raises ConfigError for another suffix, and OutputError.
        """
        kind = table_kind(path)
        if kind == ".csv":
            write_table_pieces(path, kind, self.csv_pieces())
        elif kind == ".parquet":
            write_frame_pieces(path, self._frames())
        else:
            write_table_file(path, kind, self.json_text(document))
        return path

    def json_text(self, document: dict[str, Any]) -> str:
        """`document` with the strategy in it, as the text of a JSON file."""
        return document_text({**document, "strategy": self.to_dict()})

    def html(self) -> str:
        """The first infosets as a table in HTML."""
        first = self.piece(range(min(len(self), _SHOWN)))
        values = iter(first.probabilities)
        rows = "".join(
            f"<tr><td>{escape(key)}</td><td>"
            + ", ".join(f"{escape(label)} {next(values):.4f}" for label in labels)
            + "</td></tr>"
            for key, labels in zip(first.keys, first.labels, strict=True)
        )
        more = len(self) - len(first.keys)
        others = f"and {more:,} more infosets; " if more else ""
        return (
            f"<table><caption>{escape(self.game)}</caption>"
            f"<tr><th>infoset</th><th>strategy</th></tr>{rows}</table>"
            f"<p>{others}infosets without a row are played uniformly</p>"
        )

    def _written_out(self, name: str) -> Key | None:
        """A key in hexadecimals that has a row, or that the rules can have."""
        key = HexNames().pack(name)
        if key is None or self.find(*key) is not None:
            return key
        try:
            return key if self.names.pack(self.names.read(*key)[0]) == key else None
        except (IndexError, GameError):
            return None

    def _frames(self) -> Iterator[pandas.DataFrame]:
        return (make_frame(self.game, *piece) for piece in self.pieces())

    @cached_property
    def _offset(self) -> Int64Array:
        """int64[N]: where rows begin, in the order of the strategy."""
        ends = np.cumsum(self._actions, dtype=np.int64)
        return ends - self._actions

    @cached_property
    def _by_name(self) -> dict[str, Key]:
        """Keys by name, for rules that cannot pack a name."""
        if not self.are_named or self._packs:
            return {}
        keys = zip(self._high.tolist(), self._low.tolist(), strict=True)
        return dict(zip(self.names_in_order(), keys, strict=True))

    @property
    def _packs(self) -> bool:
        """Whether the rules pack the name of the first infoset."""
        return len(self) > 0 and self.names.pack(self.name(0)) is not None
