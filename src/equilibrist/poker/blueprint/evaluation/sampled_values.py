"""What the actions of a hand are worth at a decision of any number of seats, by sampling.

The hands of the others are dealt in proportion to what the blueprint holds there, the board is
completed, and the hand is played to its end by the blueprint after each of the actions, which get
the same cards. The means are values of play by the blueprint, not those of best responses.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Final

import numpy as np

from equilibrist.evaluation.duplicates import Estimate, student_95
from equilibrist.kernels.blueprint.external import Deals
from equilibrist.parsing.arguments import whole_number
from equilibrist.poker.blueprint.evaluation.joint_deals import draw_deals
from equilibrist.poker.blueprint.policy import Blueprint, board_of_street, ranges_at
from equilibrist.poker.blueprint.training.boards import DealSequence
from equilibrist.poker.hands.state import DEAL, DECISION
from equilibrist.typing import FloatArray, Int64Array

BLOCK: Final = 8192
"""Deals that are played at a time."""
BLOCKS: Final = 32
"""Blocks at most for a decision: about a second."""
PRECISION: Final = 0.02
"""In big blinds: half of the 95 % interval at which no more blocks are played."""
_LEAST_DEALS: Final = 100
"""Deals of equal weight that an estimate needs, at least."""


class SampledValuer:
    """Values of actions of hands at the decisions of a blueprint, of any number of seats.

    Pots are shared without rounding.

    Args:
        blueprint: The blueprint.
        seed: The seed of the cards and actions that are drawn.
        blocks: The most blocks of 8,192 deals for a decision.

    Raises:
        ConfigError: A number is out of range.
    """

    def __init__(self, blueprint: Blueprint, *, seed: int = 0, blocks: int = BLOCKS) -> None:
        self._blueprint = blueprint
        self._seed = whole_number("seed", seed, 0)
        self._blocks = whole_number("blocks", blocks, 1, 10**6)
        rules = blueprint.hand.rules
        streets = rules.final_street + 1
        self._looking = DealSequence(blueprint.cards, blueprint.hand.seats, streets, seed)
        self._unit = float(rules.big_blind)

    def values(self, node: int, board: Sequence[int], combo: int) -> tuple[Estimate, ...] | None:
        """Value each action.

        Args:
            node: A decision of the tree.
            board: The public cards there.
            combo: The hand of the seat to act.

        Returns:
            What the hand wins in big blinds against the stack before posting, by action, with 95 %
            intervals; None where the others never play to the decision with hands that this one
            leaves, or too rarely to be dealt. A fold's value is exact.

        Raises:
            ConfigError: The board is too short.
        """
        tree, rules = self._blueprint.tree, self._blueprint.hand.rules
        known = tuple(int(card) for card in board_of_street(board, int(tree.street[node])))
        seat = int(tree.player[node])
        ranges = ranges_at(self._blueprint, node, known)
        random = np.random.default_rng([self._seed, node, combo, *known])
        stays = [child for child in tree.children(node) if tree.live[child] >> seat & 1]
        sums = _Sums()
        for _ in range(self._blocks):
            dealt = draw_deals(ranges, seat, combo, known, rules.deck, BLOCK, random)
            kept = dealt.weight > 0
            if not kept.any():
                return None
            deals = self._looking.looked_up(dealt.cards[kept])
            sums.add(dealt.weight[kept], self._played(stays, seat, deals, random))
            if sums.widths.max() <= PRECISION:
                break
        if sums.deals < _LEAST_DEALS:
            return None
        estimates = dict(zip(stays, sums.estimates(), strict=True))
        lost = Estimate(0.0 - float(tree.stake[node, seat]) / self._unit, 0.0)  # by a fold
        return tuple(estimates.get(child, lost) for child in tree.children(node))

    def _played(
        self, children: list[int], seat: int, deals: Deals, random: np.random.Generator
    ) -> FloatArray:
        """float64[n, A]: what a seat wins by each deal from each of A nodes on, in big blinds."""
        tree = self._blueprint.tree
        count, actions = len(deals.strength), len(children)
        at = np.tile(np.array(children, np.int64), count)
        deal = np.repeat(np.arange(count), actions)
        going = np.flatnonzero(np.isin(tree.kind[at], (DECISION, DEAL)))
        while len(going):
            at[going] = self._next(at[going], deal[going], deals, random)
            going = going[np.isin(tree.kind[at[going]], (DECISION, DEAL))]
        won = self._won(at, seat, deals.strength[deal])
        return won.reshape(count, actions)

    def _next(
        self, at: Int64Array, deal: Int64Array, deals: Deals, random: np.random.Generator
    ) -> Int64Array:
        """The node after each, by an action that is drawn; the next street's after a deal."""
        tree = self._blueprint.tree
        following: Int64Array = tree.first_child[at].astype(np.int64)
        acts = np.flatnonzero(tree.kind[at] == DECISION)
        if not len(acts):
            return following
        node = at[acts]
        street = tree.street[node]
        bucket = deals.bucket[deal[acts], tree.player[node], street]
        slot = self._blueprint.game.layout.slot[node] + bucket
        step, actions = self._buckets[street], tree.num_children[node]
        shares = np.zeros((len(node), int(actions.max(initial=0))), np.int64)
        for action in range(shares.shape[1]):
            has = np.flatnonzero(actions > action)
            shares[has, action] = self._blueprint.stored[slot[has] + action * step[has]]
        nothing = shares.sum(axis=1) == 0  # of a bucket of which a damaged file has nothing
        shares[nothing] = np.arange(shares.shape[1]) < actions[nothing, None]
        sums = np.cumsum(shares, axis=1)
        level = (random.random(len(node)) * sums[:, -1]).astype(np.int64)
        drawn = (sums <= level[:, None]).sum(axis=1)
        child = following[acts]
        for action in range(1, shares.shape[1]):
            child = np.where(drawn >= action, tree.next_sibling[child], child)
        following[acts] = child
        return following

    @cached_property
    def _buckets(self) -> Int64Array:
        """int64[4]: buckets by street."""
        counts = self._blueprint.game.buckets
        return np.array([*counts, *[0] * (4 - len(counts))], np.int64)

    def _won(self, at: Int64Array, seat: int, strength: FloatArray) -> FloatArray:
        """float64[n]: what a seat wins at ends of the hand, in big blinds, side pots included."""
        tree, seats = self._blueprint.tree, self._blueprint.hand.seats
        antes = np.asarray(self._blueprint.hand.rules.dead_antes, np.float64)
        paid = np.ascontiguousarray(tree.stake[at].T - antes[:, None])
        live = tree.live[at] >> np.arange(seats)[:, None] & 1 == 1
        compared = np.where(live, strength.T.astype(np.int64), -1)
        levels = np.sort(np.where(live, paid, np.inf), axis=0)
        won = -tree.stake[at, seat].astype(np.float64)
        dead, below = antes.sum(), np.zeros(len(at))  # antes are dead money in the main pot
        for row in levels:
            level = np.where(np.isinf(row), below, row)
            pot = dead + (np.minimum(paid, level) - below).clip(0).sum(axis=0)
            able = np.where(paid >= level, compared, -1)
            best = able.max(axis=0)
            share = pot / np.maximum((able == best).sum(axis=0), 1)
            won += np.where(live[seat] & (able[seat] == best), share, 0.0)
            dead, below = 0.0, level
        in_big_blinds: FloatArray = won / self._unit
        return in_big_blinds


