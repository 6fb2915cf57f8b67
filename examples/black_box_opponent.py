"""Learn to beat a stranger at Kuhn poker from the outcomes of hands alone.

The stranger is a function from what it sees to an action; its probabilities stay hidden. Outcome
sampling does not need them: the stranger's part in the counterfactual reach and in the probability
of the hand is the same number, and cancels. As the stranger never changes, the average may be taken
on one's own trajectories: how often they lead to an infoset is own reach times a constant.
"""

from __future__ import annotations

import random

import equilibrist as eq
from equilibrist.evaluation import best_response, expected_values
from equilibrist.reference import RandomDraws, outcome_sampling, regret_matching, walk

ME, STRANGER = 0, 1
_HABITS = {"1b": 0.3, "2b": 0.2, "3b": 0.1, "1p": 0.6, "2p": 0.9, "3p": 0.5}  # nobody is told
_dice = random.Random(7)


def stranger(infoset: str) -> int:
    """What the stranger does: 0 passes, 1 bets or calls."""
    return int(_dice.random() >= _HABITS[infoset])


class Table(dict[str, list[float]]):
    """My strategy, and where the stranger moves, the action it takes."""

    def __missing__(self, infoset: str) -> list[float]:
        return [[1.0, 0.0], [0.0, 1.0]][stranger(infoset)]


def main() -> None:
    """Print what the learned strategy earns per hand; the stranger is unmasked to know it."""
    game, tree = walk(eq.load_game("kuhn")), eq.compile_game("kuhn")
    mine = [key for key, infoset in game.infosets.items() if infoset.player == ME]
    regret, total = ({key: [0.0, 0.0] for key in mine} for _ in range(2))
    draws = RandomDraws(1)
    for hand in range(1, 100_001):
        profile = Table({key: regret_matching(row) for key, row in regret.items()})
        added = outcome_sampling(game.root, ME, profile, draws, averaging="openspiel")
        for into, found in ((regret, added.regret), (total, added.strategy_sum)):
            for key, row in found.items():
                into[key] = [x + y for x, y in zip(into[key], row, strict=True)]
        if hand in (100, 1_000, 10_000, 100_000):
            passes = {**_HABITS, **{key: regret_matching(total[key])[0] for key in mine}}
            table = {key: {"pass": p, "bet": 1.0 - p} for key, p in passes.items()}
            both = eq.Strategy.from_dict(tree, table)
            print(f"after {hand:7,} hands: {expected_values(both)[ME]:+.4f} per hand")
    print(f"best response:       {best_response(both, ME).value:+.4f}")
    equilibrium = eq.solve(tree, "lp").strategy.replace(STRANGER, both)
    print(f"equilibrium play:    {expected_values(equilibrium)[ME]:+.4f}")


if __name__ == "__main__":
    main()
