"""Rules as a `Game`: what is small enough compiles to a tree, is solved and measured exactly."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from equilibrist.game import TERMINAL
from equilibrist.rules.module import Rules
from equilibrist.typing import Int64Array

RulesState = tuple[int, ...]
"""The integers of the state."""


@dataclass(frozen=True, eq=False)
class RulesGame:
    """A `Game` that plays by `rules`, with their own functions, not compiled.

    Infosets are called what `text` of the rules says, else by their two numbers in hexadecimals;
    actions what `label` says, else by their numbers.
    """

    rules: Rules

    @property
    def name(self) -> str:
        """The name of the rules."""
        return self.rules.name

    @property
    def num_players(self) -> int:
        """How many players."""
        return self.rules.num_players

    def initial_state(self) -> RulesState:
        """The state before anything has happened."""
        s = np.zeros(self.rules.state_size, dtype=np.int64)
        self.rules.function("start")(self.rules.g, s)
        return tuple(s.tolist())

    def player(self, state: RulesState, /) -> int:
        """Whose turn it is."""
        return int(self.rules.function("player")(self.rules.g, _array(state)))

    def actions(self, state: RulesState, /) -> tuple[str, ...]:
        """What actions or outcomes are called."""
        s = _array(state)
        count = int(self.rules.function("num_actions")(self.rules.g, s))
        if not self.rules.has("label"):
            return tuple(map(str, range(count)))
        label = self.rules.function("label")
        return tuple(label(self.rules.g, s, a) for a in range(count))

    def chance(self, state: RulesState, /) -> tuple[float, ...]:
        """The probability of each outcome."""
        s = _array(state)
        count = int(self.rules.function("num_actions")(self.rules.g, s))
        if not self.rules.has("probability"):
            return (1.0 / count,) * count
        probability = self.rules.function("probability")
        return tuple(float(probability(self.rules.g, s, a)) for a in range(count))

    def next(self, state: RulesState, action_index: int, /) -> RulesState:
        """The state after the action with this number."""
        s = _array(state)
        self.rules.function("apply")(self.rules.g, s, action_index)
        return tuple(s.tolist())

    def payoffs(self, state: RulesState, /) -> tuple[float, ...]:
        """Everybody's payoff at the end."""
        s = _array(state)
        payoff = self.rules.function("payoff")
        return tuple(float(payoff(self.rules.g, s, p)) for p in range(self.num_players))

    def infoset(self, state: RulesState, /) -> str:
        """What the mover knows."""
        if self.rules.has("text"):
            text: str = self.rules.function("text")(self.rules.g, _array(state))
            return text
        high, low = self.packed(state)
        return f"{high:x}.{low:x}"

    def packed(self, state: RulesState) -> tuple[int, int]:
        """The mover's infoset as the rules pack it."""
        out = np.zeros(2, dtype=np.uint64)
        self.rules.function("key")(self.rules.g, _array(state), out)
        return int(out[0]), int(out[1])

    def packed_keys(self) -> dict[str, tuple[int, int]]:
        """Every infoset's two numbers by what it is called; walks the whole game."""
        found: dict[str, tuple[int, int]] = {}
        waiting = [self.initial_state()]
        while waiting:
            state = waiting.pop()
            player = self.player(state)
            if player == TERMINAL:
                continue
            if player >= 0:
                found[self.infoset(state)] = self.packed(state)
            waiting += [self.next(state, a) for a in range(len(self.actions(state)))]
        return found


def _array(state: RulesState) -> Int64Array:
    return np.array(state, dtype=np.int64)
