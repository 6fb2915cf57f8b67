"""What a bot is asked, in one value, and the random numbers of its hands."""

from __future__ import annotations

from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, Final

import numpy as np

from equilibrist.poker.betting.actions import Action
from equilibrist.typing import FloatArray

_MAPPING: Final = 0
_ACTION: Final = 1
_SEARCH: Final = 2


@dataclass
class HandMemory:
    """What a bot keeps of a hand: what it meant by its own actions, and what all its hands did.

    Attributes:
        seed: The seed of the bot.
        number: The number of the hand.
        meant: The action of the strategy that an own action stands for, by the line with it.
        rows: float64[1326]: how often each hand takes an own action, by the line with it.
    """

    seed: int
    number: int
    meant: dict[str, Action] = field(default_factory=dict)
    rows: dict[str, FloatArray] = field(default_factory=dict)

    def mapping_draw(self, position: int) -> np.random.Generator:
        """What the mapping of an action is drawn by, the same whenever it is asked."""
        return self._generator(position, _MAPPING)

    def action_draw(self, position: int) -> np.random.Generator:
        """What an own action is drawn by."""
        return self._generator(position, _ACTION)

    def search_draw(self, position: int) -> np.random.Generator:
        """What a search draws by."""
        return self._generator(position, _SEARCH)

    def _generator(self, position: int, purpose: int) -> np.random.Generator:
        key = (self.number, position, purpose)
        return np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=key))


@dataclass
class Request:
    """A question to a bot.

    Attributes:
        hole_cards: The private cards of the seat to act.
        line: What was played and dealt in public.
        legal_actions: The labels of the legal actions, as the caller writes them; None for all that
            the rules allow.
        seconds: The most time; None for as much as is useful.
        table: The hand at the table; None for that of the strategy.
        memory: What the bot keeps of the hand.
        began: When the question came.
    """

    hole_cards: str
    line: str
    legal_actions: tuple[str, ...] | None
    seconds: float | None
    table: Any
    memory: HandMemory
    began: float = field(default_factory=perf_counter)

    @property
    def seconds_left(self) -> float | None:
        """What is left of the time."""
        if self.seconds is None:
            return None
        return max(0.0, self.seconds - (perf_counter() - self.began))
