"""A game of one's own: bluffing in its smallest form, with a solution one can check by hand.

Both pay 1. Player 0 draws a high or a low card and bets 1 or gives up; player 1, who has not seen
the card, calls or folds. High wins the showdown. Solution: a low card is bet 1 time in 3, a bet
is called 2 times in 3, and the game is worth 1/3 to player 0.
"""

from __future__ import annotations

import equilibrist as eq
from equilibrist.games import CHANCE, TERMINAL


class Bluff:
    """States are the moves so far: the card, then what each player did."""

    name = "bluff"
    num_players = 2

    def initial_state(self) -> str:
        return ""

    def player(self, state: str) -> int:
        if not state:
            return CHANCE
        return TERMINAL if len(state) == 3 or state.endswith("g") else len(state) - 1

    def actions(self, state: str) -> list[str]:
        return [["high", "low"], ["bet", "give up"], ["call", "fold"]][len(state)]

    def chance(self, state: str) -> list[float]:
        return [0.5, 0.5]

    def next(self, state: str, action_index: int) -> str:
        return state + self.actions(state)[action_index][0]

    def payoffs(self, state: str) -> list[float]:
        won = {"hbc": 2.0, "lbc": -2.0, "hbf": 1.0, "lbf": 1.0}.get(state, -1.0)
        return [won, -won]

    def infoset(self, state: str) -> str:
        return f"card {state}" if len(state) == 1 else "facing a bet"


def main() -> None:
    """Check the rules, solve, and print what the docstring promises."""
    print(eq.check_game(Bluff()))
    result = eq.solve(Bluff(), algorithm="pcfr+", target=1e-6)
    strategy = result.strategy
    print(f"a low card is bet: {strategy['card l']['bet']:.4f}")
    print(f"a bet is called:   {strategy['facing a bet']['call']:.4f}")
    print(f"worth to player 0: {result.values[0]:.4f}")


if __name__ == "__main__":
    main()
