"""Whole hands at a table: the deal, the rules, and play, ranges and estimates by a blueprint."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

from equilibrist.errors import ConfigError, MismatchError, NotationError
from equilibrist.game import CHANCE, TERMINAL
from equilibrist.play import HandGame, Person, Session, SolutionAgent, SolutionCoach, Table
from equilibrist.play.bets import mapped_within
from equilibrist.play.solutions.players import SolutionRanges
from equilibrist.poker import Hand
from equilibrist.poker.blueprint.abstract_game import AbstractGame
from equilibrist.poker.blueprint.evaluation.node_values import NodeValuer
from equilibrist.poker.blueprint.evaluation.sampled_values import SampledValuer
from equilibrist.poker.blueprint.evaluation.values import strategy_of
from equilibrist.poker.blueprint.policy import ranges_at
from equilibrist.poker.cards.cards import parse_cards
from equilibrist.poker.cards.combos import COMBO_MASKS, parse_combo
from equilibrist.poker.hands.tree_lines import node_at
from tests.poker.blueprint.alike_cards import AlikeCards
from tests.poker.blueprint.evaluation.test_exploiter import blueprint_of
from tests.poker.blueprint.oracle import BoardOracle, random_strategy
from tests.refusals import refuses

HAND = Hand(stack=6, bets="100%,a", raises="a", deck="Q")


@pytest.fixture(scope="module")
def blueprint():
    cards = AlikeCards(10)
    game = AbstractGame(HAND, cards.counts)
    return blueprint_of(game, cards, random_strategy(game, 7))


def walk(game, state, choices):
    for choice in choices:
        actions = list(game.actions(state))
        state = game.next(state, actions.index(choice))
    return state


def test_a_hand_from_the_deal_to_the_showdown():
    game = HandGame(HAND)
    state = game.initial_state()
    assert game.player(state) == CHANCE
    assert len(game.actions(state)) == comb(12, 2)
    assert sum(game.chance(state)) == pytest.approx(1)
    state = walk(game, state, ["SB AsAh", "BB KsQs"])
    assert game.infoset(state) == "AsAh:"
    state = walk(game, state, ["C", "X"])
    assert game.player(state) == CHANCE
    assert len(game.actions(state)) == 8
    state = walk(game, state, ["flop Kd", "flop Qd", "flop Ad"])
    assert game.player(state) == 1
    assert game.infoset(state) == "KsQs:C-X|AdKdQd"
    state = walk(game, state, ["X", "A5", "C", "turn Kc", "river Qc"])
    assert game.player(state) == TERMINAL
    assert game.payoffs(state) == [6, -6]


def test_a_fold_loses_what_was_put_in():
    game = HandGame(HAND)
    state = walk(game, game.initial_state(), ["SB AsAh", "BB KsQs", "F"])
    assert game.player(state) == TERMINAL
    assert game.payoffs(state) == [-0.5, 0.5]


def test_facts_and_words_are_those_of_the_key():
    game = HandGame(Hand(stack=20, bets="100%,a", raises="a"))
    facts = dict(game.infoset_facts("7h6h:R3-C|Td9d6h|X"))
    assert facts["your hand"] == "7h6h"
    assert facts["board"] == "Td9d6h"
    assert facts["pot"] == "6"
    assert facts["to call"] == ""
    assert facts["behind"] == "SB 17 (you), BB 17"
    assert facts["moves"] == "SB Raise 3, BB Call; flop Td9d6h: BB Check"
    words = game.action_words("7h6h:R3-C|Td9d6h|X", ("X", "B6", "A17"))
    assert words == [("Check", "X"), ("Bet 6", "B6"), ("All-in 17", "A17")]


def test_bets_off_the_menu_are_mapped():
    game = HandGame(Hand(stack=20, bets="100%,a", raises="a"))
    limits = game.bet_limits("7h6h:R3-C|Td9d6h|X")
    assert (limits.least, limits.most, limits.facing, limits.pot) == (1, 17, 0, 6)
    assert limits.menu == {1: 6, 2: 17}
    # x = 1.5, A = 1, B = 17/6
    a, b, x = 1, 17 / 6, 1.5
    share = (b - x) * (1 + a) / ((b - a) * (1 + x))
    assert mapped_within(limits, 9).shares == pytest.approx({1: share, 2: 1 - share})
    assert mapped_within(limits, 6).is_exact
    assert mapped_within(limits, 1).shares == {1: 1.0}
    with refuses(ConfigError, option="amount"):
        mapped_within(limits, 18)
    raise_to = game.bet_limits("7h6h:R3")
    assert (raise_to.least, raise_to.most, raise_to.facing, raise_to.pot) == (5, 20, 3, 6)
    assert game.bet_limits("7h6h:A20") is None


@pytest.mark.parametrize("key", ["", "AhKh", "xx:", "AhKh:R3-"])
def test_keys_of_another_form(key):
    with pytest.raises((ConfigError, NotationError)):
        HandGame(HAND).at(key)


def test_the_agent_plays_the_blueprint(blueprint):
    agent = SolutionAgent(blueprint)
    table = Table.start(HandGame(HAND))
    for choice in ("SB AsAh", "BB KsQs", "C", "X", "flop Kd", "flop Qd", "flop Ad"):
        table = table.play(choice)
    node = node_at(blueprint.tree, "C-X")
    wanted = blueprint.probabilities(node, parse_cards("KdQdAd"))[:, parse_combo("KsQs")]
    assert agent.mixture(table) == pytest.approx(wanted.tolist(), abs=1e-6)
    other = SolutionAgent(blueprint_of(*other_hand()))
    table = Table.start(HandGame(HAND)).play("SB AsAh").play("BB KsQs")
    with refuses(MismatchError, option="actions"):
        other.mixture(table)


def other_hand():
    cards = AlikeCards(10)
    game = AbstractGame(Hand(stack=6, bets="a", raises="a", deck="Q"), cards.counts)
    return game, cards, random_strategy(game, 7)


def test_ranges_depend_on_the_infoset_alone(blueprint):
    found = SolutionRanges(blueprint).mixtures("KsQs:C-X|AdKdQd|X")
    assert [(one.player, one.where, one.taken) for one in found] == [
        (1, "C", "X"),
        (1, "C-X|", "X"),
    ]
    first = found[0]
    node = node_at(blueprint.tree, "C")
    free = (COMBO_MASKS & COMBO_MASKS[parse_combo("KsQs")]) == 0
    weight = ranges_at(blueprint, node)[1] * free
    wanted = blueprint.probabilities(node, ()) @ weight / weight.sum()
    assert first.probabilities == pytest.approx(wanted.tolist(), abs=1e-6)
    assert first.holdings == comb(10, 2)


def slow_values(blueprint, node, board, combo):
    """Means over all rivers of what each action wins, by matrices of all pairs of hands."""
    game, tree = blueprint.game, blueprint.tree
    seat = int(tree.player[node])
    gone = int(COMBO_MASKS[combo]) | sum(1 << card for card in board)
    rest = [[]] if len(board) == 5 else [[c] for c in range(40, 52) if not gone >> c & 1]
    total, met = np.zeros(int(tree.num_children[node])), 0.0
    for added in rest:
        whole = np.array([*board, *added])
        oracle = BoardOracle(game, blueprint.cards, whole, strategy_of(blueprint))
        place = oracle.hands.tolist().index(combo)
        reach = ranges_at(blueprint, node, board)[:, oracle.hands]
        met += oracle.meets[place] @ reach[1 - seat]
        for action, child in enumerate(tree.children(node)):
            total[action] += oracle.walk(child, list(reach))[seat][place]
    return total / met


@pytest.mark.parametrize(
    ("line", "board"), [("C-X|X-X|X-X", "KdQdAdKhQh"), ("C-X|X-X|B2", "KdQdAdKh")]
)
def test_estimates_are_exact_late_in_the_hand(blueprint, line, board):
    node = node_at(blueprint.tree, line)
    cards, combo = parse_cards(board), parse_combo("AsQs")
    found = NodeValuer(blueprint).values(node, cards, combo)
    assert found is not None
    assert [each.half_width for each in found] == [0.0] * len(found)
    wanted = slow_values(blueprint, node, cards, combo)
    assert [each.mean for each in found] == pytest.approx(wanted.tolist(), abs=1e-4)


@pytest.mark.parametrize(
    ("line", "board"), [("C-X|X-X|X-X", "KdQdAdKhQh"), ("C-X|X-X|B2", "KdQdAdKh")]
)
def test_sampled_deals_agree_with_sums_over_boards(blueprint, line, board):
    node, cards = node_at(blueprint.tree, line), parse_cards(board)
    combo = parse_combo("AsQs")
    exact = NodeValuer(blueprint).values(node, cards, combo)
    sampled = SampledValuer(blueprint, seed=4, blocks=4).values(node, cards, combo)
    assert exact is not None
    assert sampled is not None
    for one, other in zip(exact, sampled, strict=True):
        assert abs(one.mean - other.mean) <= 2.2 * other.half_width + 1e-6


def test_estimates_of_early_decisions_have_intervals(blueprint):
    advice = SolutionCoach(blueprint, 3).advise("AsAh:", 0)
    assert advice.values[0] == -0.5
    assert advice.errors[0] == 0.0
    assert all(error > 0 for error in advice.errors[1:])
    assert advice.mixture == pytest.approx(
        blueprint.probabilities(0, ())[:, parse_combo("AsAh")].tolist(), abs=1e-6
    )
    assert advice == SolutionCoach(blueprint, 3).advise("AsAh:", 0)
    with refuses(ConfigError, option="chosen"):
        SolutionCoach(blueprint).advise("AsAh:", 9)


def test_a_session_scores_and_deals_the_same_hands_again(blueprint):
    def session():
        return Session(HandGame(HAND), [SolutionAgent(blueprint), SolutionAgent(blueprint)], seed=5)

    first, again = session(), session()
    hands = list(first.play(6))
    assert [hand.payoffs for hand in hands] == [hand.payoffs for hand in again.play(6)]
    assert sum(first.score.totals) == pytest.approx(0)
    assert {hand.seats for hand in hands} == {(0, 1), (1, 0)}


def test_a_person_sees_its_own_hand_alone(blueprint):
    session = Session(HandGame(HAND), [Person("you"), SolutionAgent(blueprint)], seed=5)
    turn = session.deal()
    assert turn.player == 0
    held = session.table.moves[0].action.split()[1]
    assert dict(turn.facts)["your hand"] == held
    assert session.table.moves[1].action.split()[1] not in str(turn)
