"""Reach and counterfactual values against a recursion over the rules that shares no code."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
import pytest

from equilibrist.evaluation import expected_values
from equilibrist.evaluation.infosets import infoset_reach, infoset_values
from equilibrist.game import CHANCE, TERMINAL, Game
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.strategy import Strategy
from tests.small_games import Written

GAMES = [
    "kuhn",
    "kuhn(players=3)",
    "leduc",
    "goofspiel(cards=3)",
    "liars_dice(sides=2)",
    "rock_paper_scissors",
    "random_tree(seed=3)",
    "random_tree(seed=8,players=3,depth=5)",
]


def random_strategy(tree: Any, seed: int) -> Strategy:
    """Random, and pure at every third infoset, so that some are never reached."""
    generator = np.random.default_rng(seed)
    parts = []
    for i, labels in enumerate(tree.action_labels):
        row = generator.random(len(labels))
        parts.append(np.eye(len(row))[0] if i % 3 == 0 else row / row.sum())
    return Strategy(tree, np.concatenate(parts))


class Recursion:
    """Sums over histories, one at a time."""

    def __init__(self, game: Game[Any], strategy: Strategy) -> None:
        self.game, self.strategy = game, strategy
        self.reach: dict[str, float] = defaultdict(float)
        self.counterfactual: dict[str, float] = defaultdict(float)
        self.value: dict[str, float] = defaultdict(float)
        self.action_value: dict[tuple[str, str], float] = defaultdict(float)
        self.histories: dict[str, int] = defaultdict(int)
        self.visit(game.initial_state(), [1.0] * (game.num_players + 1))

    def visit(self, state: Any, reach: list[float]) -> list[float]:
        """Expected payoffs of all players from `state` on; `reach` per player, then chance."""
        game = self.game
        player = game.player(state)
        if player == TERMINAL:
            return list(game.payoffs(state))
        labels = game.actions(state)
        if player == CHANCE:
            shares = list(game.chance(state))
        else:
            shares = list(self.strategy[game.infoset(state)].values())
        below = []
        for a, share in enumerate(shares):
            further = list(reach)
            further[player] *= share  # CHANCE is -1: the last entry
            below.append(self.visit(game.next(state, a), further))
        values = [
            sum(s * b[p] for s, b in zip(shares, below, strict=True))
            for p in range(game.num_players)
        ]
        if player >= 0:
            key = game.infoset(state)
            others = float(np.prod([r for p, r in enumerate(reach) if p != player]))
            self.reach[key] += float(np.prod(reach))
            self.counterfactual[key] += others
            self.value[key] += others * values[player]
            self.histories[key] += 1
            for label, b in zip(labels, below, strict=True):
                self.action_value[key, label] += others * b[player]
        return values


@pytest.mark.parametrize("spec", GAMES)
def test_every_number_is_what_the_recursion_sums(spec: str) -> None:
    tree = compile_game(load_game(spec))
    strategy = random_strategy(tree, 7)
    found, plain = infoset_values(strategy), Recursion(tree.game, strategy)
    for i, key in enumerate(tree.infoset_keys):
        assert found.reach[i] == pytest.approx(plain.reach[key], abs=1e-14)
        assert found.counterfactual_reach[i] == pytest.approx(plain.counterfactual[key], abs=1e-14)
        assert found.cf_value[i] == pytest.approx(plain.value[key], abs=1e-12)
        assert found.histories[i] == plain.histories[key]
        actions = found.cf_action_value[tree.actions_of(i)]
        for label, value in zip(tree.action_labels[i], actions, strict=True):
            assert value == pytest.approx(plain.action_value[key, label], abs=1e-12)
    np.testing.assert_allclose(infoset_reach(strategy), found.reach, rtol=1e-14)


def test_values_of_a_first_move_are_those_of_the_game() -> None:
    tree = compile_game(load_game("rock_paper_scissors"))
    strategy = random_strategy(tree, 1)
    found = infoset_values(strategy)
    assert found.cf_value[0] == pytest.approx(expected_values(strategy)[0])
    assert found.expected(0) == pytest.approx(found.cf_value[0])
    row = found.expected_actions(0, tree.actions_of(0))
    assert row is not None
    assert sum(p * v for p, v in zip(strategy["row"].values(), row, strict=True)) == pytest.approx(
        found.cf_value[0]
    )


def test_where_nobody_comes_nothing_is_expected() -> None:
    game = Written(
        (0, "go", {"in": (1, "meet", {"x": (1.0, 2.0), "y": (3.0, 4.0)}), "out": (0.0, 0.0)}), 2
    )
    tree = compile_game(game)
    found = infoset_values(Strategy.from_dict(tree, {"go": {"out": 1}, "meet": {"x": 1}}))
    assert found.expected(tree.index("meet")) is None
    assert found.expected_actions(tree.index("meet"), tree.actions_of(1)) is None
    assert found.reach.tolist() == [1.0, 0.0]


def test_a_game_that_is_over_at_once() -> None:
    tree = compile_game(Written((1.0, -1.0), 2))
    assert infoset_values(Strategy.uniform(tree)).reach.shape == (0,)


def test_a_game_of_chance_only() -> None:
    coin = ("chance", {("heads", 0.25): (1.0,), ("tails", 0.75): (0.0,)})
    tree = compile_game(Written(coin, 1))
    assert infoset_reach(Strategy.uniform(tree)).shape == (0,)
