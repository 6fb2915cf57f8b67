"""What each player could have gained by one fixed strategy against a run's history of play."""

from __future__ import annotations

import numpy as np

from equilibrist.game import CHANCE, TERMINAL
from equilibrist.rules.game import RulesGame, RulesState, rules_game
from equilibrist.solvers.implicit.mccfr import TreelessMCCFR
from equilibrist.typing import FloatArray
from tests.solvers.implicit.treeless_runs import contents


class Deviations:
    """Runs a solver iteration by iteration, and adds up what all histories were reached with.

    When player i is updated, players before i have been already: against that play the regrets of
    player i are counted.
    """

    def __init__(self, solver: TreelessMCCFR) -> None:
        """The tree is listed from the solver's rules; nobody has played yet."""
        self.solver = solver
        game: RulesGame = rules_game(solver.rules)
        self.players = game.num_players
        self.parent: list[int] = []
        self.owner: list[int] = []
        self.infoset: list[tuple[int, int]] = []
        self.move: list[int] = []
        """Of the parent."""
        self.chance: list[float] = []
        self.children: list[list[int]] = []
        self.payoffs: dict[int, tuple[float, ...]] = {}
        self.levels: list[list[int]] = []
        self._list(game, game.initial_state(), -1, 0, 1.0, 0)
        self.entered: dict[tuple[int, int], tuple[list[int], list[int]]] = {}
        """Of infosets: which moves lead where."""
        for node, above in enumerate(self.parent):
            if above >= 0 and self.owner[above] >= 0:
                moves, nodes = self.entered.setdefault(self.infoset[above], ([], []))
                moves.append(self.move[node])
                nodes.append(node)
        self.reached = np.zeros((self.players, len(self.parent)))
        """Weighted sums of what chance and the others reach a node with."""
        self.value = np.zeros(self.players)
        self.weight = 0.0
        self.strategies = self._now()

    def _list(
        self, game: RulesGame, state: RulesState, parent: int, move: int, chance: float, depth: int
    ) -> None:
        node, player = len(self.parent), game.player(state)
        if depth == len(self.levels):
            self.levels.append([])
        self.levels[depth].append(node)
        self.parent.append(parent)
        self.owner.append(player)
        self.move.append(move)
        self.chance.append(chance)
        self.children.append([])
        self.infoset.append(game.packed(state) if player >= 0 else (0, 0))
        if parent >= 0:
            self.children[parent].append(node)
        if player == TERMINAL:
            self.payoffs[node] = tuple(game.payoffs(state))
            return
        likely = game.chance(state) if player == CHANCE else None
        for a in range(len(game.actions(state))):
            below = game.next(state, a)
            self._list(game, below, node, a, 1.0 if likely is None else likely[a], depth + 1)

    def _now(self) -> FloatArray:
        """With what the last move to each node is made, as regrets are now."""
        rows = contents(self.solver)
        found = np.ones(len(self.parent))
        for infoset, (moves, nodes) in self.entered.items():
            regrets = rows.get(infoset, ([0.0] * (1 + max(moves)), []))[0]
            positive = np.maximum(regrets, 0.0)
            total = positive.sum()
            strategy = positive / total if total > 0.0 else np.full(len(regrets), 1 / len(regrets))
            found[nodes] = strategy[moves]
        return found

    def play(self, kept: float = 1.0) -> None:
        """Run one iteration; what was added up before counts `kept` of what it did."""
        before = self.strategies
        self.solver.run(1)
        self.strategies = self._now()
        self.reached *= kept
        self.value *= kept
        self.weight = self.weight * kept + 1.0
        ends = np.array(list(self.payoffs))
        payoffs = np.array(list(self.payoffs.values()))
        for i in range(self.players):
            mover = np.array(self.owner)[self.parent]
            own = np.where(mover == i, before, 1.0)
            others = np.where(mover < i, self.strategies, before)
            others = np.where(mover < 0, self.chance, np.where(mover == i, 1.0, others))
            own[0] = others[0] = 1.0
            for nodes in self.levels[1:]:
                above = np.array(self.parent)[nodes]
                own[nodes] *= own[above]
                others[nodes] *= others[above]
            self.reached[i] += others
            self.value[i] += (own * others)[ends] @ payoffs[:, i]

    def gains(self) -> list[float]:
        """Of each player: the best one strategy's value against that play, less what was got."""
        return [(self._best(i) - self.value[i]) / self.weight for i in range(self.players)]

    def _best(self, player: int) -> float:
        """From the longest histories up: those of an infoset are equally long."""
        value = np.zeros(len(self.parent))
        for nodes in reversed(self.levels):
            own: dict[tuple[int, int], list[int]] = {}
            for node in nodes:
                if node in self.payoffs:
                    value[node] = self.reached[player, node] * self.payoffs[node][player]
                elif self.owner[node] == player:
                    own.setdefault(self.infoset[node], []).append(node)
                else:
                    value[node] = value[self.children[node]].sum()
            for together in own.values():
                worth = np.array([value[self.children[node]] for node in together])
                value[together] = worth[:, worth.sum(axis=0).argmax()]
        return float(value[0])
