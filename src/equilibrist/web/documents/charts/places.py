"""Decisions of charts: the way to them, their actions, and what each class of hands does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from equilibrist.poker.cards.combos import CLASS_NAMES
from equilibrist.poker.postflop.solution.node_aggregates import json_number
from equilibrist.typing import FloatArray

Document = dict[str, Any]


@dataclass(frozen=True)
class Choice:
    """An action at a decision.

    Attributes:
        code: As lines write it.
        name: As pages show it.
        role: How it is coloured, as `study.action_roles` says it.
        line: The line of the decision that follows; None where the hand ends, or the file does.
        frequency: How often it is taken by the hands that get here; None where nobody knows.
    """

    code: str
    name: str
    role: str
    line: str | None
    frequency: float | None = None


@dataclass(frozen=True)
class Place:
    """A decision.

    Attributes:
        line: Its line, empty for the first.
        seat: Who acts.
        street: `preflop`, or a later one.
        choices: The actions.
        chosen: The number of the action that was taken there, on the way to another.
    """

    line: str
    seat: str
    street: str
    choices: tuple[Choice, ...]
    chosen: int | None = None

    def with_frequencies(self, shares: FloatArray | Sequence[float]) -> Place:
        """The place with the frequencies of its actions."""
        choices = zip(self.choices, shares, strict=True)
        return replace(
            self, choices=tuple(replace(one, frequency=float(share)) for one, share in choices)
        )

    def to_dict(self) -> Document:
        """Plain values."""
        return {
            "line": self.line,
            "seat": self.seat,
            "street": self.street,
            "chosen": self.chosen,
            "actions": [
                {
                    "code": one.code,
                    "name": one.name,
                    "role": one.role,
                    "line": one.line,
                    "frequency": one.frequency,
                }
                for one in self.choices
            ],
        }


@dataclass(frozen=True)
class Hands:
    """What the 169 classes do at a decision.

    Attributes:
        combos: float64[169]: hands of each class.
        reach: float64[169]: how often the seat plays to here with the class.
        strategy: float64[A, 169].
        ev: float64[169], what the hand wins, or None where nobody knows.
        action_ev: float64[A, 169], what each action wins, or None.
    """

    combos: FloatArray
    reach: FloatArray
    strategy: FloatArray
    ev: FloatArray | None = None
    action_ev: FloatArray | None = None

    @property
    def frequencies(self) -> FloatArray:
        """float64[A]: how often each action is taken by the hands that get here."""
        weights = self.combos * self.reach
        found: FloatArray = self.strategy @ weights / max(float(weights.sum()), 1e-300)
        return found

    def to_dict(self) -> Document:
        """By the name of the class: combos, reach, strategy, EV, EV of each action."""
        found = {}
        for k in np.flatnonzero(self.combos).tolist():
            found[CLASS_NAMES[k]] = {
                "combos": float(self.combos[k]),
                "reach": round(float(self.reach[k]), 6),
                "strategy": np.round(self.strategy[:, k], 6).tolist(),
                "ev": None if self.ev is None else json_number(self.ev[k]),
                "action_ev": None
                if self.action_ev is None
                else [json_number(value) for value in self.action_ev[:, k]],
            }
        return found
