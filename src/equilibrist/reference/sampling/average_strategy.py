"""Average-strategy sampling: own actions are tried as often as the average plays them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from equilibrist.game import CHANCE, TERMINAL
from equilibrist.reference.draws import Draws
from equilibrist.reference.game_walk import Node
from equilibrist.reference.sampling.addition import Addition, Profile


def trial_probabilities(
    strategy_sum: Sequence[float], epsilon: float, tau: float, beta: float
) -> list[float]:
    """The probability with which each own action is tried: at least epsilon, at most 1.

    max(epsilon, (beta + tau s(a)) / (beta + sum of s)), cut at 1; all 1 where beta and the sum
    are zero, which is what any beta > 0 gives there.
    """
    total = beta + sum(strategy_sum)
    if total == 0.0:
        return [1.0] * len(strategy_sum)
    return [min(1.0, max(epsilon, (beta + tau * s) / total)) for s in strategy_sum]


def average_strategy_sampling(
    root: Node,
    traverser: int,
    profile: Profile,
    draws: Draws,
    strategy_sum: Mapping[str, Sequence[float]],
    epsilon: float = 0.05,
    tau: float = 1000.0,
    beta: float = 1e6,
) -> Addition:
    """Chance and the others draw one action each; own actions are tried by independent coins.

    Gibson, Burch, Lanctot, Szafron, Efficient Monte Carlo counterfactual regret minimization in
    games with many player actions (NIPS 2012). A terminal's utility is divided by the probability
    of all coins on the way, so that what is not tried may count as zero. For the average with
    two players, the others' strategy is divided by the same probability where they draw.

    Args:
        root: The initial history.
        traverser: Whose regrets are added.
        profile: What everybody plays.
        draws: Where draws come from.
        strategy_sum: The strategy sums, by infoset.
        epsilon: The least probability of trying an action, above 0.
        tau: How much an action that the average plays is preferred.
        beta: How many visits it takes until the average counts.

    Returns:
        What the traversal adds.
    """
    added = Addition()

    def utility(node: Node, coins: float) -> float:
        if node.player == TERMINAL:
            return node.payoffs[traverser] / coins
        if node.player == CHANCE:
            return utility(node.children[draws.outcome(node.chance)], coins)
        strategy = profile[node.infoset]
        if node.player != traverser:
            added.add_strategy(node.infoset, [p / coins for p in strategy])
            return utility(node.children[draws.action(strategy)], coins)
        chances = trial_probabilities(strategy_sum[node.infoset], epsilon, tau, beta)
        utilities = [0.0] * len(strategy)
        for a, (child, chance) in enumerate(zip(node.children, chances, strict=True)):
            if chance == 1.0 or draws.action([chance, 1.0 - chance]) == 0:
                utilities[a] = utility(child, coins * chance)
        value = sum(p * u for p, u in zip(strategy, utilities, strict=True))
        added.add_regret(node.infoset, [u - value for u in utilities])
        return value

    utility(root, 1.0)
    return added
