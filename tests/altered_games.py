"""Games made from other games: other payoffs, other labels, other seats, impossible chances.

Each is a `Game` that keeps the states of the one it alters.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Sequence
from typing import Any

from equilibrist.game import CHANCE, TERMINAL, Game


class Altered:
    """The same game; subclasses override what differs."""

    def __init__(self, game: Game[Any], name: str) -> None:
        self.game = game
        self.name = f"{name} of {game.name}"
        self.num_players = game.num_players

    def initial_state(self) -> Hashable:
        return self.game.initial_state()

    def player(self, state: Any, /) -> int:
        return self.game.player(state)

    def actions(self, state: Any, /) -> Sequence[str]:
        return self.game.actions(state)

    def chance(self, state: Any, /) -> Sequence[float]:
        return self.game.chance(state)

    def next(self, state: Any, action_index: int, /) -> Hashable:
        return self.game.next(state, action_index)

    def payoffs(self, state: Any, /) -> Sequence[float]:
        return self.game.payoffs(state)

    def infoset(self, state: Any, /) -> str:
        return self.game.infoset(state)


class Revealed(Altered):
    """A random tree in which something is public: chance is seen in full, in part or not at all."""

    def __init__(self, game: Game[Any], facts: int):
        super().__init__(game, f"{facts} public facts")
        self.facts = facts

    def public_state(self, state: Any, /) -> str:
        _, place, depth, _ = state
        return f"{depth}:{place % self.facts}"


class Repaid(Altered):
    """Payoffs scale * u + shift, with one shift per player or one for all."""

    def __init__(self, game: Game[Any], scale: float = 1.0, shift: float | Sequence[float] = 0.0):
        super().__init__(game, f"{scale:g} times, {shift} plus,")
        self.scale = scale
        self.shift = (
            [float(shift)] * game.num_players if isinstance(shift, int | float) else list(shift)
        )

    def payoffs(self, state: Any, /) -> tuple[float, ...]:
        pairs = zip(self.game.payoffs(state), self.shift, strict=True)
        return tuple(self.scale * u + s for u, s in pairs)


class Jittered(Altered):
    """Payoffs plus a small number that depends on the end alone, so that nothing is a tie.

    Where two actions are worth exactly the same, rounding decides which of them has the positive
    regret, and two correct programs part ways. With `zero_sum` the last player pays the rest.
    """

    def __init__(self, game: Game[Any], zero_sum: bool = False, size: float = 0.01) -> None:
        super().__init__(game, "jittered")
        self.zero_sum = zero_sum
        self.size = size

    def payoffs(self, state: Any, /) -> tuple[float, ...]:
        digest = hashlib.sha256(repr(state).encode()).digest()
        paid = [
            u + self.size * (int.from_bytes(digest[3 * p : 3 * p + 3], "big") / 2**24 - 0.5)
            for p, u in enumerate(self.game.payoffs(state))
        ]
        if self.zero_sum:
            paid[-1] = -sum(paid[:-1])
        return tuple(paid)


class Reseated(Altered):
    """Player p is now player `seats[p]`, and every infoset lists its actions backwards."""

    def __init__(self, game: Game[Any], seats: Sequence[int]) -> None:
        super().__init__(game, f"seats {list(seats)}")
        self.seats = list(seats)

    def player(self, state: Any, /) -> int:
        player = self.game.player(state)
        return self.seats[player] if player >= 0 else player

    def actions(self, state: Any, /) -> tuple[str, ...]:
        legal = tuple(self.game.actions(state))
        return legal if self.game.player(state) == CHANCE else legal[::-1]

    def next(self, state: Any, action_index: int, /) -> Hashable:
        if self.game.player(state) != CHANCE:
            action_index = len(self.game.actions(state)) - 1 - action_index
        return self.game.next(state, action_index)

    def payoffs(self, state: Any, /) -> tuple[float, ...]:
        paid = self.game.payoffs(state)
        moved = [0.0] * self.num_players
        for player, seat in enumerate(self.seats):
            moved[seat] = paid[player]
        return tuple(moved)


class WithImpossibleChances(Altered):
    """Every chance node has one more outcome, of probability 0, that leads where the first does."""

    def __init__(self, game: Game[Any]) -> None:
        super().__init__(game, "impossible chances")

    def actions(self, state: Any, /) -> tuple[str, ...]:
        legal = tuple(self.game.actions(state))
        return (*legal, "never") if self.game.player(state) == CHANCE else legal

    def chance(self, state: Any, /) -> tuple[float, ...]:
        return (*self.game.chance(state), 0.0)

    def next(self, state: Any, action_index: int, /) -> Hashable:
        if self.game.player(state) == CHANCE and action_index == len(self.game.actions(state)):
            action_index = 0
        return self.game.next(state, action_index)


class Forbidding(Altered):
    """Every player may do something illegal at each decision, which ends play and costs `penalty`.

    With `constant_sum` the other players share what the one who does it loses.
    """

    def __init__(self, game: Game[Any], penalty: float, *, constant_sum: bool = True) -> None:
        super().__init__(game, f"a penalty of {penalty:g} in")
        self.penalty = penalty
        self.constant_sum = constant_sum

    def initial_state(self) -> Hashable:
        return (self.game.initial_state(), None)

    def player(self, state: Any, /) -> int:
        return TERMINAL if state[1] is not None else self.game.player(state[0])

    def actions(self, state: Any, /) -> Sequence[str]:
        legal = tuple(self.game.actions(state[0]))
        return legal if self.game.player(state[0]) == CHANCE else (*legal, "illegal")

    def chance(self, state: Any, /) -> Sequence[float]:
        return self.game.chance(state[0])

    def next(self, state: Any, action_index: int, /) -> Hashable:
        player = self.game.player(state[0])
        if player != CHANCE and action_index == len(self.game.actions(state[0])):
            return (state[0], player)
        return (self.game.next(state[0], action_index), None)

    def payoffs(self, state: Any, /) -> Sequence[float]:
        if state[1] is None:
            return self.game.payoffs(state[0])
        gift = self.penalty / (self.num_players - 1) if self.constant_sum else 0.0
        paid = [gift] * self.num_players
        paid[state[1]] = -self.penalty
        return paid

    def infoset(self, state: Any, /) -> str:
        return self.game.infoset(state[0])


class WithOnePayoff(Altered):
    """The game with another payoff of one player at one of its ends, counted in preorder."""

    def __init__(self, game: Game[Any], end: int, player: int, payoff: float) -> None:
        super().__init__(game, f"{payoff:g} at end {end} to player {player}")
        ends = []
        waiting = [game.initial_state()]
        while waiting:
            state = waiting.pop()
            if game.player(state) == TERMINAL:
                ends.append(state)
            else:
                below = range(len(game.actions(state)))
                waiting += [game.next(state, a) for a in reversed(below)]
        self._end, self._player, self._payoff = ends[end], player, payoff

    def payoffs(self, state: Any, /) -> Sequence[float]:
        paid = list(self.game.payoffs(state))
        if state == self._end:
            paid[self._player] = self._payoff
        return paid


class Hooked(Altered):
    """The game with some of its methods replaced by functions of the state (and the action)."""

    def __init__(self, game: Game[Any], **methods: Callable[..., Any]) -> None:
        super().__init__(game, "hooked")
        for name, function in methods.items():
            setattr(self, name, function)
