"""`solve`: a game's name in, a strategy and the proof of how good it is out."""

from __future__ import annotations

from equilibrist.solution import Solution
from equilibrist.solvers.run.trace import TracePoint
from equilibrist.solving.config import SolveConfig
from equilibrist.solving.kernel_cache import warm_cache
from equilibrist.solving.result import Progress, Result
from equilibrist.solving.running import solve

__all__ = [
    "Progress",
    "Result",
    "Solution",
    "SolveConfig",
    "TracePoint",
    "solve",
    "warm_cache",
]
