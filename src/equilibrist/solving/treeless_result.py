"""What `solve_without_tree` tells on the way and gives back."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from equilibrist.rules.strategy import PackedStrategy
from equilibrist.solving.config import SolveConfig
from equilibrist.solving.result import StoppedBy


@dataclass(frozen=True)
class TreelessProgress:
    """What a callback of `solve_without_tree` is told about 20 times a second.

    `nodes_touched` counts visited states, `num_infosets` those with a row in the table; `is_full`
    says that it has reached its bound. `eta_seconds` is None where the end cannot be foreseen.
    `bound_nash_conv` is that of `ImplicitMCCFR`, at most a few seconds old; where there is none,
    `why_no_bound` says why, and `bound_cce_gap` may say something else.
    """

    iteration: int
    seconds: float
    trajectories_per_second: float
    eta_seconds: float | None
    nodes_touched: int
    num_infosets: int
    table_bytes: int
    is_full: bool
    bound_nash_conv: float | None
    why_no_bound: str
    bound_cce_gap: float | None


@dataclass(frozen=True, eq=False)
class ImplicitResult:
    """A strategy for all players of a game without a tree, and the way there.

    How good it is has not been measured: a best response would visit every history.
    `bound_nash_conv` is that of `ImplicitMCCFR`, an estimate, `bound_unstored_share` its
    `unstored_share`; `play_duplicates` lets the strategy
    play against another. `num_infosets` have a row in the table of `table_bytes`, which with all
    the rest may take `memory` bytes; `is_full` says that it reached its bound. `seconds` counts
    iterating only, with those before the run was resumed.
    """

    game: str
    num_players: int
    algorithm: str
    iterations: int
    seconds: float
    strategy: PackedStrategy
    stopped_by: StoppedBy
    config: SolveConfig
    averaging: str
    averaging_every: int | None
    period: int
    executor: str
    threads: int
    guarantee: str
    notes: tuple[str, ...]
    nodes_touched: int
    num_infosets: int
    table_bytes: int
    memory: int
    is_full: bool
    bound_nash_conv: float | None
    bound_cce_gap: float | None
    bound_unstored_share: float
    versions: dict[str, str]
    solution_file: Path | None = None

    def to_dict(self) -> dict[str, Any]:
        """The document that `--json` prints: that of a solve, None for what was not measured."""
        return {
            "game": self.game,
            "algorithm": self.algorithm,
            "sampler": self.config.sampler,
            "averaging": self.averaging,
            "averaging_every": self.averaging_every,
            "period": self.period,
            "seed": self.config.seed,
            "nodes_touched": self.nodes_touched,
            "table_bytes": self.table_bytes,
            "table_is_full": self.is_full,
            "memory": self.memory,
            "executor": self.executor,
            "threads": self.threads,
            "shared": False,
            "iterations": self.iterations,
            "seconds": self.seconds,
            "stopped_by": self.stopped_by,
            "values": None,
            "best_response_values": None,
            "gains": None,
            "nash_conv": None,
            "exploitability": None,
            "measure_name": None,
            "bound_nash_conv": self.bound_nash_conv,
            "bound_cce_gap": self.bound_cce_gap,
            "bound_unstored_share": self.bound_unstored_share,
            "guarantee": self.guarantee,
            "family": None,
            "notes": list(self.notes),
            "num_players": self.num_players,
            "num_nodes": None,
            "num_infosets": self.num_infosets,
            "num_sequences": None,
            "strategy": None,
            "solution_file": None if self.solution_file is None else str(self.solution_file),
            "config": self.config.model_dump(mode="json"),
            "trace": [],
            "fingerprint": self.strategy.fingerprint,
            "versions": self.versions,
        }

    def save(self, path: str | os.PathLike[str]) -> ImplicitResult:
        """Write the strategy to a file; returns this result with `solution_file` set.

        The document stands in it as `made`. Raises OutputError; an earlier file at `path` then
        stays as it was.
        """
        made = {name: value for name, value in self.to_dict().items() if name != "solution_file"}
        return replace(self, solution_file=replace(self.strategy, made=made).save(path))

    def __repr__(self) -> str:
        return (
            f"ImplicitResult({self.game!r}, {self.algorithm!r}, iterations={self.iterations:,}, "
            f"infosets={self.num_infosets:,}, stopped_by={self.stopped_by!r})"
        )
