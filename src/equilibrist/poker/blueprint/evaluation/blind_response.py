"""Exact best responses to strategies that do not look at their cards.

The range of such a strategy never narrows: at every decision all hands that the cards leave are
equally likely. So the value of a river depends on the chips and on the equity of the own hand
alone, and the values of earlier streets are means over the next card: minutes in place of the
processor months of a best response in all of limit hold'em.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Final

import numpy as np
from numpy.typing import NDArray

from equilibrist.errors import ConfigError, UnsupportedError
from equilibrist.kernels.blueprint.responses import sum_by_board, sum_by_equity
from equilibrist.parsing.arguments import finite_number
from equilibrist.parsing.threads import thread_count
from equilibrist.poker.betting.actions import Kind
from equilibrist.poker.blueprint.abstract_game import check_evaluated, check_hand
from equilibrist.poker.buckets.next_boards import HAND_IMAGES, next_street
from equilibrist.poker.buckets.river_hands import RiverHands
from equilibrist.poker.cards.canonical_boards import canonical_boards
from equilibrist.poker.cards.combos import (
    CLASS_OF_COMBO,
    COMBO_MASKS,
    FIRST_CARD,
    NUM_CLASSES,
    NUM_COMBOS,
)
from equilibrist.poker.equities.runouts import in_parts
from equilibrist.poker.hands.betting_tree import ACTION_KINDS, BettingTree
from equilibrist.poker.hands.hand import Hand
from equilibrist.poker.hands.state import DEAL, DECISION, FOLDED, SHOWDOWN
from equilibrist.typing import FloatArray

Float32 = NDArray[np.float32]
MILLI: Final = 1000.0
_PART: Final = {3: 8, 4: 32}
"""Boards in a part, by their number of cards."""


@dataclass(frozen=True)
class BlindStrategy:
    """How often a strategy folds, calls (or checks) and raises (or bets), whatever its cards.

    What it cannot do, it calls or checks instead. The three add up to 1.

    Attributes:
        fold: The probability of a fold where there is a bet to call.
        call: That of a check or call.
        bet: That of a bet or raise, by the smallest size that is offered.

    Raises:
        ConfigError: They do not add up to 1.
    """

    fold: float = 0.0
    call: float = 0.0
    bet: float = 0.0

    def __post_init__(self) -> None:
        probabilities = [
            finite_number(name, getattr(self, name)) for name in ("fold", "call", "bet")
        ]
        if min(probabilities) < 0 or abs(sum(probabilities) - 1.0) > 1e-9:
            raise ConfigError(
                "the probabilities do not add up to 1",
                option="fold",
                given=tuple(probabilities),
                expected="three probabilities that add up to 1",
                remedy="give for instance call=0.5, bet=0.5",
            )


def blind_response(
    hand: Hand, strategy: BlindStrategy, *, threads: int | None = None
) -> tuple[float, float]:
    """Value best responses to a strategy that does not look at its cards, exactly.

    Args:
        hand: A hand of hold'em with two seats and betting on all streets, whose stacks are too deep
            for an all-in; limit hold'em in most cases.
        strategy: The strategy.
        threads: Threads to work with.

    Returns:
        What the response wins as small blind and as big blind, in mbb per hand. Their mean is the
        exploitability of the strategy.

    Raises:
        UnsupportedError: The hand is another, has more seats, or all-ins before the river.
    """
    check_hand(hand)
    check_evaluated(hand, "a response to a strategy that ignores its cards")
    tree = hand.tree()
    ends = (tree.kind == SHOWDOWN) & (tree.street < 3)
    if hand.rules.final_street != 3 or ends.any():
        raise UnsupportedError(
            "responses to blind strategies need betting on all streets and no all-ins before the "
            "river",
            option="hand",
            given=hand.name,
            expected="deep stacks",
            remedy="give larger stacks, such as stack=100 with limit",
        )
    threads = thread_count(threads)
    river = RiverHands(hand.rules.lowest_rank, threads)
    unit = float(hand.rules.big_blind)
    small, big = (_Responder(tree, strategy, seat, unit, river, threads).value() for seat in (0, 1))
    return MILLI * small, MILLI * big


class _Responder:
    """The best response of a seat, street by street from the river to the deal."""

    def __init__(
        self,
        tree: BettingTree,
        strategy: BlindStrategy,
        seat: int,
        unit: float,
        river: RiverHands,
        threads: int,
    ) -> None:
        self._tree, self._strategy, self._seat = tree, strategy, seat
        self._unit, self._river, self._threads = unit, river, threads
        self._starts = [_starts(tree, street) for street in (1, 2, 3)]

    def value(self) -> float:
        """Average what the response wins over all hands, in big blinds."""
        later = self._by_board(4, self._on_river())
        later = self._by_board(3, later)
        copies = canonical_boards(3, self._river.lowest_rank).copies
        total = np.tensordot(copies.astype(np.float64), later, 1)
        deck = 52 - 4 * self._river.lowest_rank
        held = (4 * self._river.lowest_rank <= FIRST_CARD).astype(np.float64)
        size = np.bincount(CLASS_OF_COMBO, held, NUM_CLASSES)
        left = (deck - 2) * (deck - 3) * (deck - 4) / (deck * (deck - 1) * (deck - 2))
        scale = np.maximum(size, 1.0) * copies.sum() * left
        by_class = [np.bincount(CLASS_OF_COMBO, column, NUM_CLASSES) / scale for column in total.T]
        by_class_at_start = self._walked(0, lambda state: by_class[state])
        return float(size @ np.broadcast_to(by_class_at_start, NUM_CLASSES) / size.sum())

    def _on_river(self) -> Float32:
        """float32[E, S]: the value of a river by equity, for each number of chips at its start."""
        whole = self._river.whole
        equity = np.arange(whole + 1) / whole
        rows = []
        for node in self._starts[2].values():
            by_equity = self._walked(node, None, lambda pot, own: equity * pot - own)
            rows.append(np.broadcast_to(by_equity, whole + 1))
        return np.ascontiguousarray(np.array(rows).T, np.float32)

    def _by_board(self, size: int, later: Float32) -> Float32:
        """float32[B, 1326, S]: values at the start of the street with `size` board cards."""
        lowest = self._river.lowest_rank
        boards = canonical_boards(size, lowest).cards
        starts = self._starts[size - 3]
        out = np.zeros((len(boards), NUM_COMBOS, len(starts)), np.float32)
        cards = 52 - 4 * lowest - size - 2  # that may come, the own hand known

        def part(begin: int, end: int) -> None:
            runs = next_street(size, lowest, begin, end)
            means = np.zeros((end - begin, NUM_COMBOS, later.shape[-1]), np.float32)
            inputs = HAND_IMAGES, runs.places, runs.permutations, runs.runs
            if size == 4:
                sum_by_equity(self._river.equities, *inputs, later, means)
            else:
                sum_by_board(later, *inputs, means)
            means /= np.float32(cards)
            leaves = np.ascontiguousarray(np.moveaxis(means, -1, 0))
            for k, node in enumerate(starts.values()):
                out[begin:end, :, k] = self._walked(node, lambda state: leaves[state])
            gone = (np.uint64(1) << boards[begin:end].astype(np.uint64)).sum(axis=1)
            blocked = COMBO_MASKS & gone[:, None].astype(np.uint64) != 0
            out[begin:end][blocked | (4 * lowest > FIRST_CARD)] = 0.0

        for _ in in_parts(part, len(boards), _PART[size], self._threads):
            pass
        return out

    def _walked(
        self,
        node: int,
        leaf: Callable[[int], FloatArray] | None,
        showdown: Callable[[float, float], FloatArray] | None = None,
    ) -> FloatArray:
        """The value of a node; `leaf` has those of the next street's starts by their number."""
        tree, seat = self._tree, self._seat
        stake = tree.stake[node].astype(np.float64) / self._unit
        if tree.kind[node] == FOLDED:
            return np.asarray(stake[1 - seat] if tree.live[node] == 1 << seat else -stake[seat])
        if tree.kind[node] == SHOWDOWN:
            assert showdown is not None
            return showdown(float(stake.sum()), float(stake[seat]))
        if tree.kind[node] == DEAL:
            assert leaf is not None
            child = int(tree.first_child[node])
            places = self._starts[int(tree.street[child]) - 1]
            return leaf([*places].index(tuple(tree.stake[child].tolist())))
        children = tree.children(node)
        below = [self._walked(child, leaf, showdown) for child in children]
        if tree.player[node] == seat:
            return reduce(np.maximum, below)
        shares = self._shares([ACTION_KINDS[tree.action[child]] for child in children])
        parts = [share * value for share, value in zip(shares, below, strict=True) if share]
        return np.asarray(sum(parts))

    def _shares(self, kinds: Sequence[Kind]) -> list[float]:
        """The frequency of each action in the strategy."""
        passive = next(k for k, kind in enumerate(kinds) if kind in {Kind.CHECK, Kind.CALL})
        shares = [0.0] * len(kinds)
        fold = kinds.index(Kind.FOLD) if Kind.FOLD in kinds else passive
        bets = [k for k, kind in enumerate(kinds) if kind not in {Kind.FOLD, Kind.CHECK, Kind.CALL}]
        for place, share in (
            (fold, self._strategy.fold),
            (passive, self._strategy.call),
            (bets[0] if bets else passive, self._strategy.bet),
        ):
            shares[place] += share
        return shares


def _starts(tree: BettingTree, street: int) -> dict[tuple[int, ...], int]:
    """A decision at the start of a street for each number of chips; the rest is the same."""
    starts: dict[tuple[int, ...], int] = {}
    first = (tree.kind == DECISION) & (tree.street == street)
    for node in np.flatnonzero(first).tolist():
        if tree.kind[tree.parent[node]] == DEAL:
            starts.setdefault(tuple(tree.stake[node].tolist()), node)
    return starts
