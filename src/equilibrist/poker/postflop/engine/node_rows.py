"""The nodes of a street on a solved board, read after one pass for each player."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from equilibrist.kernels.poker.postflop_arrays import ACTION
from equilibrist.parsing.arguments import bad_argument, whole_number
from equilibrist.poker.postflop.engine.betting_layout import BettingProgram
from equilibrist.poker.postflop.engine.board_layout import BoardTable, Int16Array
from equilibrist.poker.postflop.engine.vector_game import VectorGame
from equilibrist.typing import FloatArray, Int64Array

AverageOf = Callable[[int, int], FloatArray]
"""float64[A, n]: the average strategy at a place of the program, on a board."""


class NodeRows(NamedTuple):
    """The hands at N nodes of a street on a solved board; index p is player p."""

    weight: list[FloatArray]
    """float64[N, n]: the weight in the game times the player's own reach."""
    matchups: list[FloatArray]
    """float64[N, n]: unblocked opponent reach: the weight of the opponent's hands without the
    hand's cards."""
    ev: list[FloatArray]
    """float64[N, n]: final chips minus chips behind at the node, or where payoffs are given their
    mean; NaN where weight or matchups are 0."""
    strategy: list[FloatArray]
    """For each node float64[A, n] of the player to act; [0, 0] if no player acts."""
    action_ev: list[FloatArray]
    """For each node float64[A, n]: the EV of the player to act after each action; NaN as in
    `ev`."""


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
        self._removal = removals(game, game.dealt[board].cards, self.hands)

    def at(self, nodes: Sequence[int]) -> NodeRows:
        """The hands at nodes of the tree, with the average strategies."""
        program = self._program
        for node in nodes:
            if whole_number("node", node, 0) not in self._place:
                raise bad_argument("node", node, "the number of a node of the street of the runout")
        places = np.array([self._place[node] for node in nodes])
        weight, met = self._weights(places)
        ev = [
            self._ev(player, places, list(nodes), weight[player], met[player]) for player in (0, 1)
        ]
        empty = np.empty((0, 0))
        strategy, action_ev = [empty] * len(nodes), [empty] * len(nodes)
        acting = np.flatnonzero(program.kind[places] == ACTION)
        for number in acting.tolist():
            strategy[number] = self._strategy(int(places[number]), self._board)
        for player in (0, 1):
            own = acting[program.player[places[acting]] == player]
            counts = program.count[places[own]].astype(np.int64)
            below = [
                np.arange(first, first + count)
                for first, count in zip(program.first[places[own]], counts, strict=True)
            ]
            if below:
                above = np.repeat(own, counts)
                action_values = self._ev(
                    player, np.concatenate(below), np.array(nodes)[above],
                    weight[player][above], met[player][above],
                )  # fmt: skip
                for number, rows in zip(
                    own, np.split(action_values, counts.cumsum()[:-1]), strict=True
                ):
                    action_ev[number] = rows
        return NodeRows(weight, met, ev, strategy, action_ev)

    def counterfactual(self, node: int, player: int) -> FloatArray:
        """What each hand of a player is worth at a node, however often the player comes there.

        Args:
            node: The number of a node of the street.
            player: The player.

        Returns:
            float64[n]: final chips minus chips behind at the node, in units, summed over the
            opponent's hands with their reach.
        """
        place = self._place[node]
        won = self._values[player][int(self._program.value[player, place])]
        _, met = self._weights(np.array([place]))
        paid = 0 if self._game.payoffs else self._game.tree.paid[node, player]
        return np.asarray(won.astype(np.float64) / self._chance + paid * met[player][0])

    def _weights(self, places: Int64Array) -> tuple[list[FloatArray], list[FloatArray]]:
        """Weights and matchups of both players; a player's are found once for each of their slots.

        Weights are clipped to those of the game against rounding.
        """
        weight, met = [], []
        for player in (0, 1):
            slots, which = np.unique(self._program.slot[player, places], return_inverse=True)
            rows = np.stack([self._reach[player][slot] for slot in slots.tolist()])
            most = self._game.weights[player][self.hands[player]]
            clipped = np.minimum(rows.astype(np.float64) / self._chance, most)
            weight.append(clipped[which])
            met.append(self._removal[1 - player].left(clipped)[which])
        return weight, met[::-1]

    def _ev(
        self,
        player: int,
        places: Int64Array,
        nodes: Any,
        weight: FloatArray,
        matchups: FloatArray,
    ) -> FloatArray:
        """EV at places, for the chips and the opponent's reach of the nodes."""
        numbers = self._program.value[player, places].tolist()
        values = np.stack([self._values[player][number] for number in numbers])
        there = (weight > 0) & (matchups > 0)
        with np.errstate(invalid="ignore", divide="ignore"):
            won = values.astype(np.float64) / (self._chance * matchups)
        if self._game.payoffs is None:
            won += self._game.tree.paid[nodes, player][:, None]
        return np.where(there, won, np.nan)


