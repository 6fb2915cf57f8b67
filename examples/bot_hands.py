"""A bot plays 200 hands of hold'em against one that always calls: python examples/bot_hands.py.

A program that runs a game of its own needs `act` alone: own cards, the line, the legal actions.
"""

from __future__ import annotations

import numpy as np

import equilibrist as eq
from equilibrist.games import CHANCE
from equilibrist.play import Bot, FixedAgent, HandGame, Table
from equilibrist.poker import Hand

HAND = Hand(stack=10, bets="2x,a", raises="a", last_street="preflop")
HANDS = 200


def main() -> None:
    """Solve 10 big blinds before the flop, then deal, ask and pay."""
    bots = [Bot(eq.solve(HAND, target="5 mbb"), seed=1), Bot(FixedAgent("call"), seed=2)]
    generator, won = np.random.default_rng(3), 0.0
    for number in range(HANDS):
        seats = bots if number % 2 else bots[::-1]
        table = Table.start(HandGame(HAND))
        while not table.over:
            if table.player == CHANCE:
                table = table.draw(table.chance, generator)
                continue
            cards, _, line = table.infoset.partition(":")
            answer = seats[table.player].act(cards, line, table.actions, table=HAND)
            table = table.play(answer.action)
        won += table.payoffs[seats.index(bots[0])]
    print(f"the bot won {won / HANDS:+.2f} big blinds a hand")
    answer = bots[0].act("AsJs", "R3.5", table=HAND)  # no raise of its menu
    print(f"AsJs: {answer.action}; R3.5 was taken for {answer.mapped[0].taken_for}")


if __name__ == "__main__":
    main()
