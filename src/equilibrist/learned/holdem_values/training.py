"""Fitting a hold'em value network to a dataset, and measuring it on boards it never saw."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from equilibrist.errors import CheckpointError, ConfigError
from equilibrist.formatting.amounts import counted
from equilibrist.learned.files import NetworkFile
from equilibrist.learned.fit import Data, fit_network, load_torch
from equilibrist.learned.holdem_values.dataset import DatasetFolder, boards_of
from equilibrist.learned.holdem_values.features import (
    FEATURES,
    hand_values,
    knot_targets,
    network_inputs,
)
from equilibrist.learned.holdem_values.hand_grid import BoardHands
from equilibrist.learned.holdem_values.shard import DatasetPlan, DatasetRows
from equilibrist.learned.holdem_values.situations import BoardUse, use_of
from equilibrist.learned.holdem_values.values import GAME, UNIT, HoldemValues
from equilibrist.learned.network import Float32Array, Network
from equilibrist.parsing.arguments import file_name, real_number, whole_number
from equilibrist.progress import Callbacks, OnProgress, PartsReport, as_callbacks
from equilibrist.solvers.run.saved_run import refuse_overwrite
from equilibrist.storage.damage import reading_checkpoint
from equilibrist.storage.kinds.file_kinds import HOLDEM_CHECKPOINT

RATIOS: Final = (0.5, 2.0, 10.0)
"""Where the classes of stack / pot begin, after the first."""
_DECILES: Final = 10
_STAGE: Final = 500
"""Steps between two measurements, after which the run may go on from a checkpoint."""
_LAST_RATE: Final = 0.05
"""The learning rate at the end, as a share of that at the beginning."""


@dataclass(frozen=True)
class TrainingSettings:
    """How a network is fitted.

    Attributes:
        hidden: The widths of the hidden layers.
        steps: Steps of Adam.
        batch_size: Rows of a step.
        learning_rate: At the beginning; it falls as a cosine to a twentieth.
        seed: Fixes the first weights and the batches.
    """

    hidden: tuple[int, ...] = (256, 256, 256)
    steps: int = 20_000
    batch_size: int = 512
    learning_rate: float = 1e-3
    seed: int = 0

    def __post_init__(self) -> None:
        """Check the values; raises ConfigError."""
        for width in self.hidden:
            whole_number("hidden", width, 1, 65_536)
        whole_number("steps", self.steps, 1)
        whole_number("batch_size", self.batch_size, 1)
        real_number("learning_rate", self.learning_rate, 1e-9, 1.0)
        whole_number("seed", self.seed, 0)

    def to_dict(self) -> dict[str, Any]:
        """The fields, for JSON."""
        return {**asdict(self), "hidden": [*self.hidden]}


class Prepared(NamedTuple):
    """Rows as networks read them; n rows, H hands, G knots."""

    board: NDArray[np.integer]  # [n, 4 or 5]
    ratio: NDArray[np.float64]  # float64[n]: stack / pot
    inputs: Float32Array  # float32[n, F]
    targets: Float32Array  # float32[n, 2 * G]
    mask: NDArray[np.bool_]  # bool[n, 2 * G]: knots with hands


@dataclass(frozen=True)
class ValueErrors:
    """Errors of the values of all hands, in pots, on rows whose boards were not trained on.

    Attributes:
        rows: How many rows.
        huber: The Huber loss with delta 1, the mean over all hands of both players, each counting
            once.
        weighted: The mean absolute error, in which hands count by their weight in the range.
        by_decile: float[10]: the mean absolute error of hands by their weight in the range, the
            lightest tenth of the hands first.
        by_ratio: (where stack / pot begins, rows, Huber loss, weighted error) by classes of it.
    """

    rows: int
    huber: float
    weighted: float
    by_decile: tuple[float, ...]
    by_ratio: tuple[tuple[float, int, float, float], ...]

    def to_dict(self) -> dict[str, Any]:
        """The fields, for JSON."""
        return asdict(self)


@dataclass(frozen=True)
class TrainingReport:
    """A fitted network, and how well it does on boards that no stage was fitted to or chosen by.

    Attributes:
        values: The network of the best stage, by the loss on one half of the held-out boards.
        errors: Its errors on the other half.
        check_down: The errors there of values as if nobody bet any more: the lowest rung.
        grid: The errors there of the outputs that an ideal network would give: the highest.
        rows: Rows that it was trained on.
        steps: Steps that were made.
        best_step: After which step it was best.
        losses: (step, loss of the batches, loss on the boards that it is chosen by), at the knots.
        seconds: Seconds of this call.
        stopped_by: "steps", "seconds", "callback" or "interrupted".
    """

    values: HoldemValues
    errors: ValueErrors
    check_down: ValueErrors
    grid: ValueErrors
    rows: int
    steps: int
    best_step: int
    losses: tuple[tuple[int, float, float], ...]
    seconds: float
    stopped_by: str


def train(
    folder: str | os.PathLike[str],
    settings: TrainingSettings = TrainingSettings(),
    *,
    rows: int | None = None,
    seconds: float | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    resume: bool = False,
    callbacks: Callbacks | OnProgress | None = None,
) -> TrainingReport:
    """Fit a network to the rows of a dataset whose boards are not held out.

    Boards are held out whole, up to suits; on half of them the best stage is chosen, and on the
    others its errors are measured (`situations.use_of`). Ctrl-C ends the fit with what it has.

    Args:
        folder: What `make_dataset` wrote.
        settings: How it is fitted.
        rows: The most rows of the dataset that are read, the first ones; None for all.
        seconds: End after so many seconds.
        checkpoint: A file that keeps the state after each stage.
        resume: Go on from `checkpoint`, to the bits of a run that was not interrupted; else a
            checkpoint that exists is refused.
        callbacks: Receive the progress; stages by name.

    Returns:
        The network and its errors.

    Raises:
        ConfigError: PyTorch is missing, an argument is wrong, or the dataset is too small.
        FileFormatError: A file of the dataset is damaged.
        CheckpointError: The checkpoint is missing, damaged, or of another dataset or of other
            settings; or there is one that would be overwritten.
        OutputError: The checkpoint cannot be written.
        KeyboardInterrupt: It was interrupted before the end of the first stage.
    """
    begun = time.perf_counter()
    listeners = as_callbacks(callbacks)
    place = DatasetFolder.open(folder)
    saved = _checkpoint(checkpoint, resume=resume)
    load_torch()  # what is wrong with files is said without it
    listeners.stage("preparing the rows")
    trained, chosen_by, reported = _prepared(place, rows)
    identity = {
        "dataset": place.plan.to_dict(),
        "rows": len(trained.ratio) + len(chosen_by.ratio) + len(reported.rows),
        "settings": settings.to_dict(),
        "features": FEATURES,
    }
    if saved is None:
        state = _TrainingState.first(place.plan, settings)
    else:
        saved.refuse_other(identity)
        state = saved.state
    report = PartsReport(listeners, "fitting", "steps", settings.steps)
    validation = Data(chosen_by.inputs, chosen_by.targets, mask=chosen_by.mask)
    stopped_by = "steps"
    try:
        while state.step < settings.steps:
            if seconds is not None and time.perf_counter() - begun >= seconds:
                stopped_by = "seconds"
                break
            state = _stage(state, trained, validation, settings)
            if checkpoint is not None:
                state.save(checkpoint, identity)
            if not report.goes_on(state.step):
                stopped_by = "callback"
                break
    except KeyboardInterrupt:
        if not state.losses:
            raise
        stopped_by = "interrupted"
    made = {**place.plan.to_dict(), "rows": len(trained.ratio), **settings.to_dict()}
    errors, check_down, grid = reported.errors(state.best)
    losses = {"huber": errors.huber, "weighted": errors.weighted}
    return TrainingReport(
        values=HoldemValues(place.plan.street, state.best, {**made, "losses": losses}),
        errors=errors,
        check_down=check_down,
        grid=grid,
        rows=len(trained.ratio),
        steps=state.step,
        best_step=state.best_step,
        losses=state.losses,
        seconds=time.perf_counter() - begun,
        stopped_by=stopped_by,
    )


@dataclass(frozen=True, eq=False)
class _TrainingState:
    """All that the coming stages depend on."""

    step: int
    network: Network
    best: Network
    best_step: int
    losses: tuple[tuple[int, float, float], ...]

    @classmethod
    def first(cls, plan: DatasetPlan, settings: TrainingSettings) -> _TrainingState:
        """Before the first stage: a network that says 0."""
        network = HoldemValues.untrained(plan.street, settings.hidden, settings.seed).network
        return cls(0, network, network, 0, ())

    def save(self, path: str | os.PathLike[str], identity: dict[str, Any]) -> None:
        """Write a checkpoint, atomically; raises OutputError."""
        file = NetworkFile(
            networks={"network": self.network, "best": self.best},
            features=FEATURES,
            game=GAME,
            fingerprint="",
            unit=UNIT,
            made={
                "identity": identity,
                "step": self.step,
                "best_step": self.best_step,
                "losses": [list(point) for point in self.losses],
            },
        )
        file.save(path, HOLDEM_CHECKPOINT)


@dataclass(frozen=True, eq=False)
class HoldemCheckpoint:
    """A training of a hold'em value network that was saved.

    Attributes:
        path: The file.
        identity: What fixes the training: dataset, number of rows, settings and features.
        state: Where it stood.
    """

    path: Path
    identity: dict[str, Any]
    state: _TrainingState

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> HoldemCheckpoint:
        """Read a file; raises CheckpointError if there is none, or it is damaged or foreign."""
        file = file_name("checkpoint", path)
        with reading_checkpoint(file, "checkpoint"):
            stored = NetworkFile.load(file, HOLDEM_CHECKPOINT)
            made = stored.made
            state = _TrainingState(
                step=int(made["step"]),
                network=stored.networks["network"],
                best=stored.networks["best"],
                best_step=int(made["best_step"]),
                losses=tuple((int(step), fit, chosen) for step, fit, chosen in made["losses"]),
            )
            return cls(file, dict(made["identity"]), state)

    @property
    def iteration(self) -> int:
        """How many steps had been made."""
        return self.state.step

    def refuse_other(self, identity: dict[str, Any]) -> None:
        """Raise CheckpointError unless it is of a training with this identity."""
        for key, value in identity.items():
            before = self.identity.get(key)
            if before == value:
                continue
            remedy = "resume with the same dataset and settings, or begin another checkpoint"
            if key == "rows" and isinstance(before, int) and before < value:
                remedy = f"go on with the rows of then (--rows {before}), or begin another"
            raise CheckpointError(
                f"{self.path} is the checkpoint of a run with {key} {before}, not {value}",
                self.path,
                option=key,
                given=before,
                expected=value,
                remedy=remedy,
            )


def _checkpoint(path: str | os.PathLike[str] | None, *, resume: bool) -> HoldemCheckpoint | None:
    """The checkpoint to go on from; None for a new run, which must not overwrite another."""
    if path is None:
        return None
    if resume:
        return HoldemCheckpoint.load(path)
    refuse_overwrite(
        file_name("checkpoint", path), HoldemCheckpoint.load, lambda _: "of a hold'em value network"
    )
    return None


def _stage(
    state: _TrainingState, data: Prepared, held_out: Data, settings: TrainingSettings
) -> _TrainingState:
    """Fit for some steps; Adam begins each stage anew, so that a checkpoint needs the weights."""
    count = min(_STAGE, settings.steps - state.step)

    def rate(step: int) -> float:
        share = (state.step + step) / settings.steps
        fall = 0.5 * (1 + math.cos(math.pi * share))
        return settings.learning_rate * (_LAST_RATE + (1 - _LAST_RATE) * fall)

    seed = np.random.SeedSequence([settings.seed, state.step]).generate_state(1, np.uint64)[0]
    fit = fit_network(
        state.network,
        data.inputs,
        data.targets,
        mask=data.mask,
        loss="huber",
        steps=count,
        batch_size=settings.batch_size,
        learning_rate=rate,
        clip=10.0,
        seed=int(seed),
        output="zero-sum",
        held_out=held_out,
    )
    step = state.step + fit.steps
    assert fit.validation is not None
    point = (step, float(np.mean(fit.losses)), fit.validation)
    is_best = all(fit.validation < held for _, _, held in state.losses)
    return replace(
        state,
        step=step,
        network=fit.network,
        best=fit.network if is_best else state.best,
        best_step=step if is_best else state.best_step,
        losses=(*state.losses, point),
    )


class _ReportedRows(NamedTuple):
    """Rows of boards on which networks are neither trained nor chosen, to measure errors on."""

    rows: list[DatasetRows]
    prepared: Prepared

    def errors(self, network: Network) -> tuple[ValueErrors, ValueErrors, ValueErrors]:
        """The errors of a network, of values as if nobody bet any more, and of ideal outputs."""
        targets = self.prepared.targets
        outputs = (network.predict(self.prepared.inputs), np.zeros_like(targets), targets)
        predicted: tuple[list[Float32Array], ...] = ([], [], [])
        for number, row in enumerate(self.rows):
            board = BoardHands(tuple(boards_of(row)[0].tolist()))  # not kept: 1 MB on the turn
            for rung, values in zip(outputs, predicted, strict=True):
                own = hand_values(board, row.ranges, rung[number : number + 1], row.check_down)
                values.append(own[0])
        labels = np.concatenate([row.values for row in self.rows])
        ranges = np.concatenate([row.ranges for row in self.rows])
        of_network, of_check_down, of_grid = (
            value_errors(np.stack(values), labels, ranges, self.prepared.ratio)
            for values in predicted
        )
        return of_network, of_check_down, of_grid


def value_errors(
    predicted: Float32Array, values: Float32Array, ranges: Float32Array, ratio: NDArray[np.float64]
) -> ValueErrors:
    """Compare values with labels.

    Args:
        predicted: float32[n, 2, H].
        values: float32[n, 2, H]: the labels; hands without one do not count.
        ranges: float32[n, 2, H]: weights, each player's with sum 1.
        ratio: float64[n]: stack / pot.

    Returns:
        The errors.
    """
    known = np.isfinite(values)
    error = np.where(known, np.abs(predicted.astype(np.float64) - values), 0.0)
    losses = np.where(error <= 1.0, 0.5 * error**2, error - 0.5)
    huber = losses.sum(axis=(1, 2)) / known.sum(axis=(1, 2))
    weighted = (error * ranges).sum(axis=2).mean(axis=1)
    parts = []
    for row, player in np.ndindex(known.shape[:2]):
        held = known[row, player]
        order = np.argsort(ranges[row, player][held], kind="stable")
        if len(order) >= _DECILES:
            tenths = np.array_split(error[row, player][held][order], _DECILES)
            parts.append([part.mean() for part in tenths])
    deciles = np.mean(parts, axis=0).tolist() if parts else []
    classes = np.searchsorted(RATIOS, ratio, "right")
    by_ratio = tuple(
        (
            (0.0, *RATIOS)[number],
            int((classes == number).sum()),
            float(huber[classes == number].mean()),
            float(weighted[classes == number].mean()),
        )
        for number in range(len(RATIOS) + 1)
        if (classes == number).any()
    )
    return ValueErrors(
        len(values), float(huber.mean()), float(weighted.mean()), tuple(deciles), by_ratio
    )


def _prepared(place: DatasetFolder, most: int | None) -> tuple[Prepared, Prepared, _ReportedRows]:
    """The rows to train on, those that the best stage is chosen by, and those of the report."""
    parts: dict[BoardUse, list[Prepared]] = {"training": [], "choice": [], "report": []}
    reported: list[DatasetRows] = []
    for board, row in _single_rows(place, most):
        use = use_of(board.cards)
        parts[use].append(_prepare(board, row))
        if use == "report":
            reported.append(row)
    if not all(parts.values()):
        trained, chosen = len(parts["training"]), len(parts["choice"])
        raise ConfigError(
            f"{place.folder} has {counted(trained, 'row')} to train on, {counted(chosen, 'row')} "
            f"to choose the network by, and {counted(len(reported), 'row')} to report its errors "
            "on; all are needed",
            option="folder",
            given=place.folder,
            remedy="make more rows: equilibrist postflop dataset ... --resume",
        )
    report = _ReportedRows(reported, _joined(parts["report"]))
    return _joined(parts["training"]), _joined(parts["choice"]), report


def _single_rows(
    place: DatasetFolder, most: int | None
) -> Iterator[tuple[BoardHands, DatasetRows]]:
    """The rows of a dataset one by one, in order, with their boards."""
    left = math.inf if most is None else whole_number("rows", most, 1)
    for number in place.shards():
        rows = place.read(number)
        for row, cards in enumerate(boards_of(rows).tolist()):
            if left <= 0:
                return
            left -= 1
            board = BoardHands(tuple(cards))
            yield board, rows.one(row)


def _prepare(board: BoardHands, row: DatasetRows) -> Prepared:
    ratio = row.stack / row.pot
    targets, mask = knot_targets(board, row.ranges[0], row.values[0], row.check_down[0])
    return Prepared(
        board=np.array([board.cards]),
        ratio=ratio,
        inputs=network_inputs(board, row.ranges, ratio),
        targets=targets[None],
        mask=mask[None],
    )


def _joined(parts: list[Prepared]) -> Prepared:
    return Prepared(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))
