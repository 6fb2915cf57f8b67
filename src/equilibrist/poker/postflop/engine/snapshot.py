"""The state of an engine as arrays, for files: the whole state, or what queries need."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from equilibrist.errors import FileFormatError
from equilibrist.kernels import TILE
from equilibrist.kernels.poker.postflop_arrays import ENTER, LEAVE, VALUE
from equilibrist.poker.postflop.engine.arena import Arena, real_of
from equilibrist.poker.postflop.engine.betting_layout import BettingProgram, betting_program
from equilibrist.poker.postflop.engine.engine import Engine
from equilibrist.poker.postflop.engine.layout import Layout
from equilibrist.poker.postflop.engine.leaf_engine import LeafEngine
from equilibrist.poker.postflop.engine.node_reader import NodeReader
from equilibrist.poker.postflop.engine.schedule import plan_of
from equilibrist.poker.postflop.engine.vector_game import VectorGame
from equilibrist.poker.postflop.spot.fields import Storage
from equilibrist.storage.mapped_archive import MappedArchive

_PIECE: Final = 1 << 22
"""Numbers that are read at a time."""
Arrays = dict[str, NDArray[Any]]


def restore(arena: Arena, archive: MappedArchive) -> None:
    """Restore the arena of the same game from a file; raises FileFormatError."""
    for name, array in arena.solver_arrays().items():
        stored = archive.shapes().get(name), archive.dtype(name)
        if stored != (array.shape, array.dtype):
            raise FileFormatError(
                f"{archive.path} does not match its spot: {name} has another shape or type",
                archive.path,
                option=name,
                given="none" if stored[0] is None else f"{stored[1]} {stored[0]}",
                expected=f"{array.dtype} {array.shape}",
            )
        for start in range(0, len(array), _PIECE):
            array[start : start + _PIECE] = archive.read(name, start, start + _PIECE)


def _unusable(archive: MappedArchive, name: str, expected: str) -> FileFormatError:
    """The error of an array that cannot be that of the solution which the header describes."""
    return FileFormatError(
        f"{archive.path} does not match its spot: {name} is not {expected}",
        archive.path,
        option=name,
        expected=expected,
    )


def layout_of(laid: Layout | StoredSolution) -> str:
    """A digest of the order of decisions, boards and hands in the arrays."""
    return digest_of(laid.game, laid.betting)


def digest_of(game: VectorGame, betting: BettingProgram) -> str:
    """`layout_of` the arrays of a game and its betting."""
    program = betting.program
    digest = hashlib.sha256(repr([board.cards for board in game.dealt]).encode())
    digest.update(f"{TILE} {game.streets}, hands in the order of the first board".encode())
    orders = (betting.node, program.row, program.decision, program.count, program.exit)
    for array in (*orders, program.player, *game.cards):
        digest.update(np.ascontiguousarray(array, np.int64).data)
    return digest.hexdigest()[:16]


def query_arrays(engine: Engine | LeafEngine, streets: int) -> Arrays:
    """The arrays that queries about nodes on the first streets read.

    `total` and `total_scale` are the strategy sums of their boards, which come first. Those of a
    board and player begin at `arena[player, board]`, their scales at `decisions[player, board]`.
    `exits.P.S`, [boards, lines, wide], are the values of player P's hands where lines leave street
    S.
    """
    boards, store = engine.layout.table.boards, engine.arena.store
    count = int(np.count_nonzero(boards.street < streets))
    ends = [
        int(starts[0, count]) if count < len(boards.street) else len(whole)
        for starts, whole in ((boards.arena, store.total), (boards.decisions, store.total_scale))
    ]
    arrays = {
        "total": store.total[: ends[0]],
        "total_scale": store.total_scale[: ends[1] if engine.arena.storage == "int16" else 1],
        "arena": boards.arena[:, :count],
        "decisions": boards.decisions[:, :count],
    }
    for player in (0, 1):
        values = engine.reader.exit_values(player)[:streets]
        arrays |= {f"exits.{player}.{street}": rows for street, rows in enumerate(values)}
    return arrays


class StoredSolution(NamedTuple):
    """A solved game whose strategies on the first streets are in a file."""

    game: VectorGame
    betting: BettingProgram
    storage: Storage
    streets: int
    archive: MappedArchive

    @classmethod
    def of(
        cls, game: VectorGame, storage: Storage, streets: int, archive: MappedArchive
    ) -> StoredSolution:
        """Describe the file; reads nothing. Raises FileFormatError for arrays of other shapes."""
        real = real_of(storage)
        betting = betting_program(game.tree, game.streets, real, payoffs=game.payoffs)
        stored = cls(game, betting, storage, streets, archive)
        for name, dtype, shape in stored._expected():
            stored_shape = archive.shapes().get(name)
            fits = stored_shape is not None and len(stored_shape) == len(shape)
            fits = fits and all(
                n in (None, m) for n, m in zip(shape, stored_shape or (), strict=True)
            )
            if not fits or archive.dtype(name) != dtype:
                raise _unusable(archive, name, f"an array of {np.dtype(dtype)}, shape {shape}")
        return stored

    def _expected(self) -> Iterator[tuple[str, Any, tuple[int | None, ...]]]:
        """The arrays of the file: name, type and shape, with None for any length."""
        count = sum(board.street < self.streets for board in self.game.dealt)
        for name in ("arena", "decisions"):
            yield name, np.int64, (2, count)
        yield "total", np.int16 if self.storage == "int16" else real_of(self.storage), (None,)
        yield "total_scale", np.float32, (None,)
        for player in (0, 1):
            for street in range(min(self.streets, self.game.streets - 1)):
                boards = sum(board.street == street for board in self.game.dealt)
                yield f"exits.{player}.{street}", real_of(self.storage), (boards, None, None)

    def query_arrays(self, streets: int) -> Arrays:
        """The arrays that queries need, for at most as many streets as the file has."""
        read = self.archive.read
        arrays = {name: read(name) for name in ("arena", "decisions")}
        count = sum(board.street < streets for board in self.game.dealt)
        for name, starts in (("total", "arena"), ("total_scale", "decisions")):
            behind = arrays[starts][0, count:].tolist()
            small = name == "total" or self.storage == "int16"
            arrays[name] = read(name, 0, behind[0] if behind and small else None)
        arrays |= {name: arrays[name][:, :count] for name in ("arena", "decisions")}
        for player in (0, 1):
            for street in range(min(streets, self.game.streets - 1)):
                name = f"exits.{player}.{street}"
                arrays[name] = read(name)
        return arrays


class StoredReader(NodeReader):
    """Reads nodes on the boards of one path from a file.

    On later streets, which the file lacks, strategies are taken as uniform: correct only for lines
    on which no player acts any more.
    """

    def __init__(self, stored: StoredSolution, path: Sequence[int]) -> None:
        children = _children(stored.game, path[-1])
        self._stored, self._boards = stored, list(path)
        self._is_kept = stored.game.dealt[path[-1]].street < stored.streets
        if not self._is_kept:
            self._boards += children
        game = _on_boards(stored.game, self._boards)
        layout = Layout.of(game, real_of(stored.storage), stored.betting)
        super().__init__(layout, Arena(layout, stored.storage))
        for place, board in enumerate(self._boards):
            if stored.game.dealt[board].street < stored.streets:
                self._read(place, board)

    def _read(self, place: int, board: int) -> None:
        """Read a board's strategy sums from the file."""
        read, betting = self._stored.archive.read, self._layout.betting
        boards = self._layout.table.boards
        street = int(boards.street[place])
        for player in (0, 1):
            width = int(boards.width[player, place])
            sizes = {"arena": ("total", int(betting.rows[player, street]) * width)}
            if self._stored.storage == "int16":
                sizes["decisions"] = ("total_scale", int(betting.decisions[player, street]))
            for starts, (name, size) in sizes.items():
                start = int(getattr(boards, starts)[player, place])
                origin = int(read(starts)[player, board])
                numbers = getattr(self._arena.store, name)
                read_numbers = read(name, max(origin, 0), max(origin, 0) + size)
                if origin < 0 or len(read_numbers) != size:
                    raise _unusable(self._stored.archive, name, "the numbers of every board")
                if not (np.isfinite(read_numbers) & (read_numbers >= 0)).all():
                    raise _unusable(self._stored.archive, name, "finite numbers of at least 0")
                numbers[start : start + size] = read_numbers

    def _go_to(self, path: list[int], player: int, mode: int) -> None:
        street, dealt = len(path) - 1, self._layout.game.dealt
        if not self._is_kept or street == self._layout.game.streets - 1:
            super()._go_to(path, player, mode)
            return
        assert mode == VALUE  # what a file has of later streets
        self._visit(player, plan_of([(board, ENTER) for board in path], len(dealt)))
        number = self._boards[-1] - self._first_of(street)
        places = self._exit_places(player, street)
        name = f"exits.{player}.{street}"
        rows = self._stored.archive.read(name, number, number + 1)
        if rows[0].shape != places.shape or not np.isfinite(rows).all():
            raise _unusable(self._stored.archive, name, "a finite value per line and hand")
        self._scratch.value[player][places] = rows[0]
        self._visit(player, plan_of([(path[-1], LEAVE)], len(dealt)))

    def _first_of(self, street: int) -> int:
        """The index of the first board of a street."""
        return next(n for n, board in enumerate(self._stored.game.dealt) if board.street == street)


def _children(game: VectorGame, board: int) -> list[int]:
    """The boards after a board, by street."""
    below = {board}
    if game.dealt[board].street == game.streets - 1:
        return []
    for number, dealt in enumerate(game.dealt):
        if dealt.parent in below:
            below.add(number)
    return sorted(below - {board})


def _on_boards(game: VectorGame, boards: Sequence[int]) -> VectorGame:
    """The game restricted to some boards, which include the parents of each."""
    place = {board: number for number, board in enumerate(boards)} | {-1: -1}
    dealt = (game.dealt[board] for board in boards)
    return replace(game, dealt=tuple(replace(board, parent=place[board.parent]) for board in dealt))
