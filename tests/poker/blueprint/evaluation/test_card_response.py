"""Card responses against a slow best response with matrices, on the deck of 12 cards."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from equilibrist.errors import ConfigError
from equilibrist.poker import Hand, build_card_buckets
from equilibrist.poker.blueprint.abstract_game import AbstractGame
from equilibrist.poker.blueprint.evaluation.card_response import _Responder, card_response
from equilibrist.poker.blueprint.evaluation.exploiter import exploit
from equilibrist.poker.blueprint.training.trainer import Trainer
from equilibrist.poker.hands.state import DEAL, DECISION
from tests.poker.blueprint.evaluation.test_exploiter import PreflopCards, blueprint_of
from tests.poker.blueprint.oracle import BoardOracle, random_strategy
from tests.poker.blueprint.training.test_truth import Classes, ClassGame

QUEEN, LOWEST = 10, 40


pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    cards = build_card_buckets(
        "all/6/6/4", tmp_path_factory.mktemp("cards") / "q.safetensors",
        lowest_rank=QUEEN, restarts=1, passes=3, sample=1000, threads=1,
    )  # fmt: skip
    hand = Hand(stacks="3/4", bets="100%,a", raises="a", ante=0.1, deck="Q")
    return AbstractGame(hand, cards.counts), cards


def slow_value(game, cards, strategy, seat, flop):
    """What the best response of a seat wins at the ends before the flop, summed over a flop's
    boards: by node and hand."""
    tree = game.tree
    left = [card for card in range(LOWEST, 52) if card not in flop]

    def on_board(board):
        oracle = BoardOracle(game, cards, np.array(board), strategy)
        return oracle, {int(h): k for k, h in enumerate(oracle.hands)}

    boards = {(t, r): on_board([*flop, t, r]) for t in left for r in left if r != t}

    def terminal(node, board, reach):
        oracle, place = boards[board]
        payoff = oracle.payoff(node)
        won = payoff @ reach[board] if seat == 0 else -payoff.T @ reach[board]
        return {hand: won[k] for hand, k in place.items()}

    def walk(node, runouts, reach):
        """By hand, the sum over runouts; reach: of the other seat by board."""
        if tree.kind[node] == DEAL:
            child, street = int(tree.first_child[node]), int(tree.street[node])
            if street == 0:
                return walk(child, runouts, reach)
            key = 0 if street == 1 else 1
            total: dict[int, Any] = {}
            for card in sorted({board[key] for board in runouts}):
                part = [board for board in runouts if board[key] == card]
                for hand, won in walk(child, part, reach).items():
                    total[hand] = total.get(hand, 0.0) + won
            return total
        if tree.kind[node] != DECISION:
            total = {}
            for board in runouts:
                for hand, won in terminal(node, board, reach).items():
                    total[hand] = total.get(hand, 0.0) + won
            return total
        found = []
        for action, child in enumerate(tree.children(node)):
            below = reach
            if tree.player[node] != seat:
                below = {
                    board: reach[board] * boards[board][0].chances(node)[action]
                    for board in runouts
                }
            found.append(walk(child, runouts, below))
        combine = max if tree.player[node] == seat else sum
        return {hand: combine([each[hand] for each in found]) for hand in found[0]}

    def before(node, reach):
        if tree.kind[node] != DECISION or tree.street[node]:
            return {node: walk(node, list(boards), reach)}
        found = {}
        for action, child in enumerate(tree.children(node)):
            below = reach
            if tree.player[node] != seat:
                below = {
                    board: weights * boards[board][0].chances(node)[action]
                    for board, weights in reach.items()
                }
            found.update(before(child, below))
        return found

    ones = {board: np.ones(len(place)) for board, (_, place) in boards.items()}
    return before(0, ones)


@pytest.mark.parametrize("flop", [(40, 45, 50)])
@pytest.mark.parametrize("seat", [0, 1])
def test_sums_of_a_flop_are_those_of_matrices(small, flop, seat):
    game, cards = small
    strategy = random_strategy(game, 3)
    responder = _Responder(blueprint_of(game, cards, strategy))
    scale = responder._boards * responder._pairs / 1000
    found = responder.sums(np.array(flop, np.uint8))[:, seat] * scale
    wanted = slow_value(game, cards, strategy, seat, flop)
    assert sorted(wanted) == responder.ends.tolist()
    for node, by_hand in wanted.items():
        for hand, won in by_hand.items():
            assert found[node, hand] == pytest.approx(won, abs=0.02)


def test_canonical_flops_stand_for_all(small):
    game, cards = small
    blueprint = blueprint_of(game, cards, random_strategy(game, 3))
    found = card_response(blueprint)
    assert found.exact
    assert found.gain.half_width == 0
    responder = _Responder(blueprint)
    flops = np.array([*combinations(range(LOWEST, 52), 3)], np.uint8)
    total: Any = sum(responder.sums(flop) for flop in flops) / len(flops)
    before = sorted(
        node
        for node in range(game.tree.num_nodes)
        if game.tree.kind[node] == DECISION and game.tree.street[node] == 0
    )
    for node in before[::-1]:  # hand by hand: over all flops no classes are needed
        seat, below = game.tree.player[node], total[game.tree.children(node)]
        total[node, seat] = below[:, seat].max(axis=0)
        total[node, 1 - seat] = below[:, 1 - seat].sum(axis=0)
    values = [each.mean for each in found.values]
    assert values == pytest.approx(total[0].sum(axis=1), abs=1e-3)
    assert found.gain.mean == pytest.approx(sum(each.mean for each in found.values) / 2)


def test_sampled_flops_win_less_but_not_much(small):
    game, cards = small
    blueprint = blueprint_of(game, cards, random_strategy(game, 3))
    exact = card_response(blueprint)
    found = card_response(blueprint, 200, threads=2)
    assert not found.exact
    assert found.flops == 200
    assert found.gain.mean <= exact.gain.mean + 1.5 * found.gain.half_width
    assert found.gain.mean == pytest.approx(exact.gain.mean, abs=3 * found.gain.half_width)
    assert found == card_response(blueprint, 200, threads=1)


def test_no_exploiter_in_the_buckets_wins_more(small):
    game, cards = small
    trained = Trainer(game, cards, batch=24).run(30).strategy()
    blueprint = blueprint_of(game, cards, trained / 65535)
    exact = card_response(blueprint)
    found = exploit(blueprint, iterations=60, boards=1500)
    assert found.gain.mean <= exact.gain.mean + 1.5 * found.gain.half_width
    assert (
        exact.gain.mean
        < card_response(blueprint_of(game, cards, random_strategy(game, 3))).gain.mean / 4
    )


def test_ends_before_the_flop_have_no_noise_of_flops():
    """Where all betting is before the flop, any flops give the exact best response."""
    hand = Hand(stack=10, bets="a", raises="a", last_street="preflop")
    preflop = AbstractGame(hand, Classes.counts)
    strategy = random_strategy(preflop, 4)
    found = card_response(blueprint_of(preflop, PreflopCards(), strategy), 4)
    exact = ClassGame(preflop)
    value, gains = exact.value(strategy), exact.gains(strategy)
    wanted = [value + gains[0], gains[1] - value]
    assert [each.mean for each in found.values] == pytest.approx(wanted, abs=0.1)
    assert found.gain.half_width == pytest.approx(0, abs=1e-6)


def test_too_few_flops(small):
    game, cards = small
    with pytest.raises(ConfigError) as error:
        card_response(blueprint_of(game, cards, random_strategy(game, 3)), 2)
    assert error.value.option == "flops"
