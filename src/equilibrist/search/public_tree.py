"""The public tree of a compiled game: what everybody knows, and how it goes on.

A history is in the public node of its parent as long as the public state is the same text, else in
the node of the parent's node and the new text. So a public node is a line of public states, and
nobody who watches the game takes one node for another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from equilibrist.errors import GameError
from equilibrist.evaluation.sequences import Pasts, pasts
from equilibrist.formatting.brief import brief_repr
from equilibrist.tree.compile import GameTree, checked_tree
from equilibrist.tree.levels import Levels
from equilibrist.tree.walk.histories import CHANCE_MARK, TERMINAL_MARK, action_path, history_labels
from equilibrist.typing import BoolArray, Int64Array

STEP = " > "
"""What stands between the public states of a line."""


@dataclass(frozen=True)
class PublicNode:
    """A public node: a set of histories that no public event tells apart.

    Attributes:
        number: Its number in the public tree.
        name: What it is called: its public state, or its line where several nodes have that state.
        line: The public states from the beginning to here.
        parent: The number of the node above; -1 at the beginning.
        children: The numbers of the nodes that follow directly.
        players: The players who move in it, in order.
        chance: Whether chance moves in it.
        infosets: The public numbers of the infosets in it.
        num_histories: How many histories it has.
        num_roots: How many of these begin it: their parents lie in the node above.
    """

    number: int
    name: str
    line: tuple[str, ...]
    parent: int
    children: tuple[int, ...]
    players: tuple[int, ...]
    chance: bool
    infosets: tuple[int, ...]
    num_histories: int
    num_roots: int


@dataclass(frozen=True, eq=False)
class PublicTree:
    """The public nodes of a game, M of them, numbered by first visit: parents before children.

    Attributes:
        tree: The compiled game: N histories, I infosets.
        levels: Its histories, breadth first; arrays over histories are in this order.
        pasts: What led to each history.
        parent: int64[M], the node above each; -1 for the first one.
        state: int64[M], the public state of each, a number of `GameTree.public_states`.
        node_of: int64[N], the public node of each history.
        node_of_infoset: int64[I], that of each infoset.
    """

    tree: GameTree
    levels: Levels
    pasts: Pasts
    parent: Int64Array
    state: Int64Array
    node_of: Int64Array
    node_of_infoset: Int64Array

    def __repr__(self) -> str:
        return brief_repr(self)

    @classmethod
    def of(cls, tree: GameTree) -> PublicTree:
        """The public tree of a compiled game.

        Args:
            tree: The game, whose rules say what is public (`public_state`).

        Returns:
            The public tree.

        Raises:
            ConfigError: The rules do not say what is public.
            GameError: Histories of one infoset lie in different public nodes.
        """
        levels = Levels.of(checked_tree(tree))
        text = tree.public_states.number[levels.node].astype(np.int64)
        node_of = np.zeros(len(text), dtype=np.int64)
        above, state = [-1], [int(text[0])]
        for low, high in levels.ranges:
            over = node_of[levels.parent[low:high]]
            here = text[low:high]
            new = np.flatnonzero(here != np.array(state)[over])
            node_of[low:high] = over
            pairs, numbers = np.unique(
                np.stack([over[new], here[new]]), axis=1, return_inverse=True
            )
            node_of[low + new] = len(above) + numbers.reshape(-1)
            above += pairs[0].tolist()
            state += pairs[1].tolist()
        # The walk meets nodes in another order than levels do.
        first = np.full(len(above), len(text), dtype=np.int64)
        np.minimum.at(first, node_of, levels.node)
        order = np.argsort(first)
        number = np.empty_like(order)
        number[order] = np.arange(len(order))
        node_of = number[node_of]
        parent = np.array(above)[order]
        parent[1:] = number[parent[1:]]
        infosets = _node_of_infosets(levels, node_of)
        return cls(tree, levels, pasts(levels), parent, np.array(state)[order], node_of, infosets)

    def __len__(self) -> int:
        return len(self.parent)

    def __getitem__(self, number: int) -> PublicNode:
        here = np.flatnonzero(self.node_of == number)
        infosets = self.infosets(number)
        return PublicNode(
            number=number,
            name=self.names[number],
            line=self.line(number),
            parent=int(self.parent[number]),
            children=self.children(number),
            players=tuple(np.unique(self.tree.infoset_player[infosets]).tolist()),
            chance=bool((self.levels.infoset[here] == CHANCE_MARK).any()),
            infosets=tuple(infosets.tolist()),
            num_histories=len(here),
            num_roots=int(self.begins[here].sum()),
        )

    @cached_property
    def begins(self) -> BoolArray:
        """bool[N]: whether a history begins its public node."""
        over = self.node_of[self.levels.parent]
        begins: BoolArray = over != self.node_of
        begins[0] = True
        return begins

    @cached_property
    def depth(self) -> Int64Array:
        """int64[M]: how many public nodes lie above each."""
        depth = np.zeros(len(self.parent), dtype=np.int64)
        for node, above in enumerate(self.parent.tolist()):
            depth[node] = 0 if above < 0 else depth[above] + 1
        return depth

    @cached_property
    def states(self) -> tuple[str, ...]:
        """The public state of each node."""
        texts = self.tree.public_states.texts
        return tuple(texts[k] for k in self.state.tolist())

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What each node is called: its public state, or its line where that is not the only one.

        The state before anything is public is the empty text in some games; then that is the name.
        """
        counts = np.bincount(self.state, minlength=len(self.tree.public_states.texts))
        return tuple(
            text if counts[k] == 1 else STEP.join(self.line(node))
            for node, (text, k) in enumerate(zip(self.states, self.state.tolist(), strict=True))
        )

    def line(self, number: int) -> tuple[str, ...]:
        """The public states from the beginning to a node.

        Args:
            number: The number of the node.

        Returns:
            Their texts.
        """
        texts: list[str] = []
        while number >= 0:
            texts.append(self.states[number])
            number = int(self.parent[number])
        return tuple(texts[::-1])

    def children(self, number: int) -> tuple[int, ...]:
        """The nodes that follow directly on a node.

        Args:
            number: The number of the node.

        Returns:
            Their numbers.
        """
        return tuple(np.flatnonzero(self.parent == number).tolist())

    def infosets(self, number: int) -> Int64Array:
        """The infosets in a node, those of its descendants not among them.

        Args:
            number: The number of the node.

        Returns:
            Their public numbers.
        """
        return np.flatnonzero(self.node_of_infoset == number)

    def below(self, roots: Sequence[int]) -> Int64Array:
        """Which of some nodes each node is, or lies below.

        Args:
            roots: Numbers of nodes, none of which lies below another.

        Returns:
            int64[M]: an index of `roots`, -1 for none.
        """
        which = np.full(len(self.parent), -1, dtype=np.int64)
        which[np.asarray(roots, dtype=np.int64)] = np.arange(len(roots))
        for node, above in enumerate(self.parent.tolist()):
            if above >= 0 and which[node] < 0:
                which[node] = which[above]
        return which

    @cached_property
    def deals(self) -> BoolArray:
        """bool[M]: whether chance has just shown something: other outcomes lead to other nodes."""
        return self._followed()[0]

    @cached_property
    def moves(self) -> BoolArray:
        """bool[M]: whether a player has just moved for all to see, or has no choice but to."""
        return self._followed()[1]

    def _followed(self) -> tuple[BoolArray, BoolArray]:
        """Which nodes follow on a public event of chance, and which on a move of a player."""
        beginning = np.flatnonzero(self.begins)[1:]
        mover = self.levels.infoset[self.levels.parent[beginning]]
        node = self.node_of[beginning]
        by_chance, by_player = np.zeros((2, len(self.parent)), dtype=np.bool_)
        by_chance[node[mover == CHANCE_MARK]] = True
        by_player[node[mover >= 0]] = True
        ways = np.bincount(self.parent[1:][by_chance[1:]], minlength=len(self.parent))
        by_chance[1:] &= ways[self.parent[1:]] > 1
        return by_chance, by_player

    @cached_property
    def mover(self) -> Int64Array:
        """int64[M]: whose move led to each node; -1 for chance's, and where several players' did.

        The first node has -1, too.
        """
        beginning = np.flatnonzero(self.begins)[1:]
        infoset = self.levels.infoset[self.levels.parent[beginning]]
        player = np.where(infoset >= 0, self.tree.infoset_player[np.maximum(infoset, 0)], -1)
        node = self.node_of[beginning]
        least, most = np.full((2, len(self.parent)), -1, dtype=np.int64)
        least[node] = self.tree.num_players
        np.minimum.at(least, node, player)
        np.maximum.at(most, node, player)
        return np.where(least == most, most, -1)

    @cached_property
    def acts_below(self) -> BoolArray:
        """bool[M, P]: whether each player moves in a node or below it."""
        tree = self.tree
        acts = np.zeros((len(self.parent), tree.num_players), dtype=np.bool_)
        acts[self.node_of_infoset, tree.infoset_player] = True
        for node in range(len(self.parent) - 1, 0, -1):
            acts[self.parent[node]] |= acts[node]
        return acts

    @cached_property
    def is_over(self) -> BoolArray:
        """bool[M]: whether a node has terminal histories alone."""
        inner = np.zeros(len(self.parent), dtype=np.bool_)
        inner[self.node_of[self.levels.infoset != TERMINAL_MARK]] = True
        return ~inner


def _node_of_infosets(levels: Levels, node_of: Int64Array) -> Int64Array:
    """int64[I]: the public node of each infoset; GameError where it has several."""
    inner = np.flatnonzero(levels.infoset >= 0)
    infoset = levels.infoset[inner]
    home = np.full(levels.tree.num_infosets, -1, dtype=np.int64)
    home[infoset[::-1]] = node_of[inner[::-1]]  # the first history of each comes last
    elsewhere = inner[home[infoset] != node_of[inner]]
    if len(elsewhere):
        tree = levels.tree
        position = elsewhere[np.argmin(levels.node[elsewhere])]
        key = tree.infoset_keys[int(levels.infoset[position])]
        player = int(tree.infoset_player[int(levels.infoset[position])])
        path = action_path(tree.walk.parent, int(levels.node[position]))
        raise GameError(
            f"in the infoset {key!r} player {player} does not know what is public: its histories "
            f"lie on different lines of public states",
            history_labels(tree.game, path),
            kind="public",
            given=key,
            remedy="put what is public into the key, or leave it out of public_state()",
        )
    return home
