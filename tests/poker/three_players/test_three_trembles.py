"""Trembles of three players: the update against its formula, and as an option of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from equilibrist.errors import ConfigError
from equilibrist.kernels.poker.three_decisions import learn
from equilibrist.poker import ThreeSpot, solve_three, three_needs
from equilibrist.poker.three_players.lock_rows import free_seat
from equilibrist.poker.three_players.solution import read_three
from tests.poker.three_players.test_profile import SMALL
from tests.refusals import refuses

SPOT = ThreeSpot(**SMALL, stacks=[100, 40, 250])
EPSILON = 0.02


@pytest.mark.parametrize("tremble", [0.0, EPSILON])
def test_an_update_is_that_of_the_formula(tremble: float) -> None:
    """Three actions, and behind the second of them two more."""
    generator = np.random.default_rng(1)
    parent, first = np.array([0, 2], np.int32), np.array([1, 4, 6], np.int32)
    parts = [slice(1, 4), slice(4, 6)]
    reach, worth, regrets, sums = generator.normal(size=(4, 6, 5))
    strategy = generator.uniform(size=(6, 5))
    for rows in parts:
        share = strategy[rows] / strategy[rows].sum(axis=0)
        strategy[rows] = tremble + (1 - tremble * len(share)) * share
    factors = np.array([0.9, 0.5, -np.inf, 1.0, 0.3, 0.8, 2.0, tremble])
    locks = free_seat().arrays
    given: list[Any] = [array.copy() for array in (worth, regrets, sums, strategy)]
    update: Any = learn
    update.py_func(
        parent, first, np.array([1 / 3, 1 / 2]), factors, locks, reach, *given, np.empty((2, 5))
    )
    for before, rows in zip((2, 0), reversed(parts), strict=True):
        played, free = strategy[rows], 1.0 - tremble * (rows.stop - rows.start)
        value, learnt = played * worth[rows], (played - tremble) / free
        worth[before] += value.sum(axis=0)
        instant = worth[rows] - (learnt * worth[rows]).sum(axis=0)
        sums[rows] = 0.8 * sums[rows] + 2.0 * reach[rows]
        regrets[rows] = np.where(regrets[rows] > 0.0, 0.9, 0.5) * regrets[rows] + instant
        matched = np.maximum(regrets[rows] + 0.3 * instant, 0.0)
        share = np.full_like(matched, 1.0 / len(matched))
        np.divide(matched, matched.sum(axis=0), out=share, where=matched.sum(axis=0) > 0.0)
        strategy[rows] = tremble + free * share
    for found, wanted in zip(given, (worth, regrets, sums, strategy), strict=True):
        assert found == pytest.approx(wanted)


@pytest.mark.slow
def test_every_action_is_played_and_what_that_costs_is_measured(tmp_path: Path) -> None:
    plain = solve_three(SPOT, iterations=150)
    trembling = solve_three(SPOT, iterations=150, tremble=EPSILON)
    for game, strategy in zip(trembling.laid_out.games, trembling.strategies, strict=True):
        assert strategy[game.num_entries :].min() > EPSILON - 1e-6
    assert min(strategy.min() for strategy in plain.strategies) < EPSILON / 100
    assert plain.nash_conv_percent < 0.5 < trembling.nash_conv_percent
    saved = read_three(trembling.save(tmp_path / "out.spot"))
    assert (saved.tremble, saved.facts()["tremble"], plain.tremble) == (EPSILON, EPSILON, None)


@pytest.mark.parametrize("tremble", [0.0, 0.4, float("nan")])
def test_what_leaves_nothing_of_play_is_refused(tremble: float) -> None:
    with refuses(ConfigError, option="tremble"):
        solve_three(SPOT, iterations=1, tremble=tremble)
    with refuses(ConfigError, option="tremble"):
        three_needs(SPOT, tremble=tremble)
