"""A bound on the loss by merging, from symmetries that payoffs alone break.

Let the merged infosets be the orbits of a group of maps that keep everything of the game but its
payoffs. Replace each payoff u_i(z) by the middle of the payoffs on the orbit of z: this game is
symmetric, so that merging loses nothing in it. If |E u_i - E middle_i| <= D_i for every profile,
then player i gains at most 2 D_i in the full game by leaving an equilibrium of the merged one: D_i
for the value of the deviation, and D_i for what it is compared with. D_i is computed as the mean
over chance of the largest |u_i - middle_i| that play can lead to.

Marc Lanctot, Richard Gibson, Neil Burch, Martin Zinkevich and Michael Bowling, "No-regret learning
in extensive-form games with imperfect recall", ICML 2012, bound the regret of CFR in a similar way,
from maps of the leaves below merged infosets. Here the maps are of the whole game, and the bound is
one on equilibria.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from equilibrist.abstraction.abstraction import Abstraction
from equilibrist.abstraction.symmetry.automorphism import Search, infoset_images
from equilibrist.abstraction.symmetry.colours import first_colours, infoset_colours, refined
from equilibrist.abstraction.symmetry.lossless import EFFORT, Orbits
from equilibrist.abstraction.symmetry.shape import Shape
from equilibrist.tree.levels import Levels
from equilibrist.tree.walk.histories import CHANCE_MARK, TERMINAL_MARK
from equilibrist.typing import FloatArray, Int64Array


@dataclass(frozen=True)
class SymmetryBound:
    """How much the payoffs of a game differ from those of one in which merging loses nothing.

    Attributes:
        differences: float per player, D_i: by so much at most the value of any profile differs.
        gains: 2 D_i: what player i can gain at most in the full game against an equilibrium of the
            merged one.
        exploitability: The mean of the gains of two players; None with more.
    """

    differences: tuple[float, ...]

    @property
    def gains(self) -> tuple[float, ...]:
        """What each player can gain at most."""
        return tuple(2 * difference for difference in self.differences)

    @property
    def exploitability(self) -> float | None:
        """A bound on the exploitability of every equilibrium of the merged game."""
        return sum(self.gains) / 2 if len(self.differences) == 2 else None


def symmetry_bound(abstraction: Abstraction, *, effort: int = EFFORT) -> SymmetryBound | None:
    """Bound the loss by merging, where the merged infosets differ in payoffs only.

    Args:
        abstraction: An abstraction of a game of perfect recall.
        effort: How many histories the search for the maps may go through.

    Returns:
        The bound; None if there are no such maps, or none were found.

    Raises:
        RecallError: The game has imperfect recall.
    """
    tree = abstraction.tree
    tree.sequence_form  # noqa: B018 - raises RecallError
    shape = Shape.of(tree, payoffs=False)
    colours = refined(shape, first_colours(shape, abstraction.abstract_of))
    search = Search(shape, colours, effort)
    infosets, histories = Orbits(tree.num_infosets), Orbits(tree.num_nodes)
    alike = infoset_colours(shape, colours)
    for k in range(abstraction.num_infosets):
        first, *rest = abstraction.members(k).tolist()
        for other in rest:
            if infosets.joined(first, other):
                continue
            image = search.between(first, other) if alike[first] == alike[other] else None
            if image is None:
                return None
            infosets.join(infoset_images(shape, image))
            histories.join(image)
    return SymmetryBound(_differences(abstraction, histories.number))


def _differences(abstraction: Abstraction, orbit: Int64Array) -> tuple[float, ...]:
    """D_i of each player, where `orbit` numbers the orbits of histories in preorder."""
    tree = abstraction.tree
    levels = Levels.of(tree)
    end = np.flatnonzero(tree.walk.infoset == TERMINAL_MARK)
    _, place = np.unique(orbit[end], return_inverse=True)
    differences = []
    for payoff in tree.walk.payoff.T:
        low, high = np.full(len(end), np.inf), np.full(len(end), -np.inf)
        np.minimum.at(low, place, payoff)
        np.maximum.at(high, place, payoff)
        apart = np.zeros(tree.num_nodes)
        apart[end] = np.abs(payoff - (low[place] + high[place]) / 2)
        differences.append(_largest_mean(levels, apart[levels.node]))
    return tuple(differences)


def _largest_mean(levels: Levels, value: FloatArray) -> float:
    """The value of the root, from the leaves up: the mean at chance, the largest at decisions.

    `value` is float64[N], of all histories, and is overwritten.
    """
    chance = levels.infoset == CHANCE_MARK
    for low, high in reversed(levels.ranges):
        parents, starts = np.unique(levels.parent[low:high], return_index=True)
        mean = np.add.reduceat(levels.chance[low:high] * value[low:high], starts)
        most = np.maximum.reduceat(value[low:high], starts)
        value[parents] = np.where(chance[parents], mean, most)
    return float(value[0])
