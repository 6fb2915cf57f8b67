"""External sampling: the traverser tries all actions, chance and the others draw one."""

from __future__ import annotations

from collections.abc import Sequence

from equilibrist.game import CHANCE, TERMINAL
from equilibrist.reference.draws import Draws
from equilibrist.reference.game_walk import Node
from equilibrist.reference.matching import mean
from equilibrist.reference.sampling.addition import Addition, Profile
from equilibrist.reference.sampling.baselines import Baseline, NoBaseline, estimates
from equilibrist.reference.sampling.pruning import Pruning


def external_sampling(
    root: Node,
    traverser: int,
    profile: Profile,
    draws: Draws,
    *,
    baseline: Baseline | None = None,
    pruning: Pruning | None = None,
) -> Addition:
    """Chance and the others draw one action each; the traverser tries every action.

    Lanctot, Waugh, Zinkevich, Bowling (NIPS 2009). The probability of drawing what the others
    and chance drew is exactly their part of the reach, so the two cancel: an action's regret is
    its utility less the infoset's, without any weight. With two players the strategy sum may be
    taken where the other player draws: it is visited as often as that player plays there.

    With a baseline a draw's value is corrected as in `outcome_sampling`. With pruning most
    traversals skip the traverser's poor actions, whose regrets then stay as they are; from a poor
    action down, all that a full traversal adds counts as much more as those are rare.

    Args:
        root: The initial history.
        traverser: Whose regrets are added.
        profile: What everybody plays.
        draws: Where draws come from.
        baseline: What actions and outcomes are expected to be worth; by default nothing.
        pruning: What to skip; by default nothing.

    Returns:
        What the traversal adds.
    """
    added = Addition()
    expected = baseline if baseline is not None else NoBaseline()
    skipping = pruning is not None and pruning.skips(draws)

    def utility(node: Node, lift: float) -> float:
        if node.player == TERMINAL:
            return node.payoffs[traverser]
        if node.player == traverser:
            return try_all(node, lift)
        if node.player == CHANCE:
            strategy: Sequence[float] = node.chance
            choice = draws.outcome(strategy)
        else:
            strategy = profile[node.infoset]
            added.add_strategy(node.infoset, [lift * p for p in strategy])
            choice = draws.action(strategy)
        below = utility(node.children[choice], lift)
        values = estimates(expected, node, traverser, choice, strategy[choice], below)
        return mean(strategy, values)

    def try_all(node: Node, lift: float) -> float:
        strategy = profile[node.infoset]
        lifts = [lift] * len(strategy)
        if pruning is not None:
            lifts = pruning.lifts(node.infoset, strategy, lift, skipping)
        utilities = [
            utility(child, x) if x > 0.0 else 0.0
            for child, x in zip(node.children, lifts, strict=True)
        ]
        value = mean(strategy, utilities)
        changes = [x * (u - value) for u, x in zip(utilities, lifts, strict=True)]
        added.add_regret(node.infoset, changes)
        return value

    utility(root, 1.0)
    return added
