"""What an iteration of Monte Carlo CFR draws, and what it tries: one class per sampler.

A sampler is a frozen dataclass of its parameters; `run` hands the tables to its kernel. It knows
neither the variant nor how the average is taken, except what its kernel adds on the way.
"""

from __future__ import annotations

from equilibrist.solvers.sampling.action_subsets import AverageStrategy, Probing, Robust
from equilibrist.solvers.sampling.chance import Chance, PublicChance
from equilibrist.solvers.sampling.escher import Escher
from equilibrist.solvers.sampling.external import External
from equilibrist.solvers.sampling.outcome import Outcome
from equilibrist.solvers.sampling.pure import Pure
from equilibrist.solvers.sampling.sampler import FitsAll, Sampler, Tables
from equilibrist.solvers.sampling.textbook import Textbook

__all__ = [
    "SAMPLERS",
    "AverageStrategy",
    "Chance",
    "Escher",
    "External",
    "FitsAll",
    "Outcome",
    "Probing",
    "PublicChance",
    "Pure",
    "Robust",
    "Sampler",
    "Tables",
    "Textbook",
]

SAMPLERS: dict[str, type[Sampler]] = {
    cls.name: cls
    for cls in (
        External,
        Outcome,
        Chance,
        PublicChance,
        AverageStrategy,
        Robust,
        Probing,
        Pure,
        Escher,
        Textbook,
    )
}
"""All samplers by name."""
