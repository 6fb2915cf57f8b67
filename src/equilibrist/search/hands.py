"""Hands: what a player knows at the root of a subgame, found from the infosets below it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from equilibrist.formatting.brief import brief_repr
from equilibrist.search.search_game import SearchGame
from equilibrist.typing import Int64Array


@dataclass(frozen=True, eq=False)
class Hands:
    """The hands of one player at all roots: what the player knows there.

    Root histories are one hand if the player cannot tell them apart: they share an infoset of the
    player below the root, or, where none of these is met, the player's last own sequence.

    Attributes:
        player: Whose hands.
        of_start: int64[R], the hand of each root history; hands are numbered root by root.
        of_infoset: int64[J], the hand at each own infoset inside a subgame; -1 outside.
        root: int64[H], the root of each hand.
        sequence: int64[H], the player's last sequence above the root, 0 for the empty one.
        labels: What each is called, by the keys of its infosets.
    """

    player: int
    of_start: Int64Array
    of_infoset: Int64Array
    root: Int64Array
    sequence: Int64Array
    labels: tuple[str, ...]

    @classmethod
    def of(
        cls, search: SearchGame, player: int, start: Int64Array, root: Int64Array, top: Int64Array
    ) -> Hands:
        """Join the root histories that a player cannot tell apart.

        Args:
            search: The game.
            player: The player.
            start: int64[R], the root histories, root by root.
            root: int64[R], the root of each.
            top: int64[N], of each history the root history above it, as an index; -1 for none.
        """
        plans = search.own[player].plans
        infoset = search.public.levels.infoset
        begin = int(np.searchsorted(search.tree.infoset_player, player))
        own = np.where(infoset >= 0, infoset - begin, -1)
        moves = np.flatnonzero((own >= 0) & (own < len(plans.parent)) & (top >= 0))
        sequence = search.sequence[start, player]
        met = np.zeros(len(start), dtype=np.bool_)
        met[top[moves]] = True
        # Points of a graph: root histories, infosets, and pairs of a root and a last sequence.
        blind = np.flatnonzero(~met)
        _, pair = np.unique(root[blind] * plans.size + sequence[blind], return_inverse=True)
        first_pair = len(start) + len(plans.parent)
        tail = np.concatenate([top[moves], blind])
        head = np.concatenate([len(start) + own[moves], first_pair + pair.reshape(-1)])
        shape = (first_pair + len(blind),) * 2
        graph = coo_array((np.ones(len(tail)), (tail, head)), shape=shape)
        _, part = connected_components(graph, directed=False)
        _, first, number = np.unique(part[: len(start)], return_index=True, return_inverse=True)
        order = np.argsort(first)  # hands by their first root history
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        of_start = rank[number.reshape(-1)]
        of_infoset = np.full(len(plans.parent), -1, dtype=np.int64)
        of_infoset[own[moves]] = of_start[top[moves]]
        leads, roots = sequence[first[order]], root[first[order]]
        # Perfect recall: whoever knows the same has made the same moves.
        assert (leads[of_start] == sequence).all()
        labels = _labels(search, player, of_infoset, roots, leads)
        return cls(player, of_start, of_infoset, roots, leads, labels)

    def __len__(self) -> int:
        return len(self.root)

    def __repr__(self) -> str:
        return brief_repr(self)

    def at(self, root: int) -> Int64Array:
        """The hands at a root.

        Args:
            root: Its index among the roots.

        Returns:
            Their numbers.
        """
        return np.flatnonzero(self.root == root)


def _labels(
    search: SearchGame, player: int, of_infoset: Int64Array, root: Int64Array, leads: Int64Array
) -> tuple[str, ...]:
    """What the hands are called: the parts of keys that the game says are the hand, or the keys."""
    tree, plans = search.tree, search.own[player].plans
    begin = int(np.searchsorted(tree.infoset_player, player))
    keys: list[list[str]] = [[] for _ in range(len(root))]
    for infoset in np.flatnonzero(of_infoset >= 0).tolist():
        hand = int(of_infoset[infoset])
        if plans.parent[infoset] == leads[hand]:
            keys[hand].append(tree.infoset_keys[begin + infoset])
    owner = plans.infoset
    spoken: list[str] = []
    for hand, sequence in enumerate(leads.tolist()):
        last = ""
        if sequence:
            last = tree.infoset_keys[begin + int(owner[sequence - 1])]
        spoken.append(_called(tree.game, keys[hand] or [last]))
        if not spoken[-1] and sequence:
            action = sequence - int(plans.first[owner[sequence - 1]])
            spoken[-1] = f"{last} {tree.action_labels[begin + int(owner[sequence - 1])][action]}"
    counts = Counter(zip(root.tolist(), spoken, strict=True))
    return tuple(
        name if name and counts[place, name] == 1 else f"{name}#{hand}"
        for hand, (place, name) in enumerate(zip(root.tolist(), spoken, strict=True))
    )


def _called(game: object, keys: Sequence[str]) -> str:
    """The name of a hand with these first infosets; empty if they have nothing in common."""
    parts = getattr(game, "key_parts", None)
    if callable(parts) and all(keys):
        texts = {" ".join(text for kind, text in parts(key) if kind == "hand") for key in keys}
        if len(texts) == 1:
            return texts.pop()
    return _common_start(keys)


def _common_start(texts: Sequence[str]) -> str:
    """The characters that all texts begin with."""
    least, most = min(texts), max(texts)
    differ = (k for k, (a, b) in enumerate(zip(least, most, strict=False)) if a != b)
    return least[: next(differ, len(least))]
