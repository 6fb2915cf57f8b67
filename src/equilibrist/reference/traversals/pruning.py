"""What pruning leaves of CFR, in plain Python: regrets of play that is only assumed.

An action that is not played is skipped for some iterations. Then the player is taken to have
played, below it and in all of them, the best response to what the others played in them together:
which changes nothing above, where the action had probability 0. `PrunedPlay` remembers every
profile that was skipped and walks all of them again, history by history. It knows no bounds and no
sums of plans; which actions are skipped is told to it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from equilibrist.game import CHANCE, TERMINAL
from equilibrist.reference.game_walk import GameWalk, Node

Profile = Mapping[str, Sequence[float]]
"""Probabilities of the actions by infoset, of all players."""
Action = tuple[str, int]
"""An infoset and the number of an action."""
Weighted = list[tuple[Node, list[float]]]
"""Histories, each with its weight in some iterations: of the iteration, chance and the others."""


@dataclass
class _Iteration:
    weight: float
    profile: Profile


class PrunedPlay:
    """One player's regrets under plain traversals in which some actions are skipped.

    `regret` maps an infoset to one sum per action, with the weights of the iterations; what has
    been skipped and not been made up for is missing. `visited` counts the histories that the
    traversals have gone through, those only that somebody's opponents play to.

    Args:
        game: The walk of a game.
        player: Whose regrets.
    """

    def __init__(self, game: GameWalk, player: int) -> None:
        self.game = game
        self.player = player
        self.regret = {
            key: [0.0] * len(infoset.actions)
            for key, infoset in game.infosets.items()
            if infoset.player == player
        }
        self.iterations: list[_Iteration] = []
        self.missing: dict[Action, list[int]] = {}
        self.lost: dict[Action, float] = {}
        self.visited = 0

    def respond(self, weight: float, profile: Profile) -> None:
        """Let `regret` be what best responses to a profile leave: value less the best one.

        Args:
            weight: What all is multiplied by.
            profile: What the others play.
        """
        self.regret = {key: [0.0] * len(row) for key, row in self.regret.items()}
        self.iterations = [_Iteration(weight, profile)]
        self._value([(self.game.root, [weight])], [0], set(), best=True)

    def iterate(self, weight: float, profile: Profile, skipped: Collection[Action]) -> None:
        """Take in one iteration.

        Args:
            weight: Its weight.
            profile: What everybody plays as the player's regrets are found.
            skipped: The actions that the iteration skips, and those below.
        """
        self.iterations.append(_Iteration(weight, profile))
        start: Weighted = [(self.game.root, [weight])]
        self._value(start, [len(self.iterations) - 1], set(skipped), best=False)

    def owed(self, action: Action) -> float:
        """The most by which the regret of a skipped action has changed: by a best response.

        Args:
            action: The action.

        Returns:
            What is to be added to its regret.
        """
        kept = {key: list(row) for key, row in self.regret.items()}
        visited = self.visited
        owed = self._make_up(action)
        self.regret, self.visited = kept, visited
        return owed

    def _make_up(self, action: Action) -> float:
        """Regrets below a skipped action by best responses; what its own regret gains."""
        key, number = action
        its = self.missing[action]
        start = [(self.game.root, [self.iterations[t].weight for t in its])]
        nodes = self._at(start, its, key)
        chosen = [(node.children[number], weights) for node, weights in nodes]
        return self._value(chosen, its, set(), best=True) - self.lost[action]

    def _at(self, nodes: Weighted, its: list[int], key: str) -> Weighted:
        """The histories of an infoset, weighted as if the player played towards it."""
        weighted: Weighted = []
        for node, weights in nodes:
            if node.infoset == key:
                weighted.append((node, weights))
            elif node.player == self.player:
                weighted += self._at([(child, weights) for child in node.children], its, key)
            elif node.player != TERMINAL:
                weighted += self._at(self._children(node, weights, its), its, key)
        return weighted

    def _children(self, node: Node, weights: list[float], its: list[int]) -> Weighted:
        """What chance or another player lets follow, each with its weight per iteration."""
        if node.player == CHANCE:
            return [
                (child, [w * p for w in weights])
                for child, p in zip(node.children, node.chance, strict=True)
            ]
        rows = [self.iterations[t].profile[node.infoset] for t in its]
        return [
            (child, [w * row[k] for w, row in zip(weights, rows, strict=True)])
            for k, child in enumerate(node.children)
        ]

    def _value(self, nodes: Weighted, its: list[int], skipped: set[Action], best: bool) -> float:
        """The weighted value of histories, with regrets noted at the infosets that follow."""
        total = 0.0
        infosets: dict[str, Weighted] = {}
        stack = list(nodes)
        while stack:
            node, weights = stack.pop()
            self.visited += any(weights)
            if node.player == TERMINAL:
                total += node.payoffs[self.player] * sum(weights)
            elif node.player == self.player:
                infosets.setdefault(node.infoset, []).append((node, weights))
            else:
                stack += self._children(node, weights, its)
        for key, at in infosets.items():
            total += self._learn(key, at, its, skipped, best)
        return total

    def _learn(
        self, key: str, nodes: Weighted, its: list[int], skipped: set[Action], best: bool
    ) -> float:
        """Note the regrets of one infoset; its value."""
        actions = range(len(self.regret[key]))
        open_now = [a for a in actions if best or (key, a) not in skipped]
        ordinary = [a for a in open_now if (key, a) not in self.missing]
        values = {}
        for a in ordinary if not best else open_now:
            below = [(node.children[a], weights) for node, weights in nodes]
            values[a] = self._value(below, its, skipped, best)
        if best:
            value = max(values.values())
        else:
            row = self.iterations[its[0]].profile[key]
            value = sum(row[a] * values.get(a, 0.0) for a in actions)
        for a in actions:
            if a in values:
                self.regret[key][a] += values[a] - value
                continue
            self.missing.setdefault((key, a), []).extend(its)
            self.lost[key, a] = self.lost.get((key, a), 0.0) + value
            if (key, a) not in skipped:
                self.regret[key][a] += self._make_up((key, a))
                del self.missing[key, a], self.lost[key, a]
        return value
