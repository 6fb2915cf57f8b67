"""When the solving of a spot ends: targets, and what holds where none is given."""

from __future__ import annotations

import re
from typing import Final

from equilibrist.parsing.arguments import bad_argument, optional_whole_number, real_number
from equilibrist.solvers.run.loop import Stop

DEFAULT_TARGET: Final = 0.003
"""The share of the pot that ends a run that is told nothing else."""
DEFAULT_ITERATIONS: Final = 1000
"""Where such a run stops at the latest."""
_TARGET: Final = re.compile(r"\s*(\d+\.?\d*|\.\d+)\s*(%|c|chips?)\s*", re.IGNORECASE | re.ASCII)


def read_stop(
    pot: int,
    target: str | float | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    *,
    done: int = 0,
) -> Stop:
    """When a run ends, whichever comes first; the target of the result is in chips.

    `target` is a text, `0.3%` of the pot or `0.5c` in chips, or a number, the share of the pot.
    With nothing given, 0.3 % of the pot, after at most 1,000 iterations; if more are `done`, at the
    next thousand. Raises ConfigError.
    """
    if target is None and iterations is None and seconds is None:
        thousands = max(1, -(-done // DEFAULT_ITERATIONS))
        return Stop(thousands * DEFAULT_ITERATIONS, DEFAULT_TARGET * pot)
    return Stop(
        optional_whole_number("iterations", iterations, 1),
        None if target is None else _chips(target, pot),
        None if seconds is None else real_number("seconds", seconds, 0.0, 1e9),
    )


def _chips(target: object, pot: int) -> float:
    if not isinstance(target, str):
        return pot * real_number("target", target, 0.0, 1.0)
    found = _TARGET.fullmatch(target)
    if found is None:
        raise bad_argument(
            "target", target, "a share of the pot, such as 0.3%, or chips, such as 0.5c"
        )
    amount = float(found[1])
    if found[2] != "%":
        return amount
    if amount > 100.0:
        raise bad_argument("target", target, "a share of the pot from 0% to 100%")
    return pot * amount / 100
