"""Outcome sampling: one trajectory per traversal, and what can be added along it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from equilibrist.game import CHANCE, TERMINAL
from equilibrist.reference.draws import Draws
from equilibrist.reference.game_walk import Node
from equilibrist.reference.matching import mean
from equilibrist.reference.sampling.addition import Addition, Profile
from equilibrist.reference.sampling.baselines import Baseline, NoBaseline, estimates


@dataclass(frozen=True)
class Visit:
    """A decision on the trajectory, from the root down.

    Attributes:
        infoset: The infoset.
        player: Who decides there.
        strategy: What the player plays.
        action: The number of the action that was drawn.
        above: The player's own decision before this one: infoset and action; None at the first.
        own_reach: The player's part of the probability of getting here when all players follow the
            profile.
        explored: The traverser's part of the probability with which the trajectory was drawn.
        sampled: That probability: chance's, the traverser's and the others' parts.
    """

    infoset: str
    player: int
    strategy: Sequence[float]
    action: int
    above: tuple[str, int] | None
    own_reach: float
    explored: float
    sampled: float


@dataclass
class Trajectory(Addition):
    """What a trajectory adds, and the decisions on it.

    Attributes:
        visits: The decisions, in their order.
    """

    visits: list[Visit] = field(default_factory=list)


def exploring(strategy: Sequence[float], epsilon: float) -> list[float]:
    """The strategy with probability 1 - epsilon, any action with probability epsilon."""
    even = epsilon / len(strategy)
    return [even + (1.0 - epsilon) * p for p in strategy]


def average_weight(averaging: str, visit: Visit, traverser: int) -> float:
    """What a visit counts in the strategy sum of its infoset.

    stochastic: where another player than the traverser decides. Those draw as they play, so
    a visit is as likely as own reach times the traverser's part of the sampling, and 1 over that
    part leaves own reach times what chance and nobody else decides. With a third player the
    third's reach enters as well, which changes from iteration to iteration: then the average is
    biased.

    strategy: 1 at the same places, whatever the traverser explores. Its expectation is own reach
    times the probability that the traverser's exploring comes along.

    openspiel: own reach over the probability of the trajectory where the traverser decides, as
    OpenSpiel has it. Its expectation is own reach times the number of the infoset's histories that
    the others reach at all, which changes from iteration to iteration: biased, and nothing is
    added while the others stay away.
    """
    traversing = visit.player == traverser
    if averaging == "openspiel":
        return visit.own_reach / visit.sampled if traversing else 0.0
    if traversing:
        return 0.0
    return 1.0 / visit.explored if averaging == "stochastic" else 1.0


def outcome_sampling(
    root: Node,
    traverser: int,
    profile: Profile,
    draws: Draws,
    *,
    epsilon: float = 0.6,
    averaging: str = "stochastic",
    baseline: Baseline | None = None,
) -> Trajectory:
    """Draw one trajectory; regrets of the traverser along it.

    The traverser draws from `exploring(strategy, epsilon)`, the others as they play, so that
    what the others and chance do cancels. With a baseline b the value of an action is estimated as
    b, plus (value found - b) / probability of drawing it where it was drawn: right on average for
    any b, and without variance if b is right (Schmid et al., Variance reduction in Monte Carlo
    counterfactual regret minimization for extensive form games using baselines, AAAI 2019). Without
    one it is the outcome sampling of Lanctot, Waugh, Zinkevich, Bowling (NIPS 2009).

    Args:
        root: The initial history.
        traverser: The player whose regrets are updated.
        profile: The current strategy of all players.
        draws: The source of random numbers.
        epsilon: How much the traverser explores, from 0 to 1.
        averaging: How the average strategy is updated.
        baseline: The baseline of each action; None for outcome sampling without one.

    Returns:
        What the traversal adds to regrets and to strategy sums.
    """
    added = Trajectory()
    expected = baseline if baseline is not None else NoBaseline()

    def utility(
        node: Node, own: dict[int, float], above: dict[int, tuple[str, int]], s: float, q: float
    ) -> float:
        """The estimate at `node`; own reach by player, the traverser's and the whole sampling."""
        if node.player == TERMINAL:
            return node.payoffs[traverser]
        if node.player == CHANCE:
            choice = draws.outcome(node.chance)
            p = node.chance[choice]
            below = utility(node.children[choice], own, above, s, q * p)
            guesses = estimates(expected, node, traverser, choice, p, below)
            return mean(node.chance, guesses)
        player, strategy = node.player, profile[node.infoset]
        traversing = player == traverser
        drawing = exploring(strategy, epsilon) if traversing else strategy
        choice = draws.action(drawing)
        reach = own.get(player, 1.0)
        visit = Visit(
            infoset=node.infoset,
            player=player,
            strategy=strategy,
            action=choice,
            above=above.get(player),
            own_reach=reach,
            explored=s,
            sampled=q,
        )
        added.visits.append(visit)
        weight = average_weight(averaging, visit, traverser)
        if weight != 0.0:
            added.add_strategy(node.infoset, [weight * p for p in strategy])
        drawn = drawing[choice]
        below = utility(
            node.children[choice],
            {**own, player: reach * strategy[choice]},
            {**above, player: (node.infoset, choice)},
            s * drawn if traversing else s,
            q * drawn,
        )
        values = estimates(expected, node, traverser, choice, drawn, below)
        value = mean(strategy, values)
        if traversing:
            added.add_regret(node.infoset, [(u - value) / s for u in values])
        return value

    utility(root, {}, {}, 1.0, 1.0)
    return added
