"""Fitting hold'em value networks: to the same bits after a kill, and better than checking."""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np
import pytest

from equilibrist.errors import CheckpointError, FileFormatError
from equilibrist.learned.files import NetworkFile
from equilibrist.learned.holdem_values import load_holdem_values, training
from equilibrist.learned.holdem_values.dataset import DatasetFolder, boards_of, make_dataset
from equilibrist.learned.holdem_values.features import num_inputs, num_outputs
from equilibrist.learned.holdem_values.hand_grid import BoardHands
from equilibrist.learned.holdem_values.shard import DatasetPlan
from equilibrist.learned.holdem_values.situations import use_of
from equilibrist.learned.holdem_values.training import TrainingSettings, train, value_errors
from equilibrist.learned.network import new_network
from equilibrist.storage.kinds.file_kinds import HOLDEM_CHECKPOINT, HOLDEM_NETWORK
from tests.refusals import refuses

SETTINGS = TrainingSettings(hidden=(32,), steps=300, batch_size=32, learning_rate=3e-3, seed=2)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("rows") / "river"
    plan = DatasetPlan("river", solved_share=0.1, max_ratio=2.0, target="1%")
    make_dataset(place, plan, 120, threads=2)
    return place


def prepare_once(folder, monkeypatch):
    """Have trainings take the first 60 rows as they were prepared once, in stages of 5 steps."""
    prepared = training._prepared(DatasetFolder.open(folder), 60)
    monkeypatch.setattr(training, "_prepared", lambda *_: prepared)
    monkeypatch.setattr(training, "_STAGE", 5)


@pytest.mark.nets
def test_a_network_beats_checking_on_boards_that_it_never_saw(folder, tmp_path):
    report = train(folder, SETTINGS)
    rows = DatasetFolder.open(folder)
    uses = [use_of(board) for number in rows.shards() for board in boards_of(rows.read(number))]
    assert (report.rows, report.errors.rows) == (uses.count("training"), uses.count("report"))
    assert 0 < uses.count("choice") == 120 - report.rows - report.errors.rows
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


@pytest.mark.nets
def test_checkpoints_are_neither_overwritten_nor_missed(folder, tmp_path, monkeypatch):
    prepare_once(folder, monkeypatch)
    settings = TrainingSettings(hidden=(8,), steps=10, batch_size=8)
    saved = tmp_path / "net.ckpt"
    with refuses(CheckpointError, option="checkpoint", given=saved):
        train(folder, settings, rows=60, checkpoint=saved, resume=True)
    train(folder, settings, rows=60, checkpoint=saved)
    before = saved.read_bytes()
    with refuses(CheckpointError, option="iteration", given=10):
        train(folder, settings, rows=60, checkpoint=saved)
    assert saved.read_bytes() == before


@pytest.mark.nets
def test_an_interrupt_keeps_the_best_network_so_far(folder, monkeypatch):
    prepare_once(folder, monkeypatch)
    settings = TrainingSettings(hidden=(8,), steps=20, batch_size=8)
    stage = training._stage

    def interrupted_after(steps):
        def interrupt(state, *rest):
            if state.step == steps:
                raise KeyboardInterrupt
            return stage(state, *rest)

        monkeypatch.setattr(training, "_stage", interrupt)
        return train(folder, settings, rows=60)

    report = interrupted_after(10)
    assert (report.steps, report.stopped_by) == (10, "interrupted")
    assert report.best_step == min(report.losses, key=lambda point: point[2])[0]
    with pytest.raises(KeyboardInterrupt):
        interrupted_after(0)


@pytest.mark.nets
def test_rows_that_are_kept_keep_neither_boards_nor_shards(folder, monkeypatch):
    boards = []

    class Recorded(BoardHands):
        def __init__(self, cards):
            super().__init__(cards)
            boards.append(weakref.ref(self))

    monkeypatch.setattr(training, "BoardHands", Recorded)
    *_, reported = training._prepared(DatasetFolder.open(folder), None)
    assert len(boards) == 120
    assert not any(board() for board in boards)
    for row in reported.rows:
        assert all(array.base is None for array in row)


def test_a_file_without_what_its_kind_has_is_damaged(tmp_path):
    sizes = (num_inputs("river"), num_outputs("river"))
    fields: dict[str, Any] = {
        "networks": {"other": new_network(sizes, 0)},
        "features": "holdem-equity-grid/1",
        "game": "hold'em",
        "fingerprint": "",
        "unit": "pot",
        "made": {"street": "river"},
    }
    file = NetworkFile(**fields).save(tmp_path / "net.safetensors", HOLDEM_NETWORK)
    with refuses(FileFormatError, option="content"):
        load_holdem_values(file)
    file = NetworkFile(**fields).save(tmp_path / "net.ckpt", HOLDEM_CHECKPOINT)
    with refuses(CheckpointError, option="content"):
        training.HoldemCheckpoint.load(file)


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
