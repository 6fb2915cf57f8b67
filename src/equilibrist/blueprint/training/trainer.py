"""`Trainer`: CFR on an abstract game by sampled boards, and its state.

An iteration is a batch of boards. For each board the betting tree is walked once with all hands of
both players; at the end of the batch the regrets of all information sets are updated at once, and
the next strategies follow from them. The boards of a batch are cut into parts, whose sums are added
in a fixed order, so that the result has the same bits on any number of threads.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from queue import Empty, SimpleQueue
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from equilibrist.blueprint.abstract_game import (
    AbstractGame,
    AbstractSize,
    check_two_seats,
)
from equilibrist.blueprint.training.boards import BoardSequence, board_rows
from equilibrist.blueprint.training.discount import DEFAULT, Discount
from equilibrist.blueprint.training.preflop_ends import PreflopEnds
from equilibrist.blueprint.training.sampled_training import MILLI, SampledTraining
from equilibrist.blueprint.training.schedule import CHUNK_NODES, Schedule, build_schedule, work_for
from equilibrist.kernels.blueprint.arrays import BOTH, Sums, Work
from equilibrist.kernels.blueprint.updates import normalise_nodes, total_regret, update_nodes
from equilibrist.kernels.blueprint.walk import walk_boards
from equilibrist.parsing.threads import thread_count
from equilibrist.poker.buckets.board_hands import deck_hands, hands_on
from equilibrist.poker.buckets.card_buckets import CardBuckets
from equilibrist.poker.cards.combos import NUM_COMBOS
from equilibrist.poker.cards.evaluator_tables import strength_tables
from equilibrist.poker.holdem.state import DECISION
from equilibrist.typing import FloatArray, Int32Array, UInt8Array, UInt16Array

PARTS: Final = 16
"""The most parts of a batch, each the work of one thread."""
_LEAST_PARTS: Final = 4
_PART_BOARDS: Final = 3
"""Boards of a part: adding up the sums of the parts costs about as much as half a board."""
BATCH: Final = 4
"""Boards of a batch."""


class Trainer(SampledTraining):
    """Trains both seats of an abstract game, or one against a fixed strategy of the other.

    Args:
        game: The abstract game.
        cards: Its card buckets.
        seed: The seed of the order of the boards.
        batch: Boards of an iteration.
        threads: Threads to work with, at most one per part; the result is the same.
        discount: How older iterations count.
        frozen: A seat that keeps its strategy, or None.
        strategy: float32[slots], the strategy of the frozen seat; the other seat begins uniform.

    Attributes:
        game: The abstract game.
        cards: Its card buckets.
        iteration: Iterations so far.
        boards: Boards so far.
        seed: The seed.
        batch: Boards of an iteration.

    Raises:
        ConfigError: An argument is out of range, or the card buckets are of another deck.
    """

    def __init__(
        self,
        game: AbstractGame,
        cards: CardBuckets,
        *,
        seed: int = 0,
        batch: int = BATCH,
        threads: int | None = None,
        discount: Discount = DEFAULT,
        frozen: int | None = None,
        strategy: NDArray[np.float32] | None = None,
    ) -> None:
        check_two_seats(game.hand)
        super().__init__(game, cards, seed=seed, batch=batch, most=1_000_000)
        self.discount = discount
        slots, infosets = game.num_slots, game.num_infosets
        self._parts = parts_of(self.batch)
        self._threads = min(thread_count(threads), self._parts)
        self._players = BOTH if frozen is None else BOTH & ~(1 << frozen)
        self._walker = Walker(game, cards)
        self.schedule: Schedule = self._walker.schedule
        self._sequence = BoardSequence(cards.lowest_rank, self.seed)
        self._nodes = decisions(game, self._players)
        self.sigma = np.zeros(slots, np.float32)
        self._value = np.zeros((self._parts, slots), np.float32)
        self._reach = np.zeros((self._parts, infosets), np.float32)
        self._regret_weight = 0.0
        self._begin(strategy)

    def _begin(self, strategy: NDArray[np.float32] | None) -> None:
        """Uniform strategies, but for the frozen seat's."""
        if strategy is not None:
            self.sigma[:] = strategy
        self.match()

    def match(self) -> Self:
        """Let the strategies follow from the regrets.

        Returns:
            The trainer.
        """
        self._update(np.ones(3, np.float32), map)
        return self

    def _update(self, factors: NDArray[np.float32], each: Callable[..., Any]) -> None:
        def part(nodes: Int32Array) -> None:
            update_nodes(
                self.schedule.betting, nodes, self.regret, self.average, self.sigma, self._value,
                self._reach, factors, self._scratch(),
            )  # fmt: skip

        for _ in each(part, np.array_split(self._nodes, self._parts)):
            pass

    def _scratch(self) -> NDArray[np.float32]:
        return np.zeros(max(self.game.buckets), np.float32)

    @property
    def updates(self) -> int:
        """Updates of each information set: iterations, of which one may miss its bucket."""
        return self.iteration

    def options(self) -> dict[str, Any]:
        """The arguments on which the result depends, as JSON has them.

        Returns:
            Arguments by name.
        """
        discount = self.discount
        return {
            **super().options(),
            "discount": [discount.regret, discount.negative, discount.average],
        }

    @property
    def memory_bytes(self) -> int:
        """Bytes of the numbers of all information sets."""
        arrays = self.regret, self.average, self.sigma, self._value, self._reach
        return sum(array.nbytes for array in arrays)

    def _iterate(self, each: Callable[..., Any]) -> None:
        boards = self._sequence.boards(self.boards, self.batch)
        known = self._walker.known(self.sigma)
        parts = self._parts
        cuts = [self.batch * part // parts for part in range(parts + 1)]

        def part(k: int) -> FloatArray:
            return self._walker.walk(
                boards[cuts[k] : cuts[k + 1]],
                self.sigma,
                known,
                self._players,
                Sums(self._value[k], self._reach[k]),
            )

        won = np.concatenate(list(each(part, range(parts))))
        factors = self.discount.factors(self.iteration + 1)
        self._update(factors, each)
        self.iteration += 1
        self.boards += self.batch
        older = float(factors[2])
        self._weight = older * self._weight + 1.0
        self._won = older * self._won + float(won.mean(axis=0)[0])
        older = float(factors[0])
        self._regret_weight = older * self._regret_weight + 1.0

    @property
    def average_regret(self) -> float:
        """The positive regret per iteration of both seats together, in mbb per hand.

        With perfect recall it would bound what best responses gain in all; buckets forget, so that
        it only tells how the training goes.
        """
        if not self.iteration:
            return 0.0
        total = sum(total_regret(self.schedule.betting, self._nodes, self.regret, self._scratch()))
        return float(MILLI * total / (self._regret_weight * self.batch * self._walker.pairs))

    def strategy(self) -> UInt16Array:
        """The average strategies, as files have them.

        Returns:
            uint16[slots], in 1/65,535; where nothing was averaged the current strategy.
        """
        found = np.zeros(len(self.sigma), np.uint16)
        nodes = decisions(self.game, BOTH)
        normalise_nodes(
            self.schedule.betting, nodes, self.average, self.sigma, found, self._scratch()
        )
        return found

    def state(self) -> dict[str, Any]:
        """What the next iterations depend on, besides the arguments and `arrays`.

        Returns:
            Numbers by name, as JSON has them.
        """
        return {**super().state(), "regret_weight": self._regret_weight}

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays that the next iterations depend on.

        Returns:
            The arrays themselves by name.
        """
        return {**super().arrays(), "sigma": self.sigma}

    def restore(self, state: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Continue from a state, bit-identical to the run that it is from.

        Args:
            state: What `state` said.
            arrays: What `arrays` gave.

        Returns:
            The trainer.
        """
        self._regret_weight = float(state["regret_weight"])
        return super().restore(state, arrays)


class Walker:
    """Walks the betting tree of a game for boards.

    Args:
        game: The abstract game.
        cards: Its card buckets.
        chunk_nodes: The most nodes of a chunk of the schedule.

    Attributes:
        schedule: The order of its nodes.
        pairs: The pairs of hands that a board leaves to both seats.
    """

    def __init__(
        self, game: AbstractGame, cards: CardBuckets, chunk_nodes: int = CHUNK_NODES
    ) -> None:
        check_two_seats(game.hand, "a walk of boards")
        self._cards = cards
        self._ends: PreflopEnds | None = None
        if cards.lowest_rank == 0:
            self.schedule = build_schedule(game, chunk_nodes, known_street=0)
            self._ends = PreflopEnds(game, cards, self.schedule)
        else:
            self.schedule = build_schedule(game, chunk_nodes)
        self._streets = game.hand.rules.final_street + 1
        self._hands = hands_on(5, cards.lowest_rank)
        self.pairs = self._hands * hands_on(7, cards.lowest_rank)
        self._works: SimpleQueue[Work] = SimpleQueue()

    def known(self, sigma: NDArray[np.float32]) -> NDArray[np.float32]:
        """The exact values at the ends before the flop, which `walk` takes.

        Args:
            sigma: float32[slots]: the strategies of both seats.

        Returns:
            float32[K, 2, 1326]; with other decks than 52 cards K is 0.
        """
        if self._ends is None:
            return np.zeros((0, 2, NUM_COMBOS), np.float32)
        return self._ends.values(sigma)

    def walk(
        self,
        boards: UInt8Array,
        sigma: NDArray[np.float32],
        known: NDArray[np.float32],
        players: int,
        sums: Sums,
    ) -> FloatArray:
        """Add the sums of some boards.

        Args:
            boards: uint8[B, 5].
            sigma: float32[slots]: the strategies of both seats.
            known: What `known` returns for them.
            players: The seats whose values of actions and reach are added up, as bits.
            sums: What they are added to.

        Returns:
            float64[B, 2]: what each seat wins on each board in big blinds, on average over all
            pairs of hands.
        """
        try:
            work = self._works.get_nowait()
        except Empty:
            work = work_for(self.schedule, self._hands)
        drawn = board_rows(self._cards, boards, self._streets)
        won = np.empty((len(boards), 2))
        walk_boards(
            strength_tables(7), deck_hands(self._cards.lowest_rank), self.schedule.betting,
            drawn.boards, drawn.rows, sigma, known, players, sums, work, won,
        )  # fmt: skip
        self._works.put(work)
        return won / self.pairs


def training_bytes(size: AbstractSize, batch: int = BATCH) -> int:
    """What the numbers of a training take: regrets, sums, strategies, and the sums of the parts."""
    slots, infosets = sum(size.slots), sum(size.infosets)
    parts = parts_of(batch)
    return 4 * ((3 + parts) * slots + parts * infosets) + size.tree.num_bytes


def parts_of(batch: int) -> int:
    """The parts of a batch of so many boards."""
    return min(batch, PARTS, max(_LEAST_PARTS, batch // _PART_BOARDS))


def decisions(game: AbstractGame, players: int) -> Int32Array:
    """The decisions of some players, as bits, in the order of their numbers."""
    tree = game.tree
    of_them = (tree.kind == DECISION) & ((players >> np.maximum(tree.player, 0)) & 1 == 1)
    found = np.flatnonzero(of_them)
    return found[np.argsort(game.layout.slot[found], kind="stable")].astype(np.int32)
