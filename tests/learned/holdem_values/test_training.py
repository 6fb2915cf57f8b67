"""Fitting hold'em value networks: to the same bits after a kill, and better than checking."""

from __future__ import annotations

import numpy as np
import pytest

from equilibrist.errors import CheckpointError
from equilibrist.learned.holdem_values import load_holdem_values, training
from equilibrist.learned.holdem_values.dataset import make_dataset
from equilibrist.learned.holdem_values.shard import DatasetPlan
from equilibrist.learned.holdem_values.training import TrainingSettings, train, value_errors
from tests.refusals import refuses

SETTINGS = TrainingSettings(hidden=(32,), steps=300, batch_size=32, learning_rate=3e-3, seed=2)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("rows") / "river"
    plan = DatasetPlan("river", solved_share=0.1, max_ratio=2.0, target="1%")
    make_dataset(place, plan, 120, threads=2)
    return place


@pytest.mark.nets
def test_a_network_beats_checking_on_boards_that_it_never_saw(folder, tmp_path):
    report = train(folder, SETTINGS)
    assert report.errors.rows + report.rows == 120
    assert report.grid.huber < report.errors.huber < report.check_down.huber
    assert report.grid.weighted < report.errors.weighted < report.check_down.weighted
    loaded = load_holdem_values(report.values.save(tmp_path / "net.safetensors"))
    assert loaded.made["losses"]["huber"] == report.errors.huber


@pytest.mark.nets
def test_a_run_that_was_killed_ends_with_the_same_bits(folder, tmp_path, monkeypatch):
    monkeypatch.setattr(training, "_STAGE", 100)
    whole = train(folder, SETTINGS, rows=60)
    saved = tmp_path / "net.ckpt"
    part = train(
        folder, SETTINGS, rows=60, checkpoint=saved, callbacks=lambda now: now.iteration < 200
    )
    assert (part.steps, part.stopped_by) == (200, "callback")
    rest = train(folder, SETTINGS, rows=60, checkpoint=saved, resume=True)
    assert rest.losses == whole.losses
    network = whole.values.network
    assert np.array_equal(rest.values.network.weights, network.weights)
    with refuses(CheckpointError, option="rows", given=60, expected=50):
        train(folder, SETTINGS, rows=50, checkpoint=saved, resume=True)


def test_errors_are_means_over_hands_and_by_their_weights():
    labels = np.zeros((2, 2, 10), np.float32)
    predicted = np.zeros((2, 2, 10), np.float32)
    predicted[0, :, 0], predicted[1, :, 9] = 2.0, 0.5
    ranges = np.tile(np.arange(10) / 45, (2, 2, 1)).astype(np.float32)
    errors = value_errors(predicted, labels, ranges, np.array([0.1, 20.0]))
    assert np.isclose(errors.huber, (1.5 + 0.125) / 20)
    assert np.isclose(errors.weighted, 0.5 * 0.5 * 9 / 45)
    assert np.allclose(errors.by_decile, [1.0, 0, 0, 0, 0, 0, 0, 0, 0, 0.25])
    assert [(start, rows) for start, rows, _, _ in errors.by_ratio] == [(0.0, 1), (10.0, 1)]
