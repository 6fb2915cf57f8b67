"""All plans of one player below an infoset, and all plays of the other players."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product
from math import prod

import numpy as np

from equilibrist.tree.compile import GameTree
from equilibrist.tree.walk.histories import TERMINAL_MARK
from equilibrist.typing import FloatArray


class Histories:
    """The histories of a game as lists, for recursion."""

    def __init__(self, tree: GameTree) -> None:
        walk = tree.walk
        self.tree = tree
        infoset, decided = walk.infoset.copy(), walk.infoset >= 0
        infoset[decided] = tree.public_of_walk[infoset[decided]]
        self.infoset: list[int] = infoset.tolist()
        self.parent: list[int] = walk.parent.tolist()
        self.children: list[list[int]] = [[] for _ in self.parent]
        self.rank = [0] * len(self.parent)
        for node, above in enumerate(self.parent[1:], start=1):
            self.rank[node] = len(self.children[above])
            self.children[above].append(node)
        chance = iter(walk.chance_probability.tolist())
        payoffs = iter(walk.payoff.tolist())
        self.chance = [1.0] * len(self.parent)
        self.payoff: dict[int, list[float]] = {}
        for node, below in enumerate(self.children):
            if self.infoset[node] == TERMINAL_MARK:
                self.payoff[node] = next(payoffs)
            elif self.infoset[node] < 0:
                for child in below:
                    self.chance[child] = next(chance)

    def path(self, node: int) -> list[int]:
        """The nodes from below the root down to `node`."""
        found = []
        while node > 0:
            found.append(node)
            node = self.parent[node]
        return found[::-1]


@dataclass
class Plans:
    """The sequences of one side, of which 0 is the empty one.

    `decisions` maps (sequence, infoset) to {action: sequence}, parents before their children.
    """

    decisions: dict[tuple[int, int], dict[int, int]] = field(default_factory=dict)
    size: int = 1

    def decision(self, sequence: int, infoset: int, actions: list[int]) -> dict[int, int]:
        """The sequences of these actions at an infoset met after `sequence`."""
        key = (sequence, infoset)
        if key not in self.decisions:
            self.decisions[key] = {a: self.size + k for k, a in enumerate(actions)}
            self.size += len(actions)
        return self.decisions[key]

    def uniform(self) -> FloatArray:
        """The reach of each sequence if every decision is uniform, float64[size]."""
        reach = np.ones(self.size)
        for (above, _), moves in self.decisions.items():
            reach[list(moves.values())] = reach[above] / len(moves)
        return reach


class PlayBelow:
    """All play through one infoset, from the point of view of its player.

    `own` are the player's sequences from the infoset on, `others` those of the others from the
    root on. `leaves` are (own sequence, others' sequence, chance * payoff), `reach` is the chance
    probability with which each of the others' sequences leads to the infoset; both are scaled so
    that `reach` adds up to 1.
    """

    def __init__(self, histories: Histories, infoset: int, removed: set[int]) -> None:
        self.histories, self.infoset, self.removed = histories, infoset, removed
        self.player = int(histories.tree.infoset_player[infoset])
        self.own, self.others = Plans(), Plans()
        self.leaves: list[tuple[int, int, float]] = []
        self.reach: dict[int, float] = {}
        for node in (n for n, i in enumerate(histories.infoset) if i == infoset):
            self._enter(node)
        total = sum(self.reach.values())
        self.leaves = [(x, y, value / total) for x, y, value in self.leaves]
        self.reach = {sequence: weight / total for sequence, weight in self.reach.items()}

    def _enter(self, node: int) -> None:
        """Play to this history of the infoset, unless that takes an action left out, and on."""
        h, sequence, chance = self.histories, 0, 1.0
        for step in h.path(node):
            infoset = h.infoset[h.parent[step]]
            chance *= h.chance[step]
            if infoset >= 0 and int(h.tree.infoset_player[infoset]) != self.player:
                moves = self.others.decision(sequence, infoset, self._left(infoset))
                if h.rank[step] not in moves:
                    return
                sequence = moves[h.rank[step]]
        if chance > 0.0:
            self.reach[sequence] = self.reach.get(sequence, 0.0) + chance
            self._play_on(node, 0, sequence, chance)

    def _play_on(self, node: int, own: int, others: int, chance: float) -> None:
        h = self.histories
        infoset = h.infoset[node]
        if infoset == TERMINAL_MARK:
            self.leaves.append((own, others, chance * h.payoff[node][self.player]))
        elif infoset < 0:
            for child in h.children[node]:
                self._play_on(child, own, others, chance * h.chance[child])
        elif int(h.tree.infoset_player[infoset]) == self.player:
            for a, sequence in self.own.decision(own, infoset, self._left(infoset)).items():
                self._play_on(h.children[node][a], sequence, others, chance)
        else:
            for a, sequence in self.others.decision(others, infoset, self._left(infoset)).items():
                self._play_on(h.children[node][a], own, sequence, chance)

    def _left(self, infoset: int) -> list[int]:
        low, high = self.histories.tree.action_offset[infoset : infoset + 2].tolist()
        return [k - low for k in range(low, high) if k not in self.removed]

    def plans_after(self, action: int, most: int) -> list[frozenset[int]] | None:
        """Own sequences of each pure way of playing on after `action`; None above `most`."""
        decisions: dict[int, list[list[int]]] = {}
        for (above, _), moves in self.own.decisions.items():
            decisions.setdefault(above, []).append(list(moves.values()))

        def count(sequence: int) -> int:
            return prod(sum(map(count, own)) for own in decisions.get(sequence, ()))

        def plans(sequence: int) -> list[frozenset[int]]:
            choices = [
                [plan for own in moves for plan in plans(own)]
                for moves in decisions.get(sequence, ())
            ]
            return [frozenset({sequence}).union(*parts) for parts in product(*choices)]

        first = self.own.decisions[0, self.infoset][action]
        return plans(first) if count(first) <= most else None
