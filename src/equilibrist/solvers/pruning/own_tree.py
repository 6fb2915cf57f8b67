"""A game of two players as the trees of each player's own infosets, for traversals that skip."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from equilibrist.solvers.pruning.counting import Places, ends, places
from equilibrist.tree.compile import GameTree
from equilibrist.typing import FloatArray, Int64Array


class OwnTree(NamedTuple):
    """What the kernels read. Q actions at infosets; S = Q + 2 sequences, the empty ones last.

    A cell stands for the histories with one own and one other last sequence; its payoff is that of
    the sequence's owner, summed over its terminals, each with its chance probability. A place
    stands for the histories of an infoset with one last sequence of the other player.
    """

    num_actions: Int64Array  # [1]: Q
    offset: Int64Array  # [I + 1]: first action of each infoset
    parent: Int64Array  # [I]: the own sequence above
    infoset_of: Int64Array  # [S]; -1 for empty sequences
    player_offset: Int64Array  # [3] into top_down
    top_down: Int64Array  # [I]: the infosets of each player, parents first
    child_pointer: Int64Array  # [S + 1]
    child: Int64Array  # [I]: the infosets that follow a sequence
    cell_pointer: Int64Array  # [S + 1]
    cell_other: Int64Array  # [cells]: a sequence of the other player
    cell_payoff: FloatArray  # [cells]
    cell_histories: Int64Array  # [cells]
    cell_terminals: Int64Array  # [cells]
    place_pointer: Int64Array  # [I + 1]
    place_other: Int64Array  # [places]
    place_chance: FloatArray  # [places]: chance probability
    chance: FloatArray  # [I]: that of all histories of the infoset
    most: FloatArray  # [S]: the largest payoff of the owner below a sequence
    least: FloatArray  # [S]: the least


def own_tree(tree: GameTree) -> OwnTree:
    """Lay out a game of two players with perfect recall."""
    form = tree.sequence_form  # raises RecallError
    histories = places(tree)
    offset = np.asarray(tree.action_offset, dtype=np.int64)
    actions, infosets = int(offset[-1]), tree.num_infosets
    size = actions + 2
    infoset_of = np.full(size, -1, dtype=np.int64)
    infoset_of[:actions] = np.repeat(np.arange(infosets), np.diff(offset))
    decides = np.flatnonzero(histories.player >= 0)
    at = infoset_of[histories.base[decides]]
    owner = histories.player[decides]
    parent = np.empty(infosets, dtype=np.int64)
    parent[at] = histories.sequence[decides, owner]
    top_down = _parents_first(parent, infoset_of, np.asarray(tree.infoset_player))
    children = np.argsort(parent, kind="stable")
    place, place_sums = _grouped(
        at, histories.sequence[decides, 1 - owner], size, [histories.chance[decides]]
    )
    cells, cell_sums = _cells(tree, histories, size, form.payoff_offset)
    most, least = _bounds(tree, histories, size, form.payoff_offset)
    for infoset in top_down[::-1]:
        above, below = parent[infoset], slice(offset[infoset], offset[infoset + 1])
        most[above] = max(most[above], most[below].max())
        least[above] = min(least[above], least[below].min())
    return OwnTree(
        num_actions=np.array([actions]),
        offset=offset,
        parent=parent,
        infoset_of=infoset_of,
        player_offset=np.searchsorted(tree.infoset_player, np.arange(3)).astype(np.int64),
        top_down=top_down,
        child_pointer=np.searchsorted(parent[children], np.arange(size + 1)).astype(np.int64),
        child=children.astype(np.int64),
        cell_pointer=np.searchsorted(cells[0], np.arange(size + 1)).astype(np.int64),
        cell_other=cells[1],
        cell_payoff=cell_sums[0],
        cell_histories=cell_sums[1].astype(np.int64),
        cell_terminals=cell_sums[2].astype(np.int64),
        place_pointer=np.searchsorted(place[0], np.arange(infosets + 1)).astype(np.int64),
        place_other=place[1],
        place_chance=place_sums[0],
        chance=np.bincount(at, histories.chance[decides], infosets).astype(np.float64),
        most=most,
        least=least,
    )


def _parents_first(parent: Int64Array, infoset_of: Int64Array, player: np.ndarray) -> Int64Array:
    """The infosets of each player, those nearer to the root first."""
    depth = np.zeros(len(parent), dtype=np.int64)
    above = infoset_of[parent]
    while (above >= 0).any():
        depth += above >= 0
        above = np.where(above >= 0, infoset_of[parent[above]], -1)
    return np.lexsort((depth, player)).astype(np.int64)


def _cells(
    tree: GameTree, histories: Places, size: int, offset: FloatArray
) -> tuple[tuple[Int64Array, Int64Array], list[FloatArray]]:
    """The cells of both players, by own and then by other sequence."""
    terminal = ends(histories)
    payoff = np.zeros((len(terminal), 2))
    rows = tree.history_tree.arrays.payoff[histories.base[terminal]]
    payoff[terminal] = (rows - offset) * histories.chance[terminal, None]
    own = histories.sequence.T.reshape(-1)
    other = histories.sequence[:, ::-1].T.reshape(-1)
    return _grouped(
        own,
        other,
        size,
        [payoff.T.reshape(-1), np.ones(len(own)), np.tile(terminal.astype(np.float64), 2)],
    )


def _grouped(
    first: Int64Array, second: Int64Array, size: int, amounts: list[FloatArray]
) -> tuple[tuple[Int64Array, Int64Array], list[FloatArray]]:
    """The distinct pairs in order, and sums of the amounts over each."""
    pair, number = np.unique(first * size + second, return_inverse=True)
    sums = [np.bincount(number, amount, len(pair)).astype(np.float64) for amount in amounts]
    first_of_pair, second_of_pair = np.divmod(pair, size)
    return (first_of_pair.astype(np.int64), second_of_pair.astype(np.int64)), sums


def _bounds(
    tree: GameTree, histories: Places, size: int, offset: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """The largest and the least payoff of terminals whose last own sequence it is."""
    most, least = np.full(size, -np.inf), np.full(size, np.inf)
    terminal = ends(histories)
    rows = tree.history_tree.arrays.payoff[histories.base[terminal]] - offset
    for player in range(2):
        np.maximum.at(most, histories.sequence[terminal, player], rows[:, player])
        np.minimum.at(least, histories.sequence[terminal, player], rows[:, player])
    return most, least
