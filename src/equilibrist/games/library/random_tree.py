"""Random games, the same for the same parameters on every machine.

At each history a hash of the seed and the way there says whether chance or a player moves, what
each outcome's probability is, whether the game ends early, and what it pays. A player who is to
move sees one of a few signals. An infoset is all that its player has seen and done: the signals
and own actions in order, so that recall is perfect and histories with equal signals are merged.
The number of actions depends on the infoset alone; infosets with a single action occur.

With `imperfect_recall` an infoset keeps the number of own moves and the latest signal only.

Keys are the player, then a signal and an action in turn: `0:s1`, `0:s1.a2.s0`. The mixing
function is SplitMix64: Guy L. Steele Jr., Doug Lea and Christine H. Flood, "Fast splittable
pseudorandom number generators", OOPSLA 2014.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from equilibrist.game import CHANCE, TERMINAL
from equilibrist.games.parameters import NamedGame, parameter

RandomTreeState = tuple[int, int, int, tuple[str, ...]]
"""Who acts, a 64-bit number for the history, its depth, and what each player knows."""

_MASK = (1 << 64) - 1
_PAYOFF_STEPS = 64
"""Payoffs are multiples of 1/64, so that sums of them are exact."""


@dataclass(frozen=True)
class RandomTree(NamedGame):
    """A random game."""

    game_name: ClassVar[str] = "random_tree"
    aliases: ClassVar[tuple[str, ...]] = ("random", "random_game")
    summary: ClassVar[str] = "random games with perfect recall, for tests"

    seed: int = parameter("integer", 0, "which game", minimum=0, maximum=_MASK)
    players: int = parameter("integer", 2, "number of players", minimum=1, maximum=10)
    depth: int = parameter("integer", 6, "moves at most, chance included", minimum=0, maximum=64)
    branching: int = parameter("integer", 3, "actions at most", minimum=1, maximum=26)
    signals: int = parameter("integer", 2, "signals a player can see at a turn", minimum=1)
    chance_share: float = parameter(
        "number", 0.2, "share of histories where chance moves", minimum=0, maximum=1, name="chance"
    )
    forced: float = parameter(
        "number", 0.15, "share of infosets with a single action", minimum=0, maximum=1
    )
    stop: float = parameter("number", 0.1, "share of histories that end", minimum=0, maximum=1)
    zero_sum: bool = parameter("flag", True, "payoffs add up to zero")
    imperfect_recall: bool = parameter("flag", False, "players forget their own actions")
    _counts: dict[str, int] = field(init=False, repr=False, compare=False)
    _labels: tuple[tuple[str, ...], ...] = field(init=False, repr=False, compare=False)
    _outcomes: tuple[tuple[str, ...], ...] = field(init=False, repr=False, compare=False)

    def prepare(self) -> None:
        sizes = range(max(self.branching, 2) + 1)
        self.remember(
            _counts={},
            _labels=tuple(tuple(f"a{i}" for i in range(n)) for n in sizes),
            _outcomes=tuple(tuple(f"o{i}" for i in range(n)) for n in sizes),
        )

    @property
    def num_players(self) -> int:
        return self.players

    def initial_state(self) -> RandomTreeState:
        known = tuple(f"{player}:" for player in range(self.players))
        return self._arrive(_mixed(self.seed), 0, known)

    def player(self, state: RandomTreeState, /) -> int:
        return state[0]

    def actions(self, state: RandomTreeState, /) -> tuple[str, ...]:
        if state[0] == CHANCE:
            return self._outcomes[self._outcome_count(state[1])]
        return self._labels[self._action_count(state[3][state[0]])]

    def chance(self, state: RandomTreeState, /) -> tuple[float, ...]:
        count = self._outcome_count(state[1])
        weights = [1 + _mixed(state[1] + 1101 + i) % 8 for i in range(count)]
        total = sum(weights)
        return tuple(weight / total for weight in weights)

    def next(self, state: RandomTreeState, action_index: int, /) -> RandomTreeState:
        player, place, depth, known = state
        if player != CHANCE:
            own = known[player]
            if self.imperfect_recall:
                own = f"{player}:{'.' * (own.count('.') + 1)}"
            else:
                own = f"{own}.a{action_index}."
            known = (*known[:player], own, *known[player + 1 :])
        return self._arrive(_mixed(place + 1 + action_index), depth + 1, known)

    def _arrive(self, place: int, depth: int, known: tuple[str, ...]) -> RandomTreeState:
        if depth >= self.depth or (depth > 0 and _share(place, 1001) < self.stop):
            return (TERMINAL, place, depth, ())
        if _share(place, 1002) < self.chance_share:
            return (CHANCE, place, depth, known)
        player = _mixed(place + 1003) % self.players
        signal = _mixed(place + 1004) % self.signals
        known = (*known[:player], f"{known[player]}s{signal}", *known[player + 1 :])
        return (player, place, depth, known)

    def _outcome_count(self, place: int) -> int:
        return 2 + _mixed(place + 1005) % (max(self.branching, 2) - 1)

    def _action_count(self, key: str) -> int:
        count = self._counts.get(key)
        if count is None:
            place = _mixed(self.seed ^ _MASK)
            for letter in key.encode():
                place = _mixed(place ^ letter)
            forced = self.branching == 1 or _share(place, 1007) < self.forced
            count = 1 if forced else 2 + _mixed(place + 1008) % (self.branching - 1)
            self._counts[key] = count
        return count

    def payoffs(self, state: RandomTreeState, /) -> tuple[float, ...]:
        place = state[1]
        steps = [
            _mixed(place + 1201 + player) % (2 * _PAYOFF_STEPS + 1) - _PAYOFF_STEPS
            for player in range(self.players)
        ]
        if self.zero_sum:
            steps[-1] = -sum(steps[:-1])
        return tuple(step / _PAYOFF_STEPS for step in steps)

    def infoset(self, state: RandomTreeState, /) -> str:
        return state[3][state[0]]


def _mixed(value: int) -> int:
    """The SplitMix64 output function: 64 bits in, 64 well-mixed bits out."""
    value = (value + 0x9E3779B97F4A7C15) & _MASK
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & _MASK
    return value ^ (value >> 31)


def _share(place: int, stream: int) -> float:
    """A number in [0, 1) that depends on the history and on what it is for."""
    return _mixed(place + stream) / 2**64
