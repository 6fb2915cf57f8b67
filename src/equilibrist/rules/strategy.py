"""PackedStrategy: a strategy by packed infoset keys, for games too large to list their infosets."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from equilibrist.errors import FileFormatError, MismatchError
from equilibrist.game import Game
from equilibrist.parsing.arguments import bad_argument, file_name, whole_number
from equilibrist.rules.game import RulesGame, RulesState
from equilibrist.rules.infoset_names import InfosetNames, names_by_rules, names_in_file
from equilibrist.rules.module import Rules
from equilibrist.rules.named_rows import NamedRows
from equilibrist.storage.archive import read_archive, write_archive
from equilibrist.storage.damage import damaged
from equilibrist.storage.kinds.file_kinds import PACKED
from equilibrist.typing import FloatArray, Int32Array, Int64Array, UInt64Array

if TYPE_CHECKING:
    import pandas


Index = tuple[UInt64Array, UInt64Array, Int64Array]
"""The keys of a hash table's slots, and their rows (`kernels.implicit.infoset_table`)."""


@dataclass(frozen=True, eq=False)
class PackedStrategy:
    """Probabilities of I infosets by packed key; all others are played uniformly.

    `strategy[infoset]` gives `{action: probability}`, and a loop over the strategy its infosets, in
    the order of their keys, which for the included rules begins with the shortest lines of play.
    Infosets and actions of the included rules have the same names as in the compiled game. Rules of
    your own name them if they define `unpack` and are given to `named_by`. Without names an infoset
    is its packed key in hexadecimals, `high.low`, and an action is its number.

    Attributes:
        game: The name of the rules.
        fingerprint: That of the rules.
        high: uint64[I], the first halves of the keys.
        low: uint64[I], the second halves.
        actions: int32[I], the lengths of the rows.
        probabilities: float64[Q], the rows one after another.
        provenance: How the strategy was made, in values that JSON can hold.
    """

    game: str
    fingerprint: str
    high: UInt64Array
    low: UInt64Array
    actions: Int32Array
    probabilities: FloatArray
    provenance: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def uniform(cls, rules: Rules) -> PackedStrategy:
        """Every action equally likely everywhere.

        Args:
            rules: The rules.

        Returns:
            A strategy without rows of its own.
        """
        keys = np.zeros(0, dtype=np.uint64)
        none = np.zeros(0, dtype=np.int32)
        return cls(rules.name, rules.identity, keys, keys, none, np.zeros(0))

    @property
    def num_infosets(self) -> int:
        """Infosets that are not played uniformly for want of a row."""
        return len(self.actions)

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays."""
        arrays = (self.high, self.low, self.actions, self.probabilities)
        return sum(int(array.nbytes) for array in arrays)

    @cached_property
    def index(self) -> Index:
        """A hash table of the rows; FileFormatError for a key that comes twice."""
        from equilibrist.kernels.implicit.infoset_table import index_rows

        slots = 1 << max(4, (self.num_infosets * 3 // 2).bit_length())
        high, low = np.zeros(slots, dtype=np.uint64), np.zeros(slots, dtype=np.uint64)
        row = np.full(slots, -1, dtype=np.int64)
        if index_rows(self.high, self.low, self.actions, high, low, row) >= 0:
            raise self._twice()
        return high, low, row

    @cached_property
    def named_rows(self) -> NamedRows:
        """The rows in order, with the names that the file gives, or the rules of `named_by`."""
        return self._named(names_in_file(self.game, self.fingerprint))

    def named_by(self, game: Game[Any] | Rules) -> PackedStrategy:
        """Name the infosets of this strategy as its rules do.

        It is needed for rules of your own only, which must define `unpack`: files of yours are not
        run because a strategy names them.

        Args:
            game: The rules, or the game that `load_game` makes of them.

        Returns:
            The strategy.

        Raises:
            MismatchError: If the game is not made of rules, or the strategy is one of others.
        """
        named = replace(self)
        vars(named)["named_rows"] = named._named(names_by_rules(self.rules_of(game)))
        return named

    def row(self, high: int, low: int) -> FloatArray | None:
        """The probabilities at one infoset.

        Args:
            high: The first half of its key.
            low: The second half.

        Returns:
            float64[actions], or None if the infoset has no row of its own.
        """
        from equilibrist.kernels.implicit.infoset_table import look_up

        high = whole_number("high", high, 0, 2**64 - 1)
        low = whole_number("low", low, 0, 2**64 - 1)
        entry = int(look_up(*self.index, np.uint64(high), np.uint64(low)))
        if entry < 0:
            return None
        place, actions = entry >> 16, entry & 0xFFFF
        return self.probabilities[place : place + actions].copy()

    def behaviour(self, game: Game[Any], state: RulesState) -> dict[str, float]:
        """The probabilities of the actions in a state.

        Args:
            game: The rules as a game (`load_game`).
            state: A state at which a player moves.

        Returns:
            {action: probability}.

        Raises:
            MismatchError: If the game is not made of rules, or the strategy is one of others.
        """
        self.rules_of(game)
        assert isinstance(game, RulesGame)
        labels = game.actions(state)
        row = self.row(*game.packed(state))
        values = [1.0 / len(labels)] * len(labels) if row is None else row.tolist()
        return dict(zip(labels, values, strict=True))

    def __getitem__(self, key: str) -> dict[str, float]:
        if not isinstance(key, str):
            raise bad_argument("infoset", key, f"the key of an infoset of {self.game}, a text")
        return self.named_rows.behaviour(key)

    def __iter__(self) -> Iterator[str]:
        return self.named_rows.names_in_order()

    def __len__(self) -> int:
        return self.num_infosets

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and self.named_rows.has(key)

    def sample(self, key: str, generator: np.random.Generator) -> str:
        """Draw an action at an infoset.

        Args:
            key: The name of the infoset, or its packed key in hexadecimals.
            generator: A generator of NumPy.

        Returns:
            The label of the action. Infosets without a row are played uniformly, if the rules can
            tell their actions.

        Raises:
            UnknownNameError: If there is no such infoset, or nobody knows its actions.
            ConfigError: If `generator` is not a generator of NumPy.
        """
        if not isinstance(generator, np.random.Generator):
            raise bad_argument(
                "generator", generator, "one of NumPy's: numpy.random.default_rng(seed)"
            )
        row = self[key]
        chances = np.fromiter(row.values(), dtype=np.float64)
        return list(row)[int(generator.choice(len(row), p=chances / chances.sum()))]

    def to_dict(self) -> dict[str, dict[str, float]]:
        """The probabilities by infoset and action.

        Returns:
            {infoset: {action: probability}}, of infosets with a row.
        """
        return self.named_rows.to_dict()

    def to_frame(self) -> pandas.DataFrame:
        """The strategy as a pandas DataFrame.

        Returns:
            One row per (infoset, action) of infosets with a row, with columns player, infoset,
            action and probability, without player where keys do not tell; its `attrs["game"]`
            names the game.

        Raises:
            ConfigError: Without pandas.
        """
        return self.named_rows.to_frame()

    def export(self, path: str | os.PathLike[str]) -> Path:
        """Write it as a table for other programs: CSV, JSON or Parquet (extra `pandas`).

        CSV and Parquet have the columns of `to_frame` and are written piece by piece; JSON holds
        the game's name and the table. All of them keep every digit.

        Args:
            path: The file; its name ends in .csv, .json or .parquet. An earlier table is replaced,
                but no other file.

        Returns:
            The path.

        Raises:
            ConfigError: The name has another suffix.
            OutputError: The file cannot be written.
        """
        return self.named_rows.save(file_name("path", path), {"game": self.game})

    def rules_of(self, game: Game[Any] | Rules) -> Rules:
        """The rules of a game of which this is a strategy, with the same parameters.

        Args:
            game: The rules, or the game that `load_game` makes of them.

        Returns:
            The rules.

        Raises:
            MismatchError: If the game is not made of rules, or the strategy is one of others.
        """
        rules = game.rules if isinstance(game, RulesGame) else game
        if isinstance(rules, Rules) and self.fingerprint == rules.identity:
            return rules
        name, remedy = getattr(game, "name", game), f"name its own rules as the game, {self.game!r}"
        if not isinstance(rules, Rules):
            raise MismatchError(
                f"this is a strategy of {self.game}, and {name} is not a rules module",
                option="game",
                given=name,
                expected=self.game,
                remedy=remedy,
            )
        is_changed = self.game == name
        same = "; the name is the same, the rules have changed since" * is_changed
        raise MismatchError(
            f"this is a strategy of {self.game}, not of {name}{same}",
            option="game",
            given=self.game,
            expected=name,
            remedy="sample the game again" if is_changed else remedy,
        )

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write it to a file, atomically.

        Args:
            path: Where to; an earlier packed strategy is replaced, but no file of another kind.

        Returns:
            The path.

        Raises:
            OutputError: If the file cannot be written.
        """
        header = {"game": self.game, "fingerprint": self.fingerprint, "made": self.provenance}
        arrays: dict[str, Any] = {
            "high": self.high.view(np.int64),
            "low": self.low.view(np.int64),
            "actions": self.actions,
            "probability": self.probabilities,
        }
        return write_archive(path, PACKED, header, arrays)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> PackedStrategy:
        """Read a packed strategy.

        Args:
            path: A file that `save` has written.

        Returns:
            The strategy.

        Raises:
            FileFormatError: If the file is damaged, foreign or of a newer format.
        """
        header, arrays = read_archive(path, PACKED)
        try:
            json.dumps(header, allow_nan=False)
            game, fingerprint, provenance = header["game"], header["fingerprint"], header["made"]
            if not (isinstance(game, str) and isinstance(fingerprint, str)):
                raise ValueError("it names no game")
            if not isinstance(provenance, dict):
                raise ValueError("it does not say how it was made")
            strategy = cls(game, fingerprint, **checked_arrays(arrays), provenance=provenance)
            if has_twice(strategy.high, strategy.low):
                raise strategy._twice()
        except (ValueError, KeyError, FileFormatError) as error:
            raise damaged(path, "a whole strategy", error) from None
        return strategy

    def _named(self, names: InfosetNames) -> NamedRows:
        return NamedRows(
            self.game,
            names,
            high=self.high,
            low=self.low,
            actions=self.actions,
            probabilities=self.probabilities,
        )

    def _twice(self) -> FileFormatError:
        return FileFormatError(
            f"this strategy of {self.game} has an infoset twice", option="infoset"
        )

    def __getstate__(self) -> dict[str, Any]:
        """Without what is made again when it is needed, and may hold a module of rules."""
        derived = ("index", "named_rows")
        return {name: value for name, value in vars(self).items() if name not in derived}

    def __repr__(self) -> str:
        return f"PackedStrategy({self.game!r}, {self.num_infosets:,} infosets)"

    def _repr_html_(self) -> str:
        return self.named_rows.html()


