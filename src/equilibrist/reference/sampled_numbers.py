"""The numbers of a sampled iteration: its traversals, and what weighs each history visited.

`sampled_lesson` prints them as pages, `sampled_document` gives them to programs.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from equilibrist.game import CHANCE, TERMINAL
from equilibrist.reference.draws import Draws, RandomDraws
from equilibrist.reference.game_walk import GameWalk, Node
from equilibrist.reference.lesson_turns import Ending
from equilibrist.reference.matching import regret_matching
from equilibrist.reference.response import expected_values, nash_conv
from equilibrist.reference.sampling.addition import Addition, Profile, Step, TablesByInfoset


class Traverse(Protocol):
    """One traversal of a sampler in plain Python: what it adds, with its steps."""

    def __call__(
        self, root: Node, traverser: int, profile: Profile, draws: Draws, tables: TablesByInfoset, /
    ) -> Addition:
        """Run it; `profile` is what everybody plays."""
        ...


@dataclass(frozen=True)
class Traversal:
    """One traversal of an iteration, and the tables before and after it.

    Attributes:
        traverser: Whose regrets it updates; None if all players learn from it.
        added: What it adds, with its steps.
        profile: What everybody plays meanwhile.
        regret: The cumulative regrets before it, by infoset.
        sums: The strategy sums before it.
        after: What regret matching makes of the regrets after it, by infoset that they changed at.
    """

    traverser: int | None
    added: Addition
    profile: dict[str, list[float]]
    regret: dict[str, list[float]]
    sums: dict[str, list[float]]
    after: dict[str, list[float]]


def traversals(
    tree: GameWalk,
    traverse: Traverse,
    iteration: int = 1,
    *,
    seed: int = 0,
    start: Mapping[str, Sequence[float]] | None = None,
    all_learn: bool = False,
) -> Iterator[Traversal | Ending]:
    """Run the iterations before `iteration` without a word, and yield the traversals of that one.

    Args:
        tree: The game.
        traverse: The sampler.
        iteration: Which iteration, from 1.
        seed: Fixes all draws.
        start: What is played until an infoset is first regretted: {infoset: one probability per
            action}, of all infosets or some; others are played uniformly.
        all_learn: Whether an iteration is one traversal, from which all players learn.

    Yields:
        A traversal per player, or one, then where the iteration leads.
    """
    counts = {key: len(infoset.actions) for key, infoset in tree.infosets.items()}
    profile = {key: [1.0 / n] * n for key, n in counts.items()}
    profile.update({key: list(row) for key, row in (start or {}).items()})
    regret = {key: [0.0] * n for key, n in counts.items()}
    sums = {key: [0.0] * n for key, n in counts.items()}
    draws = RandomDraws(seed)
    for t in range(1, iteration + 1):
        for traverser in range(1 if all_learn else tree.num_players):
            before = TablesByInfoset(_copy(regret), _copy(sums), t)
            played = _copy(profile)
            added = traverse(tree.root, traverser, played, draws, before)
            _add(regret, added.regret)
            _add(sums, added.strategy_sum)
            after = {key: regret_matching(regret[key]) for key in added.regret}
            profile.update(after)
            if t == iteration:
                yield Traversal(
                    traverser=None if all_learn else traverser,
                    added=added,
                    profile=played,
                    regret=_copy(before.regret),
                    sums=_copy(before.strategy_sum),
                    after=after,
                )
    average = {}
    for key, row in sums.items():
        total = sum(row)
        average[key] = [x / total if total > 0.0 else 1.0 / len(row) for x in row]
    values = tuple(expected_values(tree, average))
    yield Ending(average, values, nash_conv(tree, average))


class Trajectory(NamedTuple):
    """The weight w_I of an infoset where a single trajectory was drawn.

    Attributes:
        payoff: What the traverser gets at the end z.
        others: pi_-i(h).
        sampled: q(z).
        weight: w_I = payoff * others / sampled.
        tail: pi(h, z), how probable the moves from h to z are as they are played.
        tail_after: pi(h a, z) of the move a that was drawn.
    """

    payoff: float
    others: float
    sampled: float
    weight: float
    tail: float
    tail_after: float


class TraversalNumbers:
    """What weighs the histories of one traversal.

    Attributes:
        shown: Its steps; none if it has kept only some of them.
        is_one_line: Whether a single trajectory was drawn.
    """

    def __init__(self, tree: GameWalk, part: Traversal, estimate: str, average_share: str) -> None:
        self.tree, self.part = tree, part
        self.estimate, self.average_share = estimate, average_share
        self.steps = {id(step.node): step for step in part.added.steps}
        parents = {id(child) for step in part.added.steps for child in step.node.children}
        is_whole = all(id(s.node) in parents or s.node is tree.root for s in part.added.steps)
        self.shown = part.added.steps if is_whole else []
        branches = [len(step.walked) + len(step.probed) for step in part.added.steps]
        ends = self.shown[-1].node.player == TERMINAL if self.shown else False
        self.is_one_line = ends and max(branches) <= 1

    def is_own(self, step: Step) -> bool:
        """Whether the traverser moves at a history."""
        return self.part.traverser in (None, step.node.player)

    def reach(self, node: Node) -> tuple[dict[int, float], float, dict[int, float]]:
        """Give the reach by player (-1: chance), q(h), and the players' parts of q(h)."""
        reach: dict[int, float] = {}
        parts: dict[int, float] = {}
        sampled = 1.0
        above = self.tree.root
        while above is not node:
            k = above.actions.index(node.history[len(above.history)])
            step = self.steps[id(above)]
            row: Sequence[float] = above.chance or self.part.profile[above.infoset]
            reach[above.player] = reach.get(above.player, 1.0) * row[k]
            parts[above.player] = parts.get(above.player, 1.0) * step.chances[k]
            sampled *= step.chances[k]
            above = above.children[k]
        return reach, sampled, parts

    def others_reach(self, node: Node) -> float:
        """pi_-i(h): the part of chance and of all players but the one to move."""
        others = [p for j, p in self.reach(node)[0].items() if j != node.player]
        return math.prod(others, start=1.0)

    def below(self, step: Step, k: int) -> float:
        """What was found below a move that was walked."""
        below = self.steps.get(id(step.node.children[k]))
        return 0.0 if below is None else below.value

    def has_weight(self, step: Step) -> bool:
        """Whether the regrets of a history are weighted by w(h) = pi_-i(h) / q(h)."""
        is_own = bool(step.values) and self.is_own(step) and step.node.player >= 0
        return is_own and self.estimate not in ("exact", "textbook")

    def has_average_weight(self, step: Step) -> bool:
        """Whether what a history adds to the average is weighted."""
        return bool(step.average) and self.estimate in ("weighted", "probed")

    def trajectory(self, step: Step) -> Trajectory | None:
        """The weight w_I of an infoset; None where it says nothing."""
        if not (step.regret and self.has_weight(step)):
            return None
        if not self.is_one_line or step.compared is not None:
            return None
        end = self.part.added.steps[-1].node
        others, sampled = self.others_reach(step.node), self.reach(end)[1]
        payoff = end.payoffs[step.node.player]
        return Trajectory(
            payoff=payoff,
            others=others,
            sampled=sampled,
            weight=payoff * others / sampled,
            tail=self.tail(step.node, end),
            tail_after=self.tail(step.node.children[step.walked[0]], end),
        )

    def tail(self, node: Node, end: Node) -> float:
        """How probable the moves from one history to a later one are, as everybody plays."""
        product = 1.0
        while node is not end:
            k = node.actions.index(end.history[len(node.history)])
            row: Sequence[float] = node.chance or self.part.profile[node.infoset]
            product *= row[k]
            node = node.children[k]
        return product


