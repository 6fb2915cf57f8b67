"""The arrays of best responses that sum in the order of a depth-first walk."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from equilibrist.tree.forms.sequence_form import SequenceArrays
from equilibrist.typing import FloatArray, Int8Array, Int32Array, UInt32Array

if TYPE_CHECKING:
    from equilibrist.tree.compile import GameTree


class ReplyArrays(NamedTuple):
    """Histories and sequences side by side; all arrays read-only. N nodes, P players, D layers.

    `parent`, `mover` (-1 chance), `sequence` and `chance` say how a node is reached: from where, by
    whom, by which engine sequence, and with which probability of chance. The sequence of a chance
    outcome, of the only action of an infoset and of the root is 0, the empty one, which is always
    played; `chance` of a player's action is 1.

    `order[p]` lists all nodes for player p by layers, those after most moves of p first. In a layer
    come p's own decisions as a depth-first walk meets them, up to `stop[p, layer, 0]`, then the
    other nodes, children before parents, up to `stop[p, layer, 1]`.
    """

    form: SequenceArrays
    node: Int32Array  # [N, 4], as in `HistoryArrays`
    payoff: FloatArray  # [L, P], as in `HistoryArrays`
    parent: Int32Array  # [N], 0 at the root
    mover: Int8Array  # [N]
    sequence: UInt32Array  # [N]
    chance: FloatArray  # [N]
    order: Int32Array  # [P, N]
    stop: Int32Array  # [P, D, 2]


def reply_arrays(tree: GameTree) -> ReplyArrays:
    """Lay out `tree`; RecallError unless every player recalls their past."""
    from equilibrist.kernels.sequence_form.replies import count_own_moves, link_nodes, order_nodes

    form, histories = tree.sequence_form, tree.history_tree
    node, position = histories.arrays.node, histories.position
    nodes, players = len(node), tree.num_players
    parent, sequence = np.empty(nodes, dtype=np.int32), np.empty(nodes, dtype=np.uint32)
    mover, chance = np.empty(nodes, dtype=np.int8), np.empty(nodes)
    chances = histories.arrays.chance_probability
    link_nodes(node, chances, form.sequence_of_public, parent, mover, sequence, chance)
    moves = np.empty((players, nodes), dtype=np.int32)
    most = max(count_own_moves(node, player, moves[player]) for player in range(players))
    order = np.empty((players, nodes), dtype=np.int32)
    stop = np.empty((players, most + 1, 2), dtype=np.int32)
    for player in range(players):
        order_nodes(node, position, player, moves[player], order[player], stop[player])
    for array in (parent, mover, sequence, chance, order, stop):
        array.flags.writeable = False
    payoff = histories.arrays.payoff
    return ReplyArrays(
        form=form.arrays,
        node=node,
        payoff=payoff,
        parent=parent,
        mover=mover,
        sequence=sequence,
        chance=chance,
        order=order,
        stop=stop,
    )
