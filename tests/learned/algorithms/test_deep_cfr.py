"""With a table in the place of the network, Deep CFR is external sampling."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from equilibrist.game_loading import compile_game
from equilibrist.kernels.primitives.rng import stream
from equilibrist.kernels.sampling.frozen import OnePlayer, external_walks
from equilibrist.kernels.traversal.status import DONE, STREAM, TOUCHED
from equilibrist.learned.algorithms.deep_cfr import DeepCFRWithPolicy, SingleDeepCFR
from equilibrist.solvers.run.state import in_proportion
from equilibrist.solvers.sampling.averaging import Full
from equilibrist.solvers.sampling.external import External
from equilibrist.solvers.sampling.sampler import Tables

WALKS, ROUNDS, SEED = 40, 12, 5
TABLE: dict[str, Any] = {"walks": WALKS, "learner": "table", "fallback": "uniform"}


class FrozenMCCFR:
    """Monte Carlo CFR by external sampling whose strategies stay as they are for some walks.

    The kernel of `MCCFR` runs on copies of the regrets, one walk at a time, and changes them at
    once, as it does there; what the copies gain is added up. Linear weights.
    """

    def __init__(self, tree, key):
        size = int(tree.action_offset[-1])
        self.tree, self.key = tree, key
        self.regret, self.strategy_sum, self.visits = np.zeros(size), np.zeros(size), np.zeros(size)
        self.owner = np.repeat(tree.infoset_player, np.diff(tree.action_offset))
        self.average = Full.of(tree, 1)
        self.touched = 0

    def iterate(self, iteration, player, weight):
        before = self.regret.copy()
        with np.errstate(over="ignore"):
            state = np.int64(stream(self.key, np.uint64(iteration)))
        for walk in range(WALKS):
            copy, visits = before.copy(), np.zeros_like(before)
            tables = Tables(self.tree.history_tree, self.key, copy, visits)
            _, setup = External().kernel(tables.scratch())
            play = tables.play()._replace(traversals=walk + 1)
            # The walks before have been made.
            progress = np.array([iteration, walk, state, 0], dtype=np.int64)
            setup = OnePlayer(player, setup._replace(weight=1.0))
            assert external_walks(setup, play, iteration, self.key, progress) == DONE
            self.regret += weight * (copy - before)
            self.visits += weight * visits
            self.touched += int(progress[TOUCHED])
            state = self.state_after(setup, before, iteration, walk, state)
        sums = np.zeros_like(before)
        self.average.take(Tables(self.tree.history_tree, self.key, self.regret, sums), 1, weight)
        self.strategy_sum += np.where(self.owner == player, sums, 0.0)

    def state_after(self, setup, before, iteration, walk, state):
        """The random state after a walk: the kernel tells it where another walk follows."""
        tables = Tables(self.tree.history_tree, self.key, before.copy(), np.zeros_like(before))
        play = tables.play()._replace(traversals=walk + 1)
        progress = np.array([iteration, walk, state, 0], dtype=np.int64)
        external_walks(setup, play, iteration, self.key, progress)
        return progress[STREAM]

    def run(self, iterations):
        players = self.tree.num_players
        for n in range(iterations):
            self.iterate(n + 1, n % players, n // players + 1)
        return self


@pytest.mark.by_default(1)
@pytest.mark.parametrize("game", ["kuhn", "leduc", "kuhn(players=3)", "liars_dice(sides=3)"])
def test_single_deep_cfr_is_external_sampling_with_frozen_strategies(game):
    tree = compile_game(game)
    solver = SingleDeepCFR(**TABLE).solver(tree, SEED)
    oracle = FrozenMCCFR(tree, solver._log.key).run(ROUNDS * tree.num_players)
    solver.run(ROUNDS * tree.num_players)
    offset = tree.action_offset
    assert np.allclose(
        solver.current_strategy().probabilities,
        in_proportion(np.maximum(oracle.regret, 0.0), offset),
        rtol=0,
        atol=1e-10,
    )
    assert np.allclose(
        solver.average_strategy().probabilities,
        in_proportion(oracle.strategy_sum, offset),
        rtol=0,
        atol=1e-10,
    )
    assert solver.nodes_touched == oracle.touched


@pytest.mark.parametrize("game", ["kuhn", "leduc"])
def test_deep_cfr_remembers_the_stochastic_average(game):
    tree = compile_game(game)
    solver = DeepCFRWithPolicy(**TABLE).solver(tree, SEED)
    oracle = FrozenMCCFR(tree, solver._log.key).run(ROUNDS * tree.num_players)
    solver.run(ROUNDS * tree.num_players)
    average = in_proportion(oracle.visits, tree.action_offset)
    assert np.allclose(solver.average_strategy().probabilities, average, rtol=0, atol=1e-10)
    # The rows that its second network would learn have the same means.
    for rows, player in zip(solver._policies, range(2), strict=True):
        means = np.zeros(solver.features.mask.shape)
        np.add.at(means, rows.infoset, rows.weight[:, None] * rows.target)
        own = tree.infoset_player[solver.features.infoset_of] == player
        found = in_proportion(
            solver.features.to_actions(means).astype(np.float64), tree.action_offset
        )
        assert np.allclose(found[own], average[own], rtol=0, atol=1e-10)
