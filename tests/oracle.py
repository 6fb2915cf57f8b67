"""The fast engine and the plain recursion side by side, in one notation: {infoset: [numbers]}."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from equilibrist.game import Game
from equilibrist.game_loading import compile_game
from equilibrist.reference.cfr import ReferenceCFR
from equilibrist.reference.game_walk import GameWalk
from equilibrist.solvers.full_traversal.cfr import CFR
from equilibrist.solvers.run.state import SolverState
from equilibrist.solvers.variants.variant import Variant
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree
from equilibrist.typing import FloatArray

Rows = dict[str, list[float]]
HORIZON = 60
"""The planned iterations of scheduled variants in these comparisons."""


class Snapshot(NamedTuple):
    """Regrets, next strategy and strategy sum of every infoset with a choice."""

    regret: Rows
    strategy: Rows
    strategy_sum: Rows


def rows(tree: GameTree, flat: FloatArray) -> Rows:
    """float64[Q] in public order, cut into infosets; those with one action are left out."""
    return {
        key: flat[tree.actions_of(i)].tolist()
        for i, key in enumerate(tree.infoset_keys)
        if len(tree.action_labels[i]) > 1
    }


def flat(tree: GameTree, table: Rows, forced: float) -> FloatArray:
    """The way back; infosets with one action get the number `forced`."""
    parts = [
        table[key] if len(labels) > 1 else [forced]
        for key, labels in zip(tree.infoset_keys, tree.action_labels, strict=True)
    ]
    return np.array([x for part in parts for x in part], dtype=np.float64)


def strategy_of(tree: GameTree, table: dict[str, list[float]]) -> Strategy:
    return Strategy(tree, flat(tree, table, 1.0))


class Pair:
    """One game under the engine and under the reference, with the same variant."""

    def __init__(
        self,
        game: Game[Any],
        walk: GameWalk,
        variant: Variant,
        alternating: bool,
        tree: GameTree | None = None,
    ) -> None:
        self.tree = tree or compile_game(game)
        self.engine = CFR(self.tree, variant, alternating=alternating, horizon=HORIZON)
        self.reference = ReferenceCFR(walk, variant, alternating, HORIZON)

    def randomise(self, seed: int, iteration: int = 7) -> None:
        """Put both into one random state with many exact zeros, `iteration` iterations done."""
        generator = np.random.default_rng(seed)
        regret, strategy, sums = {}, {}, {}
        for key, infoset in self.reference.game.infosets.items():
            n = len(infoset.actions)
            if n == 1:
                continue
            regret[key] = (generator.normal(size=n) * generator.integers(0, 2, n)).tolist()
            weights = generator.random(n) * generator.integers(0, 2, n)
            total = weights.sum()
            strategy[key] = (weights / total if total > 0 else np.full(n, 1.0 / n)).tolist()
            sums[key] = (generator.random(n) * generator.integers(0, 2, n)).tolist()
        for key, row in regret.items():
            self.reference.regret[key] = list(row)
            self.reference.strategy[key] = list(strategy[key])
            self.reference.strategy_sum[key] = list(sums[key])
        self.reference.iteration = iteration
        form, tree = self.tree.sequence_form, self.tree
        self.engine.restore(
            SolverState(
                form.to_engine(flat(tree, regret, 0.0)),
                form.to_engine(flat(tree, strategy, 1.0)),
                form.to_engine(flat(tree, sums, 0.0)),
                iteration,
                self.randomise_kept(generator),
            )
        )

    def randomise_kept(self, _generator: np.random.Generator) -> dict[str, FloatArray]:
        """What a rule keeps besides regrets, put into the reference and returned for the engine."""
        return {}

    def run(self, iterations: int) -> None:
        self.engine.run(iterations)
        self.reference.run(iterations)

    def snapshots(self) -> tuple[Snapshot, Snapshot]:
        """(engine, reference)."""
        state, form = self.engine.state, self.tree.sequence_form
        engine = Snapshot(
            *(
                rows(self.tree, form.to_public(array))
                for array in (state.regret, state.behaviour, state.strategy_sum)
            )
        )
        chosen = [k for k, i in self.reference.game.infosets.items() if len(i.actions) > 1]
        reference = Snapshot(
            *(
                {key: list(table[key]) for key in chosen}
                for table in (
                    self.reference.regret,
                    self.reference.strategy,
                    self.reference.strategy_sum,
                )
            )
        )
        return engine, reference

    def distance(self) -> float:
        """The greatest difference between the two in any regret, probability or sum."""
        engine, reference = self.snapshots()
        return max(
            (
                abs(x - y)
                for one, other in zip(engine, reference, strict=True)
                for key in other
                for x, y in zip(one[key], other[key], strict=True)
            ),
            default=0.0,
        )
