"""Games in normal form: every player picks one action without seeing the choices of the others.

Played as a tree, player 0 moves first, and each later player moves without knowing what the
others did. Infoset keys are `row` and `column` for two players, else `player 0`, `player 1`, ...
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, ClassVar, Self

from equilibrist.errors import GameSpecError
from equilibrist.game import TERMINAL
from equilibrist.games.parameters import REQUIRED, NamedGame, parameter

MatrixState = tuple[int, ...]
"""The action indices of the players who have moved."""


@dataclass(frozen=True)
class NormalFormGame(NamedGame):
    """What all games in normal form share; a subclass says `tables` and `action_labels`."""

    _labels: tuple[tuple[str, ...], ...] = field(init=False, repr=False, compare=False)
    _cells: dict[MatrixState, tuple[float, ...]] = field(init=False, repr=False, compare=False)
    _keys: tuple[str, ...] = field(init=False, repr=False, compare=False)

    def tables(self) -> Sequence[Any]:
        """One payoff table per player, nested by the players' actions in order."""
        raise NotImplementedError

    def action_labels(self) -> Sequence[Sequence[str]]:
        """The labels of each player's actions."""
        raise NotImplementedError

    def prepare(self) -> None:
        tables, labels = self.tables(), self.action_labels()
        count = len(tables)
        cells = {
            cell: tuple(_entry(table, cell) for table in tables)
            for cell in product(*(range(len(names)) for names in labels))
        }
        self.remember(
            _labels=tuple(tuple(names) for names in labels),
            _cells=cells,
            _keys=("row", "column") if count == 2 else tuple(f"player {p}" for p in range(count)),
        )

    @property
    def num_players(self) -> int:
        return len(self._keys)

    def initial_state(self) -> MatrixState:
        return ()

    def player(self, state: MatrixState, /) -> int:
        return len(state) if len(state) < len(self._keys) else TERMINAL

    def actions(self, state: MatrixState, /) -> tuple[str, ...]:
        return self._labels[len(state)]

    def chance(self, state: MatrixState, /) -> tuple[float, ...]:
        return ()

    def next(self, state: MatrixState, action_index: int, /) -> MatrixState:
        return (*state, action_index)

    def payoffs(self, state: MatrixState, /) -> tuple[float, ...]:
        return self._cells[state]

    def infoset(self, state: MatrixState, /) -> str:
        return self._keys[len(state)]

    def infoset_facts(self, key: str, /) -> tuple[tuple[str, str], ...]:
        """What the player knows, as (name, what it is) pairs."""
        return (("you are", key), ("others", "choose without seeing your choice, nor you theirs"))


