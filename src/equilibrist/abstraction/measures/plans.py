"""Realization plans of two players over full or abstract infosets, as sparse matrices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from equilibrist.abstraction.abstraction import Abstraction
from equilibrist.errors import UnsupportedError
from equilibrist.tree.compile import GameTree
from equilibrist.tree.forms.link import link_walk
from equilibrist.tree.payoff_scale import payoff_centres
from equilibrist.typing import FloatArray, Int64Array


@dataclass(frozen=True)
class Plans:
    """The realization plans of one player: sequence 0 is the empty one.

    Attributes:
        parent: int64[J], the sequence above each infoset.
        first: int64[J], each infoset's first sequence; its actions follow one another.
        actions: int64[J], how many there are.
        full: int64[full sequences], the sequence here of each one of the full game.
    """

    parent: Int64Array
    first: Int64Array
    actions: Int64Array
    full: Int64Array

    @property
    def size(self) -> int:
        """Number of sequences, the empty one included."""
        return 1 + int(self.actions.sum())

    @property
    def infoset(self) -> Int64Array:
        """int64[size - 1]: the infoset of each sequence but the empty one."""
        return np.repeat(np.arange(len(self.actions)), self.actions)

    def constraints(self) -> csr_array:
        """The matrix E with E x = (1, 0, ..., 0) for every plan x, [J + 1, sequences]."""
        count = len(self.parent)
        rows = np.concatenate(([0], 1 + np.arange(count), 1 + self.infoset))
        columns = np.concatenate(([0], self.parent, np.arange(1, self.size)))
        values = np.concatenate(([1.0], np.full(count, -1.0), np.ones(self.size - 1)))
        return csr_array((values, (rows, columns)), shape=(count + 1, self.size))

    def merging(self) -> csr_array:
        """The matrix M with M x = the plan of the full game of an abstract plan x."""
        count = len(self.full)
        return csr_array((np.ones(count), (np.arange(count), self.full)), shape=(count, self.size))

    def behaviour(self, plan: FloatArray, least: float = 1e-9) -> FloatArray:
        """Probabilities of the actions at all infosets; uniform where own play does not get to.

        Infosets that are reached with `least` or less are not.
        """
        plan = np.maximum(plan, 0.0)  # rounding of a linear programme
        total = np.add.reduceat(plan, self.first) if len(self.first) else np.zeros(0)
        uniform = np.repeat(1.0 / self.actions, self.actions)
        share = np.repeat(total, self.actions)
        reached = share > least
        return np.where(reached, plan[1:] / np.where(reached, share, 1.0), uniform)


@dataclass(frozen=True)
class TwoPlayerGame:
    """A game of two players with constant sum, over sequences.

    Attributes:
        tree: The compiled game.
        payoff: float64[sequences of player 0, of player 1]: chance probability times what player 0
            earns above `offset`, in units of `scale`.
        parent: int64[I], the own sequence above each infoset in public order.
        scale: The unit of `payoff`.
        offset: What all payoffs of player 0 have in common; half of `total` where that is little.
        total: What the payoffs add up to.
    """

    tree: GameTree
    payoff: csr_array
    parent: Int64Array
    scale: float
    offset: float
    total: float

    @classmethod
    def of(cls, tree: GameTree) -> TwoPlayerGame:
        """The game of a compiled tree.

        Raises:
            UnsupportedError: There are not two players, or the sum of payoffs varies.
            RecallError: The game has imperfect recall.
        """
        total = tree.constant_sum
        if tree.num_players != 2 or total is None:
            why = "the sum of its payoffs varies"
            if tree.num_players != 2:
                why = f"it has {tree.num_players} player" + "s" * (tree.num_players != 1)
            raise UnsupportedError(
                f"this is for games of two players with constant sum; of {tree.name} {why}",
                option="game",
                given=tree.name,
                expected="two players with constant sum",
            )
        tree.sequence_form  # noqa: B018 - raises RecallError
        linked = link_walk(tree.walk)
        sequence = _own_sequences(tree)
        raw = np.concatenate((sequence, [0]))  # -1 stands for the empty sequence
        leaf = raw[linked.leaf_sequence.astype(np.int64)]
        scale = tree.payoff_range or 1.0
        centre = float(payoff_centres(tree.walk.payoff, linked.leaf_probability > 0.0)[0])
        offset = centre if centre != 0.0 else total / 2
        value = linked.leaf_probability * (tree.walk.payoff[:, 0] - offset) / scale
        counts = np.diff(tree.action_offset)
        sizes = [1 + int(counts[tree.infoset_player == p].sum()) for p in range(2)]
        payoff = csr_array((value, (leaf[:, 0], leaf[:, 1])), shape=tuple(sizes))
        payoff.sum_duplicates()
        parent = np.empty(tree.num_infosets, dtype=np.int64)
        parent[tree.public_of_walk] = raw[linked.parent_sequence.astype(np.int64)]
        return cls(tree, payoff, parent, scale, offset, total)

    def base(self, player: int) -> float:
        """The part of a player's payoffs that `payoff` leaves out, for player 1 minus `payoff`."""
        return self.offset if player == 0 else self.total - self.offset

    def plans(self, player: int, abstraction: Abstraction) -> Plans | None:
        """The plans of one player over abstract infosets; None where these forget.

        They forget where merged infosets have different own infosets or actions before them, after
        merging.
        """
        tree = self.tree
        own = np.flatnonzero(tree.infoset_player == player)
        abstract = np.flatnonzero(abstraction.infoset_player == player)
        base = int(abstract[0]) if len(abstract) else 0
        group = abstraction.abstract_of[own] - base
        actions = np.diff(abstraction.action_offset)[abstract]
        first = 1 + np.concatenate(([0], np.cumsum(actions)))[:-1]
        counts = np.diff(tree.action_offset)[own]
        within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        full = np.concatenate(([0], np.repeat(first[group], counts) + within)).astype(np.int64)
        above = full[self.parent[own]]
        parent = np.zeros(len(abstract), dtype=np.int64)
        parent[group] = above
        if np.any(parent[group] != above):
            return None
        return Plans(parent, first.astype(np.int64), actions.astype(np.int64), full)

    def merged(self, row: Plans, column: Plans, player: int) -> csr_array:
        """`player`'s payoffs over own sequences (rows) and the other's (columns)."""
        payoff: Any = self.payoff if player == 0 else -self.payoff.T
        return csr_array(row.merging().T @ payoff @ column.merging())


def _own_sequences(tree: GameTree) -> Int64Array:
    """The number among its player's own of each sequence in the order of the walk."""
    counts = np.diff(tree.action_offset)
    start = np.zeros(tree.num_infosets, dtype=np.int64)
    for player in range(tree.num_players):
        own = np.flatnonzero(tree.infoset_player == player)
        start[own] = 1 + np.cumsum(counts[own]) - counts[own]
    order = tree.public_of_walk
    width = counts[order]
    within = np.arange(width.sum()) - np.repeat(np.cumsum(width) - width, width)
    numbers: Int64Array = np.repeat(start[order], width) + within
    return numbers
