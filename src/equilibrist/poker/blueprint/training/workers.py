"""`Workers`: the cores of a cluster that train a blueprint in rounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from equilibrist.parsing.arguments import MOST_THREADS, whole_number

PERIOD: Final = 100
"""Iterations of a round: a worker then computes for seconds, and sends its numbers once."""


@dataclass(frozen=True)
class Workers:
    """Who trains, beside the process that was started.

    Attributes:
        count: Batches of a round, each the work of one core. The result depends on it.
        period: Iterations of a round. The result depends on it.
        address: The Ray cluster, as `host:port` or `auto`; None for one that is started on this
            machine and ends with the run.
        serial: Whether this process computes the batches, one after the other, in place of a
            cluster: bit-identical, for comparison.
    """

    count: int
    period: int = PERIOD
    address: str | None = None
    serial: bool = False

    def __post_init__(self) -> None:
        """Check the numbers."""
        whole_number("workers", self.count, 2, MOST_THREADS)
        whole_number("period", self.period, 1, 1_000_000)
