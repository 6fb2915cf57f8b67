"""Spots as games of the reference solver: every hand of a range, every card of the deck."""

from __future__ import annotations

import numpy as np

from equilibrist.poker.betting.actions import StreetLine
from equilibrist.poker.betting.public_tree import PublicTree, find_node, public_tree
from equilibrist.poker.cards.cards import NUM_CARDS
from equilibrist.poker.cards.combos import FIRST_CARD, SECOND_CARD, parse_combo
from equilibrist.poker.cards.evaluator import combo_strengths
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.poker.ranges.range import Range
from equilibrist.reference.public_game import PublicGame
from equilibrist.typing import FloatArray, Int64Array, UInt8Array, UInt16Array


def combos_of(spot: Spot, player: int) -> Int64Array:
    """int64[H]: the combos of a player's hands in the game of a spot."""
    return np.flatnonzero(spot.ranges[player].weights)


def public_game(spot: Spot) -> PublicGame:
    """The game of a spot; player p's hand h is the combo `combos_of(spot, p)[h]`."""
    combos = combos_of(spot, 0), combos_of(spot, 1)

    def strengths(dealt: tuple[int, ...]) -> tuple[UInt16Array, UInt16Array]:
        of_combos = combo_strengths((*spot.cards, *dealt))
        return of_combos[combos[0]], of_combos[combos[1]]

    hands = [np.stack([FIRST_CARD[held], SECOND_CARD[held]], axis=1) for held in combos]
    weights = [each.weights[held] for each, held in zip(spot.ranges, combos, strict=True)]
    deck = tuple(card for card in range(NUM_CARDS) if card not in spot.cards)
    return PublicGame(
        public_tree(spot.rules()),
        (hands[0], hands[1]),
        (weights[0], weights[1]),
        deck,
        strengths,
        tuple(folded_hands(spot, folded) for folded in spot.folded),
    )


def folded_hands(spot: Spot, folded: Range) -> tuple[UInt8Array, FloatArray]:
    """The cards and the weights of the hands of a player who folded that the board leaves."""
    left = folded.without(spot.cards)
    held = np.flatnonzero(left.weights)
    return np.stack([FIRST_CARD[held], SECOND_CARD[held]], axis=1), left.weights[held]


def hand(spot: Spot, player: int, text: str) -> int:
    """The number of a hand, such as `AsAh`, in the game of a spot."""
    return combos_of(spot, player).tolist().index(parse_combo(text))


def node(spot: Spot, line: str) -> int:
    """The node of the public tree after a line without cards, such as `X-B10`."""
    tree: PublicTree = public_tree(spot.rules())
    state, *_ = spot.rules().follow(line)
    streets: tuple[StreetLine, ...] = state.line
    return find_node(tree, streets)
