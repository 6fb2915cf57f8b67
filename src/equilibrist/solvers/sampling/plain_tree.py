"""A compiled game as the plain nodes that samplers in Python walk."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Final, NamedTuple

from equilibrist.errors import ConfigError
from equilibrist.game import CHANCE, TERMINAL, PublicGame
from equilibrist.reference.game_walk import DEEPEST, Node
from equilibrist.tree.compile import GameTree
from equilibrist.tree.forms.history_tree import HistoryTree
from equilibrist.tree.walk.histories import CHANCE_MARK, TERMINAL_MARK

MOST_NODES: Final = 1_000_000
"""Histories up to which nodes are made: each takes some 400 bytes."""


@dataclass(frozen=True, repr=False)
class PlainTree(HistoryTree):
    """The tree of histories, and its nodes as objects.

    Attributes:
        root: The initial history.
        actions: By infoset where its actions stand in tables in public flat order.
    """

    root: Node
    actions: dict[str, slice]


def plain_tree(tree: GameTree) -> PlainTree:
    """Make the nodes of a game.

    Args:
        tree: The game.

    Returns:
        Its histories as arrays and as nodes.

    Raises:
        ConfigError: It is too large or too deep for objects of Python.
    """
    for name, size, most in (
        ("histories", tree.num_nodes, MOST_NODES),
        ("moves in a line of play", tree.depth, DEEPEST),
    ):
        if size > most:
            raise ConfigError(
                f"{tree.name} has {size:,} {name}, and a sampler of your own is run in Python, on "
                f"at most {most:,}",
                option="sampler",
                given=size,
                expected=most,
                remedy="take a smaller game, or a sampler that `equilibrist samplers` lists",
            )
    histories = tree.history_tree
    arrays = {item.name: getattr(histories, item.name) for item in fields(histories)}
    actions = {key: tree.actions_of(number) for number, key in enumerate(tree.infoset_keys)}
    return PlainTree(**arrays, root=_root(tree), actions=actions)


def _root(tree: GameTree) -> Node:
    """Build nodes from the last history to the first, so that children come before parents."""
    walk = tree.walk
    infosets, parents = walk.infoset.tolist(), walk.parent.tolist()
    histories, labels, publics = _played(tree)
    outcomes = walk.chance_probability.tolist()
    counts, payoffs = walk.chance_count.tolist(), walk.payoff.tolist()
    owners = walk.owner.tolist()
    below: list[list[Node]] = [[] for _ in parents]
    terminal, chance, end = len(payoffs), len(counts), len(outcomes)
    for number in range(len(parents) - 1, -1, -1):
        infoset, children = infosets[number], tuple(reversed(below[number]))
        history = histories[number]
        if infoset == TERMINAL_MARK:
            terminal -= 1
            node = Node(
                TERMINAL,
                history,
                payoffs=tuple(payoffs[terminal]),
                public=publics[number],
            )
        elif infoset == CHANCE_MARK:
            chance -= 1
            begin = end - counts[chance]
            node = Node(
                CHANCE,
                history,
                actions=labels[number],
                chance=tuple(outcomes[begin:end]),
                children=children,
                public=publics[number],
            )
            end = begin
        else:
            node = Node(
                owners[infoset],
                history,
                infoset=walk.keys[infoset],
                actions=walk.labels[infoset],
                children=children,
                public=publics[number],
            )
        below[number] = []
        if number:
            below[parents[number]].append(node)
    return node


class _Played(NamedTuple):
    """What the rules say of each history.

    Attributes:
        histories: The labels of all moves to it.
        outcomes: The labels of its outcomes, by the number of a chance node.
        publics: Its public state; empty where the game defines none.
    """

    histories: list[tuple[str, ...]]
    outcomes: dict[int, tuple[str, ...]]
    publics: list[str]


def _played(tree: GameTree) -> _Played:
    """Play through all histories once more, as the compiled game keeps no labels of chance."""
    walk, game = tree.walk, tree.game
    parents, infosets = walk.parent.tolist(), walk.infoset.tolist()
    states: list[Any] = [game.initial_state()]
    played = _Played([()], {}, [])
    public = game.public_state if isinstance(game, PublicGame) else _nothing
    seen = [0] * len(parents)
    for number, infoset in enumerate(infosets):
        if number:
            parent = parents[number]
            k = seen[parent]
            seen[parent] += 1
            labels = played.outcomes.get(parent) or walk.labels[infosets[parent]]
            played.histories.append((*played.histories[parent], labels[k]))
            states.append(game.next(states[parent], k))
        if infoset == CHANCE_MARK:
            played.outcomes[number] = tuple(game.actions(states[number]))
        played.publics.append(public(states[number]))
    return played


def _nothing(_: Any) -> str:
    """The public state of games that define none."""
    return ""
