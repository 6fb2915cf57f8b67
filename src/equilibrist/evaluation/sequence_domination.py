"""Dominated sequences of two-player games too large to list their plans.

A plan is strictly dominated by a mixture exactly if it is a best reply to no belief. A sequence is
dominated if all plans that play it are. Whether one is not is a mixed-integer programme: a belief
about the other in sequence form, binary sequences of a plan that plays it, best-reply values at
all own infosets by linear rows, and as little regret as possible.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from equilibrist.errors import EquilibristError, UnsupportedError
from equilibrist.evaluation.coalitions import Constraints, best_plan
from equilibrist.evaluation.plans import count_plans, enumerate_plans
from equilibrist.evaluation.row_domination import PROVEN, ROUNDING, clear_lead
from equilibrist.evaluation.sequences import Sequences
from equilibrist.formatting.amounts import counted
from equilibrist.formatting.brief import brief_repr
from equilibrist.parsing.arguments import whole_number
from equilibrist.solvers.matrix.highs import minimise, minimise_mixed
from equilibrist.solvers.matrix.payoffs import refuse_payoffs
from equilibrist.tree.compile import GameTree
from equilibrist.typing import BoolArray, FloatArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array

LARGEST = 1_000
"""The most sequences of both players together: each may need a mixed-integer programme."""
TOLERANCE = 1e-6
"""Mixed-integer programmes meet their constraints up to this share of the payoff range."""
CLEAR = 1e-3
"""Regret above this share of the payoff range is certain whatever the payoffs."""
_EVEN = 1e3
"""Regret above `TOLERANCE` is certain where the range is no more times the median payoff."""
MOST_PLANS = 2_000
"""The most plans of a player that are tried one by one where regret is less clear than that."""
_BELIEFS = 64


@dataclass(frozen=True)
class DominatedSequence:
    """An action that no undominated plan reaches and takes.

    Attributes:
        player: Whose it is.
        infoset: The key of the infoset.
        action: The label of the action.
        round: 1 if it is dominated in the whole game, 2 if it is dominated once those of round 1
            are left out, and so on.
        margin: What every plan that plays it loses at least, per play of the game, against a
            mixture that dominates it, in payoff units.
    """

    player: int
    infoset: str
    action: str
    round: int
    margin: float


@dataclass(frozen=True)
class SequenceDomination:
    """The dominated sequences of a game.

    Attributes:
        sequences: The dominated sequences in the order in which they are eliminated; what follows
            on them is not listed.
        interrupted: Whether Ctrl-C ended the search: then more sequences may be dominated.
    """

    sequences: tuple[DominatedSequence, ...]
    interrupted: bool = False

    def __repr__(self) -> str:
        return brief_repr(self)


def dominated_sequences(
    tree: GameTree,
    *,
    max_sequences: int = LARGEST,
    on_step: Callable[[str], None] | None = None,
) -> SequenceDomination:
    """Find the iteratively dominated sequences of a two-player game, without listing plans.

    Round by round all sequences are left out that only strictly dominated plans play. A round of
    `dominated_plans` may leave out more, where a sequence is played by dominated and by other
    plans. Ctrl-C ends the search with the dominated sequences that were found so far.

    Args:
        tree: A compiled game of two players and perfect recall.
        max_sequences: A game with more sequences than this, of both players, is refused.
        on_step: Called with a short text as the search goes on.

    Returns:
        The dominated sequences.

    Raises:
        UnsupportedError: The game has more than two players, or too many sequences; or its payoffs
            differ by too many orders of magnitude, and there are too many plans to try each.
        RecallError: If the game has imperfect recall.
        ConfigError: If an argument is invalid.
        EquilibristError: The solver gave up.
        KeyboardInterrupt: Ctrl-C, before a dominated sequence was found.
    """
    sequences = Sequences.of(tree)
    whole_number("max_sequences", max_sequences, 1)
    if tree.num_players != 2:
        raise UnsupportedError(
            f"{tree.name} has {counted(tree.num_players, 'player')}; dominated sequences are "
            "found for two",
            option="players",
            given=tree.num_players,
            expected=2,
            remedy="look for dominated actions, or for dominated plans",
        )
    count = int(tree.action_offset[-1])
    if count > max_sequences:
        raise UnsupportedError(
            f"{tree.name} has {count:,} sequences; dominance copes with up to {max_sequences:,}",
            option="sequences",
            given=count,
            expected=max_sequences,
            remedy="take a smaller variant of the game",
        )
    rounds: list[dict[int, float]] = []
    interrupted = False
    try:
        _eliminate(sequences, rounds, on_step)
    except KeyboardInterrupt:
        if not any(rounds):
            raise
        interrupted = True
    dominated = [
        _dominated(tree, s, turn, margin)
        for turn, fresh in enumerate(rounds, start=1)
        for s, margin in sorted(fresh.items())
        if np.isfinite(margin)
    ]
    return SequenceDomination(tuple(dominated), interrupted)


def _dominated(tree: GameTree, sequence: int, turn: int, margin: float) -> DominatedSequence:
    infoset = int(np.searchsorted(tree.action_offset, sequence, side="right")) - 1
    label = tree.action_labels[infoset][sequence - int(tree.action_offset[infoset])]
    player = int(tree.infoset_player[infoset])
    return DominatedSequence(player, tree.infoset_keys[infoset], label, turn, margin)


def _eliminate(
    sequences: Sequences,
    rounds: list[dict[int, float]],
    on_step: Callable[[str], None] | None,
) -> None:
    """Eliminate round by round, until a round finds nothing.

    Args:
        sequences: The game's sequences.
        rounds: Gets what each round finds as it is found: margins by sequence, infinite for what
            follows on a dominated one.
        on_step: Called with a short text as the search goes on.
    """
    offset = sequences.tree.action_offset
    removed: frozenset[int] = frozenset()
    while True:
        fresh: dict[int, float] = {}
        rounds.append(fresh)
        for player in (0, 1):
            belief = _Belief(sequences, player, removed)
            alive = belief.easily_alive()
            for infoset in sequences.infosets(player):
                if on_step is not None:
                    count = f"{infoset + 1:,} of {sequences.tree.num_infosets:,} infosets"
                    on_step(f"looking for dominated sequences, round {len(rounds):,}, {count}")
                for s in range(int(offset[infoset]), int(offset[infoset + 1])):
                    if s not in removed and not alive[s - belief.own.start]:
                        _look_at(belief, s, infoset, fresh, alive)
        if not fresh:
            return
        removed |= fresh.keys()


def _look_at(
    belief: _Belief, sequence: int, infoset: int, fresh: dict[int, float], alive: BoolArray
) -> None:
    """Add a sequence to what is dominated, or the plan that justifies it to what is not.

    Args:
        belief: The best replies of the player.
        sequence: The sequence.
        infoset: Where it begins.
        fresh: Margins of the sequences that the round has found; updated.
        alive: bool[own actions], what undominated plans play; updated.
    """
    above = int(belief.sequences.above[infoset])
    if above >= 0 and (above in belief.removed or above in fresh):
        fresh[sequence] = np.inf  # who does not get there does not act there
        return
    regret, plays = belief.least_regret(sequence)
    if regret > 0.0:
        fresh[sequence] = regret * belief.scale
    else:
        alive |= plays


class _Belief:
    """Best replies of one player to beliefs about the other."""

    def __init__(self, sequences: Sequences, player: int, removed: frozenset[int]) -> None:
        self.sequences, self.player, self.removed = sequences, player, removed
        self.scale = sequences.tree.payoff_range or 1.0
        self.own, self.other = sequences.own(player), sequences.own(1 - player)
        self.at = sequences.leaf_sequence[:, player]
        self.paid = sequences.leaf_chance * sequences.centred[:, player] / self.scale

    def easily_alive(self) -> BoolArray:
        """bool[own actions]: what some best reply to a belief tried plays."""
        width = self.own.stop - self.own.start
        alive = np.zeros(width, dtype=bool)
        rng = np.random.default_rng(0)
        size = int(self.sequences.tree.action_offset[-1]) + 1
        for trial in range(_BELIEFS):
            if trial % 2:
                reach = self._mixed(rng)
            else:
                worth = rng.random(size)
                reach = np.zeros(size)
                plan = best_plan(self.sequences, 1 - self.player, worth, self.removed)[1]
                reach[self.other], reach[-1] = plan, 1.0
            worth = np.zeros(size)
            believed = reach[self.sequences.leaf_sequence[:, 1 - self.player]]
            np.add.at(worth, self.at, self.paid * believed)
            alive |= best_plan(self.sequences, self.player, worth, self.removed)[1]
        return alive

    def _mixed(self, rng: np.random.Generator) -> FloatArray:
        """A plan of the other that mixes at random."""
        offset, above = self.sequences.tree.action_offset.tolist(), self.sequences.above.tolist()
        reach = np.ones(offset[-1] + 1)
        for i in self.sequences.infosets(1 - self.player):
            moves = range(offset[i], offset[i + 1])
            left = [s for s in moves if s not in self.removed]
            reach[list(moves)] = 0.0
            reach[left] = reach[above[i]] * rng.dirichlet(np.ones(len(left)))
        return reach

    def least_regret(self, sequence: int) -> tuple[float, BoolArray]:
        """The least regret of a plan that plays a sequence, over all beliefs, and such a plan.

        Regret no larger than rounding is 0. A mixed-integer programme proposes a plan, whose
        regret is measured; where the programme is not clear, all plans are.

        Raises:
            UnsupportedError: There are too many plans for that.
        """
        proposed = self._proposed(sequence)
        if proposed is not None:
            bound, plays = proposed
            regret = self._regret_of(plays)
            if regret == 0.0 or bound > (TOLERANCE if self._is_even else CLEAR):
                return regret, plays
        others = self._plans_with(sequence)
        if others is None and proposed is not None and self._is_even:
            return 0.0, plays
        if others is None:
            refuse_payoffs(self.sequences.tree)
        least, best = np.inf, others[0]
        for plays in others:
            regret = self._regret_of(plays)
            if regret < least:
                least, best = regret, plays
            if least == 0.0:
                break
        return least, best

    @cached_property
    def _is_even(self) -> bool:
        """Whether no payoffs are far larger than most."""
        sizes = np.abs(self.sequences.centred[self.sequences.leaf_chance > 0.0, self.player])
        return self.scale <= _EVEN * float(np.median(sizes[sizes > 0.0])) if sizes.any() else True

    def _plans_with(self, sequence: int) -> list[BoolArray] | None:
        """bool[own actions] of each plan left that plays a sequence; None if they are too many."""
        if count_plans(self.sequences, self.player) > MOST_PLANS:
            return None
        plays = enumerate_plans(self.sequences, self.player, max_plans=MOST_PLANS).plays
        gone = [s - self.own.start for s in self.removed if self.own.start <= s < self.own.stop]
        kept = plays[:, sequence - self.own.start] & ~plays[:, gone].any(axis=1)
        return list(plays[kept])

    def _regret_of(self, plays: BoolArray) -> float:
        """The least regret of a plan over all beliefs, 0 up to rounding, by a linear programme."""
        from scipy.sparse import csr_array

        offset, above = self.sequences.tree.action_offset.tolist(), self.sequences.above.tolist()
        earned, _ = self._earned()
        infosets = self.sequences.infosets(self.player)
        theirs = self.sequences.infosets(1 - self.player)
        width = self._plan + len(infosets)
        cost = np.zeros(width)
        below: list[dict[int, float]] = []
        limit: list[float] = []
        constant = 0.0
        for k, i in enumerate(infosets):
            if above[i] < 0:
                cost[self._plan + k] += 1.0
            for s in range(offset[i], offset[i + 1]):
                paid = earned.get(s, {})
                if plays[s - self.own.start]:
                    constant -= paid.get(-1, 0.0)
                    for y, worth in paid.items():
                        if y >= 0:
                            cost[y] -= worth
                if s in self.removed:
                    continue
                row = {y: worth for y, worth in paid.items() if y >= 0}
                row[self._plan + k] = -1.0
                row |= {self._plan + j - infosets.start: 1.0 for j in self._below(s)}
                below.append(row)
                limit.append(-paid.get(-1, 0.0))
        equal = []
        for i in theirs:
            row = {s - self.other.start: 1.0 for s in range(offset[i], offset[i + 1])}
            if above[i] >= 0:
                row[above[i] - self.other.start] = -1.0
            equal.append(row)
        gone = {
            s - self.other.start for s in self.removed if self.other.start <= s < self.other.stop
        }
        bounds = [(0.0, 0.0 if y in gone else None) for y in range(self._plan)]

        def matrix(rows: list[dict[int, float]]) -> csr_array:
            entries = [(r, c, v) for r, row in enumerate(rows) for c, v in row.items()]
            r, c, v = zip(*entries, strict=True) if entries else ((), (), ())
            return csr_array((v, (r, c)), shape=(len(rows), width))

        right = np.array([float(above[i] < 0) for i in theirs])
        every = [*bounds, *[(None, None)] * len(infosets)]
        rows = matrix(below), np.array(limit), matrix(equal), right
        optimum = minimise(cost, *rows, every, proven=PROVEN)
        if optimum.status != 0:
            raise EquilibristError(
                f"the search for a belief did not come to an end: {optimum.message}",
                option="sequences",
                given=self.sequences.tree.name,
            )
        off = float(optimum.worst) + ROUNDING * min(1.0, max(float(optimum.size), abs(constant)))
        return max(clear_lead(float(optimum.fun) + constant, off), 0.0)

    def _proposed(self, sequence: int) -> tuple[float, BoolArray] | None:
        """A plan that plays a sequence with the least regret, and that regret.

        By a mixed-integer programme; None where it does not come to an end.
        """
        plan, values, regrets = self._plan, self._values, self._regrets
        constraints = self._programme
        width = constraints.matrix.shape[1]
        lower, upper = np.zeros(width), np.ones(width)
        lower[values:regrets], upper[values:] = -np.inf, np.inf
        for s in self.removed:
            mine = self.own.start <= s < self.own.stop
            upper[plan + s - self.own.start if mine else s - self.other.start] = 0.0
        lower[plan + sequence - self.own.start] = 1.0
        cost, binary = np.zeros(width), np.zeros(width)
        cost[regrets:], binary[plan:values] = 1.0, 1.0
        optimum = minimise_mixed(cost, constraints, (lower, upper), binary)
        if optimum.status != 0 or optimum.x is None:
            return None
        return float(optimum.fun), optimum.x[plan:values] > 0.5

    @cached_property
    def _programme(self) -> Constraints:
        """The constraints of the mixed-integer programme.

        Columns: the belief, the own plan, the value of each own infoset, and the regret there.
        """
        from scipy.sparse import csr_array

        offset, above = self.sequences.tree.action_offset.tolist(), self.sequences.above.tolist()
        rows: list[tuple[dict[int, float], float, float]] = []
        for player, first in ((1 - self.player, -self.other.start), (self.player, self._own_first)):
            for i in self.sequences.infosets(player):
                row = {first + s: 1.0 for s in range(offset[i], offset[i + 1])}
                if above[i] >= 0:
                    row[first + above[i]] = -1.0
                rows.append((row, float(above[i] < 0), float(above[i] < 0)))
        earned, most = self._earned()
        infosets = self.sequences.infosets(self.player)
        for k, i in enumerate(infosets):
            for s in range(offset[i], offset[i + 1]):
                if s in self.removed:
                    continue
                # What the value of the infoset is above that of the action.
                short = {self._values + k: 1.0}
                short |= {y: -worth for y, worth in earned.get(s, {}).items() if y >= 0}
                short |= {self._values + j - infosets.start: -1.0 for j in self._below(s)}
                constant = earned.get(s, {}).get(-1, 0.0)
                rows.append((short, constant, np.inf))
                # Big M: the regret is at least `short` where the plan plays s, else it is free.
                bound = 2.0 * most[i]
                binding = short | {self._own_first + s: bound, self._regrets + k: -1.0}
                rows.append((binding, -np.inf, constant + bound))
        entries = [(r, c, v) for r, (row, _, _) in enumerate(rows) for c, v in row.items()]
        r, c, v = zip(*entries, strict=True)
        matrix = csr_array((v, (r, c)), shape=(len(rows), self._regrets + len(infosets)))
        low, high = np.array([(least, greatest) for _, least, greatest in rows]).T
        return Constraints(matrix, low, high)

    @property
    def _plan(self) -> int:
        """The first column of the own plan, after those of the belief."""
        return int(self.other.stop - self.other.start)

    @property
    def _own_first(self) -> int:
        """What is added to an own sequence to find its column."""
        return int(self._plan - self.own.start)

    @property
    def _values(self) -> int:
        """The first column of values of infosets."""
        return int(self._plan + self.own.stop - self.own.start)

    @property
    def _regrets(self) -> int:
        """The first column of regrets at infosets."""
        return self._values + len(self.sequences.infosets(self.player))

    def _below(self, sequence: int) -> list[int]:
        return self.sequences.below.get(sequence, [])

    def _earned(self) -> tuple[dict[int, dict[int, float]], dict[int, float]]:
        """The payoffs of own sequences by sequence of the other, -1 for the empty one.

        Also the most that can be won or lost from each own infoset on.
        """
        earned: dict[int, dict[int, float]] = {}
        total = np.zeros(int(self.sequences.tree.action_offset[-1]) + 1)
        theirs = self.sequences.leaf_sequence[:, 1 - self.player].tolist()
        for s, other, paid in zip(self.at.tolist(), theirs, self.paid.tolist(), strict=True):
            column = -1 if other < 0 else other - self.other.start
            row = earned.setdefault(s, {})
            row[column] = row.get(column, 0.0) + paid
            total[s] += abs(paid)
        offset, above = self.sequences.tree.action_offset.tolist(), self.sequences.above.tolist()
        most: dict[int, float] = {}
        # Backwards: infosets below come later, so their totals are complete.
        for i in reversed(self.sequences.infosets(self.player)):
            most[i] = float(total[offset[i] : offset[i + 1]].sum())
            total[above[i]] += most[i]
        return earned, most
