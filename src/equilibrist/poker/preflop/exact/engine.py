"""The engine: the arrays of a game, and passes over them that threads share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from equilibrist.kernels import TILE, filled_up
from equilibrist.kernels.exact_holdem.arrays import (
    BEST,
    UPDATE,
    VALUE,
    Betting,
    Boards,
    Runouts,
    Scratch,
)
from equilibrist.kernels.primitives.barrier import COUNTERS
from equilibrist.poker.cards.cards import NUM_CARDS
from equilibrist.poker.preflop.exact.betting_layout import betting_layout
from equilibrist.poker.preflop.exact.boards import orbits
from equilibrist.poker.preflop.exact.number_layout import EngineGame, NumberLayout, matched
from equilibrist.poker.preflop.exact.pairs import PairMatrices
from equilibrist.poker.preflop.exact.rows import lifts
from equilibrist.solvers.run.threads import ThreadTeam
from equilibrist.typing import FloatArray, Int64Array

Arrays = tuple[NDArray[np.floating[Any]], ...]
"""The numbers of both players, in blocks of TILE hands: [slots][TILE]."""
_PARTS: Final = 64
"""Parts that the boards are cut into; each has its own sums, so that threads change no bit."""
_LINE: Final = 64
"""Bytes of a cache line."""
_NUMBERS: Final = 7
"""Coefficients of an iteration."""


class Engine:
    """The regrets and strategy sums of both players on all boards."""

    def __init__(
        self,
        game: EngineGame,
        threads: int = 1,
        real: type[np.floating[Any]] = np.float32,
        *,
        stored: bool | None = None,
        on_board: Callable[[int, int], object] | None = None,
    ) -> None:
        """Lay out a game; counts what comes after the last betting.

        Numbers are stored as `real`: float32, or float64 for comparisons. `stored` is whether all
        matrices of showdowns are, and `on_board` is told of each, see `PairMatrices`.
        """
        self.game, self.tree, self.threads = game, game.tree, threads
        dealt, rules, unit = game.dealt, game.rules, float(game.big_blind)
        self.layout = layout = NumberLayout(game)
        self.table = table = layout.table
        self.rows, self.betting, self._widths = layout.rows, layout.betting, layout.widths
        last = len(dealt) - 1
        self.real = real
        roots = int(self.betting.entries[0])
        self._start = np.ones((2, roots, int(self._widths[0])))
        self._exact = betting_layout(self.tree, np.float64, unit)
        to_come = [game.to_come + sum(dealt[s + 1 :]) for s in range(last + 1)]
        self.pairs = PairMatrices(
            table, self.rows, rules.lowest_rank, to_come, self.betting.shown.any(axis=0).tolist(),
            sampled=game.flops is not None, ranking=rules.ranking, stored=stored,
            threads=threads, on_board=on_board,
        )  # fmt: skip
        rows = self.rows
        self.boards = Boards(
            street=table.street,
            parent=table.parent,
            end=table.end,
            rows=table.rows,
            first=rows.first,
            place=layout.place,
            alike=np.stack([orbits(group).alike for group in table.groups]),
            many=rows.many,
            a=rows.a,
            b=rows.b,
            above=rows.above,
            lift=lifts(table, rows).astype(real),
            last=rows.last,
            pairs=self.pairs.place,
            ways=self.pairs.ways,
        )
        self._pair_arrays = {real: self.pairs.arrays(real) for real in (np.float32, np.float64)}
        self._runouts: list[Runouts | None] = [self.pairs.counting() for _ in range(threads)]
        self.regrets = tuple(_zeros(size, real) for size in layout.sizes)
        self.totals = tuple(_zeros(size, real) for size in layout.sizes)
        self._parts = self._cut()
        self._working: dict[str, tuple[list[Scratch], Scratch]] = {}
        self.team = ThreadTeam(threads)
        self.iteration = 0

    @property
    def hands(self) -> Int64Array:
        """int64[R]: the hands that stand for the rows of the empty board."""
        return self.rows.hand[: int(self.table.rows[0])].astype(np.int64)

    @property
    def many(self) -> FloatArray:
        """float64[R]: hands of each row of the empty board."""
        return self.rows.many[: int(self.table.rows[0])].astype(np.float64)

    @property
    def memory_bytes(self) -> int:
        """Bytes of the state, of the tables and of the working memory so far."""
        arrays = [*self.boards, *self._pair_arrays[np.float64], *self.regrets, *self.totals]
        for scratches, shared in self._working.values():
            arrays += [array for scratch in (*scratches, shared) for array in scratch]
        return sum(int(np.asarray(array).nbytes) for array in arrays)

    def _cut(self) -> Int64Array:
        """The boards with which parts begin, of about equal work, and the end."""
        first = np.flatnonzero(self.table.street == 1)
        if not len(first):
            return np.array([1], np.int64)
        # Boards from 1 on: the last one of a flop's subtree is end - 1, hence at end - 2 here.
        until = np.cumsum(self.table.rows[1:])[self.table.end[first] - 2]
        goals = until[-1] * np.arange(_PARTS) / _PARTS
        begins = first[np.unique(np.searchsorted(until, goals, side="right"))]
        return np.concatenate([begins, [len(self.table.rows)]]).astype(np.int64)

    def _memory(self, real: Any) -> tuple[list[Scratch], Scratch]:
        """The working memory of the threads, and what they share."""
        key = np.dtype(real).str
        if key not in self._working:
            streets, count = len(self.game.dealt), self.threads
            wide, exits = int(self._widths[0]), int(self.betting.exits[0])
            parts = np.zeros((max(1, len(self._parts) - 1), exits * wide), real)
            none = np.zeros((1, 1), real)
            start = self._start.reshape(-1).astype(real)
            values = np.zeros((2, len(start) // 2), real)
            self._working[key] = (
                [
                    self._scratch(real, range(1, streets), none, none.copy(), none[0].copy())
                    for _ in range(count)
                ],
                self._scratch(real, range(1), parts, values, start),
            )
        return self._working[key]

    def _scratch(
        self,
        real: Any,
        streets: Sequence[int],
        parts: FloatArray,
        values: FloatArray,
        start: FloatArray,
    ) -> Scratch:
        """Allocate working memory for some streets, zeros; the last three are fields of it."""
        betting: Betting = self.betting
        count = len(self.game.dealt)
        width = np.zeros(count, np.int64)
        for s in streets:
            width[s] = self._widths[self.table.street == s].max()
        lanes = -(-betting.lanes.astype(np.int64) // TILE) * TILE
        most = lanes.max(axis=0)
        out = int((-(-betting.shown.astype(np.int64) // TILE) * TILE + lanes).max())
        rows = filled_up(int(betting.rows.max()), TILE)

        def buffer(size: Any) -> Any:
            return _zeros(int(size) + TILE, real)

        def begins(sizes: Int64Array) -> Int64Array:
            return np.cumsum(sizes) - sizes

        faced, exits = width * most, width * betting.exits
        twice = np.concatenate([exits, exits])
        return Scratch(
            reach=buffer(rows * TILE),
            chances=buffer(betting.slots.max() * TILE),
            value=buffer(rows * TILE),
            out=buffer(out * TILE),
            faced=buffer(faced.sum()),
            face=begins(faced),
            won=buffer(width.max() * out),
            total=buffer(2 * most.max()),
            share=buffer(NUM_CARDS),
            sums=buffer(NUM_CARDS * most.max()),
            exits=buffer(twice.sum()),
            exit=begins(twice).reshape(2, count),
            below=buffer(exits.sum()),
            under=begins(exits),
            parts=parts,
            values=values,
            start=start,
        )

    def set_start(self, player: int, reach: FloatArray) -> None:
        """Let a player come to the beginning with a range.

        Args:
            player: The player.
            reach: float64[K, R]: how often with a hand of each row, to each of K roots of the tree.
        """
        self._start[player, :, : reach.shape[-1]] = reach
        for _, shared in self._working.values():
            shared.start[:] = self._start.reshape(-1)

    def update(self, player: int, row: FloatArray) -> FloatArray:
        """Update one player, whose turn it is in an iteration.

        Args:
            player: The player.
            row: float64[7], coefficients of a variant.

        Returns:
            float64[K, R]: what a hand of each row is worth at each root, under the strategies
            before the update; the opponent's reach is in it, the player's own is not.
        """
        with np.errstate(over="ignore"):  # a floor may become infinite
            table: NDArray[np.floating[Any]] = row[None].astype(self.real)
        return self._at_roots(self._pass(UPDATE, (player,), table), player)

    def best(self, player: int) -> FloatArray:
        """The values of best responses to the opponent's average strategy.

        Args:
            player: Who responds.

        Returns:
            float64[K, R], as `update` returns them.
        """
        root = self._pass(BEST, (player,), np.zeros((1, _NUMBERS)))
        return self._at_roots(root, player)

    def _at_roots(self, root: Scratch, player: int) -> FloatArray:
        rows, roots = int(self.table.rows[0]), len(self._start[0])
        values: FloatArray = root.values[player].reshape(roots, -1)[:, :rows].astype(np.float64)
        return values

    def apply(
        self,
        mode: int,
        player: int,
        played: Arrays,
        regrets: Arrays,
        totals: Arrays,
        row: FloatArray | None = None,
    ) -> None:
        """Run a pass for one player over given arrays in place of the engine's own.

        Args:
            mode: UPDATE, which puts instantaneous regrets into `regrets`, and the strategy times
                own reach into `totals`; or ANSWER, which puts best responses into `totals`.
            player: The player.
            played: What both play.
            regrets: Where regrets are put.
            totals: Where the rest is put.
            row: float64[7], coefficients of a variant, by which both are updated in place; None to
                overwrite them.
        """
        if row is None:
            row = np.array([0.0, 0.0, -np.inf, 1.0, 0.0, 0.0, 1.0])
        with np.errstate(over="ignore"):  # a floor may become infinite
            table: NDArray[np.floating[Any]] = row[None].astype(self.real)
        self._pass(mode, (player,), table, (regrets, totals, played))

    def _pass(
        self,
        mode: int,
        players: Sequence[int],
        table: NDArray[np.floating[Any]],
        given: tuple[Arrays, Arrays, Arrays] | None = None,
    ) -> Scratch:
        from equilibrist.kernels.exact_holdem.traversal import passes

        scratch, root = self._memory(table.dtype)
        own = self.regrets if mode == UPDATE else self.totals
        regrets, totals, played = given or (self.regrets, self.totals, own)
        in_single = table.dtype == np.float32
        betting = self.betting if in_single else self._exact
        pairs = self._pair_arrays[np.float32 if in_single else np.float64]
        counters = np.zeros(COUNTERS, np.int64)
        who = np.array(players, np.int64)

        def work(thread: int) -> None:
            passes(
                betting, self.boards, pairs, self._runouts[thread], regrets, totals, played,
                scratch[thread], root, self._parts, mode, who, table, thread, self.threads,
                counters,
            )  # fmt: skip

        self.team.run(work, self.threads, counters)
        return root

    def run(self, rows: FloatArray, players: Sequence[int] = (0, 1)) -> None:
        """Run an iteration for each row of coefficients, float64[T, 7]."""
        with np.errstate(over="ignore"):  # a floor may become infinite
            table: NDArray[np.floating[Any]] = rows.astype(self.real)
        for k in range(len(table)):
            self._pass(UPDATE, players, table[k : k + 1])
            self.iteration += 1

    def values(self, mode: int, real: Any = np.float64) -> FloatArray:
        """float64[2, R]: what a hand of each class wins, summed over the hands that it meets."""
        root = self._pass(mode, (0, 1), np.zeros((1, _NUMBERS), real))
        values: FloatArray = root.values[:, : int(self.table.rows[0])].astype(np.float64)
        return values

    def below(self, mode: int = VALUE) -> FloatArray:
        """float64[2, E, R]: the values of both players after each line to the flop.

        mode: `VALUE` for the average strategies of both, `BEST` for best responses to them.
        """
        wide, count = int(self._widths[0]), int(self.betting.exits[0])
        lines_by_player = []
        for player in (0, 1):
            root = self._pass(mode, (player,), np.zeros((1, _NUMBERS)))
            lines = root.below[: count * wide].reshape(count, wide)
            lines_by_player.append(lines[:, : int(self.table.rows[0])].copy())
        return np.stack(lines_by_player)

    def numbers(self, arrays: Arrays, board: int, player: int) -> dict[int, FloatArray]:
        """A player's numbers on a board from `regrets` or `totals`, by node of the tree.

        float64[A, R] with a column for each row of the board; copies.
        """
        street = int(self.table.street[board])
        return {
            node: self.numbers_at(arrays, board, node)
            for node, decision in self.layout.decisions.items()
            if (decision.player, decision.street) == (player, street)
        }

    def numbers_at(self, arrays: Arrays, board: int, node: int) -> FloatArray:
        """Numbers from `regrets` or `totals` at a decision on a board, float64[A, R]; a copy."""
        player = self.layout.decisions[node].player
        span = arrays[player][self.layout.span(board, player)]
        return self.layout.numbers_at(span, board, node)

    def put(self, arrays: Arrays, player: int, numbers: FloatArray) -> None:
        """Set a player's numbers on the empty board, float64[A, R]; those of its only decision."""
        self.layout.put_slots(arrays[player], numbers, 0, player)

    def strategies(self, board: int, player: int) -> dict[int, FloatArray]:
        """The average strategies of a player on a board, as `numbers`.

        All actions are alike where none was played.
        """
        totals = self.numbers(self.totals, board, player)
        return {node: matched(sums) for node, sums in totals.items()}

    def keep_averages(self) -> None:
        """Free what only further iterations would need."""
        self.team.release()
        self.regrets = ()
        self._working.clear()

    @property
    def deals(self) -> float:
        """The weight of all pairs of hands."""
        return float(self.many @ self.pairs.root.met.sum(axis=1))

    def gains(self) -> FloatArray:
        """float64[2, 2]: each player's value, and what a best response wins in its place.

        In big blinds; rows are players.
        """
        mean = self.values(VALUE) @ self.many
        best = self.values(BEST) @ self.many
        return np.stack([mean, best], axis=1) / self.deals


def _zeros(size: int, real: Any) -> FloatArray:
    """Zeros that begin a cache line: a vector of sixteen float32 then touches one line, not two."""
    room = np.zeros(size + _LINE // np.dtype(real).itemsize, real)
    skip = -room.ctypes.data % _LINE // room.itemsize
    return room[skip : skip + size]
