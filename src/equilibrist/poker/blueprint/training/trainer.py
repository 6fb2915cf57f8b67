"""`Trainer`: CFR on an abstract game by sampled boards, and its state.

An iteration is a batch of boards. For each board the betting tree is walked once with all hands of
both players; at the end of the batch the regrets of all information sets are updated at once, and
the next strategies follow from them. The boards of a batch are cut into parts, whose sums are added
in a fixed order, so that the result has the same bits on any number of threads.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Self

import numpy as np
from numpy.typing import DTypeLike, NDArray

from equilibrist.errors import ConfigError
from equilibrist.kernels.blueprint.arrays import BOTH, Sums
from equilibrist.kernels.blueprint.updates import (
    normalise_nodes,
    total_regret,
    update_nodes,
    update_small_nodes,
)
from equilibrist.parsing.threads import thread_count
from equilibrist.poker.blueprint.abstract_game import (
    AbstractGame,
    AbstractSize,
    check_two_seats,
)
from equilibrist.poker.blueprint.training.blocks import BlockSchedule
from equilibrist.poker.blueprint.training.boards import BoardRows, BoardSequence
from equilibrist.poker.blueprint.training.sampled_training import MILLI, SampledTraining
from equilibrist.poker.blueprint.training.walker import Walker
from equilibrist.poker.buckets.card_buckets import CardBuckets
from equilibrist.poker.hands.state import DECISION
from equilibrist.poker.postflop.spot.fields import Storage
from equilibrist.typing import FloatArray, Int32Array, UInt8Array, UInt16Array


@dataclass(frozen=True)
class Discount:
    """How older iterations count: before iteration t, with n = t - 1, sums are multiplied.

    Attributes:
        regret: Positive regrets by n^regret / (n^regret + 1).
        negative: Negative regrets likewise.
        average: Average strategies by (n / t)^average.
    """

    regret: float = 1.5
    negative: float = 0.0
    average: float = 2.0

    def factors(self, iteration: int) -> NDArray[np.float32]:
        """The factors before an iteration.

        Args:
            iteration: The iteration, counted from 1.

        Returns:
            float32[3]: of positive regrets, negative regrets and average strategies.
        """
        before = iteration - 1.0
        if not before:
            return np.zeros(3, np.float32)
        powers = before**self.regret, before**self.negative
        regret_factors = [power / (power + 1.0) for power in powers]
        return np.array([*regret_factors, (before / iteration) ** self.average], np.float32)


DCFR: Final = Discount()
"""Discounted CFR: negative regrets are halved each time."""
LINEAR: Final = Discount(1.0, 1.0, 1.0)
"""Iteration t has weight t: linear CFR."""
DEFAULT: Final = LINEAR
"""What training takes if nothing is given."""


PARTS: Final = 16
"""The most parts of a batch, each the work of one thread."""
_LEAST_PARTS: Final = 4
_PART_BOARDS: Final = 3
"""Boards of a part: with fewer, adding up the sums of the parts costs as much as the boards."""
BATCH: Final = 4
"""Boards of a batch."""
FLOAT32: Final[Storage] = "float32"
INT16: Final[Storage] = "int16"
_AHEAD: Final = 64
"""Boards whose buckets are looked up together for small batches: faster than one by one."""
_DTYPES: Final[dict[str, tuple[DTypeLike, DTypeLike]]] = {
    FLOAT32: (np.float32, np.float32),
    INT16: (np.int16, np.uint16),
}
"""What regrets and average strategies are stored in: the latter are never negative."""


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
        storage: `float32`, or `int16` for regrets and average strategies in 16 bits with a scale
            for each decision.

    Attributes:
        game: The abstract game.
        cards: Its card buckets.
        iteration: Iterations so far.
        boards: Boards so far.
        seed: The seed.
        batch: Boards of an iteration.
        storage: How regrets and average strategies are stored.
        sigma: float32[slots], the strategies of the next iteration.
        schedule: The blocks of the betting tree.

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
        storage: Storage = FLOAT32,
    ) -> None:
        check_two_seats(game.hand)
        check_storage(storage)
        self.storage: Storage = storage
        super().__init__(
            game, cards, seed=seed, batch=batch, most=1_000_000, dtypes=_DTYPES[storage]
        )
        self._scale = np.zeros((2, game.tree.num_nodes if storage == INT16 else 0), np.float32)
        self.discount = discount
        slots, infosets = game.num_slots, game.num_infosets
        self._parts = parts_of(self.batch)
        self._threads = min(thread_count(threads), self._parts)
        self._players = BOTH if frozen is None else BOTH & ~(1 << frozen)
        self._walker = Walker(game, cards)
        self.schedule: BlockSchedule = self._walker.schedule
        self._sequence = BoardSequence(cards.lowest_rank, self.seed)
        self._ahead: tuple[int, BoardRows | None] = (0, None)
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

    def _update(self, factors: NDArray[np.float32], map_parts: Callable[..., Any]) -> None:
        def part(nodes: Int32Array) -> None:
            blocks, sums = self.schedule.blocks, (self.sigma, self._value, self._reach)
            if self.storage == FLOAT32:
                update_nodes(
                    blocks, nodes, self.regret, self.average, *sums, factors, self._scratch()
                )
                return
            rows = np.zeros((2, max(self.game.buckets) * int(blocks.actions.max())), np.float32)
            update_small_nodes(
                blocks, nodes, self.regret, self.average, self._scale, self.iteration, *sums,
                factors, self._scratch(), *rows,
            )  # fmt: skip

        for _ in map_parts(part, np.array_split(self._nodes, self._parts)):
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
            "storage": self.storage,
        }

    @property
    def memory_bytes(self) -> int:
        """Bytes of the numbers of all information sets."""
        arrays = self.regret, self.average, self._scale, self.sigma, self._value, self._reach
        return sum(array.nbytes for array in arrays)

    def _iterate(self, map_parts: Callable[..., Any]) -> None:
        boards, ahead = self._next_boards()
        known = self._walker.known(self.sigma)
        parts = self._parts
        cuts = [self.batch * part // parts for part in range(parts + 1)]

        def part(k: int) -> FloatArray:
            begin, end = cuts[k], cuts[k + 1]
            return self._walker.walk(
                self._walker.look_up(boards[begin:end])
                if ahead is None
                else ahead.part(begin, end),
                self.sigma,
                known,
                self._players,
                Sums(self._value[k], self._reach[k]),
            )

        won = np.concatenate(list(map_parts(part, range(parts))))
        factors = self.discount.factors(self.iteration + 1)
        self._update(factors, map_parts)
        self.iteration += 1
        self.boards += self.batch
        older = float(factors[2])
        self._weight = older * self._weight + 1.0
        first, second = won.mean(axis=0).tolist()
        self._won = older * self._won + (first if self._players & 1 else -second)
        older = float(factors[0])
        self._regret_weight = older * self._regret_weight + 1.0

    def _next_boards(self) -> tuple[UInt8Array, BoardRows | None]:
        """The boards of the next iteration, and their buckets where those are looked up ahead.

        Returns:
            uint8[batch, 5], and the boards with their rows; None for batches of more than half of
            `_AHEAD` boards, of which each thread looks up its own.
        """
        if self.batch > _AHEAD // 2:
            return self._sequence.boards(self.boards, self.batch), None
        begin, ahead = self._ahead
        skip = self.boards - begin
        if ahead is None or not 0 <= skip <= len(ahead.boards) - self.batch:
            count = _AHEAD // self.batch * self.batch
            skip, ahead = 0, self._walker.look_up(self._sequence.boards(self.boards, count))
            self._ahead = self.boards, ahead
        part = ahead.part(skip, skip + self.batch)
        return part.boards, part

    @property
    def average_regret(self) -> float:
        """The positive regret per iteration of both seats together, in mbb per hand.

        With perfect recall it would bound what best responses gain in all; buckets forget, so that
        it only tells how the training goes.
        """
        if not self.iteration:
            return 0.0
        blocks, scale = self.schedule.blocks, self._scale[0]
        total = sum(total_regret(blocks, self._nodes, self.regret, scale, self._scratch()))
        return float(MILLI * total / (self._regret_weight * self.batch * self._walker.pairs))

    def strategy(self) -> UInt16Array:
        """The average strategies, as files have them.

        Returns:
            uint16[slots], in 1/65,535; where nothing was averaged the current strategy.
        """
        stored = np.zeros(len(self.sigma), np.uint16)
        nodes = decisions(self.game, BOTH)
        normalise_nodes(
            self.schedule.blocks, nodes, self.average, self.sigma, stored, self._scratch()
        )
        return stored

    def _own_state(self) -> dict[str, Any]:
        return {"regret_weight": self._regret_weight}

    def _restore_own(self, state: Mapping[str, Any]) -> None:
        self._regret_weight = float(state["regret_weight"])

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays that the next iterations depend on.

        Returns:
            The arrays themselves by name.
        """
        arrays = {**super().arrays(), "sigma": self.sigma}
        return arrays if self.storage == FLOAT32 else {**arrays, "scale": self._scale}


