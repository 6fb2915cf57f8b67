"""The best joint pure plan of players who agree on it beforehand and cannot talk during play.

A mixed-integer programme (von Stengel and Koller, Team-maxmin equilibria, Games and Economic
Behavior 21, 1997, for the problem; Celli and Gatti, Computational results for extensive-form
adversarial team games, AAAI 2018, for the programme): binary sequence plans of all members but the
last, and one unknown w per combination of their sequences that a terminal history needs, with
w <= x_m for each member m and w >= sum of x_m - (members - 1). The last member's plan need not be
declared binary: once the others' plans are pure, w is linear in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from equilibrist.errors import EquilibristError, UnsupportedError
from equilibrist.evaluation.sequences import Sequences
from equilibrist.solvers.matrix.highs import minimise_mixed
from equilibrist.tree.payoff_scale import ENORMOUS
from equilibrist.typing import BoolArray, FloatArray, Int64Array

if TYPE_CHECKING:
    from scipy.sparse import csr_array

LARGEST = 20_000
"""The most combinations of the members' sequences at terminal histories."""
_SCALE = 1e3
"""The largest coefficient of an objective: HiGHS stops within 1e-6 of the optimum."""
_STARTS = 8
"""Joint plans from which local search looks for what is at stake."""


class Constraints(NamedTuple):
    """The constraints low <= matrix @ x <= high of a programme of Z unknowns.

    Attributes:
        matrix: float64[rows, Z], sparse.
        low: float64[rows].
        high: float64[rows].
    """

    matrix: csr_array
    low: FloatArray
    high: FloatArray


@dataclass(frozen=True, eq=False)
class JointPlan:
    """What a coalition plays.

    Attributes:
        value: What it is worth.
        bound: No joint plan is worth more; above `value` by rounding at most, where it is proven,
            and infinite where nothing is.
        plays: bool[Q], by public flat index: the sequences of the members that are played.
    """

    value: float
    bound: float
    plays: BoolArray


