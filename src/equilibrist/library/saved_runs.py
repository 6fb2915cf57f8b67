"""What the checkpoint of a run says of it, and the command that resumes it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from shlex import join
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from equilibrist.errors import FileFormatError
from equilibrist.storage.archive import header_of, kind_of, open_archive
from equilibrist.storage.kinds.file_kinds import (
    BLUEPRINT_CHECKPOINT,
    CHECKPOINT,
    PREFLOP_CHECKPOINT,
    SAMPLED_CHECKPOINT,
    SPOT_CHECKPOINT,
    TRAINING_CHECKPOINT,
    TREELESS_CHECKPOINT,
    VALUE_CHECKPOINT,
)

if TYPE_CHECKING:
    from equilibrist.solvers.run.checkpoint import SavedGameRun
    from equilibrist.solvers.run.saved_run import SavedRun


def run_facts(path: Path) -> dict[str, Any]:
    """Describe the run of a checkpoint, for people and as a document; values may be None.

    The whole file is read, so that a damaged one is refused: raises CheckpointError.
    """
    kind = str(kind_of(path))
    return {"file": str(path), "kind": kind, **_FACTS[kind](path)}


def how_to_resume(path: Path) -> str:
    """The command that resumes a run of a game, with the options that it needs."""
    kind = str(kind_of(path))
    identity, loaded_from, changes, limits = _identity(path, kind)
    game, algorithm = identity.get("game", "GAME"), identity.get("algorithm", "ALGORITHM")
    if loaded_from is not None:  # the game's own name may load nothing, or other rules
        game = loaded_from
    trains = kind == TRAINING_CHECKPOINT
    words = ["equilibrist", "train" if trains else "solve", str(game)]
    words += ["--algorithm", str(algorithm)]
    sampler = None if trains else identity.get("sampler")
    merges = identity.get("threads") and not identity.get("shared")
    named = ["sampler", "averaging", "averaging_every"] if sampler else []
    if sampler and (merges or algorithm != "cfr"):  # else there is nothing that it would time
        named.append("period")
    for name in (*named, "seed", "threads"):
        if identity.get(name):
            words += [f"--{name.replace('_', '-')}", str(identity[name])]
    for name, value in changes.items():
        words += [f"--{name.replace('_', '-')}", str(value)]
    words += ["--shared-table"] if identity.get("shared") else []
    words += ["--simultaneous"] if identity.get("alternating") is False and not sampler else []
    trembles = str(identity.get("mixed") or "").partition("tremble=")[2]
    words += ["--tremble", trembles] if trembles else []
    words += ["--prune", str(identity["pruned"])] if identity.get("pruned") else []
    words += ["--iterations", str(identity["horizon"])] if identity.get("horizon") else []
    for name, value in limits.items():
        words += [f"--{name.replace('_', '-')}", str(value)]
    words += ["--time", "60"] if kind == TREELESS_CHECKPOINT else []  # it has no default limit
    return join([*words, "--resume", str(path)])


def _solve_on(path: Path) -> str:
    return f"resume it to get a solution: `{how_to_resume(path)}`"


def _train_to_the_end(path: Path) -> str:
    return f"use `{_train_on(path)} --out OUT`"


def _train_on(path: Path) -> str:
    """The command that resumes the training of a blueprint, for ten minutes more."""
    return join(["equilibrist", "blueprint", "train", "--resume", str(path), "--time", "10m"])


class _Identity(NamedTuple):
    """Fields of the header of a run of a game."""

    fingerprint: dict[str, Any]
    loaded_from: str | None
    """The text that loaded the game."""
    changes: dict[str, Any]
    """Options that merge infosets of the game, leave out actions or cut paths."""
    limits: dict[str, Any]
    """Limits on the size of the tree."""


def _identity(path: Path, kind: str) -> _Identity:
    metadata, _ = open_archive(path, kind)
    header = header_of(path, metadata)
    problem, options = header.get("problem"), header.get("options")
    identity = options.get("identity") if isinstance(options, dict) else None
    if not isinstance(identity, dict):
        raise FileFormatError(f"{path} does not say of what run it is", path, option="identity")
    stored = problem if isinstance(problem, dict) else {}
    loaded_from, changes = stored.get("loaded_from"), stored.get("changes")
    limits = header.get("limits")
    return _Identity(
        identity,
        loaded_from if isinstance(loaded_from, str) else None,
        changes if isinstance(changes, dict) else {},
        limits if isinstance(limits, dict) else {},
    )


def _of_tree(path: Path) -> dict[str, Any]:
    from equilibrist.solvers.run.checkpoint import Checkpoint

    return _of_game(Checkpoint(path))


def _of_training(path: Path) -> dict[str, Any]:
    from equilibrist.learned.solver import losses_of
    from equilibrist.solvers.run.checkpoint import TrainingCheckpoint

    saved = TrainingCheckpoint(path)
    losses = losses_of(saved.state.kept)
    return {
        **_of_game(saved),
        "losses": {name.replace(".", " "): loss for name, loss in losses.items()},
    }


def _of_values(path: Path) -> dict[str, Any]:
    from equilibrist.learned.values.training import ValueCheckpoint

    saved = ValueCheckpoint(path)
    return {
        "game": saved.game,
        "algorithm": f"values, targets {saved.header.options.get('targets')}",
        "seed": saved.header.options.get("seed"),
        **_progress(saved),
        "features": saved.header.problem.features,
        "losses": saved.header.losses,
        "versions": saved.versions,
        "resume": join(["equilibrist", "train-values", "--resume", str(path)]),
    }


def _without_tree(path: Path) -> dict[str, Any]:
    from equilibrist.solvers.implicit.checkpoint import ImplicitCheckpoint

    return _of_game(ImplicitCheckpoint(path))


def _progress(saved: SavedRun[Any]) -> dict[str, Any]:
    """How far a run of any kind is."""
    last = saved.trace[-1] if saved.trace else None
    return {
        "iteration": saved.iteration,
        "seconds": saved.seconds,
        "measure": None if last is None else last.measure,
        "measured_at": None if last is None else last.iteration,
    }


def _of_game(saved: SavedGameRun[Any]) -> dict[str, Any]:
    identity = saved.identity
    return {
        "game": identity.game,
        "algorithm": identity.algorithm,
        "sampler": identity.sampler,
        "seed": identity.seed,
        **_progress(saved),
        "versions": saved.versions,
        "resume": how_to_resume(saved.path),
    }


def _of_spot(path: Path) -> dict[str, Any]:
    from equilibrist.poker.postflop.solving.checkpoint import SpotCheckpoint
    from equilibrist.poker.postflop.spot.spot import game_name

    saved = SpotCheckpoint(path)
    return {
        "game": game_name(saved.spot),
        "algorithm": saved.algorithm,
        "storage": saved.storage,
        **_progress(saved),
        "spot": saved.spot.to_toml(),
        "resume": join(["equilibrist", "postflop", "solve", "--resume", str(path)]),
    }


def _of_hand(path: Path) -> dict[str, Any]:
    from equilibrist.poker.preflop.exact.checkpoint import HandCheckpoint

    saved = HandCheckpoint(path)
    return {
        "game": saved.game.name,
        "algorithm": saved.algorithm,
        **_progress(saved),
        "spot": saved.hand.to_toml(),
        "resume": join(["equilibrist", "preflop", "solve", "--resume", str(path)]),
    }


def _of_sampled(path: Path) -> dict[str, Any]:
    from equilibrist.poker.preflop.sampled_run import SampledCheckpoint

    saved = SampledCheckpoint(path)
    command, keys = next(iter(saved.problems.items()))
    options = ", ".join(f"{key} {value}" for key, value in keys.items() if value)
    return {
        "game": f"{command}: {options}",
        "algorithm": f"CFR, {saved.deals:,} sampled deals",
        "seed": saved.seed,
        **_progress(saved),
        "versions": saved.versions,
        "resume": join(["equilibrist", "preflop", command, "--resume", str(path)]),
    }


def _of_blueprint(path: Path) -> dict[str, Any]:
    from equilibrist.poker.blueprint.training.run import TrainingCheckpoint
    from equilibrist.poker.blueprint.training.train import EXTERNAL
    from equilibrist.storage.damage import reading_checkpoint

    saved = TrainingCheckpoint(path)
    options, state = saved.header.options, saved.header.state
    with reading_checkpoint(path):
        saved.archive.check()
        return {
            "game": saved.hand.name,
            "algorithm": saved.algorithm,
            "seed": int(options["seed"]),
            **_progress(saved),
            "storage": str(options.get("storage", "float32")),
            "drawn": "deals" if saved.algorithm == EXTERNAL else "boards",
            "boards": int(state["boards"]),
            "cards": saved.header.problem.cards,
            "versions": saved.versions,
            "spot": saved.hand.to_toml(),
            "resume": _train_on(path),
        }


_FACTS: Final[dict[str, Callable[[Path], dict[str, Any]]]] = {
    CHECKPOINT: _of_tree,
    TRAINING_CHECKPOINT: _of_training,
    TREELESS_CHECKPOINT: _without_tree,
    SPOT_CHECKPOINT: _of_spot,
    PREFLOP_CHECKPOINT: _of_hand,
    SAMPLED_CHECKPOINT: _of_sampled,
    BLUEPRINT_CHECKPOINT: _of_blueprint,
    VALUE_CHECKPOINT: _of_values,
}
"""What reads the facts of a run, by the kind of its checkpoint."""
FINISHING: Final[dict[str, Callable[[Path], str]]] = {
    CHECKPOINT: _solve_on,
    TRAINING_CHECKPOINT: _solve_on,
    TREELESS_CHECKPOINT: _solve_on,
    BLUEPRINT_CHECKPOINT: _train_to_the_end,
}
"""What makes a solution of a checkpoint, where the command takes options from the file."""
