"""Examinations of a strategy on many boards, with a folder that keeps what is done."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from equilibrist.errors import ConfigError
from equilibrist.formatting.brief import brief_repr
from equilibrist.poker.postflop.files.batch import checked_boards
from equilibrist.poker.postflop.files.batch_folder import REPORT, BatchFolder
from equilibrist.poker.postflop.files.boards import Board
from equilibrist.poker.postflop.files.runout_report import csv_text
from equilibrist.poker.postflop.files.strategists import NamedStrategist
from equilibrist.poker.postflop.solving.examination import (
    EXAMINED_TARGET,
    LossSummary,
    check_examinable,
    examine,
    summarise_losses,
)
from equilibrist.poker.postflop.spot.fields import SEATS
from equilibrist.poker.postflop.spot.spot import Spot, checked_spot
from equilibrist.poker.postflop.spot.toml import parse_spot
from equilibrist.progress import Callbacks, as_callbacks
from equilibrist.solvers.run.stopping import Stop, merge_stop
from equilibrist.storage.atomic import write_bytes

if TYPE_CHECKING:
    from equilibrist.poker.postflop.spot.fields import Storage
    from equilibrist.progress import OnProgress
    from equilibrist.solvers.variants.variant import Variant


@dataclass(frozen=True)
class ExaminationReport:
    """What a strategy loses on some boards.

    Attributes:
        strategy: What was examined.
        rows: A row for each board, see `Examination.row`.
        skipped: The boards on which the spot is impossible, with the reasons.
    """

    strategy: str
    rows: list[dict[str, Any]]
    skipped: dict[str, str]

    def __repr__(self) -> str:
        return brief_repr(self)

    def losses(self, seat: str | None = None) -> LossSummary:
        """Summarise the losses over the boards; each board counts once, whatever its weight.

        Args:
            seat: `oop` or `ip`; None for both together.

        Returns:
            Mean, median, 90th percentile and largest loss, in percent of the pot.
        """
        return summarise_losses(self.rows, seat)


def examine_boards(
    spot: Spot,
    boards: Iterable[Board | tuple[str, float] | str],
    strategist: NamedStrategist,
    folder: str | os.PathLike[str] | None = None,
    algorithm: Variant | str | None = None,
    *,
    seats: Sequence[int] = (0, 1),
    stop: Stop | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    target: str | None = None,
    callbacks: Callbacks | OnProgress | None = None,
    storage: Storage | None = None,
    threads: int | None = None,
    memory: int | None = None,
    resume: bool = False,
) -> ExaminationReport:
    """Examine a strategy on many boards, one after the other.

    Args:
        spot: The spot, without locks and without rake; its board is replaced.
        boards: Boards of one street, as text or with a weight, which is only noted.
        strategist: Makes the strategy of each board.
        folder: Where every finished board and the report go; None for nowhere.
        algorithm: The variant of CFR that solves the spots, or its text; by default that of
            `poker.solve`.
        seats: The seats to examine.
        stop: When each run ends; by default at 0.1 % of the pot.
        iterations: The most iterations of each run.
        seconds: The most seconds of each run.
        target: The exploitability that ends a run.
        callbacks: `on_stage` is told which board and run begin.
        storage: How regrets and strategy sums are stored: `float32` (the default), `int16` or
            `float64`.
        threads: Threads to solve with, by default one for each processor.
        memory: The most bytes that each run may take, by default half of the machine's memory.
        resume: Keep the boards that are in `folder` already.

    Returns:
        A row for each board.

    Raises:
        ConfigError: An argument is wrong, the strategy does not fit, or no board is possible.
        UnsupportedError: The spot has rake.
        MemoryBudgetError: A board does not fit.
        FileFormatError: A file in the folder is damaged.
        OutputError: A file cannot be written.
        KeyboardInterrupt: A run was interrupted.
    """
    check_examinable(checked_spot(spot))
    listeners = as_callbacks(callbacks)
    limits = merge_stop(stop, iterations=iterations, seconds=seconds, target=target)
    wanted = checked_boards(spot, boards)
    run: dict[str, Any] = {**limits, "storage": storage, "algorithm": algorithm}
    if all(limit is None for limit in limits.values()):
        run["target"] = EXAMINED_TARGET
    keys = parse_spot(spot.to_toml())
    del keys["board"]
    settings = {
        **keys,
        **{name: f"{value}" for name, value in run.items() if value is not None},
        "strategy": strategist.name,
        "seats": [SEATS[seat] for seat in seats],
    }
    place = None if folder is None else BatchFolder(Path(folder), settings)
    if place is not None:
        place.check(resume=resume)
        place.prepare()
    rows, skipped = [], {}
    for number, board in enumerate(wanted, 1):
        name = board.board
        if place is not None and place.has(name):
            done = place.read(name)
        else:
            listeners.stage(f"board {number:,} of {len(wanted):,}: {name}")
            try:
                here = spot.replace(board=name)
            except ConfigError as error:
                done = {"skipped": f"{error}"}
            else:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", UserWarning)
                    examined = examine(
                        here, strategist.make, seats=seats, callbacks=listeners,
                        threads=threads, memory=memory, **run,
                    )  # fmt: skip
                done = examined.row()
            if place is not None:
                place.write(name, done)
        if "skipped" in done:
            skipped[name] = done["skipped"]
        else:
            rows.append({"board": done["board"], "weight": board.weight, **done})
    if not rows:
        raise ConfigError(
            f"the spot is impossible on all boards: {[*skipped.values()][:1]}", option="boards"
        )
    if place is not None:
        write_bytes(place.folder / REPORT, csv_text(rows).encode())
    return ExaminationReport(strategist.name, rows, skipped)
