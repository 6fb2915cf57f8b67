"""Datasets of hold'em values: equal rows however they are made, and what is refused."""

from __future__ import annotations

import json

import numpy as np
import pytest

from equilibrist.errors import BetSizeSyntaxError, ConfigError, FileFormatError, MismatchError
from equilibrist.learned.files import NetworkFile
from equilibrist.learned.holdem_values import HoldemValues, load_holdem_values
from equilibrist.learned.holdem_values import shard as shards
from equilibrist.learned.holdem_values.dataset import DatasetFolder, make_dataset
from equilibrist.learned.holdem_values.features import num_inputs, num_outputs
from equilibrist.learned.holdem_values.hand_grid import BoardHands
from equilibrist.learned.holdem_values.labels import Label
from equilibrist.learned.holdem_values.shard import DatasetPlan, make_shard
from equilibrist.learned.holdem_values.situations import random_situation
from equilibrist.learned.network import Network, num_weights
from equilibrist.poker.cards.cards import parse_board
from equilibrist.storage.archive import read_archive, write_archive
from equilibrist.storage.kinds.file_kinds import HOLDEM_NETWORK, HOLDEM_ROWS
from tests.refusals import refuses

RIVER = np.array([parse_board("QsJh7h3c2d")], np.int8)
PLAN = DatasetPlan("river", seed=3, solved_share=0.0, max_ratio=0.5, bets="a", raises="")


@pytest.fixture(autouse=True)
def _small_shards(monkeypatch):
    monkeypatch.setitem(shards.SHARD_ROWS, "river", 2)


def rows_of(folder):
    return [array for number in folder.shards() for array in folder.read(number)]


def equal(first, second):
    pairs = zip(rows_of(first), rows_of(second), strict=True)
    return all(np.array_equal(one, other) for one, other in pairs)


def test_rows_do_not_depend_on_threads_nor_on_a_kill(tmp_path):
    whole = make_dataset(tmp_path / "whole", PLAN, 5, threads=1)
    assert (whole.rows, whole.made, whole.stopped_by) == (5, 5, "spots")
    make_dataset(tmp_path / "threads", PLAN, 5, threads=3)

    def interrupt(progress):
        if progress.iteration:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make_dataset(tmp_path / "killed", PLAN, 3, threads=1, callbacks=interrupt)
    # A kill while a file is written leaves a part of it under another name.
    (tmp_path / "killed" / ".rows-000001.safetensors.partial").write_bytes(b"half")
    resumed = make_dataset(tmp_path / "killed", PLAN, 3, threads=2, resume=True)
    assert (resumed.rows, resumed.made) == (3, 1)
    grown = make_dataset(tmp_path / "killed", PLAN, 5, threads=1, resume=True)
    fewer = make_dataset(tmp_path / "killed", PLAN, 2, threads=1, resume=True)
    assert (fewer.rows, fewer.made, fewer.all_rows) == (2, 0, 5)
    assert (grown.rows, grown.made) == (5, 3)  # the last part, of one row, is made anew
    first = DatasetFolder.open(tmp_path / "whole")
    assert equal(first, DatasetFolder.open(tmp_path / "threads"))
    assert equal(first, DatasetFolder.open(tmp_path / "killed"))
    row = first.read(0).one(0)
    assert np.allclose(row.ranges.sum(axis=2), 1.0, atol=1e-5)
    assert abs((row.ranges * row.values).sum()) < 1e-5
    assert (row.gain <= 0.003).all()
    board = BoardHands(tuple(row.board[0].tolist()))
    assert np.allclose(row.ranges[:, ::-1] @ board.check_down.T, row.check_down, atol=1e-5)


@pytest.mark.slow
def test_a_ray_cluster_makes_the_same_rows(tmp_path, monkeypatch):
    monkeypatch.undo()  # workers have shards of the usual size
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    make_dataset(tmp_path / "here", PLAN, 3, threads=1)
    there = make_dataset(tmp_path / "there", PLAN, 3, threads=1, ray="local")
    assert (there.rows, there.stopped_by) == (3, "spots")
    folders = [DatasetFolder.open(tmp_path / name) for name in ("here", "there")]
    assert equal(*folders)


def test_a_dataset_ends_in_time_and_when_told_to(tmp_path):
    late = make_dataset(tmp_path / "late", PLAN, 4, threads=2, seconds=0.0)
    assert (late.rows, late.stopped_by) == (0, "seconds")
    told = make_dataset(
        tmp_path / "told", PLAN, 4, threads=1, callbacks=lambda progress: progress.iteration < 2
    )
    assert (told.rows, told.stopped_by) == (2, "callback")


def test_ranges_of_solved_play_are_mixed_in_by_their_share(monkeypatch):
    drawn = []

    def situations(street, generator, count):
        drawn.append(count)
        return [random_situation(street, generator, 0.5) for _ in range(count)]

    monkeypatch.setitem(shards.SHARD_ROWS, "river", 10)
    monkeypatch.setattr(shards, "solved_situations", situations)
    blank = Label(np.zeros((2, 1326)), np.zeros((2, 1326)), 0.0, 0)
    monkeypatch.setattr(shards, "label", lambda *_: blank)
    plan = DatasetPlan("river", solved_share=0.3, max_ratio=0.5)
    rows = make_shard(plan, 0, 10)
    assert rows is not None
    assert len(rows.pot) == 10
    assert drawn == [3]


