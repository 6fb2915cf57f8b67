"""A spot as a vector game: a public tree with private hands."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from equilibrist.poker.betting.public_tree import find_node
from equilibrist.poker.cards.cards import NUM_CARDS
from equilibrist.poker.cards.combos import FIRST_CARD, NUM_COMBOS, SECOND_CARD
from equilibrist.poker.cards.evaluator import combo_strengths
from equilibrist.poker.cards.isomorphism import COMBO_IMAGES, fixing, next_deals
from equilibrist.poker.equities.pair_weights import Bunching
from equilibrist.poker.postflop.engine.board_layout import Int16Array, SolvedBoard
from equilibrist.poker.postflop.engine.vector_game import PairWeights, VectorGame
from equilibrist.poker.postflop.spot.resolved_locks import LockedNode, symmetries_with
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.poker.postflop.spot.value_unit import prize_payoffs
from equilibrist.poker.ranges.range import exponent
from equilibrist.typing import FloatArray, Int32Array, UInt16Array


def holdem_game(
    spot: Spot,
    *,
    isomorphism: bool = True,
    locked: Sequence[LockedNode] = (),
    lowest_rank: int = 0,
) -> VectorGame:
    """The vector game of a spot; without `isomorphism` all suit images of deals are kept.

    Each range is scaled by a power of two so that its largest weight is in (1/2, 1]. `locked` are
    nodes with locks beside those of the spot. Ranks below `lowest_rank` are not in the deck; then
    no range may hold them.
    """
    deck = spot.whole_deck
    lowest_rank = max(lowest_rank, deck.lowest_rank)
    weights = [held.weights for held in spot.ranges]
    combos = [np.flatnonzero(held).astype(np.int32) for held in weights]
    group = kept_symmetries(spot, locked, isomorphism=isomorphism)
    bunching = spot.bunching
    folded_cards = bunching.cards if bunching is not None else 0
    dealt = _deals(spot.cards, group, combos, lowest_rank, folded_cards)
    tree = spot.betting.tree
    all_locked = (*spot.locked_nodes, *locked)

    def strengths(cards: tuple[int, ...]) -> list[UInt16Array]:
        strength = combo_strengths((*spot.cards, *cards), deck)
        return [strength[held] for held in combos]

    cards = [np.stack([FIRST_CARD[held], SECOND_CARD[held]], 1).astype(np.int32) for held in combos]
    return VectorGame(
        tree=tree,
        streets=6 - len(spot.cards),
        cards=(cards[0], cards[1]),
        weights=(_scaled(weights[0][combos[0]]), _scaled(weights[1][combos[1]])),
        dealt=dealt,
        strengths=strengths,
        payoffs=prize_payoffs(spot.pot, spot.prizes, spot.value_unit, tree),
        constant_sum=float(tree.scale.units(spot.pot)) if spot.has_constant_sum else None,
        pair_weights=None if bunching is None else pair_weights(spot, bunching),
        locks={
            find_node(tree, node.line): partial(_fixed, node, combos[node.player])
            for node in all_locked
        },
        target_frequencies={
            find_node(tree, node.line): node.target_frequencies
            for node in all_locked
            if node.has_frequency_locks
        },
    )


def pair_weights(spot: Spot, bunching: Bunching) -> PairWeights:
    """The weights of the pairs of hands of a spot, with what folded ranges leave."""
    oop, ip = (np.flatnonzero(held.weights) for held in spot.ranges)

    def weights(dealt: tuple[int, ...], own: Int16Array, other: Int16Array) -> FloatArray:
        return bunching.pairs((*spot.cards, *dealt), oop[own], ip[other])

    return weights


def kept_symmetries(
    spot: Spot, locked: Sequence[LockedNode] = (), *, isomorphism: bool = True
) -> Int32Array:
    """int32[G]: the suit symmetries of a game, the identity first, as `Spot.symmetries`."""
    group = spot.symmetries
    return symmetries_with(locked, group) if isomorphism else group[:1]


def _scaled(weights: FloatArray) -> FloatArray:
    """Scale the largest weight into (1/2, 1], best for float32."""
    return np.ldexp(weights, -exponent(weights))


def _fixed(node: LockedNode, combos: Int32Array, runout: tuple[int, ...]) -> FloatArray:
    """The locked probabilities of the hands of a game."""
    return node.fixed(runout)[:, combos]


def _deals(
    board: tuple[int, ...],
    group: Int32Array,
    combos: list[Int32Array],
    lowest_rank: int,
    folded_cards: int,
) -> tuple[SolvedBoard, ...]:
    """Representatives of the deals after a board, with their images."""
    all_deals = [SolvedBoard(-1, 0, ())]
    groups = [group]
    absent = 4 * lowest_rank
    for number, before in enumerate(all_deals):  # grows while iterating
        cards = (*board, *before.cards)
        if len(cards) == 5:
            break
        deals = next_deals(cards, groups[number])
        chance = 1.0 / (NUM_CARDS - absent - len(cards) - 4 - folded_cards)
        for place, card in enumerate(deals.cards.tolist()):
            if card < absent:
                continue
            others = np.flatnonzero(deals.deal == place)
            images = tuple(
                _image(int(deals.to_representative[other]), combos)
                for other in others
                if other != card
            )
            all_deals.append(
                SolvedBoard(number, before.street + 1, (*before.cards, card), chance, images)
            )
            groups.append(fixing(groups[number], card))
    return tuple(all_deals)


def _image(number: int, combos: list[Int32Array]) -> tuple[Int32Array, Int32Array]:
    """The hands that permutation `number` maps to those of the representative."""
    back = np.argsort(COMBO_IMAGES[number])
    ways = []
    for held in combos:
        place = np.full(NUM_COMBOS, -1, np.int32)
        place[held] = np.arange(len(held))
        ways.append(place[back[held]])
    return ways[0], ways[1]
