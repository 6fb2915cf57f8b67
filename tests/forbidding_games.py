"""Games with an action that is not allowed: it ends the game, and costs a penalty."""

from __future__ import annotations

from typing import Any

from equilibrist.game import CHANCE, TERMINAL, Game
from equilibrist.games import load_game


class Forbidding:
    """A game with one more action everywhere, which ends it and costs a penalty."""

    def __init__(self, base: str, penalty: float, *, paid: bool) -> None:
        """`paid` says whether the others get the penalty, in equal parts."""
        self.base: Game[Any] = load_game(base)
        self.num_players = self.base.num_players
        self.name = f"forbidding {base}"
        self.penalty, self.paid = penalty, paid

    def initial_state(self) -> tuple[Any, int | None]:
        return self.base.initial_state(), None

    def player(self, state: tuple[Any, int | None]) -> int:
        return TERMINAL if state[1] is not None else self.base.player(state[0])

    def actions(self, state: tuple[Any, int | None]) -> tuple[str, ...]:
        labels = tuple(self.base.actions(state[0]))
        return labels if self.base.player(state[0]) == CHANCE else (*labels, "illegal")

    def chance(self, state: tuple[Any, int | None]) -> Any:
        return self.base.chance(state[0])

    def next(self, state: tuple[Any, int | None], action: int) -> tuple[Any, int | None]:
        player = self.base.player(state[0])
        if player != CHANCE and action == len(self.base.actions(state[0])):
            return state[0], player
        return self.base.next(state[0], action), None

    def payoffs(self, state: tuple[Any, int | None]) -> tuple[float, ...]:
        position, payer = state
        if payer is None:
            return tuple(self.base.payoffs(position))
        share = self.penalty / (self.num_players - 1) if self.paid else 0.0
        return tuple(-self.penalty if p == payer else share for p in range(self.num_players))

    def infoset(self, state: tuple[Any, int | None]) -> str:
        return self.base.infoset(state[0])
