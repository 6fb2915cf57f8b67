"""Gadget games that end at the leaves of a depth limit, solved with a value function there.

A gadget game is solved by any variant of CFR in full traversals. In each iteration, before a player
learns, the value function is asked about every leaf with the ranges of the strategies just played,
and its answers are added to what the hands there earn.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from equilibrist.evaluation.sequences import pasts
from equilibrist.search.gadgets import GadgetGame, GadgetState
from equilibrist.search.leaf_values import (
    HandPair,
    HistoryValues,
    LeafState,
    LeafValues,
    ask,
    payoffs_of,
)
from equilibrist.search.seat_task import SeatPlay, SeatTask
from equilibrist.search.subgames import Subgames
from equilibrist.solvers.full_traversal.cfr import CFR
from equilibrist.solvers.variants.local_rule import LocalRule
from equilibrist.solvers.variants.variant import Variant
from equilibrist.tree.compile import GameTree, build_tree
from equilibrist.tree.levels import Levels
from equilibrist.typing import FloatArray, Int64Array


class _HandsOf(NamedTuple):
    """How a player comes to a leaf in a gadget game, K ways."""

    hand: Int64Array
    """int64[K], the hand at the leaf; o may come with one in two ways."""
    sequence: Int64Array
    """int64[K], the engine sequence that it ends with."""
    share: FloatArray
    """float64[K]: what own reach of it in the gadget game is worth in the whole game."""


@dataclass(frozen=True, eq=False)
class _Leaf:
    """A leaf of a gadget game.

    Attributes:
        subgame: What follows on it.
        players: How each player comes there.
    """

    subgame: Subgames
    players: tuple[_HandsOf, _HandsOf]

    def state(self, reach: FloatArray) -> LeafState:
        """The leaf with the ranges that own reaches in the gadget game amount to."""
        ranges = []
        for ways, hands in zip(self.players, self.subgame.hands, strict=True):
            comes = np.zeros(len(hands))
            np.add.at(comes, ways.hand, ways.share * reach[ways.sequence])
            ranges.append(comes)
        return LeafState(self.subgame, HandPair(*ranges))


class _Answers:
    """What a value function says about leaves, which are known by number.

    With the ranges that it was asked about last it is not asked again.
    """

    def __init__(self, values: LeafValues) -> None:
        self._values = values
        self._last: dict[int, tuple[HandPair, HandPair]] = {}
        self._worth: dict[int, FloatArray] = {}

    def of(self, number: int, state: LeafState) -> HandPair:
        """The answer about a leaf."""
        if number in self._last:
            ranges, answer = self._last[number]
            if all(map(np.array_equal, ranges, state.ranges)):
                return answer
        if isinstance(self._values, HistoryValues):  # which do not go by ranges
            if number not in self._worth:
                self._worth[number] = payoffs_of(self._values, state.subgame)
            worth = self._worth[number]
            answer = state.summed(worth, state.subgame.search.game.total - worth)
        else:
            answer = ask(self._values, state)
        self._last[number] = state.ranges, answer
        return answer


@dataclass(frozen=True, eq=False)
class ValuedRule(LocalRule):
    """A variant of CFR that learns with the values of leaves.

    Attributes:
        variant: The variant.
        horizon: The planned number of iterations.
        seat: p, who is re-solved.
        leaves: The leaves.
        answers: What the value function says about them.
    """

    variant: Variant = field(default_factory=Variant)
    horizon: int = 1
    seat: int = 0
    leaves: tuple[_Leaf, ...] = ()
    answers: Any = None

    def amend(self, player: int, reach: FloatArray, value: FloatArray) -> None:
        """Add what the player's hands are worth at the leaves."""
        for number, leaf in enumerate(self.leaves):
            state = leaf.state(reach)
            ways, worth = leaf.players[player], self.answers.of(number, state)[player]
            if player == self.seat:  # the gadget game pays it the total already, and o nothing
                worth = worth - leaf.subgame.search.game.total * state.masses[player]
            np.add.at(value, ways.sequence, ways.share * worth[ways.hand])

    def step(
        self, t: int, instant: FloatArray, strategy: FloatArray, regret: FloatArray, kept: Any
    ) -> FloatArray:
        """Learn as the variant does; `Variant` has the formulas."""
        c = self.variant.coefficients(t, self.horizon)
        discount = np.where(regret > 0.0, c.positive, c.negative)
        regret[:] = np.maximum(discount * regret + instant, c.floor)
        matched = np.maximum(c.lookahead * regret + c.prediction * instant, 0.0)
        total = matched.sum(axis=0)
        share = matched / np.where(total > 0.0, total, 1.0)
        return np.where(total > 0.0, share, 1.0 / len(strategy))

    def table(self, start: int, count: int, horizon: int | None = None) -> FloatArray:
        """Numbers of several iterations, with the variant's average."""
        rows = self.variant.table(start, count, self.horizon)
        t = np.arange(start, start + count, dtype=np.float64)
        return np.ascontiguousarray(np.column_stack((rows[:, 5:7], t)))

    def probe(self) -> bytes:
        """Nothing: no run of it goes on in another process."""
        return b""


