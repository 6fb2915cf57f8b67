"""Monte Carlo CFR's samplers in plain Python: one traversal, and what it adds.

Each function runs one traversal for one player and returns an `Addition`: what the traversal adds
to regrets and to strategy sums. The expectation of the regrets over all draws is the full
counterfactual regret, which `draws.every_run` lets one check to the last digit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from equilibrist.game import CHANCE, TERMINAL
from equilibrist.reference.draws import Draws
from equilibrist.reference.walk import Node

Profile = Mapping[str, list[float]]
"""The behavioural strategy of all players: probabilities by infoset."""


@dataclass
class Addition:
    """What one traversal adds, by infoset: one number per action."""

    regret: dict[str, list[float]] = field(default_factory=dict)
    strategy_sum: dict[str, list[float]] = field(default_factory=dict)

    def add_regret(self, infoset: str, numbers: list[float]) -> None:
        """Add to the regrets of one infoset."""
        _add(self.regret, infoset, numbers)

    def add_strategy(self, infoset: str, numbers: list[float]) -> None:
        """Add to the strategy sum of one infoset."""
        _add(self.strategy_sum, infoset, numbers)


def _add(table: dict[str, list[float]], infoset: str, numbers: list[float]) -> None:
    row = table.setdefault(infoset, [0.0] * len(numbers))
    for k, number in enumerate(numbers):
        row[k] += number


def external_sampling(root: Node, traverser: int, profile: Profile, draws: Draws) -> Addition:
    """Chance and the others draw one action each; the traverser tries every action.

    Lanctot, Waugh, Zinkevich, Bowling (NIPS 2009). The probability of drawing what the others
    and chance drew is exactly their part of the reach, so the two cancel: an action's regret is
    its utility less the infoset's, without any weight. With two players the strategy sum may be
    taken where the other player draws: it is visited as often as that player plays there.
    """
    added = Addition()

    def utility(node: Node) -> float:
        if node.player == TERMINAL:
            return node.payoffs[traverser]
        if node.player == CHANCE:
            return utility(node.children[draws.outcome(node.chance)])
        strategy = profile[node.infoset]
        if node.player != traverser:
            added.add_strategy(node.infoset, strategy)
            return utility(node.children[draws.action(strategy)])
        utilities = [utility(child) for child in node.children]
        value = sum(p * u for p, u in zip(strategy, utilities, strict=True))
        added.add_regret(node.infoset, [u - value for u in utilities])
        return value

    utility(root)
    return added
