"""Count the equities of the 169 hand classes against a random hand, over all boards.

    python benchmarks/poker/hand_order.py

Prints the table of `poker.cards.hand_ranking` as it stands there, and ends with code 1 if that
one says anything else. Takes seconds.
"""

from __future__ import annotations

import sys
from textwrap import wrap

from equilibrist.poker.cards.combos import CLASS_NAMES, class_combos
from equilibrist.poker.cards.hand_ranking import EQUITY_AGAINST_RANDOM
from equilibrist.poker.equities.equity import equity
from equilibrist.poker.ranges.range import Range


def equities_against_random() -> dict[str, float]:
    """Of each hand class, best first, rounded to five digits."""
    found = equity(Range.full(), Range.full(), exact=True)
    exact = {
        name: float(found.oop_hands[class_combos(number)[0]])
        for number, name in enumerate(CLASS_NAMES)
    }
    return {name: round(exact[name], 5) for name in sorted(exact, key=exact.__getitem__)[::-1]}


def main() -> int:
    """Print the table and say whether it is the one of the package."""
    found = equities_against_random()
    table = " ".join(f"{name}:{share:.3%}".rstrip("%") for name, share in found.items())
    print("\n".join(wrap(table, 90)))
    same = list(found.items()) == list(EQUITY_AGAINST_RANDOM.items())
    print("as" if same else "NOT as", "in equilibrist.poker.cards.hand_ranking")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
