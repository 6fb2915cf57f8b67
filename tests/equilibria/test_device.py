"""Correlation devices: what they refuse, what they recommend, and their files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from equilibrist.equilibria import CorrelationDevice
from equilibrist.errors import (
    ConfigError,
    FileFormatError,
    MismatchError,
    OutputError,
    UnknownNameError,
)
from equilibrist.evaluation import expected_values
from equilibrist.game_loading import compile_game
from equilibrist.strategy import Strategy
from tests.refusals import refuses, unchecked
from tests.strategy.random_strategies import random_strategy


def device() -> CorrelationDevice:
    tree = compile_game("kuhn(players=3)")
    return CorrelationDevice.of([random_strategy(tree, k) for k in range(3)], [1, 2, 5])


def test_a_device_holds_copies_of_what_it_is_given() -> None:
    found = device()
    assert found.weights.tolist() == pytest.approx([0.125, 0.25, 0.625])
    assert len(found) == 3
    assert np.array_equal(found.profile(1).probabilities, found.strategies[1])
    with pytest.raises(ValueError, match="read-only"):
        found.weights[0] = 1.0
    values = [expected_values(found.profile(k)) for k in range(3)]
    assert found.values == pytest.approx(tuple(found.weights @ np.array(values)), abs=1e-12)
    assert found.gaps("cce").values == pytest.approx(found.values, abs=1e-12)


def test_files_hold_every_bit(tmp_path: Path) -> None:
    found, path = device(), tmp_path / "play.device"
    assert found.save(path) == path
    for again in (CorrelationDevice.load(path), CorrelationDevice.load(path, found.tree)):
        assert np.array_equal(again.weights, found.weights)
        assert np.array_equal(again.strategies, found.strategies)
        assert again.gaps() == found.gaps()
    found.save(path)  # an earlier device is replaced
    with refuses(MismatchError, option="game", given="leduc", expected="kuhn(players=3)"):
        CorrelationDevice.load(path, compile_game("leduc"))
    path.write_bytes(path.read_bytes()[:-8] + b"12345678")
    with refuses(FileFormatError, option="checksum"):
        CorrelationDevice.load(path)
    other = tmp_path / "notes.txt"
    other.write_text("mine")
    with pytest.raises(OutputError):
        found.save(other)
    assert other.read_text() == "mine"


def test_recommendations_follow_one_profile_and_stay_the_same() -> None:
    found, rng = device(), np.random.default_rng(3)
    drawn, bets, plays = np.zeros(3), np.zeros(3), 4_000
    key = found.tree.infoset_keys[5]
    for _ in range(plays):
        told = found.recommend(rng)
        first = told.at(key)
        assert told.at(key) == told.at(5) == first
        drawn[told.drawn] += 1
        bets[told.drawn] += first == found.tree.action_labels[5][1]
    assert drawn / plays == pytest.approx(found.weights, abs=0.03)
    wanted = found.strategies[:, found.tree.actions_of(5)][:, 1]
    assert bets / drawn == pytest.approx(wanted, abs=0.06)
    with refuses(UnknownNameError, option="infoset"):
        found.recommend(rng).at("9pp")


def test_bad_input_is_refused() -> None:
    tree = compile_game("kuhn")
    row = Strategy.uniform(tree).probabilities
    with refuses(ConfigError, option="weights", given=0.5):
        CorrelationDevice(tree, np.array([0.25, 0.25]), np.array([row, row]))
    with refuses(ConfigError, option="weights"):
        CorrelationDevice(tree, np.array([-0.5, 1.5]), np.array([row, row]))
    with refuses(ConfigError, option="weights"):
        CorrelationDevice(tree, np.array([np.nan]), np.array([row]))
    with refuses(MismatchError, option="weights", given=1, expected=2):
        CorrelationDevice(tree, np.array([1.0]), np.array([row, row]))
    with refuses(ConfigError, option="strategies"):
        CorrelationDevice(tree, np.array([1.0]), row)
    with refuses(MismatchError, option="probabilities", expected=24):
        CorrelationDevice(tree, np.array([1.0]), row[None, :-1])
    with refuses(ConfigError, option="probabilities"):
        CorrelationDevice(tree, np.array([1.0]), 2.0 * row[None])
    with refuses(ConfigError, option="profiles"):
        CorrelationDevice.of([])
    with refuses(MismatchError, option="profiles", given="leduc", expected="kuhn"):
        CorrelationDevice.of([Strategy.uniform(tree), Strategy.uniform(compile_game("leduc"))])
    found = CorrelationDevice.of([Strategy.uniform(tree)])
    with refuses(ConfigError, option="index", given=1):
        found.profile(1)
    with refuses(ConfigError, option="rng", given=7):
        found.recommend(unchecked(7))
    with refuses(UnknownNameError, option="concept"):
        found.gaps("nash")
