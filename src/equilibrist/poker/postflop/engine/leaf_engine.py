"""The engine of one street: a spot whose later streets are replaced by values of leaves.

A pass carries the reach of both players down to the lines that leave the street, asks what their
leaves are worth for these ranges, and carries the values up with the kernel of whole spots. Lines
that are all-in have no leaves: they are worth their equity, which is computed once.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from equilibrist.errors import MismatchError
from equilibrist.kernels.poker.postflop_arrays import (
    BEST,
    ENTER,
    LEAVE,
    UPDATE,
    VALUE,
    WEIGH,
    Scratch,
)
from equilibrist.kernels.primitives.barrier import COUNTERS
from equilibrist.kernels.primitives.products import add_products
from equilibrist.poker.betting.street_tree import CHANCE
from equilibrist.poker.cards.cards import card_mask
from equilibrist.poker.cards.combos import NUM_COMBOS, without_cards
from equilibrist.poker.equities.runouts import pair_shares
from equilibrist.poker.postflop.engine.arena import Arena
from equilibrist.poker.postflop.engine.layout import Layout
from equilibrist.poker.postflop.engine.leaves import (
    HoldemLeafValues,
    KeepsBoards,
    Leaves,
    PreparedLeaves,
    StreetLeaves,
    ValuesStreets,
)
from equilibrist.poker.postflop.engine.node_rows import CardRemoval
from equilibrist.poker.postflop.engine.schedule import plan_of
from equilibrist.poker.postflop.engine.scratch import working_memory
from equilibrist.poker.postflop.engine.traversal import work_of
from equilibrist.poker.postflop.engine.vector_game import VectorGame
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.typing import BoolArray, FloatArray, Int64Array

_REAL: Final = np.float64
"""One street is small, and its leaves cost the most by far."""


class ExitLines(NamedTuple):
    """The lines that leave the street, L of them, amounts in units."""

    places: Int64Array
    """int64[L]: their places in the program."""
    nodes: Int64Array
    """int64[L]: their nodes in the public tree."""
    are_leaves: BoolArray
    """bool[L]: whether betting goes on; the others are all-in."""
    pots: FloatArray
    """float64[L]: the pot, or what the better hand wins of an all-in."""
    paid: FloatArray
    """float64[L]: what either player has put in since the root."""


class LeafEngine:
    """The state of a solve of one street, and measurements of it.

    Attributes:
        game: The whole game, of which the first board is solved.
        layout: The layout of the street in arrays.
        arena: Regrets and strategy sums, in float64.
        iteration: Completed iterations.
        queries: How many leaves have been valued.
    """

    def __init__(
        self, spot: Spot, game: VectorGame, leaf_values: HoldemLeafValues, *, predicts: bool = False
    ) -> None:
        """Lay out the first street of a spot.

        Args:
            spot: The spot, without rake.
            game: Its game; suit images of next cards are those that it has.
            leaf_values: What says what leaves are worth.
            predicts: Whether predicted regrets are kept, for predictive variants.

        Raises:
            MismatchError: The values are of another street.
        """
        wanted = len(spot.cards) + 1
        if leaf_values.num_cards != wanted:
            raise MismatchError(
                f"{leaf_values.name} values boards of {leaf_values.num_cards} cards, but the spot "
                f"on {spot.board} needs values of boards of {wanted}",
                option="values",
                given=leaf_values.num_cards,
                expected=wanted,
                remedy="take values of the next street",
            )
        self.game = game
        self.layout = Layout.of(replace(game, dealt=game.dealt[:1]), _REAL)
        self.arena = Arena(self.layout, "float64", predicts=predicts)
        self.iteration = 0
        self.queries = 0
        self._values = leaf_values
        self._board, self._deck = spot.cards, spot.whole_deck
        self._combos = [np.flatnonzero(held.weights).astype(np.int32) for held in spot.ranges]
        self._weights = [np.asarray(held, np.float64) for held in game.weights]
        self._removal = [
            CardRemoval(game.cards[player], game.cards[1 - player]) for player in (0, 1)
        ]
        self.total = float(self._weights[0] @ self._removal[0].left(self._weights[1][None])[0])
        self._deals = [board for board in game.dealt if board.street == 1]
        free = [without_cards(card_mask(board.cards)) for board in self._deals]
        self._free = [np.stack(free)[:, combos] for combos in self._combos]
        self._lines = self._exit_lines(spot)
        self._stack = float(spot.rules().scale.units(spot.stack))

    @property
    def num_leaves(self) -> int:
        """The leaves that are valued at a time, up to the symmetry of suits."""
        return int(self._lines.are_leaves.sum()) * len(self._deals)

    @property
    def memory_bytes(self) -> int:
        """Bytes of the solver state, of ranges and values of leaves, and of what they keep."""
        number = np.dtype(_REAL).itemsize
        leaves = 2 * self.num_leaves * 2 * NUM_COMBOS * number
        shares = 0
        if isinstance(self._values, ValuesStreets) or not self._lines.are_leaves.all():
            shares = 2 * len(self._combos[0]) * len(self._combos[1]) * number
        kept = 0
        if leaves and isinstance(self._values, KeepsBoards):
            kept = self._values.kept_bytes(self._boards, (self._combos[0], self._combos[1]))
        return self.arena.nbytes + self.layout.memory_bytes + leaves + shares + kept

    def load(self) -> None:
        """Load or compile all kernels, those of leaf values and equities too, before timing starts.

        Leaves are valued once, for uniform play.
        """
        self._pass(0, VALUE, VALUE, np.zeros(8))
        self.queries = 0

    def run(self, coefficients: FloatArray, *, weigh: bool = False) -> None:
        """Run an iteration per row of `coefficients`, float64[T, 7]; `weigh` averages by own reach.

        Leaves are valued before each player's update, for the ranges of the strategies of then.
        """
        for row in coefficients:
            for player in (0, 1):
                self._pass(player, UPDATE, UPDATE, np.append(row, weigh))
            self.iteration += 1

    def values(self, player: int, *, best: bool = False) -> FloatArray:
        """float64[n]: the counterfactual value of each hand with the average strategies.

        With `best`, those of a best response on this street against leaves as the average
        strategies value them: an estimate, since leaves would be worth other values to it.
        """
        self._pass(player, VALUE, BEST if best else VALUE, np.zeros(8))
        order = self.layout.table.held(0)[player]
        values = np.zeros(len(self._weights[player]))
        values[order] = self._scratch.won[player][: len(order)]
        return values

    def expected(self, player: int, *, best: bool = False) -> float:
        """The mean of `values` over all matchups, in units."""
        return float(self._weights[player] @ self.values(player, best=best)) / self.total

    def estimated_gain(self) -> float:
        """The mean gain of responses on this street, against leaves as they are valued now.

        In units. It bounds nothing: it says when more iterations no longer help.
        """
        gains = (self.expected(who, best=True) - self.expected(who) for who in (0, 1))
        return max(sum(gains) / 2, 0.0)

    def clear(self) -> None:
        """Forget all iterations."""
        self.arena.clear()
        self.iteration = 0

    def exit_values(self, player: int) -> list[NDArray[Any]]:
        """A player's values where lines leave the street, under the average strategies.

        As `NodeReader.exit_values`: one array, [1, lines, wide].
        """
        self._pass(player, VALUE, VALUE, np.zeros(8))
        return [self._scratch.value[player][self._rows_of_values(player)][None].copy()]

    @property
    def reader(self) -> LeafEngine:
        """What gives `exit_values`, as `Engine.reader`."""
        return self

    def line_values(self, player: int, reach: list[FloatArray]) -> FloatArray:
        """What the lines that leave the street are worth to the hands of a player.

        Args:
            player: The player.
            reach: float64[L, n] of both players, in the weights of the game.

        Returns:
            float64[L, n]: counterfactual values in units, from the root on.
        """
        lines = self._lines
        met = self._removal[player].left(reach[1 - player])
        values = np.empty((len(lines.nodes), len(self._weights[player])))
        leaf, ended = np.flatnonzero(lines.are_leaves), np.flatnonzero(~lines.are_leaves)
        if self._prepared is not None:
            ended = np.arange(len(values))  # leaves are checked down, and then corrected
        if len(ended):
            shares = self._pair_shares[player]
            won = np.zeros((len(ended), shares.shape[1]))
            add_products(reach[1 - player][ended], shares, won)
            values[ended] = lines.pots[ended, None] * won - lines.paid[ended, None] * met[ended]
        if self._prepared is not None:
            beyond = self._prepared.beyond_check_down(player, [rows[leaf] for rows in reach])
            values[leaf] += lines.pots[leaf, None] * self._over_cards(player, beyond)
            self.queries += len(leaf) * len(self._deals)
        elif len(leaf):
            from_half = lines.pots[leaf] / 2 - lines.paid[leaf]
            values[leaf] = from_half[:, None] * met[leaf]
            values[leaf] += self._leaf_values(player, leaf, [rows[leaf] for rows in reach])
        return values

    def _leaf_values(self, player: int, lines: Int64Array, reach: list[FloatArray]) -> FloatArray:
        """float64[lines, n]: the values of leaves from half of the pot, over all next cards."""
        count, cards = len(lines), len(self._deals)
        parts = [rows[:, None] * free for rows, free in zip(reach, self._free, strict=True)]
        masses = [part.sum(axis=2) for part in parts]
        # [lines, cards]; without opponents values are 0, and so they are where a card blocks all
        # hands of the player, of whom there would be no range.
        asked = (masses[1 - player] > 0) & self._free[player].any(axis=1)
        line, card = np.nonzero(asked)
        valued = np.zeros((count, cards, len(self._combos[player])))
        if len(line):
            ranges = np.zeros((len(line), 2, NUM_COMBOS))
            for who in (0, 1):
                ranges[:, who, self._combos[who]] = self._range_of(
                    who, parts[who][line, card], card
                )
            per_chip = self.game.tree.scale.per_chip
            pots = self._lines.pots[lines[line]]
            stacks = self._stack - self._lines.paid[lines[line]]
            leaves = Leaves(
                boards=self._boards[card],
                pots=pots / per_chip,
                stacks=stacks / per_chip,
                nodes=self._lines.nodes[lines[line]].astype(np.int32),
                held=(self._combos[0], self._combos[1]),
            )
            in_pots = self._values.values(leaves, ranges)[:, player][:, self._combos[player]]
            scale = pots * masses[1 - player][line, card]
            valued[line, card] = scale[:, None] * in_pots
            self.queries += len(line)
        valued *= self._free[player]
        return self._over_cards(player, valued)

    def _over_cards(self, player: int, valued: FloatArray) -> FloatArray:
        """float64[lines, n]: sums of float64[lines, deals, n] over all next cards."""
        values = np.zeros((len(valued), valued.shape[2]))
        for number, board in enumerate(self._deals):
            rows = board.chance * valued[:, number]
            values += rows
            live = np.flatnonzero(self._free[player][number])
            for ways in board.images:
                values[:, ways[player][live]] += rows[:, live]
        return values

    @cached_property
    def _prepared(self) -> PreparedLeaves | None:
        """What values all leaves at once; None if there are none, or values are asked each time."""
        leaf = np.flatnonzero(self._lines.are_leaves)
        if not len(leaf) or not isinstance(self._values, ValuesStreets):
            return None
        per_chip = self.game.tree.scale.per_chip
        street = StreetLeaves(
            boards=self._boards,
            pots=self._lines.pots[leaf] / per_chip,
            stacks=(self._stack - self._lines.paid[leaf]) / per_chip,
            held=(self._combos[0], self._combos[1]),
            weights=(self._weights[0], self._weights[1]),
        )
        return self._values.on_street(street)

    def _range_of(self, player: int, rows: FloatArray, card: Int64Array) -> FloatArray:
        """Rows that add up to 1; where no hand comes, the range of the root stands in."""
        total = rows.sum(axis=1, keepdims=True)
        whole = self._weights[player] * self._free[player][card]
        rows = np.where(total > 0, rows, whole)
        return np.asarray(rows / rows.sum(axis=1, keepdims=True))

    @cached_property
    def _boards(self) -> NDArray[np.int8]:
        """int8[deals, cards]: the boards of leaves."""
        return np.array([(*self._board, *board.cards) for board in self._deals], np.int8)

    @cached_property
    def _pair_shares(self) -> tuple[FloatArray, FloatArray]:
        """float64[theirs, own] of both players: their shares of all-in pots."""
        oop_shares, ip_shares = pair_shares(self._board, *self._combos, deck=self._deck)
        return np.ascontiguousarray(oop_shares.T), ip_shares

    def _exit_lines(self, spot: Spot) -> ExitLines:
        program, tree = self.layout.betting.program, self.game.tree
        places = program.exit[slice(*program.exits[:2])].astype(np.int64)
        nodes = self.layout.betting.node[places].astype(np.int64)
        paid = tree.paid[nodes].min(axis=1).astype(np.float64)
        return ExitLines(
            places=places,
            nodes=nodes,
            are_leaves=np.asarray(tree.kind[nodes] == CHANCE),
            pots=float(spot.rules().root().pot) + 2 * paid,
            paid=paid,
        )

    def _pass(self, player: int, played: int, mode: int, row: FloatArray) -> None:
        """A pass for a player, whose leaves are valued for the reach of both in mode `played`."""
        both = row.copy()
        both[WEIGH] = 1.0  # the reach of both players
        self._visit(player, (ENTER,), played, both)
        reach = [self._exit_reach(who) for who in (0, 1)]
        if len(self._lines.nodes):
            order, scratch = self.layout.table.held(0)[player], self._scratch
            rows = np.zeros((len(self._lines.nodes), self.layout.table.wide[player]))
            rows[:, : len(order)] = self.line_values(player, reach)[:, order]
            scratch.value[player][self._rows_of_values(player)] = rows
        self._visit(player, (LEAVE,), mode, row)

    def _exit_reach(self, who: int) -> FloatArray:
        """float64[L, n]: the reach of a player at the lines that leave, in the game's order."""
        order, wide = self.layout.table.held(0)[who], self.layout.table.wide[who]
        slots = self.layout.betting.program.slot[who, self._lines.places].astype(np.int64)
        at = slots[:, None] * wide + np.arange(len(order))
        reach = np.zeros((len(slots), len(self._weights[who])))
        reach[:, order] = self._scratch.reach[who][at]
        return reach

    def _rows_of_values(self, player: int) -> Int64Array:
        """int64[L, wide]: where the values of lines that leave stand."""
        rows = self.layout.betting.program.value[player, self._lines.places].astype(np.int64)
        wide = self.layout.table.wide[player]
        return np.asarray(rows[:, None] * wide + np.arange(wide))

    def _visit(self, player: int, steps: tuple[int, ...], mode: int, row: FloatArray) -> None:
        """Steps of the kernel on the one board."""
        plan = plan_of([(0, what) for what in steps], 1)
        work = work_of(
            self.layout, self.layout.betting, self.arena, [self._scratch], [plan], mode,
            (player, player + 1), row[None], np.zeros(COUNTERS, np.int64),
        )  # fmt: skip
        work(0)

    @cached_property
    def _scratch(self) -> Scratch:
        """Working memory that keeps all rows of the board."""
        layout = self.layout
        return working_memory(
            layout.betting, layout.root, layout.new_out(1), layout.real, apart=True
        )