def solve_with_values(
    task: SeatTask, leaves: Subgames, values: LeafValues, variant: Variant, iterations: int
) -> SeatPlay:
    """Solve the gadget games of all roots down to the leaves.

    Args:
        task: What is asked of the seat, whose rows end at the leaves.
        leaves: What lies below the leaves.
        values: What the hands are worth there.
        variant: The variant of CFR.
        iterations: Its iterations for each game.

    Returns:
        The seat's play above the leaves, the average over the iterations.
    """
    trunk, rows = task.trunk, task.rows
    search = trunk.subgames.search
    own = search.own[trunk.player]
    stops = np.zeros(len(search.public.levels.node), dtype=np.bool_)
    stops[leaves.start] = True
    each = [Subgames.below(search, [node]) for node in leaves.nodes]
    probabilities = trunk.probabilities.copy()
    for root in np.flatnonzero(task.solved).tolist():
        game = GadgetGame(task, root, stops)
        tree = build_tree(game)
        rule = ValuedRule(
            name=variant.name,
            alternating=variant.alternating,
            variant=variant,
            horizon=iterations,
            seat=trunk.player,
            leaves=_leaves(game, tree, each),
            answers=_Answers(values),
        )
        solver = CFR(tree, rule, threads=1).run(iterations)
        game.carry_over(solver.average_strategy(), probabilities)
    return SeatPlay.of(task, probabilities[own.start + rows.own - 1])


def _leaves(game: GadgetGame, tree: GameTree, each: list[Subgames]) -> tuple[_Leaf, ...]:
    """Find the leaves of a gadget game, and how the players come there."""
    levels = Levels.of(tree)
    past, states = pasts(levels), _states(game, levels)
    form, trunk, seat = tree.sequence_form, game.task.trunk, game.seat
    search, scope = trunk.subgames.search, game.task.scope
    assert game.stops is not None
    ends = [
        k for k, state in enumerate(states) if state.stage == "inside" and game.stops[state.place]
    ]
    found = []
    for subgame in each:
        index = {place: start for start, place in enumerate(subgame.start.tolist())}
        here = np.array([k for k in ends if states[k].place in index], dtype=np.int64)
        if not len(here):
            continue
        start = np.array([index[states[k].place] for k in here.tolist()])
        root = np.array([states[k].number for k in here.tolist()])
        # Of a hand that goes on as the trunk does, all of its reach is chance's.
        at = trunk.subgames.start[root]
        if scope is not None:
            free = scope.free[trunk.subgames.hands[seat].of_start[root]]
            at = np.where(free, at, subgame.start[start])
        dealt = trunk.plan[search.sequence[at, seat]]
        theirs = past.chance[here] / (subgame.chance[start] * dealt)
        theirs *= game.unit(root)
        players = []
        for player in range(2):
            hand = subgame.hands[player].of_start[start]
            flat = past.own[here, player]
            empty = int(form.arrays.sequence_offset[player])
            sequence = np.where(flat >= 0, form.sequence_of_public[flat], empty)
            _, first = np.unique(hand * form.num_sequences + sequence, return_index=True)
            share = dealt if player == seat else theirs
            players.append(_HandsOf(hand[first], sequence[first], share[first]))
        found.append(_Leaf(subgame, (players[0], players[1])))
    return tuple(found)


def _states(game: GadgetGame, levels: Levels) -> list[GadgetState]:
    """The state of every history of a gadget game, in the order of `levels`."""
    states = [game.initial_state()]
    place, taken = -1, 0
    for parent in levels.parent[1:].tolist():  # children stand side by side, in their order
        taken = taken + 1 if parent == place else 0
        place = parent
        states.append(game.next(states[parent], taken))
    return states
