"""Subgames below disjoint public nodes: their root histories, hands, sequences and payoffs.

Nothing here depends on a strategy, so that one set of subgames serves any number of trunks. In
formulas p is the seat that is re-solved, o the other one, C the probability of chance's moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array

from equilibrist.search.hands import Hands
from equilibrist.search.roots import check_disjoint, find_roots
from equilibrist.search.search_game import SearchGame
from equilibrist.tree.compile import GameTree
from equilibrist.tree.walk.histories import TERMINAL_MARK
from equilibrist.typing import BoolArray, FloatArray, Int64Array


@dataclass(frozen=True, eq=False)
class Leaves:
    """The terminal histories in subgames, L of them.

    Attributes:
        start: int64[L], the root history of each, as an index.
        sequence: int64[L, 2], each player's last sequence.
        value: float64[L], chance times what seat 0 earns, as in `TwoPlayerGame`.
    """

    start: Int64Array
    sequence: Int64Array
    value: FloatArray

    @classmethod
    def of(cls, search: SearchGame, top: Int64Array) -> Leaves:
        """Collect them.

        Args:
            search: The game.
            top: int64[N], of each history the root history above it, as an index; -1 for none.
        """
        public, game = search.public, search.game
        leaf = np.flatnonzero((public.levels.infoset == TERMINAL_MARK) & (top >= 0))
        row = np.cumsum(search.tree.walk.infoset == TERMINAL_MARK) - 1
        payoff = search.tree.walk.payoff[row[public.levels.node[leaf]], 0]
        value = public.pasts.chance[leaf] * (payoff - game.offset) / game.scale
        return cls(top[leaf], search.sequence[leaf], value)


@dataclass(frozen=True, eq=False)
class Subgames:
    """Subgames of one game below disjoint public nodes, G of them, with R root histories in all.

    Attributes:
        search: The game.
        nodes: The public nodes of the roots.
        start: int64[R], the root histories, as places in the levels of the public tree.
        root: int64[R], the root of each.
        chance: float64[R], C: the probability that chance brings it about.
        hands: The hands of both players.
        inside: bool[I], whether each infoset lies in a subgame.
        leaves: The terminal histories in the subgames.
    """

    search: SearchGame
    nodes: tuple[int, ...]
    start: Int64Array
    root: Int64Array
    chance: FloatArray
    hands: tuple[Hands, Hands]
    inside: BoolArray
    leaves: Leaves

    @classmethod
    def of(cls, game: GameTree | SearchGame, roots: str | Sequence[str]) -> Subgames:
        """The subgames below the roots that texts name.

        Args:
            game: A compiled game, or one that is laid out.
            roots: As `find_roots` takes them.

        Returns:
            The subgames.

        Raises:
            ConfigError: No root has such a name, one lies below another, or the game does not say
                what is public.
            GameError: Histories of one infoset lie in different public nodes.
            UnsupportedError: There are not two players, or the sum of payoffs varies.
            RecallError: The game has imperfect recall.
        """
        search = game if isinstance(game, SearchGame) else SearchGame.of(game)
        nodes = find_roots(search.public, roots)
        return cls.below(search, nodes)

    @classmethod
    def below(cls, search: SearchGame, nodes: Sequence[int]) -> Subgames:
        """The subgames below public nodes.

        Args:
            search: The game.
            nodes: The numbers of the nodes, none of which lies below another.

        Returns:
            The subgames.

        Raises:
            ConfigError: One node lies below another.
        """
        check_disjoint(search.public, nodes)
        public, levels = search.public, search.public.levels
        which = public.below(nodes)[public.node_of]
        inside_node = which >= 0
        begins = inside_node & ~inside_node[levels.parent]
        if inside_node[0]:
            begins[0] = True
        start = np.flatnonzero(begins)
        start = start[np.lexsort((levels.node[start], which[start]))]
        top = np.full(len(which), -1, dtype=np.int64)
        top[start] = np.arange(len(start))
        for low, high in levels.ranges:
            below = top[levels.parent[low:high]]
            top[low:high] = np.where(top[low:high] >= 0, top[low:high], below)
        root = which[start]
        inside = public.below(nodes)[public.node_of_infoset] >= 0
        return cls(
            search=search,
            nodes=tuple(int(node) for node in nodes),
            start=start,
            root=root,
            chance=public.pasts.chance[start],
            hands=(
                Hands.of(search, 0, start, root, top),
                Hands.of(search, 1, start, root, top),
            ),
            inside=inside,
            leaves=Leaves.of(search, top),
        )

    def __len__(self) -> int:
        return len(self.nodes)

    def __repr__(self) -> str:
        return f"Subgames({self.search.tree.name!r}, roots={list(self.names)!r})"

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the roots."""
        return tuple(self.search.public.names[node] for node in self.nodes)

    @cached_property
    def seats(self) -> tuple[SeatRows, SeatRows]:
        """What programmes of each seat have in common, whatever the trunk."""
        return SeatRows.of(self, 0), SeatRows.of(self, 1)


@dataclass(frozen=True, eq=False)
class SeatRows:
    """The rows that all programmes of one seat p share: o's best response to a plan of p's.

    Rows are o's sequences inside the subgames, then o's hands. Against a plan x of p's a sequence
    earns (`inner` @ x[inside] + `outer` @ x[outside]) where it ends o's play.

    Attributes:
        player: p.
        own: int64[X], p's sequences inside the subgames, rising.
        own_infosets: int64[J], p's infosets inside.
        infosets: int64[K], o's infosets inside.
        sequences: int64[S], o's sequences inside, rising.
        payoff: float64[S + H, n], chance times what o earns, over all of p's sequences.
        hand_of: int64[K], o's hand at each infoset that has none of o's above it inside; else -1.
    """

    player: int
    own: Int64Array
    own_infosets: Int64Array
    infosets: Int64Array
    sequences: Int64Array
    payoff: csr_array
    hand_of: Int64Array

    @classmethod
    def of(cls, subgames: Subgames, player: int) -> SeatRows:
        """Collect them for one seat."""
        search, other = subgames.search, 1 - player
        own_infosets, own = _inside(subgames, player)
        infosets, sequences = _inside(subgames, other)
        leaves, hands = subgames.leaves, subgames.hands[other]
        size = search.own[other].plans.size
        row_of = np.full(size, -1, dtype=np.int64)
        row_of[sequences] = np.arange(len(sequences))
        ends = row_of[leaves.sequence[:, other]]
        row = np.where(ends >= 0, ends, len(sequences) + hands.of_start[leaves.start])
        value = leaves.value if other == 0 else -leaves.value
        shape = (len(sequences) + len(hands), search.own[player].plans.size)
        payoff = csr_array((value, (row, leaves.sequence[:, player])), shape=shape)
        payoff.sum_duplicates()
        plans = search.own[other].plans
        first = row_of[plans.parent[infosets]] < 0
        hand_of = np.where(first, hands.of_infoset[infosets], -1)
        return cls(player, own, own_infosets, infosets, sequences, payoff, hand_of)


def _inside(subgames: Subgames, player: int) -> tuple[Int64Array, Int64Array]:
    """A player's infosets inside the subgames, by own number, and their sequences."""
    mine = subgames.search.tree.infoset_player == player
    infosets = np.flatnonzero(subgames.inside[mine])
    plans = subgames.search.own[player].plans
    within = np.zeros(len(plans.parent), dtype=np.bool_)
    within[infosets] = True
    return infosets, 1 + np.flatnonzero(np.repeat(within, plans.actions))
