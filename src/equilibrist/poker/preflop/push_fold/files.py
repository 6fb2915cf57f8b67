"""Files of push-or-fold solutions."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import Field

from equilibrist.parsing.arguments import instance
from equilibrist.poker.cards.combos import NUM_CLASSES
from equilibrist.poker.preflop.push_fold.game import PushFold
from equilibrist.poker.preflop.push_fold.solution import PushFoldSolution, chart_of, gains_of
from equilibrist.solvers.run.stopping import StopReason
from equilibrist.storage.archive import read_archive, write_archive
from equilibrist.storage.damage import reading_content
from equilibrist.storage.kinds.file_kinds import PUSH_FOLD
from equilibrist.storage.versions import FileHeader, versions


class _Chart(FileHeader):
    seat: str
    against: list[str]
    reached: float


class _Header(FileHeader):
    game: dict[str, Any]
    charts: list[_Chart]
    values: list[float]
    gains: list[float]
    interval: list[float] | None
    standard_errors: list[float] | None
    method: str
    iterations: int = Field(ge=0, le=2**53)
    deals: int = Field(ge=0, le=2**53)
    seed: int = Field(ge=0)
    measured_deals: int = Field(ge=0, le=2**53)
    stopped_by: StopReason | None
    versions: dict[str, str]


def save_push_fold(solution: PushFoldSolution, path: str | os.PathLike[str]) -> Path:
    """Write a solution to a file, which `inspect`, `export` and the browser open.

    Args:
        solution: The solution.
        path: The file, such as `chart.safetensors`.

    Returns:
        The file.

    Raises:
        OutputError: It cannot be written.
    """
    instance("solution", solution, PushFoldSolution, "what push_fold gives")
    header = _Header(
        game=solution.game.to_dict(),
        charts=[
            _Chart(
                seat=chart.seat_name,
                against=[*solution.against(chart)],
                reached=chart.reached or 0.0,
            )
            for chart in solution.charts
        ],
        values=[*solution.values],
        gains=[*solution.gains],
        interval=None if solution.interval is None else [*solution.interval],
        standard_errors=None if solution.standard_errors is None else [*solution.standard_errors],
        method=solution.method,
        iterations=solution.iterations,
        deals=solution.deals,
        seed=solution.seed,
        measured_deals=solution.measured_deals,
        stopped_by=solution.stopped_by,
        versions=versions(),
    )
    figures = {
        "frequencies": [chart.strategy[1] for chart in solution.charts],
        "gains": [gains_of(chart) for chart in solution.charts],
    }
    arrays = {name: np.array(rows).reshape(-1, NUM_CLASSES) for name, rows in figures.items()}
    write_archive(path, PUSH_FOLD, header.model_dump(), arrays)
    return Path(path)


def load_push_fold(path: str | os.PathLike[str]) -> PushFoldSolution:
    """Open a file with such a solution.

    Args:
        path: The file.

    Returns:
        The solution.

    Raises:
        FileFormatError: It is missing, damaged or of another kind.
    """
    stored_header, arrays = read_archive(path, PUSH_FOLD)
    with reading_content(path, "a whole solution"):
        header = _Header.model_validate(stored_header)
        game = push_fold_of(header.game)
        _check(header, game, arrays)
    seat_of = {name: seat for seat, name in enumerate(game.names)}
    rows = zip(header.charts, arrays["frequencies"], arrays["gains"], strict=True)
    return PushFoldSolution(
        game=game,
        values=tuple(header.values),
        gains=tuple(header.gains),
        interval=None if header.interval is None else (header.interval[0], header.interval[1]),
        standard_errors=(None if header.standard_errors is None else tuple(header.standard_errors)),
        charts=tuple(
            chart_of(
                game,
                seat_of[chart.seat],
                [seat_of[name] for name in chart.against],
                frequencies,
                gains,
                chart.reached,
            )
            for chart, frequencies, gains in rows
        ),
        method=header.method,
        iterations=header.iterations,
        deals=header.deals,
        seed=header.seed,
        measured_deals=header.measured_deals,
        stopped_by=header.stopped_by,
    )


def push_fold_of(keys: dict[str, Any]) -> PushFold:
    """A game from what `PushFold.to_dict` gave."""
    lists = {name: tuple(keys[name]) for name in ("stacks", "blinds", "others")}
    payouts = None if keys["payouts"] is None else tuple(keys["payouts"])
    return PushFold(**{**keys, **lists, "payouts": payouts})


def _check(header: _Header, game: PushFold, arrays: dict[str, Any]) -> None:
    """Raise ValueError where the parts are not those of the game."""
    for name in ("frequencies", "gains"):
        shape = arrays[name].shape
        if shape != (len(header.charts), NUM_CLASSES) or not np.isfinite(arrays[name]).all():
            raise ValueError(f"{name} are not {NUM_CLASSES} finite numbers a chart")
    names = game.names
    for chart in header.charts:
        if chart.seat not in names or not {*chart.against} <= {*names}:
            raise ValueError("a chart is of a seat that the game does not have")
    for figures in (header.values, header.gains, header.standard_errors or header.values):
        if len(figures) != game.seats:
            raise ValueError(f"there are {len(figures)} figures for {game.seats} seats")
    if header.interval is not None and len(header.interval) != 2:
        raise ValueError("the interval has no two ends")
