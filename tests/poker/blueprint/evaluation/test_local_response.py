"""Local best responses: exact where nothing follows, below best responses elsewhere."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from equilibrist.errors import ConfigError, UnknownNameError
from equilibrist.poker import Hand
from equilibrist.poker.betting.actions import Kind
from equilibrist.poker.blueprint.abstract_game import AbstractGame
from equilibrist.poker.blueprint.evaluation.card_response import card_response
from equilibrist.poker.blueprint.evaluation.dealt_board import DealtBoard
from equilibrist.poker.blueprint.evaluation.local_response import (
    LocalSetting,
    _Player,
    _spread_hands,
    local_response,
    settings_for,
)
from equilibrist.poker.blueprint.evaluation.played_range import BlueprintRange
from equilibrist.poker.blueprint.evaluation.shadow_play import LOST, Place, ShadowPlay
from equilibrist.poker.cards.cards import parse_cards
from equilibrist.poker.cards.combos import CLASS_OF_COMBO, parse_combo
from equilibrist.poker.hands.betting import called, deal, raised, start
from equilibrist.poker.hands.tree_lines import node_at
from equilibrist.progress import Progress
from tests.poker.blueprint.alike_cards import AlikeCards
from tests.poker.blueprint.evaluation.test_exploiter import PreflopCards, blueprint_of, folding
from tests.poker.blueprint.oracle import random_strategy
from tests.poker.blueprint.training.test_truth import ClassGame


class LimitCards:
    """169 classes before the flop, and no buckets after it."""

    counts = (169, 1, 1, 1)
    lowest_rank = 0

    def row(self, board):
        assert not board
        return CLASS_OF_COMBO


@pytest.fixture(scope="module")
def alike():
    cards = AlikeCards(10)
    hand = Hand(stack=6, bets="100%,a", raises="a", deck="Q")
    game = AbstractGame(hand, cards.counts)
    return blueprint_of(game, cards, random_strategy(game, 7))


@pytest.fixture(scope="module")
def best_against_alike(alike):
    return card_response(alike)


@pytest.mark.parametrize(
    "hand", [Hand(stack=20, limit="limit", raise_cap=1), Hand(stack=20, bets="100%,a", raises="a")]
)
@pytest.mark.parametrize("bets", ["tree", "fcpa", "56"])
def test_always_fold_loses_exactly_750(hand, bets):
    game = AbstractGame(hand, LimitCards.counts)
    found = local_response(blueprint_of(game, LimitCards(), folding(game)), [bets], hands=16)
    assert found.gain.mean == 750
    assert found.gain.half_width == 0
    assert [each.mean for each in found.values] == [1000, 500]


@pytest.mark.slow
def test_always_fold_in_limit_holdem_heads_up():
    game = AbstractGame(Hand(stack=100, limit="limit"), LimitCards.counts)
    found = local_response(blueprint_of(game, LimitCards(), folding(game)), ["tree"], hands=16)
    assert found.gain.mean == 750


@pytest.mark.slow
def test_it_is_the_best_response_where_nothing_follows():
    """Jam or fold: the check-down is exact, and so is the choice."""
    hand = Hand(stack=10, bets="a", raises="a", last_street="preflop", raise_cap=0)
    game = AbstractGame(hand, PreflopCards.counts)
    strategy = random_strategy(game, 4)
    limp = strategy[game.layout.slot[0] :][: 3 * 169].reshape(3, 169)
    limp[1] = 0  # the small blind jams or folds
    limp /= limp.sum(axis=0)
    found = local_response(
        blueprint_of(game, PreflopCards(), strategy), ["tree"], hands=2000, seed=2
    )
    exact = ClassGame(game)
    wanted = exact.gains(strategy)[1] - exact.value(strategy)
    big_blind = found.values[1]
    assert big_blind.mean == pytest.approx(wanted, abs=1.5 * big_blind.half_width)
    assert big_blind.half_width < 150


@pytest.mark.slow
@pytest.mark.parametrize("setting", ["fc", "tree", "tree:turn"])
def test_it_wins_no_more_than_the_best_response(alike, best_against_alike, setting):
    found = local_response(alike, [setting], hands=2400, seed=1)
    for seat in (0, 1):
        most = best_against_alike.values[seat].mean + 1.5 * found.values[seat].half_width
        assert found.values[seat].mean <= most


def test_bets_inside_the_tree_stay_there(alike):
    rules, tree = alike.hand.rules, alike.tree
    shadow = ShadowPlay(tree, rules)
    state = start(rules)
    places = [Place(0, np.ones(1326), is_real=True)]
    three = rules.scale.units(3)
    assert shadow.shares(places[0], state, three) == {2: 1.0}
    places = shadow.after_bet(places, state, three)
    assert [(p.node, p.is_real) for p in places] == [(node_at(tree, "R3"), True)]
    after = shadow.after_passive(places)
    assert after[0].node == node_at(tree, "R3-C")


def test_bets_off_the_tree_are_mapped(alike):
    """The tree has 3, which is 1 pot, and 6, which is 2.5: x = 1.5."""
    rules, tree = alike.hand.rules, alike.tree
    shadow = ShadowPlay(tree, rules)
    state, total = start(rules), rules.scale.units(4)
    place = Place(0, np.ones(1326), is_real=True)
    share = (2.5 - 1.5) * (1 + 1) / ((2.5 - 1) * (1 + 1.5))
    assert shadow.shares(place, state, total) == pytest.approx({2: share, 3: 1 - share})
    places = shadow.after_bet([place], state, total)
    assert [tree.line(p.node) for p in places] == ["R3", "A6"]
    assert [p.reach[0] for p in places] == pytest.approx([share, 1 - share])
    assert not any(p.is_real for p in places)
    board = DealtBoard(alike, parse_cards("KdQdAdKhQh"), np.random.default_rng(1))
    found = shadow.actions(places, raised(rules, state, total), board)
    assert {kind for kind, _ in found} == {Kind.FOLD, Kind.CALL, Kind.BET}
    assert {total for _, total in found} == {0, rules.scale.units(6)}
    dealt = parse_combo("AsAh")
    assert sum(p.reach[dealt] for row in found.values() for p in row) == pytest.approx(1)
    called_all_in = shadow.after_passive(places)
    assert called_all_in[1].node == LOST  # the tree is over, the real hand is not
    assert called(rules, raised(rules, state, total)).kind != 2


def test_a_small_bet_may_count_as_a_check(alike):
    """The big blind opens the flop for 1 into 2: x = 0.5, between a check and the pot."""
    rules, tree = alike.hand.rules, alike.tree
    shadow = ShadowPlay(tree, rules)
    state = deal(rules, called(rules, called(rules, start(rules))))
    place = Place(node_at(tree, "C-X"), np.ones(1326), is_real=True)
    one = rules.scale.units(1)
    share = (1 - 0.5) / (1 * 1.5)
    assert shadow.shares(place, state, one) == pytest.approx({0: share, 1: 1 - share})
    places = shadow.after_bet([place], state, one)
    assert [tree.line(p.node) for p in places] == ["C-X|X", "C-X|B2"]
    board = DealtBoard(alike, parse_cards("KdQdAdKhQh"), np.random.default_rng(1))
    found = shadow.actions(places, raised(rules, state, one), board)
    calls = [tree.line(p.node) for p in found[Kind.CALL, 0]]
    assert calls == ["C-X|X-X|", "C-X|B2-C|"]
    dealt = parse_combo("AsAh")
    assert sum(p.reach[dealt] for row in found.values() for p in row) == pytest.approx(1)
    after = shadow.shares(place._replace(node=node_at(tree, "C-X|X")), state, one)
    assert after == {1: 1.0}  # a check would end the street


def test_check_down_equities(alike):
    board = DealtBoard(alike, parse_cards("KdQdAdKhQh"), np.random.default_rng(1))
    aces, fours = parse_combo("AsAh"), parse_combo("KsKc")
    assert board.equities(3, aces)[fours] == 0
    assert board.equities(3, fours)[aces] == 1
    turn = board.equities(2, parse_combo("AsAh"))
    assert turn[parse_combo("KsKc")] == 0.25  # four kings lose to four aces
    assert 0 < turn[parse_combo("QsQc")] < 1
    flop = board.equities(1, aces)
    assert flop.min() >= 0
    assert flop.max() <= 1


def test_hands_are_spread_over_strengths_without_bias(alike):
    board = DealtBoard(alike, parse_cards("KdQdAdKhQh"), np.random.default_rng(1))
    random = np.random.default_rng(3)
    dealt = np.flatnonzero(board.masks[3])
    counts = np.zeros(1326)
    for _ in range(1000):
        hands = _spread_hands(board, random)
        assert len(set(hands)) == 8
        counts[hands] += 1
    assert counts[dealt] == pytest.approx(np.full(len(dealt), 8000 / len(dealt)), rel=0.2)


def test_the_best_setting_is_valued_on_other_hands(alike):
    told: list[Progress] = []
    found = local_response(alike, ["fc", "tree"], hands=64, callbacks=told.append)
    assert [str(setting) for setting, _ in found.tried] == ["fc:preflop", "tree:preflop"]
    assert found.setting == max(found.tried, key=lambda row: row[1].mean)[0]
    assert (told[-1].iteration, told[-1].total, told[-1].unit) == (96, 96, "hands")
    alone = local_response(alike, [found.setting], hands=64)
    assert (alone.gain, alone.tried) == (found.gain, ())
    assert found.to_dict()["kind"] == "lower bound"


def test_before_its_street_it_checks_and_calls(alike):
    player = _Player(alike, LocalSetting("tree", 3))
    state = start(alike.hand.rules)
    board = DealtBoard(alike, parse_cards("KdQdAdKhQh"), np.random.default_rng(1))
    played = BlueprintRange(ShadowPlay(alike.tree, alike.hand.rules), board)
    others = np.ones(1326, bool)
    assert str(player._chosen(board, parse_combo("AsAh"), state, played, others)) == "C"


def test_settings(alike):
    assert LocalSetting.read("56:turn") == LocalSetting("56", 2)
    assert len(settings_for(alike)) == 8
    with pytest.raises(UnknownNameError):
        LocalSetting.read("all:turn")
    with pytest.raises(UnknownNameError):
        LocalSetting.read("fc:fifth")
    wrong: list[dict[str, Any]] = [{"hands": 2}, {"seed": -1}, {"settings": []}]
    for arguments in wrong:
        with pytest.raises(ConfigError):
            local_response(alike, **arguments)
