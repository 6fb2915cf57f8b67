"""The textbooks' outcome sampling: one trajectory, all players explore, all learn from it."""

from __future__ import annotations

from equilibrist.game import CHANCE, TERMINAL
from equilibrist.reference.draws import Draws
from equilibrist.reference.game_walk import Node
from equilibrist.reference.sampling.addition import Addition, Profile, Step
from equilibrist.reference.sampling.outcome import exploring


def textbook_outcome(
    root: Node, profile: Profile, draws: Draws, *, epsilon: float = 0.06, proper: bool = False
) -> Addition:
    """One trajectory that all players draw from `exploring(strategy, epsilon)`.

    Regrets compare with what is played, exploring included: on average they are the full ones of
    the epsilon-soft profile. So it is the game of trembling hands that is solved, whose value
    differs: -0.04713 instead of -1/18 for Kuhn poker and epsilon 0.06.

    The textbooks' average adds what is played at each visit, and no probability falls below
    epsilon / actions. The proper one adds what regrets say, times own reach by the same, over the
    players' part of the sampling: on average own reach times strategy times chance's reach.

    Args:
        root: The initial history.
        profile: What everybody plays.
        draws: Where draws come from.
        epsilon: How often each player trembles, above 0 and at most 1.
        proper: Whether the average is that of what regrets say.

    Returns:
        What the traversal adds.
    """
    added = Addition()
    played_by: dict[int, float] = {}
    own_reach: dict[int, float] = {}
    sampled = 1.0
    path: list[tuple[Step, int, float, list[float]]] = []
    node = root
    while node.player != TERMINAL:
        if node.player == CHANCE:
            choice = draws.outcome(node.chance)
            added.steps.append(Step(node, node.chance, "one", node.chance, (choice,)))
            node = node.children[choice]
            continue
        player, strategy = node.player, profile[node.infoset]
        played = exploring(strategy, epsilon)
        weight = own_reach.get(player, 1.0) / sampled
        average = [weight * p for p in strategy] if proper else played
        added.add_strategy(node.infoset, average)
        choice = draws.action(played)
        step = Step(node, played, "one", played, (choice,), average=average)
        step.average_weight = weight if proper else 1.0
        added.steps.append(step)
        path.append((step, choice, played_by.get(player, 1.0), played))
        played_by[player] = played_by.get(player, 1.0) * played[choice]
        own_reach[player] = own_reach.get(player, 1.0) * strategy[choice]
        sampled *= played[choice]
        node = node.children[choice]
    added.steps.append(Step(node, (), "end", (), ()))
    added.visited = len(added.steps)
    for step, choice, reach, played in path:
        value = node.payoffs[step.node.player] / reach
        row = [-value] * len(played)
        row[choice] += value / played[choice]
        step.value, step.regret = value, row
        step.values = [value / p if k == choice else 0.0 for k, p in enumerate(played)]
        added.add_regret(step.node.infoset, row)
    return added
