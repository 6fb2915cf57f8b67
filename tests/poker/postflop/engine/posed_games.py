"""Kuhn and Leduc poker posed as public trees: the betting of a river and of a turn.

The private cards become hands of two cards, of which the second is in no deck and held by nobody
else. The antes are the first pot, so that a payoff here is the core's plus one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from equilibrist.poker.betting.actions import Kind
from equilibrist.poker.betting.public_tree import PublicTree, node_line, public_tree
from equilibrist.poker.betting.rules import BettingRules
from equilibrist.poker.betting.state import street_menus
from equilibrist.reference.public_game import Place, PublicGame
from equilibrist.typing import Int32Array, Int64Array

SECOND_CARDS = 40
"""The second card of a hand is so much larger than the first."""
ANTE = 1


@dataclass(frozen=True)
class Posed:
    """A game of the core as a public tree; both players may hold any card of the deck."""

    name: str
    """What the core calls it."""
    rules: BettingRules
    deck: tuple[int, ...]
    """The cards that are held and dealt; the streets before the first one dealt none."""
    strengths: Callable[[tuple[int, ...]], Int64Array]
    """From the cards dealt, int64[H]: the strength of each hand, the larger wins."""
    card_names: tuple[str, ...]
    letters: dict[Kind, str]
    """Actions as the core's keys write them."""

    @cached_property
    def tree(self) -> PublicTree:
        return public_tree(self.rules)

    @cached_property
    def hands(self) -> Int32Array:
        """int32[H, 2]: the cards of the hands."""
        return np.array([(card, SECOND_CARDS + card) for card in self.deck], np.int32)

    @cached_property
    def public_game(self) -> PublicGame:
        weights = np.ones(len(self.deck))

        def strengths(dealt: tuple[int, ...]) -> tuple[Int64Array, Int64Array]:
            return self.strengths(dealt), self.strengths(dealt)

        return PublicGame(
            self.tree, (self.hands, self.hands), (weights, weights), self.deck, strengths
        )

    def key(self, place: Place, hand: int) -> str:
        """The core's infoset of a hand at a place."""
        node, dealt = place
        streets = ["".join(self.letters[a.kind] for a in s) for s in node_line(self.tree, node)]
        cards = (hand, *dealt)
        if self.name == "kuhn":
            return self.card_names[hand] + streets[0]
        return "/".join(
            self.card_names[card] + (f":{street}" if street else "")
            for card, street in zip(cards, streets, strict=True)
        )


def _leduc_strengths(dealt: tuple[int, ...]) -> Int64Array:
    ranks = np.arange(6) // 2
    return np.where(ranks == dealt[0] // 2, 3, ranks)


_BETS = {Kind.BET, Kind.RAISE, Kind.ALL_IN}
KUHN = Posed(
    "kuhn",
    BettingRules(2 * ANTE, 1, (street_menus("a"),) * 2, first_street=2),
    (0, 1, 2),
    lambda dealt: np.arange(3),
    ("1", "2", "3"),
    {kind: "b" if kind in _BETS or kind is Kind.CALL else "p" for kind in Kind},
)
LEDUC = Posed(
    "leduc",
    BettingRules(2 * ANTE, 100, (street_menus("|2c|4c", "|2c1r|4c1r"),) * 2, first_street=1),
    tuple(range(6)),
    _leduc_strengths,
    ("Js", "Jh", "Qs", "Qh", "Ks", "Kh"),
    {kind: "r" if kind in _BETS else "f" if kind is Kind.FOLD else "c" for kind in Kind},
)
