"""Averages, best responses and evaluation at their edges; no kernel may read beyond its arrays."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache

import numpy as np
import pytest

from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.kernels.sequence_form.response import average_behaviour, evaluate
from equilibrist.tree.compile import GameTree

SPECS = ("kuhn(players=3)", "leduc", "random_tree(seed=2,depth=6,branching=5,forced=0.4)")


@cache
def tree_of(spec: str) -> GameTree:
    return compile_game(load_game(spec))


@pytest.mark.parametrize("spec", SPECS)
def test_averages_are_normalised_sums(spec: str) -> None:
    form = tree_of(spec).sequence_form
    generator = np.random.default_rng(0)
    sums = generator.random(form.num_sequences) * generator.integers(0, 2, form.num_sequences)
    out = np.full(form.num_sequences, np.nan)
    average_behaviour(form.arrays, sums, out)
    for player in range(form.num_players):
        assert out[form.arrays.sequence_offset[player]] == 1.0
        for _, own in form.infosets_of(player):
            total = sums[own].sum()
            wanted = sums[own] / total if total > 0 else np.full(len(own), 1 / len(own))
            assert out[own] == pytest.approx(wanted, abs=1e-15)


@pytest.mark.slow
@pytest.mark.parametrize("spec", SPECS)
def test_of_equal_actions_the_first_is_the_response(spec: str) -> None:
    tree = compile_game(load_game(spec))
    form = tree.sequence_form
    size, players = form.num_sequences, form.num_players
    response = np.full(size, np.nan)
    behaviour = form.uniform()
    arrays = form.arrays._replace(scale=np.zeros(players))  # every payoff is 0
    best = np.empty(players)
    evaluate(arrays, behaviour, form.scratch(), form.scratch(), response, np.empty(players), best)
    assert best.tolist() == [0.0] * players
    for player in range(players):
        for _, own in form.infosets_of(player):
            assert response[own].tolist() == [1.0] + [0.0] * (len(own) - 1)


def test_scratch_may_hold_anything() -> None:
    """Nothing that kernels find in their scratch arrays reaches a result."""
    form = tree_of("kuhn(players=3)").sequence_form
    behaviour = form.uniform()
    results = []
    for rubbish in (0.0, np.nan, 1e308):
        values, best = np.empty(3), np.empty(3)
        evaluate(
            form.arrays,
            behaviour,
            np.full(len(form.scratch()), rubbish),
            np.full(len(form.scratch()), rubbish),
            np.ones(form.num_sequences),
            values,
            best,
        )
        results.append((values.tolist(), best.tolist()))
    assert results[0] == results[1] == results[2]


def test_reach_of_all_players() -> None:
    form = tree_of("leduc").sequence_form
    reach = form.reach(form.uniform())
    for player in (0, 1):
        low = form.arrays.sequence_offset[player]
        assert reach[low] == 1.0
        for parent, own in form.infosets_of(player):
            assert reach[own].sum() == pytest.approx(reach[parent])


BOUNDS_CHECKED = """
from equilibrist.evaluation import evaluate
from equilibrist.games import load_game
from equilibrist.solvers.full_traversal.cfr import CFR
for spec in ("kuhn(players=3)", "random_tree(seed=2,depth=5,branching=5)", "random_tree(depth=0)"):
    for alternating in (True, False):
        solver = CFR(load_game(spec), "dcfr", alternating=alternating).run(3)
        print(f"{evaluate(solver.average_strategy()).nash_conv:.15f}")
"""


@pytest.mark.slow
def test_kernels_stay_within_their_arrays() -> None:
    """With Numba's bounds checking, which raises where a release build reads on in silence."""

    def run(**settings: str) -> str:
        environment = {**os.environ, **settings}
        done = subprocess.run(
            [sys.executable, "-c", BOUNDS_CHECKED],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    checked = run(NUMBA_BOUNDSCHECK="1", EQUILIBRIST_NUMBA_CACHE="0")
    assert len(checked.splitlines()) == 6
    assert checked == run()
