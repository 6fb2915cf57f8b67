"""Locks that are added to the spot of a solution, to solve it again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from equilibrist.poker.spots.lock import Lock

if TYPE_CHECKING:
    from collections.abc import Sequence

    from equilibrist.poker.solutions.result import PostflopResult

Document = dict[str, Any]


def locks_document(solution: PostflopResult, locks: Sequence[str]) -> Document:
    """The spot of a solution with other locks, and how it would be solved as before.

    Args:
        solution: The solution.
        locks: All locks that hold, as texts; those of the solution are not added.

    Returns:
        `locks` as they are written, `spot` as a spot file, and `options` of the run.

    Raises:
        LockSyntaxError: A lock cannot be read.
        ConfigError: It does not fit the spot.
    """
    spot = solution.spot.replace(locks=tuple(Lock.parse(text) for text in locks))
    options: Document = {"storage": solution.storage, "algorithm": solution.algorithm}
    if solution.target is None:
        options["iterations"] = solution.iterations
    else:
        options["target"] = f"{solution.target:.17g}c"
    return {
        "locks": [str(lock) for lock in spot.locks],
        "spot": spot.to_toml(),
        "options": options,
    }
