"""How large a spot is, counted without building it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import perm

import numpy as np

from equilibrist.arguments import whole_number
from equilibrist.kernels import TILE
from equilibrist.poker.cards import NUM_CARDS
from equilibrist.poker.combos import FIRST_CARD, SECOND_CARD
from equilibrist.poker.isomorphism import deals_by_street
from equilibrist.poker.sizes import STREETS
from equilibrist.poker.solving import DEFAULT_TARGET, read_stop
from equilibrist.poker.spot import Spot
from equilibrist.poker.spot_time import EstimatedRun, estimated_run
from equilibrist.poker.street_betting import ACTION, street_bettings, uses
from equilibrist.solvers.executors import MOST_THREADS
from equilibrist.typing import FloatArray


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

    Hands that a dealt card makes impossible are not counted on its boards; the rest of a player's
    hands on a board is filled up to a multiple of sixteen.
    """

    hands: tuple[int, int]
    """Hands of each player that the first board leaves."""
    symmetries: int
    """Permutations of the suits that change nothing; 1 if there is no symmetry."""
    streets: tuple[StreetSize, ...]
    pot: int
    """The pot, of which targets are shares."""

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

    def estimate_run(
        self,
        target: str | float | None = None,
        *,
        threads: int = 1,
        bandwidth: float | None = None,
    ) -> EstimatedRun:
        """How long solving to a target is expected to take, in either storage: a rough figure.

        `target` and `threads` are as in `Spot.solve`; without a target it is 0.3 % of the pot.
        `bandwidth` is the bytes per second that a copy moves on the machine, by default those of a
        short copy now. Raises ConfigError.
        """
        stop = read_stop(self.pot, DEFAULT_TARGET if target is None else target)
        whole_number("threads", threads, 1, MOST_THREADS)
        boards = self.streets[min(1, len(self.streets) - 1)].boards
        share = (stop.target or 0.0) / self.pot
        return estimated_run(self.entries, share, min(threads, boards), bandwidth)


def spot_size(spot: Spot) -> SpotSize:
    """Count; raises MemoryBudgetError if the betting alone is too large to be walked."""
    bettings = street_bettings(spot.rules())
    weights = [each.weights for each in spot.ranges]
    hands = [int(np.count_nonzero(held)) for held in weights]
    group = spot.symmetries
    deals = deals_by_street(spot.cards, group)
    room = [[_room(held, street) for held in weights] for street in deals]
    boards = [len(street) for street in deals]
    nodes, entries = [0] * len(boards), [0] * len(boards)
    for times, betting in zip(uses(bettings), bettings, strict=True):
        place = betting.street - spot.first_street
        acting = betting.nodes.kind == ACTION
        nodes[place] += times * int(acting.sum())
        for player in (0, 1):
            theirs = acting & (betting.nodes.player == player)
            actions = int(betting.nodes.num_children[theirs].sum())
            entries[place] += times * actions * room[place][player]
    unseen = 52 - len(spot.cards)
    streets = tuple(
        StreetSize(
            street=STREETS[spot.first_street + k],
            boards=boards[k],
            all_boards=perm(unseen, k),
            betting_nodes=nodes[k],
            action_nodes=boards[k] * nodes[k],
            entries=entries[k],
        )
        for k in range(len(boards))
    )
    return SpotSize((hands[0], hands[1]), len(group), streets, spot.pot)


def _room(weights: FloatArray, deals: list[tuple[int, ...]]) -> int:
    """Places for a player's hands on all boards of a street, filled up to multiples of TILE."""
    held = np.flatnonzero(weights)
    cards = np.stack([FIRST_CARD[held], SECOND_CARD[held]])
    holding = np.bincount(cards.ravel(), minlength=NUM_CARDS)
    pairs = np.zeros((NUM_CARDS, NUM_CARDS), np.int64)
    pairs[cards[0], cards[1]] = pairs[cards[1], cards[0]] = 1
    room = 0
    for dealt in deals:
        twice = sum(pairs[a, b] for a, b in combinations(dealt, 2))
        live = len(held) - sum(holding[card] for card in dealt) + twice
        room += max(-(-int(live) // TILE), 1) * TILE
    return room
