"""Pure CFR: every strategy is replaced by one action drawn from it."""

from __future__ import annotations

from equilibrist.game import CHANCE, TERMINAL
from equilibrist.reference.draws import Draws
from equilibrist.reference.game_walk import Node
from equilibrist.reference.sampling.addition import Addition, Profile


def pure_sampling(root: Node, traverser: int, profile: Profile, draws: Draws) -> Addition:
    """Everyone draws one action per decision, the traverser too, who then tries all of them.

    Gibson, Regret minimization in games and the development of champion multiplayer computer
    poker-playing agents (PhD thesis, University of Alberta, 2014). An action's regret is its
    utility less that of the drawn action: with whole payoffs all numbers stay whole. With two
    players the other player's drawn actions are counted for the average.

    Args:
        root: The initial history.
        traverser: Whose regrets are added.
        profile: What everybody plays.
        draws: Where draws come from.

    Returns:
        What the traversal adds.
    """
    added = Addition()

    def utility(node: Node) -> float:
        if node.player == TERMINAL:
            return node.payoffs[traverser]
        if node.player == CHANCE:
            return utility(node.children[draws.outcome(node.chance)])
        drawn = draws.action(profile[node.infoset])
        if node.player != traverser:
            count = [0.0] * len(node.children)
            count[drawn] = 1.0
            added.add_strategy(node.infoset, count)
            return utility(node.children[drawn])
        utilities = [utility(child) for child in node.children]
        value = utilities[drawn]
        added.add_regret(node.infoset, [u - value for u in utilities])
        return value

    utility(root)
    return added
