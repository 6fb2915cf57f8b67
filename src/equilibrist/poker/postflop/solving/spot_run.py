"""A run on a spot as options describe it, and the run that a checkpoint continues."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from equilibrist.options.reading import read_all
from equilibrist.poker.postflop.spot.fields import RUN_OPTIONS
from equilibrist.solvers.run.stopping import Stop

if TYPE_CHECKING:
    from equilibrist.poker.postflop.engine.perturbation import Perturbation
    from equilibrist.poker.postflop.solution.result import PostflopResult
    from equilibrist.poker.postflop.spot.fields import Storage
    from equilibrist.poker.postflop.spot.spot import Spot


@dataclass(frozen=True)
class SpotRun:
    """How a spot is to be solved, or its solution.

    Attributes:
        options: What `poker.solve` takes of a run, by name: options and defaults.
        solved: The solution, if there is one already.
        resumed: The checkpoint of a run that is resumed.
        storage: How regrets and strategies are stored.
    """

    options: Mapping[str, Any]
    solved: PostflopResult | None = None
    resumed: Path | None = None
    storage: Storage = "float32"

    @property
    def perturbation(self) -> Perturbation | None:
        """What keeps play alive everywhere in a new run, not checked; None for a plain one."""
        from equilibrist.poker.postflop.engine.perturbation import Perturbation

        for name in ("tremble", "quantal"):
            if name in self.options:
                return Perturbation(name, self.options[name])
        return None

    @classmethod
    def read(cls, texts: Mapping[str, Any]) -> SpotRun:
        """The run that texts of RUN_OPTIONS describe; raises ConfigError."""
        values = read_all(RUN_OPTIONS, texts)
        options = {name: value for name, value in values.items() if value is not None}
        Stop(iterations=options.get("iterations"))
        return cls(options, storage=options.get("storage", "float32"))

    def solve(self, spot: Spot, **more: Any) -> PostflopResult:
        """Solve or resume; raises what `poker.solve` and `poker.resume` raise."""
        from equilibrist.poker.postflop.solving.spot_runs import resume, solve

        with warnings.catch_warnings():  # of a checkpoint that failed: an error of ours in the end
            warnings.simplefilter("ignore", RuntimeWarning)
            warnings.simplefilter("ignore", UserWarning)  # of sizes: `Spot.warnings`
            if self.resumed is None:
                return solve(spot, **self.options, **more)
            return resume(self.resumed, **self.options, **more)


def run_of(spot: Spot | None, run: SpotRun, file: Path | None) -> tuple[Spot, SpotRun]:
    """The run that `file` is a checkpoint of, with the options of `run`; without a file, `run`.

    Raises CheckpointError if the options are those of another run.
    """
    from equilibrist.poker.postflop.solving.checkpoint import SpotCheckpoint

    if file is None:
        assert spot is not None
        return spot, run
    saved = SpotCheckpoint(file)
    options = dict(run.options)
    perturbed = [options.pop(name, None) for name in ("tremble", "quantal")]
    saved.check_run(spot, options.pop("storage", None), *perturbed)
    return saved.spot, SpotRun(options, resumed=file, storage=saved.storage)
