"""Files of solved hands of several seats."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final

import numpy as np
from pydantic import Field

from equilibrist.parsing.arguments import instance
from equilibrist.poker.hands.hand import Hand
from equilibrist.poker.hands.stored import read_stored_hand, stored_hand
from equilibrist.poker.preflop.multiway.hand_tree import check_hand, hand_tree
from equilibrist.poker.preflop.multiway.solution import MultiwaySolution
from equilibrist.solvers.run.stopping import StopReason
from equilibrist.storage.archive import read_archive, write_archive
from equilibrist.storage.damage import reading_content
from equilibrist.storage.kinds.file_kinds import MULTIWAY
from equilibrist.storage.versions import FileHeader, versions

_ARRAYS: Final = ("strategy", "action_values", "reached")


class _Header(FileHeader):
    hand: dict[str, Any]
    values: list[float]
    standard_errors: list[float]
    gains: list[float]
    intervals: list[list[float]]
    interval: list[float] = Field(min_length=2, max_length=2)
    iterations: int = Field(ge=0, le=2**53)
    deals: int = Field(ge=0, le=2**53)
    measured_deals: int = Field(ge=0, le=2**53)
    seed: int = Field(ge=0)
    seconds: float = Field(ge=0.0)
    stopped_by: StopReason
    versions: dict[str, str]


def save_multiway(solution: MultiwaySolution, path: str | os.PathLike[str]) -> Path:
    """Write a solution to a file, which `inspect`, `export` and the browser open.

    Args:
        solution: The solution.
        path: The file, such as `hand.safetensors`.

    Returns:
        The file.

    Raises:
        OutputError: It cannot be written.
    """
    instance("solution", solution, MultiwaySolution, "what solve_multiway gives")
    header = _Header(
        hand=stored_hand(solution.hand),
        values=[*solution.values],
        standard_errors=[*solution.standard_errors],
        gains=[*solution.gains],
        intervals=[[*bounds] for bounds in solution.intervals],
        interval=[*solution.interval],
        iterations=solution.iterations,
        deals=solution.deals,
        measured_deals=solution.measured_deals,
        seed=solution.seed,
        seconds=solution.seconds,
        stopped_by=solution.stopped_by,
        versions=versions(),
    )
    arrays = {name: getattr(solution, name) for name in _ARRAYS}
    write_archive(path, MULTIWAY, header.model_dump(), arrays)
    return Path(path)


def load_multiway(path: str | os.PathLike[str]) -> MultiwaySolution:
    """Open a file with such a solution.

    Args:
        path: The file.

    Returns:
        The solution.

    Raises:
        FileFormatError: It is missing, damaged or of another kind.
    """
    stored_header, arrays = read_archive(path, MULTIWAY)
    with reading_content(path, "a whole solution"):
        header = _Header.model_validate(stored_header)
        hand = read_stored_hand(header.hand)
        check_hand(hand)
        _check(header, hand, arrays)
    return MultiwaySolution(
        hand=hand,
        values=tuple(header.values),
        standard_errors=tuple(header.standard_errors),
        gains=tuple(header.gains),
        intervals=tuple((low, high) for low, high in header.intervals),
        interval=(header.interval[0], header.interval[1]),
        iterations=header.iterations,
        deals=header.deals,
        measured_deals=header.measured_deals,
        seed=header.seed,
        seconds=header.seconds,
        stopped_by=header.stopped_by,
        **{name: arrays[name] for name in _ARRAYS},
    )


def _check(header: _Header, hand: Hand, arrays: dict[str, Any]) -> None:
    """Raise ValueError where the parts are not those of the hand."""
    seats = hand.rules.seats
    shape = hand_tree(hand).sampled(seats, 0, 1).shape
    for name, wanted in zip(_ARRAYS, (shape, shape, shape[:2]), strict=True):
        if arrays[name].shape != wanted or not np.isfinite(arrays[name]).all():
            raise ValueError(f"{name} is not {wanted} finite numbers")
    for figures in (header.values, header.gains, header.standard_errors, header.intervals):
        if len(figures) != seats:
            raise ValueError(f"there are {len(figures)} figures for {seats} seats")
