"""Liar Die: one die, ever higher claims about it, and a doubt.

The player who has the die rolls it in secret and claims a rank, above the claim before. The other
doubts or accepts. Doubted, the roll is shown: the claimer wins 1 if it is at least the claim, else
the other wins 1. Who accepts rolls next. The highest claim can only be doubted.

With `memory` m the players remember the last m accepted claims only, and no earlier roll of their
own: the states of this game forget them, too. Nothing is lost by that, since a new roll makes
everything before it a matter of the past.

Todd W. Neller and Marc Lanctot, "An Introduction to Counterfactual Regret Minimization", 2013,
section 5; their players remember one accepted claim.

Infoset keys are the player's own rolls and all claims: `3/` before the first claim, `/4` to answer
it, `2.5/1-3` with the second roll. Where the past is forgotten the player stands before them, and
of the rolls only the last: `0:5/3`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from equilibrist.game import CHANCE, TERMINAL
from equilibrist.games.parameters import NamedGame, parameter

LiarDieState = tuple[int, int, tuple[int, ...], tuple[int, ...]]
"""Who acts, who has the die, the claims, and the rolls, as far as they are remembered.

At the end the second number is 1 if the last claim held, and nothing is left of the rest but who
claimed, in place of the claims.
"""

_ANSWERS = ("doubt", "accept")


@dataclass(frozen=True)
class LiarDie(NamedGame):
    """Liar Die."""

    game_name: ClassVar[str] = "liar_die"
    summary: ClassVar[str] = "Liar Die: roll in secret, claim ever higher, be doubted"

    sides: int = parameter("integer", 6, "faces of the die", minimum=2, maximum=100)
    memory: int = parameter(
        "integer",
        None,
        "how many accepted claims are remembered",
        minimum=1,
        default_text="all, and one's own rolls",
    )
    _ranks: tuple[str, ...] = field(init=False, repr=False, compare=False)

    def filled_in(self) -> dict[str, Any]:
        return {"memory": self.sides - 1}

    def prepare(self) -> None:
        ranks = tuple(str(rank) for rank in range(1, self.sides + 1))
        self.remember(memory=min(self.memory, self.sides - 1), _ranks=ranks)

    @property
    def _forgets(self) -> bool:
        return self.memory < self.sides - 1

    @property
    def num_players(self) -> int:
        return 2

    def full_recall(self) -> LiarDie:
        """Liar's die with this game's sides, played by those who remember all claims and rolls."""
        return LiarDie(sides=self.sides)

    def initial_state(self) -> LiarDieState:
        return (CHANCE, 0, (), ())

    def player(self, state: LiarDieState, /) -> int:
        return state[0]

    def actions(self, state: LiarDieState, /) -> tuple[str, ...]:
        player, roller, claims, _ = state
        if player == CHANCE:
            return self._ranks
        if player == roller:
            return self._ranks[claims[-1] if claims else 0 :]
        return _ANSWERS[:1] if claims[-1] == self.sides else _ANSWERS

    def chance(self, state: LiarDieState, /) -> tuple[float, ...]:
        return (1.0 / self.sides,) * self.sides

    def next(self, state: LiarDieState, action_index: int, /) -> LiarDieState:
        player, roller, claims, rolls = state
        if player == CHANCE:
            return (roller, roller, claims, (*rolls, action_index + 1))
        if player == roller:
            rank = (claims[-1] if claims else 0) + action_index + 1
            return (1 - roller, roller, (*claims, rank), rolls)
        if action_index == 0:
            return (TERMINAL, int(rolls[-1] >= claims[-1]), (roller,), ())
        if self._forgets:
            return (CHANCE, player, claims[-self.memory :], ())
        return (CHANCE, player, claims, rolls)

    def payoffs(self, state: LiarDieState, /) -> tuple[float, ...]:
        _, held, (claimer,), _ = state
        won = 1.0 if held else -1.0
        return (won, -won) if claimer == 0 else (-won, won)

    def infoset(self, state: LiarDieState, /) -> str:
        player, roller, claims, rolls = state
        spoken = "-".join(map(str, claims))
        if self._forgets:
            return f"{player}:{rolls[-1] if player == roller else ''}/{spoken}"
        return f"{'.'.join(map(str, rolls[player::2]))}/{spoken}"

    def public_state(self, state: LiarDieState, /) -> str:
        _, _, claims, rolls = state
        return "?" * len(rolls) + "/" + "-".join(map(str, claims))

    def infoset_facts(self, key: str, /) -> tuple[tuple[str, str], ...]:
        """What the player knows, as (name, what it is) pairs."""
        rolls, _, claims = key.rpartition(":")[2].partition("/")
        spoken = claims.replace("-", ", ")
        forgotten = " remembered" if self._forgets else ""
        return (
            ("your rolls" + forgotten, rolls.replace(".", ", ") or "none"),
            ("claims" + forgotten, spoken or "none yet"),
            ("highest rank", str(self.sides)),
        )