class Coalition:
    """Two or more players, or one, who agree on a joint plan beforehand.

    Args:
        sequences: The game's sequences.
        members: The players, in any order.
        removed: Sequences that may not be played, as public flat indices.
        leaves: int64[L], the terminal histories that count, as the tree orders them; all of them
            unless given.

    Raises:
        UnsupportedError: More than 20,000 combinations of the members' sequences.
    """

    def __init__(
        self,
        sequences: Sequences,
        members: tuple[int, ...],
        *,
        removed: frozenset[int] = frozenset(),
        leaves: Int64Array | None = None,
    ) -> None:
        own = {m: sequences.own(m) for m in members}
        self.sequences, self.members, self.removed = sequences, members, removed
        # The plan of the last one is found without binary unknowns: that with most sequences.
        self._order = tuple(sorted(members, key=lambda m: own[m].stop - own[m].start))
        self.leaves = np.arange(len(sequences.payoff)) if leaves is None else leaves
        self._at = sequences.leaf_sequence[self.leaves][:, list(self._order)]
        self.combined, self._combination = np.unique(self._at, axis=0, return_inverse=True)
        if len(members) > 1 and len(self.combined) > LARGEST:
            names = " and ".join(str(m) for m in members)
            raise UnsupportedError(
                f"players {names} of {sequences.tree.name} end play with {len(self.combined):,} "
                f"combinations of their sequences; up to {LARGEST:,} are searched for the best "
                "joint plan",
                option="combinations",
                given=len(self.combined),
                expected=LARGEST,
                remedy="take a smaller variant of the game",
            )

    def reached(self, plays: BoolArray) -> BoolArray:
        """Which of the terminal histories a joint plan allows.

        Args:
            plays: bool[Q].

        Returns:
            bool[L].
        """
        return np.asarray(np.append(plays, True)[self._at].all(axis=1))

    def best(self, worth: FloatArray) -> JointPlan:
        """The best joint plan, proven to be.

        Args:
            worth: float64[L], what each terminal history is worth if all members allow it.

        Returns:
            The plan.

        Raises:
            EquilibristError: The solver gave up.
        """
        if len(self.members) == 1:
            plan = self.improved(worth, np.zeros(self._width, dtype=bool))
            return JointPlan(plan.value, plan.value, plan.plays)
        cost = np.zeros(len(self._columns) + len(self.combined))
        np.add.at(cost, len(self._columns) + self._combination.ravel(), -worth)
        upper = np.ones(len(cost))
        forbidden = np.append(np.zeros(len(self._columns), bool), self._ruled_out(worth))
        cost[forbidden] = upper[forbidden] = 0.0
        largest = float(np.abs(cost).max(initial=0.0))
        scale = _SCALE / largest if largest > 0.0 else 1.0
        upper[[k for k, s in enumerate(self._columns.tolist()) if s in self.removed]] = 0.0
        last = self.sequences.own(self._order[-1])
        binary = np.zeros(len(cost))
        binary[: len(self._columns)] = (self._columns < last.start) | (self._columns >= last.stop)
        optimum = minimise_mixed(
            cost * scale, self._programme, (np.zeros(len(cost)), upper), binary
        )
        if optimum.status != 0:
            raise EquilibristError(
                f"the search for the best joint plan did not come to an end: {optimum.message}",
                option="players",
                given=self.members,
            )
        plays = np.zeros(self._width, dtype=bool)
        plays[self._columns] = optimum.x[: len(self._columns)] > 0.5
        plan = self.improved(worth, plays)  # exactly pure, of the last member too
        proven = optimum.fun if optimum.mip_dual_bound is None else optimum.mip_dual_bound
        bound = -float(proven) / scale
        return JointPlan(plan.value, max(plan.value, bound), plan.plays)

    def _ruled_out(self, worth: FloatArray) -> BoolArray:
        """Combinations that no best plan plays, as they make it worth less than a known plan.

        Their enormous losses would hide all other payoffs from the solver. Returns
        bool[combinations], all False where no loss is so large.
        """
        combination_worth = np.bincount(
            self._combination.ravel(), worth, minlength=len(self.combined)
        )
        max_worth = float(np.maximum(combination_worth, 0.0).sum())
        rng = np.random.default_rng(0)
        known_worth = max(self.improved(worth, self.drawn(rng)).value for _ in range(_STARTS))
        range_left = max_worth - known_worth
        if float(-combination_worth.min(initial=0.0)) <= ENORMOUS * range_left:
            return np.zeros(len(combination_worth), dtype=bool)
        bad: BoolArray = (combination_worth < 0.0) & (
            combination_worth + max_worth < known_worth - 1e-6 * range_left
        )
        return bad

    def improved(self, worth: FloatArray, plays: BoolArray) -> JointPlan:
        """A joint plan that no single member improves on, found from a given one.

        Args:
            worth: float64[L], what each terminal history is worth if all members allow it.
            plays: bool[Q], the plan to begin with.

        Returns:
            The plan, with an infinite bound.
        """
        padded = np.append(plays, True)
        value, unchanged, turn = -np.inf, 0, len(self.members) - 1
        while unchanged < len(self.members):
            member = self._order[turn]
            others = np.delete(self._at, turn, axis=1)
            counts = worth * padded[others].all(axis=1)
            paid = np.zeros(len(padded))
            np.add.at(paid, self._at[:, turn], counts)
            best_value, plan = best_plan(self.sequences, member, paid, self.removed)
            # A gain by rounding alone must not count, or members could take turns for ever.
            if best_value > value + 1e-12 * max(1.0, abs(value) if np.isfinite(value) else 1.0):
                value, unchanged = best_value, 0
                padded[self.sequences.own(member)] = plan
            unchanged += 1
            turn = (turn - 1) % len(self.members)
        return JointPlan(value, np.inf, padded[:-1])

    def drawn(self, rng: np.random.Generator) -> BoolArray:
        """A joint plan drawn at random.

        Args:
            rng: The source of randomness.

        Returns:
            bool[Q].
        """
        plays = np.zeros(self._width, dtype=bool)
        for member in self.members:
            worth = rng.random(self._width + 1)
            own = self.sequences.own(member)
            plays[own] = best_plan(self.sequences, member, worth, self.removed)[1]
        return plays

    def profile(self, plays: BoolArray) -> FloatArray:
        """A joint plan as pure strategies; the first action where it says nothing.

        Args:
            plays: bool[Q].

        Returns:
            float64[Q], for all players; of the others it says nothing either.
        """
        row = plays.astype(np.float64)
        first = self.sequences.tree.action_offset[:-1]
        row[first] += np.add.reduceat(row, first) == 0.0
        return row

    def words(self, plays: BoolArray) -> tuple[dict[str, str], ...]:
        """A joint plan in words.

        Args:
            plays: bool[Q].

        Returns:
            Of each member, in the order given, the label of the action at each infoset where their
            own moves lead.
        """
        tree, by_member = self.sequences.tree, []
        for member in self.members:
            own = self.sequences.own(member)
            taken = np.flatnonzero(plays[own]) + own.start
            infosets = np.searchsorted(tree.action_offset, taken, side="right") - 1
            pairs = zip(infosets.tolist(), taken.tolist(), strict=True)
            by_member.append(
                {
                    tree.infoset_keys[i]: tree.action_labels[i][s - int(tree.action_offset[i])]
                    for i, s in pairs
                }
            )
        return tuple(by_member)

    @property
    def _width(self) -> int:
        return int(self.sequences.tree.action_offset[-1])

    @cached_property
    def _columns(self) -> Int64Array:
        """The public flat index of each unknown that is a sequence."""
        own = [self.sequences.own(m) for m in self._order]
        return np.concatenate([np.arange(sequences.start, sequences.stop) for sequences in own])

    @cached_property
    def _programme(self) -> Constraints:
        """The constraints of the mixed-integer programme, over sequences and then combinations."""
        from scipy.sparse import csr_array

        place = {s: k for k, s in enumerate(self._columns.tolist())}
        rows: list[dict[int, float]] = []
        low: list[float] = []
        high: list[float] = []
        offset, above = self.sequences.tree.action_offset.tolist(), self.sequences.above.tolist()
        for member in self.members:
            for i in self.sequences.infosets(member):
                row = {place[s]: 1.0 for s in range(offset[i], offset[i + 1])}
                if above[i] >= 0:
                    row[place[above[i]]] = -1.0
                rows.append(row)
                low.append(float(above[i] < 0))
                high.append(float(above[i] < 0))
        first = len(place)
        count = len(self.members)
        for k, together in enumerate(self.combined.tolist()):
            row = {place[s]: -1.0 for s in together if s >= 0} | {first + k: 1.0}
            rows.append(row)
            low.append(1.0 - sum(s >= 0 for s in together))
            high.append(np.inf)
        for member, other in [*pairwise(range(count)), (count - 1, 0)]:
            for s, group in self._exclusive(member, other):
                row = {first + k: 1.0 for k in group}
                if s >= 0:
                    row[place[s]] = -1.0
                rows.append(row)
                low.append(-np.inf)
                high.append(float(s < 0))
        entries = [(r, c, v) for r, row in enumerate(rows) for c, v in row.items()]
        r, c, v = zip(*entries, strict=True)
        matrix = csr_array((v, (r, c)), shape=(len(rows), first + len(self.combined)))
        return Constraints(matrix, np.array(low), np.array(high))

    def _exclusive(self, member: int, other: int) -> list[tuple[int, list[int]]]:
        """Combinations of which at most one is played, all with one sequence of `member`.

        They differ in the action of `other` at one infoset: their sum is at most that sequence,
        which is tighter than each by itself.
        """
        offset = self.sequences.tree.action_offset
        infoset = np.searchsorted(offset, self.combined[:, other], side="right") - 1
        keyed = self.combined.copy()
        keyed[:, other] = np.where(self.combined[:, other] < 0, -1, infoset)
        groups: dict[tuple[int, ...], list[int]] = {}
        for k, key in enumerate(map(tuple, keyed.tolist())):
            groups.setdefault(key, []).append(k)
        return [(key[member], group) for key, group in groups.items()]


def best_plan(
    sequences: Sequences, player: int, worth: FloatArray, removed: frozenset[int] = frozenset()
) -> tuple[float, BoolArray]:
    """The best pure plan of one player.

    Args:
        sequences: The game's sequences.
        player: The player.
        worth: float64[Q + 1], what each own sequence is worth, that of the empty one last.
        removed: Sequences that may not be played.

    Returns:
        What the plan is worth, and bool[actions of the player], the sequences that it plays.
    """
    offset = sequences.tree.action_offset.tolist()
    above, own = sequences.above.tolist(), sequences.own(player)
    total: list[float] = worth.tolist()
    for s in removed:
        if own.start <= s < own.stop:
            total[s] = -np.inf
    choice: dict[int, int] = {}
    infosets = sequences.infosets(player)
    # Backwards: infosets below come later, so a total is complete before it is added above.
    for i in reversed(infosets):
        choice[i] = max(range(offset[i], offset[i + 1]), key=total.__getitem__)
        total[above[i]] += total[choice[i]]  # -1 is the last
    plays = np.zeros(own.stop - own.start, dtype=bool)
    for i in infosets:
        if above[i] < 0 or plays[above[i] - own.start]:
            plays[choice[i] - own.start] = True
    return total[-1], plays
