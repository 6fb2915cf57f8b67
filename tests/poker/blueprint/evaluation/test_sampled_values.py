"""Sampled values of actions against all deals of a tiny deck, and the deals themselves."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from equilibrist.poker import Hand
from equilibrist.poker.blueprint.abstract_game import AbstractGame
from equilibrist.poker.blueprint.evaluation.joint_deals import draw_deals
from equilibrist.poker.blueprint.evaluation.sampled_values import SampledValuer
from equilibrist.poker.cards.cards import parse_cards
from equilibrist.poker.cards.combos import COMBO_INDEX, FIRST_CARD, NUM_COMBOS, parse_combo
from equilibrist.poker.hands.tree_lines import node_at
from tests.poker.blueprint.alike_cards import AlikeCards
from tests.poker.blueprint.evaluation.deal_oracle import DealOracle
from tests.poker.blueprint.evaluation.test_exploiter import blueprint_of
from tests.poker.blueprint.oracle import random_strategy

HAND = Hand(stacks="6/4/5", seats=3, bets="a", raises="a", ante=0.1, deck="Q")
WHOLE, TURN = "KdQdAdKhQh", "KdQdAdKh"


@pytest.fixture(scope="module")
def blueprint():
    cards = AlikeCards(10)
    game = AbstractGame(HAND, cards.counts)
    return blueprint_of(game, cards, random_strategy(game, 7))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "board", "own"),
    [
        ("C-C-X|X-X-X|X-X-X|X", WHOLE, "AsQs"),  # nobody has folded
        ("C-F-X|X-X|X-X|X", WHOLE, "QsAh"),  # a folded seat has cards that the others lack
        ("C-C-X|X-A2.9", TURN[:6], "AhKs"),  # side pots and a turn and a river to come
        ("C-F-X|X-X|X", TURN, "AsQs"),
    ],
)
def test_estimates_are_those_of_all_deals(blueprint, line, board, own):
    node = node_at(blueprint.tree, line)
    cards = parse_cards(board)
    found = SampledValuer(blueprint, seed=3, blocks=4).values(node, cards, parse_combo(own))
    assert found is not None
    wanted = DealOracle(blueprint).values(node, cards, parse_cards(own))
    assert max(each.half_width for each in found) < 0.12
    for each, exact in zip(found, wanted, strict=True):
        assert abs(each.mean - exact) <= 2.2 * each.half_width + 1e-6


@pytest.mark.slow
@pytest.mark.parametrize(("line", "own"), [("", "AsQs"), ("C-F", "KdKc"), ("A4.9-C", "AdKc")])
def test_estimates_before_the_flop_are_those_of_all_deals(line, own):
    cards = AlikeCards(10)
    game = AbstractGame(HAND.replace(last_street="preflop"), cards.counts)
    blueprint = blueprint_of(game, cards, random_strategy(game, 7))
    node = node_at(blueprint.tree, line)
    found = SampledValuer(blueprint, seed=3).values(node, (), parse_combo(own))
    assert found is not None
    wanted = DealOracle(blueprint).values(node, (), parse_cards(own))
    assert max(each.half_width for each in found) < 0.05
    for each, exact in zip(found, wanted, strict=True):
        assert abs(each.mean - exact) <= 2.2 * each.half_width + 1e-6


def test_a_fold_has_its_exact_value_and_estimates_repeat(blueprint):
    valuer = SampledValuer(blueprint, seed=3, blocks=1)
    found = valuer.values(node_at(blueprint.tree, "A4.9"), (), parse_combo("AsQs"))
    assert (found[0].mean, found[0].half_width) == (-0.6, 0.0)
    assert found[1].half_width > 0
    again = SampledValuer(blueprint, seed=3, blocks=1)
    assert again.values(node_at(blueprint.tree, "A4.9"), (), parse_combo("AsQs")) == found


def test_no_estimate_where_the_others_never_come(blueprint):
    game = blueprint.game
    strategy = np.zeros(game.num_slots, np.float32)
    for node in np.flatnonzero(game.tree.kind == 0):  # all fold or check, always
        begin = game.layout.slot[node]
        strategy[begin : begin + game.shape(node)[1]] = 1
    folding = blueprint_of(game, blueprint.cards, strategy)
    valuer = SampledValuer(folding, blocks=1)
    assert valuer.values(node_at(game.tree, "C"), (), parse_combo("AsQs")) is None
    assert valuer.values(node_at(game.tree, "F"), (), parse_combo("AsQs")) is not None


def joint(ranges, seat, own, board, deck):
    """The probability of each pair of hands of the other two seats."""
    gone = {*own, *board}
    hands = [pair for pair in combinations(deck, 2) if not gone & {*pair}]
    others = [each for each in range(3) if each != seat]
    found = {
        (COMBO_INDEX[a], COMBO_INDEX[b]): ranges[others[0], COMBO_INDEX[a]]
        * ranges[others[1], COMBO_INDEX[b]]
        for a in hands
        for b in hands
        if not {*a} & {*b}
    }
    total = sum(found.values())
    return {pair: weight / total for pair, weight in found.items()}


def test_hands_are_dealt_in_proportion_to_reach_and_exclude_each_other():
    deck = tuple(range(40, 52))
    random = np.random.default_rng(5)
    ranges = random.random((3, NUM_COMBOS)) ** 6  # a few hands have most of the weight
    ranges[2, COMBO_INDEX[50, 51]] = 30.0
    ranges[:, FIRST_CARD < 40] = 0.0
    own, board = parse_cards("AcKc"), parse_cards("QdQh")
    combo = COMBO_INDEX[min(own), max(own)]
    dealt = draw_deals(ranges, 1, combo, tuple(board), deck, 40_000, random)
    assert all(len({*row}) == 11 for row in dealt.cards[:500].tolist())
    assert {*dealt.cards.ravel().tolist()} <= {*deck}
    assert (dealt.cards[:, :2] == board).all()
    assert (np.sort(dealt.cards[:, 7:9]) == sorted(own)).all()
    pairs = COMBO_INDEX[dealt.cards[:, [5, 9]], dealt.cards[:, [6, 10]]]
    share = dealt.weight / dealt.weight.sum()
    wanted = joint(ranges, 1, own, board, deck)
    for pair in sorted(wanted, key=wanted.get)[-12:]:
        own_share = float(share[(pairs == pair).all(axis=1)].sum())
        assert own_share == pytest.approx(wanted[pair], abs=0.012)
    # the board is completed from the cards that are left, each as likely
    left = 52 - 40 - 2 - 2 - 4
    assert np.bincount(dealt.cards[:, 4], share).max() < 1.5 / left


def test_hands_that_exclude_each_other_have_no_weight():
    ranges = np.zeros((3, NUM_COMBOS))
    ranges[1:, COMBO_INDEX[48, 49]] = 1.0
    dealt = draw_deals(ranges, 0, COMBO_INDEX[40, 41], (), tuple(range(40, 52)), 50,
                       np.random.default_rng(1))  # fmt: skip
    assert not dealt.weight.any()