def checked_packed(value: object) -> PackedStrategy:
    """`value`, which must be a PackedStrategy; ConfigError says how to get one."""
    if isinstance(value, PackedStrategy):
        return value
    raise bad_argument(
        "the strategy",
        value,
        "a PackedStrategy, as that of a solve without an explicit tree",
    )


def read_averages(rules: Rules, table: Any, sums: FloatArray | None = None) -> PackedStrategy:
    """The average strategy that a table of `kernels.implicit.infoset_table` holds.

    Rows never played are left out. It takes 20 bytes per infoset and 8 per action.
    With `sums`, float64 in the order of its pool, strategies are in proportion to these.
    """
    from equilibrist.kernels.implicit import infoset_table as kernels

    sums = table.pool[1] if sums is None else sums
    count = np.zeros(2, dtype=np.int64)
    kernels.count_played(table.row, sums, count)
    infosets, numbers = count.tolist()
    strategy = PackedStrategy(
        rules.name,
        rules.identity,
        np.empty(infosets, dtype=np.uint64),
        np.empty(infosets, dtype=np.uint64),
        np.empty(infosets, dtype=np.int32),
        np.empty(numbers),
    )
    kernels.read_averages(
        table.high,
        table.low,
        table.row,
        sums,
        strategy.high,
        strategy.low,
        strategy.actions,
        strategy.probabilities,
    )
    return strategy


