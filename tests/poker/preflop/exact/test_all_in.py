"""Betting before the flop alone, and showdowns of all-ins there."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from equilibrist.errors import ConfigError
from equilibrist.poker.cards.combos import COMBO_INDEX
from equilibrist.poker.hands.betting_tree import ACTION_KINDS, BettingTree
from equilibrist.poker.hands.hand import Hand
from equilibrist.poker.preflop.exact.all_in import mean_signs
from equilibrist.poker.preflop.exact.boards import ALL_SUITS, board_table, orbits, strengths_on
from equilibrist.poker.preflop.exact.game import ExactGame
from equilibrist.poker.preflop.exact.rows import hand_rows
from equilibrist.poker.preflop.exact.solver import ExactSolver
from equilibrist.poker.preflop.exact.solving import solve_preflop
from equilibrist.typing import FloatArray, Int16Array

JAM = Hand(stack=10, bets="a", last_street="preflop")
PUSH_FOLD = -45.3708
"""What the small blind wins at 10 bb in mbb, where it may go all-in or fold."""


def classes(lowest: int) -> Int16Array:
    return hand_rows(board_table((0,), lowest), -1, lowest).hand[: (13 - lowest) ** 2]


def counted(hands: Int16Array, cards: int, lowest: int) -> FloatArray:
    """Hand by hand and board by board."""
    deck = range(4 * lowest, 52)
    every = list(combinations(deck, 2))
    rows = {int(hand): k for k, hand in enumerate(hands)}
    by_number = {COMBO_INDEX[hand]: hand for hand in every}
    class_of = orbits(ALL_SUITS).lowest
    found = np.zeros((len(hands), len(hands)))
    boards = list(combinations(deck, cards))
    for row, own in ((rows[h], by_number[h]) for h in rows):
        for other in every:
            if {*own} & {*other}:
                continue
            free = [board for board in boards if not {*board} & {*own, *other}]
            signs = [
                np.sign(int(strengths_on(board)[COMBO_INDEX[own]])
                        - int(strengths_on(board)[COMBO_INDEX[other]]))
                for board in free
            ]  # fmt: skip
            found[row, rows[int(class_of[COMBO_INDEX[other]])]] += np.mean(signs)
    return found


@pytest.mark.parametrize("cards", [0, 1, 2, 3])
def test_the_means_are_those_of_all_boards(cards: int) -> None:
    hands = classes(11)
    assert mean_signs(hands, cards, 11) == pytest.approx(counted(hands, cards, 11), abs=1e-12)


def without(tree: BettingTree, label: str) -> BettingTree:
    """The tree without the action at the root of that label."""
    gone = {child for child in tree.children(0) if tree.label(child) == label}
    for node in range(tree.num_nodes):
        if int(tree.parent[node]) in gone:
            gone.add(node)
    kept = [node for node in range(tree.num_nodes) if node not in gone]
    place = {node: k for k, node in enumerate(kept)} | {-1: -1}
    parent = np.array([place[int(tree.parent[node])] for node in kept], np.int32)
    children = [np.flatnonzero(parent == k).tolist() for k in range(len(kept))]
    sibling = np.full(len(kept), -1, np.int32)
    for each in children:
        sibling[each[:-1]] = each[1:]
    return tree._replace(
        **{name: getattr(tree, name)[kept] for name in tree._fields[:-1]}
    )._replace(
        parent=parent,
        next_sibling=sibling,
        first_child=np.array([each[0] if each else -1 for each in children], np.int32),
        num_children=np.array([len(each) for each in children], np.int32),
    )


def test_jam_or_fold_is_worth_what_push_fold_says() -> None:
    game = ExactGame.of(JAM)
    game.__dict__["tree"] = without(game.tree, "C")
    measure = ExactSolver(game, "cfr+", threads=1).run(2000).measure()
    exploitability = measure.exploitability
    assert exploitability is not None
    assert 1000 * exploitability < 0.01
    assert 1000 * measure.values[0] == pytest.approx(PUSH_FOLD, abs=0.01)


def test_with_a_limp_the_small_blind_wins_at_least_as_much() -> None:
    found = solve_preflop(JAM, "cfr+", iterations=300, threads=1)
    assert 1000 * found.values[0] + found.exploitability >= PUSH_FOLD
    assert found.exploitability < 0.5
    assert sum(found.values) == pytest.approx(0.0, abs=1e-9)
    assert [ACTION_KINDS[found.tree.action[k]].name for k in found.tree.children(0)] == [
        "FOLD", "CALL", "ALL_IN",
    ]  # fmt: skip


def test_no_flops_are_drawn_for_betting_before_the_flop() -> None:
    with pytest.raises(ConfigError) as caught:
        ExactGame.of(JAM, flops=10)
    assert caught.value.option == "flops"
