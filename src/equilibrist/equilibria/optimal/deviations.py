"""Deviations from recommendations, as rows of a linear programme.

Unknown are the probabilities of *cells*: that a mediator recommends one sequence of each player. A
player who deviates does so at a trigger, which is known to them by their own part of a cell; what
the others were told is theirs. For each trigger the best deviation is found bottom-up: V_J is at
least what each action at J pays, with the V of the infosets that follow; and V where the deviation
begins is at most what obeying pays.

Bernhard von Stengel and Françoise Forges, Extensive-form correlated equilibrium (Mathematics of
Operations Research 33, 2008); Gabriele Farina, Tommaso Bianchi and Tuomas Sandholm, Coarse
correlation in extensive-form games (AAAI 2020).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from equilibrist.errors import UnsupportedError
from equilibrist.evaluation.plans import ReducedPlans
from equilibrist.evaluation.sequences import Sequences
from equilibrist.tree.payoff_scale import ENORMOUS, payoff_spreads
from equilibrist.typing import BoolArray, FloatArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MOST_ENTRIES = 3_000_000
"""The most pairs of a deviation and a terminal history that it can lead to."""
Cell = tuple[int, ...]
"""For each player an own sequence (public flat index, -1 the empty one), or Q + k for plan k."""


class Deviation(NamedTuple):
    """A trigger of one player.

    Attributes:
        player: The player.
        recommended: What they have been recommended: a sequence, or Q + k for plan k.
        first: The infosets at which the deviation begins.
        obeyed: The terminal histories that count where they obey, and the player's part of the
            cell of each: their own sequence there, or `recommended`.
    """

    player: int
    recommended: int
    first: list[int]
    obeyed: list[tuple[int, int]]


@dataclass
class Rows:
    """Rows "sum of coefficient * unknown <= 0", as lists of their entries.

    `player` is whose payoffs the coefficients of an entry's row are.
    """

    row: list[int] = field(default_factory=list)
    column: list[int] = field(default_factory=list)
    value: list[float] = field(default_factory=list)
    player: list[int] = field(default_factory=list)
    count: int = 0

    def add(self, entries: dict[int, float], player: int) -> None:
        """Add a row about the payoffs of a player: its coefficients by column."""
        self.row += [self.count] * len(entries)
        self.player += [player] * len(entries)
        self.column += entries
        self.value += entries.values()
        self.count += 1

    def matrix(self, width: int) -> csr_array:
        """The rows as a sparse matrix, [count, width]."""
        from scipy.sparse import csr_array

        return csr_array((self.value, (self.row, self.column)), shape=(self.count, width))


class Deviations:
    """The deviations of all players, and the cells that they and the payoffs are about.

    `rows` are the constraints on C cells and `values` V: column -1 - v stands for the v-th V.
    `payoffs` are float64[P, C], what each cell adds to the players' expected payoffs.
    """

    def __init__(self, sequences: Sequences, concept: str, plans: list[ReducedPlans]) -> None:
        """Collect rows and payoffs; `plans` are needed for correlated equilibrium (`ce`) only."""
        self.sequences, self.concept, self.plans = sequences, concept, plans
        self.cells: dict[Cell, int] = {}
        self.leaf: list[Cell] = [tuple(row) for row in sequences.leaf_sequence.tolist()]
        self.paid = (sequences.leaf_chance[:, None] * sequences.centred).tolist()
        offset = sequences.tree.action_offset.tolist()
        self.actions = [range(low, high) for low, high in zip(offset, offset[1:], strict=False)]
        self._refuse_large()
        self.rows, self.values = self._collect()
        self.payoffs = self._payoffs()

    def _refuse_large(self) -> None:
        """UnsupportedError where collecting the rows would take minutes and gigabytes."""
        tree = self.sequences.tree
        entries = 0
        for player in range(tree.num_players):
            infosets = self.sequences.infosets(player)
            leaves = [len(self._leaves(self.from_infoset(i))) for i in infosets]
            first = sum(n for n, i in zip(leaves, infosets, strict=True) if self._is_first(i))
            entries += {
                "ce": len(self.plans[player]) * first if self.plans else 0,
                "efce": sum(
                    n * len(self.actions[i]) for n, i in zip(leaves, infosets, strict=True)
                ),
                "efcce": sum(leaves),
                "nfcce": first,
            }[self.concept]
        if entries > MOST_ENTRIES:
            raise UnsupportedError(
                f"the linear programme for {self.concept} on {tree.name} has at least {entries:,} "
                f"entries; up to {MOST_ENTRIES:,} are solved",
                option="entries",
                given=entries,
                expected=MOST_ENTRIES,
                remedy="take a smaller variant of the game, or a coarser concept",
            )

    @cached_property
    def sensible(self) -> list[list[int]]:
        """The actions of each infoset that a deviation may be best with.

        One is left out if another one guarantees more than it can pay by far, as what forbids an
        action has it: its row holds whatever the others are told, and the penalty in it would
        hide ordinary payoffs from a solver's tolerances.
        """
        most, least = self._bounds
        spread = payoff_spreads(self.sequences.tree.walk.possible_payoffs())
        owner = self.sequences.tree.infoset_player
        kept = []
        for infoset, actions in enumerate(self.actions):
            safe = max(least[a] for a in actions) - ENORMOUS * float(spread[owner[infoset]])
            kept.append([a for a in actions if most[a] >= safe] or list(actions))
        return kept

    def never_met(self) -> BoolArray:
        """Which cells no equilibrium of the concept has: bool[C].

        A player who is told an action that is not `sensible` knows it before they take it, unless
        the concept lets them decide beforehand whether to follow.
        """
        met_never = np.zeros(len(self.cells), dtype=np.bool_)
        if self.concept not in ("ce", "efce"):
            return met_never
        sequences = self.sequences
        forbidden = np.zeros(int(sequences.tree.action_offset[-1]) + 1, dtype=np.bool_)
        for above, actions, sensible in zip(
            sequences.above.tolist(), self.actions, self.sensible, strict=True
        ):
            for a in actions:
                forbidden[a] = forbidden[above] or a not in sensible
        ends = forbidden[sequences.leaf_sequence].any(axis=1) & (sequences.leaf_chance > 0.0)
        for z in np.flatnonzero(ends).tolist():
            met_never[self.cells[self.leaf[z]]] = True
        return met_never

    @property
    def _bounds(self) -> tuple[list[float], list[float]]:
        """The most that a player can get after each own sequence, and what they can guarantee.

        Infinities where chance lets nobody get there.
        """
        sequences = self.sequences
        owner = sequences.tree.infoset_player
        width = int(sequences.tree.action_offset[-1])
        most, least = [-np.inf] * width, [np.inf] * width
        possible = (sequences.leaf_chance > 0.0).tolist()
        for infoset in reversed(range(sequences.tree.num_infosets)):
            player = int(owner[infoset])
            for a in self.actions[infoset]:
                for z in self.leaves_after.get(a, ()):
                    if possible[z]:
                        paid = float(sequences.centred[z, player])
                        most[a], least[a] = max(most[a], paid), min(least[a], paid)
                for below in sequences.below.get(a, ()):
                    most[a] = max(most[a], *(most[b] for b in self.actions[below]))
                    least[a] = min(least[a], max(least[b] for b in self.actions[below]))
        return most, least

    def _is_first(self, infoset: int) -> bool:
        return bool(self.sequences.above[infoset] < 0)

    @cached_property
    def leaves_after(self) -> dict[int, list[int]]:
        """The terminal histories by their last own sequence, of whichever player."""
        by_sequence: dict[int, list[int]] = {}
        for z, row in enumerate(self.leaf):
            for sequence in row:
                if sequence >= 0:
                    by_sequence.setdefault(sequence, []).append(z)
        return by_sequence

    def from_infoset(self, infoset: int) -> list[int]:
        """The sequences that begin at an infoset, and all own sequences below them."""
        sequences, waiting = [], [infoset]
        while waiting:
            for sequence in self.actions[waiting.pop()]:
                sequences.append(sequence)
                waiting += self.sequences.below.get(sequence, ())
        return sequences

    def from_sequence(self, sequence: int) -> list[int]:
        """A sequence and all own sequences below it."""
        below = self.sequences.below.get(sequence, ())
        return [sequence, *(s for infoset in below for s in self.from_infoset(infoset))]

    def _leaves(self, sequences: list[int]) -> list[int]:
        return [z for s in sequences for z in self.leaves_after.get(s, ())]

    def triggers(self) -> Iterator[Deviation]:
        """The triggers of the concept, player by player."""
        for player in range(self.sequences.tree.num_players):
            infosets = self.sequences.infosets(player)
            if self.concept == "efce":
                for infoset in infosets:
                    for a in self.actions[infoset]:
                        leaves = self._leaves(self.from_sequence(a))
                        yield Deviation(player, a, [infoset], self._own(player, leaves))
            elif self.concept == "efcce":
                for infoset in infosets:
                    recommended = int(self.sequences.above[infoset])
                    leaves = self._leaves(self.from_infoset(infoset))
                    yield Deviation(player, recommended, [infoset], self._own(player, leaves))
            elif len(infosets):
                yield from self._before_play(player)

    def _own(self, player: int, leaves: list[int]) -> list[tuple[int, int]]:
        return [(z, self.leaf[z][player]) for z in leaves]

    def _before_play(self, player: int) -> Iterator[Deviation]:
        roots = self.sequences.roots(player)
        leaves = [z for z, row in enumerate(self.leaf) if row[player] >= 0]
        if self.concept == "nfcce":
            yield Deviation(player, -1, roots, self._own(player, leaves))
            return
        plans = self.plans[player]
        plays = plans.reaching(self.sequences.leaf_sequence[leaves, player])
        beyond = int(self.sequences.tree.action_offset[-1])
        for k, row in enumerate(plays):
            recommended = beyond + k
            reached = [(leaves[j], recommended) for j in np.flatnonzero(row).tolist()]
            yield Deviation(player, recommended, roots, reached)

    def cell(self, leaf: int, player: int, recommended: int) -> int:
        """Number the cell of a leaf where `player` is `recommended` this, others the way there."""
        row = self.leaf[leaf]
        key = (*row[:player], recommended, *row[player + 1 :])
        return self.cells.setdefault(key, len(self.cells))

    def _collect(self) -> tuple[Rows, int]:
        rows, count = Rows(), 0
        for trigger in self.triggers():
            value = {}
            waiting = list(trigger.first)
            scope = []
            while waiting:
                infoset = waiting.pop()
                scope.append(infoset)
                value[infoset] = count
                count += 1
                for s in self.sensible[infoset]:
                    waiting += self.sequences.below.get(s, ())
            for infoset in scope:
                for s in self.sensible[infoset]:
                    entries = {-1 - value[infoset]: -1.0}
                    for z in self.leaves_after.get(s, ()):
                        column = self.cell(z, trigger.player, trigger.recommended)
                        entries[column] = entries.get(column, 0.0) + self.paid[z][trigger.player]
                    for below in self.sequences.below.get(s, ()):
                        entries[-1 - value[below]] = 1.0
                    rows.add(entries, trigger.player)
            entries = {-1 - value[infoset]: 1.0 for infoset in trigger.first}
            for z, recommended in trigger.obeyed:
                column = self.cell(z, trigger.player, recommended)
                entries[column] = entries.get(column, 0.0) - self.paid[z][trigger.player]
            rows.add(entries, trigger.player)
        return rows, count

    def _payoffs(self) -> FloatArray:
        players = self.sequences.tree.num_players
        columns = [self.cell(z, 0, row[0]) for z, row in enumerate(self.leaf)]
        payoffs = np.zeros((players, len(self.cells)))
        for z, column in enumerate(columns):
            payoffs[:, column] += self.paid[z]
        return payoffs
