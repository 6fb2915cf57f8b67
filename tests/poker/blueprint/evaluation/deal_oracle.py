"""Values of actions by all deals of a tiny deck, each played by all lines of the betting."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np

from equilibrist.poker.cards.combos import COMBO_INDEX
from equilibrist.poker.hands.pots import payoffs, strengths
from equilibrist.poker.hands.state import DEAL, DECISION, SHOWDOWN, HandState
from equilibrist.poker.hands.tree_lines import path_to

_SIZES = (0, 3, 4, 5)


class DealOracle:
    """What a hand wins after each action, by enumerating the others' hands and the board."""

    def __init__(self, blueprint):
        self.blueprint, self.tree = blueprint, blueprint.tree
        self.rules = blueprint.hand.rules
        self._rows, self._strengths = {}, {}

    def values(self, node, board, own):
        """float[A] in big blinds, with the cards of the hand at `own`."""
        seat = int(self.tree.player[node])
        total, met = np.zeros(int(self.tree.num_children[node])), 0.0
        for holes, whole in self.deals(seat, tuple(own), tuple(board)):
            weight = self.reach(node, seat, holes, whole)
            if weight:
                met += weight
                for action, child in enumerate(self.tree.children(node)):
                    total[action] += weight * self.walk(child, seat, holes, whole)
        return total / met / self.rules.big_blind

    def deals(self, seat, own, board):
        """Hands of all seats, and whole boards; in all orders, where streets are bet on."""
        order = permutations if self.rules.final_street else combinations
        rest = [card for card in self.rules.deck if card not in {*own, *board}]

        def hands(number, left):
            if number == self.rules.seats:
                yield [], left
                return
            mine = [own] if number == seat else combinations(left, 2)
            for cards in mine:
                below = [card for card in left if card not in cards]
                for others, last in hands(number + 1, below):
                    yield [cards, *others], last

        for holes, left in hands(0, rest):
            for added in order(left, 5 - len(board)):
                yield holes, (*board, *added)

    def chances(self, node, holes, board):
        seat, street = int(self.tree.player[node]), int(self.tree.street[node])
        known = tuple(board[: _SIZES[street]])
        if (node, known) not in self._rows:
            self._rows[node, known] = self.blueprint.probabilities(node, known).T.tolist()
        return self._rows[node, known][COMBO_INDEX[min(holes[seat]), max(holes[seat])]]

    def reach(self, node, seat, holes, board):
        found = 1.0
        for decision, action in path_to(self.tree, node):
            if self.tree.player[decision] != seat:
                found *= self.chances(decision, holes, board)[action]
        return found

    def walk(self, node, seat, holes, board):
        tree = self.tree
        if tree.kind[node] == DEAL:
            return self.walk(int(tree.first_child[node]), seat, holes, board)
        if tree.kind[node] == DECISION:
            return sum(
                chance * self.walk(child, seat, holes, board)
                for chance, child in zip(
                    self.chances(node, holes, board), tree.children(node), strict=True
                )
                if chance
            )
        stakes = tuple(map(int, tree.stake[node]))
        end = HandState(int(tree.kind[node]), 3, -1, stakes, stakes, int(tree.live[node]), 0)
        compared = self.strengths(holes, board) if end.kind == SHOWDOWN else None
        return payoffs(self.rules, end, compared)[seat]

    def strengths(self, holes, board):
        key = (*map(tuple, holes), frozenset(board))
        if key not in self._strengths:
            self._strengths[key] = strengths(holes, board)
        return self._strengths[key]
