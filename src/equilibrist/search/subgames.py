"""Subgames below disjoint public nodes: their root histories, hands, sequences and payoffs.

Nothing here depends on a strategy, so that one set of subgames serves any number of trunks. In
formulas p is the seat that is re-solved, o the other one, C the probability of chance's moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from equilibrist.search.hands import Hands
from equilibrist.search.roots import check_disjoint, find_roots
from equilibrist.search.search_game import SearchGame
from equilibrist.search.seat_rows import Leaves, SeatRows
from equilibrist.tree.compile import GameTree
from equilibrist.typing import BoolArray, FloatArray, Int64Array


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
        parts = self.search, self.hands, self.leaves, self.inside
        return SeatRows.of(*parts, 0), SeatRows.of(*parts, 1)

    def root_histories(self, places: Int64Array) -> Int64Array:
        """The root history above each of some histories in the subgames.

        Args:
            places: int64[n], places in the levels of the public tree.

        Returns:
            int64[n], indices of `start`.
        """
        parent = self.search.public.levels.parent
        number = np.full(len(parent), -1, dtype=np.int64)
        number[self.start] = np.arange(len(self.start))
        places = places.copy()
        while (number[places] < 0).any():
            lower = number[places] < 0
            places[lower] = parent[places[lower]]
        return number[places]
