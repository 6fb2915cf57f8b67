"""Colour refinement: numbers that are equal wherever a symmetry could map one to the other.

Histories start with what is at them, and are told apart by their children, their parent and their
infoset, round by round, until nothing new is told apart. Colours are hashes of 64 bits, so that
those of two refinements can be compared; what they suggest is proven separately, since histories
of one colour need not be symmetric (and hashes could collide).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from equilibrist.abstraction.symmetry.shape import Shape
from equilibrist.typing import Int64Array

Colours = NDArray[np.uint64]


def first_colours(shape: Shape, groups: Int64Array | None = None) -> Colours:
    """The colours before refinement; with `groups` (int64[I]) infosets of a group look alike."""
    colours = _mixed(shape.kind.astype(np.uint64))
    if groups is not None:
        inner = shape.infoset >= 0
        group_colours = _mixed(groups[shape.infoset[inner]].astype(np.uint64) + np.uint64(1 << 40))
        colours[inner] = _mixed(colours[inner] ^ group_colours)
    return colours


def refined(shape: Shape, colours: Colours) -> Colours:
    """Refine until the number of colours stays; the colours of all histories, uint64[N]."""
    edge = _mixed((shape.edge + (shape.chance_child << 40)).astype(np.uint64) + np.uint64(7))
    parents = np.flatnonzero(shape.count > 0)
    nodes, starts = shape.by_infoset
    inner = shape.infoset[nodes]
    known = len(np.unique(colours))
    # Sums of mixed colours do not depend on an order; different odd factors and summands keep apart
    # what comes from children, parents and infosets.
    while True:
        new = colours.copy()
        if len(shape.children):
            seen = _mixed(colours ^ edge)[shape.children]
            new[parents] += _mixed(np.add.reduceat(seen, shape.starts)) * np.uint64(3)
            above = _mixed(colours[shape.parent[1:]] + np.uint64(11)) ^ edge[1:]
            new[1:] += _mixed(above) * np.uint64(5)
        if len(nodes):
            group = _mixed(np.add.reduceat(_mixed(colours[nodes] + np.uint64(13)), starts))
            new[nodes] += group[inner] * np.uint64(7)
        new = _mixed(new)
        count = len(np.unique(new))
        if count == known:
            return new
        known, colours = count, new


def infoset_colours(shape: Shape, colours: Colours) -> Colours:
    """One colour per infoset, uint64[I], of refined colours of histories."""
    nodes, starts = shape.by_infoset
    if not len(nodes):
        return np.zeros(0, dtype=np.uint64)
    return np.add.reduceat(_mixed(colours[nodes]), starts)


def _mixed(values: Colours) -> Colours:
    """The output function of SplitMix64, value by value."""
    out = values + np.uint64(0x9E3779B97F4A7C15)
    out = (out ^ (out >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    out = (out ^ (out >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return out ^ (out >> np.uint64(31))
