"""Solving frames: a gadget at the root of each, and exact CFR on all of them at the same time.

In formulas p is the seat that plays by the menu, o the other one, h a class of hands, r own reach.
Values of o are counterfactual: big blinds, summed over p's hands with r_p.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from equilibrist.kernels.exact_holdem.arrays import BEST
from equilibrist.poker.hands.betting_tree import DEAL, DECISION, FOLDED, BettingTree
from equilibrist.poker.hands.rules import HoldemRules
from equilibrist.poker.preflop.exact.boards import BoardTable
from equilibrist.poker.preflop.exact.engine import Engine
from equilibrist.poker.preflop.exact.game import ExactGame
from equilibrist.poker.preflop.exact.number_layout import matched
from equilibrist.poker.preflop.exact.pairs import RootTables
from equilibrist.search.holdem.frames import Frame, forest
from equilibrist.search.holdem.root_gadget import RootGadget
from equilibrist.search.methods import SearchMethod
from equilibrist.solvers.variants.variant import Variant
from equilibrist.typing import FloatArray

Play = Callable[[int], FloatArray]
"""From a decision, float64[A, R]: the probability of each action with each class of hands."""


class Come(NamedTuple):
    """How both seats come to a node, and what it is worth; R classes of hands."""

    own: FloatArray
    """float64[R]: r_p."""
    other: FloatArray
    """float64[R]: r_o."""
    value: FloatArray
    """float64[R]: what o's best response to p is worth from here on."""


def come_to(
    tree: BettingTree,
    root: int,
    seat: int,
    play: Play,
    start: tuple[FloatArray, FloatArray],
    tables: RootTables,
    unit: float,
    below: Mapping[int, FloatArray] | None = None,
) -> dict[int, Come]:
    """Follow play on one street, and let o answer it as well as can be.

    Args:
        tree: The betting.
        root: The node to begin with.
        seat: p.
        play: What both do at decisions of the street.
        start: r_p and r_o at the root.
        tables: What hands meet and beat.
        unit: The units of the tree in a big blind.
        below: By deal, what o's best response is worth from there on; None on the last street.

    Returns:
        By node of the street.
    """
    reach: dict[int, tuple[FloatArray, FloatArray]] = {root: start}
    order, stack = list[int](), [root]
    while stack:
        node = stack.pop()
        order.append(node)
        if tree.kind[node] != DECISION:
            continue
        chances = play(node)
        own, other = reach[node]
        for child, chance in zip(tree.children(node), chances, strict=True):
            is_own = tree.player[node] == seat
            reach[child] = (own * chance, other) if is_own else (own, other * chance)
            stack.append(child)
    ends = [node for node in order if tree.kind[node] not in (DECISION, DEAL)]
    arriving = np.stack([reach[node][0] for node in ends], axis=1)
    met, beaten = tables.met @ arriving, tables.beaten @ arriving
    value: dict[int, FloatArray] = dict(below or {})
    for k, node in enumerate(ends):
        stake = float(tree.stake[node].min()) / unit
        if tree.kind[node] == FOLDED:
            value[node] = met[:, k] * (-stake if tree.live[node] >> seat & 1 else stake)
        else:
            value[node] = beaten[:, k] * stake
    for node in reversed(order):
        if tree.kind[node] == DECISION:
            children = np.stack([value[child] for child in tree.children(node)])
            is_own = tree.player[node] == seat
            value[node] = children.sum(axis=0) if is_own else children.max(axis=0)
    return {node: Come(*reach[node], value[node]) for node in order}


@dataclass(frozen=True)
class FramesGame:
    """Frames as the engine takes a game: their betting from the roots on, and the boards.

    Attributes:
        full: The whole game.
        frames: The frames; all of one street.
        board: The number of the board on which they begin, among those of the whole game.
        table: The boards of the whole game.
    """

    full: ExactGame
    frames: tuple[Frame, ...]
    board: int
    table: BoardTable

    @property
    def rules(self) -> HoldemRules:
        """The rules of the hand."""
        return self.full.rules

    @cached_property
    def tree(self) -> BettingTree:
        """The betting, with a root for each frame."""
        return forest([frame.tree for frame in self.frames])

    @property
    def dealt(self) -> tuple[int, ...]:
        """Board cards before each street with betting."""
        return self.full.dealt if not self.board else self.full.dealt[-1:]

    @property
    def to_come(self) -> int:
        """Board cards that are dealt after the last street with betting."""
        return self.full.to_come

    @property
    def flops(self) -> int | None:
        """How many boards are drawn."""
        return None if self.board else self.full.flops

    @property
    def big_blind(self) -> int:
        """The unit of payoffs."""
        return self.full.big_blind

    def boards(self) -> BoardTable:
        """List the boards.

        Returns:
            Those of the whole game, or the one on which the frames begin.
        """
        if not self.board:
            return self.table
        here = slice(self.board, self.board + 1)
        return BoardTable(
            self.table.cards[here],
            self.table.groups[here],
            np.zeros(1, np.int8),
            np.full(1, -1, np.int32),
            np.ones(1, np.int32),
            np.ones(1),
            self.table.rows[here],
        )


