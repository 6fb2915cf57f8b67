"""The files of `equilibrist postflop solve`: what a run goes on from, and where it goes."""

from __future__ import annotations

import shlex
import tempfile
import warnings
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from equilibrist.errors import ConfigError, EquilibristError, OutputError, as_one

if TYPE_CHECKING:
    from equilibrist.poker.solutions.result import PostflopResult
    from equilibrist.poker.solutions.spot_file import Keep
    from equilibrist.poker.spots.spot import Spot


@dataclass(frozen=True)
class Run:
    """A run that begins, or one that goes on from a file."""

    spot: Spot
    options: dict[str, Any]
    resumed: Path | None
    storage: str | None

    def solve(self, **options: Any) -> PostflopResult:
        """Solve; raises what `poker.solve` and `poker.resume` raise."""
        from equilibrist.poker.solving.spot_runs import resume, solve

        with warnings.catch_warnings():  # of a checkpoint that failed: an error of ours in the end
            warnings.simplefilter("ignore", RuntimeWarning)
            if self.resumed is None:
                return solve(self.spot, **self.options, **options)
            return resume(self.resumed, **self.options, **options)


def run_of(spot: Spot | None, options: dict[str, Any], file: Path | None) -> Run:
    """What the options say; raises CheckpointError if they say another thing than the file."""
    from equilibrist.poker.solving.checkpoint import read_checkpoint

    if file is None:
        assert spot is not None
        return Run(spot, options, None, options.get("storage"))
    saved = read_checkpoint(file)
    rest = dict(options)
    saved.check_run(spot, rest.pop("storage", None))
    return Run(saved.spot, rest, file, saved.storage)


def check_out(spot: Spot, out: Path, keep: Keep, state: Path | None) -> None:
    """Refuse now what could not be saved at the end; `state` is the file of checkpoints."""
    from equilibrist.poker.solutions.spot_file import check_save

    if state is not None and out.resolve() == state.resolve():
        raise ConfigError(
            f"--out and the checkpoint are both {out}",
            option="--out",
            given=out,
            remedy="give two names",
        )
    check_save(spot, out, keep)


def saved_to(solution: PostflopResult, out: Path | None, keep: Keep) -> list[OutputError]:
    """Save the solution, and say what failed, a checkpoint before included."""
    failures = [] if solution.failure is None else [solution.failure]
    if out is not None:
        try:
            solution.save(out, keep)
        except OutputError as error:
            failures.append(_saved_elsewhere(solution, keep, error))
    return failures


def _saved_elsewhere(solution: PostflopResult, keep: Keep, error: OutputError) -> OutputError:
    """A solution that cannot go where it should goes to the folder for temporary files."""
    try:
        folder = Path(tempfile.mkdtemp(prefix="equilibrist-"))
    except OSError:
        return error
    try:
        saved = solution.save(folder / "solution.spot", keep)
    except EquilibristError:
        with suppress(OSError):
            folder.rmdir()
        return error
    return error.with_outcome(f"the solution was saved as {saved} instead")


def raise_all(failures: list[OutputError]) -> None:
    """Raise what failed, all of it as one OutputError."""
    if failures:
        raise as_one(failures)


def how_to_go_on(file: Path, run: Mapping[str, Any], **others: Any) -> str:
    """The command that goes on from a checkpoint.

    `run` is what `read_run` made of the options of a run, `others` are further ones by name; those
    that say nothing are None or False.
    """
    words = ["equilibrist", "postflop", "solve", "--resume", str(file)]
    for name, value in {**run, **others}.items():
        if value is not None and value is not False and (name, value) != ("threads", 1):
            words.append(f"--{'time' if name == 'seconds' else name.replace('_', '-')}")
            words += [] if value is True else [str(value)]
    return shlex.join(words)
