"""Two rounds of bets by shares of the pot, three ranks twice: a menu, and one bet beside it.

Antes 1; seat 0 acts first in both rounds; bets are half the pot or the pot; a bet may be raised
once, by a call and then the pot. A pair with the board beats a rank. Suits are left out.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple, TypeAlias

from equilibrist.game import CHANCE, TERMINAL

State: TypeAlias = tuple[tuple[int, ...], str]
"""Cards dealt, and the letters of the moves; rounds are separated by `/`."""
WORDS = {"c": "call", "f": "fold", "h": "half", "p": "pot", "r": "raise", "x": "extra"}


class Line(NamedTuple):
    player: int
    letters: str
    paid: tuple[float, float]


class PotBets:
    """`extra` is (seat, share): that seat may also open the first round with so many pots."""

    num_players = 2

    def __init__(self, extra: tuple[int, float] | None = None) -> None:
        self.extra = extra
        self.name = "pot bets" if extra is None else f"pot bets {extra[0]} {extra[1]}"
        self._line = cache(self._read)

    def _read(self, moves: str) -> Line:
        """Whose turn it is after some moves, what may be done, and what both have paid."""
        paid, rounds = [1.0, 1.0], moves.split("/")
        share = {"h": 0.5, "p": 1.0, "x": self.extra[1] if self.extra else 0.0}
        actor = 0
        for letters in rounds:
            actor = 0
            for letter in letters:
                if letter in "cr":
                    paid[actor] = max(paid)
                if letter in share:
                    paid[actor] += share[letter] * sum(paid)
                if letter == "r":
                    paid[actor] += sum(paid)
                actor = 1 - actor
        last = rounds[-1]
        both = (paid[0], paid[1])
        if last.endswith("f"):
            return Line(TERMINAL, "", both)
        if last.endswith("c") and last != "c":
            return Line(TERMINAL if len(rounds) == 2 else CHANCE, "", both)
        if last.endswith("r"):
            return Line(actor, "fc", both)
        if last[-1:] in ("h", "p", "x"):
            return Line(actor, "fcr", both)
        opens = self.extra is not None and self.extra[0] == actor and len(rounds) == 1
        return Line(actor, "chp" + "x" * opens, both)

    def initial_state(self) -> State:
        return ((), "")

    def player(self, state: State, /) -> int:
        dealt, moves = state
        if len(dealt) < 2 or (len(dealt) == 2 and "/" in moves):
            return CHANCE
        return self._line(moves).player

    def _left(self, dealt: tuple[int, ...]) -> list[int]:
        return [card for card in range(3) if dealt.count(card) < 2]

    def actions(self, state: State, /) -> tuple[str, ...]:
        if self.player(state) == CHANCE:
            return tuple("JQK"[card] for card in self._left(state[0]))
        return tuple(WORDS[letter] for letter in self._line(state[1]).letters)

    def chance(self, state: State, /) -> tuple[float, ...]:
        dealt = state[0]
        return tuple((2 - dealt.count(card)) / (6 - len(dealt)) for card in self._left(dealt))

    def next(self, state: State, action_index: int, /) -> State:
        dealt, moves = state
        if self.player(state) == CHANCE:
            dealt = (*dealt, self._left(dealt)[action_index])
            return (dealt, moves + "/" if len(dealt) == 3 else moves)
        return (dealt, moves + self._line(moves).letters[action_index])

    def payoffs(self, state: State, /) -> tuple[float, float]:
        dealt, moves = state
        paid = self._line(moves).paid
        if moves.endswith("f"):
            folder = (len(moves.split("/")[-1]) - 1) % 2
            won = -paid[0] if folder == 0 else paid[1]
        else:
            strength = [3 if dealt[p] == dealt[2] else dealt[p] for p in range(2)]
            won = paid[0] * ((strength[0] > strength[1]) - (strength[0] < strength[1]))
        return (won, -won)

    def infoset(self, state: State, /) -> str:
        dealt, moves = state
        board = "JQK"[dealt[2]] if len(dealt) == 3 else ""
        before, slash, after = moves.partition("/")
        return (
            f"{'JQK'[dealt[self.player(state)]]}:{before}{slash}{board}{':' * bool(slash)}{after}"
        )

    def public_state(self, state: State, /) -> str:
        dealt, moves = state
        board = "JQK"[dealt[2]] if len(dealt) == 3 else ""
        before, slash, after = moves.partition("/")
        return f"{'?' * min(len(dealt), 2)}:{before}{slash}{board}{':' * bool(slash)}{after}"