@dataclass(frozen=True)
class MatrixGame(NormalFormGame):
    """Any payoff table.

    Attributes:
        table: Nested two deep, it is player 0's table of a two-player zero-sum game, rows first.
            Nested deeper, it lists one whole table per player: `[A, B]` for two players with tables
            A and B, `[A, B, C]` for three players with tables nested three deep, and so on.
        labels: Names of each player's actions; left out, they are called 0, 1, 2, ...
    """

    game_name: ClassVar[str] = "matrix"
    aliases: ClassVar[tuple[str, ...]] = ("matrix_game", "normal_form")
    summary: ClassVar[str] = "any payoff table, such as matrix(payoffs=[[1,-1],[-1,1]])"

    table: tuple[Any, ...] = parameter(
        "list",
        REQUIRED,
        "player 0's rows of a zero-sum game, or one whole table per player",
        name="payoffs",
    )
    labels: tuple[Any, ...] = parameter(
        "list", (), "each player's action labels, such as [[up,down],[left,right]]"
    )

    @classmethod
    def from_tables(cls, tables: Sequence[Any], labels: Sequence[Sequence[str]] = ()) -> Self:
        """A game from one payoff table per player.

        Args:
            tables: Nested lists or arrays, one axis per player; a single table means two players
                with zero sum.
            labels: Names of each player's actions; left out, they are called 0, 1, 2, ...

        Returns:
            The game.

        Raises:
            GameSpecError: For tables of unequal shape, entries that are not finite numbers, and
                labels that do not fit.
        """
        return cls(tuple(tables) if len(tables) > 1 else tables[0], tuple(labels))

    def prepare(self) -> None:
        """Check tables and labels.

        Raises:
            GameSpecError: The tables have unequal shapes or entries that are not finite numbers, or
                the labels do not fit them.
        """
        shape = self._checked_shape()
        if not self.labels:
            return super().prepare()
        labels = tuple(
            tuple(_label(label) for label in names) if isinstance(names, tuple) else names
            for names in self.labels
        )
        sizes = tuple(len(n) if isinstance(n, tuple) else -1 for n in labels)
        if sizes != shape or any(len(set(n)) < len(n) or "" in n for n in labels):
            wanted = ", ".join(str(size) for size in shape)
            raise self.refuse(
                "labels", self.labels, f"one list of different labels per player, {wanted} long"
            )
        plain = tuple(tuple(str(index) for index in range(size)) for size in shape)
        self.remember(labels=() if labels == plain else labels)
        return super().prepare()

    def tables(self) -> Sequence[Any]:
        """Each player's payoff table.

        Returns:
            One nested list per player, with one axis per player; entries are in payoff units.
        """
        return [self.table, _negated(self.table)] if _depth(self.table) == 2 else self.table

    def action_labels(self) -> Sequence[Sequence[str]]:
        """Each player's action labels: `labels`, or 0, 1, 2, ... where they are left out.

        Returns:
            One list of labels per player, in the order of the axes of a table.
        """
        shape = _shape(self.tables()[0])
        return self.labels or [[str(index) for index in range(size)] for size in shape]

    def _checked_shape(self) -> tuple[int, ...]:
        depth = _depth(self.table)
        expected = "a table of rows such as [[1,-1],[-1,1]], or one such table per player"
        if depth < 2:
            raise self.refuse("payoffs", self.table, expected)
        if depth > 2 and len(self.table) != depth - 1:
            raise GameSpecError(
                f"matrix: 'payoffs' nested {depth} deep means {depth - 1} players, and so a list "
                f"of {depth - 1} whole tables, one per player; got {len(self.table)}. "
                "(Cells that list all players' payoffs must be taken apart into tables.)",
                option="payoffs",
                given=len(self.table),
                expected=depth - 1,
            )
        shapes = {_shape(table) for table in self.tables()}
        shape = shapes.pop()
        if shapes or len(shape) != max(2, depth - 1) or 0 in shape:
            raise GameSpecError(
                "matrix: 'payoffs' must have rows of equal length, at least one action per "
                "player, and tables of one shape for all players",
                option="payoffs",
                given=self.table,
                place=_uneven_part(self.table),
                remedy="for instance matrix(payoffs=[[1,-1],[-1,1]])",
            )
        for table in self.tables():
            for cell in product(*(range(size) for size in shape)):
                value = _raw_entry(table, cell)
                if isinstance(value, bool) or not isinstance(value, int | float):
                    raise self.refuse("payoffs", value, "numbers in every cell")
                if not _is_finite(value):
                    raise self.refuse("payoffs", value, "finite in every cell")
        return shape


def _is_finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number beyond the range of floats
        return False


def _label(label: Any) -> Any:
    return str(label) if isinstance(label, int | float) else label


def _depth(table: Any) -> int:
    depth = 0
    while isinstance(table, tuple):
        depth += 1
        table = table[0] if table else None
    return depth


def _shape(table: Any) -> tuple[int, ...]:
    """The lengths of a nested table, () if it is ragged."""
    if not isinstance(table, tuple):
        return ()
    inner = {_shape(part) if isinstance(part, tuple) else None for part in table}
    if len(inner) > 1:
        return (0,)
    shape = inner.pop() if inner else None
    return (len(table), *(shape or ()))


def _uneven_part(table: Any, place: str = "payoffs") -> str | None:
    """The first part of a nested table that is longer or shorter than its first sibling."""
    parts = [part if isinstance(part, tuple) else () for part in table]
    for index, part in enumerate(parts):
        if len(part) != len(parts[0]):
            return f"{place}[{index}]"
    inner = (_uneven_part(part, f"{place}[{k}]") for k, part in enumerate(parts) if part)
    return next((found for found in inner if found is not None), None)


def _negated(table: Any) -> Any:
    if isinstance(table, tuple):
        return tuple(_negated(part) for part in table)
    return -table if isinstance(table, int | float) else table


def _raw_entry(table: Any, cell: MatrixState) -> Any:
    for index in cell:
        table = table[index]
    return table


def _entry(table: Any, cell: MatrixState) -> float:
    return float(_raw_entry(table, cell))
