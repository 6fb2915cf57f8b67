"""Cutting off improbable paths: the same game, in which play that is hardly reached has ended."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np

from equilibrist.errors import ConfigError, MismatchError
from equilibrist.parsing.arguments import bad_argument, finite_number
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree, checked_tree
from equilibrist.tree.levels import Levels
from equilibrist.tree.walk.histories import CHANCE_MARK, TERMINAL_MARK, Walk
from equilibrist.typing import BoolArray, FloatArray, Int64Array

CHANCE: Final = "chance"
UNIFORM: Final = "uniform"


@dataclass(frozen=True, eq=False)
class Cut:
    """A game whose improbable paths end early.

    Attributes:
        tree: The full game.
        small: The tree that is left. A path that was cut ends with what it is worth under `play`.
        below: Histories with less reach than this were cut.
        by: Whose reach counts: `chance` alone, or all players', under `uniform` or a strategy.
        play: What is played where paths were cut: uniform, or the strategy that reach counts by.
        paths: How many paths were cut.
        mass: The probability of getting to one of them: under `by`, or where chance alone counts
            the greatest one, whatever is played.
    """

    tree: GameTree
    small: GameTree
    below: float
    by: str
    play: Strategy
    paths: int
    mass: float

    @cached_property
    def places(self) -> Int64Array:
        """int64[Q]: the action of `small` for each action of `tree`, -1 where it is gone."""
        known = {key: i for i, key in enumerate(self.small.infoset_keys)}
        places = np.full(int(self.tree.action_offset[-1]), -1, dtype=np.int64)
        for i, key in enumerate(self.tree.infoset_keys):
            if key in known:
                own = self.small.actions_of(known[key])
                places[self.tree.actions_of(i)] = np.arange(own.start, own.stop)
        return places

    @property
    def loss_bound(self) -> float | None:
        """By how much NashConv in the full game may exceed that in the small one, in payoff units.

        Whatever is played, no player's earnings in the two games differ by more than the
        probability of the cut paths times the range of their payoffs. That probability is known
        only where chance alone counts; None otherwise.
        """
        if self.by != CHANCE:
            return None
        return 2.0 * self.mass * float((self.tree.max_payoff - self.tree.min_payoff).sum())

    def lift(self, strategy: Strategy) -> Strategy:
        """A strategy of the small game in the full one; infosets that are gone play `play`.

        Args:
            strategy: A strategy of `small`.

        Returns:
            A strategy of `tree`.

        Raises:
            MismatchError: It is a strategy of another game.
        """
        if strategy.tree.infoset_keys != self.small.infoset_keys:
            raise MismatchError(
                f"this is a strategy of {strategy.tree.name} with other infosets",
                option="strategy",
                given=strategy.tree.num_infosets,
                expected=self.small.num_infosets,
            )
        values = self.play.probabilities.copy()
        kept = self.places >= 0
        values[kept] = strategy.probabilities[self.places[kept]]
        return Strategy(self.tree, values)

    def restrict(self, strategy: Strategy) -> Strategy:
        """A strategy of the full game in the small one; `lift` is its inverse but for what is gone.

        Args:
            strategy: A strategy of `tree`.

        Returns:
            A strategy of `small`.
        """
        values = np.empty(int(self.small.action_offset[-1]))
        kept = self.places >= 0
        values[self.places[kept]] = strategy.probabilities[kept]
        return Strategy(self.small, values)


def cut_improbable(tree: GameTree, below: float, by: str | Strategy = CHANCE) -> Cut:
    """End all paths whose reach falls below a probability.

    A path is cut at its first history of less reach that is not the end, and ends there with what
    it is worth on average if play goes on as `by` says.

    Args:
        tree: The compiled game.
        below: The least reach that is kept, between 0 and 1.
        by: `chance`: only chance's probabilities count, and cut paths are worth what uniform play
            earns there; `uniform` or a strategy: the probabilities of all players count, too.

    Returns:
        The cut.

    Raises:
        ConfigError: An argument is out of range, or no decision would be left.
        MismatchError: The strategy is of another game.
    """
    least = finite_number("drop_below", below)
    if not 0.0 < least < 1.0:
        raise bad_argument("drop_below", below, "a probability above 0 and below 1")
    levels = Levels.of(checked_tree(tree))
    name, play = _play(tree, by)
    edge = levels.edge_probability(play.probabilities)
    reach = np.ones(len(levels.node))
    factor = levels.chance if name == CHANCE else edge
    gone = np.zeros(len(levels.node), dtype=bool)  # below a cut
    cut = np.zeros(len(levels.node), dtype=bool)
    for low, high in levels.ranges:
        parent = levels.parent[low:high]
        reach[low:high] = reach[parent] * factor[low:high]
        gone[low:high] = gone[parent] | cut[parent]
        inner = levels.infoset[low:high] != TERMINAL_MARK
        cut[low:high] = inner & ~gone[low:high] & (reach[low:high] < least)
    _refuse_emptiness(levels, gone | cut, reach, least)
    worth = levels.values(edge)
    by_node = np.argsort(levels.node)
    small = GameTree(tree.game, _cut_walk(tree, ~gone[by_node], cut[by_node], worth[by_node]))
    mass = _greatest_mass(levels, cut) if name == CHANCE else float(reach[cut].sum())
    return Cut(tree, small, least, name, play, int(cut.sum()), mass)


def _greatest_mass(levels: Levels, cut: BoolArray) -> float:
    """The greatest probability with which a cut path can be reached, whatever is played."""
    mass = cut.astype(np.float64)
    for low, high in reversed(levels.ranges):
        parents, starts = np.unique(levels.parent[low:high], return_index=True)
        by_chance = np.add.reduceat(levels.chance[low:high] * mass[low:high], starts)
        by_players = np.maximum.reduceat(mass[low:high], starts)
        below = np.where(levels.infoset[parents] == CHANCE_MARK, by_chance, by_players)
        mass[parents] = np.maximum(mass[parents], below)
    return float(mass[0])


def _play(tree: GameTree, by: str | Strategy) -> tuple[str, Strategy]:
    if isinstance(by, Strategy):
        if by.tree is not tree and by.tree.fingerprint != tree.fingerprint:
            raise MismatchError(
                f"the play that reach is counted by is of {by.tree.name}, not of {tree.name}",
                option="drop_play",
                given=by.tree.name,
                expected=tree.name,
            )
        return "a strategy", by
    if by not in (CHANCE, UNIFORM):
        raise bad_argument("drop_play", by, "chance, uniform or a strategy")
    return by, Strategy.uniform(tree)


def _refuse_emptiness(levels: Levels, ended: BoolArray, reach: FloatArray, least: float) -> None:
    """ConfigError if no decision is left to anybody."""
    decides = levels.infoset >= 0
    if not (decides & ~ended).any():
        most = float(reach[decides].max(initial=0.0))
        raise ConfigError(
            f"every decision of {levels.tree.name} has a reach below {least:g}, and none would be "
            f"left",
            option="drop_below",
            given=least,
            expected=f"at most {most:.3g}",
        )


def _cut_walk(tree: GameTree, kept: BoolArray, cut: BoolArray, worth: FloatArray) -> Walk:
    """The walk of what is left; arrays in the order of the walk, `cut` histories are ends."""
    walk = tree.walk
    number = np.cumsum(kept) - 1
    parent = walk.parent[kept]
    parent[1:] = number[parent[1:]]
    mark = np.where(cut, TERMINAL_MARK, walk.infoset)
    of_outcome = np.repeat(np.flatnonzero(walk.infoset == CHANCE_MARK), walk.chance_count)
    chance_stays = (kept & ~cut)[of_outcome]
    payoff = worth[kept & (mark == TERMINAL_MARK)]
    ends = walk.infoset[kept & (mark == TERMINAL_MARK)] == TERMINAL_MARK
    # What was an end before keeps its payoffs bit by bit.
    payoff[ends] = walk.payoff[kept[walk.infoset == TERMINAL_MARK]]
    mark = mark[kept]
    decided = mark[mark >= 0]
    _, first = np.unique(decided, return_index=True)
    order = decided[np.sort(first)]  # those that are left, by first visit
    renumbered = np.full(len(walk.keys), -1, dtype=np.int32)
    renumbered[order] = np.arange(len(order), dtype=np.int32)
    infoset = mark.astype(np.int32)
    infoset[mark >= 0] = renumbered[decided]
    at_chance = (kept & ~cut)[walk.infoset == CHANCE_MARK]
    event, state = walk.public_event, walk.event_state
    if event is not None and state is not None:
        event, state = _events_left(event[chance_stays], state)
    arrays = {
        "parent": parent.astype(np.int32),
        "infoset": infoset,
        "chance_count": walk.chance_count[at_chance],
        "chance_probability": walk.chance_probability[chance_stays],
        "payoff": payoff,
        "owner": np.ascontiguousarray(walk.owner[order]),
    }
    for array in arrays.values():
        array.flags.writeable = False
    return replace(
        walk,
        **arrays,
        keys=[walk.keys[k] for k in order.tolist()],
        labels=[walk.labels[k] for k in order.tolist()],
        public_event=event,
        event_state=state,
    )


def _events_left(event: np.ndarray, state: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Public events and their states, numbered anew by first visit."""
    distinct, first, inverse = np.unique(event, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    states = state[distinct[order]]
    _, first, again = np.unique(states, return_index=True, return_inverse=True)
    place = np.argsort(np.argsort(first)).astype(np.int32)
    return rank[inverse], place[again]
