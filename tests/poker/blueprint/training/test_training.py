"""Runs of a training: limits, checkpoints, files, and bad input."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from equilibrist.errors import (
    CheckpointError,
    ConfigError,
    FileFormatError,
    MemoryBudgetError,
    OutputError,
    UnsupportedError,
)
from equilibrist.library.listing import entry_of
from equilibrist.poker import Hand, build_card_buckets
from equilibrist.poker.blueprint import policy
from equilibrist.poker.blueprint.abstract_game import AbstractGame, abstract_size
from equilibrist.poker.blueprint.policy import Blueprint
from equilibrist.poker.blueprint.training import train
from equilibrist.poker.blueprint.training.rounds import Workers
from equilibrist.poker.blueprint.training.run import check_new
from equilibrist.poker.blueprint.training.train import resume_blueprint, train_blueprint
from equilibrist.poker.blueprint.training.trainer import BATCH, LINEAR, Trainer, training_bytes
from equilibrist.poker.hands.state import DECISION
from equilibrist.solvers.run.stopping import Stop
from equilibrist.storage.archive import write_archive
from equilibrist.storage.kinds.file_kinds import BLUEPRINT, BLUEPRINT_CHECKPOINT
from equilibrist.storage.mapped_archive import MappedArchive
from tests.refusals import refuses


@pytest.fixture(scope="module")
def trained(hand, cards):
    return train_blueprint(hand, cards, iterations=4, batch=8, seed=5, threads=2)


def strategy_of(blueprint):
    tree = blueprint.tree
    nodes = np.flatnonzero(tree.kind == DECISION)
    return np.concatenate([blueprint.bucket_probabilities(node).ravel() for node in nodes])


def test_paused_run_ends_with_the_same_bits(hand, cards, trained, tmp_path):
    file = tmp_path / "b.ckpt"
    part = train_blueprint(hand, cards, iterations=1, batch=8, seed=5, checkpoint=file)
    assert (strategy_of(part) != strategy_of(trained)).any()
    resume_blueprint(file, iterations=3, threads=1)
    whole = resume_blueprint(file, iterations=4)
    np.testing.assert_array_equal(strategy_of(whole), strategy_of(trained))
    for key in ("value_mbb", "average_regret_mbb", "boards", "iterations"):
        assert whole.record[key] == trained.record[key]


def test_paused_run_in_16_bits_ends_with_the_same_bits(hand, cards, trained, tmp_path):
    file = tmp_path / "b.ckpt"
    given: dict[str, Any] = {"batch": 8, "seed": 5, "storage": "int16"}
    train_blueprint(hand, cards, iterations=2, checkpoint=file, **given)
    assert {
        array.dtype for array in map(MappedArchive(file, BLUEPRINT_CHECKPOINT).read, ("regret",))
    } == {np.dtype(np.int16)}
    whole = resume_blueprint(file, iterations=4, threads=1)
    straight = train_blueprint(hand, cards, iterations=4, threads=2, **given)
    np.testing.assert_array_equal(strategy_of(whole), strategy_of(straight))
    assert whole.record["storage"] == "int16"
    assert whole.record["average_regret_mbb"] == straight.record["average_regret_mbb"]
    other = strategy_of(trained)
    assert np.abs(strategy_of(whole) - other).max() > 0
    assert np.abs(strategy_of(whole) - other).mean() < 1e-3


def test_checkpoints_are_written_while_the_run_goes_on(hand, cards, tmp_path):
    file = tmp_path / "b.ckpt"
    seen = []

    class KilledError(Exception):
        pass

    def told(progress):
        seen.append(progress)
        if MappedArchive(file, BLUEPRINT_CHECKPOINT).header["state"]["iteration"]:
            raise KilledError

    with pytest.raises(KilledError):
        train_blueprint(
            hand, cards, seconds=60, batch=8, seed=5, checkpoint=file, checkpoint_every=0.0,
            callbacks=told,
        )  # fmt: skip
    done = seen[-1].iteration
    again = resume_blueprint(file, iterations=done + 1)
    straight = train_blueprint(hand, cards, iterations=done + 1, batch=8, seed=5)
    np.testing.assert_array_equal(strategy_of(again), strategy_of(straight))


def test_evaluations_in_between(hand, cards):
    class Figure:
        def __init__(self, blueprint):
            self.iterations = blueprint.record["iterations"]

        def to_dict(self):
            return {"iterations": self.iterations}

    told: list[Any] = []
    found = train_blueprint(
        hand, cards, iterations=8, batch=8, seed=5, evaluate=Figure, evaluate_every=1e-6,
        callbacks=told.append,
    )  # fmt: skip
    assert found.record["evaluated"] == {"iterations": 8}
    assert told[0].evaluated is None
    plain = train_blueprint(hand, cards, iterations=8, batch=8, seed=5)
    np.testing.assert_array_equal(strategy_of(found), strategy_of(plain))


def test_file_has_the_strategy_to_16_bits(trained, cards, tmp_path):
    trained.save(tmp_path / "b.safetensors")
    found = Blueprint.load(tmp_path / "b.safetensors")
    np.testing.assert_array_equal(strategy_of(found), strategy_of(trained))
    assert found.record == trained.record
    assert found.hand == trained.hand
    board = (32, 37, 42, 47, 49)
    for node in (0, *np.flatnonzero(found.tree.kind == DECISION)[-3:]):
        chances = found.probabilities(node, board)
        by_bucket = found.bucket_probabilities(node)
        street = found.tree.street[node]
        row = cards.row(board[: (0, 3, 4, 5)[street]])
        dealt = row < cards.counts[street]
        assert dealt.any()
        np.testing.assert_array_equal(chances[:, dealt], by_bucket[:, row[dealt]])
        np.testing.assert_allclose(chances[:, dealt].sum(axis=0), 1, atol=1e-6)
        assert not chances[:, ~dealt].any()


def test_large_files_are_checked_where_they_are_used(trained, tmp_path, monkeypatch):
    file = tmp_path / "b.safetensors"
    trained.save(file)
    whole = file.read_bytes()
    file.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    with pytest.raises(FileFormatError) as error:
        Blueprint.load(file)
    assert error.value.option == "checksum"
    monkeypatch.setattr(policy, "_CHECKED", 0)
    found = Blueprint.load(file)
    for use in (
        lambda: found.bucket_probabilities(0),
        lambda: found.stored,
        lambda: found.save(tmp_path / "c"),
    ):
        with pytest.raises(FileFormatError) as error:
            use()
        assert error.value.option == "checksum"
    for damaged in (whole[:-1], whole[:60] + bytes([whole[60] ^ 1]) + whole[61:]):
        file.write_bytes(damaged)
        with pytest.raises(FileFormatError):
            Blueprint.load(file)


def test_files_whose_hand_is_a_text_are_read(hand, trained, tmp_path):
    """Earlier files have the text of a hand file."""
    file = tmp_path / "b.safetensors"
    trained.save(file)
    archive = MappedArchive(file, BLUEPRINT)
    arrays = {name: archive.read(name) for name in archive.shapes()}
    header = {**archive.header, "hand": hand.to_toml()}
    write_archive(file, BLUEPRINT, header, arrays, in_parts=True)
    assert Blueprint.load(file).hand == hand
    assert entry_of("b", file).game == "blueprint, stacks 6/5"


def test_other_card_buckets_are_refused(trained, tmp_path):
    file = tmp_path / "b.safetensors"
    trained.save(file)
    other = build_card_buckets(
        "all/20/20/10", tmp_path / "other.safetensors", lowest_rank=8, seed=9, restarts=1,
        passes=5, sample=2000, threads=1,
    )  # fmt: skip
    with pytest.raises(FileFormatError) as error:
        Blueprint.load(file, other)
    assert error.value.option == "cards"
    assert error.value.given == other.hash
    assert error.value.expected == trained.cards.hash


@pytest.mark.parametrize(
    ("change", "option", "kind"),
    [
        ({"seats": 3, "algorithm": "vector"}, "seats", UnsupportedError),
        ({"hole_cards": 1}, "hole_cards", UnsupportedError),
        ({"deck": "9"}, "cards", ConfigError),
    ],
)
def test_hands_that_do_not_fit(hand, cards, change, option, kind):
    keys = {"stacks": None, "stack": 5, **change}
    algorithm = keys.pop("algorithm", None)
    other = hand.replace(**keys)
    with pytest.raises(kind) as error:
        train_blueprint(other, cards, iterations=1, algorithm=algorithm)
    assert error.value.option == option
    assert error.value.remedy


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        ({}, "seconds"),
        ({"iterations": 0}, "iterations"),
        ({"seconds": -1.0}, "seconds"),
        ({"iterations": 1, "batch": 0}, "batch"),
        ({"iterations": 1, "algorithm": "outcome"}, "algorithm"),
        ({"iterations": 1, "algorithm": "external", "discount": LINEAR}, "discount"),
        ({"iterations": 1, "algorithm": "external", "workers": Workers(2)}, "workers"),
        ({"iterations": 1, "algorithm": "external", "storage": "int16"}, "storage"),
        ({"iterations": 1, "workers": Workers(2), "storage": "int16"}, "storage"),
        ({"iterations": 1, "storage": "int8"}, "storage"),
        ({"iterations": 1, "evaluate_every": 1.0}, "evaluate_every"),
    ],
)
def test_arguments_out_of_range(hand, cards, arguments, option):
    with pytest.raises(ConfigError) as error:
        train_blueprint(hand, cards, **arguments)
    assert error.value.option == option


def test_memory_budget_is_checked_first(cards):
    large = Hand(stack=100, bets="25%,50%,a", raises="50%,100%,a", raise_cap=3, deck="T")
    with pytest.raises(MemoryBudgetError) as error:
        train_blueprint(large, cards, iterations=1, memory=1_000_000)
    assert error.value.option == "memory"


def test_memory_of_a_training_is_what_was_said(hand, cards):
    game = AbstractGame(hand, cards.counts)
    size = abstract_size(hand, cards.counts)
    taken = []
    for storage in ("float32", "int16"):
        trainer = Trainer(game, cards, storage=storage)
        taken.append(training_bytes(size, BATCH, storage))
        assert trainer.memory_bytes + size.tree.num_bytes == taken[-1]
    assert taken[0] - taken[1] == 4 * game.num_slots - 8 * game.tree.num_nodes
    with pytest.raises(MemoryBudgetError):
        train_blueprint(hand, cards, iterations=1, memory=taken[1])
    train_blueprint(hand, cards, iterations=1, memory=taken[1], storage="int16")


@pytest.mark.parametrize("storage", ["float32", "int16"])
def test_numbers_that_are_not_finite_are_never_saved(hand, cards, tmp_path, storage, monkeypatch):
    def spoiled(trainer, each):
        iterate(trainer, each)
        trainer.regret[3] = np.inf if storage == "float32" else 1
        trainer._scale[:, :1] = np.nan

    iterate = Trainer._iterate
    monkeypatch.setattr(Trainer, "_iterate", spoiled)
    file = tmp_path / "b.ckpt"
    with pytest.raises(ConfigError) as error:
        train_blueprint(hand, cards, iterations=2, checkpoint=file, storage=storage)
    assert error.value.option == "discount"
    assert MappedArchive(file, BLUEPRINT_CHECKPOINT).header["state"]["iteration"] == 0


def test_checkpoints_of_unknown_storage_are_damaged(hand, cards, tmp_path, monkeypatch):
    file = tmp_path / "b.ckpt"
    train_blueprint(hand, cards, iterations=1, batch=4, checkpoint=file)
    archive = MappedArchive(file, BLUEPRINT_CHECKPOINT)
    header = {**archive.header, "options": {**archive.header["options"], "storage": "int8"}}
    arrays = {name: archive.read(name) for name in archive.shapes()}
    write_archive(file, BLUEPRINT_CHECKPOINT, header, arrays, in_parts=True)
    with pytest.raises(CheckpointError):
        resume_blueprint(file, iterations=2)
    del header["options"]["storage"]  # as earlier checkpoints are
    write_archive(file, BLUEPRINT_CHECKPOINT, header, arrays, in_parts=True)
    found = resume_blueprint(file, iterations=2)
    straight = train_blueprint(hand, cards, iterations=2, batch=4)
    np.testing.assert_array_equal(strategy_of(found), strategy_of(straight))


def test_checkpoint_of_another_run_stays(hand, cards, tmp_path):
    file = tmp_path / "b.ckpt"
    train_blueprint(hand, cards, iterations=1, batch=4, checkpoint=file)
    before = file.read_bytes()
    with pytest.raises(CheckpointError) as error:
        train_blueprint(hand, cards, iterations=1, batch=4, checkpoint=file)
    assert error.value.option == "checkpoint"
    assert file.read_bytes() == before
    with pytest.raises(CheckpointError):
        resume_blueprint(tmp_path / "none.ckpt", iterations=1)


@pytest.mark.parametrize("algorithm", ["vector", "external"])
def test_another_run_with_the_checkpoint_is_refused_at_its_start(hand, cards, tmp_path, algorithm):
    file, given = tmp_path / "b.ckpt", {"algorithm": algorithm, "batch": 8, "seed": 5}

    def told(progress):
        with pytest.raises(CheckpointError) as error:
            train_blueprint(hand, cards, iterations=1, checkpoint=file, **given)
        assert error.value.option == "checkpoint"
        assert MappedArchive(file, BLUEPRINT_CHECKPOINT).header["state"]["iteration"] == 0
        raise KeyboardInterrupt

    train_blueprint(hand, cards, iterations=2, checkpoint=file, threads=1, **given, callbacks=told)
    again = resume_blueprint(file, iterations=2, threads=1)
    straight = train_blueprint(hand, cards, iterations=2, threads=1, **given)
    np.testing.assert_array_equal(strategy_of(again), strategy_of(straight))


def test_a_checkpoint_in_the_home_folder_is_not_overwritten(hand, cards, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    train_blueprint(hand, cards, iterations=1, batch=8, checkpoint="~/b.ckpt")
    before = (tmp_path / "b.ckpt").read_bytes()
    with refuses(CheckpointError, option="checkpoint"):
        train_blueprint(hand, cards, iterations=1, batch=8, checkpoint="~/b.ckpt")
    assert (tmp_path / "b.ckpt").read_bytes() == before


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("hand", None),
        ("memory", "1GB"),
        ("discount", 5),
        ("workers", 3),
        ("checkpoint", 5),
        ("checkpoint_every", "often"),
        ("checkpoint_every", -5),
        ("evaluate", 5),
    ],
)
def test_an_option_of_another_type_is_named(hand, cards, option, value):
    options = {"hand": hand, "cards": cards, "iterations": 1, option: value}
    with refuses(ConfigError, option=option, given=value):
        train_blueprint(**options)


def test_an_evaluation_may_return_anything(hand, cards):
    told: list[Any] = []
    options: dict[str, Any] = {"iterations": 3, "batch": 8, "callbacks": told.append}
    done = train_blueprint(hand, cards, evaluate=lambda _: 7, evaluate_every=1e-9, **options)
    assert done.record["iterations"] == 3
    assert "evaluated" not in done.record


def test_of_two_runs_that_begin_together_one_ends_at_once(hand, cards, tmp_path, monkeypatch):
    file = tmp_path / "b.ckpt"

    def check(path):
        check_new(path)
        monkeypatch.setattr(train, "check_new", check_new)
        train_blueprint(hand, cards, iterations=1, batch=8, checkpoint=file)

    monkeypatch.setattr(train, "check_new", check)
    told: list[Any] = []
    with pytest.raises(OutputError) as error:
        train_blueprint(hand, cards, iterations=1, batch=8, checkpoint=file, callbacks=told.append)
    assert error.value.option == "checkpoint"
    assert not told


def test_a_run_past_its_limits(hand, cards, tmp_path):
    """A run that ended at its iterations has them once more; its seconds begin anew."""
    file = tmp_path / "b.ckpt"
    # No iteration is as short as this, and one is made all the same, as by the solvers of games.
    ended = train_blueprint(hand, cards, seconds=1e-9, batch=8, seed=5, checkpoint=file)
    assert ended.record["iterations"] == 1
    told: list[Any] = []
    again = resume_blueprint(file, iterations=1, callbacks=told.append)
    np.testing.assert_array_equal(strategy_of(again), strategy_of(ended))
    assert not told
    assert resume_blueprint(file, stop=Stop(seconds=1e-9)).record["iterations"] == 2
    with pytest.raises(CheckpointError) as error:
        resume_blueprint(file, iterations=1)
    assert (error.value.option, error.value.given) == ("iterations", 1)
