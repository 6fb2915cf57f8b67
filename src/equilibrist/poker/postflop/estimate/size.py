"""The size of a spot, counted without building it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import perm
from typing import Final

import numpy as np

from equilibrist.kernels import TILE
from equilibrist.parsing.threads import thread_count
from equilibrist.poker.betting.bet_sizes import STREETS
from equilibrist.poker.betting.street_tree import ACTION, uses
from equilibrist.poker.cards.cards import NUM_CARDS
from equilibrist.poker.cards.combos import FIRST_CARD, SECOND_CARD
from equilibrist.poker.cards.isomorphism import deals_by_street
from equilibrist.poker.equities.folded import EXACT_FOLDED, weighing_work
from equilibrist.poker.postflop.estimate.memory import (
    BoardSizes,
    Overhead,
    count_lines,
    count_overhead,
    terminal_lanes,
)
from equilibrist.poker.postflop.estimate.runtime import EstimatedRun, estimated_run
from equilibrist.poker.postflop.solution.stopping import DEFAULT_TARGET, chips_of
from equilibrist.poker.postflop.spot.fields import NARROW_ITERATIONS, SMALL_BYTES, Storage
from equilibrist.poker.postflop.spot.resolved_locks import LockedNode, symmetries_with
from equilibrist.poker.postflop.spot.spot import Spot, checked_spot
from equilibrist.typing import FloatArray, Int64Array

_BYTES: Final[dict[Storage, int]] = {"int16": 2, "float32": 4, "float64": 8}
"""Of a number."""


@dataclass(frozen=True)
class StreetSize:
    """The size of one street of a spot.

    Attributes:
        street: flop, turn or river.
        boards: Boards that are solved; suit images of each other count once.
        all_boards: Boards that can be dealt, counting orders of dealing.
        betting_nodes: Decisions in the betting on one board.
        action_nodes: Decisions on all solved boards.
        entries: (decision, hand, action) triples of both players on all solved boards.
    """

    street: str
    boards: int
    all_boards: int
    betting_nodes: int
    action_nodes: int
    entries: int

    @property
    def float32_bytes(self) -> int:
        """Bytes of the regrets and the strategy sums, two numbers of 4 bytes per entry."""
        return self.solver_state_bytes("float32")

    @property
    def int16_bytes(self) -> int:
        """Bytes of regrets and strategy sums in 16 bits, with scales of 4 bytes per decision."""
        return self.solver_state_bytes("int16")

    def solver_state_bytes(self, storage: Storage, *, predicts: bool = False) -> int:
        """The bytes of regrets and strategy sums on the street.

        Args:
            storage: How they are stored.
            predicts: Whether the variant is predictive, which stores a third number per entry.

        Returns:
            Bytes.
        """
        numbers_bytes = _BYTES[storage] * self.entries + (
            4 * self.action_nodes if storage == "int16" else 0
        )
        return (3 if predicts else 2) * numbers_bytes


@dataclass(frozen=True)
class SpotSize:
    """The size of a spot: exact for regrets and strategy sums, an upper bound for the rest.

    Hands blocked by dealt cards are not counted; the others are padded on each board.

    Attributes:
        hands: Each player's hands that the first board leaves.
        symmetries: Suit symmetries of the spot, 1 for the identity alone.
        streets: The size of each street.
        pot: The pot in chips, of which targets are shares.
        overhead: The memory besides regrets and strategy sums: tables, locks, working memory.
        pair_products: Weights of pairs of hands by which an iteration multiplies; 0 without folded
            ranges.
        weighing: What it takes to know these weights, as `equities.folded.weighing_work`.
    """

    hands: tuple[int, int]
    symmetries: int
    streets: tuple[StreetSize, ...]
    pot: float
    overhead: Overhead
    pair_products: int = 0
    weighing: int = 0

    @property
    def action_nodes(self) -> int:
        """Decisions on all solved boards."""
        return sum(street.action_nodes for street in self.streets)

    @property
    def entries(self) -> int:
        """(decision, hand, action) triples of both players."""
        return sum(street.entries for street in self.streets)

    @property
    def float32_bytes(self) -> int:
        """Bytes of the regrets and the strategy sums, two numbers of 4 bytes per entry."""
        return sum(street.float32_bytes for street in self.streets)

    @property
    def int16_bytes(self) -> int:
        """Bytes of regrets and strategy sums in 16 bits, with scales of 4 bytes per decision."""
        return sum(street.int16_bytes for street in self.streets)

    def estimate_run(
        self,
        target: str | None = None,
        *,
        threads: int | None = None,
        bandwidth: float | None = None,
        slower: float = 1.0,
        least: int = 1,
    ) -> EstimatedRun:
        """Estimate the iterations and the time to a target, in either storage; a rough figure.

        Args:
            target: As in `solve`; by default 0.3 % of the pot.
            threads: As in `solve`.
            bandwidth: The memory bandwidth in bytes per second; by default it is measured.
            slower: How many times as long an iteration takes as a plain one.
            least: The least iterations that a target ends.

        Returns:
            Iterations, and seconds without building the tree and compiling; accurate to a factor of
            two or three.

        Raises:
            ConfigError: An argument is invalid.
        """
        count = thread_count(threads)
        chips = DEFAULT_TARGET * self.pot if target is None else chips_of(target, self.pot)
        share = chips / self.pot
        threads = min(count, self.overhead.parts)
        return estimated_run(
            self.entries,
            share,
            threads,
            bandwidth,
            pairs=self.pair_products,
            weighing=self.weighing,
            slower=slower,
            least=least,
        )

    def memory_bytes(
        self, storage: Storage = "float32", *, predicts: bool = False, threads: int | None = None
    ) -> int:
        """The memory of a solve in bytes, slightly above what is allocated.

        Args:
            storage: How regrets and strategy sums are stored: float32, int16 or float64.
            predicts: Whether the variant predicts, such as `pcfr+`, and so stores a third number.
            threads: As in `solve`.

        Returns:
            Bytes of the solver state of all streets, tables and working memory. A small spot takes
            `long_run_bytes` where it goes on after 1,000 iterations, in 16 bits after 100.

        Raises:
            ConfigError: `threads` is out of range.
        """
        count, wide = thread_count(threads), 2 if storage == "float64" else 1
        return self._state(storage, predicts) + wide * self.overhead.total(count)

    def long_run_bytes(
        self, storage: Storage = "float32", *, predicts: bool = False, threads: int | None = None
    ) -> int:
        """The memory of a run so long that small spots go on in float64, see `memory_bytes`.

        Args:
            storage: As in `memory_bytes`.
            predicts: As in `memory_bytes`.
            threads: As in `solve`.

        Returns:
            Bytes; where numbers become wider, of both together.
        """
        kinds: list[Storage] = [storage]
        if storage != "float64" and self._state("float32", predicts) <= SMALL_BYTES:
            kinds.append("float64")
        return sum(self.memory_bytes(kind, predicts=predicts, threads=threads) for kind in kinds)

    def most_bytes(
        self,
        storage: Storage = "float32",
        *,
        iterations: int | None = None,
        predicts: bool = False,
        threads: int | None = None,
    ) -> int:
        """The most memory that a run takes: what `solve` compares with its limit.

        Args:
            storage: As in `memory_bytes`.
            iterations: The most iterations of the run, None for no limit.
            predicts: As in `memory_bytes`.
            threads: As in `solve`.

        Returns:
            `memory_bytes`, or `long_run_bytes` where the run may be so long.
        """
        narrow = NARROW_ITERATIONS.get(storage)
        if narrow is None or (iterations is not None and iterations <= narrow):
            return self.memory_bytes(storage, predicts=predicts, threads=threads)
        return self.long_run_bytes(storage, predicts=predicts, threads=threads)

    def _state(self, storage: Storage, predicts: bool) -> int:
        return sum(s.solver_state_bytes(storage, predicts=predicts) for s in self.streets)


def estimate(
    spot: Spot,
    lowest_rank: int = 0,
    *,
    locked: Sequence[LockedNode] = (),
    responds: bool = False,
) -> SpotSize:
    """Count how large a spot is, before anything is allocated.

    Args:
        spot: The spot.
        lowest_rank: The lowest rank in the deck, 0 for the deuce.
        locked: Nodes with locks beside those of the spot, which may break its suit symmetries.
        responds: Whether strategies are logit responses, with terminal nodes in float64.

    Returns:
        Its boards, decisions and bytes, street by street.

    Raises:
        MemoryBudgetError: The betting alone is too large to enumerate.
    """
    bettings = checked_spot(spot).betting.streets
    lowest_rank = max(lowest_rank, spot.whole_deck.lowest_rank)
    weights = [hand_range.weights for hand_range in spot.ranges]
    hands = [int(np.count_nonzero(held)) for held in weights]
    group = symmetries_with(locked, spot.symmetries)
    deals = deals_by_street(spot.cards, group, lowest_rank)
    unseen = NUM_CARDS - 4 * lowest_rank - len(spot.cards)
    lines = count_lines(bettings, uses(bettings), len(deals))
    copies = 0 if not spot.folded else 1 if len(spot.folded) <= EXACT_FOLDED else 2
    sizes = _board_sizes(weights, deals, unseen, copies)
    entries = (lines.rows * sizes.filled).sum(axis=0).tolist()
    streets = tuple(
        StreetSize(
            street=STREETS[spot.first_street + k],
            boards=len(deals[k]),
            all_boards=perm(unseen, k),
            betting_nodes=nodes,
            action_nodes=len(deals[k]) * nodes,
            entries=entries[k],
        )
        for k, nodes in enumerate(lines.kinds[:, ACTION].tolist())
    )
    decisions = sum(street.action_nodes for street in streets)
    all_locked = (*spot.locked_nodes, *locked)
    held = count_overhead(lines, sizes, all_locked, decisions, responds=responds)
    products = weighing = 0
    if spot.folded:
        live = [[_live(own, street) for street in deals] for own in weights]
        on_boards = [int((oop * ip).sum()) for oop, ip in zip(*live, strict=True)]
        products = int(terminal_lanes(lines) @ np.array(on_boards))
        boards = {
            len(spot.cards) + k: len({*map(frozenset, cards)}) for k, cards in enumerate(deals)
        }
        weighing = weighing_work(boards, sizes.pairs // copies, len(spot.folded))
    return SpotSize((hands[0], hands[1]), len(group), streets, spot.pot, held, products, weighing)


def _board_sizes(
    weights: list[FloatArray], deals: list[list[tuple[int, ...]]], unseen: int, copies: int
) -> BoardSizes:
    """The sizes of all boards; `unseen` cards can be dealt first.

    Weights of pairs of hands are kept in so many `copies`, 0 without folded ranges.
    """
    live = [[_live(held, street) for street in deals] for held in weights]
    filled = [
        [np.maximum(-(-live_hands // TILE), 1) * TILE for live_hands in player] for player in live
    ]
    boards = np.array([len(street) for street in deals])
    images = [0, *(boards[:-1] * (unseen - np.arange(len(deals) - 1))).tolist()]
    return BoardSizes(
        boards,
        np.array(images),
        np.array([[hands.sum() for hands in player] for player in live]),
        np.array([[hands.sum() for hands in player] for player in filled]),
        (int(filled[0][0][0]), int(filled[1][0][0])),
        copies * sum(_pairs(dealt, *(own[k] for own in live)) for k, dealt in enumerate(deals)),
    )


def _pairs(deals: list[tuple[int, ...]], oop: Int64Array, ip: Int64Array) -> int:
    """The pairs of hands on the boards of a street; those of the same cards share them."""
    pairs = {
        frozenset(cards): pairs for cards, pairs in zip(deals, (oop * ip).tolist(), strict=True)
    }
    return sum(pairs.values())


def _live(weights: FloatArray, deals: list[tuple[int, ...]]) -> Int64Array:
    """int64[B]: the number of a player's hands that each deal leaves."""
    held = np.flatnonzero(weights)
    cards = np.stack([FIRST_CARD[held], SECOND_CARD[held]])
    holding = np.bincount(cards.ravel(), minlength=NUM_CARDS)
    pairs = np.zeros((NUM_CARDS, NUM_CARDS), np.int64)
    pairs[cards[0], cards[1]] = pairs[cards[1], cards[0]] = 1
    taken = [
        sum(holding[card] for card in dealt) - sum(pairs[a, b] for a, b in combinations(dealt, 2))
        for dealt in deals
    ]
    return len(held) - np.array(taken, np.int64)
