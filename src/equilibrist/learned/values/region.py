"""The part of a game between public roots and leaves, laid out for solves with ranges.

Play begins at the roots with the ranges of both players, and ends at terminal histories, or at
leaves: public states a given depth below. Values are counterfactual, in payoff units, and count
from half of what both players earn together, so that those of both add up to zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from equilibrist.errors import UnsupportedError
from equilibrist.formatting.brief import brief_repr
from equilibrist.kernels.belief.passes import SideArrays
from equilibrist.search import PublicTree, SearchGame, Subgames
from equilibrist.typing import BoolArray, FloatArray, Int64Array


class LeafHands(NamedTuple):
    """The hands of one player at all leaves."""

    slot: Int64Array
    """int64[h], the slot that comes there with each hand."""
    leaf: Int64Array
    """int64[h], the leaf of each hand, rising."""


@dataclass(frozen=True, eq=False)
class Region:
    """What is solved between roots and leaves.

    Attributes:
        subgames: The subgames at the roots.
        leaves: The subgames at the leaves; None where all play is solved to its end.
        sides: What passes read, of both players.
        infosets: int64[J] of each player: the public number of each infoset, parents first.
        root_of: int64[J] of each player: the root of each infoset.
        hands: The hands of each player at all leaves.
    """

    subgames: Subgames
    leaves: Subgames | None
    sides: tuple[SideArrays, SideArrays]
    infosets: tuple[Int64Array, Int64Array]
    root_of: tuple[Int64Array, Int64Array]
    hands: tuple[LeafHands, LeafHands]

    @classmethod
    def of(cls, search: SearchGame, roots: Sequence[int], depth: int | None) -> Region:
        """Lay out what lies between roots and leaves.

        Args:
            search: The game.
            roots: Numbers of public nodes, none of which lies below another.
            depth: How many public nodes in which a player acts lie on each way to a leaf, the
                root's own among them; 0 to solve until chance shows something; None to solve to the
                end.

        Returns:
            The region.

        Raises:
            UnsupportedError: At a leaf a player has forgotten what it knew at the root.
        """
        subgames = Subgames.below(search, roots)
        nodes = () if depth is None else leaves_below(search.public, subgames.nodes, depth)
        leaves = Subgames.below(search, nodes) if nodes else None
        above = subgames.inside if leaves is None else subgames.inside & ~leaves.inside
        players = tuple(_Slots.of(subgames, above, player) for player in range(2))
        earned = _earned(subgames, leaves, (players[0].of_end, players[1].of_end))
        hands = tuple(_leaf_hands(subgames, leaves, player, players[player]) for player in range(2))
        sides = (players[0].side(earned), players[1].side(csr_array(-earned.T)))
        return cls(
            subgames=subgames,
            leaves=leaves,
            sides=sides,
            infosets=(players[0].infosets, players[1].infosets),
            root_of=(players[0].root_of, players[1].root_of),
            hands=(hands[0], hands[1]),
        )

    def __repr__(self) -> str:
        return brief_repr(self)

    @property
    def search(self) -> SearchGame:
        """The game."""
        return self.subgames.search

    @property
    def slots(self) -> tuple[int, int]:
        """How many slots each player has."""
        return len(self.sides[0].start) - 1, len(self.sides[1].start) - 1

    @property
    def num_hands(self) -> tuple[int, int]:
        """How many hands each player has at the roots; their slots come first."""
        first, second = self.subgames.hands
        return len(first), len(second)

    @cached_property
    def own_slots(self) -> tuple[Int64Array, Int64Array]:
        """int64: the slots of each player's sequences, infoset by infoset."""
        return _expanded(self.sides[0]), _expanded(self.sides[1])

    @cached_property
    def own_places(self) -> tuple[Int64Array, Int64Array]:
        """int64: the place of each of these in flat arrays over the actions of all players."""
        offset = self.search.tree.action_offset
        found = []
        for side, infosets in zip(self.sides, self.infosets, strict=True):
            found.append(_ranges(offset[infosets], side.count))
        return found[0], found[1]

    @cached_property
    def uniform(self) -> tuple[FloatArray, FloatArray]:
        """float64[slots] of each player: uniform play, 1 at hands of roots."""
        shares = []
        for side, size in zip(self.sides, self.slots, strict=True):
            share = np.ones(size)
            share[_expanded(side)] = np.repeat(1.0 / side.count, side.count)
            shares.append(share)
        return shares[0], shares[1]


def acting_depth(public: PublicTree) -> Int64Array:
    """int64[M]: in how many public nodes above each one a player acts."""
    acts = np.zeros(len(public), dtype=np.int64)
    acts[public.node_of_infoset] = 1
    depth = np.zeros(len(public), dtype=np.int64)
    for node, above in enumerate(public.parent.tolist()):
        if above >= 0:
            depth[node] = depth[above] + acts[above]
    return depth


def leaves_below(public: PublicTree, roots: Sequence[int], depth: int) -> tuple[int, ...]:
    """The leaves some depth below roots: the first public nodes so deep where anybody still acts.

    Args:
        public: The public tree.
        roots: Numbers of public nodes, none of which lies below another.
        depth: How many public nodes with decisions lie on each way; 0 for the last public nodes
            before chance shows something.

    Returns:
        Numbers of public nodes, rising.
    """
    which, deep = public.below(roots), acting_depth(public)
    inside = (which >= 0) & public.acts_below.any(axis=1)
    inside[list(roots)] = False
    at: BoolArray = np.zeros(len(public), dtype=np.bool_)
    if depth:
        at = inside & (deep == deep[np.asarray(roots)][which] + depth)
    else:
        at[public.parent[public.deals]] = True
        at &= inside
    below = np.zeros(len(public), dtype=np.bool_)
    for node, above in enumerate(public.parent.tolist()):
        below[node] = above >= 0 and inside[above] and (at[above] or below[above])
    return tuple(np.flatnonzero(at & ~below).tolist())


