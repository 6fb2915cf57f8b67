"""Three seats with twelve cards and betting before the flop only, as a game of hand classes.

Hands of a class are alike for strategies that read classes, so that this game has the values and
best responses of the hand with all cards.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from equilibrist.game import CHANCE, TERMINAL
from equilibrist.poker import Hand
from equilibrist.poker.cards.combos import CLASS_OF_COMBO, COMBO_MASKS, FIRST_CARD, SECOND_CARD
from equilibrist.poker.cards.evaluator import hand_strengths
from equilibrist.poker.hands.betting import after, start
from equilibrist.poker.hands.menu import offered
from equilibrist.poker.hands.pots import payoffs
from equilibrist.poker.hands.state import DECISION, FOLDED

QUEEN = 10
HANDS = np.flatnonzero(FIRST_CARD >= 4 * QUEEN)
_CLASSES, CLASS = np.unique(CLASS_OF_COMBO[HANDS], return_inverse=True)


class ClassCards:
    """Card buckets of the first street only: the nine classes of twelve cards."""

    counts = (len(_CLASSES), 1, 1, 1)
    lowest_rank = QUEEN
    path = "classes.safetensors"

    def row(self, board):
        assert len(board) == 0
        found = np.full(len(CLASS_OF_COMBO), 65535, np.uint16)
        found[HANDS] = CLASS
        return found

    def rows(self, street):
        assert street == 0
        return self.row(())[None]


@cache
def class_deals():
    """Classes of three seats: probability, and by order of strength its probability.

    An order is what one deal of it has as strengths.
    """
    masks = COMBO_MASKS[HANDS]
    deals = np.array(np.meshgrid(*[np.arange(len(HANDS))] * 3, indexing="ij")).reshape(3, -1)
    one, two, three = masks[deals]
    deals = deals[:, ((one & two) | (one & three) | (two & three)) == 0]
    held = (masks[deals[0]] | masks[deals[1]] | masks[deals[2]])[:, None]
    cards = np.arange(4 * QUEEN, 52)
    left = np.broadcast_to(cards, (len(held), 12))[(held >> cards.astype(np.uint64)) & 1 == 0]
    left = left.reshape(-1, 6)
    numbers = CLASS[deals]
    triples = (numbers[0] * 9 + numbers[1]) * 9 + numbers[2]
    counts: dict[Any, Any] = {}
    for dropped in range(6):  # the board is five of the six cards that are left
        board = np.delete(left, dropped, axis=1)
        strength = np.array(
            [
                hand_strengths(
                    np.column_stack([FIRST_CARD[HANDS[d]], SECOND_CARD[HANDS[d]], board]).astype(
                        np.uint8
                    )
                )
                for d in deals
            ]
        ).astype(int)
        order = np.sign(strength[[0, 0, 1]] - strength[[1, 2, 2]]) + 1
        keys = ((triples * 3 + order[0]) * 3 + order[1]) * 3 + order[2]
        for key, first, count in zip(
            *np.unique(keys, return_index=True, return_counts=True), strict=True
        ):
            entry = counts.setdefault(key, [0, tuple(strength[:, first].tolist())])
            entry[0] += int(count)
    found: dict[Any, Any] = {}
    for key, (count, strength) in counts.items():
        triple = key // 27
        classes = (int(triple // 81), int(triple // 9 % 9), int(triple % 9))
        found.setdefault(classes, {})[strength] = count
    total = 6 * deals.shape[1]
    result = {}
    for classes, orders in found.items():
        dealt = sum(orders.values())
        shares = {strength: count / dealt for strength, count in orders.items()}
        result[classes] = dealt / total, shares
    return result


class ThreeHanded:
    """The game; a state is the classes, the betting, and the line."""

    name = "three-handed"
    num_players = 3

    def __init__(self, hand: Hand):
        self.rules, self.menu = hand.rules, hand.menu
        self.deals = class_deals()
        self.classes = list(self.deals)

    def initial_state(self):
        return None, start(self.rules), ()

    def player(self, state):
        classes, betting, _ = state
        if classes is None:
            return CHANCE
        return betting.player if betting.kind == DECISION else TERMINAL

    def actions(self, state):
        classes, betting, _ = state
        if classes is None:
            return tuple("-".join(map(str, each)) for each in self.classes)
        return tuple(action.code for action in offered(self.rules, self.menu, betting))

    def chance(self, state):
        return tuple(self.deals[each][0] for each in self.classes)

    def next(self, state, index):
        classes, betting, line = state
        if classes is None:
            return self.classes[index], betting, line
        action = offered(self.rules, self.menu, betting)[index]
        return classes, after(self.rules, betting, action), (*line, action.code)

    def payoffs(self, state):
        classes, betting, _ = state
        if betting.kind == FOLDED:
            won = np.array(payoffs(self.rules, betting, None), float)
        else:
            orders = self.deals[classes][1].items()
            won = sum(p * np.array(payoffs(self.rules, betting, order)) for order, p in orders)
        return tuple((won / self.rules.big_blind).tolist())

    def infoset(self, state):
        classes, betting, line = state
        return f"{classes[betting.player]}:{'-'.join(line)}"


def table_of(game, strategy):
    """A strategy of an abstract game, by slot, for `Strategy.from_dict`."""
    tree, found = game.tree, {}
    for node, own in game.slots():
        codes = [tree.label(child) for child in tree.children(node)]
        for number, row in enumerate(strategy[own].reshape(game.shape(node)).T.astype(float)):
            name = f"{number}:{tree.line(node)}"
            found[name] = dict(zip(codes, (row / row.sum()).tolist(), strict=True))
    return found
