"""StoredStrategy: a strategy that can be read without the rules of its game."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from equilibrist.errors import MismatchError, UnknownNameError
from equilibrist.game import source_of
from equilibrist.parsing.arguments import bad_argument, file_name
from equilibrist.storage.frames import make_frame
from equilibrist.storage.tables import (
    csv_text,
    document_text,
    table_kind,
    write_frame_file,
    write_table_file,
)
from equilibrist.strategy import Strategy, checked_strategy, strategy_html
from equilibrist.tree.compile import GameTree, checked_tree
from equilibrist.typing import FloatArray, Int8Array, Int64Array

if TYPE_CHECKING:
    import pandas

Document: TypeAlias = Callable[[], dict[str, Any]]


@dataclass(frozen=True, eq=False)
class StoredStrategy:
    """A behavioural strategy of all players with the names of its infosets and actions.

    This is the strategy of a result that was loaded. `stored[infoset]` gives
    `{action: probability}`; `on` turns it into a `Strategy`, once the game is compiled.

    Attributes:
        game: Name of the game.
        fingerprint: Identifies its rules.
        num_players: Number of players.
        num_nodes: Number of histories of the game.
        num_sequences: Pairs of infoset and action, plus one empty sequence per player.
        keys: The I infosets, by player, then by first visit.
        players: int8[I]: who acts there.
        labels: The actions of each infoset.
        probabilities: float64[Q]: those of infoset i begin at the sum of the lengths of `labels`
            before i.
        loaded_from: The text that loads the game, `rules.py:MyGame`, where it is that of a file.
    """

    game: str
    fingerprint: str
    num_players: int
    num_nodes: int
    num_sequences: int
    keys: tuple[str, ...]
    players: Int8Array
    labels: tuple[tuple[str, ...], ...]
    probabilities: FloatArray
    loaded_from: str | None = None

    @classmethod
    def of(cls, strategy: Strategy) -> StoredStrategy:
        """Store a strategy without its tree.

        Args:
            strategy: A strategy on a compiled game.

        Returns:
            The strategy with its keys, labels and probabilities, and the fingerprint of the game.

        Raises:
            ConfigError: It is not a strategy.
        """
        tree = checked_strategy(strategy).tree
        return cls(
            game=tree.name,
            fingerprint=tree.fingerprint,
            num_players=tree.num_players,
            num_nodes=tree.num_nodes,
            num_sequences=tree.num_sequences,
            keys=tree.infoset_keys,
            players=tree.infoset_player,
            labels=tree.action_labels,
            probabilities=strategy.probabilities,
            loaded_from=source_of(tree.game),
        )

    @property
    def num_infosets(self) -> int:
        """Number of infosets of all players."""
        return len(self.keys)

    @cached_property
    def offset(self) -> Int64Array:
        """int64[I + 1]: where the probabilities of each infoset begin."""
        counts = np.fromiter((len(row) for row in self.labels), np.int64, len(self.labels))
        return np.concatenate(([0], np.cumsum(counts, dtype=np.int64)))

    def to_dict(self) -> dict[str, dict[str, float]]:
        """Probabilities by infoset and action, as `Strategy.to_dict` gives them.

        Returns:
            {infoset: {action: probability}}, infosets by player, then by first visit.
        """
        values, offset = self.probabilities.tolist(), self.offset.tolist()
        return {
            key: dict(zip(labels, values[offset[i] : offset[i + 1]], strict=True))
            for i, (key, labels) in enumerate(zip(self.keys, self.labels, strict=True))
        }

    def to_frame(self) -> pandas.DataFrame:
        """The strategy as a pandas DataFrame, as `Strategy.to_frame` gives it.

        Returns:
            One row per (infoset, action), with columns player, infoset, action and probability; its
            `attrs["game"]` names the game.

        Raises:
            ConfigError: Without pandas.
        """
        players, values = self.players.tolist(), self.probabilities.tolist()
        return make_frame(self.game, self.keys, players, self.labels, values)

    def table_text(self, kind: str, document: Document | None = None) -> str:
        """The strategy as the text of a table.

        Args:
            kind: `.csv` or `.json`.
            document: Gives what JSON holds; by default the game's name and the strategy.

        Returns:
            The text of the file.
        """
        if kind == ".json":
            content = (
                {"game": self.game, "strategy": self.to_dict()} if document is None else document()
            )
            return document_text(content)
        players, values = self.players.tolist(), self.probabilities.tolist()
        return csv_text(self.keys, players, self.labels, values)

    def save(self, path: str | os.PathLike[str], document: Document | None = None) -> Path:
        """Write it as CSV, JSON or Parquet, as `Strategy.save` does.

        Args:
            path: The file; its name ends in .csv, .json or .parquet. An earlier table is replaced,
                but no other file.
            document: Gives what JSON holds; by default the game's name and the strategy.

        Returns:
            The path.

        Raises:
            ConfigError: The name has another suffix.
            OutputError: The file cannot be written.
        """
        target = file_name("path", path)
        kind = table_kind(target)
        if kind == ".parquet":
            write_frame_file(target, self.to_frame())
        else:
            write_table_file(target, kind, self.table_text(kind, document))
        return target

    def on(self, tree: GameTree) -> Strategy:
        """The strategy on a compiled game.

        Args:
            tree: The game that was solved.

        Returns:
            The strategy, with the same bits.

        Raises:
            ConfigError: That is not a compiled game.
            MismatchError: It is another game, or its rules have changed.
        """
        if checked_tree(tree).fingerprint != self.fingerprint:
            same = "; its name is the same, but its rules are not" if tree.name == self.game else ""
            raise MismatchError(
                f"this is a solution of {self.game}, not of {tree.name}{same}. To carry "
                "the probabilities over by name, use "
                "Strategy.from_dict(tree, result.strategy.to_dict())",
                option="game",
                given=self.game,
                expected=tree.name,
            )
        return Strategy(tree, self.probabilities)

    def __getitem__(self, key: str) -> dict[str, float]:
        if not isinstance(key, str):
            raise bad_argument("infoset", key, f"the key of an infoset of {self.game}, a text")
        i = self._index.get(key)
        if i is None:
            kind = f"infoset of {self.game}"
            raise UnknownNameError(kind, key, self.keys[:5000], option="infoset")
        row = self.probabilities[self.offset[i] : self.offset[i + 1]].tolist()
        return dict(zip(self.labels[i], row, strict=True))

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys)

    def __len__(self) -> int:
        return len(self.keys)

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and key in self._index

    @cached_property
    def _index(self) -> dict[str, int]:
        return {key: i for i, key in enumerate(self.keys)}

    def __repr__(self) -> str:
        return f"StoredStrategy({self.game!r}, {self.num_infosets:,} infosets)"

    def _repr_html_(self) -> str:
        return strategy_html(self.game, self.to_dict())
