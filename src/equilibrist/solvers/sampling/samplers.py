"""The samplers of Monte Carlo CFR: what each iteration draws, and which actions it tries.

A sampler is a frozen dataclass of its parameters; `run` hands the tables to its kernel. It knows
neither the variant nor how the average is taken, except what its kernel adds on the way.
"""

from __future__ import annotations

from equilibrist._extensions import extensions
from equilibrist.solvers.sampling.action_subsets import AverageStrategy, Probing, Robust
from equilibrist.solvers.sampling.chance import Chance, PublicChance
from equilibrist.solvers.sampling.external import External
from equilibrist.solvers.sampling.outcome import Outcome
from equilibrist.solvers.sampling.pure import Pure
from equilibrist.solvers.sampling.sampler import FitsAll, Sampler, Tables

__all__ = [
    "SAMPLERS",
    "AverageStrategy",
    "Chance",
    "External",
    "FitsAll",
    "Outcome",
    "Probing",
    "PublicChance",
    "Pure",
    "Robust",
    "Sampler",
    "Tables",
]

_OWN: tuple[type[Sampler], ...] = (
    External, Outcome, Chance, PublicChance, AverageStrategy, Robust, Probing, Pure
)  # fmt: skip
SAMPLERS: dict[str, type[Sampler]] = {cls.name: cls for cls in _OWN} | extensions("samplers")
"""All samplers by name."""
