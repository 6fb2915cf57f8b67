"""Symmetries that a user gives by names: `Js=Jh` swaps two outcomes of chance everywhere."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from equilibrist.abstraction.symmetry.automorphism import fault
from equilibrist.abstraction.symmetry.shape import Shape
from equilibrist.errors import ConfigError
from equilibrist.game import CHANCE, TERMINAL
from equilibrist.parsing.arguments import bad_argument
from equilibrist.tree.compile import GameTree, checked_tree
from equilibrist.tree.walk.histories import CHANCE_MARK, action_path, history_labels
from equilibrist.typing import Int64Array


def read_symmetry(text: str) -> dict[str, str]:
    """`Js=Jh,Qs=Qh` as {"Js": "Jh", "Jh": "Js", ...}.

    Args:
        text: Pairs of outcomes of chance that change places.

    Returns:
        The new name of each.

    Raises:
        ConfigError: The text has another form, or an outcome comes twice.
    """
    names: dict[str, str] = {}
    for part in text.split(","):
        name, equals, new_name = (piece.strip() for piece in part.partition("="))
        if not (name and equals and new_name) or "=" in new_name or {name, new_name} & set(names):
            raise bad_argument(
                "symmetry", text, "pairs of outcomes of chance, each once, such as Js=Jh,Qs=Qh"
            )
        names[name], names[new_name] = new_name, name
    return names


def symmetry_by_names(tree: GameTree, names: Mapping[str, str]) -> Int64Array:
    """The symmetry that renames outcomes of chance.

    Args:
        tree: A compiled game.
        names: The new name of each outcome that gets one, {"Js": "Jh", "Jh": "Js"}.

    Returns:
        int64[N], where it takes each history in preorder; it was checked.

    Raises:
        ConfigError: An outcome with such a name is never drawn, or the renamed game is another one
            (`place` is a history where it differs).
    """
    shape = Shape.of(checked_tree(tree))
    labels = _outcome_labels(tree)
    shown = ",".join(f"{a}={b}" for a, b in names.items() if a < b or names.get(b) != a)
    known = {label for row in labels.values() for label in row}
    for name in [*names, *names.values()]:
        if name not in known:
            raise bad_argument(
                "symmetry",
                name,
                f"an outcome of chance in {tree.name}, such as "
                + ", ".join(sorted(known)[:5] or ["none, for it has none"]),
            )
    image = np.zeros(len(shape.parent), dtype=np.int64)
    for node in range(len(shape.parent)):
        there = int(image[node])
        first, count = int(shape.first[node]), int(shape.count[node])
        start, other = int(shape.first[there]), int(shape.count[there])
        places = list(range(count))
        if node in labels and there in labels:
            at = {label: place for place, label in enumerate(labels[there])}
            moved = [at.get(names.get(label, label), -1) for label in labels[node]]
            if min(moved) < 0:
                raise refuse(tree, shown, "another outcome can follow", node)
            places = moved
        if count != other:
            raise refuse(tree, shown, "other actions follow", node)
        image[shape.children[first : first + count]] = shape.children[
            start + np.array(places, dtype=np.int64)
        ]
    wrong = fault(shape, image)
    if wrong is not None:
        raise refuse(tree, shown, *wrong)
    return image


def refuse(tree: GameTree, symmetry: str, words: str, node: int) -> ConfigError:
    """The error for a map that is no symmetry, with the history where it fails."""
    history = " > ".join(history_labels(tree.game, action_path(tree.walk.parent, node)))
    return ConfigError(
        f"{symmetry} is no symmetry of {tree.name}: {words}, at {history or 'the initial state'}",
        option="symmetry",
        given=symmetry,
        expected="a map that leaves the game as it is",
        place=history or "the initial state",
    )


def _outcome_labels(tree: GameTree) -> dict[int, tuple[str, ...]]:
    """The labels of the outcomes at each chance node, by preorder number."""
    game, infoset = tree.game, tree.walk.infoset
    by_node: dict[int, tuple[str, ...]] = {}
    stack = [game.initial_state()]
    for node in range(len(infoset)):
        state = stack.pop()
        player = game.player(state)
        if player == TERMINAL:
            continue
        labels = tuple(map(str, game.actions(state)))
        if player == CHANCE:
            assert infoset[node] == CHANCE_MARK
            by_node[node] = labels
        stack += [game.next(state, a) for a in reversed(range(len(labels)))]
    return by_node
