"""What hands and their classes do at a decision of a blueprint."""

from __future__ import annotations

import numpy as np
import pytest

from equilibrist.blueprint.lines import classes_at, ranges_at
from equilibrist.blueprint.policy import Blueprint
from equilibrist.poker.cards.cards import parse_cards
from equilibrist.poker.cards.combos import CLASS_OF_COMBO
from equilibrist.poker.holdem.tree_lines import node_at


@pytest.fixture(scope="module")
def blueprint(game, cards):
    """Random play; the small blind never limps with the hands of its first bucket."""
    strategy = np.random.default_rng(5).integers(1, 60_000, game.num_slots).astype(np.uint16)
    actions, buckets = game.shape(0)
    limp = [game.tree.label(child) for child in game.tree.children(0)].index("C")
    strategy[: actions * buckets].reshape(actions, buckets)[limp, 0] = 0
    return Blueprint(game, cards, strategy)


@pytest.mark.parametrize(("line", "board"), [("", ""), ("C", ""), ("C-X-X", "TdJdQh")])
def test_classes_are_means_of_their_hands_by_reach(blueprint, line, board):
    node, cards = node_at(blueprint.tree, line), parse_cards(board) if board else ()
    rows = classes_at(blueprint, node, cards)
    by_hand = blueprint.probabilities(node, cards)
    reach = ranges_at(blueprint, node, cards)[blueprint.tree.player[node]]
    dealt = by_hand.sum(axis=0) > 0
    unreached = 0
    for k in np.unique(CLASS_OF_COMBO[dealt]):
        own = np.flatnonzero(dealt & (k == CLASS_OF_COMBO))
        assert rows.combos[k] == len(own)
        assert rows.reach[k] == pytest.approx(reach[own].mean())
        unreached += not reach[own].any()
        weights = reach[own] if reach[own].any() else np.ones(len(own))
        mean = by_hand[:, own] @ weights / weights.sum()
        np.testing.assert_allclose(rows.strategy[:, k], mean, atol=1e-6)
    assert unreached == (1 if board else 0)
    assert rows.combos.sum() == dealt.sum()
    np.testing.assert_allclose(rows.total, by_hand @ reach / reach.sum(), atol=1e-6)
