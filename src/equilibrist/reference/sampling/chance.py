"""Chance sampling: one outcome per chance node, every action of every player."""

from __future__ import annotations

from equilibrist.game import CHANCE, TERMINAL
from equilibrist.reference.draws import Draws
from equilibrist.reference.sampling.addition import Addition, Profile
from equilibrist.reference.walk import Node


def chance_sampling(root: Node, traverser: int, profile: Profile, draws: Draws) -> Addition:
    """Chance draws one outcome wherever it moves; all players' actions are walked.

    Zinkevich, Johanson, Bowling, Piccione, Regret minimization in games with incomplete
    information (NIPS 2007), section 4; the name is Lanctot's (NIPS 2009). The probability of the
    drawn outcomes cancels chance's reach, so that an action's regret is weighted by the reach of
    the other players alone. No player draws: the traverser's own reach times strategy, added at
    the traverser's decisions, is right on average for any number of players.

    What neither the traverser nor the others reach is left out: it would add zeros.
    """
    added = Addition()

    def utility(node: Node, own: float, others: float) -> float:
        if node.player == TERMINAL:
            return node.payoffs[traverser]
        if own == 0.0 and others == 0.0:
            return 0.0
        if node.player == CHANCE:
            return utility(node.children[draws.outcome(node.chance)], own, others)
        strategy = profile[node.infoset]
        mine = node.player == traverser
        utilities = [
            utility(child, own * p, others) if mine else utility(child, own, others * p)
            for child, p in zip(node.children, strategy, strict=True)
        ]
        value = sum(p * u for p, u in zip(strategy, utilities, strict=True))
        if mine:
            added.add_regret(node.infoset, [others * (u - value) for u in utilities])
            added.add_strategy(node.infoset, [own * p for p in strategy])
        return value

    utility(root, 1.0, 1.0)
    return added