class _Sums:
    """Weighted means of several numbers, each deal with one weight, and their intervals.

    Sums are of differences from a first deal, so that equal numbers have an interval of width 0.
    """

    def __init__(self) -> None:
        self._weight = self._squares = 0.0
        self._base: FloatArray | None = None
        self._first: Any = 0.0
        self._cross: Any = 0.0
        self._second: Any = 0.0

    def add(self, weight: FloatArray, numbers: FloatArray) -> None:
        if self._base is None:
            self._base = numbers[0].copy()
        apart = numbers - self._base
        self._weight += float(weight.sum())
        self._squares += float(weight @ weight)
        self._first += weight @ apart
        self._cross += weight**2 @ apart
        self._second += weight**2 @ apart**2

    @property
    def deals(self) -> float:
        """Deals of equal weight that say as much."""
        return self._weight**2 / self._squares

    @property
    def widths(self) -> FloatArray:
        """Halves of the 95 % intervals, of a ratio of means."""
        mean = self._first / self._weight
        spread = self._second - 2 * mean * self._cross + mean**2 * self._squares
        if self.deals <= 1.0:
            return np.full(spread.shape, np.inf)
        half_widths: FloatArray = (
            student_95(self.deals) * np.sqrt(np.maximum(spread, 0.0)) / self._weight
        )
        return half_widths

    def estimates(self) -> list[Estimate]:
        mean = self._base + self._first / self._weight
        return list(map(Estimate, mean.tolist(), self.widths.tolist()))
