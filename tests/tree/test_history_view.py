"""Walks through histories: who moves, how likely it is, and what it is worth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest

import equilibrist as eq
from equilibrist.errors import ConfigError, UnknownNameError
from equilibrist.game import CHANCE, TERMINAL
from equilibrist.games import load_game
from equilibrist.reference import walk
from equilibrist.reference.game_walk import Node
from equilibrist.strategy import Strategy
from equilibrist.tree.history_values import HistoryValues
from equilibrist.tree.history_view import view_history


def _mixtures(strategy: Strategy) -> Any:
    return lambda key, _labels: list(strategy[key].values())


def _nodes(node: Node) -> Iterator[Node]:
    yield node
    for child in node.children:
        yield from _nodes(child)


def _worth(node: Node, profile: Mapping[str, Sequence[float]]) -> list[float]:
    """By plain recursion."""
    if node.player == TERMINAL:
        return list(node.payoffs)
    weights = node.chance if node.player == CHANCE else profile[node.infoset]
    below = [_worth(child, profile) for child in node.children]
    return [
        sum(w * v[p] for w, v in zip(weights, below, strict=True)) for p in range(len(below[0]))
    ]


@pytest.mark.parametrize("game", ["kuhn", "kuhn(players=3)", "sheriff(items=1,bribe=1,rounds=1)"])
def test_every_history_has_its_value_and_reach(game: str) -> None:
    rules, tree = load_game(game), walk(load_game(game))
    strategy = eq.solve(game, iterations=7).strategy
    profile = {key: list(strategy[key].values()) for key in tree.infosets}
    values = HistoryValues(strategy.tree, strategy.probabilities)
    whole = 0.0
    for node in _nodes(tree.root):
        view = view_history(rules, node.history, _mixtures(strategy), values)
        assert view.values == pytest.approx(_worth(node, profile), abs=1e-12)
        assert view.infoset == node.infoset
        assert tuple(step.label for step in view.steps) == node.actions
        for step, child in zip(view.steps, node.children, strict=True):
            assert step.values == pytest.approx(_worth(child, profile), abs=1e-12)
        if node.player == TERMINAL:
            assert view.kind == "terminal"
            assert view.reach is not None
            whole += view.reach
    assert whole == pytest.approx(1.0)


def test_the_way_is_told() -> None:
    strategy = eq.solve("kuhn", iterations=50).strategy
    view = view_history(load_game("kuhn"), ["1", "3", "bet"], _mixtures(strategy))
    assert [one.kind for one in view.passed] == ["chance", "chance", "decision"]
    assert [one.label for one in view.passed] == ["1", "3", "bet"]
    assert (view.player, view.infoset, view.values) == (1, "3b", None)
    assert view.chance_reach == pytest.approx(1 / 6)
    assert view.reach == pytest.approx(strategy["1"]["bet"] / 6)


def test_without_a_strategy_chance_is_known_alone() -> None:
    view = view_history(load_game("kuhn"), ["1", "3", "bet"], lambda _key, _labels: None)
    assert view.reach is None
    assert view.chance_reach == pytest.approx(1 / 6)
    assert [step.probability for step in view.steps] == [None, None]


def test_steps_that_are_not_possible_are_refused() -> None:
    def nobody(_key: str, _labels: Sequence[str]) -> None:
        return None

    with pytest.raises(UnknownNameError) as refused:
        view_history(load_game("kuhn"), ["1", "1"], nobody)
    assert refused.value.given == "1"
    with pytest.raises(ConfigError) as over:
        view_history(load_game("kuhn"), ["1", "2", "bet", "pass", "bet"], nobody)
    assert (over.value.option, over.value.given) == ("history", "bet")
