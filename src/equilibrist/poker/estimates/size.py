"""How large a spot is, counted without building it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import perm

import numpy as np

from equilibrist.kernels import TILE
from equilibrist.parsing.arguments import whole_number
from equilibrist.poker.betting.bet_sizes import STREETS
from equilibrist.poker.betting.street_tree import ACTION, uses
from equilibrist.poker.cards.cards import NUM_CARDS
from equilibrist.poker.cards.combos import FIRST_CARD, SECOND_CARD
from equilibrist.poker.cards.isomorphism import deals_by_street
from equilibrist.poker.estimates.memory import Beside, Room, beside, lines_of
from equilibrist.poker.estimates.runtime import EstimatedRun, estimated_run
from equilibrist.poker.solutions.stopping import DEFAULT_TARGET, read_stop
from equilibrist.poker.spots.fields import Storage
from equilibrist.poker.spots.spot import Spot
from equilibrist.solvers.sampling.executors import MOST_THREADS
from equilibrist.typing import FloatArray, Int64Array


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
        return self.learnt_bytes("float32")

    @property
    def int16_bytes(self) -> int:
        """The same in 2 bytes each, with a scale of 4 bytes per decision for either."""
        return self.learnt_bytes("int16")

    def learnt_bytes(self, storage: Storage, *, predicts: bool = False) -> int:
        """The same as stored; predictive variants keep a third number beside the two."""
        each = 2 * self.entries + 4 * self.action_nodes if storage == "int16" else 4 * self.entries
        return (3 if predicts else 2) * each


@dataclass(frozen=True)
class SpotSize:
    """The size of a spot, exact but for what is held beside regrets and strategy sums.

    Hands that a dealt card makes impossible are not counted; the others of a board are filled up.
    """

    hands: tuple[int, int]
    """Hands of each player that the first board leaves."""
    symmetries: int
    """Permutations of the suits that change nothing; 1 if there is no symmetry."""
    streets: tuple[StreetSize, ...]
    pot: int
    """The pot, of which targets are shares."""
    beside: Beside
    """What is held beside regrets and strategy sums: tables, locks, working memory."""

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

        `target` and `threads` are as in `solve`; without a target it is 0.3 % of the pot.
        `bandwidth` is the bytes per second that a copy moves on the machine, by default those of a
        short copy now. Raises ConfigError.
        """
        stop = read_stop(self.pot, DEFAULT_TARGET if target is None else target)
        threads = whole_number("threads", threads, 1, MOST_THREADS)
        share = (stop.target or 0.0) / self.pot
        return estimated_run(self.entries, share, min(threads, self.beside.parts), bandwidth)

    def memory_bytes(
        self, storage: Storage = "float32", *, predicts: bool = False, threads: int = 1
    ) -> int:
        """Bytes of all that solving takes, a little above what is allocated.

        `predicts`: by a variant that predicts, such as `pcfr+`, which keeps a third number.
        Raises ConfigError for threads that `solve` refuses.
        """
        threads = whole_number("threads", threads, 1, MOST_THREADS)
        learnt = sum(street.learnt_bytes(storage, predicts=predicts) for street in self.streets)
        return learnt + self.beside.total(threads)


def estimate(spot: Spot) -> SpotSize:
    """Count how large a spot is, before anything is allocated.

    Args:
        spot: The spot.

    Returns:
        Its boards, decisions and bytes, street by street.

    Raises:
        MemoryBudgetError: The betting alone is too large to be walked.
    """
    bettings = spot.betting.streets
    weights = [each.weights for each in spot.ranges]
    hands = [int(np.count_nonzero(held)) for held in weights]
    group = spot.symmetries
    deals = deals_by_street(spot.cards, group)
    lines = lines_of(bettings, uses(bettings), len(deals))
    room = _room(weights, deals, 52 - len(spot.cards))
    entries = (lines.rows * room.filled).sum(axis=0).tolist()
    streets = tuple(
        StreetSize(
            street=STREETS[spot.first_street + k],
            boards=len(deals[k]),
            all_boards=perm(52 - len(spot.cards), k),
            betting_nodes=nodes,
            action_nodes=len(deals[k]) * nodes,
            entries=entries[k],
        )
        for k, nodes in enumerate(lines.kinds[:, ACTION].tolist())
    )
    decisions = sum(street.action_nodes for street in streets)
    held = beside(lines, room, spot.locked_nodes, decisions)
    return SpotSize((hands[0], hands[1]), len(group), streets, spot.pot, held)


def _room(weights: list[FloatArray], deals: list[list[tuple[int, ...]]], unseen: int) -> Room:
    """Places for the hands of both players on all boards; `unseen` cards may come first."""
    live = [[_live(held, street) for street in deals] for held in weights]
    filled = [[np.maximum(-(-each // TILE), 1) * TILE for each in player] for player in live]
    boards = np.array([len(street) for street in deals])
    images = [0, *(boards[:-1] * (unseen - np.arange(len(deals) - 1))).tolist()]
    return Room(
        boards,
        np.array(images),
        np.array([[each.sum() for each in player] for player in live]),
        np.array([[each.sum() for each in player] for player in filled]),
        (int(filled[0][0][0]), int(filled[1][0][0])),
    )


def _live(weights: FloatArray, deals: list[tuple[int, ...]]) -> Int64Array:
    """int64[B]: how many of a player's hands each deal leaves."""
    held = np.flatnonzero(weights)
    cards = np.stack([FIRST_CARD[held], SECOND_CARD[held]])
    holding = np.bincount(cards.ravel(), minlength=NUM_CARDS)
    pairs = np.zeros((NUM_CARDS, NUM_CARDS), np.int64)
    pairs[cards[0], cards[1]] = pairs[cards[1], cards[0]] = 1
    taken = [
        sum(holding[card] for card in dealt) - sum(pairs[a, b] for a, b in combinations(dealt, 2))
        for dealt in deals
    ]
    return len(held) - np.array(taken, np.int64)
