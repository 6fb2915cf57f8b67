"""The files of `equilibrist postflop solve`: what a run resumes, and where its result goes."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from equilibrist.cli.postflop.run_options import SpotRun
from equilibrist.cli.stored.saving import Saver
from equilibrist.errors import ConfigError
from equilibrist.parsing.arguments import same_file
from equilibrist.poker.postflop.spot.fields import RUN_OPTIONS

if TYPE_CHECKING:
    from equilibrist.poker.postflop.solution.result import PostflopResult
    from equilibrist.poker.postflop.solution.spot_file import Keep
    from equilibrist.poker.postflop.spot.spot import Spot
    from equilibrist.solving.writing import ResultWriter


def run_of(spot: Spot | None, run: SpotRun, file: Path | None) -> tuple[Spot, SpotRun]:
    """The run that `file` is a checkpoint of, with the options of `run`; without a file, `run`.

    Raises CheckpointError if the options are those of another run.
    """
    from equilibrist.poker.postflop.solving.checkpoint import read_checkpoint

    if file is None:
        assert spot is not None
        return spot, run
    saved = read_checkpoint(file)
    options = dict(run.options)
    saved.check_run(spot, options.pop("storage", None))
    return saved.spot, SpotRun(options, resumed=file, storage=saved.storage)


def check_out(spot: Spot, out: Path, keep: Keep, state: Path | None) -> None:
    """Refuse now what could not be saved at the end; `state` is the file of checkpoints."""
    from equilibrist.poker.postflop.solution.spot_file import check_save

    if state is not None and same_file(out, state):
        raise ConfigError(
            f"--out and the checkpoint are both {out}",
            option="--out",
            given=out,
            remedy="give two names",
        )
    check_save(spot, out, keep)


def writer_to(out: Path | None, keep: Keep) -> tuple[Saver, ResultWriter[PostflopResult]]:
    """What stores the solution, and saves it to `out` with the streets that `keep` says."""
    from equilibrist.solving.writing import ResultWriter

    def save_as(solution: PostflopResult, path: Path) -> Path:
        return solution.save(path, keep)

    saver = Saver(out, save_as)
    return saver, ResultWriter(saver, save_as=save_as, name="solution.spot")


def how_to_resume(file: Path, run: SpotRun, **others: Any) -> str:
    """The command that resumes from a checkpoint with the options of `run`.

    `others` are further options by name; those that say nothing are None or False.
    """
    words = ["equilibrist", "postflop", "solve", "--resume", str(file)]
    for name, value in {**run.options, **others}.items():
        option = RUN_OPTIONS.get(name)
        if value is None or value is False or (option and f"{value}" == option.default):
            continue
        words.append(option.flags_of(name)[0] if option else f"--{name.replace('_', '-')}")
        words += [] if value is True else [str(value)]
    return shlex.join(words)