def sampled_document(
    tree: GameWalk,
    traverse: Traverse,
    iteration: int = 1,
    *,
    estimate: str = "weighted",
    average_share: str = "chance",
    all_learn: bool = False,
    seed: int = 0,
    start: Mapping[str, Sequence[float]] | None = None,
) -> dict[str, Any]:
    """A sampled iteration as plain texts, numbers and lists.

    Args:
        tree: The game.
        traverse: The sampler.
        iteration: Which iteration, from 1.
        estimate: How it values own actions: weighted, probed, pure, exact or textbook.
        average_share: What a visit counts in the average: see `weighted_sampling`.
        all_learn: Whether an iteration is one traversal, from which all players learn.
        seed: Fixes all draws.
        start: What is played at first, by infoset; uniform play by default.

    Returns:
        `actions`: those of each infoset; `steps`: the histories visited, those of a traversal
        before its updates of the tables; `ending`: the average strategy after the iteration, its
        values and NashConv.
    """
    steps: list[dict[str, Any]] = []
    ending: dict[str, Any] = {}
    for part in traversals(tree, traverse, iteration, seed=seed, start=start, all_learn=all_learn):
        if isinstance(part, Ending):
            ending = part.to_dict()
            continue
        numbers = TraversalNumbers(tree, part, estimate, average_share)
        steps += [_history(numbers, step) for step in numbers.shown]
        steps.append(_updates(tree, part))
    actions = {key: list(infoset.actions) for key, infoset in tree.infosets.items()}
    return {"actions": actions, "steps": steps, "ending": ending}


