"""Files of solved spots: what their header says, and how they are written."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal, get_args

from numpy.typing import NDArray
from pydantic import AliasChoices, BeforeValidator, Field

from equilibrist.errors import ConfigError
from equilibrist.parsing.arguments import bad_argument
from equilibrist.poker.postflop.spot.fields import Storage
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.solvers.run.stopping import StopReason, stop_reason_of_file
from equilibrist.solvers.run.trace import TraceRow
from equilibrist.storage.archive import check_writable, write_archive
from equilibrist.storage.kinds.file_kinds import SPOT_SOLUTION
from equilibrist.storage.versions import FileHeader, versions

Keep = Literal["all", "no-rivers", "first-street"]
KEEPS: Final[tuple[Keep, ...]] = get_args(Keep)
"""The streets that a file keeps. The others are re-solved on demand."""


class LeafValuesNote(FileHeader):
    """What stood in place of the later streets of a spot that was solved over leaf values."""

    name: str
    """What it is called: the name of a file, or `check-down`."""
    identity: str
    """The hash of the file; may be empty."""

    def __str__(self) -> str:
        return f"{self.name} ({self.identity[:12]})" if self.identity else self.name


class SpotHeader(FileHeader):
    """The header of a file.

    Older files call mean gains exploitability, with rake too, the frequency error
    `missed_frequency`, and the time limit that ended a run `time`. With `leaf_values` the mean gain
    is an estimate, see `LeafEngine.estimated_gain`.
    """

    spot: str
    keep: Keep
    storage: Storage
    variant: str
    layout: str
    iterations: int = Field(ge=0, le=2**53)
    seconds: float = Field(ge=0.0)
    mean_gain: float = Field(validation_alias=AliasChoices("mean_gain", "exploitability"))
    unlocked_mean_gain: float | None = Field(
        validation_alias=AliasChoices("unlocked_mean_gain", "unlocked_exploitability")
    )
    frequency_error: float | None = Field(
        None, validation_alias=AliasChoices("frequency_error", "missed_frequency")
    )
    target: float | None
    stopped_by: Annotated[StopReason, BeforeValidator(stop_reason_of_file)]
    memory_bytes: int = Field(ge=0, le=2**63)
    versions: dict[str, str]
    trace: list[TraceRow] = Field(default_factory=list)
    leaf_values: LeafValuesNote | None = None
    ev_error: float | None = None
    values: tuple[float, float] | None = None
    tremble: float | None = None
    quantal: float | None = None
    trembling_gain: float | None = None
    temperature: float | None = None


def check_save(spot: Spot, path: str | os.PathLike[str], keep: Keep) -> int:
    """Count the streets that a file would keep; raises now what `write_spot` would raise later."""
    streets = kept_streets(spot, keep)
    check_writable(path, SPOT_SOLUTION)
    return streets


def write_spot(
    path: str | os.PathLike[str],
    spot: Spot,
    keep: Keep,
    parts: Callable[[int], tuple[dict[str, Any], dict[str, NDArray[Any]]]] | None,
    run: Mapping[str, Any],
) -> Path:
    """Write a solved spot to a file, atomically, and return its path.

    `parts` gives what a number of streets needs; `run` has the other fields of the header. Raises
    ConfigError if nothing would be left or `parts` is None, and OutputError.
    """
    streets = check_save(spot, path, keep)
    if parts is None:
        raise ConfigError(
            "this solution has nothing to save: it was not made by poker.solve", option="solution"
        )
    fields, arrays = parts(streets)
    header = SpotHeader(keep=keep, versions=versions(), **run, **fields)
    return write_archive(path, SPOT_SOLUTION, header.model_dump(), arrays, in_parts=True)


def kept_streets(spot: Spot, keep: object) -> int:
    """Count the streets that a file keeps."""
    if keep not in KEEPS:
        raise bad_argument("keep", keep, f"one of {', '.join(KEEPS)}")
    whole = 3 - spot.first_street
    streets = {"all": whole, "no-rivers": whole - 1, "first-street": 1}[str(keep)]
    if not streets:
        raise ConfigError(
            "the spot begins on the river: without rivers nothing is left",
            option="keep",
            given=str(keep),
            remedy="keep all",
        )
    return streets
