"""Traversals of a game: passes of the kernel over all boards, shared by threads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Final, Literal

import numpy as np

from equilibrist._jit import mark_warm
from equilibrist.kernels.poker.postflop import passes
from equilibrist.kernels.poker.postflop_arrays import (
    UPDATE,
    VALUE,
    WEIGH,
    WEIGHT,
    Deals,
    Locks,
    Pairs,
    Plan,
    Scratch,
)
from equilibrist.kernels.primitives.barrier import COUNTERS
from equilibrist.poker.postflop.engine.arena import Arena
from equilibrist.poker.postflop.engine.betting_layout import BettingProgram, betting_program
from equilibrist.poker.postflop.engine.layout import Layout
from equilibrist.poker.postflop.engine.perturbation import Perturbation, kernel_arguments
from equilibrist.poker.postflop.engine.schedule import plan_of, thread_plans
from equilibrist.poker.postflop.engine.scratch import bytes_of, working_memory
from equilibrist.solvers.run.threads import ThreadTeam
from equilibrist.typing import FloatArray, Int64Array

KERNEL: Final = "equilibrist.kernels.poker.postflop.passes"
"""The kernel that `_jit.cache_is_warm` checks, together with the kind."""
Part = Literal["street", "streets", "all", "folded", "prizes"]
"""One street; several; these, and locks; these, and the weights of pairs of hands, or what a tie is
worth where payoffs are prizes."""


def part_of(
    storage: str,
    streets: int,
    *,
    locked: bool,
    folded: bool = False,
    perturbed: bool = False,
    prizes: bool = False,
) -> Part:
    """The parts of the kernel that a game of so many streets needs."""
    if prizes:
        return "prizes"
    if folded:
        return "folded"
    if storage != "float32" or locked or perturbed:
        return "all"
    return "streets" if streets > 1 else "street"


def kind_of(
    storage: str,
    streets: int,
    *,
    locked: bool,
    folded: bool = False,
    perturbation: Perturbation | None = None,
    prizes: bool = False,
) -> str:
    """Name what the kernel is compiled for, as `_jit.mark_warm` notes it."""
    perturbed = perturbation is not None
    part = part_of(
        storage, streets, locked=locked, folded=folded, perturbed=perturbed, prizes=prizes
    )
    return f"{storage}-{part}" if perturbation is None else f"{storage}-{part}-{perturbation.kind}"


def parts_for(layout: Layout, arena: Arena) -> tuple[Deals | None, Pairs | None, Locks | None]:
    """The arrays of the parts; None for those that are left out of the kernel."""
    part = part_of(
        arena.storage,
        layout.game.streets,
        locked=arena.locks is not None,
        folded=layout.pairs is not None,
        perturbed=arena.perturbation is not None,
        prizes=layout.game.payoffs is not None,
    )
    deals = None if part == "street" else layout.table.deals
    if part not in ("all", "folded", "prizes"):
        return deals, layout.pairs, None
    locks = arena.locks or Locks(np.empty(0, np.int64), np.zeros(1, layout.real))
    return deals, layout.pairs, locks


class Traversal:
    """Passes that update an arena, or measure it, over all boards.

    At most as many threads as there are parts work in parallel.
    """

    def __init__(self, layout: Layout, arena: Arena, threads: int = 1) -> None:
        self._layout = layout
        self._arena = arena
        self.threads = min(threads, layout.parts)
        self.team = ThreadTeam(self.threads)
        self._apart = arena.has_frequency_locks
        children, work = layout.table.children, layout.table.regrets_of_boards
        self._plans = thread_plans(children, work, layout.parts, self.threads)

    def load(self) -> None:
        """Load or compile the kernel before timing starts."""
        self._measure((0, 1), VALUE, plans=[plan_of([], len(self._layout.table.children))])
        streets, locked = self._layout.game.streets, self._arena.locks is not None
        folded = self._layout.pairs is not None
        kind = kind_of(
            self._arena.storage,
            streets,
            locked=locked,
            folded=folded,
            perturbation=self._arena.perturbation,
            prizes=self._layout.game.payoffs is not None,
        )
        mark_warm(KERNEL, kind)

    def update(
        self,
        table: FloatArray,
        counters: Int64Array,
        *,
        players: tuple[int, int] = (0, 2),
    ) -> None:
        """Run an iteration per row of `table`, float64[T, 8], for each of `range(*players)`.

        `counters` are those of the threads, see `kernels.primitives.barrier`.
        """
        if table[:, WEIGH].any() and not self._apart:
            self._apart = True
            self.__dict__.pop("_scratch", None)
        self._pass(UPDATE, players, table, self._plans, counters)

    def update_one(self, player: int, table: FloatArray, counters: Int64Array) -> FloatArray:
        """Run one player's passes as `update` does; float64[n]: its values before the last one."""
        self.update(table, counters, players=(player, player + 1))
        return self._won(player)

    def values(self, player: int, mode: int) -> FloatArray:
        """float64[n]: each hand's counterfactual value, summed over unblocked opponent hands."""
        self._measure((player, player + 1), mode)
        return self._won(player)

    def values_of_both(self, mode: int, *, incentives: bool = False) -> list[FloatArray]:
        """The values of both players, in one call of the kernel, which wakes the threads once.

        With `incentives`, values of averages include those of locked frequencies, whose errors are
        measured.
        """
        self._measure((0, 2), mode, incentives=incentives)
        return [self._won(player) for player in (0, 1)]

    @property
    def memory_bytes(self) -> int:
        """Bytes of the compact program and of the threads' working memory."""
        arrays = [*self._compact.program, self._scratch[0].out]
        working = sum(bytes_of(scratch) for scratch in self._scratch)
        return working + sum(int(np.asarray(array).nbytes) for array in arrays)

    def _measure(
        self,
        players: tuple[int, int],
        mode: int,
        *,
        incentives: bool = False,
        plans: Sequence[Plan] | None = None,
    ) -> None:
        """A pass for each of `range(*players)` without updates."""
        row = np.zeros((1, 8))
        row[0, [WEIGHT, WEIGH]] = incentives
        counters = np.zeros(COUNTERS, np.int64)
        self._pass(mode, players, row, self._plans if plans is None else plans, counters)

    def _pass(
        self,
        mode: int,
        players: tuple[int, int],
        table: FloatArray,
        plans: Sequence[Plan],
        counters: Int64Array,
    ) -> None:
        work = work_of(
            self._layout, self._compact, self._arena, self._scratch, plans, mode, players, table,
            counters,
        )  # fmt: skip
        self.team.run(work, len(plans), counters)

    def _won(self, player: int) -> FloatArray:
        """float64[n]: the values of a player's hands from the last pass for that player."""
        order = self._layout.table.held(0)[player]
        values = np.zeros(len(self._layout.game.weights[player]))
        values[order] = self._scratch[0].won[player][: len(order)]
        return values

    @cached_property
    def _compact(self) -> BettingProgram:
        """The betting with fewer rows, for passes that need the values of the root only."""
        game = self._layout.game
        return betting_program(
            game.tree, game.streets, self._layout.real, compact=True, payoffs=game.payoffs
        )

    @cached_property
    def _scratch(self) -> list[Scratch]:
        """The threads' working memory."""
        layout = self._layout
        out = layout.new_out(layout.parts if self.threads > 1 else 1)
        # EVs of hands that block nearly all that comes to a node would be lost in rounding.
        perturbation = self._arena.perturbation
        quantal = perturbation is not None and perturbation.is_quantal
        return [
            working_memory(
                self._compact,
                layout.root,
                out,
                layout.real,
                apart=self._apart,
                exact=quantal,
                responds=quantal,
            )
            for _ in range(self.threads)
        ]


def work_of(
    layout: Layout,
    betting: BettingProgram,
    arena: Arena,
    scratch: Sequence[Scratch],
    plans: Sequence[Plan],
    mode: int,
    players: tuple[int, int],
    coefficients: FloatArray,
    counters: Int64Array,
) -> Callable[[int], None]:
    """The work of thread k in a pass, with scratch[k] and plans[k]."""
    with np.errstate(over="ignore"):  # a floor may become infinite
        table = coefficients.astype(layout.real)
    played, scales = arena.played(mode)
    threads = len(plans)
    deals, pairs, locks = parts_for(layout, arena)
    trembles, quantal = kernel_arguments(arena.perturbation, layout, betting)

    def work(thread: int) -> None:
        passes(
            betting.program,
            layout.table.boards,
            deals,
            pairs,
            arena.store,
            locks,
            trembles,
            quantal,
            betting.ties,
            played,
            scales,
            scratch[thread],
            layout.table.wide,
            plans[thread],
            mode,
            players,
            table,
            thread,
            threads,
            counters,
        )

    return work
