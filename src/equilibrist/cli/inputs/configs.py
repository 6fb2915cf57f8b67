"""The algorithm and the checked configuration that the options of a solve give."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from equilibrist.solving import SolveConfig
    from equilibrist.solving.algorithm import Algorithm


def configured(given: Mapping[str, Any]) -> tuple[str | Algorithm, SolveConfig]:
    """The algorithm that the options name, and the configuration; raises ConfigError.

    `given` has values by the names of SOLVE_OPTIONS; missing ones have their defaults.
    """
    from equilibrist.solving.algorithm import get_algorithm, read_pruning, read_sampler
    from equilibrist.solving.config import SolveConfig

    drawn = read_sampler(given.get("sampler"), given.get("explicit_tree"))
    pruned = read_pruning(given.get("prune"))
    algorithm = get_algorithm(given.get("algorithm"), sampled=drawn is not None, prune=pruned)
    start = given.get("warm_start")
    named = {
        "algorithm": algorithm if isinstance(algorithm, str) else algorithm.name,
        "sampler": drawn,
        "prune": pruned,
        "warm_start": None if start is None else str(start),
    }
    return algorithm, SolveConfig.build(**{**given, **named})
