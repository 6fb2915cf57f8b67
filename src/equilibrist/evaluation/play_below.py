"""All plans of one player below an infoset, and all plays of the other players."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain, product
from math import log2, prod

import numpy as np

from equilibrist.tree.compile import GameTree
from equilibrist.tree.walk.histories import TERMINAL_MARK
from equilibrist.typing import FloatArray


class Histories:
    """The histories of a game as lists, for recursion.

    Args:
        tree: The compiled game.
        centre: float64[P], what is taken out of all payoffs of each player, or 0.
        inexact: float64[Z, P], as `Sequences.inexact`; None if all payoffs are exact.
    """

    def __init__(
        self,
        tree: GameTree,
        centre: FloatArray | float = 0.0,
        inexact: FloatArray | None = None,
    ) -> None:
        walk = tree.walk
        self.tree = tree
        infoset, decided = walk.infoset.copy(), walk.infoset >= 0
        infoset[decided] = tree.public_of_walk[infoset[decided]]
        self.infoset: list[int] = infoset.tolist()
        self.owner: list[int] = tree.infoset_player.tolist()
        self.offset: list[int] = tree.action_offset.tolist()
        self.parent: list[int] = walk.parent.tolist()
        self.children: list[list[int]] = [[] for _ in self.parent]
        self.rank = [0] * len(self.parent)
        for node, above in enumerate(self.parent[1:], start=1):
            self.rank[node] = len(self.children[above])
            self.children[above].append(node)
        chance = iter(walk.chance_probability.tolist())
        payoffs = iter((walk.payoff - centre).tolist())
        sizes = iter((np.zeros_like(walk.payoff) if inexact is None else inexact).tolist())
        self.chance = [1.0] * len(self.parent)
        self.payoff: dict[int, list[float]] = {}
        self.inexact: dict[int, list[float]] = {}
        for node, below in enumerate(self.children):
            if self.infoset[node] == TERMINAL_MARK:
                self.payoff[node], self.inexact[node] = next(payoffs), next(sizes)
            elif self.infoset[node] < 0:
                for child in below:
                    self.chance[child] = next(chance)

    def path(self, node: int) -> list[int]:
        """The nodes from below the root down to `node`."""
        nodes = []
        while node > 0:
            nodes.append(node)
            node = self.parent[node]
        return nodes[::-1]


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
    root on. `leaves` are (own sequence, others' sequence, chance * payoff), `inexact` is that of
    which each of these payoffs is off by rounding, `reach` is the chance probability with which
    each of the others' sequences leads to the infoset; all are scaled by a power of 2, so that
    `reach` adds up to nearly 1. `met` are the infosets on the way: no other one matters.
    """

    def __init__(self, histories: Histories, infoset: int, removed: set[int]) -> None:
        self.histories, self.infoset, self.removed = histories, infoset, removed
        self.player = int(histories.tree.infoset_player[infoset])
        self.own, self.others = Plans(), Plans()
        self.leaves: list[tuple[int, int, float]] = []
        self.inexact: list[float] = []
        self.reach: dict[int, float] = {}
        self.met: set[int] = {infoset}
        for node in (n for n, i in enumerate(histories.infoset) if i == infoset):
            self._enter(node)
        reached = sum(self.reach.values())
        total = 2.0 ** round(log2(reached)) if reached > 0.0 else 1.0
        self.inexact = [size / total for size in self.inexact]
        self.leaves = [(x, y, value / total) for x, y, value in self.leaves]
        self.reach = {sequence: weight / total for sequence, weight in self.reach.items()}

    def _enter(self, node: int) -> None:
        """Play to this history of the infoset, unless that takes an action left out, and on."""
        h, sequence, chance = self.histories, 0, 1.0
        for step in h.path(node):
            infoset = h.infoset[h.parent[step]]
            chance *= h.chance[step]
            if infoset >= 0 and h.owner[infoset] != self.player:
                moves = self.others.decision(sequence, infoset, self._left(infoset))
                if h.rank[step] not in moves:
                    return
                sequence = moves[h.rank[step]]
        if chance > 0.0:
            self.reach[sequence] = self.reach.get(sequence, 0.0) + chance
            self._play_on(node, sequence, chance)

    def _play_on(self, start: int, others: int, chance: float) -> None:
        """Play on from a history of the infoset, in preorder; games may be very deep."""
        h = self.histories
        waiting = [(start, 0, others, chance)]
        while waiting:
            node, own, others, chance = waiting.pop()
            infoset, children = h.infoset[node], h.children[node]
            if infoset == TERMINAL_MARK:
                self.leaves.append((own, others, chance * h.payoff[node][self.player]))
                self.inexact.append(h.inexact[node][self.player])
            elif infoset < 0:
                waiting += [(c, own, others, chance * h.chance[c]) for c in reversed(children)]
            elif h.owner[infoset] == self.player:
                moves = self.own.decision(own, infoset, self._left(infoset))
                waiting += [(children[a], moves[a], others, chance) for a in reversed(moves)]
            else:
                moves = self.others.decision(others, infoset, self._left(infoset))
                waiting += [(children[a], own, moves[a], chance) for a in reversed(moves)]

    def _left(self, infoset: int) -> list[int]:
        self.met.add(infoset)
        low, high = self.histories.offset[infoset : infoset + 2]
        return [k - low for k in range(low, high) if k not in self.removed]

    def plans_after(self, action: int, most: int) -> list[frozenset[int]] | None:
        """Own sequences of each pure way of playing on after `action`; None above `most`."""
        first = self.own.decisions[0, self.infoset][action]
        below: dict[int, list[list[int]]] = {}
        for (above, _), moves in self.own.decisions.items():
            below.setdefault(above, []).append(list(moves.values()))
        inside = [first]
        for sequence in inside:  # which grows: parents come before their children
            inside += [s for moves in below.get(sequence, ()) for s in moves]
        counts: dict[int, int] = {}
        for s in reversed(inside):
            counts[s] = prod(sum(counts[t] for t in moves) for moves in below.get(s, ()))
        if counts[first] > most:
            return None
        plans: dict[int, list[tuple[int, ...]]] = {}
        for s in reversed(inside):
            choices = [[plan for t in moves for plan in plans.pop(t)] for moves in below.get(s, ())]
            plans[s] = [(s, *chain.from_iterable(parts)) for parts in product(*choices)]
        return [frozenset(plan) for plan in plans[first]]
