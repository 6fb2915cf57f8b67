"""Values of deals against a walk of all actions in Python, and folds of given hands."""

from __future__ import annotations

from typing import cast

import numpy as np
import pytest

from equilibrist.kernels.blueprint.external import Deals
from equilibrist.poker import Hand
from equilibrist.poker.blueprint.abstract_game import AbstractGame
from equilibrist.poker.blueprint.evaluation.litmus import nuts_of
from equilibrist.poker.blueprint.evaluation.multiway.litmus import (
    SKIPPED,
    DealtFolds,
    litmus_on_deals,
)
from equilibrist.poker.blueprint.evaluation.multiway.values import DealValuer
from equilibrist.poker.blueprint.evaluation.report import own_values
from equilibrist.poker.blueprint.evaluation.values import strategy_of
from equilibrist.poker.blueprint.training.boards import DealSequence
from equilibrist.poker.blueprint.training.external import ExternalTrainer
from equilibrist.poker.buckets.card_buckets import CardBuckets
from equilibrist.poker.cards.combos import FIRST_CARD, SECOND_CARD
from equilibrist.poker.hands.pots import payoffs
from equilibrist.poker.hands.state import DEAL, DECISION, FOLDED, HandState
from tests.poker.blueprint.alike_cards import AlikeCards
from tests.poker.blueprint.evaluation.test_exploiter import blueprint_of
from tests.poker.blueprint.oracle import random_strategy

TEN = 8


@pytest.fixture(scope="module")
def game():
    hand = Hand(stacks="6/3/5", seats=3, bets="a", raises="a", ante=0.1, deck="T")
    return AbstractGame(hand, AlikeCards.counts)


def walked(game, strategies, bucket, strength, node=0):
    """What the seats win in big blinds on average over all actions, by seat."""
    tree, rules = game.tree, game.hand.rules
    if tree.kind[node] == DEAL:
        return walked(game, strategies, bucket, strength, int(tree.first_child[node]))
    if tree.kind[node] != DECISION:
        stakes = tuple(tree.stake[node].tolist())
        state = HandState(int(tree.kind[node]), 0, -1, stakes, (0, 0, 0), int(tree.live[node]), 0)
        compared = None if tree.kind[node] == FOLDED else tuple(strength.tolist())
        return np.array(payoffs(rules, state, compared)) / rules.big_blind
    seat = int(tree.player[node])
    actions, buckets = game.shape(node)
    begin = int(game.layout.slot[node])
    rows = strategies[seat][begin : begin + actions * buckets].reshape(actions, buckets)
    chances = rows[:, bucket[seat, tree.street[node]]]
    return sum(
        p * walked(game, strategies, bucket, strength, child)
        for p, child in zip(chances, tree.children(node), strict=True)
        if p
    )


def test_values_of_a_deal_are_those_of_all_actions(game):
    """The same deal many times: drawn actions have the exact value as their mean."""
    blueprint = blueprint_of(game, AlikeCards(TEN), random_strategy(game, 1))
    other = random_strategy(game, 2)
    valuer = DealValuer(blueprint, use=5, seed=3, threads=1)
    frozen = strategy_of(blueprint)
    for number in range(3):
        deal = valuer._sequence.deals(number, 1)
        bucket, strength = deal.bucket[0], deal.strength[0]
        ours = walked(game, [frozen] * 3, bucket, strength)
        repeated = Deals(np.repeat(deal.bucket, 4000, 0), np.repeat(deal.strength, 4000, 0))
        drawn = valuer._won(repeated, 0, valuer._ordered([other] * 3))
        spread = drawn.std(axis=0) / 4000**0.5
        for seat in range(3):
            theirs = walked(
                game, [other if s == seat else frozen for s in range(3)], bucket, strength
            )
            exact = 1000 * np.array([theirs[seat], ours[seat]])
            whole = valuer._won(deal, 0, valuer._ordered([other] * 3), drawn=0)[0, seat]
            assert whole == pytest.approx(exact, abs=11)  # odd chips are not shared
            assert np.all(abs(drawn[:, seat].mean(axis=0) - whole) <= 4 * spread[seat] + 1e-3)


def test_values_do_not_depend_on_threads_and_add_up(game):
    blueprint = blueprint_of(game, AlikeCards(TEN), random_strategy(game, 1))
    one = own_values(blueprint, 12_000, seed=1, threads=1)
    assert own_values(blueprint, 12_000, seed=1, threads=2) == one
    assert own_values(blueprint, 12_000, seed=2, threads=1) != one
    assert abs(sum(each.mean for each in one)) < sum(each.half_width for each in one)


def test_litmus_hands_are_dealt_to_their_seats(game):
    folds = DealtFolds(blueprint_of(game, AlikeCards(TEN), constant(game, 0)), seed=0)
    random = np.random.default_rng(1)
    board = [32, 37, 42, 47, 33]
    nuts = nuts_of(board, TEN)
    hand = [int(FIRST_CARD[nuts[0]]), int(SECOND_CARD[nuts[0]])]
    for seat in range(3):
        own = slice(5 + 2 * seat, 7 + 2 * seat)
        whole = folds.dealt(np.array([[*board, *hand]] * 200), seat, random)
        assert (whole[:, :5] == board).all()
        alone = folds.dealt(np.array([hand] * 200), seat, random)
        for drawn in (whole, alone):
            assert (drawn[:, own] == hand).all()
            assert all(len(set(row)) == 11 for row in drawn.tolist())
            assert drawn.min() >= 4 * TEN
        strength = (
            DealSequence(cast(CardBuckets, AlikeCards(TEN)), 3, 4, 0).looked_up(whole).strength
        )
        assert (strength[:, seat] == strength.max(axis=1)).all()
        assert len(np.unique(alone[:, :5])) == 18


def constant(game, fold):
    """float32[slots]: fold with a probability where that is possible, else act uniformly."""
    found = np.zeros(game.num_slots, np.float32)
    for node, own in game.slots():
        actions, _ = game.shape(node)
        rows = np.full(game.shape(node), 1 / actions)
        if game.tree.label(game.tree.children(node)[0]) == "F":
            rows[0], rows[1:] = fold, (1 - fold) / (actions - 1)
        found[own] = rows.ravel()
    return found


@pytest.mark.slow
@pytest.mark.parametrize("fold", [0.0, 0.25])
def test_folds_of_aces_and_nuts_are_counted(game, fold):
    found = litmus_on_deals(blueprint_of(game, AlikeCards(TEN), constant(game, fold)))
    for each in (found.aces, found.nuts):
        assert each.rate == pytest.approx(fold, abs=1e-4)
        assert each.holds == (fold == 0)
        assert 0.001 < each.faced < 3
    assert found.aces.worst == pytest.approx(fold, abs=1e-4)
    assert bool(found.aces.worst_at) == (fold > 0)
    assert found.skipped == SKIPPED
    assert found.to_dict()["skipped"] == ["jam_or_fold"]
    assert found.jam_or_fold is None


def test_any_seed_will_do(game):
    blueprint = blueprint_of(game, AlikeCards(TEN), constant(game, 0.25))
    assert own_values(blueprint, 10, seed=2**70) != own_values(blueprint, 10, seed=0)
    cards = cast(CardBuckets, AlikeCards(TEN))
    assert ExternalTrainer(game, cards, seed=2**70, batch=1, lanes=1).run(1).visits
