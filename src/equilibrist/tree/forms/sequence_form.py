"""The sequence form of a compiled game: the arrays that full traversals read.

Per player the infosets are grouped by (own depth, number of actions) and sequences are numbered
action-major inside a group (sequence = first + action * size + infoset), so that regret
matching runs down contiguous columns. Infosets with one action are folded into the sequence
above them. Infosets that look alike from outside (in poker: one betting line, all hands) stand
side by side, so that payoffs fall into vectors of eight neighbouring own sequences.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from equilibrist.errors import UnsupportedError
from equilibrist.formatting.brief import brief_repr
from equilibrist.kernels import LANES
from equilibrist.typing import BoolArray, FloatArray, Int64Array, UInt32Array, UInt64Array


class SequenceArrays(NamedTuple):
    """What kernels read; all arrays read-only. P players, G groups, S sequences, I infosets.

    Infosets and sequences are in engine order; infosets with one action do not occur. Large groups
    end with infosets that no play reaches, so that they are whole vectors, and begin where a cache
    line does: the sequences skipped for that belong to no infoset. Payoffs
    of updating player p are tiles tile_offset[p] .. tile_offset[p + 1]: eight neighbouring own
    sequences from tile_first on; tiles cover all sequences. A tile holds runs, one per tuple of
    the others' sequences but the last other player's (none to name with one or two players); a
    run holds cells, one per sequence of that last other: its number in the low half of the cell's
    bits, the cell's shape in the high half. The shape, eight float64 from shape_value[8 * shape]
    on, times scale[p] is chance probability * payoff of the tile's eight sequences. Where payoffs
    are small multiples of one unit, shapes are whole numbers and cells share them.
    """

    sequence_offset: Int64Array  # [P + 1]; a player's first sequence is the empty one
    group_offset: Int64Array  # [P + 1]
    group_first_sequence: UInt32Array  # [G]
    group_first_infoset: UInt32Array  # [G]
    group_size: UInt32Array  # [G] infosets
    group_actions: UInt32Array  # [G]
    parent_sequence: UInt32Array  # [I]
    tile_offset: Int64Array  # [P + 1]
    tile_first: UInt32Array  # [tiles]
    tile_pointer: UInt32Array  # [tiles + 1] into runs
    outer_index: UInt32Array  # [P - 2, runs]; [0] with one or two players
    outer_pointer: UInt32Array  # [runs + 1] into cells
    cell: UInt32Array | UInt64Array  # [cells]; the narrow kind where all numbers fit
    shape_value: FloatArray  # [8 * shapes]
    scale: FloatArray  # [P]


class MatrixEntries(NamedTuple):
    """Entries of player 0's payoff matrix, by pairs of engine sequences.

    Attributes:
        rows: int64[entries], player 0's sequences, from 0.
        columns: int64[entries], player 1's sequences, from 0.
        values: float64[entries], payoffs times chance probability.
    """

    rows: Int64Array
    columns: Int64Array
    values: FloatArray


@dataclass(frozen=True)
class SequenceForm:
    """A game of perfect recall in sequence form, with the way back to public order.

    Attributes:
        arrays: The arrays that kernels read.
        sequence_of_public: int64[Q], the engine sequence of each public (infoset, action); for an
            infoset with one action that is the sequence above it.
        public_forced: bool[Q], marks infosets with one action.
        public_parent: int64[I], the engine sequence above each public infoset.
        payoff_offset: float64[P], what was taken out of each player's payoffs in the arrays: 0, or
            what all have in common where that dwarfs their differences.
    """

    arrays: SequenceArrays
    sequence_of_public: Int64Array
    public_forced: BoolArray
    public_parent: Int64Array
    payoff_offset: FloatArray

    def __repr__(self) -> str:
        return brief_repr(self)

    @property
    def num_players(self) -> int:
        """Number of players P."""
        return len(self.arrays.sequence_offset) - 1

    @property
    def num_sequences(self) -> int:
        """Engine sequences S: an empty one per player, none for forced infosets, some to fill."""
        return int(self.arrays.sequence_offset[-1])

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays."""
        own = self.sequence_of_public.nbytes + self.public_forced.nbytes + self.public_parent.nbytes
        return own + sum(int(a.nbytes) for a in self.arrays)

    def to_engine(self, public: FloatArray) -> FloatArray:
        """Engine order of numbers in public order.

        Args:
            public: float64[Q], one number per (infoset, action) in public order.

        Returns:
            float64[S], one number per engine sequence; empty sequences get 1.
        """
        engine = np.ones(self.num_sequences)
        keep = ~self.public_forced
        engine[self.sequence_of_public[keep]] = public[keep]
        return engine

    def to_public(self, engine: FloatArray) -> FloatArray:
        """Public order of numbers in engine order.

        Args:
            engine: float64[S], one number per engine sequence.

        Returns:
            float64[Q], in public order; actions of infosets with one action get 1.
        """
        public = np.where(self.public_forced, 1.0, engine[self.sequence_of_public])
        return np.asarray(public, dtype=np.float64)

    def uniform(self) -> FloatArray:
        """The uniform behavioural strategy of all players.

        Returns:
            float64[S], in engine order.
        """
        behaviour = np.ones(self.num_sequences)
        a = self.arrays
        for first, size, actions in zip(
            a.group_first_sequence.tolist(),
            a.group_size.tolist(),
            a.group_actions.tolist(),
            strict=True,
        ):
            behaviour[first : first + size * actions] = 1.0 / actions
        return behaviour

    def scratch(self) -> FloatArray:
        """Working memory for `push`.

        Returns:
            float64[S + 8], zeros: vectors may spill past the last sequence.
        """
        return np.zeros(self.num_sequences + LANES)

    def reach(self, behaviour: FloatArray) -> FloatArray:
        """The realization plan of a behaviour.

        Args:
            behaviour: float64[S], one probability per engine sequence.

        Returns:
            float64[S], own reach of each engine sequence.
        """
        # In NumPy: compiling a kernel would cost the first run half a second.
        reach = np.ones(self.num_sequences)
        a = self.arrays
        for first, base, size, actions in zip(
            a.group_first_sequence.tolist(),
            a.group_first_infoset.tolist(),
            a.group_size.tolist(),
            a.group_actions.tolist(),
            strict=True,
        ):
            above = reach[a.parent_sequence[base : base + size]]
            columns = slice(first, first + size * actions)
            reach[columns] = (behaviour[columns].reshape(actions, size) * above).ravel()
        return reach

    def payoff_entries(self) -> MatrixEntries:
        """Player 0's payoff matrix over pairs of sequences of a two-player game.

        Returns:
            The entries other than 0, payoffs less `payoff_offset`.

        Raises:
            UnsupportedError: The game does not have two players.
        """
        if self.num_players != 2:
            raise UnsupportedError(
                f"a payoff matrix needs two players; this game has {self.num_players}",
                option="num_players",
                given=self.num_players,
                expected=2,
            )
        a = self.arrays
        tiles = int(a.tile_offset[1])
        cells = int(a.outer_pointer[tiles])
        pointer = a.outer_pointer[: tiles + 1].astype(np.int64)
        runs = pointer[1:] - pointer[:-1]
        first = np.repeat(a.tile_first[:tiles].astype(np.int64), runs)
        shape, other = np.divmod(a.cell[:cells], 1 << 4 * a.cell.itemsize)
        values = a.shape_value.reshape(-1, LANES)[shape]
        cell, lane = np.nonzero(values)
        columns = other.astype(np.int64) - int(a.sequence_offset[1])
        return MatrixEntries(
            rows=first[cell] + lane,
            columns=columns[cell],
            values=values[cell, lane] * float(a.scale[0]),
        )

    def widened(self) -> SequenceForm:
        """Widen the cells to 64 bits, which large games need.

        Returns:
            A form with `cell` of type uint64; the other arrays are shared.
        """
        a = self.arrays
        shape, other = np.divmod(a.cell, 1 << 4 * a.cell.itemsize)
        cell = shape.astype(np.uint64) << np.uint64(32) | other
        cell.flags.writeable = False
        return replace(self, arrays=a._replace(cell=cell))

    def infosets_of(self, player: int) -> list[tuple[int, list[int]]]:
        """The infosets of a player that have a choice.

        Args:
            player: A player, from 0.

        Returns:
            Per infoset its parent sequence and its action sequences, as numbers of engine
            sequences.
        """
        a = self.arrays
        played = np.zeros(self.num_sequences, dtype=np.bool_)
        played[self.sequence_of_public] = True
        infosets = []
        for g in range(int(a.group_offset[player]), int(a.group_offset[player + 1])):
            first, size = int(a.group_first_sequence[g]), int(a.group_size[g])
            base = int(a.group_first_infoset[g])
            for i in range(size):
                own = [first + k * size + i for k in range(int(a.group_actions[g]))]
                if played[own[0]]:
                    infosets.append((int(a.parent_sequence[base + i]), own))
        return infosets
