"""Count the equities of all hand classes against a random hand, over all boards.

    python benchmarks/poker/hand_order.py

Prints the tables of `poker.cards.hand_ranking` as they stand there, with 52 cards and with the 36
of short decks, and ends with code 1 if one of those says anything else. Takes seconds.
"""

from __future__ import annotations

import sys
from textwrap import wrap

from equilibrist.poker.cards.cards import RANKS
from equilibrist.poker.cards.combos import CLASS_NAMES, class_combos
from equilibrist.poker.cards.decks import FULL_DECK, SHORT_DECKS, Deck
from equilibrist.poker.cards.hand_ranking import EQUITIES_BY_RANKING
from equilibrist.poker.equities.equity import equity
from equilibrist.poker.ranges.range import Range


def equities_against_random(deck: Deck) -> dict[str, float]:
    """Of each hand class of a deck, best first, rounded to five digits."""
    found = equity(Range.full(), Range.full(), deck=deck, exact=True)
    exact = {
        name: float(found.oop_hands[class_combos(number)[0]])
        for number, name in enumerate(CLASS_NAMES)
        if RANKS.index(name[1]) >= deck.lowest_rank
    }
    return {name: round(exact[name], 5) for name in sorted(exact, key=exact.__getitem__)[::-1]}


def main() -> int:
    """Print the tables and say whether they are those of the package."""
    differ = 0
    for deck in (FULL_DECK, *SHORT_DECKS.values()):
        found = equities_against_random(deck)
        table = " ".join(f"{name}:{share:.3%}".rstrip("%") for name, share in found.items())
        print(deck.words, *wrap(table, 90), sep="\n")
        same = list(found.items()) == list(EQUITIES_BY_RANKING[deck.ranking.name].items())
        print("as" if same else "NOT as", "in equilibrist.poker.cards.hand_ranking")
        differ += not same
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
