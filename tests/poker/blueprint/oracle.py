"""A slow walk of a betting tree on one board, with all pairs of hands as matrices in float64."""

from __future__ import annotations

import numpy as np

from equilibrist.poker.cards.combos import FIRST_CARD, SECOND_CARD
from equilibrist.poker.hands.pots import strengths
from equilibrist.poker.hands.state import DEAL, DECISION, FOLDED

_SIZES = (0, 3, 4, 5)


class BoardOracle:
    """Values, and sums by bucket, on one board.

    `value` and `reach` receive what the kernels add up: by slot and by information set.
    """

    def __init__(self, game, cards, board, sigma):
        self.game, self.tree, self.sigma = game, game.tree, np.asarray(sigma, np.float64)
        lowest = 4 * game.hand.rules.lowest_rank
        free = ~np.isin(FIRST_CARD, board) & ~np.isin(SECOND_CARD, board) & (lowest <= FIRST_CARD)
        self.hands = np.flatnonzero(free)
        first, second = FIRST_CARD[self.hands], SECOND_CARD[self.hands]
        pairs = list(zip(first.tolist(), second.tolist(), strict=True))
        strength = np.array(strengths(pairs, [int(card) for card in board]))
        self.beats = np.sign(strength[:, None] - strength)
        cards_of = np.stack([first, second], 1)
        shared = (cards_of[:, None, :, None] == cards_of[None, :, None, :]).any((2, 3))
        self.meets = ~shared
        self.rows = [cards.row(board[:size])[self.hands].astype(int) for size in _SIZES]
        self.value = np.zeros(game.num_slots)
        self.reach = np.zeros(game.num_infosets)
        ones = np.ones(len(self.hands))
        self.won = self.walk(0, [ones, ones])

    def chances(self, node):
        actions, buckets = self.game.shape(node)
        begin = self.game.layout.slot[node]
        by_bucket = self.sigma[begin : begin + actions * buckets].reshape(actions, buckets)
        return by_bucket[:, self.rows[self.tree.street[node]]]

    def payoff(self, node):
        """What seat 0 wins by both hands, in big blinds."""
        stake = self.tree.stake[node] / max(self.game.hand.rules.blinds)
        if self.tree.kind[node] == FOLDED:
            won = stake[1] if self.tree.live[node] == 1 else -stake[0]
            return self.meets * won
        outcome = np.where(self.beats > 0, stake[1], -stake[0])
        return self.meets * np.where(self.beats == 0, (stake[1] - stake[0]) / 2, outcome)

    def walk(self, node, reach):
        tree = self.tree
        if tree.kind[node] == DEAL:
            return self.walk(int(tree.first_child[node]), reach)
        if tree.kind[node] != DECISION:
            payoff = self.payoff(node)
            return [payoff @ reach[1], -payoff.T @ reach[0]]
        seat, street = int(tree.player[node]), int(tree.street[node])
        chances, row = self.chances(node), self.rows[street]
        _, buckets = self.game.shape(node)
        np.add.at(self.reach, self.game.layout.state[node] + row, reach[seat])
        total = [np.zeros(len(self.hands)), np.zeros(len(self.hands))]
        for action, child in enumerate(tree.children(node)):
            below = list(reach)
            below[seat] = reach[seat] * chances[action]
            found = self.walk(child, below)
            place = self.game.layout.slot[node] + action * buckets + row
            np.add.at(self.value, place, found[seat])
            total[seat] += chances[action] * found[seat]
            total[1 - seat] += found[1 - seat]
        return total


def random_strategy(game, seed):
    """float32[slots]: some actions are never taken."""
    random = np.random.default_rng(seed)
    found = np.zeros(game.num_slots, np.float32)
    for node in np.flatnonzero(game.tree.kind == DECISION):
        actions, buckets = game.shape(node)
        weights = random.random((actions, buckets)) * (random.random((actions, buckets)) < 0.8)
        weights[0] += 1e-3
        begin = game.layout.slot[node]
        found[begin : begin + weights.size] = (weights / weights.sum(0)).ravel()
    return found