def test_other_datasets_and_folders_are_refused(tmp_path):
    folder = tmp_path / "rows"
    make_dataset(folder, PLAN, 1, threads=1)
    with refuses(ConfigError, option="folder"):
        make_dataset(folder, PLAN, 1, threads=1)
    other = DatasetPlan("river", seed=4, solved_share=0.0, max_ratio=0.5, bets="a", raises="")
    with refuses(ConfigError, option="seed", given=4, expected=3):
        make_dataset(folder, other, 1, threads=1, resume=True)
    with refuses(FileFormatError, option="folder"):
        DatasetFolder.open(tmp_path)
    document = json.loads((folder / "dataset.json").read_text())
    (folder / "dataset.json").write_text(json.dumps(document | {"seed": 5}))
    with refuses(FileFormatError, option="plan"):
        DatasetFolder.open(folder).read(0)


def test_rows_from_before_a_key_of_the_plan_go_on(tmp_path):
    folder = tmp_path / "rows"
    make_dataset(folder, PLAN, 1, threads=1)
    old = DatasetFolder.open(folder)
    header, arrays = read_archive(folder / "rows-000000.safetensors", HOLDEM_ROWS)
    plan = {key: value for key, value in header["plan"].items() if key != "whole_streets"}
    write_archive(folder / "rows-000000.safetensors", HOLDEM_ROWS, header | {"plan": plan}, arrays)
    (folder / "dataset.json").write_text(
        json.dumps({"format": "equilibrist-holdem-dataset-1", **plan})
    )
    assert len(old.read(0).pot) == 1
    assert make_dataset(folder, PLAN, 1, threads=1, resume=True).made == 0


def test_a_damaged_shard_is_removed_and_made_again(tmp_path):
    folder = tmp_path / "rows"
    make_dataset(folder, PLAN, 1, threads=1)
    file = folder / "rows-000000.safetensors"
    whole = file.read_bytes()
    file.write_bytes(whole[:-9])
    with refuses(FileFormatError, path=file, remedy="remove it, and resume the dataset"):
        make_dataset(folder, PLAN, 1, threads=1, resume=True)
    file.unlink()
    assert make_dataset(folder, PLAN, 1, threads=1, resume=True).made == 1


@pytest.mark.parametrize(
    ("changes", "error", "option"),
    [
        ({"street": "flop"}, ConfigError, "street"),
        ({"target": "0.3"}, ConfigError, "target"),
        ({"solved_share": 1.5}, ConfigError, "solved_share"),
        ({"bets": "x"}, BetSizeSyntaxError, "bets"),
    ],
)
def test_plans_that_cannot_be_are_refused(changes, error, option):
    with refuses(error, option=option):
        DatasetPlan(**{"street": "river", **changes})


def network(street="river", seed=0):
    sizes = (num_inputs(street), 3, num_outputs(street))
    weights = np.random.default_rng(seed).normal(size=num_weights(sizes)) / 10
    return Network(sizes, weights.astype(np.float32))


def test_a_stored_network_values_all_hands_in_pots(tmp_path):
    values = HoldemValues("river", network(), {"losses": {"huber": 0.5}})
    loaded = load_holdem_values(values.save(tmp_path / "net.safetensors"))
    assert (loaded.street, loaded.unit, loaded.made["losses"]) == ("river", "pot", {"huber": 0.5})
    random = np.random.default_rng(1)
    ranges = random.random((3, 2, 1326)).astype(np.float32)
    boards = np.stack([RIVER[0], RIVER[0, ::-1], RIVER[0] // 4 * 4 + (RIVER[0] + 1) % 4])
    pot, stack = np.full(3, 100.0), np.full(3, 150.0)
    found = loaded(boards, pot, stack, ranges)
    assert np.array_equal(found, values(boards, pot, stack, ranges))
    hands = BoardHands(tuple(sorted(RIVER[0].tolist()))).hands
    assert not np.delete(found[0], hands, axis=1).any()
    held = ranges[0][:, hands] / ranges[0][:, hands].sum(axis=1, keepdims=True)
    assert abs((held * found[0][:, hands]).sum()) < 1e-5
    # Only the ratio of stack to pot and the shapes of ranges matter.
    again = loaded(boards[:1], pot[:1] * 7, stack[:1] * 7, ranges[:1] * 3)
    assert np.allclose(again, found[:1], atol=1e-6)
    nothing = loaded(boards[:1], pot[:1], stack[:1], ranges[:1] * 0)
    assert np.isfinite(nothing).all()


def test_networks_of_something_else_are_refused(tmp_path):
    loaded = HoldemValues("river", network(), {})
    ones = np.ones(1)
    with refuses(MismatchError, option="boards", given=4, expected=5):
        loaded(RIVER[:, :4], ones, ones, np.ones((1, 2, 1326)))
    with refuses(MismatchError, option="ranges", expected=(1, 2, 1326)):
        loaded(RIVER, ones, ones, np.ones((1, 2, 1081)))

    def stored(name, **changes):
        fields = {
            "networks": {"values": network()},
            "features": "holdem-equity-grid/1",
            "game": "hold'em",
            "fingerprint": "",
            "unit": "pot",
            "made": {"street": "river"},
        }
        return NetworkFile(**{**fields, **changes}).save(tmp_path / name, HOLDEM_NETWORK)

    with refuses(MismatchError, option="features", given="holdem-equity-grid/0"):
        load_holdem_values(stored("a", features="holdem-equity-grid/0"))
    with refuses(MismatchError, option="unit", given="chips", expected="pot"):
        load_holdem_values(stored("b", unit="chips"))
    with refuses(MismatchError, option="inputs", expected=num_inputs("turn")):
        load_holdem_values(stored("c", made={"street": "turn"}))
    with refuses(MismatchError, option="street", given="flop"):
        load_holdem_values(stored("d", made={"street": "flop"}))
    (tmp_path / "e").write_bytes(b"nothing")
    with refuses(FileFormatError):
        load_holdem_values(tmp_path / "e")
