"""ESCHER's sampling: a fixed way to explore, exact values, no importance weights."""

from __future__ import annotations

from collections.abc import Sequence

from equilibrist.game import CHANCE, TERMINAL
from equilibrist.reference.draws import Draws
from equilibrist.reference.game_walk import Node
from equilibrist.reference.sampling.addition import Addition, Profile, Step


def escher_sampling(root: Node, traverser: int, profile: Profile, draws: Draws) -> Addition:
    """One trajectory: the traverser draws evenly, chance and the others as they play.

    McAleer, Farina, Lanctot, Sandholm, ESCHER: eschewing importance sampling in games by computing
    a history value function to estimate regret (ICLR 2023), with exact history values in place of
    a network. Own infosets are visited as often as the others play there, times w, the chance
    that even draws lead there: the same in all iterations. The expected addition is w times the
    full counterfactual regret, and regret matching does not see a constant factor. The same holds
    of the average where the other player draws (two players), which needs no weight either.

    Args:
        root: The initial history.
        traverser: Whose regrets are added.
        profile: What everybody plays.
        draws: Where draws come from.

    Returns:
        What the traversal adds.
    """
    added = Addition()

    def exact(node: Node) -> float:
        if node.player == TERMINAL:
            return node.payoffs[traverser]
        strategy: Sequence[float] = node.chance or profile[node.infoset]
        return sum(p * exact(child) for p, child in zip(strategy, node.children, strict=True))

    node = root
    while node.player != TERMINAL:
        strategy: Sequence[float] = node.chance if node.player == CHANCE else profile[node.infoset]
        values = [exact(child) for child in node.children]
        value = exact(node)
        step = Step(node, strategy, "one", strategy, (), values=values, value=value)
        if node.player == CHANCE:
            choice = draws.outcome(node.chance)
        elif node.player != traverser:
            added.add_strategy(node.infoset, strategy)
            step.average, step.average_weight = strategy, 1.0
            choice = draws.action(strategy)
        else:
            step.regret = [u - value for u in values]
            added.add_regret(node.infoset, step.regret)
            step.chances = [1.0 / len(values)] * len(values)
            choice = draws.action(step.chances)
        step.walked = (choice,)
        added.steps.append(step)
        node = node.children[choice]
    added.steps.append(Step(node, (), "end", (), (), value=node.payoffs[traverser]))
    added.visited = len(added.steps)
    return added
