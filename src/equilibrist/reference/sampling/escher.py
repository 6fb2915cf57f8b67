"""ESCHER's sampling: a fixed way to explore, exact values, no importance weights."""

from __future__ import annotations

from equilibrist.game import CHANCE, TERMINAL
from equilibrist.reference.draws import Draws
from equilibrist.reference.game_walk import Node
from equilibrist.reference.sampling.addition import Addition, Profile


def escher_sampling(root: Node, traverser: int, profile: Profile, draws: Draws) -> Addition:
    """One trajectory: the traverser draws evenly, chance and the others as they play.

    McAleer, Farina, Lanctot, Sandholm, ESCHER: eschewing importance sampling in games by computing
    a history value function to estimate regret (ICLR 2023), with exact history values in place of
    a network. Own infosets are visited as often as the others play there, times w, the chance
    that even draws lead there: the same in all iterations. The expected addition is w times the
    full counterfactual regret, and regret matching does not see a constant factor. The same holds
    of the average where the other player draws (two players), which needs no weight either.
    """
    added = Addition()

    def exact(node: Node) -> float:
        if node.player == TERMINAL:
            return node.payoffs[traverser]
        strategy = node.chance if node.player == CHANCE else profile[node.infoset]
        return sum(p * exact(child) for p, child in zip(strategy, node.children, strict=True))

    node = root
    while node.player != TERMINAL:
        if node.player == CHANCE:
            choice = draws.outcome(node.chance)
        elif node.player != traverser:
            added.add_strategy(node.infoset, profile[node.infoset])
            choice = draws.action(profile[node.infoset])
        else:
            value = exact(node)
            added.add_regret(node.infoset, [exact(child) - value for child in node.children])
            count = len(node.children)
            choice = draws.action([1.0 / count] * count)
        node = node.children[choice]
    return added
