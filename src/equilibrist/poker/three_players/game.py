"""The betting of three players as sequences, and what its ends are worth to each seat.

A seat's actions are its sequences: row 0 is its whole range, and each action at each of its
decisions has a row. Rows of reach, strategy, regret and value are all numbered so, and a row's
decision comes after the row that leads to it.

What the others can do to a seat enters through forms alone: sums over the pairs of opponents' hands
that are disjoint from the own hand and from each other, weighted with the opponents' reach.
FF counts all pairs, MM the share of a pot that three contest, MA and AM that of a pot that one
opponent contests while the other's hand only blocks. The worth of an own row is a sum of forms with
fixed coefficients: shares of pots at the ends of the hand, less the chips that the row puts in.
These are charged at the own decision, so an own fold is worth 0.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from equilibrist.poker.betting.actions import Kind
from equilibrist.poker.hands.betting_tree import ACTION_KINDS, DECISION, BettingTree
from equilibrist.poker.three_players.forms import SEATS, Form
from equilibrist.poker.three_players.spot import ThreeSpot
from equilibrist.typing import FloatArray, Int32Array

OTHERS: Final = ((1, 2), (0, 2), (0, 1))
"""By seat both opponents, j and k."""
_FORMS: Final = {
    (True, True): Form.MM,
    (True, False): Form.MA,
    (False, True): Form.AM,
    (False, False): Form.FF,
}
"""By whether j and k contest a pot, what it is worth."""


class SeatGame(NamedTuple):
    """The game of one seat: R rows, D decisions in preorder, F forms by kind, E terms by row."""

    node: Int32Array
    """int32[D]: the node of the betting tree."""
    parent: Int32Array
    """int32[D]: the own row that leads to the decision."""
    first: Int32Array
    """int32[D + 1]: the row of its first action; those of the others follow, and then R."""
    opponents: Int32Array
    """int32[D, 2]: the rows of opponents j and k there."""
    kind: Int32Array
    """int32[F]: FF, MA, AM or MM, ascending."""
    rows: Int32Array
    """int32[F, 2]: the rows of opponents j and k."""
    start: Int32Array
    """int32[R + 1]: where the terms of each row begin; those of the last row end at E."""
    form: Int32Array
    """int32[E]: the form of each term."""
    coefficient: FloatArray
    """float64[E]: what the form is multiplied by, in chips."""

    @property
    def num_rows(self) -> int:
        """The rows."""
        return len(self.start) - 1

    @property
    def num_decisions(self) -> int:
        """The decisions."""
        return len(self.node)


class Share(NamedTuple):
    """A part of what the end of a hand is worth to a seat."""

    kind: int
    """FF, MA, AM or MM."""
    chips: float


def shares(
    spot: ThreeSpot, betting: BettingTree, node: int, charged: tuple[int, int, int]
) -> list[list[Share]]:
    """What an end of the hand is worth to each seat.

    Every level of stakes makes a layer of the pot that the live seats with such stakes contest; the
    dead money is in the first. An opponent who has not put in a layer only blocks in it. Each layer
    is raked alike.

    Args:
        spot: The spot.
        betting: Its betting.
        node: A terminal node.
        charged: What each seat was charged on the way, in units; what was not called comes back.

    Returns:
        By seat, the parts of different kinds, in chips; none for a seat that has folded.
    """
    stakes = betting.stake[node].tolist()
    dead = spot.dead_money
    paid = [stake - share for stake, share in zip(stakes, dead, strict=True)]
    live = [seat for seat in range(SEATS) if int(betting.live[node]) >> seat & 1]
    pot = sum(stakes)
    kept = 1.0 - spot.rake_of(pot) / pot
    worth: list[dict[int, float]] = [{} for _ in range(SEATS)]
    below, loose = 0, sum(dead)
    for level in sorted({paid[seat] for seat in live}):
        layer = loose + sum(min(chips, level) - min(chips, below) for chips in paid)
        below, loose = level, 0
        for seat in live:
            if paid[seat] >= level:
                j, k = (other in live and paid[other] >= level for other in OTHERS[seat])
                kind = _FORMS[j, k]
                worth[seat][kind] = worth[seat].get(kind, 0.0) + layer * kept
    for seat in live:
        if returned := charged[seat] - paid[seat]:
            worth[seat][Form.FF] = worth[seat].get(Form.FF, 0.0) + returned
    per_chip = spot.scale.per_chip
    return [
        [Share(kind, units / per_chip) for kind, units in sorted(parts.items()) if units]
        for parts in worth
    ]


def seat_games(spot: ThreeSpot) -> tuple[SeatGame, SeatGame, SeatGame]:
    """Lay the betting of a spot out for its three seats.

    Args:
        spot: The spot.

    Returns:
        The game of each seat, whose rows the others' games refer to.
    """
    betting = spot.betting
    builders = [_Builder() for _ in range(SEATS)]
    per_chip = spot.scale.per_chip

    def visit(node: int, rows: tuple[int, int, int], charged: tuple[int, int, int]) -> None:
        if betting.kind[node] != DECISION:
            for seat, parts in enumerate(shares(spot, betting, node, charged)):
                for kind, chips in parts:
                    j, k = OTHERS[seat]
                    builders[seat].add(rows[seat], (kind, rows[j], rows[k]), chips)
            return
        seat = int(betting.player[node])
        j, k = OTHERS[seat]
        children = betting.children(node)
        builder = builders[seat]
        first = builder.decide(node, rows[seat], (rows[j], rows[k]), len(children))
        for number, child in enumerate(children):
            added = _added(spot, betting, child, seat, charged)
            if added:
                builder.add(first + number, (Form.FF, rows[j], rows[k]), -added / per_chip)
            visit(
                child,
                _with(rows, seat, first + number),
                _with(charged, seat, charged[seat] + added),
            )

    visit(0, (0, 0, 0), (0, 0, 0))
    first, second, third = (builder.built() for builder in builders)
    return first, second, third


def _added(
    spot: ThreeSpot, betting: BettingTree, child: int, seat: int, charged: tuple[int, int, int]
) -> int:
    """The units that an action puts in; stakes at ends lack what is returned."""
    kind = ACTION_KINDS[int(betting.action[child])]
    if kind in {Kind.FOLD, Kind.CHECK}:
        return 0
    if kind is Kind.CALL:
        left = spot.rules.stacks[seat] - spot.dead_money[seat] - charged[seat]
        return min(max(charged) - charged[seat], left)
    return int(betting.amount[child]) - charged[seat]


def _with(numbers: tuple[int, int, int], seat: int, number: int) -> tuple[int, int, int]:
    first, second, third = (number if place == seat else own for place, own in enumerate(numbers))
    return first, second, third


class _Builder:
    """Collects the game of a seat."""

    def __init__(self) -> None:
        self._decisions: list[tuple[int, int, int, int, int]] = []
        self._rows = 1
        self._forms: dict[tuple[int, int, int], int] = {}
        self._terms: dict[tuple[int, int], float] = {}

    def decide(self, node: int, parent: int, opponents: tuple[int, int], actions: int) -> int:
        """Add a decision; returns the row of its first action."""
        first = self._rows
        self._decisions.append((node, parent, first, *opponents))
        self._rows += actions
        return first

    def add(self, row: int, form: tuple[int, int, int], chips: float) -> None:
        """Add to the worth of a row so many chips times a form: its kind, and both rows."""
        number = self._forms.setdefault(form, len(self._forms))
        self._terms[row, number] = self._terms.get((row, number), 0.0) + chips

    def built(self) -> SeatGame:
        """The game, with its forms by kind and its terms by row."""
        forms = np.array([*self._forms], np.int32).reshape(-1, 3)
        order = np.lexsort((forms[:, 2], forms[:, 1], forms[:, 0]))
        place = np.empty(len(order), np.int32)
        place[order] = np.arange(len(order), dtype=np.int32)
        terms = sorted((row, int(place[form]), chips) for (row, form), chips in self._terms.items())
        terms = [term for term in terms if term[2]]
        decisions = np.array(self._decisions, np.int32).reshape(-1, 5)
        counts = np.bincount([row for row, _, _ in terms], minlength=self._rows)
        return SeatGame(
            node=decisions[:, 0].copy(),
            parent=decisions[:, 1].copy(),
            first=np.append(decisions[:, 2], self._rows).astype(np.int32),
            opponents=decisions[:, 3:].copy(),
            kind=forms[order, 0].copy(),
            rows=forms[order, 1:].copy(),
            start=np.append(0, np.cumsum(counts)).astype(np.int32),
            form=np.array([form for _, form, _ in terms], np.int32),
            coefficient=np.array([chips for _, _, chips in terms]),
        )
