"""External sampling: deals, payoffs with side pots, equal bits, pruning."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from equilibrist.kernels.blueprint.external import won
from equilibrist.poker import Hand
from equilibrist.poker.blueprint.abstract_game import AbstractGame
from equilibrist.poker.blueprint.policy import ranges_at
from equilibrist.poker.blueprint.training.boards import DealSequence
from equilibrist.poker.blueprint.training.external import ExternalTrainer, Pruning, sampled_tree
from equilibrist.poker.blueprint.training.train import resume_blueprint, train_blueprint
from equilibrist.poker.cards.combos import COMBO_INDEX
from equilibrist.poker.hands.pots import payoffs, strengths
from equilibrist.poker.hands.state import DECISION, FOLDED, SHOWDOWN, HandState
from equilibrist.poker.hands.tree_lines import node_at

THREE: dict[str, Any] = {"stacks": "6/3/5", "seats": 3, "bets": "a", "raises": "a", "deck": "T"}


@pytest.fixture(scope="module")
def three(cards):
    """Three seats with stacks that differ, so that there are side pots."""
    return AbstractGame(Hand(**THREE, ante=0.1), cards.counts)


@pytest.mark.parametrize(
    "hand",
    [
        {"ante": 0.1},
        {"ante": 0.5, "stacks": "6/5/0.5"},  # the button is all-in with its ante
        {"stacks": "6/0.7/5"},
        {"ante": 0.5, "stacks": "6/5/0.2"},  # short of its ante
        {"ante": 1, "ante_kind": "big-blind", "stacks": "6/0.7/5"},
        # a hand may be checked to its end
        {"ante": 99, "blinds": "0/0", "fixed_bets": "99/99", "stacks": "600/300/500"},
    ],
)
def test_payoffs_are_those_of_pots(cards, hand):
    game = AbstractGame(Hand(**{**THREE, **hand}), cards.counts)
    tree, rules = game.tree, game.hand.rules
    sampled = sampled_tree(game)
    ends = np.flatnonzero(np.isin(tree.kind, (FOLDED, SHOWDOWN)))
    random = np.random.default_rng(0)
    layers = set()
    for node in ends:
        stakes = tuple(tree.stake[node].tolist())
        for strength in ([3, 2, 1], random.integers(1, 3, 3), random.permutation(3) + 1):
            kind, live = int(tree.kind[node]), int(tree.live[node])
            state = HandState(kind, 0, -1, stakes, (0, 0, 0), live, 0)
            wanted = payoffs(rules, state, None if tree.kind[node] == FOLDED else tuple(strength))
            found = [won(sampled, node, seat, strength) for seat in range(3)]
            assert sum(found) == pytest.approx(0, abs=1e-6)
            assert found == pytest.approx(np.array(wanted) / rules.big_blind, abs=0.011)
        layers.add(len({stakes[s] for s in range(3) if tree.live[node] >> s & 1}))
    assert max(layers) == 2  # a main pot and a side pot; what nobody called is returned


def test_deals_are_looked_up_as_hands_are(cards):
    sequence = DealSequence(cards, 3, 4, 5)
    drawn = np.array([[32, 37, 42, 47, 49, 33, 36, 51, 50, 44, 45]], np.uint8)
    found = sequence.looked_up(drawn)
    hands = [(33, 36), (51, 50), (44, 45)]
    board = drawn[0, :5].tolist()
    for seat, hand in enumerate(hands):
        combo = COMBO_INDEX[min(hand), max(hand)]
        rows = [cards.row(board[:size])[combo] for size in (0, 3, 4, 5)]
        assert found.bucket[0, seat].tolist() == rows
    order = np.argsort(strengths(hands, board))
    assert (np.argsort(found.strength[0]) == order).all()
    again = DealSequence(cards, 3, 4, 5)
    np.testing.assert_array_equal(sequence.deals(7, 50).bucket, again.deals(7, 50).bucket)
    assert (sequence.deals(8, 50).bucket != sequence.deals(7, 50).bucket).any()


def test_rounds_go_on_with_the_same_bits(three, cards, tmp_path):
    one, two = (
        ExternalTrainer(three, cards, seed=2, batch=300, lanes=2, threads=threads)
        for threads in (1, 2)
    )
    one.run(2)
    copy = ExternalTrainer(three, cards, seed=2, batch=300, lanes=2)
    copy.restore(one.state(), {name: array.copy() for name, array in one.arrays().items()})
    one.run(1)
    copy.run(1)
    two.run(3)
    for other in (copy, two):
        assert other.state() == one.state()
        for name, array in one.arrays().items():
            np.testing.assert_array_equal(array, other.arrays()[name])
    assert one.regret.any()
    assert one.average_regret > 0
    file = tmp_path / "b.ckpt"
    found = train_blueprint(
        three.hand, cards, seed=2, batch=300, threads=2, iterations=1, checkpoint=file
    )
    assert found.record["algorithm"] == "external"
    whole = resume_blueprint(file, iterations=3, threads=1)
    assert whole.record["value_mbb"] == one.value
    nodes = np.flatnonzero(three.tree.kind == DECISION)
    wanted = one.strategy()
    got = np.concatenate([whole.bucket_probabilities(int(n)).ravel() for n in nodes])
    begins = [
        slice(b := int(three.layout.slot[n]), b + np.prod(three.shape(int(n)))) for n in nodes
    ]
    assert got == pytest.approx(np.concatenate([wanted[cut] for cut in begins]) / 65535, abs=1e-4)
    assert ranges_at(whole, node_at(whole.tree, "F-A")).shape == (3, 1326)


def test_pruning_leaves_out_what_costs_much(three, cards):
    always = Pruning(share=1.0, stacks=3.0, after=0)
    pruned = ExternalTrainer(three, cards, batch=4000, lanes=1, threads=1, pruning=always).run(2)
    plain = ExternalTrainer(three, cards, batch=4000, lanes=1, threads=1, pruning=None).run(2)
    assert pruned.visits < 0.95 * plain.visits
    stack = max(three.hand.rules.stacks) / max(three.hand.rules.blinds)
    assert pruned.regret.min() >= -3.15 * stack
    assert plain.regret.min() < -3.15 * stack


def test_large_sums_take_up_single_visits(three, cards):
    """In float32 a sum of 2^25 takes up only what is above 2, and a visit adds at most 1."""
    fresh, old = (ExternalTrainer(three, cards, batch=1000, threads=1) for _ in range(2))
    old.average[:] = 2.0**25
    fresh.run(1)
    old.run(1)
    most = fresh.average.argmax()
    added, counted = 2.0 * fresh.average[most], 2.0 * old.average[most] - 2.0**25
    assert added > 100
    assert counted == pytest.approx(added, abs=4)
