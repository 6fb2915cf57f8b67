"""Agents, ranges and the coach of a blueprint of three seats."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from equilibrist.errors import ConfigError
from equilibrist.play import Adviser, HandGame, Person, Session, SolutionAgent, SolutionCoach, Table
from equilibrist.play.solutions.players import SolutionRanges
from equilibrist.poker import Hand
from equilibrist.poker.blueprint.abstract_game import AbstractGame
from equilibrist.poker.blueprint.policy import ranges_at
from equilibrist.poker.cards.cards import parse_cards
from equilibrist.poker.cards.combos import COMBO_INDEX, parse_combo
from equilibrist.poker.hands.tree_lines import node_at
from tests.poker.blueprint.alike_cards import AlikeCards
from tests.poker.blueprint.evaluation.test_exploiter import blueprint_of
from tests.poker.blueprint.oracle import random_strategy
from tests.refusals import refuses

HAND = Hand(stacks="6/4/5", seats=3, bets="a", raises="a", deck="Q")
DECK = range(40, 52)


@pytest.fixture(scope="module")
def blueprint():
    cards = AlikeCards(10)
    game = AbstractGame(HAND, cards.counts)
    return blueprint_of(game, cards, random_strategy(game, 7))


def test_the_agent_plays_its_seat(blueprint):
    agent = SolutionAgent(blueprint)
    table = Table.start(HandGame(HAND))
    for choice in ("SB AsAh", "BB KsQs", "BTN AdKd", "C", "F", "X", "flop Kh", "flop Qh"):
        table = table.play(choice)
    table = table.play("flop Qd")
    assert table.player == 1
    node = node_at(blueprint.tree, "C-F-X")
    wanted = blueprint.probabilities(node, parse_cards("KhQhQd"))[:, parse_combo("KsQs")]
    assert agent.mixture(table) == pytest.approx(wanted.tolist(), abs=1e-6)


def exact_shares(blueprint, line, own, mover, other):
    """What a seat does there, by all pairs of hands of the two others."""
    node = node_at(blueprint.tree, line)
    ranges = ranges_at(blueprint, node)
    chances = blueprint.probabilities(node, ())
    free = [pair for pair in combinations(DECK, 2) if not {*pair} & {*own}]
    total = np.zeros(len(chances))
    for mine in free:
        left = sum(ranges[other, COMBO_INDEX[one]] for one in free if not {*one} & {*mine})
        total += ranges[mover, COMBO_INDEX[mine]] * left * chances[:, COMBO_INDEX[mine]]
    return total / total.sum()


def test_ranges_heed_the_cards_of_the_third_seat(blueprint):
    found = SolutionRanges(blueprint).mixtures("KsQs:C-C")
    assert [(one.player, one.where, one.taken) for one in found] == [(2, "", "C"), (0, "C", "C")]
    own = parse_cards("KsQs")
    button, small = (exact_shares(blueprint, *each) for each in (("", own, 2, 0), ("C", own, 0, 2)))
    assert found[0].probabilities == pytest.approx(button.tolist(), abs=1e-6)
    assert found[1].probabilities == pytest.approx(small.tolist(), abs=1e-6)
    assert found[1].holdings == 45


def test_the_coach_estimates_with_intervals(blueprint, monkeypatch):
    monkeypatch.setattr("equilibrist.poker.blueprint.evaluation.sampled_values.BLOCK", 512)
    coach = SolutionCoach(blueprint, 3)
    assert isinstance(coach, Adviser)
    advice = coach.advise("AsAh:A5", 0)
    assert advice.actions[0] == "F"
    assert (advice.values[0], advice.errors[0]) == (-0.5, 0.0)
    assert all(0 < error < 0.1 for error in advice.errors[1:])
    assert advice.mixture == pytest.approx(
        blueprint.probabilities(node_at(blueprint.tree, "A5"), ())[:, parse_combo("AsAh")].tolist(),
        abs=1e-6,
    )
    with refuses(ConfigError, option="chosen"):
        coach.advise("AsAh:A5", 9)


def test_a_session_of_three(blueprint):
    def session():
        return Session(HandGame(HAND), [SolutionAgent(blueprint, f"{k}") for k in "abc"], seed=5)

    first, again = session(), session()
    hands = list(first.play(6))
    assert [hand.payoffs for hand in hands] == [hand.payoffs for hand in again.play(6)]
    assert sum(first.score.totals) == pytest.approx(0)
    assert {hand.seats for hand in hands} == {(0, 1, 2), (1, 2, 0), (2, 0, 1)}


def test_a_person_sees_its_own_hand_alone(blueprint):
    others = [SolutionAgent(blueprint, "AI 1"), SolutionAgent(blueprint, "AI 2")]
    session = Session(HandGame(HAND), [others[0], others[1], Person("you")], seed=5)
    turn = session.deal()
    assert turn.player == 2
    held = [move.action.split()[1] for move in session.table.moves]
    assert dict(turn.facts)["your hand"] == held[2]
    assert not any(other in str(turn) for other in held[:2])
