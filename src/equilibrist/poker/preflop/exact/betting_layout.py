"""The betting of a game as the kernel reads it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from equilibrist.kernels import TILE, filled_up
from equilibrist.kernels.exact_holdem.arrays import Betting
from equilibrist.poker.hands.betting_tree import (
    DEAL,
    DECISION,
    FOLDED,
    SHOWDOWN,
    BettingTree,
)
from equilibrist.typing import Int32Array


def betting_layout(tree: BettingTree, real: type[np.floating[Any]], unit: float = 1.0) -> Betting:
    """Number sequences, lanes and terminal nodes.

    Args:
        tree: The public tree of two players, nodes in preorder; perhaps several, one after the
            other, with a root each.
        real: The type of its floats.
        unit: The chips that payoffs are counted in.

    Returns:
        The arrays.
    """
    # Long: one pass numbers what the next one refers to; no part has a meaning without the rest.
    street = street_of(tree)
    streets = int(street.max()) + 1
    sequences = _Sequences(tree, street, streets)
    shape = (2, streets)
    begin = np.zeros((2, streets + 1), np.int32)
    parent: list[int] = []
    number: list[int] = []
    slot: list[int] = []
    act: list[int] = []
    row: list[int] = []
    slots, rows = np.zeros(shape, np.int32), np.zeros(shape, np.int32)
    for player in (0, 1):
        for s in range(streets):
            begin[player, s] = len(parent)
            used = 0
            for node in np.flatnonzero(
                (street == s) & (tree.kind == DECISION) & (tree.player == player)
            ):
                actions = int(tree.num_children[node])
                parent.append(sequences.row(player, sequences.at[player][node]))
                number.append(actions)
                slot.append(used)
                act.append(len(row))
                row.extend(
                    sequences.row(player, sequences.at[player][child])
                    for child in tree.children(int(node))
                )
                used += actions
            slots[player, s] = used
            rows[player, s] = sequences.count(player, s)
        begin[player, streets] = len(parent)
    roots = np.flatnonzero(tree.parent < 0)
    entries = np.array([len(roots)] + [0] * (streets - 1), np.int32)
    exits = np.zeros(streets, np.int32)
    leaving: list[list[int]] = [[] for _ in range(streets)]
    for node in np.flatnonzero(tree.kind == DEAL):
        leaving[street[node]].append(node)
    for s in range(streets - 1):
        exits[s] = entries[s + 1] = len(leaving[s])
    widest = max(1, int(entries.max()))
    entry = np.zeros((2, streets, widest), np.int32)
    exit_ = np.zeros((2, streets, widest), np.int32)
    for player in (0, 1):
        for e, root in enumerate(roots):
            entry[player, 0, e] = sequences.row(player, sequences.at[player][root])
        for s in range(streets - 1):
            for e, deal in enumerate(leaving[s]):
                exit_[player, s, e] = sequences.row(player, sequences.at[player][deal])
                below = int(tree.first_child[deal])
                entry[player, s + 1, e] = sequences.row(player, sequences.at[player][below])
    lanes, shown, folds = (np.zeros(shape, np.int32) for _ in range(3))
    for player in (0, 1):
        for s in range(streets):
            of_street = sequences.lanes(player, s)
            lanes[player, s], folds[player, s] = of_street.lanes, of_street.first_fold
            shown[player, s] = of_street.showdowns
    ends = np.zeros((2, streets + 1, 2), np.int32)
    none = np.zeros((2, streets + 1), np.int32)
    bare: list[int] = []
    goal: list[int] = []
    source: list[int] = []
    pay: list[float] = []
    terminal = np.flatnonzero((tree.kind == FOLDED) | (tree.kind == SHOWDOWN))
    for player in (0, 1):
        for s in range(streets):
            other = 1 - player
            wide = filled_up(int(shown[other, s]), TILE)
            low = int(folds[other, s]) // TILE * TILE
            first: dict[int, tuple[int, float]] = {}
            more: list[tuple[int, int, float]] = []
            for node in terminal[street[terminal] == s]:
                own = sequences.row(player, sequences.at[player][node])
                lane = sequences.row(other, sequences.at[other][node])
                stake = float(tree.stake[node].min()) / unit
                if tree.kind[node] == SHOWDOWN:
                    end = (lane, stake)
                else:
                    end = (wide + lane - low, stake if tree.live[node] >> player & 1 else -stake)
                if own in first:
                    more.append((own, *end))
                else:
                    first[own] = end
            none[player, s], ends[player, s] = len(bare), (len(goal), len(goal) + len(first))
            bare += [row for row in range(int(rows[player, s])) if row not in first]
            for own, place, amount in [(k, *first[k]) for k in sorted(first)] + sorted(more):
                goal.append(own)
                source.append(place)
                pay.append(amount)
        none[player, streets], ends[player, streets] = len(bare), (len(goal), len(goal))
    actions = max(number)
    shares = np.array([1.0, *(1.0 / np.arange(1, actions + 1))], real)

    def whole(values: Any) -> np.ndarray:
        return np.array(values, np.int32)

    return Betting(
        begin=begin,
        parent=whole(parent),
        count=whole(number),
        slot=whole(slot),
        act=whole(act),
        row=whole(row),
        slots=slots,
        rows=rows,
        entries=entries,
        entry=entry,
        exits=exits,
        exit=exit_,
        lanes=lanes,
        shown=shown,
        folds=folds,
        none=none,
        bare=whole(bare),
        ends=ends,
        goal=whole(goal),
        source=whole(source),
        pay=np.array(pay, real),
        shares=shares,
    )


def street_of(tree: BettingTree) -> Int32Array:
    """int32[N]: the street of each node, 0 that of the root.

    A deal, and a terminal node, is on the street which is over.
    """
    street = np.zeros(tree.num_nodes, np.int32)
    for node in range(1, tree.num_nodes):
        up = int(tree.parent[node])
        if up >= 0:
            street[node] = street[up] + (tree.kind[up] == DEAL)
    return street


class StreetLanes(NamedTuple):
    """Lanes of a player's sequences on a street: showdowns only, both, then folds only."""

    lanes: int
    """All of them."""
    showdowns: int
    """How many have showdowns: the first ones."""
    first_fold: int
    """Where those with folds begin."""


