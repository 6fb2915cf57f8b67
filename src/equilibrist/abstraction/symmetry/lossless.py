"""The lossless reduction of a game: infosets that its symmetries take to each other are merged.

A symmetry turns an equilibrium into an equilibrium, and the mean of realization plans over a group
of symmetries is one that plays alike at infosets of one orbit; against it no deviation does better
than its own mean over the group. So every equilibrium of the merged game is one of the full game,
with any number of players. Andrew Gilpin and Tuomas Sandholm, "Lossless abstraction of imperfect
information games", Journal of the ACM 54, 2007, merge signals of poker games in this way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from equilibrist.abstraction.abstraction import Abstraction
from equilibrist.abstraction.arguments import Arguments
from equilibrist.abstraction.source import infosets_of, keys_of_groups
from equilibrist.abstraction.symmetry.automorphism import Search, fault, infoset_images
from equilibrist.abstraction.symmetry.colours import first_colours, infoset_colours, refined
from equilibrist.abstraction.symmetry.shape import Shape
from equilibrist.formatting.brief import brief_repr
from equilibrist.parsing.arguments import whole_number
from equilibrist.tree.compile import GameTree, checked_tree
from equilibrist.typing import Int64Array

EFFORT = 50_000_000
"""Histories that the colour refinements of a search may go through."""


@dataclass(frozen=True)
class Lossless:
    """The lossless reduction of a game.

    Attributes:
        abstraction: Infosets of one orbit are merged.
        generators: int64[N] each: symmetries that generate the group, as maps of the histories in
            preorder; all were checked.
        undecided: Pairs of keys of infosets that look alike and for which neither a symmetry was
            found nor its absence shown; they are not merged.
    """

    abstraction: Abstraction
    generators: tuple[Int64Array, ...]
    undecided: tuple[tuple[str, str], ...]

    def __repr__(self) -> str:
        return brief_repr(self)


def find_lossless(tree: GameTree, *, effort: int = EFFORT) -> Lossless:
    """Find the symmetries of a game, and merge what they take to each other.

    Args:
        tree: A compiled game of perfect recall.
        effort: How many histories the colour refinements of the search may go through, a game's
            histories each.

    Returns:
        The reduction; nothing is merged without a symmetry that was checked history by history.

    Raises:
        RecallError: The game has imperfect recall.
        ConfigError: `tree` is no compiled game, or `effort` is below 1.
    """
    checked_tree(tree).sequence_form  # noqa: B018 - raises RecallError
    whole_number("effort", effort, 1)
    shape = Shape.of(tree)
    colours = refined(shape, first_colours(shape))
    search = Search(shape, colours, effort)
    orbits = Orbits(tree.num_infosets)
    symmetries: list[Int64Array] = []
    undecided: list[tuple[str, str]] = []
    for alike in _alike(infoset_colours(shape, colours)):
        heads = [alike[0]]  # one infoset of each orbit
        for infoset in alike[1:]:
            for head in heads:
                if orbits.joined(head, infoset):
                    break
                image = None if search.is_over else search.between(head, infoset)
                if image is not None:
                    symmetries.append(image)
                    orbits.join(infoset_images(shape, image))
                    break
                if search.is_over:
                    undecided.append((tree.infoset_keys[head], tree.infoset_keys[infoset]))
            else:
                heads.append(infoset)
    return Lossless(orbits.abstraction(tree), tuple(symmetries), tuple(undecided))


def lossless_of(tree: GameTree, generators: Sequence[Int64Array]) -> Lossless:
    """Merge what given symmetries take to each other, after checking them.

    Args:
        tree: A compiled game of perfect recall.
        generators: int64[N] each: maps of the histories in preorder.

    Returns:
        The reduction.

    Raises:
        RecallError: The game has imperfect recall.
        ConfigError: One of them is no symmetry (`place` says where).
    """
    from equilibrist.abstraction.symmetry.named_symmetries import refuse

    checked_tree(tree).sequence_form  # noqa: B018 - raises RecallError
    shape = Shape.of(tree)
    orbits = Orbits(tree.num_infosets)
    for image in generators:
        wrong = fault(shape, image)
        if wrong is not None:
            raise refuse(tree, "a map of histories", *wrong)
        orbits.join(infoset_images(shape, image))
    return Lossless(orbits.abstraction(tree), tuple(generators), ())


def symmetry_keys(tree: GameTree, player: int, arguments: Arguments) -> Sequence[str]:
    """`symmetry`: infosets that symmetries of the game take to each other."""
    arguments.read()
    abstraction = find_lossless(tree).abstraction
    return keys_of_groups(tree, player, abstraction.abstract_of[infosets_of(tree, player)])


class Orbits:
    """Numbers of infosets, or of histories, that maps take to each other."""

    def __init__(self, count: int) -> None:
        """Nothing is joined yet."""
        self.number = np.arange(count, dtype=np.int64)

    def join(self, images: Int64Array) -> None:
        """Join everything with its image."""
        count = len(self.number)
        ends = self.number, self.number[images]
        graph = coo_array((np.ones(count, dtype=np.bool_), ends), shape=(count, count))
        self.number = connected_components(graph, directed=False)[1][self.number].astype(np.int64)

    def joined(self, infoset: int, other: int) -> bool:
        """Whether both are in one orbit."""
        return bool(self.number[infoset] == self.number[other])

    def abstraction(self, tree: GameTree) -> Abstraction:
        """Each orbit of infosets as an abstract infoset."""
        return Abstraction(tree, self.number, name="symmetry")


def _alike(colours: np.ndarray) -> list[list[int]]:
    """Infosets with equal colours, of which there are several, each in public order."""
    groups: dict[int, list[int]] = {}
    for infoset, colour in enumerate(colours.tolist()):
        groups.setdefault(colour, []).append(infoset)
    return [group for group in groups.values() if len(group) > 1]