def training_bytes(size: AbstractSize, batch: int = BATCH, storage: Storage = FLOAT32) -> int:
    """Count the bytes of a training: regrets, sums, strategies, and the sums of the parts.

    A walk takes a few megabytes more for each thread.
    """
    slots, infosets = sum(size.slots), sum(size.infosets)
    parts = parts_of(batch)
    num_bytes = 4 * ((3 + parts) * slots + parts * infosets) + size.tree.num_bytes
    return num_bytes if storage == FLOAT32 else num_bytes - 4 * slots + 8 * size.tree.nodes


def check_storage(storage: str) -> None:
    """Raise ConfigError where there is no such storage."""
    if storage not in tuple(_DTYPES):
        raise ConfigError(
            f"the storage is {storage!r}",
            option="storage",
            given=storage,
            expected=" or ".join(_DTYPES),
            remedy="give float32 or int16",
        )


def parts_of(batch: int) -> int:
    """The parts of a batch of so many boards."""
    return min(batch, PARTS, max(_LEAST_PARTS, batch // _PART_BOARDS))


def decisions(game: AbstractGame, players: int) -> Int32Array:
    """The decisions of some players, as bits, in the order of their numbers."""
    tree = game.tree
    of_them = (tree.kind == DECISION) & ((players >> np.maximum(tree.player, 0)) & 1 == 1)
    nodes = np.flatnonzero(of_them)
    return nodes[np.argsort(game.layout.slot[nodes], kind="stable")].astype(np.int32)
