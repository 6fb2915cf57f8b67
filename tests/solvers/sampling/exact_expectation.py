"""Expected additions of a sampler over all its draws, and what they should be."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

from equilibrist.game import CHANCE, TERMINAL
from equilibrist.games import load_game
from equilibrist.reference.draws import every_run
from equilibrist.reference.game_walk import GameWalk, Node, walk
from equilibrist.reference.sampling import Addition, Profile

SPECS = ("kuhn", "kuhn(players=3)", "random_tree(seed=5,depth=4,branching=2)")
Table = dict[str, list[float]]


@cache
def walk_of(spec: str) -> GameWalk:
    return walk(load_game(spec))


def profile_with_zeros(game: GameWalk, seed: int) -> dict[str, list[float]]:
    """A random profile in which about a third of the actions are never played."""
    generator = random.Random(seed)
    profile = {}
    for key, infoset in game.infosets.items():
        weights = [generator.random() * (generator.random() > 0.35) for _ in infoset.actions]
        total = sum(weights)
        count = len(weights)
        profile[key] = [w / total for w in weights] if total else [1.0 / count] * count
    return profile


def expected_addition(sample: Callable[..., Addition]) -> tuple[Table, Table, float]:
    """Expected regrets and strategy sums of one traversal, and the total probability."""
    regret: Table = {}
    strategy_sum: Table = {}
    total = 0.0
    for probability, added in every_run(sample):
        total += probability
        for into, table in ((regret, added.regret), (strategy_sum, added.strategy_sum)):
            for key, row in table.items():
                kept = into.setdefault(key, [0.0] * len(row))
                for k, number in enumerate(row):
                    kept[k] += probability * number
    return regret, strategy_sum, total


def counterfactual_regrets(game: GameWalk, player: int, profile: Profile) -> Table:
    """The full instantaneous regrets of a player: what an unbiased sampler must add on average."""
    regret: Table = {}

    def value(node: Node, others: float) -> float:
        """Utility below `node`; `others` is chance's and the other players' reach."""
        if node.player == TERMINAL:
            return node.payoffs[player]
        chance = node.player == CHANCE
        strategy = list(node.chance) if chance else profile[node.infoset]
        own = node.player == player
        utilities = [
            value(child, others if own else others * p)
            for child, p in zip(node.children, strategy, strict=True)
        ]
        expected = sum(p * u for p, u in zip(strategy, utilities, strict=True))
        if own:
            row = regret.setdefault(node.infoset, [0.0] * len(strategy))
            for k, u in enumerate(utilities):
                row[k] += others * (u - expected)
        return expected

    value(game.root, 1.0)
    return regret


def own_reach(game: GameWalk, profile: Profile) -> dict[str, float]:
    """Each infoset's probability of being reached as far as its own player decides."""
    reach = {}
    for key, infoset in game.infosets.items():
        reach[key] = 1.0
        for earlier, action in infoset.path:
            reach[key] *= profile[earlier][action]
    return reach
