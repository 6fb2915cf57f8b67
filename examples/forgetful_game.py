"""A game whose states forget: they hold the stake, but not the raises that led to it."""

from dataclasses import dataclass

import equilibrist as eq
from equilibrist.games import CHANCE, TERMINAL
from equilibrist.solvers import FSICFR

State = tuple[str, int, tuple[int, ...]]  # the cards, whose turn, the raises
DEALS = ("12", "13", "21", "23", "31", "32")


@dataclass(frozen=True)
class Stakes:
    """Two of the cards 1 to 3 are dealt. In turn raise the stake, or call: the higher wins it."""

    limit: int = 12
    forgetful: bool = True
    name = "stakes"
    num_players = 2

    def full_recall(self) -> "Stakes":
        return Stakes(self.limit, forgetful=False)

    def initial_state(self) -> State:
        return "", CHANCE, (1,)

    def player(self, state: State) -> int:
        return state[1]

    def actions(self, state: State) -> tuple[str, ...]:
        left = self.limit - sum(state[2])
        return DEALS if state[1] == CHANCE else ("call", "raise 1", "raise 2")[: 1 + min(left, 2)]

    def chance(self, state: State) -> list[float]:
        return [1 / 6] * 6

    def next(self, state: State, action_index: int) -> State:
        cards, player, raises = state
        if player == CHANCE:
            return DEALS[action_index], 0, raises
        raises = (sum(raises) + action_index,) if self.forgetful else (*raises, action_index)
        return cards, 1 - player if action_index else TERMINAL, raises

    def payoffs(self, state: State) -> list[float]:
        won = float(sum(state[2]) * (1 if state[0][0] > state[0][1] else -1))
        return [won, -won]

    def infoset(self, state: State) -> str:
        return f"player {state[1]}, card {state[0][state[1]]}, {'+'.join(map(str, state[2]))}"


if __name__ == "__main__":
    for game in (Stakes(), Stakes(forgetful=False)):
        solver = FSICFR(game).run(20_000)
        found = eq.exploitability(solver.average_strategy())
        print(f"{solver.graph.num_states:,} states, exploitability {found:.4f}")
