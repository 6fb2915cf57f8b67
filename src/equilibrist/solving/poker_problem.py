"""Hold'em in `solve`: the solvers of spots and hands, the options that they take, the file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from equilibrist.errors import ConfigError, OutputError
from equilibrist.parsing.arguments import (
    file_name,
    refuse_same_files,
    resumed_file,
    whole_number,
)
from equilibrist.progress import Callbacks
from equilibrist.solving.config import SolveConfig
from equilibrist.solving.writing import ResultWriter, saved_elsewhere
from equilibrist.storage.tables import SUFFIXES

if TYPE_CHECKING:
    from equilibrist.poker.hands.hand import Hand
    from equilibrist.poker.postflop.solution.result import PostflopResult
    from equilibrist.poker.postflop.spot.fields import Storage
    from equilibrist.poker.postflop.spot.spot import Spot
    from equilibrist.poker.preflop.exact.solution import PreflopSolution

_SPOT: Final = (
    "iterations",
    "seconds",
    "target",
    "threads",
    "memory",
    "checkpoint",
    "checkpoint_every",
    "resume",
)
"""The options of `solve` that `poker.solve` takes, too."""
_HAND: Final = (*_SPOT, "seed")
"""Those that `poker.solve_preflop` takes."""


def solve_spot(
    spot: Spot,
    algorithm: Any,
    callbacks: Callbacks,
    options: Mapping[str, Any],
    storage: Storage | None,
) -> PostflopResult:
    """Solve a spot by `poker.solve`, which checks the options, and write the file `out`.

    ConfigError for an option that is for games only.
    """
    from equilibrist.poker.postflop.solution.result import PostflopResult
    from equilibrist.poker.postflop.solution.spot_file import check_save
    from equilibrist.poker.postflop.solving.spot_runs import solve as solve_postflop

    own = _own_options(options, _SPOT, "a spot")
    place = _solution_file(options)
    if place is not None:
        check_save(spot, place, "all")
    solution = solve_postflop(spot, algorithm, callbacks=callbacks, storage=storage, **own)
    save = None if place is None else lambda result: result.save(place)
    writer = ResultWriter[PostflopResult](save, name="solution.spot")
    solution = writer.write(solution)
    writer.raise_failures()
    return solution


def solve_hand(
    hand: Hand,
    algorithm: Any,
    callbacks: Callbacks,
    options: Mapping[str, Any],
    flops: int | None,
    keep_flops: int | None,
) -> PreflopSolution:
    """Solve a hand by `poker.solve_preflop`, which checks the options, and write the file `out`.

    ConfigError for an option that is for games only.
    """
    from equilibrist.poker.preflop.exact.solution import PreflopSolution
    from equilibrist.poker.preflop.exact.solving import solve_preflop
    from equilibrist.storage.archive import check_writable
    from equilibrist.storage.kinds.file_kinds import PREFLOP_SOLUTION

    own = _own_options(options, _HAND, "a hand")
    # 0 is the default, and a run that is resumed has its own
    own["seed"] = whole_number("seed", own["seed"], 0) or None
    own["resume"] = resumed_file(own["resume"], own["checkpoint"])
    place = _solution_file(options)
    if place is not None:
        check_writable(place, PREFLOP_SOLUTION)
    solution = solve_preflop(
        hand, algorithm, callbacks=callbacks, flops=flops, keep_flops=keep_flops, **own
    )
    if place is not None:
        try:
            solution.save(place)
        except OutputError as error:
            raise saved_elsewhere(
                solution, PreflopSolution.save, "solution.preflop", error
            ) from None
    return solution


def _own_options(
    options: Mapping[str, Any], names: tuple[str, ...], problem: str
) -> dict[str, Any]:
    """The options that the solver of a problem takes; ConfigError for another one that is set."""
    for name, value in options.items():
        if name not in (*names, "out") and value != SolveConfig.model_fields[name].default:
            raise ConfigError(
                f"{name} has no meaning for {problem} of hold'em",
                option=name,
                given=value,
                remedy="leave it out",
            )
    return {name: options[name] for name in names if name in options}


def _solution_file(options: Mapping[str, Any]) -> Path | None:
    """Where the solution goes; ConfigError where a checkpoint is the same file, OutputError."""
    if options["out"] is None:
        return None
    place = file_name("out", options["out"])
    if place.suffix.lower() in SUFFIXES:
        raise OutputError(
            f"{place} is the name of a table, and solutions are saved as .safetensors",
            place,
            option="out",
            given=place.name,
            remedy=f"call it {place.with_suffix('.safetensors')}",
        )
    for name in ("checkpoint", "resume"):
        other = options[name]
        if isinstance(other, str | os.PathLike):
            refuse_same_files({name: file_name(name, other), "out": place})
    return place
