"""A training that is killed goes on from its checkpoint with the bits of one that was not."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import Any

import numpy as np
import pytest

from equilibrist.poker import Hand
from equilibrist.poker.blueprint.training.train import resume_blueprint, train_blueprint
from equilibrist.storage.kinds.file_kinds import BLUEPRINT_CHECKPOINT
from equilibrist.storage.mapped_archive import MappedArchive

HAND: dict[str, Any] = {"stack": 4, "bets": "a", "raises": "a", "deck": "T"}
SCRIPT = """
import sys
from equilibrist.poker.blueprint import train_blueprint
from equilibrist.poker import Hand

train_blueprint(
    Hand(**{hand!r}), {cards!r}, algorithm={algorithm!r}, batch={batch}, seconds=300, seed=4,
    threads=1, checkpoint={file!r}, checkpoint_every=0.0,
)
"""


def done(file):
    """The iterations of a checkpoint; 0 where there is none."""
    return (
        MappedArchive(file, BLUEPRINT_CHECKPOINT).header["state"]["iteration"]
        if file.exists()
        else 0
    )


@pytest.mark.slow
@pytest.mark.parametrize(("algorithm", "batch"), [("vector", 12), ("external", 500)])
def test_killed_run_goes_on_with_the_same_bits(cards, tmp_path, algorithm, batch):
    file = tmp_path / "b.ckpt"
    script = SCRIPT.format(
        hand=HAND, cards=str(cards.path), algorithm=algorithm, batch=batch, file=str(file)
    )
    run = subprocess.Popen([sys.executable, "-c", script])
    try:
        deadline = time.monotonic() + 50
        while done(file) < 3:
            assert run.poll() is None, "the run ended by itself"
            assert time.monotonic() < deadline, "no checkpoint"
            time.sleep(0.02)
    finally:
        os.kill(run.pid, signal.SIGKILL)
        run.wait()
    iterations = done(file) + 2
    found = resume_blueprint(file, iterations=iterations, threads=1)
    straight = train_blueprint(
        Hand(**HAND), cards, algorithm=algorithm, batch=batch, iterations=iterations, seed=4,
        threads=1,
    )  # fmt: skip
    assert found.record["iterations"] == iterations
    for node in np.flatnonzero(found.tree.kind == 0):
        np.testing.assert_array_equal(
            found.bucket_probabilities(int(node)), straight.bucket_probabilities(int(node))
        )
