"""Samplers that try k actions of the traverser: robust sampling and probing."""

from __future__ import annotations

from collections.abc import Iterator

from equilibrist.game import CHANCE, TERMINAL
from equilibrist.reference.draws import Draws
from equilibrist.reference.game_walk import Node
from equilibrist.reference.sampling.addition import Addition, Profile


def subset(actions: int, k: int, draws: Draws) -> Iterator[bool]:
    """For each action in turn whether it is one of the k drawn, all sets of k equally likely.

    Knuth, The art of computer programming 2, algorithm 3.4.2S. Draws only where both can happen.
    """
    wanted = min(k, actions)
    for a in range(actions):
        left = actions - a
        drawn = wanted == left
        if 0 < wanted < left:
            chance = wanted / left
            drawn = draws.action([chance, 1.0 - chance]) == 0
        wanted -= drawn
        yield drawn


def robust_sampling(
    root: Node, traverser: int, profile: Profile, draws: Draws, k: int = 1
) -> Addition:
    """Chance and the others draw one action each; k own actions are tried, all equally likely.

    Li, Hu, Zhang, Qi, Song, Double neural counterfactual regret minimization (ICLR 2020). A
    terminal's utility is divided by the probability of all own draws on the way, so that what is
    not tried may count as zero; the other player's strategy is divided by the same where it is
    added to the average (right for two players). With k at least the number of actions this is
    external sampling.

    Args:
        root: The initial history.
        traverser: Whose regrets are added.
        profile: What everybody plays.
        draws: Where draws come from.
        k: How many own actions are tried.

    Returns:
        What the traversal adds.
    """
    added = Addition()

    def utility(node: Node, drawn: float) -> float:
        if node.player == TERMINAL:
            return node.payoffs[traverser] / drawn
        if node.player == CHANCE:
            return utility(node.children[draws.outcome(node.chance)], drawn)
        strategy = profile[node.infoset]
        if node.player != traverser:
            added.add_strategy(node.infoset, [p / drawn for p in strategy])
            return utility(node.children[draws.action(strategy)], drawn)
        actions = len(strategy)
        below = drawn * min(k, actions) / actions
        utilities = [
            utility(child, below) if tried else 0.0
            for child, tried in zip(node.children, subset(actions, k, draws), strict=True)
        ]
        value = sum(p * u for p, u in zip(strategy, utilities, strict=True))
        added.add_regret(node.infoset, [u - value for u in utilities])
        return value

    utility(root, 1.0)
    return added


def probing_sampling(
    root: Node, traverser: int, profile: Profile, draws: Draws, k: int = 1
) -> Addition:
    """Robust sampling in which each own action that was not drawn is valued by one probe.

    Gibson, Lanctot, Burch, Szafron, Bowling, Generalized sampling and variance in counterfactual
    regret minimization (AAAI 2012). A probe plays on to the end by the current strategies and
    changes nothing. Then the utilities of all actions are right on average without weights, and
    only the regret is divided by the probability of the own draws that led here.

    Args:
        root: The initial history.
        traverser: Whose regrets are added.
        profile: What everybody plays.
        draws: Where draws come from.
        k: How many own actions are tried.

    Returns:
        What the traversal adds.
    """
    added = Addition()

    def probe(node: Node) -> float:
        while node.player != TERMINAL:
            if node.player == CHANCE:
                node = node.children[draws.outcome(node.chance)]
            else:
                node = node.children[draws.action(profile[node.infoset])]
        return node.payoffs[traverser]

    def utility(node: Node, drawn: float) -> float:
        if node.player == TERMINAL:
            return node.payoffs[traverser]
        if node.player == CHANCE:
            return utility(node.children[draws.outcome(node.chance)], drawn)
        strategy = profile[node.infoset]
        if node.player != traverser:
            added.add_strategy(node.infoset, [p / drawn for p in strategy])
            return utility(node.children[draws.action(strategy)], drawn)
        actions = len(strategy)
        below = drawn * min(k, actions) / actions
        utilities = [
            utility(child, below) if tried else probe(child)
            for child, tried in zip(node.children, subset(actions, k, draws), strict=True)
        ]
        value = sum(p * u for p, u in zip(strategy, utilities, strict=True))
        added.add_regret(node.infoset, [(u - value) / drawn for u in utilities])
        return value

    utility(root, 1.0)
    return added