class _Sequences:
    """The sequences of either player on each street, and their rows."""

    def __init__(self, tree: BettingTree, street: np.ndarray, streets: int) -> None:
        self.at = np.zeros((2, len(street)), np.int64)
        self._counts = np.zeros((2, streets), np.int64)
        self._street: tuple[list[int], list[int]] = ([], [])
        for player in (0, 1):
            for node in range(len(street)):
                up, s = int(tree.parent[node]), int(street[node])
                fresh = up < 0 or tree.kind[up] == DEAL
                if fresh or (tree.kind[up] == DECISION and tree.player[up] == player):
                    self.at[player, node] = len(self._street[player])
                    self._street[player].append(s)
                    self._counts[player, s] += 1
                else:
                    self.at[player, node] = self.at[player, up]
        self._rows: list[dict[int, int]] = []
        self._lanes: dict[tuple[int, int], StreetLanes] = {}
        for player in (0, 1):
            rows: dict[int, int] = {}
            for s in range(streets):
                here = [k for k, on in enumerate(self._street[player]) if on == s]
                shown = self._before(tree, player, SHOWDOWN)
                folded = self._before(tree, player, FOLDED)
                kinds = [(k not in shown, k in folded) for k in here]
                # Showdowns only, both, folds only, neither.
                place = {(False, False): 0, (False, True): 1, (True, True): 2, (True, False): 3}
                order = sorted(here, key=lambda k: place[k not in shown, k in folded])
                rows |= {k: n for n, k in enumerate(order)}
                groups = [place[kind] for kind in kinds]
                only, both, folds = (groups.count(n) for n in range(3))
                self._lanes[player, s] = StreetLanes(
                    lanes=only + both + folds, showdowns=only + both, first_fold=only
                )
            self._rows.append(rows)

    def _before(self, tree: BettingTree, player: int, kind: int) -> set[int]:
        return set(self.at[player][tree.kind == kind].tolist())

    def row(self, player: int, sequence: int) -> int:
        """The row of a sequence among those of its player on its street."""
        return self._rows[player][int(sequence)]

    def count(self, player: int, street: int) -> int:
        return int(self._counts[player, street])

    def lanes(self, player: int, street: int) -> StreetLanes:
        """The lanes of a player on a street."""
        return self._lanes[player, street]