def _history(numbers: TraversalNumbers, step: Step) -> dict[str, Any]:
    node, part = step.node, numbers.part
    reach, sampled, parts = numbers.reach(node)
    others = numbers.others_reach(node)
    kind = {CHANCE: "chance", TERMINAL: "terminal"}.get(node.player, "decision")
    walked = set(step.walked)
    trajectory = numbers.trajectory(step)
    return {
        "kind": kind,
        "traverser": part.traverser,
        "player": node.player,
        "infoset": node.infoset if kind == "decision" else "",
        "history": list(node.history),
        "actions": list(node.actions),
        "payoffs": list(node.payoffs),
        "is_own": numbers.is_own(step) and kind == "decision",
        "strategy": list(step.strategy),
        "choice": step.choice,
        "chances": list(step.chances),
        "walked": list(step.walked),
        "probed": list(step.probed),
        "compared": step.compared,
        "chance_reach": reach.get(CHANCE, 1.0),
        "own_reach": reach.get(node.player, 1.0) if kind == "decision" else 1.0,
        "others_reach": others,
        "sample_reach": sampled,
        "own_sample_reach": parts.get(node.player, 1.0) if kind == "decision" else 1.0,
        "weight": others / sampled if numbers.has_weight(step) else None,
        "below": [
            numbers.below(step, k) if k in walked else None for k in range(len(node.actions))
        ],
        "values": list(step.values),
        "value": step.value,
        "regret": list(step.regret),
        "average": list(step.average),
        "average_weight": step.average_weight if numbers.has_average_weight(step) else None,
        "trajectory": None if trajectory is None else trajectory._asdict(),
    }


def _updates(tree: GameWalk, part: Traversal) -> dict[str, Any]:
    """What a traversal changed, infoset by infoset."""
    added = part.added
    changed = [key for key in tree.infosets if key in added.regret or key in added.strategy_sum]
    return {
        "kind": "updates",
        "traverser": part.traverser,
        "profile": part.profile,
        "infosets": [
            {
                "infoset": key,
                "actions": list(tree.infosets[key].actions),
                "regret": list(part.regret[key]),
                "regret_change": _row(added.regret, key),
                "sums": list(part.sums[key]),
                "sums_change": _row(added.strategy_sum, key),
                "next_strategy": _row(part.after, key),
            }
            for key in changed
        ],
    }


def _row(table: Mapping[str, Sequence[float]], key: str) -> list[float] | None:
    return list(table[key]) if key in table else None


def _copy(table: Mapping[str, Sequence[float]]) -> dict[str, list[float]]:
    return {key: list(row) for key, row in table.items()}


def _add(table: dict[str, list[float]], changes: Mapping[str, Sequence[float]]) -> None:
    for key, row in changes.items():
        table[key] = [old + change for old, change in zip(table[key], row, strict=True)]
