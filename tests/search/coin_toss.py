"""Chance tosses a coin that seat 0 alone sees; seat 0 sells, or seat 1 guesses it."""

from __future__ import annotations

from typing import TypeAlias

import equilibrist as eq
from equilibrist.game import CHANCE, TERMINAL

State: TypeAlias = tuple[str, ...]


class CoinToss:
    """Selling is worth +1/2 with heads and -1/2 with tails to seat 0; a wrong guess is worth +1.

    With two copies, chance picks one of two guesses for all to see.
    """

    num_players = 2

    def __init__(self, sold: tuple[float, float] = (0.5, -0.5), copies: int = 1) -> None:
        self.sold, self.copies = sold, copies
        self.name = f"coin toss {sold} {copies}"

    def initial_state(self) -> State:
        return ()

    def _guesses(self, state: State) -> bool:
        return state[-1] == "play" if self.copies == 1 else state[-1] in ("left", "right")

    def player(self, state: State, /) -> int:
        if not state:
            return CHANCE
        if len(state) == 1:
            return 0
        if self._guesses(state):
            return 1
        return CHANCE if state[-1] == "play" else TERMINAL

    def actions(self, state: State, /) -> tuple[str, ...]:
        if len(state) == 1:
            return ("sell", "play")
        return ("left", "right") if self.player(state) == CHANCE and state else ("heads", "tails")

    def chance(self, state: State, /) -> tuple[float, ...]:
        return (0.5, 0.5)

    def next(self, state: State, action_index: int, /) -> State:
        return (*state, self.actions(state)[action_index])

    def payoffs(self, state: State, /) -> tuple[float, ...]:
        if state[-1] == "sell":
            earned = self.sold[state[0] == "tails"]
        else:
            earned = -1.0 if state[-1] == state[0] else 1.0
        return (earned, -earned)

    def infoset(self, state: State, /) -> str:
        return state[0] if len(state) == 1 else " ".join(("guess", *state[2:]))

    def public_state(self, state: State, /) -> str:
        return " ".join(state[1:]) if state else "before"


def trunk(game: CoinToss, heads: float, plays: tuple[float, float] = (0.75, 0.5)) -> eq.Strategy:
    """Seat 1 guesses heads with this probability, seat 0 plays with heads and with tails so."""
    tree = eq.compile_game(game)
    table = {
        key: [heads, 1.0 - heads] if key.startswith("guess") else [1.0 - p, p]
        for key in tree.infoset_keys
        for p in [plays[key == "tails"]]
    }
    return eq.Strategy.from_dict(tree, table)
