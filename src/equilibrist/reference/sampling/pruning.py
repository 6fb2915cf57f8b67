"""Regret-based pruning: actions of very low regret are skipped in most iterations.

Brown and Sandholm, Regret-based pruning in extensive-form games (NIPS 2015); in the form that
goes with sampling, Superhuman AI for multiplayer poker (Science 2019), supplement. There what full
traversals find counts once; here so often that nothing changes on average.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from equilibrist.game import TERMINAL
from equilibrist.reference.draws import Draws
from equilibrist.reference.game_walk import Node

FULL: Final = 0.05
"""The probability that a traversal skips nothing."""
LIFT: Final = 1.0 / FULL
"""How often what a full traversal finds counts, from a poor action down."""
LOWEST: Final = 31.0 / 30.0
"""Regrets are kept from falling further below zero than this many times the threshold."""


def actions_that_go_on(root: Node) -> dict[str, list[bool]]:
    """By infoset, which actions do not end the game, or not in all of its histories.

    Others cost nothing to walk. This is of the infoset, not of the history: an action must not be
    skipped in some of its histories and walked in others, which would weigh them wrongly.
    """
    goes_on: dict[str, list[bool]] = {}
    open_nodes = [root]
    while open_nodes:
        node = open_nodes.pop()
        open_nodes += node.children
        if node.player >= 0:
            row = goes_on.setdefault(node.infoset, [False] * len(node.children))
            for k, child in enumerate(node.children):
                row[k] |= child.player != TERMINAL
    return goes_on


@dataclass(frozen=True)
class Pruning:
    """Whether to skip, for one traversal, and what.

    An action is poor if its regret is below -threshold, its present probability is 0, and the game
    continues after it. Where no regret is positive all actions are played, and none is poor.
    """

    threshold: float
    regret: Mapping[str, Sequence[float]]
    goes_on: Mapping[str, Sequence[bool]]

    def skips(self, draws: Draws) -> bool:
        """Whether this traversal skips poor actions."""
        return draws.action([FULL, 1.0 - FULL]) == 1

    def poor(self, infoset: str, strategy: Sequence[float]) -> list[bool]:
        """Which actions of an infoset are poor."""
        rows = zip(self.regret[infoset], strategy, self.goes_on[infoset], strict=True)
        return [r < -self.threshold and p == 0.0 and on for r, p, on in rows]

    def lifts(
        self, infoset: str, strategy: Sequence[float], lift: float, skipping: bool
    ) -> list[float]:
        """How often what is found by each action counts, if it counts `lift` times so far; or 0."""
        poor = 0.0 if skipping else LIFT
        return [poor if is_poor else lift for is_poor in self.poor(infoset, strategy)]
