"""What one traversal of a sampler adds to the tables of regrets and strategy sums."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Profile = Mapping[str, list[float]]
"""The behavioural strategy of all players: probabilities by infoset."""


@dataclass
class Addition:
    """What one traversal adds, by infoset: one number per action."""

    regret: dict[str, list[float]] = field(default_factory=dict)
    strategy_sum: dict[str, list[float]] = field(default_factory=dict)

    def add_regret(self, infoset: str, numbers: list[float]) -> None:
        """Add to the regrets of one infoset."""
        _add(self.regret, infoset, numbers)

    def add_strategy(self, infoset: str, numbers: list[float]) -> None:
        """Add to the strategy sum of one infoset."""
        _add(self.strategy_sum, infoset, numbers)


def _add(table: dict[str, list[float]], infoset: str, numbers: list[float]) -> None:
    row = table.setdefault(infoset, [0.0] * len(numbers))
    for k, number in enumerate(numbers):
        row[k] += number