class SolvedFrames:
    """Frames of one street, solved on one board, or from before the flop on on all of them.

    Attributes:
        game: The frames.
        seat: p.
        engine: The average strategies.
        start: By frame, r_p and r_o at its root.
        worth: float64[K, R]: what o's best response is worth at each root.
        alternatives: float64[K, R]: what o could count on there.
    """

    def __init__(self, game: FramesGame, seat: int) -> None:
        """Lay out frames; nothing is solved yet."""
        self.game, self.seat = game, seat
        self.engine = Engine(game)
        self.start: list[tuple[FloatArray, FloatArray]] = []
        self.worth = self.alternatives = np.zeros((len(game.frames), 0))
        self._below: dict[int, FloatArray] = {}
        sizes = [frame.tree.num_nodes for frame in game.frames]
        self._first = np.cumsum([0, *sizes])
        self._at = {frame.number: k for k, frame in enumerate(game.frames)}

    def solve(
        self, comes: Sequence[Come], method: SearchMethod, variant: Variant, iterations: int
    ) -> None:
        """Solve for p, so that o gains little by its bets.

        Args:
            comes: By frame, how both come to the decision before it, and what o's other actions
                are worth there.
            method: What is optimised.
            variant: A variant of CFR that updates in turn.
            iterations: How many iterations are made.
        """
        engine, p, o = self.engine, self.seat, 1 - self.seat
        own = np.stack([come.own for come in comes])
        other = np.stack([come.other for come in comes])
        self.alternatives = np.stack([come.value for come in comes])
        weight = own @ engine.pairs.root.met.T
        groups = [slice(None)] if method.goal != "margin" else [*range(len(comes))]
        gadgets = [
            RootGadget(
                method,
                self.alternatives[group].ravel(),
                weight[group].ravel(),
                other[group].ravel(),
            )
            for group in groups
        ]

        def come(*, average: bool = False) -> FloatArray:
            parts = [gadget.reach(average=average) for gadget in gadgets]
            return np.concatenate(parts).reshape(own.shape)

        engine.set_start(p, own)
        engine.set_start(o, come())
        is_fixed = gadgets[0].is_fixed
        for row in variant.table(1, iterations):
            for player in (0, 1):
                worth = engine.update(player, row)
                if player == p or is_fixed:
                    continue
                for gadget, group in zip(gadgets, groups, strict=True):
                    gadget.update(worth[group].ravel(), row)
                engine.set_start(o, come())
            engine.iteration += 1
        engine.set_start(o, come(average=True))
        self.start = [(own[k], reach) for k, reach in enumerate(come(average=True))]
        self.worth = engine.best(o)
        self._below = {} if self.game.board else below_deals(engine, p)
        engine.keep_averages()

    @property
    def memory_bytes(self) -> int:
        """Bytes of what is kept."""
        ranges = [reach for both in self.start for reach in both]
        kept = [*ranges, self.worth, self.alternatives, *self._below.values()]
        return self.engine.memory_bytes + sum(array.nbytes for array in kept)

    def play(self, number: int, board: int) -> Play:
        """What both seats do in a frame.

        Args:
            number: The number of the frame.
            board: The number of the board, among those of the whole game.

        Returns:
            From decisions of the frame on the street of the board to strategies.
        """
        first, at = int(self._first[self._at[number]]), 0 if self.game.board else board
        return lambda node: matched(self.engine.numbers_at(self.engine.totals, at, first + node))

    def start_of(self, number: int) -> tuple[FloatArray, FloatArray]:
        """r_p and r_o at the root of a frame.

        Args:
            number: The number of the frame.

        Returns:
            float64[R] each.
        """
        return self.start[self._at[number]]

    def below(self, number: int) -> dict[int, FloatArray]:
        """By deal of a frame, what o's best response is worth from there on.

        Args:
            number: The number of the frame.

        Returns:
            float64[R] each, by classes of hands before the flop.
        """
        k = self._at[number]
        first, end = int(self._first[k]), int(self._first[k + 1])
        return {deal - first: v for deal, v in self._below.items() if first <= deal < end}


def below_deals(engine: Engine, seat: int) -> dict[int, FloatArray]:
    """By deal before the flop, what o's best response to the averages is worth.

    Args:
        engine: An engine with both streets.
        seat: p.

    Returns:
        float64[R] each.
    """
    deals = np.flatnonzero(engine.tree.kind == DEAL).tolist()
    return dict(zip(deals, engine.below(BEST)[1 - seat], strict=True)) if deals else {}
