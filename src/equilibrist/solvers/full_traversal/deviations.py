"""The families of deviations of EFR, and what the play of each approaches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

CONCEPTS: Final = {
    "NFCCE": "a normal-form coarse correlated equilibrium",
    "AFCE": "an agent-form correlated equilibrium",
    "EFCCE": "an extensive-form coarse correlated equilibrium",
    "EFCE": "an extensive-form correlated equilibrium",
}
"""The kinds of correlated equilibria in full."""


@dataclass(frozen=True)
class Family:
    """One family of deviations.

    Attributes:
        name: The word for it.
        title: What Morrill et al. call it.
        approaches: What the history of play approaches, one of CONCEPTS.
        nash: Whether the averages of two players with constant sum approach a Nash equilibrium.
    """

    name: str
    title: str
    approaches: str
    nash: bool = True

    @property
    def equilibrium(self) -> str:
        """What the history of play approaches, in full and in short."""
        return f"{CONCEPTS[self.approaches]} ({self.approaches})"


FAMILIES: Final = {
    family.name: family
    for family in (
        Family("cfr", "blind counterfactual", "NFCCE"),
        Family("cfr_in", "informed counterfactual", "NFCCE"),
        Family("a", "informed action", "AFCE", nash=False),
        Family("bps", "blind partial sequence", "EFCCE"),
        Family("cfps", "counterfactual partial sequence", "EFCCE"),
        Family("csps", "causal partial sequence", "EFCE"),
        Family("tips", "twice informed partial sequence", "EFCE"),
        Family("bhv", "behavioural", "EFCE"),
    )
}
"""The families by name."""
