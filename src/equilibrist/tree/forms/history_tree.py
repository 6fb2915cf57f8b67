"""The history tree, which samplers traverse one trajectory at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from equilibrist.formatting.brief import brief_repr
from equilibrist.game import TERMINAL
from equilibrist.tree.forms.chance import ChanceEvents, build_chance_events, cumulative
from equilibrist.tree.walk.histories import Walk
from equilibrist.typing import FloatArray, Int32Array, Int64Array


class HistoryArrays(NamedTuple):
    """What sampling kernels read; all arrays read-only. N nodes, P players, L kinds of terminals.

    The children of a node stand side by side, in action order, and after their parent; blocks of
    siblings follow each other as in a depth-first walk. `node` holds per node its first child,
    its base, its number of children and its player (-1 chance, -2 terminal). The base of a
    decision is the public flat index of its infoset's first action (one number per infoset), of a
    chance node the index of its first outcome, of a terminal its row of payoffs. Rows are distinct,
    so that they stay in the cache.
    """

    node: Int32Array  # [N, 4]
    chance_probability: FloatArray  # [outcomes]
    chance_cumulative: FloatArray  # [outcomes]: see `cumulative`
    payoff: FloatArray  # [L, P]


@dataclass(frozen=True)
class HistoryTree:
    """A compiled game as a tree of histories, imperfect recall included.

    Attributes:
        arrays: The arrays that kernels read.
        position: int32[N], the node here of each node of the walk.
        depth: Moves of the longest history.
        max_actions: The largest number of actions at any infoset.
        public_chance: What everybody sees of chance, or None where the game does not say.
    """

    arrays: HistoryArrays
    position: Int32Array
    depth: int
    max_actions: int
    public_chance: ChanceEvents | None

    def __repr__(self) -> str:
        return brief_repr(self)

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays."""
        arrays = (self.position, *self.arrays, *(self.public_chance or ()))
        return sum(int(array.nbytes) for array in arrays)


def build_history_tree(
    walk: Walk, action_offset: Int64Array, public_of_walk: Int64Array
) -> HistoryTree:
    """Number the nodes of `walk` in blocks of siblings; prepare its chance nodes for sampling."""
    from equilibrist.kernels.tree.histories import number_nodes

    nodes = len(walk.parent)
    counts = np.array([len(legal) for legal in walk.labels], dtype=np.int32)
    first_action = action_offset[public_of_walk].astype(np.int32)
    position = np.empty(nodes, dtype=np.int32)
    node = np.empty((nodes, 4), dtype=np.int32)
    depth = number_nodes(
        walk.parent,
        walk.infoset,
        walk.owner,
        first_action,
        counts,
        walk.chance_count,
        np.empty(nodes, dtype=np.int32),
        position,
        node,
    )
    payoff, row = _distinct_rows(walk.payoff)
    terminals = np.flatnonzero(node[:, 3] == TERMINAL)
    node[terminals, 1] = row[node[terminals, 1]]
    sums = cumulative(walk.chance_count, walk.chance_probability)
    arrays = HistoryArrays(node, walk.chance_probability, sums, payoff)
    public = build_chance_events(walk)
    for array in (*arrays, position, *(public or ())):
        array.flags.writeable = False
    return HistoryTree(arrays, position, depth, int(counts.max(initial=0)), public)


def _distinct_rows(table: FloatArray) -> tuple[FloatArray, Int64Array]:
    """The distinct rows of a table, and for each row of the table which of them it is."""
    kind = np.zeros(len(table), dtype=np.int64)
    for column in table.T:
        values, number = np.unique(column, return_inverse=True)
        _, first, kind = np.unique(
            kind * len(values) + number, return_index=True, return_inverse=True
        )
    return table[first], kind
