"""Reads an arena: the hands at a node, and the values between streets that files store."""

from __future__ import annotations

from functools import cached_property
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from equilibrist.kernels.poker.postflop_arrays import BEST, LEAVE, VALUE, Plan, Scratch
from equilibrist.kernels.primitives.barrier import COUNTERS
from equilibrist.poker.postflop.engine.arena import Arena
from equilibrist.poker.postflop.engine.layout import Layout
from equilibrist.poker.postflop.engine.node_rows import BoardRows
from equilibrist.poker.postflop.engine.schedule import plan_to, whole_plan
from equilibrist.poker.postflop.engine.scratch import working_memory
from equilibrist.poker.postflop.engine.traversal import work_of
from equilibrist.typing import FloatArray


class NodeReader:
    """Reads nodes under the average strategies; thread-safe, one reading at a time."""

    def __init__(self, layout: Layout, arena: Arena) -> None:
        self._layout = layout
        self._arena = arena
        self._looking = Lock()

    def on_board(self, cards: tuple[int, ...], *, best: bool = False) -> BoardRows:
        """All nodes of a street on a solved board, for the cost of one.

        `cards` are those dealt since the first board; after an all-in they may include cards of
        later streets than the node's. With `best`, values are those of a best response of their
        player to the other's average strategy.
        """
        with self._looking:
            return self._on_board(self._layout.path(cards), BEST if best else VALUE)

    def values_at(
        self, node: int, path: list[int], player: int, *, best: bool = False
    ) -> FloatArray:
        """The counterfactual values of a player's hands at one node on the last board of a path.

        As `BoardRows.counterfactual`, but net of what was paid before: differences of two readings
        are in units, summed over the opponent's hands with their reach.
        """
        with self._looking:
            layout, program = self._layout, self._layout.betting.program
            self._go_to(path, player, BEST if best else VALUE)
            street = layout.game.dealt[path[-1]].street
            nodes = layout.betting.node[program.nodes[street] : program.nodes[street + 1]]
            place = int(program.nodes[street] + np.flatnonzero(nodes == node)[0])
            start = int(program.value[player, place]) * layout.table.wide[player]
            live = int(layout.table.boards.live[player, path[-1]])
            won = self._scratch.value[player][start : start + live].astype(np.float64)
            chance = float(np.prod([layout.game.dealt[deal].chance for deal in path]))
            return np.asarray(won / chance)

    def exit_values(self, player: int) -> list[NDArray[Any]]:
        """The values of a player's hands where lines leave a board for the next street.

        For each street but the last: [boards, lines, wide], over the hands of the board.
        """
        with self._looking:
            return self._exit_values(player)

    def _on_board(self, path: list[int], mode: int) -> BoardRows:
        layout, scratch, board = self._layout, self._scratch, path[-1]
        program = layout.betting.program
        values = []
        for player in (0, 1):
            self._go_to(path, player, mode)
            values.append(self._copied(scratch.value[player], program.value, player, board))
        reach = [self._copied(scratch.reach[who], program.slot, who, board) for who in (0, 1)]
        chance = float(np.prod([layout.game.dealt[deal].chance for deal in path]))
        return BoardRows(
            game=layout.game,
            betting=layout.betting,
            table=layout.table,
            strategy=self._arena.strategy,
            board=board,
            chance=chance,
            values=values,
            reach=reach,
        )

    def _go_to(self, path: list[int], player: int, mode: int) -> None:
        """Compute reach and a player's values on the last board of a path."""
        self._visit(player, plan_to(self._layout.table.children, path, self._layout.parts), mode)

    def _exit_values(self, player: int) -> list[NDArray[Any]]:
        layout = self._layout
        streets, last = layout.table.boards.street, layout.game.streets - 1
        plan = whole_plan(layout.table.children, layout.parts)
        rows_by_street: list[list[NDArray[Any]]] = [[] for _ in range(last)]
        begin = 0
        for visit in np.flatnonzero((plan.what == LEAVE) & (streets[plan.board] < last)):
            piece = slice(begin, begin := int(visit) + 1)
            self._visit(player, plan._replace(board=plan.board[piece], what=plan.what[piece]))
            street = streets[plan.board[visit]]
            rows_by_street[street].append(
                self._scratch.value[player][self._exit_places(player, street)]
            )
        return [np.stack(rows) for rows in rows_by_street]

    def _exit_places(self, player: int, street: int) -> NDArray[Any]:
        """int[lines, wide]: the positions of the values of lines that leave a street."""
        program, wide = self._layout.betting.program, self._layout.table.wide[player]
        rows = program.value[player, program.exit[slice(*program.exits[street : street + 2])]]
        return np.asarray(rows.astype(np.int64)[:, None] * wide + np.arange(wide))

    def _copied(self, flat: Any, rows: Any, player: int, board: int) -> dict[int, FloatArray]:
        """Copies of a player's rows at the places of a board's street, by row."""
        layout = self._layout
        street, wide = layout.game.dealt[board].street, layout.table.wide[player]
        size = int(layout.table.boards.live[player, board])
        nodes = layout.betting.program.nodes
        of_street = np.unique(rows[player, nodes[street] : nodes[street + 1]]).tolist()
        return {row: flat[row * wide : row * wide + size].copy() for row in of_street}

    def _visit(self, player: int, plan: Plan, mode: int = VALUE) -> None:
        """A pass for a player that keeps all rows of a board."""
        work = work_of(
            self._layout, self._layout.betting, self._arena, [self._scratch], [plan], mode,
            (player, player + 1), np.zeros((1, 8)), np.zeros(COUNTERS, np.int64),
        )  # fmt: skip
        work(0)

    @cached_property
    def _scratch(self) -> Scratch:
        """Working memory of a single thread that keeps all rows of a board."""
        layout = self._layout
        out = layout.new_out(1)
        return working_memory(layout.betting, layout.root, out, layout.real, apart=True, exact=True)
