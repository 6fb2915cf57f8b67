"""The nodes of a street on a solved board, read after one pass for each player."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from equilibrist.kernels.poker.postflop_arrays import ACTION
from equilibrist.poker.engine.betting_layout import BettingProgram
from equilibrist.poker.engine.board_layout import BoardTable
from equilibrist.poker.engine.vector_game import VectorGame
from equilibrist.typing import FloatArray

AverageOf = Callable[[int, int], FloatArray]
"""float64[A, n]: the average strategy at a place of the program, on a board."""


class NodeRows(NamedTuple):
    """The hands at a node on a solved board; index p is player p."""

    weight: list[FloatArray]
    """The weight in the game times the player's own reach."""
    matchups: list[FloatArray]
    """Unblocked opponent reach: the weight of the opponent's hands without the hand's cards."""
    ev: list[FloatArray]
    """Final chips minus chips behind at the node; NaN where weight or matchups are 0."""
    strategy: FloatArray
    """float64[A, n] of the player to act; [0, 0] if no player acts."""
    action_ev: FloatArray
    """float64[A, n]: the EV of the player to act after each action; NaN as in `ev`."""


class BoardRows:
    """All nodes of a street on a board, copied from the results of the passes.

    `values` and `reach` are each player's rows by their number in the program; `chance` is the
    probability of the cards since the first board, given two hands that do not contain them.
    `hands` are those on the board, as indices into those of the game; rows are in their order.
    """

    def __init__(
        self,
        game: VectorGame,
        betting: BettingProgram,
        table: BoardTable,
        strategy: AverageOf,
        board: int,
        chance: float,
        values: Sequence[dict[int, FloatArray]],
        reach: Sequence[dict[int, FloatArray]],
    ) -> None:
        self._game = game
        self._program = betting.program
        self._strategy = strategy
        self._board = board
        self._chance = chance
        self._values = values
        self._reach = reach
        self.hands = table.held(board)
        nodes, street = betting.program.nodes, game.dealt[board].street
        places = range(nodes[street], nodes[street + 1])
        self._place = {int(betting.node[place]): place for place in places}

    def at(self, node: int) -> NodeRows:
        """The hands at a node of the tree, with the average strategies."""
        game, program = self._game, self._program
        place = self._place[node]
        weight = [self._weight(player, int(program.slot[player, place])) for player in (0, 1)]
        held = [cards[own] for cards, own in zip(game.cards, self.hands, strict=True)]
        matchups = unblocked_reach(held, weight)

        def ev_of(player: int, at: int) -> FloatArray:
            """EV at a place, for the chips and the opponent's reach of the node."""
            values = self._values[player][int(program.value[player, at])]
            there = (weight[player] > 0) & (matchups[player] > 0)
            with np.errstate(invalid="ignore", divide="ignore"):
                won = values.astype(np.float64) / (self._chance * matchups[player])
            return np.where(there, won + game.tree.paid[node, player], np.nan)

        ev = [ev_of(player, place) for player in (0, 1)]
        strategy = action_ev = np.empty((0, 0))
        if program.kind[place] == ACTION:
            strategy = self._strategy(place, self._board)
            first = int(program.first[place])
            below = range(first, first + int(program.count[place]))
            action_ev = np.array([ev_of(int(program.player[place]), child) for child in below])
        return NodeRows(weight, matchups, ev, strategy, action_ev)

    def _weight(self, player: int, slot: int) -> FloatArray:
        """The weight times own reach of the hands, clipped to the weight against rounding."""
        found = self._reach[player][slot].astype(np.float64) / self._chance
        most = self._game.weights[player][self.hands[player]]
        return np.asarray(np.minimum(found, most))


def unblocked_reach(
    cards: Sequence[NDArray[Any]], weights: Sequence[FloatArray]
) -> list[FloatArray]:
    """For each hand the total weight of the opponent's hands that it does not block."""
    met = []
    for own, theirs, weight in zip(cards, cards[::-1], weights[::-1], strict=True):
        pairs = np.zeros((64, 64))
        pairs[theirs[:, 0], theirs[:, 1]] = weight
        pairs += pairs.T
        sums = pairs.sum(axis=0)
        a, b = own[:, 0], own[:, 1]
        left = weight.sum() - sums[a] - sums[b] + pairs[a, b]
        met.append(np.where(left > 1e-12 * weight.sum(), left, 0.0))
    return met


def average_of(sums: FloatArray, fixed: FloatArray) -> FloatArray:
    """float64[A, n]: the `fixed` probabilities, and the rest proportional to strategy sums.

    `fixed` is NaN where free. The free actions of a hand without strategy sums are uniform.
    """
    free = np.isnan(fixed)
    sums = np.where(free, sums, 0.0)
    counts = np.where(free & ~sums.any(axis=0), 1.0, sums)
    totals = np.where(free.any(axis=0), counts.sum(axis=0), 1.0)
    rest = 1.0 - np.nansum(fixed, axis=0)
    return np.where(free, rest * (counts / totals), fixed)
