"""Cells of two players without private chance: relevant pairs of sequences.

A pair of sequences is relevant if one of them is empty or their infosets lie on one path. Where
no *triangle* of infosets exists, as in all games without chance moves or with public ones only,
numbers on relevant pairs that add up infoset by infoset are the probabilities of a mixture of plans
(von Stengel and Forges 2008 without chance; Gabriele Farina and Tuomas Sandholm, Polynomial-time
computation of optimal correlated equilibria in two-player extensive-form games with public chance
moves and beyond, NeurIPS 2020). Elsewhere they are only a relaxation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from equilibrist.equilibria.optimal.deviations import Cell, Deviations
from equilibrist.equilibria.optimal.programme import Span
from equilibrist.errors import UnsupportedError
from equilibrist.evaluation.sequences import Sequences
from equilibrist.typing import BoolArray

if TYPE_CHECKING:
    from equilibrist.tree.compile import GameTree

MOST_PAIRS = 200_000
"""The most relevant pairs."""


@dataclass(frozen=True, eq=False)
class Connections:
    """Which infosets of the two players of a game lie on one path.

    Attributes:
        sequences: The game's sequences.
        together: bool[I, I], by public numbers.
    """

    sequences: Sequences
    together: BoolArray

    @classmethod
    def of(cls, sequences: Sequences) -> Connections:
        """Find them for a game of two players."""
        tree = sequences.tree
        together = np.zeros((tree.num_infosets, tree.num_infosets), dtype=bool)
        ends = sequences.leaf_sequence[(sequences.leaf_sequence >= 0).all(axis=1)]
        mine, theirs = np.searchsorted(tree.action_offset, ends.T, side="right") - 1
        together[mine, theirs] = True
        # On one path with an infoset is on one path with all that lead to it.
        above = np.searchsorted(tree.action_offset, sequences.above, side="right") - 1
        for i in reversed(sequences.infosets(0)):
            if sequences.above[i] >= 0:
                together[above[i]] |= together[i]
        for j in reversed(sequences.infosets(1)):
            if sequences.above[j] >= 0:
                together[:, above[j]] |= together[:, j]
        return cls(sequences, together | together.T)

    @property
    def num_pairs(self) -> int:
        """How many relevant pairs of sequences there are."""
        counts = np.diff(self.sequences.tree.action_offset)
        mine, theirs = (np.array(self.sequences.infosets(p), dtype=np.int64) for p in range(2))
        block = self.together[np.ix_(mine, theirs)]
        return 1 + int(counts.sum() + counts[mine] @ (block @ counts[theirs]))

    @property
    def triangle(self) -> tuple[int, int, int, int] | None:
        """Infosets I1, I2 and J1, J2 that form a triangle; None if there are none.

        I1 and I2 follow on one sequence of player 0, J1 and J2 on one of player 1, and I1 lies on a
        path with J1, I2 with J2, and I1 with J2.
        """
        mine, theirs = (_siblings(self.sequences, p) for p in range(2))
        for own_infosets in mine:
            for other_infosets in theirs:
                corners = _triangle(self.together[np.ix_(own_infosets, other_infosets)])
                if corners is not None:
                    i1, i2, j1, j2 = corners
                    return (
                        own_infosets[i1],
                        own_infosets[i2],
                        other_infosets[j1],
                        other_infosets[j2],
                    )
        return None


def _siblings(sequences: Sequences, player: int) -> list[list[int]]:
    """The infosets of a player that follow on one sequence, where there are several."""
    by_sequence: dict[int, list[int]] = {}
    for infoset in sequences.infosets(player):
        by_sequence.setdefault(int(sequences.above[infoset]), []).append(infoset)
    return [group for group in by_sequence.values() if len(group) > 1]


def _triangle(block: BoolArray) -> tuple[int, int, int, int] | None:
    for i1, row in enumerate(block):
        met = np.flatnonzero(row)
        if len(met) < 2:
            continue
        others = block[:, met].copy()  # I2 may be any other infoset that lies with one of these
        others[i1] = False
        for i2, j2 in np.argwhere(others):
            j1 = int(met[1] if j2 == 0 else met[0])
            return i1, int(i2), j1, int(met[j2])
    return None


def refuse_private_chance(connections: Connections) -> None:
    """Raise UnsupportedError where relevant pairs would be a relaxation only."""
    triangle = connections.triangle
    if triangle is None:
        return
    tree: GameTree = connections.sequences.tree
    names = [tree.infoset_keys[i] for i in triangle]
    raise UnsupportedError(
        f"relevant pairs would overestimate what can be correlated in {tree.name}: chance is "
        f"private there (infosets {', '.join(map(repr, names))})",
        option="method",
        given="pairs",
        expected="plans",
        remedy="use the method plans",
    )


@dataclass(frozen=True, eq=False)
class RelevantPairs:
    """The relevant pairs of a game.

    Attributes:
        connections: Which infosets lie on one path.
        number: The pairs (sequence of player 0, sequence of player 1), numbered from 0.
        partners: For each infoset the other player's sequences that are relevant to it, the empty
            one included.
    """

    connections: Connections
    number: dict[Cell, int]
    partners: list[list[int]]

    @classmethod
    def of(cls, connections: Connections) -> RelevantPairs:
        """Enumerate them.

        Raises:
            UnsupportedError: There are more than 200,000.
        """
        sequences = connections.sequences
        tree = sequences.tree
        size = connections.num_pairs
        if size > MOST_PAIRS:
            raise UnsupportedError(
                f"{tree.name} has {size:,} relevant pairs of sequences; the linear programme takes "
                f"up to {MOST_PAIRS:,}",
                option="pairs",
                given=size,
                expected=MOST_PAIRS,
                remedy="take a smaller variant of the game",
            )
        actions = [
            list(range(low, high))
            for low, high in zip(tree.action_offset, tree.action_offset[1:], strict=False)
        ]
        partners = [
            [-1, *(s for j in np.flatnonzero(row).tolist() for s in actions[j])]
            for row in connections.together
        ]
        pairs: list[Cell] = [(-1, -1)]
        for i in sequences.infosets(0):
            pairs += [(a, s) for a in actions[i] for s in partners[i]]
        for j in sequences.infosets(1):
            pairs += [(-1, b) for b in actions[j]]
        return cls(connections, {pair: k for k, pair in enumerate(pairs)}, partners)

    def span(self, deviations: Deviations) -> Span:
        """Span the cells by the probabilities x of the pairs.

        Args:
            deviations: The deviations of the concept; all cells are known.

        Returns:
            The span.
        """
        from scipy.sparse import csr_array

        sequences = self.connections.sequences
        width, column = len(self.number), [self.number[cell] for cell in deviations.cells]
        basis = csr_array(
            (np.ones(len(column)), (np.arange(len(column)), column)), shape=(len(column), width)
        )
        # Row 0: the empty pair is certain. Then, beside each partner, the actions of an infoset
        # share the probability of the sequence above it.
        rows, columns, values = [0], [self.number[-1, -1]], [1.0]
        count = 1
        for infoset, partners in enumerate(self.partners):
            player = int(sequences.tree.infoset_player[infoset])
            above = int(sequences.above[infoset])
            for other in partners:
                cells = [_pair(player, a, other) for a in deviations.actions[infoset]]
                columns.append(self.number[_pair(player, above, other)])
                columns += [self.number[cell] for cell in cells]
                values += [-1.0, *(1.0 for _ in cells)]
                rows += [count] * (1 + len(cells))
                count += 1
        equal = csr_array((values, (rows, columns)), shape=(count, width))
        return Span(basis, equal, np.eye(1, count)[0])


def _pair(player: int, own: int, other: int) -> Cell:
    return (own, other) if player == 0 else (other, own)
