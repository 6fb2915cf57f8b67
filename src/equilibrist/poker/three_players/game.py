"""The betting of three players as sequences, and what its ends are worth to each seat.

A seat's actions are its sequences: row 0 is its whole range, and each action at each of its
decisions has a row. Rows of reach, strategy, regret and value are all numbered so, and a row's
decision comes after the row that leads to it. Every street has games of its own, which are the same
for all cards that may be dealt: their first rows are those of the street before that lead to them.

What the others can do to a seat enters through forms alone: sums over the pairs of opponents' hands
that are disjoint from the own hand and from each other, weighted with the opponents' reach.
FF counts all pairs, MM the share of a pot that three contest, MA and AM that of a pot that one
opponent contests while the other's hand only blocks. The worth of an own row is a sum of forms with
fixed coefficients: shares of pots at the ends of the hand, less the chips that the row puts in.
These are charged at the own decision, so an own fold is worth 0. Where all bets are in before the
last card, what needs no comparison of hands counts on the street itself, and the rest on the last.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from equilibrist.poker.betting.actions import Kind
from equilibrist.poker.hands.betting_tree import ACTION_KINDS, DEAL, DECISION, BettingTree
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
    """The game of one seat on a street: R rows, D decisions in preorder, F forms by kind.

    N of the rows, the first ones, are entered from the street before; on the first street that is
    the range, row 0. E are the terms by row.
    """

    entry: Int32Array
    """int32[N]: the rows of the game of the street before that lead here; 0 on the first street."""
    node: Int32Array
    """int32[D]: the node of the betting tree."""
    parent: Int32Array
    """int32[D]: the own row that leads to the decision."""
    first: Int32Array
    """int32[D + 1]: the row of its first action; those of the others follow, and then R. first[0]
    is N."""
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
    def num_entries(self) -> int:
        """The rows that are entered from the street before."""
        return len(self.entry)

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


SeatGames = tuple[SeatGame, SeatGame, SeatGame]
"""The games of the three seats on a street."""


def street_games(spot: ThreeSpot) -> tuple[SeatGames, ...]:
    """Lay the betting of a spot out for its three seats.

    Args:
        spot: The spot.

    Returns:
        For each street from the first on the game of each seat, whose rows the others' games of the
        street refer to.
    """
    return _Layout(spot).games()


def seat_games(spot: ThreeSpot) -> SeatGames:
    """Lay the betting of the first street out.

    Args:
        spot: The spot.

    Returns:
        The game of each seat.
    """
    return street_games(spot)[0]


class _Layout:
    """Walks the betting once and collects the games of all streets."""

    def __init__(self, spot: ThreeSpot) -> None:
        self._spot, self._betting = spot, spot.betting
        self._per_chip = spot.scale.per_chip
        self._streets = [[_Builder() for _ in range(SEATS)] for _ in spot.rules.board]

    def games(self) -> tuple[SeatGames, ...]:
        """The games of all streets."""
        for builder in self._streets[0]:
            builder.enter(0)
        self._visit(0, 0, (-1, -1, -1), _Charged((0, 0, 0), (0, 0, 0)))
        games, before = list[SeatGames](), [0, 0, 0]
        for builders in self._streets:
            entries = [builder.num_entries for builder in builders]
            first, second, third = (
                builder.built(
                    before[seat], entries[seat], tuple(entries[other] for other in OTHERS[seat])
                )
                for seat, builder in enumerate(builders)
            )
            games.append((first, second, third))
            before = entries
        return tuple(games)

    def _visit(self, node: int, street: int, rows: _Rows, charged: _Charged) -> None:
        betting, builders = self._betting, self._streets[street]
        if betting.kind[node] == DEAL:
            (child,) = betting.children(node)
            later = _Charged(charged.in_all, charged.in_all)
            self._visit(child, street + 1, self._entered(street, rows), later)
            return
        if betting.kind[node] != DECISION:
            self._end(node, street, rows, charged.in_all)
            return
        seat = int(betting.player[node])
        j, k = OTHERS[seat]
        children = betting.children(node)
        builder = builders[seat]
        first = builder.decide(node, rows[seat], (rows[j], rows[k]), len(children))
        for number, child in enumerate(children):
            added = _added(self._spot, betting, child, seat, charged)
            if added:
                builder.add(first + number, (Form.FF, rows[j], rows[k]), -added / self._per_chip)
            in_all = _with(charged.in_all, seat, charged.in_all[seat] + added)
            self._visit(
                child, street, _with(rows, seat, first + number), charged._replace(in_all=in_all)
            )

    def _end(self, node: int, street: int, rows: _Rows, charged: _Rows) -> None:
        """Count what an end is worth: where hands are compared, on the last street."""
        worth = shares(self._spot, self._betting, node, charged)
        for compared in (False, True):
            if compared and any(kind != Form.FF for parts in worth for kind, _ in parts):
                for before in range(street, len(self._streets) - 1):
                    rows = self._entered(before, rows)
                street = len(self._streets) - 1
            for seat, parts in enumerate(worth):
                j, k = OTHERS[seat]
                for kind, chips in parts:
                    if (kind != Form.FF) == compared:
                        form = (kind, rows[j], rows[k])
                        self._streets[street][seat].add(rows[seat], form, chips)

    def _entered(self, street: int, rows: _Rows) -> _Rows:
        """The rows of the next street that these lead to."""
        first, second, third = (
            builder.enter(row) for builder, row in zip(self._streets[street + 1], rows, strict=True)
        )
        return first, second, third


_Rows = tuple[int, int, int]
"""A number for each seat."""


class _Charged(NamedTuple):
    """The units that each seat was charged, by now and before the street."""

    in_all: _Rows
    before: _Rows


def _added(spot: ThreeSpot, betting: BettingTree, child: int, seat: int, charged: _Charged) -> int:
    """The units that an action puts in; stakes at ends lack what is returned."""
    kind = ACTION_KINDS[int(betting.action[child])]
    in_all = charged.in_all
    if kind in {Kind.FOLD, Kind.CHECK}:
        return 0
    if kind is Kind.CALL:
        left = spot.rules.stacks[seat] - spot.dead_money[seat] - in_all[seat]
        return min(max(in_all) - in_all[seat], left)
    return int(betting.amount[child]) - (in_all[seat] - charged.before[seat])


def _with(numbers: _Rows, seat: int, number: int) -> _Rows:
    first, second, third = (number if place == seat else own for place, own in enumerate(numbers))
    return first, second, third


class _Builder:
    """Collects the game of a seat on a street.

    How many rows are entered is known in the end only: the n-th of them is -1 - n until then, and
    rows of actions are numbered from 0.
    """

    def __init__(self) -> None:
        self._entries: dict[int, int] = {}
        self._decisions: list[tuple[int, int, int, int, int]] = []
        self._actions = 0
        self._forms: dict[tuple[int, int, int], int] = {}
        self._terms: dict[tuple[int, int], float] = {}

    @property
    def num_entries(self) -> int:
        """The rows that are entered from the street before."""
        return len(self._entries)

    def enter(self, row: int) -> int:
        """The row that a row of the street before leads to."""
        return -1 - self._entries.setdefault(row, len(self._entries))

    def decide(self, node: int, parent: int, opponents: tuple[int, int], actions: int) -> int:
        """Add a decision; returns the row of its first action."""
        first = self._actions
        self._decisions.append((node, parent, first, *opponents))
        self._actions += actions
        return first

    def add(self, row: int, form: tuple[int, int, int], chips: float) -> None:
        """Add to the worth of a row so many chips times a form: its kind, and both rows."""
        number = self._forms.setdefault(form, len(self._forms))
        self._terms[row, number] = self._terms.get((row, number), 0.0) + chips

    def built(self, before: int, entries: int, others: Sequence[int]) -> SeatGame:
        """The game, with its forms by kind and its terms by row.

        Args:
            before: The rows that the seat enters on the street before.
            entries: Those on this street.
            others: Those that opponents j and k enter.
        """
        counts = (entries, *others)
        num_rows = entries + self._actions
        forms = np.array([*self._forms], np.int32).reshape(-1, 3)
        for column in (1, 2):
            forms[:, column] = _numbered(forms[:, column], counts[column])
        order = np.lexsort((forms[:, 2], forms[:, 1], forms[:, 0]))
        place = np.empty(len(order), np.int32)
        place[order] = np.arange(len(order), dtype=np.int32)
        terms = sorted(
            (-1 - row if row < 0 else entries + row, int(place[form]), chips)
            for (row, form), chips in self._terms.items()
            if chips
        )
        decisions = np.array(self._decisions, np.int32).reshape(-1, 5)
        ends = np.bincount(np.array([row for row, _, _ in terms], np.int64), minlength=num_rows)
        opponents = [_numbered(decisions[:, 3 + n], counts[1 + n]) for n in range(2)]
        return SeatGame(
            entry=_numbered(np.array([*self._entries], np.int32), before),
            node=decisions[:, 0].copy(),
            parent=_numbered(decisions[:, 1], entries),
            first=np.append(entries + decisions[:, 2], num_rows).astype(np.int32),
            opponents=np.stack(opponents, axis=1),
            kind=forms[order, 0].copy(),
            rows=forms[order, 1:].copy(),
            start=np.append(0, np.cumsum(ends)).astype(np.int32),
            form=np.array([form for _, form, _ in terms], np.int32),
            coefficient=np.array([chips for _, _, chips in terms]),
        )


def _numbered(rows: Int32Array, entries: int) -> Int32Array:
    """The rows as they are numbered in the end."""
    return np.where(rows < 0, -1 - rows, entries + rows).astype(np.int32)
