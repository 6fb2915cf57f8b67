"""The abstract game of a blueprint: a betting tree, and card buckets on every street.

A decision of the betting and a bucket are an information set. The numbers of all of them stand in
one array: decision by decision, street by street, `[action][bucket]` within a decision.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from equilibrist.errors import ConfigError, UnsupportedError
from equilibrist.poker.buckets.card_buckets import CardBuckets
from equilibrist.poker.cards.decks import STANDARD
from equilibrist.poker.hands.betting_tree import BettingTree, TreeSize
from equilibrist.poker.hands.hand import Hand
from equilibrist.poker.hands.hand_checks import check_decisions, check_offered
from equilibrist.poker.hands.state import DECISION
from equilibrist.typing import Int64Array

STREETS: Final = 4
_BOARD: Final = (3, 1, 1)


class Layout(NamedTuple):
    """Where the numbers of the information sets stand."""

    slot: Int64Array
    """int64[N]: of a decision, where its numbers per action and bucket begin; -1 elsewhere."""
    state: Int64Array
    """int64[N]: of a decision, where its numbers per bucket begin; -1 elsewhere."""
    slots: tuple[int, ...]
    """By street, all actions of all information sets."""
    infosets: tuple[int, ...]
    """By street, all information sets."""


@dataclass(frozen=True)
class AbstractSize:
    """The size of an abstract game, counted without building it.

    Attributes:
        tree: The size of the betting tree.
        buckets: Buckets by street.
    """

    tree: TreeSize
    buckets: tuple[int, ...]

    @property
    def infosets(self) -> tuple[int, ...]:
        """Information sets by street."""
        return tuple(d * k for d, k in zip(self.tree.decisions, self.buckets, strict=False))

    @property
    def slots(self) -> tuple[int, ...]:
        """Actions of all information sets, by street."""
        return tuple(a * k for a, k in zip(self.tree.actions, self.buckets, strict=False))

    @property
    def file_bytes(self) -> int:
        """What a file of the blueprint takes: 16 bits for each action, and the tree."""
        return 2 * sum(self.slots)


class AbstractGame:
    """A hand, its betting tree, and the number of buckets on every street.

    Args:
        hand: The hand.
        buckets: Buckets by street, at least for the streets with betting.
        most_nodes: The most nodes of the betting tree.

    Attributes:
        hand: The hand.
        buckets: Buckets by street.
        tree: The betting tree.

    Raises:
        ConfigError: The hand has no sizes, or nobody ever acts.
        UnsupportedError: The hand has other cards than hold'em.
        MemoryBudgetError: The tree has more nodes; nothing was allocated.
    """

    def __init__(self, hand: Hand, buckets: Sequence[int], most_nodes: int | None = None) -> None:
        check_hand(hand)
        self.hand = hand
        self.buckets = tuple(buckets)
        self.tree: BettingTree = hand.tree() if most_nodes is None else hand.tree(most_nodes)

    @cached_property
    def layout(self) -> Layout:
        """Where the numbers of the information sets stand."""
        tree = self.tree
        slot = np.full(tree.num_nodes, -1, np.int64)
        state = np.full(tree.num_nodes, -1, np.int64)
        slots, infosets, end, state_end = [], [], 0, 0
        for street in range(STREETS):
            nodes = np.flatnonzero((tree.kind == DECISION) & (tree.street == street))
            count = self.buckets[street] if street < len(self.buckets) else 0
            sizes = tree.num_children[nodes].astype(np.int64) * count
            slot[nodes] = end + np.cumsum(sizes) - sizes
            state[nodes] = state_end + count * np.arange(len(nodes))
            slots.append(int(sizes.sum()))
            infosets.append(len(nodes) * count)
            end, state_end = end + slots[-1], state_end + infosets[-1]
        for array in (slot, state):
            array.flags.writeable = False
        return Layout(slot, state, tuple(slots), tuple(infosets))

    @property
    def num_slots(self) -> int:
        """Actions of all information sets."""
        return sum(self.layout.slots)

    @property
    def num_infosets(self) -> int:
        """All information sets."""
        return sum(self.layout.infosets)

    def shape(self, node: int) -> tuple[int, int]:
        """Actions and buckets of a decision.

        Args:
            node: A decision of the tree.

        Returns:
            Their numbers.
        """
        return int(self.tree.num_children[node]), self.buckets[self.tree.street[node]]

    def slots(self) -> Iterator[tuple[int, slice]]:
        """The decisions, each with the slots of its numbers.

        Yields:
            Node and slots.
        """
        for node in np.flatnonzero(self.tree.kind == DECISION).tolist():
            begin = int(self.layout.slot[node])
            actions, buckets = self.shape(node)
            yield node, slice(begin, begin + actions * buckets)

    def seat_slots(self, seat: int) -> NDArray[np.bool_]:
        """Which slots are of a seat's decisions.

        Args:
            seat: The seat.

        Returns:
            bool[slots].
        """
        is_of_seat = np.zeros(self.num_slots, np.bool_)
        for node, own in self.slots():
            is_of_seat[own] = self.tree.player[node] == seat
        return is_of_seat


def abstract_size(hand: Hand, buckets: Sequence[int]) -> AbstractSize:
    """Count an abstract game without building it.

    Args:
        hand: The hand.
        buckets: Buckets by street.

    Returns:
        Its size.

    Raises:
        ConfigError: The hand has no sizes, or nobody ever acts.
        UnsupportedError: The hand has other cards than hold'em.
    """
    check_hand(hand)
    return AbstractSize(hand.size(), tuple(buckets))


def check_two_seats(
    hand: Hand,
    what: str = "training on boards",
    remedy: str = "give two seats; the algorithm external trains more",
) -> None:
    """Raise UnsupportedError for a hand with more than two seats."""
    if hand.seats != 2:
        raise UnsupportedError(
            f"{what} takes two seats, not {hand.seats}",
            option="seats",
            given=hand.seats,
            expected="2",
            remedy=remedy,
        )


def check_evaluated(hand: Hand, what: str, option: str = "seats") -> None:
    """Raise UnsupportedError for a hand with more than two seats, which `what` does not measure."""
    if hand.seats != 2:
        raise UnsupportedError(
            f"{what} takes blueprints of two seats, not {hand.seats}",
            option=option,
            given=hand.seats,
            expected="a blueprint of two seats",
            remedy="take an exploiter or the litmus hands, which are for 2 to 10 seats",
        )


def check_hand(hand: Hand) -> None:
    """Raise UnsupportedError for a hand that boards of hold'em and card buckets do not serve.

    ConfigError where it has no sizes, or nobody ever acts.
    """
    check_offered(hand.menu, hand.limit)
    check_decisions(hand.rules)
    wrong = {"hole_cards": (hand.hole_cards, 2), "suits": (hand.suits, 4)}
    if hand.rules.ranking != STANDARD:
        wrong["deck"] = (hand.deck, "ranked as with 52 cards")  # type: ignore[assignment]
    wrong["board"] = (tuple(hand.board), _BOARD)  # type: ignore[assignment]
    for key, (value, expected) in wrong.items():
        if value != expected:
            raise UnsupportedError(
                f"a blueprint is of hold'em, with {key} {expected}",
                option=key,
                given=value,
                expected=expected,
                remedy=f"leave out {key}",
            )


def check_cards(hand: Hand, cards: CardBuckets) -> None:
    """Raise ConfigError where card buckets are of another deck than the hand."""
    if cards.lowest_rank != hand.rules.lowest_rank:
        raise ConfigError(
            f"the card buckets are of a deck of {52 - 4 * cards.lowest_rank} cards, the hand of "
            f"{len(hand.rules.deck)}",
            option="cards",
            given=str(cards.path),
            expected=f"buckets of a deck of {len(hand.rules.deck)} cards",
            remedy="build card buckets for the deck of the hand, with cards build --deck",
        )


def check_counts(game: AbstractGame, cards: CardBuckets) -> None:
    """Raise ConfigError where a game has other numbers of buckets than the card buckets."""
    if tuple(cards.counts) != game.buckets:
        raise ConfigError(
            f"the game has {game.buckets} buckets, the card buckets {cards.counts}",
            option="cards",
            given="/".join(map(str, cards.counts)),
            expected="/".join(map(str, game.buckets)),
            remedy="make the game with the counts of its card buckets",
        )
