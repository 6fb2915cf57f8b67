"""What the checkpoint of a run says of it, and the command that resumes it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from shlex import join
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from equilibrist.errors import FileFormatError
from equilibrist.library.sources import has_rules
from equilibrist.storage.archive import header_of, kind_of, open_archive
from equilibrist.storage.kinds.file_kinds import (
    BLUEPRINT_CHECKPOINT,
    CHECKPOINT,
    PREFLOP_CHECKPOINT,
    SAMPLED_CHECKPOINT,
    SPOT_CHECKPOINT,
    TREELESS_CHECKPOINT,
)

if TYPE_CHECKING:
    from equilibrist.solvers.implicit.checkpoint import ImplicitCheckpoint
    from equilibrist.solvers.run.checkpoint import Checkpoint
    from equilibrist.solvers.run.trace import TracePoint

_MORE_MINUTES: Final = 10
"""For which the command to resume the training of a blueprint goes on."""


def run_facts(path: Path) -> dict[str, Any]:
    """Describe the run of a checkpoint, for people and as a document; values may be None.

    The whole file is read, so that a damaged one is refused: raises CheckpointError.
    """
    kind = str(kind_of(path))
    return {"file": str(path), "kind": kind, **_FACTS[kind](path)}


def how_to_resume(path: Path) -> str:
    """The command that resumes a run of a game, with the options that it needs."""
    kind = str(kind_of(path))
    identity, loaded_from, changes = _identity(path, kind)
    game, algorithm = identity.get("game", "GAME"), identity.get("algorithm", "ALGORITHM")
    if not has_rules(str(game)) and loaded_from is not None:
        game = loaded_from
    words = ["equilibrist", "solve", str(game), "--algorithm", str(algorithm)]
    sampler = identity.get("sampler")
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
    words += ["--time", "60"] if kind == TREELESS_CHECKPOINT else []  # it has no default limit
    return join([*words, "--resume", str(path)])


def _solve_on(path: Path) -> str:
    return f"resume it to get a solution: `{how_to_resume(path)}`"


def _train_to_the_end(path: Path) -> str:
    metadata, _ = open_archive(path, BLUEPRINT_CHECKPOINT)
    command = _train_on(path, header_of(path, metadata).get("seconds"))
    return f"use `{command} --out OUT`"


def _train_on(path: Path, seconds: Any) -> str:
    """The command that resumes the training of a blueprint, for ten minutes more."""
    done = int(seconds // 60) if isinstance(seconds, (int, float)) else 0
    limit = f"{done + _MORE_MINUTES}m"  # it includes the time before
    return join(["equilibrist", "blueprint", "train", "--resume", str(path), "--time", limit])


class _Identity(NamedTuple):
    """Fields of the header of a run of a game."""

    fingerprint: dict[str, Any]
    loaded_from: str | None
    """The text that loaded the game."""
    changes: dict[str, Any]
    """Options that merge infosets of the game, leave out actions or cut paths."""


def _identity(path: Path, kind: str) -> _Identity:
    metadata, _ = open_archive(path, kind)
    header = header_of(path, metadata)
    problem, options = header.get("problem"), header.get("options")
    identity = options.get("identity") if isinstance(options, dict) else None
    if not isinstance(identity, dict):
        raise FileFormatError(f"{path} does not say of what run it is", path, option="identity")
    known = problem if isinstance(problem, dict) else {}
    loaded_from, changes = known.get("loaded_from"), known.get("changes")
    return _Identity(
        identity,
        loaded_from if isinstance(loaded_from, str) else None,
        changes if isinstance(changes, dict) else {},
    )


def _of_tree(path: Path) -> dict[str, Any]:
    from equilibrist.solvers.run.checkpoint import load_checkpoint

    saved = load_checkpoint(path)
    return _of_game(path, saved, saved.trace[-1] if saved.trace else None)


def _without_tree(path: Path) -> dict[str, Any]:
    from equilibrist.solvers.implicit.checkpoint import load

    return _of_game(path, load(path), None)


def _of_game(
    path: Path, saved: Checkpoint | ImplicitCheckpoint, last: TracePoint | None
) -> dict[str, Any]:
    identity = saved.identity
    return {
        "game": identity.game,
        "algorithm": identity.algorithm,
        "sampler": identity.sampler,
        "seed": identity.seed,
        "iteration": saved.iteration,
        "seconds": saved.seconds,
        "measure": None if last is None else last.measure,
        "measured_at": None if last is None else last.iteration,
        "versions": saved.versions,
        "resume": how_to_resume(path),
    }


def _of_spot(path: Path) -> dict[str, Any]:
    from equilibrist.poker.postflop.solving.checkpoint import read_checkpoint
    from equilibrist.poker.postflop.spot.spot import game_name

    saved = read_checkpoint(path)
    spot, last = saved.spot, saved.trace[-1] if saved.trace else None
    return {
        "game": game_name(spot),
        "algorithm": saved.variant,
        "storage": saved.storage,
        "iteration": saved.iteration,
        "seconds": saved.seconds,
        "measure": None if last is None else last.measure,
        "measured_at": None if last is None else last.iteration,
        "spot": spot.to_toml(),
        "resume": join(["equilibrist", "postflop", "solve", "--resume", str(path)]),
    }


def _of_hand(path: Path) -> dict[str, Any]:
    from equilibrist.poker.preflop.exact.files import Checkpoint

    saved = Checkpoint(path)
    last = saved.trace[-1] if saved.trace else None
    return {
        "game": saved.game.name,
        "algorithm": saved.algorithm,
        "iteration": saved.iteration,
        "seconds": saved.seconds,
        "measure": None if last is None else last.measure,
        "measured_at": None if last is None else last.iteration,
        "spot": saved.hand.to_toml(),
        "resume": join(["equilibrist", "preflop", "solve", "--resume", str(path)]),
    }


def _of_sampled(path: Path) -> dict[str, Any]:
    from equilibrist.poker.preflop.sampled_run import SavedRun

    saved = SavedRun(path)
    command, keys = next(iter(saved.game.items()))
    options = ", ".join(f"{key} {value}" for key, value in keys.items() if value)
    return {
        "game": f"{command}: {options}",
        "algorithm": f"CFR, {saved.deals:,} sampled deals",
        "seed": saved.seed,
        "iteration": saved.iteration,
        "seconds": saved.seconds,
        "measure": None,
        "measured_at": None,
        "versions": saved.versions,
        "resume": join(["equilibrist", "preflop", command, "--resume", str(path)]),
    }


def _of_blueprint(path: Path) -> dict[str, Any]:
    from equilibrist.poker.blueprint.training.run import opened
    from equilibrist.poker.blueprint.training.train import EXTERNAL
    from equilibrist.poker.hands.stored import read_stored_hand
    from equilibrist.storage.damage import reading_checkpoint

    archive, header = opened(path)
    with reading_checkpoint(path):
        archive.check()
        hand = read_stored_hand(header.problem.hand)
        return {
            "game": hand.name,
            "algorithm": header.algorithm,
            "seed": int(header.options["seed"]),
            "iteration": header.iteration,
            "storage": str(header.options.get("storage", "float32")),
            "drawn": "deals" if header.algorithm == EXTERNAL else "boards",
            "boards": int(header.state["boards"]),
            "seconds": header.seconds,
            "measure": None,
            "measured_at": None,
            "cards": header.problem.cards,
            "versions": header.versions,
            "spot": hand.to_toml(),
            "resume": _train_on(path, header.seconds),
        }


_FACTS: Final[dict[str, Callable[[Path], dict[str, Any]]]] = {
    CHECKPOINT: _of_tree,
    TREELESS_CHECKPOINT: _without_tree,
    SPOT_CHECKPOINT: _of_spot,
    PREFLOP_CHECKPOINT: _of_hand,
    SAMPLED_CHECKPOINT: _of_sampled,
    BLUEPRINT_CHECKPOINT: _of_blueprint,
}
"""What reads the facts of a run, by the kind of its checkpoint."""
FINISHING: Final[dict[str, Callable[[Path], str]]] = {
    CHECKPOINT: _solve_on,
    TREELESS_CHECKPOINT: _solve_on,
    BLUEPRINT_CHECKPOINT: _train_to_the_end,
}
"""What makes a solution of a checkpoint, where the command takes options from the file."""
