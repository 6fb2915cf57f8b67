"""How large a game of hold'em is: decisions, infosets and states, as whole numbers.

Betting without limit is counted by the sums of raises alone. From the big blind, or a check, on
every raise is at least as large as the one before it and at least the big blind, so that a series
of raises that adds n chips is a partition of n into such parts: there are p(n) of them, whatever
the stack, and all-in ends each. Streets follow each other by the chips that were called, hence by
products of power series. The method is after M. Johanson, "Measuring the size of large no-limit
poker games", 2013, whose figures it reproduces; enumerating would need a step for every pair of
chips.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import MAX_EMAX, Decimal, localcontext
from itertools import accumulate
from math import comb
from typing import Any, Final, NamedTuple

from equilibrist.errors import MemoryBudgetError
from equilibrist.parsing.arguments import instance
from equilibrist.poker.betting.bet_sizes import EveryBet
from equilibrist.poker.hands.betting_tree import count_nodes
from equilibrist.poker.hands.hand import Hand
from equilibrist.poker.hands.menu import HandMenu
from equilibrist.poker.hands.rules import STREET_NAMES, HoldemRules
from equilibrist.poker.preflop.exact.size import classes

_MOST_STEPS: Final = 40_000_000
"""The most additions: about 10 seconds."""
_SUITS: Final = 4


class StreetCount(NamedTuple):
    """The size of a street."""

    street: str
    sequences: int
    """Decisions, cards left open."""
    actions: int
    """The actions at these."""
    hands: int
    """What a player may hold, with the board."""
    classes: int | None
    """The same, of which those count once that differ by the names of suits alone; None with fewer
    than four suits."""
    deals: int
    """What all players may hold, with the board."""


@dataclass(frozen=True)
class HandCount:
    """The size of a hand as a game.

    Attributes:
        hand: The hand.
        streets: The streets with betting.
    """

    hand: Hand
    streets: tuple[StreetCount, ...]

    @property
    def infosets(self) -> int:
        """Decisions times hands."""
        return sum(street.sequences * street.hands for street in self.streets)

    @property
    def infoset_actions(self) -> int:
        """The actions at all infosets."""
        return sum(street.actions * street.hands for street in self.streets)

    @property
    def class_infosets(self) -> int | None:
        """Decisions times classes of hands; None with fewer than four suits."""
        return self._by_class([street.sequences for street in self.streets])

    @property
    def class_infoset_actions(self) -> int | None:
        """The actions at all infosets of classes of hands; None with fewer than four suits."""
        return self._by_class([street.actions for street in self.streets])

    @property
    def states(self) -> int:
        """Decisions times deals."""
        return sum(street.sequences * street.deals for street in self.streets)

    def _by_class(self, counts: list[int]) -> int | None:
        total = 0
        for count, street in zip(counts, self.streets, strict=True):
            if street.classes is None:
                return None
            total += count * street.classes
        return total

    def to_dict(self) -> dict[str, Any]:
        """Give all counts as plain values.

        Returns:
            Whole numbers of any length, for JSON.
        """
        return {
            "hand": self.hand.name,
            "streets": [street._asdict() for street in self.streets],
            "infosets": self.infosets,
            "infoset_actions": self.infoset_actions,
            "class_infosets": self.class_infosets,
            "class_infoset_actions": self.class_infoset_actions,
            "states": self.states,
        }


def count_hand(hand: Hand) -> HandCount:
    """Count the decisions, infosets and states of a hand.

    With every amount offered to two players the stacks may be as large as 20,000 chips at blinds of
    50 and 100, which takes seconds; other betting is enumerated.

    Args:
        hand: The hand. Without `bets` and `raises` every amount is offered.

    Returns:
        The counts.

    Raises:
        MemoryBudgetError: The betting has too many distinct states, or too many chips for the
            smallest bet.
    """
    rules = instance("hand", hand, Hand, "a Hand").rules
    streets = rules.final_street + 1
    stack = _free_stack(rules, hand.menu)
    if stack is None:
        size = count_nodes(rules, hand.menu)
        sequences, actions = list(size.decisions), list(size.actions)
    else:
        sequences, actions = _no_limit(rules, stack, streets)
    counts = []
    for s in range(streets):
        hands, deals, of_suits = _cards(rules, s)
        counts.append(
            StreetCount(
                street=STREET_NAMES[s],
                sequences=int(sequences[s]),
                actions=int(actions[s]),
                hands=hands,
                classes=of_suits,
                deals=deals,
            )
        )
    return HandCount(hand, tuple(counts))


def _cards(rules: HoldemRules, street: int) -> tuple[int, int, int | None]:
    """Hands of a player with the board, deals to all seats with it, and classes of hands."""
    board = rules.board[1 : street + 1]
    hands = deals = 1
    left = len(rules.deck)
    for seat in range(rules.seats):
        hands *= comb(left, rules.hole_cards) if not seat else 1
        deals *= comb(left, rules.hole_cards)
        left -= rules.hole_cards
    unseen = len(rules.deck) - rules.hole_cards
    for cards in board:
        hands *= comb(unseen, cards)
        deals *= comb(left, cards)
        unseen, left = unseen - cards, left - cards
    if rules.suits < _SUITS:
        return hands, deals, None
    return hands, deals, classes((rules.hole_cards, *board), rules.lowest_rank)


def _free_stack(rules: HoldemRules, menu: HandMenu | None) -> int | None:
    """The chips that two players may bet above the big blind; None for other betting.

    Other betting is all that does not have every amount, or begins with a short post.
    """
    offers_all = menu is None or (
        all(cap is None for cap in menu.caps)
        and all(_is_every(sizes) for sizes in (*menu.bets, *menu.raises))
    )
    if rules.seats != 2 or rules.limit != "no-limit" or not offers_all:
        return None
    big = rules.blinds[1]
    same = len(set(rules.antes)) == 1 and set(rules.bets) == {big}
    stack = min(rules.stacks) - rules.antes[0] - big
    if rules.raise_cap is not None or not same or rules.blinds[0] > big or stack < 1:
        return None
    return stack


def _is_every(sizes: object) -> bool:
    return sizes == (EveryBet(),)


def _no_limit(rules: HoldemRules, stack: int, streets: int) -> tuple[list[int], list[int]]:
    """Decisions and actions of each street, with every amount for two players.

    A street begins with two decisions without a bet, one for each player; of n < stack chips that
    raises have added there are 2 p(n) decisions. All of these have all-in as an action, which the
    other player answers by fold or call.
    """
    series = _partitions(stack - 1, rules.blinds[1])
    ends = [2 * count for count in series]  # a call of either player
    ends[0] = 1  # both check
    up_to = list(accumulate(series))
    begins = [1] + [0] * (stack - 1)  # lines that begin a street, by the chips called before
    sequences, actions = [], []
    for street in range(streets):
        if street:
            begins = _product(begins, ends) if street > 1 else ends
        lines = sum(begins)
        open_decisions = 2 * sum(
            count * up_to[stack - 1 - chips] for chips, count in enumerate(begins)
        )
        sequences.append(2 * open_decisions)
        # Two decisions of each line have no bet: check instead of fold and call. Each decision
        # has all-in, and each but the first two of a line was led to by a bet or raise.
        raises = 2 * open_decisions - 2 * lines
        passive = 2 * open_decisions - 2 * lines
        actions.append(passive + raises + 2 * open_decisions)
    if rules.blinds[0] < rules.blinds[1]:
        actions[0] += 1  # the first decision has a blind to call, and may fold
    return sequences, actions


def _partitions(most: int, least: int) -> list[int]:
    """The partitions of 0 to `most` into parts of at least `least`; MemoryBudgetError for many."""
    steps = most * (most // least) // 2
    if steps > _MOST_STEPS:
        raise MemoryBudgetError(
            f"stacks are {most + 1:,} times the unit above the big blind, which is {least:,} of it",
            steps,
            remedy="Give smaller stacks, larger blinds, or a larger unit.",
            option="stack",
            given=most + 1,
        )
    total = [1] + [0] * most
    counts = list(total)  # into exactly so many parts
    for parts in range(1, most // least + 1):
        first = parts * least
        # Either one part is the least, or all are larger, and each may be made smaller by one.
        new = [0] * (most + 1)
        for n in range(first, most + 1):
            new[n] = counts[n - least] + new[n - parts]
            total[n] += new[n]
        counts = new
    return total


def _product(a: list[int], b: list[int]) -> list[int]:
    """The product of two power series of equal length, as far as the series go.

    Coefficients stand side by side in one large number each (Kronecker's substitution), as decimal
    digits: long decimal numbers are multiplied by a number-theoretic transform, long integers are
    not, which took ten times as long.
    """
    size = len(a)
    width = len(str(max(a) * max(b) * size))
    with localcontext(prec=2 * width * size, Emax=MAX_EMAX):
        # The constant coefficient stands last, where the lowest digits are.
        one, other = (
            Decimal("".join(str(c).zfill(width) for c in reversed(series))) for series in (a, b)
        )
        digits = format(one * other, "f").zfill(width * size)
    ends = range(len(digits), len(digits) - width * size, -width)
    return [int(digits[end - width : end]) for end in ends]