class Removal(Protocol):
    """What a player's hands leave of the weights of the opponent's hands."""

    def left(self, weight: FloatArray, /) -> FloatArray:
        """float64[N, n]: for each hand the weight that it meets, of float64[N, m]."""


class PairRemoval:
    """The weights of pairs of hands, where these are not 1 for all that share no card.

    Args:
        weights: float64[n, m], by own hand and the opponent's.
    """

    def __init__(self, weights: FloatArray) -> None:
        self._weights = weights.T

    def left(self, weight: FloatArray, /) -> FloatArray:
        """float64[N, n]: for each hand the weight of the opponent's hands, times that of the pair.

        Args:
            weight: float64[N, m], of the opponent's hands.
        """
        return np.asarray(weight @ self._weights)


def removals(
    game: VectorGame, dealt: tuple[int, ...], hands: Sequence[Int16Array]
) -> tuple[Removal, Removal]:
    """What each player's hands on a board leave of the opponent's.

    Args:
        game: The game.
        dealt: The cards dealt to the board.
        hands: Each player's hands on it, as indices into those of the game.
    """
    if game.pair_weights is not None:
        weights = game.pair_weights(dealt, hands[0], hands[1])
        return PairRemoval(weights), PairRemoval(weights.T)
    oop, ip = (cards[held] for cards, held in zip(game.cards, hands, strict=True))
    return CardRemoval(oop, ip), CardRemoval(ip, oop)


class CardRemoval:
    """Which hands of the opponent each hand blocks.

    Args:
        own: int[n, 2], the cards of the hands, numbers below 64.
        theirs: int[m, 2], those of the opponent's hands.
    """

    def __init__(self, own: NDArray[Any], theirs: NDArray[Any]) -> None:
        self._own = own[:, 0].astype(np.int64), own[:, 1].astype(np.int64)
        # Every card of the opponent's hands with the other one: sums are taken in this order.
        card, other = np.concatenate([theirs, theirs[:, ::-1]]).astype(np.int64).T
        order = np.lexsort((other, card))
        self._card, self._hand = card[order], order % max(len(theirs), 1)
        number = np.full(64 * 64, len(theirs))  # behind the hands there is a weight of 0
        number[64 * card + other] = np.arange(2 * len(theirs)) % max(len(theirs), 1)
        self._same = number[64 * self._own[0] + self._own[1]]

    def left(self, weight: FloatArray, /) -> FloatArray:
        """float64[N, n]: for each hand the weight of the opponent's hands that it does not block.

        Args:
            weight: float64[N, m], of the opponent's hands.
        """
        count = len(weight)
        rows = 64 * np.arange(count)[:, None]
        parts = weight[:, self._hand]
        sums = np.bincount((rows + self._card).ravel(), parts.ravel(), 64 * count)
        sums = sums.reshape(count, 64)
        same = np.concatenate([weight, np.zeros((count, 1))], axis=1)[:, self._same]
        total = weight.sum(axis=1)[:, None]
        left = total - sums[:, self._own[0]] - sums[:, self._own[1]] + same
        return np.where(left > 1e-12 * total, left, 0.0)


def total_weight(game: VectorGame) -> float:
    """The weight of all pairs of hands of a game at its root."""
    every = [np.arange(len(held), dtype=np.int16) for held in game.weights]
    oop, ip = (np.asarray(held, np.float64) for held in game.weights)
    return float(oop @ removals(game, (), every)[0].left(ip[None])[0])


def average_of(sums: FloatArray, fixed: FloatArray | None) -> FloatArray:
    """float64[A, n]: the `fixed` probabilities, and the rest proportional to strategy sums.

    `fixed` is NaN where free, None if all are. The free actions of a hand without strategy sums are
    uniform.
    """
    if fixed is None:
        counts = np.where(sums.any(axis=0), sums, 1.0)
        return np.asarray(counts / counts.sum(axis=0))
    free = np.isnan(fixed)
    sums = np.where(free, sums, 0.0)
    counts = np.where(free & ~sums.any(axis=0), 1.0, sums)
    totals = np.where(free.any(axis=0), counts.sum(axis=0), 1.0)
    rest = 1.0 - np.nansum(fixed, axis=0)
    return np.where(free, rest * (counts / totals), fixed)
