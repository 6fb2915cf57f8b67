"""Seconds to save and load blueprints and checkpoints, beside writing and reading as many bytes.

    python benchmarks/blueprint/files.py c.safetensors    # a minute; 169/200/200/200 buckets

Saving includes the atomic replacement of a file that is there. Loading a blueprint maps it and its
card buckets, builds the betting tree and checks the file against its checksums; loading a
checkpoint reads its arrays into a trainer that is there. The bounds are a file written and synced,
and read, in one piece. All files were written just before, so that they are read from the cache of
the operating system. The strategies are random numbers: what they are changes neither times nor
bytes.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.record import write_record

ROUNDS = 7
HANDS = {
    "20 bb, pot and all-in": {"stack": 20, "bets": "100%,a", "raises": "100%,a"},
    "100 bb, half pot, pot and all-in": {
        "stack": 100, "bets": "50%,100%,a", "raises": "50%,100%,a", "raise_cap": 1,
    },
}  # fmt: skip
COLUMNS = (
    "hand",
    "file",
    "bytes",
    "save, s",
    "plain write, s",
    "save / write",
    "load, s",
    "plain read, s",
)


def seconds(work: Callable[[], object]) -> float:
    """The seconds of a call."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def plain_write(path: Path, content: bytes) -> None:
    """Write and sync a file in one piece."""
    with path.open("wb") as file:
        file.write(content)
        os.fsync(file.fileno())


def row(
    labels: tuple[str, str],
    path: Path,
    save: Callable[[], object],
    load: Callable[[], object],
    raw: dict[str, Any],
) -> list[object]:
    """A row of the table: all four in turn, medians of the rounds."""
    save()
    load()
    content, plain = path.read_bytes(), path.with_suffix(".plain")
    writing = partial(plain_write, plain, content)
    writing()
    steps = {"save": save, "write": writing, "load": load, "read": plain.read_bytes}
    times: dict[str, list[float]] = {name: [] for name in steps}
    for _ in range(ROUNDS):
        for name, step in steps.items():
            times[name].append(seconds(step))
    raw[" ".join(labels)] = times
    ratio = statistics.median(a / b for a, b in zip(times["save"], times["write"], strict=True))
    middle = {name: statistics.median(found) for name, found in times.items()}
    plain.unlink()
    found: list[object] = [*labels, len(content), middle["save"], middle["write"], ratio]
    return [*found, middle["load"], middle["read"]]


def rows(name: str, keys: dict[str, Any], cards: Any, folder: Path, raw: dict[str, Any]) -> Any:
    """The blueprint and the checkpoints of both algorithms of a hand."""
    from equilibrist.poker import Hand
    from equilibrist.poker.blueprint.abstract_game import AbstractGame
    from equilibrist.poker.blueprint.policy import Blueprint
    from equilibrist.poker.blueprint.training.external import ExternalTrainer
    from equilibrist.poker.blueprint.training.run import Run, checkpoint_saver
    from equilibrist.poker.blueprint.training.trainer import Trainer
    from equilibrist.solvers.run.stopping import Stop
    from equilibrist.storage.atomic import OwnFile

    game, random = AbstractGame(Hand(**keys), cards.counts), np.random.default_rng(0)
    numbers = random.integers(0, 65_536, game.num_slots, np.uint16)
    path = folder / "b.safetensors"
    blueprint = Blueprint(game, cards, numbers)
    yield row(
        (name, "blueprint"),
        path,
        lambda: blueprint.save(path),
        lambda: Blueprint.load(path),
        raw,
    )
    for method, kind in (("vector", Trainer), ("external", ExternalTrainer)):
        trainer: Any = kind(game, cards, threads=1)
        for array in trainer.arrays().values():
            array[:] = random.random(len(array), np.float32)
        state = folder / f"{method}.ckpt"
        run = Run(trainer, method, Stop(1, None), None, OwnFile(state), 60.0)
        save = checkpoint_saver(run)
        assert save is not None
        yield row(
            (name, f"checkpoint, {method}"),
            state,
            partial(save, 1.0),
            partial(restore, trainer, state),
            raw,
        )


def restore(trainer: Any, path: Path) -> None:
    """Read a checkpoint into a trainer, as resuming does."""
    from equilibrist.poker.blueprint.training.run import TrainingCheckpoint

    saved = TrainingCheckpoint(path)
    trainer.restore(saved.header.state, saved.arrays())


def main() -> None:
    """Measure and write the record."""
    from equilibrist.poker import CardBuckets

    cards = CardBuckets.load(sys.argv[1])
    found, raw = [], {}
    with tempfile.TemporaryDirectory() as place:
        for number, (name, keys) in enumerate(HANDS.items()):
            folder = Path(place) / str(number)
            folder.mkdir()
            for each in rows(name, keys, cards, folder, raw):
                found.append(each)
                print(each, flush=True)
    write_record(
        "blueprint_files",
        "Seconds to save a file, to load a blueprint or to read a checkpoint, and to write and "
        f"sync, or read, as many bytes in one piece, with {'/'.join(map(str, cards.counts))} "
        f"buckets; medians of {ROUNDS} rounds in turn.",
        "python benchmarks/blueprint/files.py c.safetensors",
        COLUMNS,
        found,
        targets={"save, s": [10] * len(found), "load, s": [1] * len(found)},
        seconds=raw,
    )


if __name__ == "__main__":
    main()
