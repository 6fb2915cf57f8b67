"""What hands and their classes do at a decision of a blueprint."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from equilibrist.errors import NotationError
from equilibrist.poker.betting.actions import CALL, CHECK, FOLD, Action, Kind, line_text
from equilibrist.poker.blueprint import spots
from equilibrist.poker.blueprint.policy import Blueprint, ranges_at, reach_of
from equilibrist.poker.blueprint.spots import flop_start, flop_strategist
from equilibrist.poker.cards.cards import parse_cards
from equilibrist.poker.cards.combos import CLASS_OF_COMBO, COMBO_MASKS, NUM_COMBOS, dealt_hands
from equilibrist.poker.hands.state import DECISION
from equilibrist.poker.hands.tree_lines import node_at
from equilibrist.poker.postflop.solution.street_strategy import lock_street
from equilibrist.poker.postflop.spot.spot import Spot
from tests.refusals import refuses


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
    rows = blueprint.decision_at(node, cards).by_class()
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
    np.testing.assert_allclose(rows.frequencies, by_hand @ reach / reach.sum(), atol=1e-6)


@pytest.mark.parametrize("line", ["", "C", "C-X", "C-R3.2-C"])
def test_the_reach_of_a_line_is_the_share_of_pairs_of_hands_that_play_it(blueprint, line):
    node = node_at(blueprint.tree, line)
    small, big = ranges_at(blueprint, node)
    dealt = np.flatnonzero(dealt_hands((), 8))
    apart = (COMBO_MASKS[dealt][:, None] & COMBO_MASKS[dealt]) == 0
    found = reach_of(blueprint, node)
    assert found.line == pytest.approx((small[dealt] @ apart @ big[dealt]) / apart.sum())
    assert found.seats == pytest.approx((small[dealt].mean(), big[dealt].mean()))


def test_a_line_that_is_hardly_played_keeps_its_weights_and_is_called_rare(game, cards):
    """Rounding to four decimals made 0.0000763 of a limp 0.0001, and half of that 0."""
    strategy = np.full(game.num_slots, 65_535 // 3, np.uint16)
    actions, buckets = game.shape(0)
    limp = [game.tree.label(child) for child in game.tree.children(0)].index("C")
    first = strategy[: actions * buckets].reshape(actions, buckets)
    first[limp] = np.arange(1, buckets + 1)
    first[limp - 1] = 65_535 - first[limp] - first[limp + 1 :].sum(axis=0)
    blueprint = Blueprint(game, cards, strategy)
    start = flop_start(blueprint, "C-X")
    exact = ranges_at(blueprint, node_at(game.tree, "C-X"))
    assert 0 < exact[0][exact[0] > 0].min() < 2e-5
    np.testing.assert_allclose(start.ip.weights, exact[0], rtol=5.1e-4)
    np.testing.assert_allclose(start.oop.weights, exact[1], rtol=5.1e-4)
    assert start.reach.seats[0] == pytest.approx(exact[0].sum() / 190)
    assert start.reach.is_rare
    assert not reach_of(blueprint, 0).is_rare


def test_the_flop_of_a_blueprint_can_be_examined(blueprint):
    """Its ranges, pot, stack and menu make the spot; bets that it does not offer are free."""
    start = flop_start(blueprint, "C-X")
    spot = Spot(
        board="TdJdQh", oop=start.oop, ip=start.ip, pot=start.pot, stack=start.stack,
        unit=start.unit, bets="100%,a", raises="100%,a",
    )  # fmt: skip
    played = flop_strategist(blueprint, "C-X")(spot)
    street = lock_street(spot, played, 1)
    assert street.free == 0
    for node in street.nodes:
        line = line_text(node.line)
        decision = blueprint.at(f"C-X|{line}", "TdJdQh")
        assert [action.kind for action in node.actions] == [a.kind for a in decision.actions]
        held = np.flatnonzero(spot.ranges[1].weights)
        np.testing.assert_allclose(node.fixed(())[:, held], decision.strategy[:, held], atol=1e-6)
    wider = spot.replace(bets="50%,100%,a")
    assert lock_street(wider, played, 1).free > 0
    with refuses(NotationError):
        flop_strategist(blueprint, "C")


def test_a_raise_of_more_than_the_other_can_call_is_all_in_of_the_spot(blueprint):
    """The small blind, of the larger stack, has to raise 2.2 to 4.4; the big blind has 3.9."""
    start = flop_start(blueprint, "C-X")
    spot = Spot(
        board="TdJdQh", oop=start.oop, ip=start.ip, pot=start.pot, stack=start.stack,
        unit=start.unit, bets="100%,a", raises="100%,a",
    )  # fmt: skip
    played = flop_strategist(blueprint, "C-X")(spot)
    assert lock_street(spot, played, 0).free == 0
    for there, here in (("B2.2-A3.9", "B2.2-A4.4"), ("X-B2.2-A3.9", "X-B2.2-A3.9")):
        strategy = played(there)
        assert strategy is not None
        expected = blueprint.at(f"C-X|{here}", "TdJdQh").strategy
        np.testing.assert_array_equal([*strategy.values()], expected)
    assert played("B2.2-A4.4") is None
    assert played("B2.2-A3.9-C") is None


def test_bets_of_more_than_the_other_can_call_are_one_all_in(monkeypatch):
    """What follows them counts as often as each is made."""
    bets = (CHECK, Action(Kind.BET, 3), Action(Kind.BET, 9), Action(Kind.ALL_IN, 12))
    answers = (FOLD, CALL)
    moves = {0: bets, 1: answers, 2: answers}
    shares = {0: [0.1, 0.2, 0.3, 0.4], 1: [0.5, 0.5], 2: [0.9, 0.1]}
    one_each = np.ones(NUM_COMBOS)
    tree = SimpleNamespace(
        kind=[DECISION] * 5, street=[1] * 5, player=[1, 0, 0, 0, 0],
        moves=moves.get, children=lambda node: [] if node else [4, 3, 1, 2],
    )  # fmt: skip
    stub: Any = SimpleNamespace(
        tree=tree,
        decision_at=lambda node, _: SimpleNamespace(
            actions=moves[node], strategy=np.multiply.outer(shares[node], one_each)
        ),
    )
    monkeypatch.setattr(spots, "flop_start", lambda *_: None)
    monkeypatch.setattr(spots, "node_at", lambda *_: 0)
    monkeypatch.setattr(
        spots,
        "ranges_at",
        lambda _, node, __: np.stack([one_each, one_each * (0.3, 0.4)[node - 1]]),
    )
    spot = Spot(board="TdJdQh", oop="AA", ip="KK", pot=6, stack=9, bets="50%,a")
    played = flop_strategist(stub, "C-X")(spot)
    there = {name: float(column[0]) for name, column in played("").items()}
    assert there == pytest.approx({"Check": 0.1, "Bet 3": 0.2, "All-in 9": 0.7})
    (node,) = lock_street(spot, lambda line: None if line else played(""), 0).nodes
    assert [str(action) for action in node.actions] == ["Check", "Bet 3", "All-in 9"]
    called = played("A9")["Call"][0]
    assert called == pytest.approx((0.3 * 0.5 + 0.4 * 0.1) / 0.7)
