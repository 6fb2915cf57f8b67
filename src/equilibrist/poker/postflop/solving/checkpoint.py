"""Checkpoints of spots: all that a killed run needs to end with the same bits."""

from __future__ import annotations

import os
from pathlib import Path

from equilibrist.errors import CheckpointError, EquilibristError, FileFormatError
from equilibrist.parsing.arguments import file_name
from equilibrist.poker.postflop.engine.snapshot import layout_of, restore
from equilibrist.poker.postflop.solving.perturbed import LogitResponses
from equilibrist.poker.postflop.solving.run import Save
from equilibrist.poker.postflop.solving.solver import SpotSolver
from equilibrist.poker.postflop.solving.variants import spot_variant
from equilibrist.poker.postflop.spot.fields import SPOT_KEYS, Storage
from equilibrist.poker.postflop.spot.spot import Spot, spot_from_text
from equilibrist.solvers.run.fingerprint import coefficients_digest
from equilibrist.solvers.run.header import RunHeader
from equilibrist.solvers.run.saved_run import SavedRun, refuse_overwrite, value_text
from equilibrist.solvers.run.trace import TracePoint
from equilibrist.solvers.variants.variant import Variant
from equilibrist.storage.archive import check_writable, write_archive
from equilibrist.storage.atomic import OwnFile
from equilibrist.storage.kinds.file_kinds import SPOT_CHECKPOINT
from equilibrist.storage.versions import FileHeader, versions


class _Problem(FileHeader):
    spot: str


class _Options(FileHeader):
    storage: Storage
    coefficients: str
    layout: str
    tremble: float | None = None
    quantal: float | None = None


class _Header(RunHeader):
    problem: _Problem
    options: _Options


def saver(solver: SpotSolver, path: str | os.PathLike[str]) -> Save:
    """What writes a solver's state to `path`, atomically.

    What it raises: OutputError if that fails, ConfigError if the state has no finite numbers.
    """
    coefficients = coefficients_digest(solver.variant, None)
    layout, file = layout_of(solver.engine.layout), OwnFile(path)
    options = _Options(
        storage=solver.given_storage,
        coefficients=coefficients,
        layout=layout,
        tremble=solver.tremble,
        quantal=solver.quantal,
    )

    def save(trace: tuple[TracePoint, ...], seconds: float) -> None:
        solver.check_numbers()
        header = _Header(
            problem=_Problem(spot=solver.spot.to_toml()),
            algorithm=solver.variant.name,
            options=options,
            iteration=solver.iteration,
            seconds=seconds,
            trace=[point.row for point in trace],
            versions=versions(),
        )
        with file.replaced():
            arrays = solver.engine.arena.solver_arrays()
            write_archive(path, SPOT_CHECKPOINT, header.model_dump(), arrays, in_parts=True)

    return save


class SpotCheckpoint(SavedRun[_Header]):
    """A saved run of a spot; its state is read from the file when it resumes.

    Attributes:
        spot: The spot.
    """

    KIND = SPOT_CHECKPOINT
    HEADER = _Header
    spot: Spot

    def _open(self) -> None:
        self.spot = spot_from_text(self.header.problem.spot)

    @property
    def storage(self) -> Storage:
        """How regrets and strategies are stored."""
        return self.header.options.storage

    @property
    def tremble(self) -> float | None:
        """The least probability of every action; None without trembles."""
        return self.header.options.tremble

    @property
    def quantal(self) -> float | None:
        """The temperature of logit responses as a share of the pot; None for other runs."""
        return self.header.options.quantal

    def check_run(
        self,
        spot: Spot | None = None,
        storage: Storage | None = None,
        tremble: float | None = None,
        quantal: float | None = None,
    ) -> None:
        """Raise CheckpointError where the run is of another spot, or has other such options.

        Options that are None are those of the run.
        """
        if spot is not None:
            differ = [key for key in SPOT_KEYS if getattr(spot, key) != getattr(self.spot, key)]
            there, here = (
                {key: value_text(getattr(own, key)) for key in differ} for own in (self.spot, spot)
            )
            self.refuse_other("spot", there, here)
        if storage is not None:
            self.refuse_other("run", {"storage": self.storage}, {"storage": storage})
        given = {"tremble": tremble, "quantal": quantal}
        for name, value in given.items():
            saved: float | None = getattr(self, name)
            if value is not None and value != saved:
                was = f"without {name}" if saved is None else f"with {name} {saved:g}"
                raise CheckpointError(
                    f"{self.path} is a run {was}, not {value:g}",
                    self.path,
                    option=name,
                    given=value,
                    expected=saved,
                    remedy=f"leave out {name} to resume it, or start a new run under another name",
                )

    def as_run(self, variant: Variant | str | None) -> Variant:
        """The variant of the run, which may be given again; raises CheckpointError for another."""
        path = self.path
        if self.quantal is not None:
            if variant is not None and not isinstance(variant, LogitResponses):
                raise CheckpointError(
                    f"{path} is a run of logit responses, which take no algorithm",
                    path,
                    option="algorithm",
                    given=variant if isinstance(variant, str) else variant.name,
                    remedy="leave out algorithm",
                )
            resumed: Variant = LogitResponses(temperature=self.quantal)
        elif variant is None:
            resumed = _variant(self.algorithm, path)
        else:
            resumed = spot_variant(variant)
        if coefficients_digest(resumed, None) != self.header.options.coefficients:
            raise CheckpointError(
                f"{path} is a run of {self.algorithm}, whose coefficients have changed; start a "
                "new run under another name"
                if resumed.name == self.algorithm
                else f"{path} is a run of {self.algorithm}, not of {resumed.name}; leave out "
                "the algorithm to resume it, or start a new run under another name",
                path,
                option="algorithm",
                given=self.algorithm,
                expected=resumed.name,
            )
        return resumed

    def solver(
        self, threads: int | None = None, variant: Variant | str | None = None
    ) -> SpotSolver:
        """A solver that stands where the run stood; raises CheckpointError."""
        path, resumed = self.path, self.as_run(variant)
        solver = SpotSolver(
            self.spot,
            storage=self.storage,
            threads=threads,
            algorithm=resumed if self.quantal is None else None,
            tremble=self.tremble,
            quantal=self.quantal,
        )
        if layout_of(solver.engine.layout) != self.header.options.layout:
            raise CheckpointError(
                f"{path} has an incompatible storage layout, written by version "
                f"{self.header.versions.get('equilibrist', 'unknown')}",
                path,
                option="layout",
                remedy="start a new run",
            )
        solver.hold(self.iteration)
        try:
            restore(solver.engine.arena, self.archive)
        except FileFormatError as error:
            raise error.as_kind(CheckpointError) from None
        if not solver.engine.arena.is_finite():
            raise CheckpointError(
                f"{path} contains regrets or strategy sums that are not finite: its variant has "
                "diverged",
                path,
                option="regret",
                remedy="start a new run with another variant",
            )
        solver.engine.iteration = self.iteration
        return solver


def check_new(path: str | os.PathLike[str]) -> None:
    """Raise OutputError or CheckpointError where a new run could not, or must not, be saved."""
    path = file_name("checkpoint", path)
    check_writable(path, SPOT_CHECKPOINT)
    refuse_overwrite(path, SpotCheckpoint, lambda saved: f"on {saved.spot.board}")


def _variant(name: str, path: Path) -> Variant:
    try:
        return spot_variant(name)
    except EquilibristError as error:
        raise CheckpointError(
            f"{path} is a run of the algorithm {name}, which must be given again: {error}",
            path,
            option="algorithm",
            given=name,
        ) from None
