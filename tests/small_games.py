"""Games written down as nested tuples, for tests that need one particular shape.

A node is ("player", key, {action: node}), ("chance", {(label, probability): node}) or a tuple of
payoffs.
"""

from __future__ import annotations

from typing import Any

from equilibrist.game import CHANCE, TERMINAL


class Written:
    """A game given as a node; states are paths of action indices."""

    def __init__(self, root: Any, num_players: int, name: str = "written") -> None:
        self.root = root
        self.num_players = num_players
        self.name = name

    def node(self, state: tuple[int, ...]) -> Any:
        node = self.root
        for k in state:
            node = list(node[-1].values())[k]
        return node

    def initial_state(self) -> tuple[int, ...]:
        return ()

    def player(self, state: tuple[int, ...], /) -> int:
        node = self.node(state)
        if node and node[0] == "chance":
            return CHANCE
        return node[0] if len(node) == 3 and isinstance(node[2], dict) else TERMINAL

    def actions(self, state: tuple[int, ...], /) -> tuple[str, ...]:
        labels = tuple(self.node(state)[-1])
        return tuple(label[0] if isinstance(label, tuple) else label for label in labels)

    def chance(self, state: tuple[int, ...], /) -> tuple[float, ...]:
        return tuple(label[1] for label in self.node(state)[-1])

    def next(self, state: tuple[int, ...], action_index: int, /) -> tuple[int, ...]:
        return (*state, action_index)

    def payoffs(self, state: tuple[int, ...], /) -> tuple[float, ...]:
        return self.node(state)

    def infoset(self, state: tuple[int, ...], /) -> str:
        return self.node(state)[1]


class Chain:
    """One player who can go on or stop, `length` times; every step pays one more."""

    num_players = 1

    def __init__(self, length: int) -> None:
        self.length = length
        self.name = f"chain of {length}"

    def initial_state(self) -> tuple[int, bool]:
        return (0, False)

    def player(self, state: tuple[int, bool], /) -> int:
        return TERMINAL if state[1] or state[0] == self.length else 0

    def actions(self, state: tuple[int, bool], /) -> tuple[str, ...]:
        return ("on", "stop")

    def chance(self, state: tuple[int, bool], /) -> tuple[float, ...]:
        return ()

    def next(self, state: tuple[int, bool], action_index: int, /) -> tuple[int, bool]:
        return (state[0] + 1, False) if action_index == 0 else (state[0], True)

    def payoffs(self, state: tuple[int, bool], /) -> tuple[float, ...]:
        return (float(state[0]),)

    def infoset(self, state: tuple[int, bool], /) -> str:
        return str(state[0])


class Endless(Chain):
    """As a chain, but it never ends; with a `period` it comes back to where it was."""

    def __init__(self, period: int = 0, before: int = 0) -> None:
        super().__init__(0)
        self.name = "endless"
        self.period = period
        self.before = before

    def player(self, state: tuple[int, bool], /) -> int:
        return TERMINAL if state[1] else 0

    def next(self, state: tuple[int, bool], action_index: int, /) -> tuple[int, bool]:
        if action_index == 1:
            return (state[0], True)
        step = state[0] + 1
        if self.period and step == self.before + self.period:
            step = self.before
        return (step, False)
