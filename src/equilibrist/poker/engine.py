"""The engine: regrets and strategy sums of a game with a public tree, and passes over it."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from equilibrist.kernels import ENDS
from equilibrist.kernels.postflop import passes
from equilibrist.kernels.postflop_arrays import (
    BEST,
    ENTER,
    LEAVE,
    UNLOCKED,
    UPDATE,
    VALUE,
    Plan,
    Scratch,
    Store,
)
from equilibrist.kernels.showdowns import SUMS
from equilibrist.poker.board_rows import BoardRows, NodeRows, facing_weights
from equilibrist.poker.board_table import board_table
from equilibrist.poker.lock_table import lock_table
from equilibrist.poker.program import betting_program
from equilibrist.poker.vector_game import VectorGame
from equilibrist.poker.visits import plan_of, visits_below, whole_plan
from equilibrist.reference.postflop import shared
from equilibrist.typing import FloatArray

Storage = Literal["float32", "int16", "float64"]
STORAGES: Final[tuple[Storage, ...]] = ("float32", "int16", "float64")
"""How regrets and strategy sums are kept; float64 is for comparisons."""
_LEAST_PARTS: Final = 4
_PART_SHARE: Final = 200
"""Parts that threads add up apart take at most one in so many bytes of what is learnt."""
_CACHE_LINE: Final = 64


class Engine:
    """The state of a solution that is being found, and what can be asked of it.

    `predicts` makes room for what predictive variants foresee. Averages are asked for per hand and
    decision, and are all actions alike before the first iteration.
    """

    def __init__(
        self,
        game: VectorGame,
        storage: Storage = "float32",
        *,
        threads: int = 1,
        predicts: bool = False,
    ) -> None:
        self.game = game
        self.storage = storage
        self.real: Any = np.float64 if storage == "float64" else np.float32
        self.betting = betting_program(game.tree, game.streets, self.real)
        self.table = board_table(game.cards, game.dealt, game.strengths, self.betting, self.real)
        first, behind = self.table.children[0]
        self.threads = min(threads, max(behind - first, 1))
        self.store = self._store(predicts)
        self.weights = [np.asarray(held, np.float64) for held in game.weights]
        facing = facing_weights(game.cards, self.weights)
        self.total = float(self.weights[0] @ facing[0])
        """The weight of all matchups at the root."""
        self._parts = self._part_count(behind - first)
        self._out = _numbers(self._parts * self._lines * max(self.table.wide), self.real)
        self._scratch = [self._working_memory() for _ in range(self.threads)]
        self._plans = [
            whole_plan(self.table.children, self._parts, thread, self.threads)
            for thread in range(self.threads)
        ]

    def run(self, coefficients: FloatArray, *, weigh: bool = False) -> None:
        """An iteration per row of `coefficients`, float64[T, 7]; `weigh` averages by own reach."""
        table = np.empty((len(coefficients), 8))
        table[:, :7] = coefficients
        table[:, 7] = weigh
        self._pass(UPDATE, (0, 2), table, self._plans)

    def values(self, player: int, *, best: bool = False, unlocked: bool = False) -> FloatArray:
        """float64[n]: what each hand of a player wins, summed over the hands that it faces.

        With the average strategies of both, or with a best response to the other's, which keeps to
        the player's own locks unless `unlocked`.
        """
        mode = UNLOCKED if unlocked else BEST if best else VALUE
        self._visit(player, self._plans, mode)
        order = self.table.hands[0][player]
        found = np.zeros(len(self.weights[player]))
        found[order] = self._value_row(player, 0, len(order))
        return found

    def expected(self, player: int, *, best: bool = False, unlocked: bool = False) -> float:
        """The mean of `values` over all matchups, in chips."""
        values = self.values(player, best=best, unlocked=unlocked)
        return float(self.weights[player] @ values) / self.total

    def exploitability(self, *, unlocked: bool = False) -> float:
        """How much the average strategies leave to best responses, the mean of both players.

        Best responses keep to the player's own locks unless `unlocked`.
        """
        best = sum(self.expected(player, best=True, unlocked=unlocked) for player in (0, 1))
        constant = self.game.constant_sum
        if constant is None:
            constant = sum(self.expected(player) for player in (0, 1))
        return (best - constant) / 2

    def at(self, node: int, cards: tuple[int, ...]) -> NodeRows:
        """The hands at a node of the tree, on a board that is solved, with the average strategies.

        `cards` are those dealt since the first board; after an all-in they may be more than the
        node's street has.
        """
        return self.on_board(cards).at(node)

    def on_board(self, cards: tuple[int, ...]) -> BoardRows:
        """All nodes of a street on a board that is solved, for the price of one."""
        path = self._path(cards)
        program, scratch, board = self.betting.program, self._scratch[0], path[-1]
        values = []
        for player in (0, 1):
            self._go_to(path, player)
            values.append(self._copied(scratch.value, program.value, player, board))
        reach = [self._copied(scratch.reach[who], program.slot, who, board) for who in (0, 1)]
        chance = float(np.prod([self.game.dealt[each].chance for each in path]))
        return BoardRows(self, board, chance, values, reach)

    def strategy(self, place: int, board: int) -> FloatArray:
        """float64[A, n]: the average strategy at a decision of the program on a board."""
        program, boards = self.betting.program, self.table.boards
        player, actions = int(program.player[place]), int(program.count[place])
        width = int(boards.width[player, board])
        start = int(boards.arena[player, board]) + int(program.row[place]) * width
        decision = int(boards.decisions[player, board]) + int(program.decision[place])
        sums = self.store.total[start : start + actions * width].astype(np.float64)
        fixed = np.full((actions, width), np.nan)
        if len(self.store.lock) and self.store.lock[decision] >= 0:
            lock = int(self.store.lock[decision])
            fixed = self.store.locks[lock : lock + actions * width].reshape(actions, width)
        found = shared(sums.reshape(actions, width), fixed.astype(np.float64))
        return found[:, : len(self.table.hands[board][player])]

    @property
    def arena_bytes(self) -> int:
        """Bytes of what is learnt."""
        return sum(array.nbytes for array in self.store)

    @property
    def memory_bytes(self) -> int:
        """Bytes of what is learnt, of the tables of the game, and of working memory."""
        tables = [*self.betting.program, *self.table.boards, self._out]
        for scratch in self._scratch:
            tables += [*scratch.reach, *scratch[1:-1]]
        for held in self.table.hands:
            tables += held
        return self.arena_bytes + sum(int(array.nbytes) for array in tables)

    @property
    def _lines(self) -> int:
        """Lines that leave the first street."""
        return int(self.betting.program.exits[1])

    def _pass(
        self,
        mode: int,
        players: tuple[int, int],
        coefficients: FloatArray,
        plans: Sequence[Plan],
    ) -> None:
        table = coefficients.astype(self.real)
        store = self.store
        played, scales = store.total, store.total_scale
        if mode == UPDATE:
            predicts = len(store.match) != 0
            played = store.match if predicts else store.regret
            scales = store.match_scale if predicts else store.regret_scale
        counter = np.zeros(1, np.int64)

        def work(thread: int) -> None:
            passes(
                self.betting.program,
                self.table.boards,
                store,
                played,
                scales,
                self._scratch[thread],
                self.table.wide,
                plans[thread],
                mode,
                players,
                table,
                len(plans),
                counter,
            )

        if len(plans) == 1:
            work(0)
        else:
            list(self._pool.map(work, range(len(plans))))

    def _visit(self, player: int, plans: Sequence[Plan], mode: int = VALUE) -> None:
        """A pass that learns nothing."""
        self._pass(mode, (player, player + 1), np.zeros((1, 8)), plans)

    def _go_to(self, path: list[int], player: int) -> None:
        """Find reach and a player's values on the last board of a path."""
        self._visit(player, [self._plan_to(path)])

    def exit_values(self, player: int) -> list[NDArray[Any]]:
        """What a player's hands are worth where lines leave a board for the next street.

        Of each street but the last: [boards, lines, wide], with the average strategies, over the
        hands of the board.
        """
        streets, last = self.table.boards.street, self.game.streets - 1
        plan = whole_plan(self.table.children, self._parts)
        found: list[list[NDArray[Any]]] = [[] for _ in range(last)]
        begin = 0
        for visit in np.flatnonzero((plan.what == LEAVE) & (streets[plan.board] < last)):
            piece = slice(begin, begin := int(visit) + 1)
            cut = plan._replace(board=plan.board[piece], what=plan.what[piece])
            self._visit(player, [cut])
            street = streets[plan.board[visit]]
            found[street].append(self._scratch[0].value[self._exit_places(player, street)])
        return [np.stack(rows) for rows in found]

    def _exit_places(self, player: int, street: int) -> NDArray[Any]:
        """int[lines, wide]: where values of the lines that leave a street stand."""
        program, wide = self.betting.program, self.table.wide[player]
        rows = program.value[player, program.exit[slice(*program.exits[street : street + 2])]]
        return np.asarray(rows.astype(np.int64)[:, None] * wide + np.arange(wide))

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self.threads, "equilibrist-spot")

    def _value_row(self, player: int, place: int, size: int) -> FloatArray:
        """What the hands of the board that was last left are worth at a place of the program."""
        start = int(self.betting.program.value[player, place]) * self.table.wide[player]
        return np.array(self._scratch[0].value[start : start + size], np.float64)

    def _copied(self, flat: Any, rows: Any, player: int, board: int) -> dict[int, FloatArray]:
        """The rows of a player's hands at the places of a board's street, by row."""
        street, wide = self.game.dealt[board].street, self.table.wide[player]
        size = len(self.table.hands[board][player])
        nodes = self.betting.program.nodes
        of_street = np.unique(rows[player, nodes[street] : nodes[street + 1]]).tolist()
        return {row: flat[row * wide : row * wide + size].copy() for row in of_street}

    def _path(self, cards: tuple[int, ...]) -> list[int]:
        """The boards from the first one to that of the cards."""
        path = [0]
        for k in range(len(cards)):
            below = range(*self.table.children[path[-1]])
            path.append(next(b for b in below if self.game.dealt[b].cards == cards[: k + 1]))
        return path

    def _store(self, predicts: bool) -> Store:
        small = self.storage == "int16"
        stored = np.int16 if small else self.real
        entries, scales = self.table.entries, self.table.decisions if small else 1
        return Store(
            _numbers(entries, stored),
            np.zeros(scales, np.float32),
            _numbers(entries if predicts else 0, stored),
            np.zeros(scales if predicts else 1, np.float32),
            _numbers(entries, stored),
            np.zeros(scales, np.float32),
            *lock_table(self.game.locks, self.betting, self.table, self.real),
        )

    def _part_count(self, boards: int) -> int:
        """Parts that are added up apart: the same for any number of threads, so that sums are."""
        each = max(self._lines * max(self.table.wide), 1)
        most = max(_LEAST_PARTS, 2 * self.table.entries // (_PART_SHARE * each))
        return max(min(boards, most), 1)

    def _working_memory(self) -> Scratch:
        wide, real = self.table.wide, self.real
        widest, actions = max(wide), self.betting.most_actions
        reach = []
        for player in (0, 1):
            rows = _numbers(self.betting.reach_rows[player] * wide[player], real)
            order = self.table.hands[0][player]
            start = int(self.betting.program.slot[player, 0]) * wide[player]
            rows[start : start + len(order)] = self.game.weights[player][order]
            reach.append(rows)
        shares = np.ones(actions + 1)
        shares[1:] /= np.arange(1, actions + 1)
        return Scratch(
            (reach[0], reach[1]),
            _numbers(self.betting.value_rows * widest, real),
            _numbers(3 * actions * widest, real),
            np.zeros(actions, np.uintp),
            _numbers((widest + 1) * ENDS, real),
            _numbers(widest * ENDS, real),
            _numbers(widest * ENDS, real),
            _numbers(SUMS, real),
            shares.astype(real),
            self._out,
        )

    def _plan_to(self, path: list[int]) -> Plan:
        """The visits that bring figures of the last board of a path."""
        children = self.table.children
        if len(path) == 1:
            return whole_plan(children, self._parts)
        visits = [(board, ENTER) for board in path[:-1]] + visits_below(children, path[-1])
        return plan_of(visits, len(children))


def _numbers(size: int, dtype: Any) -> NDArray[Any]:
    """Zeros that begin where a cache line does, which makes vectors faster."""
    raw = np.zeros(size + _CACHE_LINE // np.dtype(dtype).itemsize, dtype)
    shift = -raw.ctypes.data % _CACHE_LINE // raw.itemsize
    return raw[shift : shift + size]
