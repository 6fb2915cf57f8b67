"""Spots solved by the reference: true figures for small ranges, slowly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from equilibrist.poker.betting.public_tree import public_tree
from equilibrist.poker.betting.street_tree import ACTION
from equilibrist.poker.postflop.solution.node_aggregates import NodeValues
from equilibrist.poker.postflop.solution.result import PostflopResult
from equilibrist.poker.postflop.solution.stopping import read_stop
from equilibrist.poker.postflop.solving.run import solved
from equilibrist.poker.postflop.spot.fields import Storage
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.progress import as_callbacks
from equilibrist.reference.postflop import PublicCFR, exploitability, values_at
from equilibrist.solvers.run.stopping import Stop
from equilibrist.solvers.variants.registry import VARIANTS
from tests.poker.postflop.engine.public_games import combos_of, public_game


class ReferenceSolver:
    """A MeasuredSolver."""

    memory_bytes = 12345
    variant = VARIANTS["dcfr"]
    storage: Storage = "float32"
    is_small = False

    def __init__(self, spot: Spot) -> None:
        self.spot = spot
        self.game = public_game(spot)
        self.begin_again()

    def begin_again(self) -> None:
        self.cfr = PublicCFR(self.game, self.variant)
        self.iteration = 0

    @property
    def state(self) -> Any:
        raise NotImplementedError

    def restore(self, state: Any, /) -> None:
        raise NotImplementedError

    def run(self, iterations: int, /) -> None:
        self.cfr.run(iterations)
        self.iteration = self.cfr.iteration

    def mean_gain(self, *, unlocked: bool = False) -> float:
        return exploitability(self.game, self.cfr.average())

    def frequency_error(self) -> float:
        return 0.0

    def ev_error(self) -> None:
        return None

    def parts(self, streets: int, /) -> Any:
        raise NotImplementedError

    def on_board(
        self, runout: tuple[int, ...], /
    ) -> Callable[[Sequence[int]], Sequence[NodeValues]]:
        return lambda nodes: [self.values(node, runout) for node in nodes]

    def values(self, node: int, runout: tuple[int, ...], /) -> NodeValues:
        place, average = (node, runout), self.cfr.average()
        found = values_at(self.game, average, place)
        tree = public_tree(self.spot.rules())
        weight, matchups = np.zeros((2, 2, 1326))
        ev, equity = np.full((2, 2, 1326), np.nan)
        for player in (0, 1):
            held = combos_of(self.spot, player)
            reach = found.weight[player]
            there = (reach > 0) & (found.matchups[player] > 0)
            weight[player, held] = reach
            matchups[player, held] = found.matchups[player]
            paid = tree.paid[node, player]
            ev[player, held] = np.where(there, found.ev[player] + paid, np.nan)
            wins, ties, _ = self.game.showdown(player, runout)
            won = (wins + ties / 2) @ found.weight[1 - player]
            with np.errstate(invalid="ignore", divide="ignore"):
                equity[player, held] = np.where(there, won / found.matchups[player], np.nan)
        strategy = action_ev = np.empty((0, 1326))
        if tree.kind[node] == ACTION:
            player = int(tree.player[node])
            held = combos_of(self.spot, player)
            strategy, action_ev = np.full((2, int(tree.num_children[node]), 1326), np.nan)
            strategy[:, held] = average[place]
            first = int(tree.first_child[node])
            for action in range(len(strategy)):
                after = values_at(self.game, average, (first + action, runout)).ev[player]
                worth = after + tree.paid[node, player]
                action_ev[action, held] = np.where(np.isnan(ev[player, held]), np.nan, worth)
        return NodeValues(weight, matchups, ev, equity, strategy, action_ev)


def solve(spot: Spot, callbacks: Any = None, **limits: Any) -> PostflopResult:
    """A spot solved by the reference."""
    rule = read_stop(spot.pot, Stop(**limits))
    return solved(spot, ReferenceSolver(spot), rule, as_callbacks(callbacks))
