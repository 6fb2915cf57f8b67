"""External sampling: one action of everybody else, all of one's own."""

from __future__ import annotations

from equilibrist.game import CHANCE, TERMINAL
from equilibrist.reference.draws import Draws
from equilibrist.reference.sampling.addition import Addition, Profile
from equilibrist.reference.walk import Node


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
