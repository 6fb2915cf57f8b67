"""The sequences of all players in public order, as NumPy arrays; no compiled kernels are needed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from equilibrist.tree.compile import GameTree, checked_tree
from equilibrist.tree.levels import Levels
from equilibrist.tree.payoff_scale import payoff_centres
from equilibrist.tree.walk.histories import TERMINAL_MARK
from equilibrist.typing import FloatArray, Int64Array

_EXACT = 2.0**53
"""Differences of whole numbers below this are exact in double precision."""


@dataclass(frozen=True, eq=False)
class Sequences:
    """Own sequences of a game of perfect recall: public flat indices, -1 for an empty sequence.

    Attributes:
        tree: The compiled game: I infosets, P players.
        above: int64[I], the own sequence that leads to each infoset.
        leaf_sequence: int64[Z, P], the sequence of each player at each terminal history.
        leaf_chance: float64[Z], the probability of chance's moves on the way there.
        payoff: float64[Z, P], in payoff units.
        centre: float64[P], what all payoffs of each player have in common; 0 where that is little.
    """

    tree: GameTree
    above: Int64Array
    leaf_sequence: Int64Array
    leaf_chance: FloatArray
    payoff: FloatArray
    centre: FloatArray

    @classmethod
    def of(cls, tree: GameTree) -> Sequences:
        """Walk the histories of a compiled game level by level.

        Args:
            tree: The game.

        Returns:
            Its sequences.

        Raises:
            RecallError: If the game has imperfect recall.
            ConfigError: If `tree` is not a compiled game.
        """
        levels = Levels.of(checked_tree(tree))
        own, chance = pasts(levels)
        above = _above(tree, levels, own)
        leaf = np.flatnonzero(levels.infoset == TERMINAL_MARK)
        leaf = leaf[np.argsort(levels.node[leaf])]  # as `walk.payoff` has them
        payoff = tree.walk.payoff
        centre = payoff_centres(payoff, chance[leaf] > 0.0)
        return cls(tree, above, own[leaf], chance[leaf], payoff, centre)

    @cached_property
    def centred(self) -> FloatArray:
        """float64[Z, P]: payoffs less `centre`, as programmes take them."""
        return self.payoff - self.centre

    @cached_property
    def inexact(self) -> FloatArray:
        """float64[Z, P]: the numbers of which `leaf_chance` times `centred` is off by rounding.

        0 where chance does not move and payoffs are whole numbers: then it is exact.
        """
        whole = (self.payoff == np.rint(self.payoff)) & (self.centre == np.rint(self.centre))
        sizes = np.where(whole, np.abs(self.centred), np.abs(self.payoff))
        chance = self.leaf_chance[:, None]
        exact = whole & (chance == 1.0) & ((self.centre == 0.0) | (np.abs(self.payoff) < _EXACT))
        return np.where(exact, 0.0, chance * sizes)

    def infosets(self, player: int) -> range:
        """The infosets of a player, which are numbered without gaps.

        Args:
            player: The player, from 0.

        Returns:
            Their public numbers.
        """
        first, last = np.searchsorted(self.tree.infoset_player, [player, player + 1])
        return range(int(first), int(last))

    def own(self, player: int) -> slice:
        """The place of a player's sequences (but the empty one) in flat arrays over actions.

        Args:
            player: The player, from 0.

        Returns:
            A slice of arrays of length Q.
        """
        infosets, offset = self.infosets(player), self.tree.action_offset
        return slice(int(offset[infosets.start]), int(offset[infosets.stop]))

    @cached_property
    def below(self) -> dict[int, list[int]]:
        """The infosets that follow directly on each sequence, by number; none where none do."""
        by_sequence: dict[int, list[int]] = {}
        for infoset, sequence in enumerate(self.above.tolist()):
            if sequence >= 0:
                by_sequence.setdefault(sequence, []).append(infoset)
        return by_sequence

    def roots(self, player: int) -> list[int]:
        """The infosets of a player that follow on the empty sequence.

        Args:
            player: The player, from 0.

        Returns:
            Their public numbers, in order.
        """
        return [i for i in self.infosets(player) if self.above[i] < 0]


class Pasts(NamedTuple):
    """What led to each history, in the order of `Levels`.

    Attributes:
        own: int64[N, P], the last sequence of each player: public flat index, -1 for the empty one.
        chance: float64[N], the probability of chance's moves.
    """

    own: Int64Array
    chance: FloatArray


def pasts(levels: Levels) -> Pasts:
    """The own sequences and the chance probability that lead to all histories of a game."""
    tree, count = levels.tree, len(levels.node)
    own = np.full((count, tree.num_players), -1, dtype=np.int64)
    chance = np.ones(count)
    owner = tree.infoset_player.astype(np.int64)
    for low, high in levels.ranges:
        parent = levels.parent[low:high]
        own[low:high] = own[parent]
        chance[low:high] = chance[parent] * levels.chance[low:high]
        decided = np.flatnonzero(levels.sequence[low:high] >= 0)
        mover = owner[levels.infoset[parent[decided]]]
        own[low + decided, mover] = levels.sequence[low + decided]
    return Pasts(own, chance)


def _above(tree: GameTree, levels: Levels, own: Int64Array) -> Int64Array:
    """The own sequence above each infoset; RecallError where its histories have several."""
    inner = np.flatnonzero(levels.infoset >= 0)
    infoset = levels.infoset[inner]
    owner = tree.infoset_player.astype(np.int64)
    sequence = own[inner, owner[infoset]]
    above = np.full(tree.num_infosets, -1, dtype=np.int64)
    above[infoset] = sequence
    bad = above[infoset] != sequence
    if bad.any():
        tree._raise_recall(int(levels.node[inner[bad]].min()))
    return above
