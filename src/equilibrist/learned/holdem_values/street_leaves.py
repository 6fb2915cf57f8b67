"""A network asked for all leaves of a street at once, again and again.

`HoldemValues` takes any situations, board by board. A solver of a street asks for the same boards,
chips and hands before every update: what depends on these alone is computed once, hands touch the
few knots around them, rows are multiplied as matrices, and what hands win if nobody bets any more,
which is linear in ranges, is left to the solver, who has it for the whole street in one product.
The values are those of `HoldemValues` to rounding.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from equilibrist.kernels.learned.leaf_grid import (
    CORNERS,
    LeafGrid,
    ranges_on_grid,
    values_at_hands,
)
from equilibrist.kernels.primitives.products import add_products
from equilibrist.learned.holdem_values.features import ratio_inputs
from equilibrist.learned.holdem_values.hand_grid import GRID_SIZES, BoardHands
from equilibrist.learned.holdem_values.situations import BOARD_CARDS
from equilibrist.learned.network import Float32Array, Network
from equilibrist.poker.cards.cards import NUM_CARDS, card_mask
from equilibrist.poker.cards.combos import COMBO_MASKS, FIRST_CARD, NUM_COMBOS, SECOND_CARD
from equilibrist.poker.postflop.engine.leaves import StreetLeaves
from equilibrist.typing import FloatArray, Int32Array


class NetworkStreet:
    """A network as the leaf values of one street (`PreparedLeaves`).

    Attributes:
        tables: The hands on the grids of the boards.
    """

    def __init__(self, network: Network, street: StreetLeaves) -> None:
        """Compute what depends on boards, chips and hands.

        Args:
            network: The network, of the street that begins.
            street: The leaves.
        """
        boards = [BoardHands(tuple(board)) for board in np.sort(street.boards, axis=1).tolist()]
        knots, self.tables = _grid_of(street, boards)
        self._layers, constant = _layers_at(knots, network, GRID_SIZES[boards[0].street][0])
        hands = np.stack([board.hands_at_knots for board in boards])
        of_line = ratio_inputs(street.stacks / street.pots) @ constant[:, hands.shape[1] :].T
        of_card = hands @ constant[:, : hands.shape[1]].T + self._layers[0][1]
        lines, cards = len(of_line), len(of_card)
        # [L * B, width]: the part of the first layer that no range changes.
        self._fixed = (of_line[:, None] + of_card).reshape(lines * cards, -1).astype(np.float32)
        depth = int(self.tables.knots[2])
        self._inputs = np.zeros((lines, cards, 3 * depth), np.float32)
        self._scratch = np.empty((2, self.tables.free.shape[1]))
        self._by_card = np.empty((2, NUM_CARDS))
        self._at_knots = np.empty((2, depth))

    def beyond_check_down(self, player: int, reach: list[FloatArray], /) -> FloatArray:
        """Value all leaves, as `PreparedLeaves.beyond_check_down`.

        Args:
            player: The player whose values are wanted.
            reach: float64[L, n] of both players.

        Returns:
            float64[L, B, n].
        """
        inputs = self._inputs
        lines, cards, _ = inputs.shape
        values = np.empty((lines, cards, reach[player].shape[1]))
        scratch = self._scratch, self._by_card, self._at_knots
        both = np.concatenate(reach, axis=1)
        ranges_on_grid(self.tables, both, player, inputs, values, *scratch)
        rows = inputs.reshape(lines * cards, -1)
        for number, (weights, bias) in enumerate(self._layers):
            if number:
                np.maximum(rows, 0.0, out=rows)
            out = np.empty((len(rows), len(bias)), np.float32)
            out[:] = self._fixed if not number else bias
            add_products(rows, weights, out)
            rows = out
        values_at_hands(self.tables, player, inputs, rows.reshape(lines, cards, -1), values)
        return values


def tables_bytes(boards: NDArray[np.int8], held: tuple[Int32Array, Int32Array]) -> int:
    """Count the tables of a `NetworkStreet`.

    Args:
        boards: int8[B, cards].
        held: The combos of both players.

    Returns:
        Bytes.
    """
    hands = len(held[0]) + len(held[1])
    equities, spreads = GRID_SIZES[_STREETS[boards.shape[1]]]
    of_leaf = 1 + CORNERS * (2 + 4)
    of_hand = 2 + 8 + 8
    return len(boards) * hands * of_leaf + hands * of_hand + 6 * 8 + 2 * equities * spreads


_STREETS: Final = {cards: street for street, cards in BOARD_CARDS.items()}


def _grid_of(street: StreetLeaves, boards: list[BoardHands]) -> tuple[list[Int32Array], LeafGrid]:
    """Put the hands of both players on the grid of each board.

    Knots that no hand of a player is near are left out, so that products are over fewer.

    Returns:
        The knots of each player, ascending, and the tables, which number these.
    """
    held = np.concatenate(street.held)
    first = np.array([0, len(street.held[0]), len(held)])
    masks = np.array([card_mask(board.cards) for board in boards], np.uint64)
    free = (COMBO_MASKS[held] & masks[:, None]) == 0
    corner = np.zeros((len(boards), len(held), CORNERS), np.uint16)
    share = np.zeros(corner.shape, np.float32)
    for number, board in enumerate(boards):
        rows = np.searchsorted(board.hands, held[free[number]])
        corner[number, free[number]] = board.corners.knot[rows]
        share[number, free[number]] = board.corners.share[rows]
    equities, spreads = GRID_SIZES[boards[0].street]
    knots, starts = [], np.zeros(2 * equities * spreads, np.bool_)
    ends = [0]
    for player in (0, 1):
        own = slice(first[player], first[player + 1])
        near = np.unique(corner[:, own][share[:, own] > 0]).astype(np.int32)
        numbers = np.full(equities * spreads, ends[-1], np.uint16)  # others have no share
        numbers[near] += np.arange(len(near), dtype=np.uint16)
        corner[:, own] = numbers[corner[:, own]]
        ends.append(ends[-1] + len(near))
        starts[ends[-2] : ends[-1]] = np.diff(near // equities, prepend=-1) > 0
        knots.append(near)
    same = np.full((2, NUM_COMBOS), -1)
    for player in (0, 1):
        same[player, street.held[player]] = np.arange(first[player], first[player + 1])
    tables = LeafGrid(
        first=first,
        cards=np.stack([FIRST_CARD[held], SECOND_CARD[held]]).astype(np.uint8),
        same=np.concatenate([same[1, street.held[0]], same[0, street.held[1]]]),
        root=np.concatenate(street.weights),
        free=free,
        knots=np.array(ends),
        starts=starts,
        corner=corner,
        share=share,
    )
    return knots, tables


def _layers_at(
    knots: list[Int32Array], network: Network, equities: int
) -> tuple[list[tuple[Float32Array, Float32Array]], Float32Array]:
    """The layers of a network that reads and answers at some knots of each player.

    The sum of weights up to a knot without hands is that of the knot with hands before it, of the
    same spread, whose column takes its weights over.

    Returns:
        [inputs, outputs] and the bias of each layer; and [width, F]: the columns of the first layer
        for inputs that no range changes.
    """
    layers = network.layers
    whole = layers[-1].weights.shape[0] // 2
    at = np.concatenate([player * whole + near for player, near in enumerate(knots)])
    first = layers[0].weights
    matched, root, below = (first[:, part * whole : (part + 2) * whole] for part in (0, 2, 4))
    # The sums of weights at knots near no hand are those at the knot before, if any.
    before = np.full(2 * whole, -1)
    before[at] = np.arange(len(at))
    before = np.maximum.accumulate(before.reshape(-1, equities), axis=1).ravel()
    sums = np.zeros((len(at), len(first)))
    np.add.at(sums, before[before >= 0], below.T[before >= 0])
    reads = np.concatenate([matched.T[at], root.T[at], sums]).astype(np.float32)
    weights = [reads, *(layer.weights.T for layer in layers[1:])]
    biases = [layer.bias for layer in layers]
    constant = first[:, 6 * whole :]
    weights[-1], biases[-1] = weights[-1][:, at], biases[-1][at]
    if len(layers) == 1:
        constant = constant[at]
    pairs = [(np.ascontiguousarray(w), b) for w, b in zip(weights, biases, strict=True)]
    return pairs, constant
