"""The betting of a hand before the flop as arrays for the sampling kernel."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from equilibrist.errors import MemoryBudgetError, UnsupportedError
from equilibrist.kernels.preflop.sampled_values import ClassTree
from equilibrist.poker.betting.actions import Action
from equilibrist.poker.cards.cards import NUM_CARDS
from equilibrist.poker.cards.combos import CLASS_OF_COMBO, FIRST_CARD, SECOND_CARD
from equilibrist.poker.cards.decks import Ranking
from equilibrist.poker.hands.betting_tree import (
    DECISION,
    SHOWDOWN,
    BettingTree,
    count_nodes,
    less_betting,
)
from equilibrist.poker.hands.hand import Hand
from equilibrist.poker.hands.hand_checks import check_decisions
from equilibrist.poker.preflop.class_tree import Branch, Ending, class_tree
from equilibrist.poker.preflop.pots import winnings
from equilibrist.poker.preflop.sampled_cfr import SampledGame
from equilibrist.typing import FloatArray, Int64Array

MOST_SEATS: Final = 6
MOST_NODES: Final = 20_000
"""Betting nodes that a deal may visit."""
_HOLDEM: Final = (0, 3, 1, 1)


class HandTree(NamedTuple):
    """A hand as a sampled game."""

    betting: BettingTree
    tree: ClassTree
    nodes: tuple[int, ...]
    """By decision, its node in the betting tree."""
    classes: Int64Array
    """int64[1326]: the class of each combo; hands of one class are worth the same."""
    strength: FloatArray | None
    """float64[classes] where there is no board."""
    deck: Int64Array
    ranking: Ranking

    def sampled(self, seats: int, seed: int, threads: int) -> SampledGame:
        """The game, with deals of that seed."""
        return SampledGame(
            self.tree,
            seats,
            seed=seed,
            threads=threads,
            deck=self.deck,
            ranking=self.ranking,
            classes=self.classes,
            hole_strength=self.strength,
        )

    def moves(self, decision: int) -> tuple[Action, ...]:
        """The actions at a decision."""
        return self.betting.moves(self.nodes[decision])


def check_hand(hand: Hand) -> None:
    """Raise for a hand that is not solved on sampled deals, before anything is allocated.

    Raises:
        UnsupportedError: It has betting after the flop, another deck or board, or too many seats.
        MemoryBudgetError: Its betting has too many nodes.
    """
    rules = hand.rules
    wrong: tuple[str, object, str] | None = None
    if rules.seats > MOST_SEATS:
        wrong = "seats", rules.seats, f"two to {MOST_SEATS} seats"
    elif rules.hole_cards != 2 or rules.suits != 4:
        key = "hole_cards" if rules.hole_cards != 2 else "suits"
        wrong = key, getattr(rules, key), "two hole cards of four suits"
    elif rules.board not in ((0,), _HOLDEM):
        wrong = "board", "/".join(map(str, rules.board[1:])), "3/1/1, or an empty text for none"
    elif rules.final_street:
        wrong = "last_street", rules.final_street, "preflop"
    if wrong is not None:
        raise UnsupportedError(
            f"sampled deals solve {wrong[2]}; {wrong[0]} is {wrong[1]}"
            if wrong[0] in ("seats", "hole_cards", "suits")
            else f"hands of several seats are solved before the flop; {wrong[0]} is {wrong[1]}",
            option=wrong[0],
            given=wrong[1],
            expected=wrong[2],
            remedy=f"give {wrong[2]}"
            if wrong[0] in ("seats", "hole_cards", "suits")
            else 'give last_street = "preflop", or board = "" for hands without a board',
        )
    check_decisions(rules)
    size = count_nodes(rules, hand.menu, MOST_NODES)
    if size.nodes > MOST_NODES:
        raise MemoryBudgetError(
            f"the betting has {size.nodes:,} nodes, above the limit of {MOST_NODES:,}",
            size.nodes,
            size.num_bytes,
            remedy=less_betting(rules, hand.menu),
            option="bets",
            given=size.nodes,
        )


def hand_tree(hand: Hand) -> HandTree:
    """Lay a hand out.

    Args:
        hand: A hand that passes `check_hand`.

    Returns:
        Its betting, with payoffs in big blinds, and its classes of hands.
    """
    rules, betting = hand.rules, hand.tree()
    unit = float(rules.big_blind)
    antes = np.array(rules.dead_antes, np.float64)
    seats = np.arange(rules.seats)
    nodes: list[int] = []

    def ending(node: int) -> Ending:
        live = (int(betting.live[node]) >> seats) & 1 > 0
        stake = betting.stake[node] - antes
        gains = winnings(stake, antes, live) / unit
        showing = tuple(np.flatnonzero(live).tolist())
        return Ending(showing if betting.kind[node] == SHOWDOWN else showing[:1], gains)

    def visit(node: int) -> Branch | Ending:
        if betting.kind[node] != DECISION:
            return ending(node)
        nodes.append(node)
        children = tuple(visit(child) for child in betting.children(node))
        return Branch(int(betting.player[node]), children)

    root = visit(0)
    assert isinstance(root, Branch)
    if len(rules.board) > 1:
        classes, strength = CLASS_OF_COMBO.astype(np.int64), None
    else:
        classes = _kinds()
        strength = np.arange(classes.max() + 1.0)
    deck = np.arange(4 * rules.lowest_rank, NUM_CARDS)
    classed = class_tree(root, rules.seats)
    return HandTree(betting, classed, tuple(nodes), classes, strength, deck, rules.ranking)


def _kinds() -> Int64Array:
    """int64[1326]: hands of two cards by rank alone, from 32 to KK and AA: 91 kinds.

    Those of the same ranks tie, and meet all other hands equally often.
    """
    ranks = np.stack([FIRST_CARD >> 2, SECOND_CARD >> 2]).astype(np.int64)
    value = 16 * ranks.max(axis=0) + ranks.min(axis=0)
    value += 1_000 * (ranks[0] == ranks[1])
    kinds: Int64Array = np.unique(value, return_inverse=True)[1].astype(np.int64)
    return kinds
