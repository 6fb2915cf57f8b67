"""A spot of hold'em given to `solve`: what `poker.solve` takes of its options, and the file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from equilibrist.errors import ConfigError
from equilibrist.parsing.arguments import file_name, same_file
from equilibrist.progress import Callbacks
from equilibrist.solving.writing import ResultWriter

if TYPE_CHECKING:
    from equilibrist.poker.postflop.solution.result import PostflopResult

_SPOT_OPTIONS: Final = (
    "iterations", "seconds", "target", "threads", "storage", "memory", "checkpoint",
    "checkpoint_every", "resume",
)  # fmt: skip
"""What `poker.solve` takes of the options of `solve`."""


def solve_spot(
    spot: Any,
    algorithm: Any,
    callbacks: Callbacks,
    options: dict[str, Any],
    usual: Mapping[str, Any],
) -> PostflopResult:
    """`poker.solve`, and the file of `out`; ConfigError for options that are not for spots.

    `usual` has the defaults of the options of `solve`.
    """
    from equilibrist.poker.postflop.solution.result import PostflopResult
    from equilibrist.poker.postflop.solution.spot_file import check_save
    from equilibrist.poker.postflop.solving.spot_runs import solve as solve_postflop

    out = options.pop("out")
    for name, default in usual.items():
        given = options.get(name)
        if name in options and name not in _SPOT_OPTIONS and given != default:
            raise ConfigError(
                f"{name} has no meaning for a spot of hold'em",
                option=name,
                given=given,
                remedy="leave it out",
            )
    if out is not None:
        place = file_name("out", out)
        for name in ("checkpoint", "resume"):
            other = options[name]
            if isinstance(other, str | os.PathLike) and same_file(place, file_name(name, other)):
                raise ConfigError(
                    f"{name} and out are the same file",
                    option="out",
                    given=place,
                    remedy="give each its own",
                )
        check_save(spot, place, "all")
    chosen = {name: options[name] for name in _SPOT_OPTIONS}
    solution = solve_postflop(spot, algorithm, callbacks=callbacks, **chosen)
    save = None if out is None else lambda found: found.save(place)
    writer = ResultWriter[PostflopResult](save, name="solution.spot")
    solution = writer.write(solution)
    writer.raise_failures()
    return solution
