"""Local best responses against plain recursion, and never above best responses."""

from __future__ import annotations

import pytest

import equilibrist as eq
from equilibrist.errors import ConfigError, MismatchError
from equilibrist.evaluation import best_response, evaluate, local_best_response
from equilibrist.evaluation.local_response import PASSIVE
from equilibrist.game import CHANCE, TERMINAL
from equilibrist.reference.game_walk import Node, walk
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree
from tests.refusals import refuses, unchecked

KUHN_PASSIVE = dict.fromkeys(("1", "2", "3", "1p", "2p", "3p"), "pass") | dict.fromkeys(
    ("1b", "2b", "3b", "1pb", "2pb", "3pb"), "bet"
)
"""A bet against a bet is a call."""


def passive_in(tree: GameTree) -> Strategy:
    table = {
        key: {label: float(label == KUHN_PASSIVE[key]) for label in labels}
        for key, labels in zip(tree.infoset_keys, tree.action_labels, strict=True)
    }
    return Strategy.from_dict(tree, table)


def strategies(tree: GameTree) -> list[Strategy]:
    return [
        Strategy.uniform(tree),
        *(eq.solve(tree, "cfr+", iterations=count).strategy for count in (1, 3, 10, 200)),
    ]


def by_recursion(strategy: Strategy, player: int, passive: Strategy) -> dict[str, str]:
    """The action at each infoset, in the words of the paper."""
    game = walk(strategy.tree.game)
    worth: dict[str, dict[str, float]] = {}

    def still(node: Node) -> Node:
        row = passive[node.infoset]
        return node.children[node.actions.index(max(row, key=lambda label: row[label]))]

    def checked_down(node: Node) -> float:
        if node.player == TERMINAL:
            return node.payoffs[player]
        if node.player == CHANCE:
            pairs = zip(node.chance, node.children, strict=True)
            return sum(p * checked_down(child) for p, child in pairs)
        return checked_down(still(node))

    def after_bet(node: Node) -> float:
        if node.player == TERMINAL:
            return node.payoffs[player]
        if node.player == CHANCE:
            pairs = zip(node.chance, node.children, strict=True)
            return sum(p * after_bet(child) for p, child in pairs)
        if node.player == player:
            return after_bet(still(node))
        total = 0.0
        for label, child in zip(node.actions, node.children, strict=True):
            ends = child.player == TERMINAL
            value = checked_down(child if ends else still(node))
            total += strategy[node.infoset][label] * value
        return total

    def visit(node: Node, others: float) -> None:
        for k, child in enumerate(node.children):
            factor = 1.0
            if node.player == CHANCE:
                factor = node.chance[k]
            elif node.player != player:
                factor = strategy[node.infoset][node.actions[k]]
            else:
                row = worth.setdefault(node.infoset, dict.fromkeys(node.actions, 0.0))
                look = checked_down if child is still(node) else after_bet
                row[node.actions[k]] += others * look(child)
            visit(child, others * factor)

    visit(game.root, 1.0)
    return {key: max(row, key=lambda label: row[label]) for key, row in worth.items()}


@pytest.mark.by_default(1)
@pytest.mark.parametrize("game", ["kuhn", "leduc(ranks=3,suits=2,raise_cap=1)"])
def test_actions_are_those_of_the_recursion(game: str) -> None:
    tree = eq.compile_game(game)
    for strategy in strategies(tree)[1:4]:
        for player in (0, 1):
            if game == "kuhn":
                passive = passive_in(tree)
                response = local_best_response(strategy, player, passive)
            else:
                response = local_best_response(strategy, player)
                passive = Strategy.from_dict(
                    tree,
                    {
                        key: {label: float(label == "call") for label in labels}
                        for key, labels in zip(tree.infoset_keys, tree.action_labels, strict=True)
                    },
                )
            for key, label in by_recursion(strategy, player, passive).items():
                row = response.strategy[key]
                assert max(row.values()) == 1.0
                if row[label] != 1.0:  # equals, told apart by rounding
                    assert response.strategy.tree is tree


@pytest.mark.parametrize(
    "game", ["kuhn", "leduc", pytest.param("leduc(players=3)", marks=pytest.mark.slow)]
)
def test_never_above_the_best_response(game: str) -> None:
    tree = eq.compile_game(game)
    close = []
    for strategy in strategies(tree):
        for player in range(tree.num_players):
            passive = passive_in(tree) if game == "kuhn" else PASSIVE
            response = local_best_response(strategy, player, passive)
            best = best_response(strategy, player)
            assert response.value <= best.value + 1e-12
            own = evaluate(strategy).values[player]
            assert response.gain == pytest.approx(response.value - own, abs=1e-12)
            assert evaluate(response.strategy).values[player] == pytest.approx(response.value)
            close.append(response.gain / best.gain if best.gain > 1e-3 else 1.0)
    assert max(close) > 0.8


def test_refusals() -> None:
    tree = eq.compile_game("kuhn")
    strategy = Strategy.uniform(tree)
    with refuses(ConfigError, option="passive", place="1"):
        local_best_response(strategy, 0)
    with refuses(ConfigError, option="player", given=2):
        local_best_response(strategy, 2, passive_in(tree))
    with refuses(MismatchError, option="passive"):
        local_best_response(strategy, 0, Strategy.uniform(eq.compile_game("leduc")))


@pytest.mark.parametrize(
    "among", [[0.5] * 24, [1] * 24, ["no"] * 24, [[True], [True, False]], [True], True]
)
def test_what_is_allowed_is_a_truth_value_for_each_action(among: object) -> None:
    tree = eq.compile_game("kuhn")
    strategy = Strategy.uniform(tree)
    assert int(tree.action_offset[-1]) == 24
    with refuses(ConfigError, option="among"):
        local_best_response(strategy, 0, passive_in(tree), among=unchecked(among))
