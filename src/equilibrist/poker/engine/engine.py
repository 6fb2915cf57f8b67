"""The engine: regrets and strategy sums of a game with a public tree, and passes over it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from threading import Lock, RLock
from typing import Any, Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from equilibrist._jit import mark_warm
from equilibrist.kernels.poker.postflop import passes
from equilibrist.kernels.poker.postflop_arrays import (
    BEST,
    LEAVE,
    UNLOCKED,
    UPDATE,
    VALUE,
    WEIGH,
    WEIGHT,
    Plan,
    Scratch,
    Store,
)
from equilibrist.kernels.primitives.barrier import BEGUN, COUNTERS
from equilibrist.poker.engine.betting_layout import BettingProgram, betting_program
from equilibrist.poker.engine.board_layout import board_table
from equilibrist.poker.engine.lock_layout import LockTable, lock_table, missed_frequency
from equilibrist.poker.engine.node_rows import BoardRows, NodeRows, average_of, facing_weights
from equilibrist.poker.engine.schedule import (
    LEAST_PARTS,
    PART_SHARE,
    plan_of,
    plan_to,
    thread_plans,
    whole_plan,
)
from equilibrist.poker.engine.scratch import bytes_of, numbers, working_memory
from equilibrist.poker.engine.threads import Team
from equilibrist.poker.engine.vector_game import VectorGame
from equilibrist.typing import FloatArray, Int64Array

EngineStorage = Literal["float32", "int16", "float64"]
STORAGES: Final[tuple[EngineStorage, ...]] = get_args(EngineStorage)
"""How regrets and strategy sums are kept; float64 is for comparisons."""
KERNEL: Final = "equilibrist.kernels.poker.postflop.passes"
"""What `_jit.cache_is_warm` is asked for, with the storage."""


class Engine:
    """The state of a solution that is being found, and what can be asked of it.

    `predicts` makes room for what predictive variants foresee; `betting` is the program of the
    game's tree where it is there already. Averages are asked for per hand and decision, and are all
    actions alike before the first iteration.
    """

    def __init__(
        self,
        game: VectorGame,
        storage: EngineStorage = "float32",
        *,
        threads: int = 1,
        predicts: bool = False,
        betting: BettingProgram | None = None,
    ) -> None:
        self.game = game
        self.storage = storage
        self.real: Any = np.float64 if storage == "float64" else np.float32
        self.betting = betting or betting_program(game.tree, game.streets, self.real)
        self.table = board_table(game.cards, game.dealt, game.strengths, self.betting, self.real)
        first, behind = self.table.children[0]
        self._parts = self._part_count(behind - first)
        self.threads = min(threads, self._parts)
        locks = lock_table(game, self.betting, self.table, self.real)
        self.store = self._store(predicts, locks)
        self.aims = locks.aims
        """int64[K, 4]: decisions with frequencies, see `LockTable`."""
        self.weights = [np.asarray(held, np.float64) for held in game.weights]
        facing = facing_weights(game.cards, self.weights)
        self.total = float(self.weights[0] @ facing[0])
        """The weight of all matchups at the root."""
        self._apart = self.has_aims
        self._measured = False
        self._working = RLock()  # of runs; one that Ctrl-C leaks still lets its own thread in
        self._looking = Lock()  # the viewer
        self.team = Team(self.threads)
        self.iteration = 0
        children, work = self.table.children, self.table.regrets_of_boards
        self._plans = thread_plans(children, work, self._parts, self.threads)

    @property
    def has_aims(self) -> bool:
        """Whether there are frequencies."""
        return len(self.aims) > 0

    @property
    def iteration(self) -> int:
        """Iterations so far, as the state has them; while a run goes on all of it counts."""
        before, count, counters = self._last
        return before + count * int(counters[BEGUN] > 0)

    @iteration.setter
    def iteration(self, number: int) -> None:
        self._last = number, 0, np.zeros(COUNTERS, np.int64)

    def load(self) -> None:
        """Have the kernel ready, compiled now if need be, before a clock starts."""
        self._visit((0, 1), [plan_of([], len(self.table.children))])
        mark_warm(KERNEL, self.storage)

    def run(self, coefficients: FloatArray, *, weigh: bool = False) -> None:
        """An iteration per row of `coefficients`, float64[T, 7]; `weigh` averages by own reach.

        With frequencies they always are: else averages need not meet what all iterations met.
        """
        weigh = weigh or self.has_aims
        table = np.column_stack([coefficients, np.full(len(coefficients), weigh)])
        with self._working:
            self._measured = False
            if weigh and not self._apart:
                self._apart = True
                self.__dict__.pop("_threads", None)
            last = self._last = self.iteration, len(table), np.zeros(COUNTERS, np.int64)
            self._pass(UPDATE, (0, 2), table, self._plans, counters=last[-1])

    def values(self, player: int, *, best: bool = False, unlocked: bool = False) -> FloatArray:
        """float64[n]: what each hand of a player wins, summed over the hands that it faces.

        With the average strategies of both, or with a best response to the other's, which keeps to
        the player's own locks unless `unlocked`: to frequencies by the incentives to meet them.
        """
        mode = UNLOCKED if unlocked else BEST if best else VALUE
        with self._working:
            self._visit((player, player + 1), self._plans, mode)
            return self._won(player)

    def expected(self, player: int, *, best: bool = False, unlocked: bool = False) -> float:
        """The mean of `values` over all matchups, in chips."""
        return self._mean(player, self.values(player, best=best, unlocked=unlocked))

    def exploitability(self, *, unlocked: bool = False) -> float:
        """How much the average strategies leave to best responses, the mean of both players.

        Best responses keep to the player's own locks unless `unlocked`. Rounding can put them a
        hair below the strategies themselves: that is 0. With frequencies it is the exploitability
        of the game with their incentives, of which an equilibrium that meets the frequencies is one
        of the game without: nobody who meets them too gains anything.
        """
        constant = self.game.constant_sum
        paid = self.has_aims and not unlocked
        with self._working:
            best = self._sum_of_both(UNLOCKED if unlocked else BEST)
            if constant is None or paid:
                constant = self._sum_of_both(VALUE, incentives=paid)
        return max((best - constant) / 2, 0.0)

    def missed(self) -> float:
        """By how much averages miss a frequency at a node, the worst of them; 0 without any."""
        with self._working:
            if self.has_aims and not self._measured:
                self._sum_of_both(VALUE, incentives=True)
            return missed_frequency(self.aims, self.store.locks)

    def at(self, node: int, cards: tuple[int, ...]) -> NodeRows:
        """The hands at a node of the tree, on a board that is solved, with the average strategies.

        `cards` are those dealt since the first board; after an all-in they may be more than the
        node's street has.
        """
        return self.on_board(cards).at(node)

    def on_board(self, cards: tuple[int, ...]) -> BoardRows:
        """All nodes of a street on a board that is solved, for the price of one.

        May be called from several threads.
        """
        with self._looking:
            return self._on_board(self._path(cards))

    def _on_board(self, path: list[int]) -> BoardRows:
        program, scratch, board = self.betting.program, self._viewer, path[-1]
        values = []
        for player in (0, 1):
            self._go_to(path, player)
            values.append(self._copied(scratch.value[player], program.value, player, board))
        reach = [self._copied(scratch.reach[who], program.slot, who, board) for who in (0, 1)]
        chance = float(np.prod([self.game.dealt[each].chance for each in path]))
        return BoardRows(
            self.game, self.betting, self.table, self.strategy, board, chance, values, reach
        )

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
        found = average_of(sums.reshape(actions, width), fixed.astype(np.float64))
        return found[:, : int(boards.live[player, board])]

    @property
    def arena_bytes(self) -> int:
        """Bytes of what is learnt."""
        return sum(array.nbytes for array in self.store)

    @property
    def memory_bytes(self) -> int:
        """Bytes of what is learnt, of the tables of the game, and of working memory."""
        tables = [*self.betting.program, *self._compact.program, *self.table.boards, *self._root]
        tables.append(self._threads[0].out)
        working = self.aims.nbytes + sum(bytes_of(scratch) for scratch in self._threads)
        return self.arena_bytes + working + sum(int(array.nbytes) for array in tables)

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
        viewed: bool = False,
        counters: Int64Array | None = None,
    ) -> None:
        betting, store = self.betting if viewed else self._compact, self.store
        with np.errstate(over="ignore"):  # a floor may as well be infinite
            table = coefficients.astype(self.real)
        played, scales = store.total, store.total_scale
        if mode == UPDATE:
            predicts = len(store.match) != 0
            played = store.match if predicts else store.regret
            scales = store.match_scale if predicts else store.regret_scale
        scratch = [self._viewer] if viewed else self._threads
        counters = np.zeros(COUNTERS, np.int64) if counters is None else counters

        def work(thread: int) -> None:
            passes(
                betting.program,
                self.table.boards,
                store,
                played,
                scales,
                scratch[thread],
                self.table.wide,
                plans[thread],
                mode,
                players,
                table,
                thread,
                len(plans),
                counters,
            )

        self.team.run(work, len(plans), counters)

    def _visit(
        self,
        players: tuple[int, int],
        plans: Sequence[Plan],
        mode: int = VALUE,
        *,
        viewed: bool = False,
        incentives: bool = False,
    ) -> None:
        """A pass for each of `range(*players)` that learns nothing.

        `viewed` leaves all rows of a board as they are found.
        """
        row = np.zeros((1, 8))
        row[0, [WEIGHT, WEIGH]] = incentives
        self._pass(mode, players, row, plans, viewed)

    def _sum_of_both(self, mode: int, *, incentives: bool = False) -> float:
        """What both win in the mean, in one call of the kernel, for which threads wake up once.

        Averages' values have the incentives of frequencies if told to; what they miss is measured.
        """
        self._visit((0, 2), self._plans, mode, incentives=incentives)
        self._measured |= incentives
        return sum(self._mean(player, self._won(player)) for player in (0, 1))

    def _won(self, player: int) -> FloatArray:
        """float64[n]: what a player's hands won in the last pass for him."""
        order = self.table.held(0)[player]
        found = np.zeros(len(self.weights[player]))
        found[order] = self._threads[0].won[player][: len(order)]
        return found

    def _mean(self, player: int, values: FloatArray) -> float:
        """Over all matchups."""
        return float(self.weights[player] @ values) / self.total

    def _go_to(self, path: list[int], player: int) -> None:
        """Find reach and a player's values on the last board of a path."""
        plan = plan_to(self.table.children, path, self._parts)
        self._visit((player, player + 1), [plan], viewed=True)

    def exit_values(self, player: int) -> list[NDArray[Any]]:
        """What a player's hands are worth where lines leave a board for the next street.

        Of each street but the last: [boards, lines, wide], with the average strategies, over the
        hands of the board.
        """
        with self._looking:
            return self._exit_values(player)

    def _exit_values(self, player: int) -> list[NDArray[Any]]:
        streets, last = self.table.boards.street, self.game.streets - 1
        plan = whole_plan(self.table.children, self._parts)
        found: list[list[NDArray[Any]]] = [[] for _ in range(last)]
        begin = 0
        for visit in np.flatnonzero((plan.what == LEAVE) & (streets[plan.board] < last)):
            piece = slice(begin, begin := int(visit) + 1)
            cut = plan._replace(board=plan.board[piece], what=plan.what[piece])
            self._visit((player, player + 1), [cut], viewed=True)
            street = streets[plan.board[visit]]
            found[street].append(self._viewer.value[player][self._exit_places(player, street)])
        return [np.stack(rows) for rows in found]

    def _exit_places(self, player: int, street: int) -> NDArray[Any]:
        """int[lines, wide]: where values of the lines that leave a street stand."""
        program, wide = self.betting.program, self.table.wide[player]
        rows = program.value[player, program.exit[slice(*program.exits[street : street + 2])]]
        return np.asarray(rows.astype(np.int64)[:, None] * wide + np.arange(wide))

    def _copied(self, flat: Any, rows: Any, player: int, board: int) -> dict[int, FloatArray]:
        """The rows of a player's hands at the places of a board's street, by row."""
        street, wide = self.game.dealt[board].street, self.table.wide[player]
        size = int(self.table.boards.live[player, board])
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

    def _store(self, predicts: bool, locks: LockTable) -> Store:
        small = self.storage == "int16"
        stored = np.int16 if small else self.real
        entries, scales = self.table.entries, self.table.decisions if small else 1
        return Store(
            numbers(entries, stored),
            np.zeros(scales, np.float32),
            numbers(entries if predicts else 0, stored),
            np.zeros(scales if predicts else 1, np.float32),
            numbers(entries, stored),
            np.zeros(scales, np.float32),
            locks.lock,
            locks.locks,
        )

    def _part_count(self, boards: int) -> int:
        """Parts that are added up apart: the same for any number of threads, so that sums are."""
        each = max(self._lines * max(self.table.wide), 1)
        most = max(LEAST_PARTS, 2 * self.table.entries // (PART_SHARE * each))
        return max(min(boards, most), 1)

    @cached_property
    def _compact(self) -> BettingProgram:
        """The betting with fewer rows, for passes of which the root's values alone are wanted."""
        return betting_program(self.game.tree, self.game.streets, self.real, compact=True)

    @cached_property
    def _root(self) -> list[NDArray[Any]]:
        """The weights of either player's hands, in the order of the first board."""
        rows = []
        for wide, order, weights in zip(
            self.table.wide, self.table.held(0), self.game.weights, strict=True
        ):
            row = numbers(wide, self.real)
            row[: len(order)] = weights[order]
            rows.append(row)
        return rows

    @cached_property
    def _threads(self) -> list[Scratch]:
        """What threads work in."""
        out = self._new_out(self._parts if self.threads > 1 else 1)
        return [
            working_memory(self._compact, self._root, out, self.real, apart=self._apart)
            for _ in range(self.threads)
        ]

    @cached_property
    def _viewer(self) -> Scratch:
        """What a thread alone works in where all rows of a board are wanted."""
        out = self._new_out(1)
        return working_memory(self.betting, self._root, out, self.real, apart=True, exact=True)

    def _new_out(self, parts: int) -> NDArray[Any]:
        return numbers(parts * self._lines * max(self.table.wide), self.real)
