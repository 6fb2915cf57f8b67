"""Play random hands by PokerKit and by the rules of `poker.hands`, and compare every step.

    python -m benchmarks.poker.pokerkit_hands --hands 10000

Of each kind of limit so many hands: legal actions, smallest and largest raises, bets and payoffs.
Writes the record `pokerkit_hands.json`; an AssertionError shows a hand in which the two differ.
Takes some 15 minutes, nearly all of them PokerKit's.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter

from benchmarks.record import write_record
from equilibrist.poker.hands.rules import LIMIT_KINDS
from tests.poker.hands.pokerkit_hands import compare_hand, random_rules

COLUMNS = ("limit", "hands", "decisions", "bets and raises", "hands with side pots", "differences")


def compare(limit: str, hands: int) -> tuple[list[object], dict[int, int]]:
    """Compare random hands of one kind: the row of the table, and the hands by seats."""
    found, seats = Counter[str](), Counter[int]()
    for seed in range(hands):
        chance = random.Random(f"{limit} {seed}")
        rules = random_rules(chance, limit)
        played = compare_hand(chance, rules)
        seats[rules.seats] += 1
        found["decisions"] += played.decisions
        found["raises"] += played.raises
        found["side_pots"] += played.side_pots
        if (seed + 1) % 500 == 0:
            print(f"{limit}: {seed + 1:,} hands", flush=True)
    row = [limit, hands, found["decisions"], found["raises"], found["side_pots"], 0]
    return row, dict(sorted(seats.items()))


def main() -> None:
    """Compare and write the record."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=10_000)
    hands = parser.parse_args().hands
    found = {limit: compare(limit, hands) for limit in LIMIT_KINDS}
    write_record(
        "pokerkit_hands",
        "Random hands of 2 to 10 seats with unequal stacks, antes and straddles, played by "
        "PokerKit and by poker.hands: legal actions, smallest and largest raises and bets at "
        "every decision, and payoffs to the chip.",
        "python -m benchmarks.poker.pokerkit_hands",
        COLUMNS,
        [row for row, _ in found.values()],
        packages=("numpy", "pokerkit"),
        hands_by_seats={limit: seats for limit, (_, seats) in found.items()},
        seeds="random.Random(f'{limit} {number}'), numbers from 0",
    )


if __name__ == "__main__":
    main()
