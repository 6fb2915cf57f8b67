"""A spot of hold'em given to `solve`: what `poker.solve` takes of its options, and the file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from equilibrist.errors import ConfigError
from equilibrist.parsing.arguments import file_name, same_file
from equilibrist.progress import Callbacks
from equilibrist.solving.config import SolveConfig
from equilibrist.solving.writing import ResultWriter

if TYPE_CHECKING:
    from equilibrist.poker.postflop.solution.result import PostflopResult
    from equilibrist.poker.postflop.spot.fields import Storage


def refuse_game_options(**options: Any) -> None:
    """ConfigError for an option that is not for spots and has another value than by default.

    Args:
        options: What `solve` takes for games only, by name, in the order of its signature.
    """
    for name, value in options.items():
        if value != SolveConfig.model_fields[name].default:
            raise ConfigError(
                f"{name} has no meaning for a spot of hold'em",
                option=name,
                given=value,
                remedy="leave it out",
            )


def solve_spot(
    spot: Any,
    algorithm: Any,
    callbacks: Callbacks,
    *,
    iterations: int | None,
    seconds: float | None,
    target: Any,
    threads: int | None,
    storage: Storage | None,
    memory: int | None,
    out: str | os.PathLike[str] | None,
    checkpoint: str | os.PathLike[str] | None,
    checkpoint_every: float,
    resume: bool | str | os.PathLike[str] | None,
) -> PostflopResult:
    """Solve a spot by `poker.solve`, and write the file `out`.

    The other options are those of `poker.solve`, which checks them.
    """
    from equilibrist.poker.postflop.solution.result import PostflopResult
    from equilibrist.poker.postflop.solution.spot_file import check_save
    from equilibrist.poker.postflop.solving.spot_runs import solve as solve_postflop

    if out is not None:
        place = file_name("out", out)
        for name, other in (("checkpoint", checkpoint), ("resume", resume)):
            if isinstance(other, str | os.PathLike) and same_file(place, file_name(name, other)):
                raise ConfigError(
                    f"{name} and out are the same file",
                    option="out",
                    given=place,
                    remedy="give each its own",
                )
        check_save(spot, place, "all")
    solution = solve_postflop(
        spot,
        algorithm,
        callbacks=callbacks,
        iterations=iterations,
        seconds=seconds,
        target=target,
        threads=threads,
        storage=storage,
        memory=memory,
        checkpoint=checkpoint,
        checkpoint_every=checkpoint_every,
        resume=resume,
    )
    save = None if out is None else lambda result: result.save(place)
    writer = ResultWriter[PostflopResult](save, name="solution.spot")
    solution = writer.write(solution)
    writer.raise_failures()
    return solution