_TOLERANCE = 1e-9


def checked_arrays(arrays: dict[str, Any]) -> dict[str, Any]:
    """The arrays of a file as PackedStrategy takes them; ValueError if they do not fit."""
    kinds = {"high": np.int64, "low": np.int64, "actions": np.int32, "probability": np.float64}
    for name, kind in kinds.items():
        if arrays[name].dtype != kind or arrays[name].ndim != 1:
            raise ValueError(f"the array {name} has another type or shape")
    high, low, actions, values = (arrays[name] for name in kinds)
    if not len(high) == len(low) == len(actions):
        raise ValueError("keys and rows do not fit together")
    if len(actions) and (actions.min() < 1 or actions.max() > 0xFFFF):
        raise ValueError("an infoset has no actions, or too many")
    if int(actions.sum(dtype=np.int64)) != len(values):
        raise ValueError("actions and probabilities do not fit together")
    if len(actions):
        first = np.concatenate(([0], np.cumsum(actions[:-1], dtype=np.int64)))
        sums = np.add.reduceat(values, first)
        if not (values >= 0.0).all() or (np.abs(sums - 1.0) > _TOLERANCE).any():
            raise ValueError("the probabilities of an infoset do not add up to 1")
    return {
        "high": high.view(np.uint64),
        "low": low.view(np.uint64),
        "actions": actions,
        "probabilities": values,
    }


def has_twice(high: UInt64Array, low: UInt64Array) -> bool:
    """Whether a key comes twice."""
    order = np.lexsort((low, high))
    high, low = high[order], low[order]
    return bool(((high[1:] == high[:-1]) & (low[1:] == low[:-1])).any())
