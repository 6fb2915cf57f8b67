"""Values of decisions before the flop, with hand classes as infosets, from sampled deals.

A deal is a hand for every seat, and a few boards that are drawn from what the hands leave; a
showdown is worth its mean over the boards. Each deal is played in as many rotations as there are
seats: every seat holds every hand once. The betting tree is small, so that each rotation visits all
of it where at most one seat's own play excludes it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from equilibrist._jit import inner_kernel, kernel
from equilibrist.kernels.poker.hand_strength import combo_strengths
from equilibrist.kernels.primitives.rng import advance, stream, uniform
from equilibrist.typing import FloatArray, Int64Array


class ClassTree(NamedTuple):
    """A betting tree of n seats in preorder; a decision has a slot for each class and action."""

    player: Int64Array  # [nodes]: who acts; -1 where the hand ends
    actions: Int64Array  # [nodes]: how many children
    end: Int64Array  # [nodes]: the node after those below this one
    decision: Int64Array  # [nodes]: the number of the decision, -1 at an ending
    row: Int64Array  # [nodes]: of an ending, the first of its rows in `payoffs`
    live: Int64Array  # [nodes]: of an ending with a showdown, the first of its seats in `seats`
    number: Int64Array  # [nodes]: how many seats show hands; below two the ending has one row
    seats: Int64Array  # the seats that show hands, ending after ending
    order: Int64Array  # [n + 1]: the place in `order_row` of the codes of so many hands
    order_row: Int64Array  # by code: the row of an order of hands, after the first of the ending
    payoffs: FloatArray  # [rows, n]


@inner_kernel
def draw(state, count, deck, taken, cards):
    """Draw distinct cards of a deck, none of `taken`; returns the state and the set after it."""
    k = 0
    while k < count:
        state = advance(state)
        card = deck[np.int64(uniform(state) * deck.shape[0])]
        bit = np.uint64(1) << np.uint64(card)
        if not taken & bit:
            taken |= bit
            cards[k] = card
            k += 1
    return state, taken


@inner_kernel
def rank_hands(strength, ranks):
    """The rank of each hand: the number of hands that are better."""
    for k in range(strength.shape[0]):
        better = 0
        for j in range(strength.shape[0]):
            better += strength[j] > strength[k]
        ranks[k] = better


@inner_kernel
def add_ending(tree, node, ranks, rotation, value):
    """Write what an ending is worth to each seat: of a showdown the mean over the boards."""
    boards, seats = ranks.shape
    number = tree.number[node]
    if number < 2:
        for s in range(seats):
            value[s] = tree.payoffs[tree.row[node], s]
        return
    value[:] = 0.0
    for b in range(boards):
        code = 0
        for k in range(tree.live[node], tree.live[node] + number):
            holds = tree.seats[k] + rotation
            code = code * seats + ranks[b, holds if holds < seats else holds - seats]
        row = tree.row[node] + tree.order_row[tree.order[number] + code]
        for s in range(seats):
            value[s] += tree.payoffs[row, s]
    for s in range(seats):
        value[s] /= boards


@inner_kernel
def add_rotation(tree, ranks, classes, rotation, strategy, reach, value, path, sums, met, root):
    """Add what the decisions are worth when seat s holds hand s + rotation."""
    seats = ranks.shape[1]
    count = 0
    node = 0
    while node < tree.player.shape[0]:
        excluded = 0
        for s in range(seats):
            excluded += reach[node, s] == 0.0
        if excluded > 1:  # nothing below counts for any seat
            value[node, :] = 0.0
            node = tree.end[node]
            continue
        player = tree.player[node]
        if player < 0:
            add_ending(tree, node, ranks, rotation, value[node])
        else:
            path[count] = node
            count += 1
            held = player + rotation
            own = classes[held if held < seats else held - seats]
            child = node + 1
            for a in range(tree.actions[node]):
                for s in range(seats):
                    reach[child, s] = reach[node, s]
                reach[child, player] *= strategy[tree.decision[node], own, a]
                child = tree.end[child]
        node += 1
    for k in range(count - 1, -1, -1):
        node = path[k]
        player, decision = tree.player[node], tree.decision[node]
        held = player + rotation
        own = classes[held if held < seats else held - seats]
        others = 1.0
        for s in range(seats):
            others *= 1.0 if s == player else reach[node, s]
        met[decision, own] += others
        value[node, :] = 0.0
        child = node + 1
        for a in range(tree.actions[node]):
            share = strategy[decision, own, a]
            for s in range(seats):
                value[node, s] += share * value[child, s]
            sums[decision, own, a] += others * value[child, player]
            child = tree.end[child]
    for s in range(seats):
        root[s] += value[0, s]


@kernel
def sampled_values(
    tables,
    tree,
    deck,
    hand_class,
    hole_strength,
    boards,
    key,
    begin,
    end,
    strategy,
    sums,
    met,
    root,
):
    """Add the values of drawn deals number `begin` to `end`; each depends on its number only.

    `strategy`, float64[decisions, 169, actions], has the probability of each action.
    `hand_class`, int64[52, 52], has the class of two cards. `hole_strength`, float64[169], is empty
    for hold'em, with so many `boards` a deal; else hands are compared by it, without a board.

    Adds over all rotations of the deals: to sums, as `strategy`, the value of each action to who
    takes it, times the probability that the others play to the decision; to met, float64[decisions,
    169], that probability; to root, float64[n], the value of the hand to each seat.

    tables: StrengthTables. tree: the betting before the flop. deck: cards that are dealt. key:
    uint64, the stream of random numbers.
    """
    seats = root.shape[0]
    nodes = tree.player.shape[0]
    looked_at = 1 if hole_strength.shape[0] else boards
    cards, on_board = np.empty(2 * seats, np.int64), np.empty(5, np.int64)
    board = np.empty(5, np.uintp)
    first, second = np.empty(seats, np.uintp), np.empty(seats, np.uintp)
    strength = np.empty(seats, np.uint16)
    by_class = np.empty(seats)
    classes, ranks = np.empty(seats, np.int64), np.empty((looked_at, seats), np.int64)
    reach, value = np.ones((nodes, seats)), np.zeros((nodes, seats))
    path = np.empty(nodes, np.int64)
    for sample in range(begin, end):
        state = stream(key, np.uint64(sample))
        state, taken = draw(state, 2 * seats, deck, np.uint64(0), cards)
        for s in range(seats):
            first[s], second[s] = cards[2 * s], cards[2 * s + 1]
            classes[s] = hand_class[cards[2 * s], cards[2 * s + 1]]
        if hole_strength.shape[0]:
            for s in range(seats):
                by_class[s] = hole_strength[classes[s]]
            rank_hands(by_class, ranks[0])
        else:
            for b in range(boards):
                state, _ = draw(state, 5, deck, taken, on_board)
                for k in range(5):
                    board[k] = on_board[k]
                combo_strengths(tables, board, first, second, strength)
                rank_hands(strength, ranks[b])
        for rotation in range(seats):
            add_rotation(
                tree, ranks, classes, rotation, strategy, reach, value, path, sums, met, root
            )
