"""Samplers that walk all actions of all players: chance sampling, and public chance sampling."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from equilibrist.game import CHANCE, TERMINAL
from equilibrist.reference.draws import Draws
from equilibrist.reference.game_walk import Node
from equilibrist.reference.matching import mean
from equilibrist.reference.sampling.addition import Addition, Profile
from equilibrist.reference.sampling.pruning import Pruning

Outcomes = Callable[[Node], list[tuple[float, Node]]]
"""The children of a chance node that are walked: probability over that of being walked, child."""


def chance_sampling(
    root: Node,
    traverser: int,
    profile: Profile,
    draws: Draws,
    *,
    pruning: Pruning | None = None,
) -> Addition:
    """Chance draws one outcome wherever it moves; all players' actions are walked.

    Zinkevich, Johanson, Bowling, Piccione, Regret minimization in games with incomplete
    information (NIPS 2007), section 4; the name is Lanctot's (NIPS 2009). The probability of the
    drawn outcomes cancels chance's reach, so that an action's regret is weighted by the reach of
    the other players alone. No player draws: the traverser's own reach times strategy, added at
    the traverser's decisions, is right on average for any number of players.

    Args:
        root: The initial history.
        traverser: Whose regrets are added.
        profile: What everybody plays.
        draws: Where draws come from.
        pruning: What to skip; by default nothing.

    Returns:
        What the traversal adds.
    """

    def outcomes(node: Node) -> list[tuple[float, Node]]:
        return [(1.0, node.children[draws.outcome(node.chance)])]

    skipping = pruning is not None and pruning.skips(draws)
    return _all_actions(root, traverser, profile, outcomes, pruning, skipping)


def public_chance_sampling(
    root: Node,
    traverser: int,
    profile: Profile,
    draws: Draws,
    *,
    pruning: Pruning | None = None,
) -> Addition:
    """Public chance events are drawn; private deals are all enumerated.

    Johanson, Bard, Lanctot, Gibson, Bowling, Efficient Nash equilibrium approximation through
    Monte Carlo counterfactual regret minimization (AAMAS 2012). One event is drawn per public
    state and traversal, the same for all private hands, from `event_probabilities`. Outcomes
    count with their probability over that of the event; those it rules out count nothing.

    Args:
        root: The initial history.
        traverser: Whose regrets are added.
        profile: What everybody plays.
        draws: Where draws come from.
        pruning: What to skip; by default nothing.

    Returns:
        What the traversal adds.
    """
    events = event_probabilities(root)
    drawn: dict[str, str] = {}

    def outcomes(node: Node) -> list[tuple[float, Node]]:
        odds = events[node.public]
        if node.public not in drawn:
            keys = list(odds)
            drawn[node.public] = keys[draws.outcome([*odds.values()]) if len(keys) > 1 else 0]
        event = drawn[node.public]
        pairs = zip(node.chance, node.children, strict=True)
        return [(p / odds[event], child) for p, child in pairs if child.public == event]

    skipping = pruning is not None and pruning.skips(draws)
    return _all_actions(root, traverser, profile, outcomes, pruning, skipping)


def block_sampling(
    root: Node,
    traverser: int,
    profile: Profile,
    draws: Draws,
    *,
    event_of: Callable[[Node, int], str],
) -> Addition:
    """Blocks of chance outcomes are drawn; all outcomes of a drawn event are walked.

    Lanctot, Waugh, Zinkevich, Bowling, Monte Carlo sampling for regret minimization in extensive
    games (NIPS 2009): any blocks of terminal histories will do that cover all. Here `event_of`
    names the event of each outcome, by its chance node and its number. Chance nodes after equally
    many chance moves that share a name, directly or through others, draw the same one, with the
    probability that chance gives it over all of them.

    Args:
        root: The initial history.
        traverser: Whose regrets are added.
        profile: What everybody plays.
        draws: Where draws come from.
        event_of: The names.

    Returns:
        What the traversal adds.
    """
    groups = _groups_of_events(root, event_of)
    drawn: dict[int, str] = {}

    def outcomes(node: Node) -> list[tuple[float, Node]]:
        number, odds = groups[node.history]
        if number not in drawn:
            keys = list(odds)
            drawn[number] = keys[draws.outcome([*odds.values()]) if len(keys) > 1 else 0]
        event = drawn[number]
        return [
            (p / odds[event], child)
            for k, (p, child) in enumerate(zip(node.chance, node.children, strict=True))
            if event_of(node, k) == event
        ]

    return _all_actions(root, traverser, profile, outcomes, None, False)


def _groups_of_events(
    root: Node, event_of: Callable[[Node, int], str]
) -> dict[tuple[str, ...], tuple[int, dict[str, float]]]:
    """For each chance node the number of its group, and the probability of each event of that."""
    groups: list[tuple[int, dict[str, float], list[Node]]] = []

    def add(node: Node, depth: int, reach: float) -> None:
        if node.player == CHANCE:
            row: dict[str, float] = {}
            for k, p in enumerate(node.chance):
                row[event_of(node, k)] = row.get(event_of(node, k), 0.0) + reach * p
            nodes = [node]
            for other in [g for g in groups if g[0] == depth and g[1].keys() & row.keys()]:
                for event, weight in other[1].items():
                    row[event] = row.get(event, 0.0) + weight
                nodes = [*other[2], *nodes]
                groups.remove(other)
            groups.append((depth, row, nodes))
        for k, child in enumerate(node.children):
            deals = node.player == CHANCE
            add(child, depth + deals, reach * (node.chance[k] if deals else 1.0))

    add(root, 0, 1.0)
    event_groups: dict[tuple[str, ...], tuple[int, dict[str, float]]] = {}
    for number, (_, row, nodes) in enumerate(groups):
        total = sum(row.values())
        odds = {event: weight / total for event, weight in row.items()}
        event_groups |= {node.history: (number, odds) for node in nodes}
    return event_groups


def event_probabilities(root: Node) -> dict[str, dict[str, float]]:
    """By public state before and after: the mean probability over chance nodes in that state."""
    sums: dict[str, dict[str, float]] = {}
    nodes: dict[str, int] = {}
    for node in _below(root):
        if node.player == CHANCE:
            row = sums.setdefault(node.public, {})
            nodes[node.public] = nodes.get(node.public, 0) + 1
            for p, child in zip(node.chance, node.children, strict=True):
                row[child.public] = row.get(child.public, 0.0) + p
    return {key: {after: p / nodes[key] for after, p in row.items()} for key, row in sums.items()}


def chance_nodes(root: Node) -> dict[tuple[str, ...], Node]:
    """All histories at which chance moves, by the labels of their moves."""
    return {node.history: node for node in _below(root) if node.player == CHANCE}


def _below(node: Node) -> Iterator[Node]:
    yield node
    for child in node.children:
        yield from _below(child)


def _all_actions(
    root: Node,
    traverser: int,
    profile: Profile,
    outcomes: Outcomes,
    pruning: Pruning | None,
    skipping: bool,
) -> Addition:
    """Walk all actions, but for the traverser's poor ones when `skipping`.

    Their regrets then stay as they are. What neither the traverser nor the others reach is left
    out: it would add zeros.
    """
    added = Addition()

    def utility(node: Node, own: float, others: float, lift: float) -> float:
        if node.player == TERMINAL:
            return node.payoffs[traverser]
        if own == 0.0 and others == 0.0:
            return 0.0
        if node.player == CHANCE:
            return sum(w * utility(child, own, others * w, lift) for w, child in outcomes(node))
        strategy = profile[node.infoset]
        if node.player != traverser:
            pairs = zip(node.children, strategy, strict=True)
            return mean(strategy, [utility(child, own, others * p, lift) for child, p in pairs])
        lifts = [lift] * len(strategy)
        if pruning is not None:
            lifts = pruning.lifts(node.infoset, strategy, lift, skipping)
        utilities = [
            utility(child, own * p, others, x) if x > 0.0 else 0.0
            for child, p, x in zip(node.children, strategy, lifts, strict=True)
        ]
        value = mean(strategy, utilities)
        changes = [others * x * (u - value) for u, x in zip(utilities, lifts, strict=True)]
        added.add_regret(node.infoset, changes)
        added.add_strategy(node.infoset, [own * p for p in strategy])
        return value

    utility(root, 1.0, 1.0, 1.0)
    return added
