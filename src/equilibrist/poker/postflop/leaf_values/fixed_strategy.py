"""Leaf values of fixed strategies on all later streets: those that a solver of the spot found."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from equilibrist.errors import ConfigError
from equilibrist.kernels.poker.postflop_arrays import VALUE, Scratch
from equilibrist.kernels.primitives.barrier import COUNTERS
from equilibrist.poker.cards.cards import card_mask
from equilibrist.poker.cards.combos import NUM_COMBOS, without_cards
from equilibrist.poker.postflop.engine.leaves import Leaves
from equilibrist.poker.postflop.engine.node_rows import CardRemoval
from equilibrist.poker.postflop.engine.schedule import plan_of, steps_below
from equilibrist.poker.postflop.engine.scratch import working_memory
from equilibrist.poker.postflop.engine.traversal import work_of
from equilibrist.poker.postflop.solving.solver import SpotSolver
from equilibrist.typing import FloatArray, Int64Array


class FixedStrategies:
    """Leaves are worth what the average strategies of a solver win on the later streets.

    A street over these leaves is the whole spot with its later streets locked. The strategies are
    read when leaves are valued, so the solver must stand still meanwhile.

    Attributes:
        name: `fixed strategies`.
        identity: Empty.
        num_cards: The cards on the boards of leaves.
    """

    name = "fixed strategies"
    identity = ""

    def __init__(self, solver: SpotSolver) -> None:
        """Take the strategies of a solver.

        Args:
            solver: A solver of the spot, made with `isomorphism=False`: every card has a board.

        Raises:
            ConfigError: It solves suit images of cards once.
        """
        engine, spot = solver.engine, solver.spot
        if any(board.images for board in engine.game.dealt):
            raise ConfigError(
                "the solver deals suit images of a card once, but leaves have boards of their own",
                option="isomorphism",
                given=True,
                expected=False,
                remedy="make the solver with isomorphism=False",
            )
        self.num_cards = len(spot.cards) + 1
        self._engine = engine
        self._combos = [np.flatnonzero(held.weights) for held in spot.ranges]
        layout = engine.layout
        program, tree = layout.betting.program, engine.game.tree
        places = program.exit[slice(*program.exits[:2])].astype(np.int64)
        self._places = dict(zip(layout.betting.node[places].tolist(), places.tolist(), strict=True))
        self._tree = tree
        self._boards = {
            board.cards[0]: number
            for number, board in enumerate(engine.game.dealt)
            if board.street == 1
        }
        cards = engine.game.cards
        self._removal = [CardRemoval(cards[player], cards[1 - player]) for player in (0, 1)]
        self._scratch: Scratch = working_memory(
            layout.betting, layout.root, layout.new_out(1), layout.real, apart=True
        )

    def values(self, leaves: Leaves, ranges: FloatArray, /) -> FloatArray:
        """Value a batch of leaves, as `HoldemLeafValues.values`.

        Args:
            leaves: The leaves; those of a board after which a player has taken the same actions
                have the same range of this player.
            ranges: float64[L, 2, 1326].

        Returns:
            float64[L, 2, 1326].
        """
        values = np.zeros((len(leaves.pots), 2, NUM_COMBOS))
        cards = leaves.boards[:, -1]
        for card in np.unique(cards).tolist():
            rows = np.flatnonzero(cards == card)
            places = np.array([self._places[node] for node in leaves.nodes[rows].tolist()])
            free = without_cards(card_mask([card]))
            for player in (0, 1):
                own, theirs = self._combos[player], self._combos[1 - player]
                reach = ranges[rows, 1 - player][:, theirs]
                won = self._won(card, player, places, reach)
                per_chip = self._tree.scale.per_chip
                pots = leaves.pots[rows] * per_chip
                paid = self._tree.paid[leaves.nodes[rows]].min(axis=1)
                met = self._removal[player].left(reach)
                in_pots = (won + (paid - pots / 2)[:, None] * met) / pots[:, None]
                values[rows[:, None], player, own] = in_pots * free[own]
        return values

    def _won(self, card: int, player: int, places: Int64Array, reach: FloatArray) -> FloatArray:
        """float64[rows, n]: what hands win on a board, given its card, from the root on."""
        layout, scratch, engine = self._engine.layout, self._scratch, self._engine
        program, board = layout.betting.program, self._boards[card]
        other = 1 - player
        rows_at = self._rows(program.slot[other], places, other)
        scratch.reach[other][:] = 0.0
        scratch.reach[other][rows_at] = reach[:, layout.table.held(0)[other]]
        exits = program.exit[slice(*program.exits[:2])].astype(np.int64)
        scratch.value[player][self._rows(program.value[player], exits, player)] = 0.0
        steps = steps_below(layout.table.children, board)
        plan = plan_of(steps, len(engine.game.dealt))
        work = work_of(
            layout, layout.betting, engine.arena, [scratch], [plan], VALUE, (player, player + 1),
            np.zeros((1, 8)), np.zeros(COUNTERS, np.int64),
        )  # fmt: skip
        work(0)
        order = layout.table.held(0)[player]
        won = np.zeros((len(places), len(self._combos[player])))
        won[:, order] = scratch.value[player][self._rows(program.value[player], places, player)]
        return won / engine.game.dealt[board].chance

    def _rows(self, rows: NDArray[Any], places: Int64Array, player: int) -> Int64Array:
        """int64[places, n]: where the rows of a player at some places stand."""
        table = self._engine.layout.table
        starts = rows[places].astype(np.int64)[:, None] * table.wide[player]
        return np.asarray(starts + np.arange(len(table.held(0)[player])))
