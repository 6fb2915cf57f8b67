"""How often to bluff, and to call, on the river: python examples/river_bluffs.py [BET ...].

Aces win against kings, queens lose. Out of position holds either, and may bet once.
"""

from __future__ import annotations

import sys

import equilibrist as eq
from equilibrist.poker import Range, Spot

POT = 100


def main(*bets: str) -> None:
    """Solve the spot for several bets and compare with the textbook."""
    print(f"pot {POT}      queens that bet     kings that call    EV of the bettor")
    for bet in map(int, bets or ("50", "100", "300")):
        spot = Spot(
            board="Ts3h2h5c9s", oop=Range("AA,QQ"), ip=Range("KK"), pot=POT, stack=bet, bets="a"
        )
        solution = eq.solve(spot, target="0.05%")
        _, betting = solution.at().frequency.values()  # check, all-in: all aces and some queens
        calling = solution.at("A").frequency["Call"]
        print(
            f"bet {bet:4}  {2 * betting - 1:6.3f} ({bet / (POT + bet):.3f})"
            f"      {calling:6.3f} ({POT / (POT + bet):.3f})  {solution.ev[0]:10.2f}"
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
