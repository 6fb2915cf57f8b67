"""Two numbers in a row: each player sees one, and knowledge of each other's goes far."""

from __future__ import annotations

from typing import NamedTuple

from equilibrist.game import CHANCE, TERMINAL

_NUMBERS = 4


class State(NamedTuple):
    """A deal, and what was done since."""

    mine: int
    yours: int
    line: str


class Neighbours:
    """Seat 0 holds n, seat 1 n or n + 1; antes of 1, a bet of 2, and the larger number wins.

    With islands, 1 and 2 never meet, which both know without seeing it said. A bonus is paid to
    both in any case.
    """

    num_players = 2

    def __init__(self, *, islands: bool = False, bonus: float = 0.0) -> None:
        pairs = [(n, m) for n in range(_NUMBERS) for m in (n, n + 1)]
        self.deals = [pair for pair in pairs if not islands or pair != (1, 2)]
        self.bonus = bonus
        self.name = f"neighbours {islands} {bonus}"

    def initial_state(self) -> State:
        return State(-1, -1, "")

    def player(self, state: State, /) -> int:
        if state.mine < 0:
            return CHANCE
        return {"": 0, "b": 1, "p": 1, "pb": 0}.get(state.line, TERMINAL)

    def actions(self, state: State, /) -> tuple[str, ...]:
        if state.mine < 0:
            return tuple(f"{mine}{yours}" for mine, yours in self.deals)
        return ("pass", "bet")

    def chance(self, state: State, /) -> tuple[float, ...]:
        return (1.0 / len(self.deals),) * len(self.deals)

    def next(self, state: State, action_index: int, /) -> State:
        if state.mine < 0:
            return State(*self.deals[action_index], "")
        return state._replace(line=state.line + "pb"[action_index])

    def payoffs(self, state: State, /) -> tuple[float, ...]:
        if state.line in ("bp", "pbp"):
            won = 1.0 if state.line == "bp" else -1.0
        else:
            stake = 3.0 if "b" in state.line else 1.0
            won = stake * ((state.mine > state.yours) - (state.mine < state.yours))
        return (self.bonus + won, self.bonus - won)

    def infoset(self, state: State, /) -> str:
        held = state.mine if self.player(state) == 0 else state.yours
        return f"{held}|{state.line}"

    def public_state(self, state: State, /) -> str:
        return f"dealt:{state.line}" if state.mine >= 0 else "before"
