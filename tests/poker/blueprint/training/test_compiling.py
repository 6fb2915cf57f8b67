"""Kernels are compiled before the time of a training is counted."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from equilibrist import progress
from equilibrist.kernels.blueprint.blocks import walk_blocks
from equilibrist.kernels.blueprint.external import sample_deals
from equilibrist.kernels.blueprint.updates import update_nodes, update_small_nodes
from equilibrist.poker.blueprint.evaluation import exploiter
from equilibrist.poker.blueprint.evaluation.exploiter import exploit
from equilibrist.poker.blueprint.training import run
from equilibrist.poker.blueprint.training.compiling import compile_training
from equilibrist.poker.blueprint.training.train import train_blueprint
from equilibrist.solvers.run import loop

pytestmark = pytest.mark.slow

KERNELS: tuple[Any, ...] = (walk_blocks, update_nodes, update_small_nodes, sample_deals)


@pytest.mark.parametrize(
    ("algorithm", "storage"), [("vector", "float32"), ("vector", "int16"), ("external", "float32")]
)
def test_the_small_hand_compiles_all_that_a_training_calls(hand, cards, algorithm, storage):
    compile_training(hand, cards, algorithm, storage)
    before = [len(each.signatures) for each in KERNELS]
    train_blueprint(
        hand, cards, iterations=1, batch=8, algorithm=algorithm, storage=storage, threads=1
    )
    assert [len(each.signatures) for each in KERNELS] == before


def test_compiling_counts_against_the_limit_and_is_no_time_of_training(hand, cards, monkeypatch):
    """Seconds count from the call, as in all runs; those of the record are of training alone."""
    now = 0.0

    def compiled(*_args, **_options):
        nonlocal now
        now += 1000.0

    def clock():
        nonlocal now
        now += 0.05
        return now

    monkeypatch.setattr(run, "perf_counter", clock)
    monkeypatch.setattr(loop, "time", SimpleNamespace(perf_counter=clock))
    monkeypatch.setattr(progress, "perf_counter", clock)
    monkeypatch.setattr(run, "compile_training", compiled)
    trained = train_blueprint(hand, cards, seconds=5.0, batch=4, threads=1)
    assert (trained.record["iterations"], trained.record["stopped_by"]) == (1, "seconds")
    assert trained.record["seconds"] < 10


@pytest.mark.parametrize("seats", [2, 3])
def test_exploiters_are_compiled_before_they_are_trained(hand, cards, monkeypatch, seats):
    from equilibrist.poker.blueprint.evaluation.multiway import exploiter as multiway

    told = []
    module = exploiter if seats == 2 else multiway
    monkeypatch.setattr(module, "compile_training", lambda *_: told.append("compiled"))
    small = hand.replace(stacks=None, seats=seats, stack=2, ante=0)
    blueprint = train_blueprint(small, cards, iterations=1, batch=4, threads=1)
    exploit(
        blueprint, iterations=1, boards=4, threads=1, callbacks=lambda _: told.append("trained")
    )
    assert told[0] == "compiled"
    assert told.count("compiled") == 1
