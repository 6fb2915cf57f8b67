"""`ExternalTrainer`: external sampling with linear discounting and pruning, for two to ten seats.

A *deal* has hole cards for every seat and a board. Each deal is traversed once for every seat: the
seat tries all its actions, the others' actions are drawn. A *round* is a batch of deals on each of
L lanes, which begin with the same numbers; then the regrets of the lanes are averaged, what they
added to the strategies is summed up, and all is discounted. So the result depends on the number of
lanes, but neither on threads nor on pauses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from equilibrist.kernels.blueprint.external import Path, SampledTree, sample_deals
from equilibrist.parsing.arguments import whole_number
from equilibrist.parsing.threads import thread_count
from equilibrist.poker.blueprint.abstract_game import AbstractGame, AbstractSize
from equilibrist.poker.blueprint.training.boards import DealSequence
from equilibrist.poker.blueprint.training.sampled_training import MILLI, SampledTraining
from equilibrist.poker.buckets.card_buckets import CardBuckets
from equilibrist.poker.hands.state import DECISION
from equilibrist.typing import UInt16Array

DEALS: Final = 20_000
"""Deals of a lane in a round."""
LANES: Final = 2
"""The default number of lanes."""
_WHOLE: Final = 65_535.0


@dataclass(frozen=True)
class Pruning:
    """When actions are left out: those that have cost much, in most traversals.

    On the last street, and where an action ends the hand, nothing is left out; nor is the action
    with the largest regret.

    Attributes:
        share: The share of traversals that leave actions out.
        stacks: The regret below which they do, as a multiple of minus the largest stack.
        after: Rounds before the first that leaves actions out.
    """

    share: float = 0.95
    stacks: float = 300.0
    after: int = 20

    def numbers(self, round_: int, stack: float) -> NDArray[np.float32]:
        """The numbers for kernels: the share, the threshold, and the smallest regret that is kept.

        Args:
            round_: The round, counted from 1.
            stack: The largest stack in big blinds.

        Returns:
            float32[3].
        """
        threshold = -self.stacks * stack
        share = self.share if round_ > self.after else 0.0
        return np.array([share, threshold, 1.05 * threshold], np.float32)


class ExternalTrainer(SampledTraining):
    """Trains all seats of an abstract game by external sampling.

    Args:
        game: The abstract game.
        cards: Its card buckets.
        seed: The seed of cards and actions.
        batch: Deals of a lane in a round.
        lanes: Lanes, on which the result depends.
        threads: Threads to work with, at most one per lane; the result is the same.
        pruning: When actions are left out; None for never.
        trained: The only seat that is trained, or None for all; the average strategy is then
            weighted at all its decisions by how often it plays to them.
        strategy: float32[slots], what the other seats play, as `AbstractGame.layout` has it.

    Attributes:
        game: The abstract game.
        cards: Its card buckets.
        iteration: Rounds so far.
        boards: Deals so far, of all lanes.
        visits: Nodes visited so far.
        seed: The seed.
        batch: Deals of a lane in a round.
        lanes: Lanes.

    Raises:
        ConfigError: An argument is out of range, or the card buckets are of another deck.
    """

    def __init__(
        self,
        game: AbstractGame,
        cards: CardBuckets,
        *,
        seed: int = 0,
        batch: int = DEALS,
        lanes: int = LANES,
        threads: int | None = None,
        pruning: Pruning | None = Pruning(),
        trained: int | None = None,
        strategy: NDArray[np.float32] | None = None,
    ) -> None:
        self.lanes = whole_number("lanes", lanes, 1, 1024)
        super().__init__(game, cards, seed=seed, batch=batch, most=10**9)
        self.pruning, self.visits = pruning, 0
        self._threads = min(thread_count(threads), self.lanes)
        self._deals = DealSequence(cards, game.hand.seats, game.hand.rules.final_street + 1, seed)
        self._tree = sampled_tree(game)
        self._starts = _infosets(game)
        self._lanes = np.empty((self.lanes, 2, game.num_slots), np.float32)
        self._paths = [_path(game) for _ in range(self.lanes)]
        self._trained = trained
        self._frozen: tuple[NDArray[np.bool_], NDArray[np.float32]] | None = None
        if trained is not None and strategy is not None:
            self._frozen = ~game.seat_slots(trained), by_bucket(game, strategy)
            np.copyto(self.regret, self._frozen[1], where=self._frozen[0])

    def options(self) -> dict[str, Any]:
        """The arguments on which the result depends, as JSON has them.

        Returns:
            Arguments by name.
        """
        pruning = self.pruning
        return {
            **super().options(),
            "lanes": self.lanes,
            "pruning": pruning and [pruning.share, pruning.stacks, pruning.after],
        }

    @property
    def memory_bytes(self) -> int:
        """Bytes of the numbers of all information sets."""
        return (2 + 2 * self.lanes) * self.regret.nbytes

    def _iterate(self, map_parts: Callable[..., Any]) -> None:
        now = self.iteration + 1
        trained = -1 if self._trained is None else self._trained
        never = np.array([0, -np.inf, -np.inf], np.float32)
        stack = max(self.game.hand.rules.stacks) / self.game.hand.rules.big_blind
        pruning = never if self.pruning is None else self.pruning.numbers(now, stack)

        def lane(k: int) -> NDArray[np.float64]:
            regret, average = self._lanes[k]
            regret[:], average[:] = self.regret, 0.0
            number = self.iteration * self.lanes + k
            sums = np.zeros(self.game.hand.seats + 1)
            sample_deals(
                self._tree, self._deals.deals(number, self.batch), np.uint64(self.seed % (1 << 64)),
                np.uint64(number * self.batch), pruning, trained, regret, average, self._paths[k],
                sums,
            )  # fmt: skip
            return sums

        sums = np.sum([*map_parts(lane, range(self.lanes))], axis=0)
        self._merge(np.float32(now / (now + 1.0)))
        self.iteration = now
        self.boards += self.batch * self.lanes
        self.visits += int(sums[-1])
        older = now / (now + 1.0)
        self._weight = older * (self._weight + 1.0)
        self._won = older * (self._won + float(sums[max(trained, 0)]) / (self.batch * self.lanes))

    def _merge(self, older: np.float32) -> None:
        """Average the regrets of the lanes, add up what they averaged, and discount.

        What a round adds is summed by itself: in float32 a large sum would not take up strategies
        of single visits, which are at most 1.
        """
        lanes = self._lanes
        self.regret[:] = lanes[0, 0]
        added = lanes[0, 1]
        for lane in lanes[1:]:
            self.regret += lane[0]
            added += lane[1]
        self.average += added
        self.regret *= older / np.float32(self.lanes)
        self.average *= older
        if self._frozen is not None:
            np.copyto(self.regret, self._frozen[1], where=self._frozen[0])

    @property
    def average_regret(self) -> float:
        """The positive regret per deal of the seats that are trained together, in mbb."""
        if not self.iteration:
            return 0.0
        best = np.maximum.reduceat(self.regret, self._starts)
        if self._frozen is not None:
            best = best[~self._frozen[0][self._starts]]
        total = float(np.maximum(best, 0).sum(dtype=np.float64))
        return MILLI * total / (self._weight * self.batch)

    @property
    def updates(self) -> float:
        """Nodes visited, for each information set."""
        return self.visits / max(self.game.num_infosets, 1)

    def strategy(self) -> UInt16Array:
        """The average strategies, as files have them.

        Returns:
            uint16[slots], in 1/65,535; where nothing was averaged the current strategy.
        """
        stored = np.zeros(len(self.regret), np.uint16)
        for node, own in self.game.slots():
            actions, buckets = self.game.shape(node)
            sums = self.average[own].reshape(buckets, actions)
            positive = np.maximum(self.regret[own].reshape(buckets, actions), 0)
            positive[positive.sum(axis=1) <= 0] = 1
            weights = np.where(sums.sum(axis=1, keepdims=True) <= 0, positive, sums)
            chances = weights / weights.sum(axis=1, keepdims=True)
            stored[own] = np.rint(chances.T * _WHOLE).astype(np.uint16).ravel()
        return stored

    def _own_state(self) -> dict[str, Any]:
        return {"visits": self.visits}

    def _restore_own(self, state: Mapping[str, Any]) -> None:
        self.visits = int(state["visits"])


def by_bucket(game: AbstractGame, strategy: NDArray[np.float32]) -> NDArray[np.float32]:
    """A strategy in the order of these kernels.

    Args:
        game: The abstract game.
        strategy: float32[slots], `[decision][action][bucket]`, as `AbstractGame.layout` has it.

    Returns:
        float32[slots], `[decision][bucket][action]`.
    """
    reordered = np.empty_like(strategy)
    for node, own in game.slots():
        reordered[own] = strategy[own].reshape(game.shape(node)).T.ravel()
    return reordered


def sampled_tree(game: AbstractGame) -> SampledTree:
    """The betting tree of a game as external sampling walks it.

    Args:
        game: The abstract game.

    Returns:
        Its arrays; amounts are big blinds.
    """
    tree, rules = game.tree, game.hand.rules
    unit = float(rules.big_blind)
    antes = np.asarray(rules.dead_antes, np.float64)
    return SampledTree(
        kind=tree.kind,
        player=tree.player,
        street=tree.street,
        actions=tree.num_children,
        first_child=tree.first_child,
        next_sibling=tree.next_sibling,
        slot=game.layout.slot,
        live=tree.live,
        paid=((tree.stake - antes) / unit).astype(np.float32),
        ante=(antes / unit).astype(np.float32),
        last_street=rules.final_street,
    )


def sampling_bytes(size: AbstractSize, lanes: int = LANES) -> int:
    """Count the bytes of the numbers of a training by external sampling."""
    return 4 * (2 + 2 * lanes) * sum(size.slots) + size.tree.num_bytes


def own_depth(game: AbstractGame) -> int:
    """The most decisions of one seat on a path."""
    tree = game.tree
    depth = np.zeros((tree.num_nodes, game.hand.seats), np.int32)
    for node in range(1, tree.num_nodes):
        parent = int(tree.parent[node])
        depth[node] = depth[parent]
        if tree.kind[parent] == DECISION:
            depth[node, tree.player[parent]] += 1
    return int(depth.max())


def _path(game: AbstractGame) -> Path:
    deepest, most = own_depth(game), int(game.tree.num_children.max())
    return Path(
        node=np.zeros(deepest, np.int64),
        place=np.zeros(deepest, np.int64),
        child=np.zeros(deepest, np.int64),
        action=np.zeros(deepest, np.int64),
        strategy=np.zeros((deepest, most), np.float32),
        utility=np.zeros((deepest, most), np.float32),
        drawn=np.zeros(most, np.float32),
    )


def _infosets(game: AbstractGame) -> NDArray[np.int64]:
    """int64[infosets]: where the numbers of each information set begin, in ascending order."""
    nodes = np.flatnonzero(game.tree.kind == DECISION)
    nodes = nodes[np.argsort(game.layout.slot[nodes], kind="stable")]
    shapes = [(*game.shape(int(node)), int(game.layout.slot[node])) for node in nodes]
    return np.concatenate([at + actions * np.arange(buckets) for actions, buckets, at in shapes])
