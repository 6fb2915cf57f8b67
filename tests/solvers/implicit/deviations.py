"""What each player could have gained by one fixed strategy against a run's history of play."""

from __future__ import annotations

import numpy as np

from equilibrist.game import CHANCE, TERMINAL
from equilibrist.rules.game import RulesGame, RulesState, rules_game
from equilibrist.solvers.implicit.mccfr import ImplicitMCCFR
from equilibrist.typing import FloatArray
from tests.solvers.implicit.implicit_runs import contents


class Deviations:
    """Runs a solver iteration by iteration, and adds up what all histories were reached with.

    When player i is updated, players before i have been already: against that play the regrets of
    player i are counted.
    """

    def __init__(self, solver: ImplicitMCCFR) -> None:
        """The tree is listed from the solver's rules; no iteration has run yet."""
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
        self.above = np.array(self.parent)
        self.mover = np.array(self.owner)[self.above]
        """Whose move led to a node."""
        self.below = [np.array(nodes) for nodes in self.levels[1:]]
        self.ends = np.array(list(self.payoffs))
        self.paid = np.array(list(self.payoffs.values()))
        left = [self.infoset[above] for above in self.parent]
        self.rows = {infoset: k for k, infoset in enumerate(dict.fromkeys(left))}
        self.entered = np.flatnonzero((self.above >= 0) & (self.mover >= 0))
        """The nodes that players' moves lead to; beside it the row and the column of each move."""
        self.row = np.array([self.rows[infoset] for infoset in left])[self.entered]
        self.column = np.array(self.move)[self.entered]
        self.legal = np.zeros((len(self.rows), 1 + max(self.move)), bool)
        self.legal[self.row, self.column] = True
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
        regrets = np.zeros(self.legal.shape)
        for infoset, (row, _) in contents(self.solver).items():
            regrets[self.rows[infoset], : len(row)] = row
        positive = np.maximum(regrets, 0.0)
        total = positive.sum(axis=1, keepdims=True)
        uniform = self.legal / self.legal.sum(axis=1, keepdims=True).clip(1)
        strategy = np.where(total > 0.0, positive / np.where(total > 0.0, total, 1.0), uniform)
        found = np.ones(len(self.parent))
        found[self.entered] = strategy[self.row, self.column]
        return found

    def play(self, kept: float = 1.0) -> None:
        """Run one iteration; what was added up before counts `kept` of what it did."""
        before = self.strategies
        self.solver.run(1)
        self.strategies = self._now()
        self.reached *= kept
        self.value *= kept
        self.weight = self.weight * kept + 1.0
        for i in range(self.players):
            own = np.where(self.mover == i, before, 1.0)
            others = np.where(self.mover < i, self.strategies, before)
            others = np.where(self.mover == i, 1.0, others)
            others = np.where(self.mover < 0, self.chance, others)
            own[0] = others[0] = 1.0
            for nodes in self.below:
                own[nodes] *= own[self.above[nodes]]
                others[nodes] *= others[self.above[nodes]]
            self.reached[i] += others
            self.value[i] += (own * others)[self.ends] @ self.paid[:, i]

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
