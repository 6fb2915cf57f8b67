"""What one traversal of a sampler adds to the tables of regrets and strategy sums."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from equilibrist.reference.game_walk import Node

Profile = Mapping[str, Sequence[float]]
"""The behavioural strategy of all players: probabilities by infoset."""


class TablesByInfoset(NamedTuple):
    """What is known when a traversal begins; a sampler may look at it and changes nothing.

    Attributes:
        regret: Cumulative regrets by infoset, one number per action.
        strategy_sum: The strategy sums, in the same form.
        iteration: The number of the iteration, from 1.
    """

    regret: Profile
    strategy_sum: Profile
    iteration: int = 1


@dataclass
class Step:
    """One history that a traversal visited, and what was worked out there.

    Attributes:
        node: The history.
        strategy: What its player plays, or chance's probabilities; empty at the end.
        choice: How its children were drawn: one, each, some, all, blocks, or end.
        chances: The probability q of each child that it is walked.
        walked: The children that were, by number.
        values: What each action is estimated to be worth to the traverser; empty at the end.
        value: The estimate for the history itself.
        regret: What is added to the regrets of its infoset; empty if nothing is.
        average: What is added to its strategy sum; empty if nothing is.
        average_weight: The factor of the strategy in that.
        compared: The drawn action whose value the others are compared with (pure CFR), or None:
            with the mean under `strategy`.
        probed: The actions that were valued by playing on to the end, by number.
    """

    node: Node
    strategy: Sequence[float]
    choice: str
    chances: Sequence[float]
    walked: Sequence[int]
    values: Sequence[float] = ()
    value: float = 0.0
    regret: Sequence[float] = ()
    average: Sequence[float] = ()
    average_weight: float = 0.0
    compared: int | None = None
    probed: Sequence[int] = ()


@dataclass
class Addition:
    """What one traversal adds, by infoset: one number per action.

    Attributes:
        regret: What is added to the regrets.
        strategy_sum: What is added to the strategy sums.
        steps: The histories visited, in the order of the visits, if the sampler records them
            (`weighted_sampling` and `textbook_outcome` do).
        visited: How many histories they are, if the sampler counts them.
    """

    regret: dict[str, list[float]] = field(default_factory=dict)
    strategy_sum: dict[str, list[float]] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    visited: int = 0

    def add_regret(self, infoset: str, numbers: Sequence[float]) -> None:
        """Add to the regrets of one infoset.

        Args:
            infoset: Its key.
            numbers: One per action.
        """
        _add(self.regret, infoset, numbers)

    def add_strategy(self, infoset: str, numbers: Sequence[float]) -> None:
        """Add to the strategy sum of one infoset.

        Args:
            infoset: Its key.
            numbers: One per action.
        """
        _add(self.strategy_sum, infoset, numbers)


def _add(table: dict[str, list[float]], infoset: str, numbers: Sequence[float]) -> None:
    row = table.setdefault(infoset, [0.0] * len(numbers))
    for k, number in enumerate(numbers):
        row[k] += number
