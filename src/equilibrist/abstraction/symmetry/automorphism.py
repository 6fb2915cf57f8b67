"""Automorphisms: maps of histories that leave the game as it is. Each one is checked exactly."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from equilibrist.abstraction.symmetry.colours import Colours, refined
from equilibrist.abstraction.symmetry.shape import Shape
from equilibrist.typing import Int64Array

_MARK = np.uint64(0xD1B54A32D192ED03)


def fault(shape: Shape, image: Int64Array) -> tuple[str, int] | None:
    """Find what keeps a map of histories from being a symmetry; None if it is one.

    A symmetry maps the histories one to one, children to children of the image by the same action
    or an outcome as likely, ends to ends with the same payoffs, decisions to decisions of the same
    player with the same actions, and whole infosets to whole infosets.

    Args:
        shape: The game.
        image: int64[N], where each history goes.

    Returns:
        In words what is not kept, and the first history where it is not, or None.
    """
    size = len(shape.parent)
    if not np.array_equal(np.sort(image), np.arange(size)):
        return "two histories have the same image", 0
    checks = (
        ("players, actions or payoffs differ", shape.kind[image] != shape.kind),
        ("actions or probabilities differ", shape.edge[image] != shape.edge),
        ("other histories come before", image[shape.parent[1:]] != shape.parent[image[1:]]),
    )
    for words, wrong in checks:
        if wrong.any():
            return words, int(np.flatnonzero(wrong)[0]) + (size - len(wrong))
    nodes, starts = shape.by_infoset
    here, there = shape.infoset[nodes], shape.infoset[image[nodes]]
    goes_to = there[starts]  # one to one, as `image` is, if infosets stay whole
    split = there != goes_to[here]
    sizes = np.bincount(here, minlength=len(starts))
    split |= (sizes != sizes[goes_to])[here]
    if split.any():
        return "histories of one infoset go to different ones", int(nodes[np.flatnonzero(split)[0]])
    return None


def infoset_images(shape: Shape, image: Int64Array) -> Int64Array:
    """int64[I]: where a symmetry takes each infoset."""
    nodes, starts = shape.by_infoset
    images: Int64Array = shape.infoset[image[nodes[starts]]]
    return images


class _Step(NamedTuple):
    """One way to tell histories apart.

    Attributes:
        first: The colours of the first copy of the game.
        second: The colours of the second copy.
        node: A history of the first copy.
        target: The history of the second copy that it is mapped to.
    """

    first: Colours
    second: Colours
    node: int
    target: int


class Search:
    """A search for symmetries that take one infoset to another, within some effort.

    Histories are told apart one by one, in two copies of the game at once, until their colours
    leave one map, which is then checked.
    """

    def __init__(self, shape: Shape, colours: Colours, effort: int) -> None:
        """`colours` are refined; `effort` is how many histories refinements may go through."""
        self.shape = shape
        self.colours = colours
        self.effort = effort
        self._levels = _levels(shape)

    @property
    def is_over(self) -> bool:
        """Whether there is no effort left."""
        return self.effort <= 0

    def between(self, infoset: int, other: int) -> Int64Array | None:
        """A symmetry that takes one infoset to the other, int64[N]; None if none was found."""
        nodes = np.flatnonzero(self.shape.infoset == infoset)
        node = int(nodes[0])
        targets = np.flatnonzero(self.shape.infoset == other)
        alike = targets[self.colours[targets] == self.colours[node]]
        for target in alike.tolist():
            symmetry = self._symmetry_taking(self.colours, self.colours, node, target)
            if symmetry is not None or self.is_over:
                return symmetry
        return None

    def _symmetry_taking(
        self, first: Colours, second: Colours, node: int, target: int
    ) -> Int64Array | None:
        """A symmetry that fits the colours of both copies and takes `node` to `target`."""
        stack = [iter([_Step(first, second, node, target)])]
        while stack:
            step = next(stack[-1], None)
            if step is None:
                stack.pop()
                continue
            if self.is_over:
                return None
            self.effort -= 2 * len(self.shape.parent)
            pair = self._refined(*step)
            if pair is None:
                continue
            image = self._map(*pair)
            if image[node] == target and fault(self.shape, image) is None:
                return image
            stack.append(self._choices(*pair))
        return None

    def _refined(
        self, first: Colours, second: Colours, node: int, target: int
    ) -> tuple[Colours, Colours] | None:
        """Colours of both copies with one history singled out in each; None if they differ."""
        pair = []
        for colours, history in ((first, node), (second, target)):
            marked = colours.copy()
            marked[history] ^= _MARK
            pair.append(refined(self.shape, marked))
        return (pair[0], pair[1]) if np.array_equal(np.sort(pair[0]), np.sort(pair[1])) else None

    def _choices(self, first: Colours, second: Colours) -> Iterator[_Step]:
        """The ways to map the first history that still looks like another one."""
        _, inverse, counts = np.unique(first, return_inverse=True, return_counts=True)
        alike = np.flatnonzero(counts[inverse.reshape(-1)] > 1)
        if len(alike):
            node = int(alike[0])
            targets = np.flatnonzero(second == first[node]).tolist()
            # Itself first: a symmetry of one part leaves the others where they are.
            targets.sort(key=lambda target: target != node)
            for target in targets:
                yield _Step(first, second, node, target)

    def _map(self, first: Colours, second: Colours) -> Int64Array:
        """Map children by action, or in the order of their colours under chance."""
        shape = self.shape
        orders = []
        for colours in (first, second):
            key = np.where(shape.chance_child > 0, colours, shape.rank.astype(np.uint64))
            rest = shape.children
            orders.append(rest[np.lexsort((rest, key[rest], shape.parent[rest]))])
        image = np.zeros(len(shape.parent), dtype=np.int64)
        for nodes in self._levels:
            counts = shape.count[nodes]
            within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
            here = orders[0][np.repeat(shape.first[nodes], counts) + within]
            # Images with fewer children than these have other colours: the check finds them.
            places = np.repeat(shape.first[image[nodes]], counts) + within
            image[here] = orders[1][np.minimum(places, len(orders[1]) - 1)]
        return image


def _levels(shape: Shape) -> list[Int64Array]:
    """Histories with children, level by level."""
    level = np.zeros(1, dtype=np.int64)
    levels = []
    while len(level := level[shape.count[level] > 0]):
        levels.append(level)
        counts = shape.count[level]
        within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        level = shape.children[np.repeat(shape.first[level], counts) + within]
    return levels