def search_levels(public: PublicTree, depth: int) -> list[tuple[int, ...]]:
    """The leaves that a search asks about: from the beginning, from these, and so on.

    Args:
        public: The public tree.
        depth: As `leaves_below` takes it.

    Returns:
        The leaves of each round of solves; none in a game that is solved at once.
    """
    levels = []
    roots: tuple[int, ...] = (0,)
    while roots := leaves_below(public, roots, depth):
        levels.append(roots)
    return levels


class _Slots(NamedTuple):
    """One player's slots, and where its infosets lie among them."""

    parent: Int64Array
    first: Int64Array
    actions: Int64Array
    infosets: Int64Array
    root_of: Int64Array
    of_sequence: Int64Array
    """int64[n]: the slot of each own sequence inside, -1 elsewhere."""
    of_hand: Int64Array
    """int64[R]: the slot of the hand of each root history."""
    of_end: Int64Array
    """int64[L]: the slot with which play comes to each terminal history of the subgames."""

    @classmethod
    def of(cls, subgames: Subgames, above: BoolArray, player: int) -> _Slots:
        search, hands = subgames.search, subgames.hands[player]
        plans = search.own[player].plans
        public = np.flatnonzero((search.tree.infoset_player == player) & above)
        own = public - int(np.searchsorted(search.tree.infoset_player, player))
        count = plans.actions[own]
        first = len(hands) + np.cumsum(count) - count
        slot = np.full(plans.size, -1, dtype=np.int64)
        slot[_ranges(plans.first[own], count)] = len(hands) + np.arange(int(count.sum()))
        hand = hands.of_infoset[own]
        before = slot[plans.parent[own]]
        ends = subgames.leaves
        at_end = slot[ends.sequence[:, player]]
        return cls(
            parent=np.where(before >= 0, before, hand),
            first=first.astype(np.int64),
            actions=count.astype(np.int64),
            infosets=public,
            root_of=hands.root[hand],
            of_sequence=slot,
            of_hand=hands.of_start,
            of_end=np.where(at_end >= 0, at_end, hands.of_start[ends.start]),
        )

    def side(self, earned: csr_array) -> SideArrays:
        """What passes read, with what each own slot earns against each of the other's."""
        return SideArrays(
            parent=self.parent,
            first=self.first,
            count=self.actions,
            start=earned.indptr.astype(np.int64),
            other=earned.indices.astype(np.int64),
            amount=earned.data.astype(np.float64),
        )


def _earned(
    subgames: Subgames, leaves: Subgames | None, at_end: tuple[Int64Array, Int64Array]
) -> csr_array:
    """Chance times what seat 0 earns at the ends above the leaves, by the slots of both."""
    search, ends = subgames.search, subgames.leaves
    game = search.game
    kept = np.ones(len(ends.place), dtype=np.bool_)
    if leaves is not None:
        kept = ~np.isin(ends.place, leaves.leaves.place)
    chance = search.public.pasts.chance[ends.place]
    value = ends.value * game.scale + chance * (game.offset - game.total / 2.0)
    sizes = []
    for player in range(2):
        counts = np.diff(search.tree.action_offset)
        inside = subgames.inside & (search.tree.infoset_player == player)
        if leaves is not None:
            inside = inside & ~leaves.inside
        sizes.append(len(subgames.hands[player]) + int(counts[inside].sum()))
    entries = (value[kept], (at_end[0][kept], at_end[1][kept]))
    earned = csr_array(entries, shape=tuple(sizes))
    earned.sum_duplicates()
    return earned


def _leaf_hands(
    subgames: Subgames, leaves: Subgames | None, player: int, slots: _Slots
) -> LeafHands:
    """The hands at all leaves; UnsupportedError where one stands for several at its root."""
    if leaves is None:
        none = np.zeros(0, dtype=np.int64)
        return LeafHands(none, none)
    hands = leaves.hands[player]
    at_root = slots.of_hand[subgames.root_histories(leaves.start)]
    inside = slots.of_sequence[hands.sequence][hands.of_start]
    slot_of_start = np.where(inside >= 0, inside, at_root)
    slot = np.zeros(len(hands), dtype=np.int64)
    slot[hands.of_start] = slot_of_start
    if (slot[hands.of_start] != slot_of_start).any():
        mixed = int(np.flatnonzero(slot[hands.of_start] != slot_of_start)[0])
        name = leaves.names[int(leaves.root[mixed])]
        raise UnsupportedError(
            f"at {name!r} player {player} no longer knows what it knew at the root",
            option="depth",
            given=name,
            expected="leaves at which hands tell apart all that those at the root do",
        )
    return LeafHands(slot, hands.root)


def _ranges(starts: Int64Array, counts: Int64Array) -> Int64Array:
    """int64: the numbers from each start on, so many each, one after the other."""
    ends = np.cumsum(counts)
    found: Int64Array = np.repeat(starts - (ends - counts), counts) + np.arange(
        int(ends[-1]) if len(ends) else 0
    )
    return found


def _expanded(side: SideArrays) -> Int64Array:
    return _ranges(side.first, side.count)
