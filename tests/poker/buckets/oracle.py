"""Equities and histograms of hands, hand by hand and board by board."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from equilibrist.poker.cards.cards import NUM_CARDS
from equilibrist.poker.cards.combos import COMBO_INDEX, FIRST_CARD, SECOND_CARD
from equilibrist.poker.cards.evaluator import hand_strength


def river_equity(hand, board, lowest_rank=0, among=None):
    """Twice the hands beaten and once those tied with, and how many hands there are."""
    own = (int(FIRST_CARD[hand]), int(SECOND_CARD[hand]))
    deck = [c for c in range(4 * lowest_rank, NUM_CARDS) if c not in board and c not in own]
    strength = hand_strength([*own, *board])
    won = count = 0
    for pair in combinations(deck, 2):
        if among is None or among[COMBO_INDEX[pair]]:
            other = hand_strength([*pair, *board])
            won += 2 * (strength > other) + (strength == other)
            count += 1
    return won, count


def histogram(hand, board, lowest_rank, bins=50):
    """The number of rivers by the bin of the hand's equity, and the sum of twice the hands beaten
    and once those tied with."""
    own = (int(FIRST_CARD[hand]), int(SECOND_CARD[hand]))
    deck = [c for c in range(4 * lowest_rank, NUM_CARDS) if c not in board and c not in own]
    counts, total = np.zeros(bins, int), 0
    for rest in combinations(deck, 5 - len(board)):
        won, hands = river_equity(hand, [*board, *rest], lowest_rank)
        counts[min(bins - 1, won * bins // (2 * hands))] += 1
        total += won
    return counts, total
