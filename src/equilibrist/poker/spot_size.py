"""How large a spot is, counted without building it."""

from __future__ import annotations

from dataclasses import dataclass
from math import perm

import numpy as np

from equilibrist.poker.isomorphism import boards_by_street, symmetries
from equilibrist.poker.sizes import STREETS
from equilibrist.poker.spot import Spot
from equilibrist.poker.street_betting import ACTION, street_bettings, uses


@dataclass(frozen=True)
class StreetSize:
    """The size of one street of a spot."""

    street: str
    """flop, turn or river."""
    boards: int
    """Boards that are solved: those that are suit images of each other count once."""
    all_boards: int
    """Boards that can come, in the order of dealing."""
    betting_nodes: int
    """Decisions in the betting, on one board."""
    action_nodes: int
    """Decisions on all boards that are solved."""
    entries: int
    """(decision, hand, action) triples of both players on all boards that are solved."""

    @property
    def float32_bytes(self) -> int:
        """Bytes of the regrets and the strategy sums, two numbers of 4 bytes per entry."""
        return 8 * self.entries

    @property
    def int16_bytes(self) -> int:
        """The same in 2 bytes each, with a scale of 4 bytes per decision for either."""
        return 4 * self.entries + 8 * self.action_nodes


@dataclass(frozen=True)
class SpotSize:
    """The size of a spot, exact.

    Hands that a dealt card makes impossible are counted: they keep their places, so that a player
    has the same hands at every node.
    """

    hands: tuple[int, int]
    """Hands of each player that the first board leaves."""
    symmetries: int
    """Permutations of the suits that change nothing; 1 if there is no symmetry."""
    streets: tuple[StreetSize, ...]

    @property
    def action_nodes(self) -> int:
        """Decisions on all boards that are solved."""
        return sum(street.action_nodes for street in self.streets)

    @property
    def entries(self) -> int:
        """(decision, hand, action) triples of both players."""
        return sum(street.entries for street in self.streets)

    @property
    def float32_bytes(self) -> int:
        """Bytes of the regrets and the strategy sums, two numbers of 4 bytes per entry."""
        return sum(street.float32_bytes for street in self.streets)

    @property
    def int16_bytes(self) -> int:
        """The same in 2 bytes each, with a scale of 4 bytes per decision for either."""
        return sum(street.int16_bytes for street in self.streets)


def spot_size(spot: Spot) -> SpotSize:
    """Count; raises MemoryBudgetError if the betting alone is too large to be walked."""
    bettings = street_bettings(spot.rules())
    weights = [each.weights for each in spot.ranges]
    hands = [int(np.count_nonzero(held)) for held in weights]
    group = symmetries(spot.cards, weights)
    boards = boards_by_street(spot.cards, group)
    nodes, entries = [0] * len(boards), [0] * len(boards)
    for times, betting in zip(uses(bettings), bettings, strict=True):
        place = betting.street - spot.first_street
        acting = betting.nodes.kind == ACTION
        nodes[place] += times * int(acting.sum())
        for player in (0, 1):
            theirs = acting & (betting.nodes.player == player)
            actions = int(betting.nodes.num_children[theirs].sum())
            entries[place] += times * actions * hands[player]
    unseen = 52 - len(spot.cards)
    streets = tuple(
        StreetSize(
            street=STREETS[spot.first_street + k],
            boards=boards[k],
            all_boards=perm(unseen, k),
            betting_nodes=nodes[k],
            action_nodes=boards[k] * nodes[k],
            entries=boards[k] * entries[k],
        )
        for k in range(len(boards))
    )
    return SpotSize((hands[0], hands[1]), len(group), streets)
