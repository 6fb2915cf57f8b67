"""What an engine has learnt as arrays, for files: all of it, or what answers questions."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from equilibrist.errors import FileFormatError
from equilibrist.kernels import TILE
from equilibrist.kernels.poker.postflop_arrays import ENTER, LEAVE
from equilibrist.poker.engine.betting_layout import BettingProgram, betting_program
from equilibrist.poker.engine.engine import Engine, EngineStorage
from equilibrist.poker.engine.schedule import plan_of
from equilibrist.poker.engine.vector_game import VectorGame
from equilibrist.storage.mapped_archive import MappedArchive

LEARNT: Final = (
    "regret", "regret_scale", "match", "match_scale", "total", "total_scale",
)  # fmt: skip
"""What a run needs to go on, of `Store`."""
_PIECE: Final = 1 << 22
"""Numbers that are read at a time."""
Arrays = dict[str, NDArray[Any]]


def learnt(engine: Engine) -> Arrays:
    """All that a run needs to go on; no copies. With frequencies that is what they cost, too."""
    names = (*LEARNT, "locks") if engine.has_aims else LEARNT
    return {name: getattr(engine.store, name) for name in names}


def is_finite(engine: Engine) -> bool:
    """Whether nothing that is learnt has grown beyond what its numbers hold."""
    arrays = [getattr(engine.store, name) for name in LEARNT]
    return all(
        bool(np.isfinite(array[begin : begin + _PIECE]).all())
        for array in arrays
        if array.dtype.kind == "f"  # those of 16 bits have their scales
        for begin in range(0, len(array), _PIECE)
    )


def restore(engine: Engine, archive: MappedArchive) -> None:
    """Put an engine where another one of the same game stood; raises FileFormatError."""
    for name, array in learnt(engine).items():
        found = archive.shapes().get(name), archive.dtype(name)
        if found != (array.shape, array.dtype):
            raise FileFormatError(f"{archive.path} does not fit its spot: {name}", archive.path)
        for start in range(0, len(array), _PIECE):
            array[start : start + _PIECE] = archive.read(name, start, start + _PIECE)


def layout_of(game: VectorGame, betting: BettingProgram) -> str:
    """A digest of the order in which decisions, boards and hands are laid out."""
    program = betting.program
    digest = hashlib.sha256(repr([board.cards for board in game.dealt]).encode())
    digest.update(f"{TILE} {game.streets}, hands in the order of the first board".encode())
    orders = (betting.node, program.row, program.decision, program.count, program.exit)
    for array in (*orders, program.player, *game.cards):
        digest.update(np.ascontiguousarray(array, np.int64).data)
    return digest.hexdigest()[:16]


def answers(engine: Engine, streets: int) -> Arrays:
    """What answers questions about the nodes of the first streets.

    `total` and `total_scale` are the strategy sums of their boards, which come first. Those of a
    board and player begin at `arena[player, board]`, its decisions at `decisions[player, board]`.
    `exits.P.S` is [boards, lines, wide]: what the hands of player P are worth where lines leave
    street S.
    """
    boards, store = engine.table.boards, engine.store
    count = int(np.count_nonzero(boards.street < streets))
    ends = [
        int(starts[0, count]) if count < len(boards.street) else len(whole)
        for starts, whole in ((boards.arena, store.total), (boards.decisions, store.total_scale))
    ]
    arrays = {
        "total": store.total[: ends[0]],
        "total_scale": store.total_scale[: ends[1] if engine.storage == "int16" else 1],
        "arena": boards.arena[:, :count],
        "decisions": boards.decisions[:, :count],
    }
    for player in (0, 1):
        values = engine.exit_values(player)[:streets]
        arrays |= {f"exits.{player}.{street}": rows for street, rows in enumerate(values)}
    return arrays


class Kept(NamedTuple):
    """A game whose strategies on the first streets lie in a file."""

    game: VectorGame
    betting: BettingProgram
    storage: EngineStorage
    streets: int
    archive: MappedArchive

    @classmethod
    def of(
        cls, game: VectorGame, storage: EngineStorage, streets: int, archive: MappedArchive
    ) -> Kept:
        """Make it; reads nothing."""
        real = np.float64 if storage == "float64" else np.float32
        return cls(game, betting_program(game.tree, game.streets, real), storage, streets, archive)

    def answers(self, streets: int) -> Arrays:
        """As the function `answers`, of at most as many streets as the file has."""
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


class KeptEngine(Engine):
    """An engine on the boards of one path, with what a file has of them.

    Where the file has nothing, on later streets, everything is answered with equal shares of all
    actions: which is right for lines on which nobody acts any more, and for them alone.
    """

    def __init__(self, kept: Kept, path: Sequence[int]) -> None:
        children = _children(kept.game, path[-1])
        self._kept, self._boards = kept, list(path)
        self._stored = kept.game.dealt[path[-1]].street < kept.streets
        if not self._stored:
            self._boards += children
        super().__init__(_on_boards(kept.game, self._boards), kept.storage, betting=kept.betting)
        for place, board in enumerate(self._boards):
            if kept.game.dealt[board].street < kept.streets:
                self._read(place, board)

    def _read(self, place: int, board: int) -> None:
        """Take a board's strategy sums from the file."""
        read, boards = self._kept.archive.read, self.table.boards
        street = int(boards.street[place])
        for player in (0, 1):
            width = int(boards.width[player, place])
            sizes = {"arena": ("total", int(self.betting.rows[player, street]) * width)}
            if self.storage == "int16":
                sizes["decisions"] = ("total_scale", int(self.betting.decisions[player, street]))
            for starts, (name, size) in sizes.items():
                start = int(getattr(boards, starts)[player, place])
                origin = int(read(starts)[player, board])
                numbers = getattr(self.store, name)
                numbers[start : start + size] = read(name, origin, origin + size)

    def _go_to(self, path: list[int], player: int) -> None:
        street = len(path) - 1
        if not self._stored or street == self.game.streets - 1:
            super()._go_to(path, player)
            return
        boards = len(self.game.dealt)
        players = player, player + 1
        self._visit(players, [plan_of([(board, ENTER) for board in path], boards)], viewed=True)
        number = self._boards[-1] - self._first_of(street)
        places = self._exit_places(player, street)
        rows = self._kept.archive.read(f"exits.{player}.{street}", number, number + 1)
        self._viewer.value[player][places] = rows[0]
        self._visit(players, [plan_of([(path[-1], LEAVE)], boards)], viewed=True)

    def _first_of(self, street: int) -> int:
        """The number of the first board of a street."""
        return next(n for n, board in enumerate(self._kept.game.dealt) if board.street == street)


def _children(game: VectorGame, board: int) -> list[int]:
    """The boards after a board, street by street."""
    below = {board}
    for number, dealt in enumerate(game.dealt):
        if dealt.parent in below:
            below.add(number)
    return sorted(below - {board})


def _on_boards(game: VectorGame, boards: Sequence[int]) -> VectorGame:
    """The game with some of its boards, those above each of them included."""
    place = {board: number for number, board in enumerate(boards)} | {-1: -1}
    dealt = (game.dealt[board] for board in boards)
    return replace(game, dealt=tuple(replace(each, parent=place[each.parent]) for each in dealt))
