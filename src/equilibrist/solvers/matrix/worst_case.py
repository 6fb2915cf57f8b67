"""Linear programmes over the plans of one player and what these guarantee against the other's.

With x a realization plan of a seat, A its payoffs over pairs of sequences and Y the plans that the
other player may choose, the guarantee of x is min over y in Y of x^T A y. Let F y = f make y a
plan, and let H y >= 0 and y >= l restrict it; by duality the guarantee is the greatest
f^T q + l^T r with F^T q + H^T w + r <= A^T x, w >= 0 and r >= 0 (von Stengel, Efficient computation
of behavior strategies, Games and Economic Behavior 14, 1996). So every question of the form

    maximise gain @ x + weight * guarantee(x)   subject to   guarantee(x) >= least

is one linear programme.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from equilibrist.errors import EquilibristError
from equilibrist.solvers.matrix.highs import PROVEN, minimise
from equilibrist.solvers.matrix.lp import checked_constant_sum, plan_constraints
from equilibrist.solvers.matrix.payoffs import (
    payoff_entries,
    refuse_payoffs,
    room,
    with_common_above,
)
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree
from equilibrist.tree.payoff_scale import hides_some
from equilibrist.typing import FloatArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array


SLACK: Final = 5.5e-11
"""What a plan may guarantee less than it is asked to, as a share of the spread of payoffs (see
`payoffs.room`): solvers need room."""
_MISSED: Final = 1e-7
"""What a solution may guarantee less than it was asked to, as a share of the spread of payoffs."""
_BOUGHT: Final = 1e-5
"""What may be won by guaranteeing less than was asked for, as a share of the spread of payoffs."""


@dataclass(frozen=True)
class Restriction:
    """What the plans x of one player, float64[n], must obey besides being plans.

    Attributes:
        least: float64[n], how often an action must be played at least whenever its infoset is
            reached: x(Ia) >= least(Ia) x(parent of I); 0 where nothing is asked.
        lower: float64[n], the least own reach of each sequence.
    """

    least: FloatArray
    lower: FloatArray

    @classmethod
    def none(cls, size: int) -> Restriction:
        """Every plan is allowed."""
        return cls(np.zeros(size), np.zeros(size))


@dataclass(frozen=True)
class PlanPair:
    """The solution of one programme, in payoff units.

    Attributes:
        plan: float64[n], the plan of the seat.
        answer: float64[m], the other player's plan that holds the seat to its guarantee, times a
            positive factor; zeros where the guarantee plays no part.
        guarantee: What the plan earns at least against the plans that the other player may choose.
        excess: `guarantee` less `Duel.base`, without the rounding of the sum.
        objective: The maximum.
        met: The largest payoff times the probability with which play of both meets it, less
            `Duel.base`: the unit of tolerances.
        price: By how much `objective` would grow if less were to be guaranteed, per payoff unit; 0
            where nothing was asked for.
    """

    plan: FloatArray
    answer: FloatArray
    guarantee: float
    excess: float
    objective: float
    met: float
    price: float


class Duel:
    """A two-player constant-sum game as plans and payoffs over pairs of sequences.

    Args:
        tree: The compiled game.
        purpose: What it is needed for, for the error.
        instead: What to do with other games, for the error.

    Raises:
        UnsupportedError: There are not two players, or payoffs have no constant sum.
        RecallError: A player forgets their own past.
    """

    def __init__(
        self,
        tree: GameTree,
        purpose: str = "a guarantee by linear programming",
        instead: str = "play a best response, which needs neither",
    ) -> None:
        """Refuse games of other kinds."""
        from scipy.sparse import csr_array

        self.total = checked_constant_sum(tree, purpose, instead)
        self.tree = tree
        self.form = tree.sequence_form
        self.scale = tree.payoff_range or 1.0
        rows, columns, values, self._centre = payoff_entries(tree)
        self.offset = self.form.arrays.sequence_offset.tolist()
        shape = (self.size(0), self.size(1))
        self._payoff = csr_array((values / self.scale, (rows, columns)), shape=shape)

    def size(self, player: int) -> int:
        """Sequences of a player, those that only fill the arrays included."""
        return int(self.offset[player + 1] - self.offset[player])

    def base(self, seat: int) -> float:
        """What the payoff matrix of a seat leaves out of its payoffs, in payoff units."""
        return self._centre if seat == 0 else self.total - self._centre

    def payoff(self, seat: int) -> csr_array:
        """The seat's payoffs by own and the other's sequences, less `base`, in units of `scale`."""
        return self._payoff if seat == 0 else (-self._payoff.T).tocsr()

    @cached_property
    def constraints(self) -> tuple[csr_array, csr_array]:
        """The matrices E and F that make vectors plans: the first row adds up to 1, others to 0."""
        return plan_constraints(self.tree, 0), plan_constraints(self.tree, 1)

    def infosets(self, player: int) -> list[tuple[int, list[int]]]:
        """Parent and action sequences of each infoset, counted from the player's first."""
        low = self.offset[player]
        return [
            (parent - low, [s - low for s in own]) for parent, own in self.form.infosets_of(player)
        ]

    def plan(self, strategy: Strategy, player: int) -> FloatArray:
        """The realization plan of one player of a strategy, float64[n]."""
        reach = self.form.reach(self.form.to_engine(strategy.probabilities))
        return reach[self.offset[player] : self.offset[player + 1]]

    def strategy(self, plans: tuple[FloatArray, FloatArray]) -> Strategy:
        """The strategies of two plans, which may be scaled; uniform where a plan never gets."""
        behaviour = np.ones(self.form.num_sequences)
        for player, plan in enumerate(plans):
            whole = plan[0] if plan[0] > 0.0 else 1.0
            low = self.offset[player]
            for _, own in self.infosets(player):
                weights = np.maximum(plan[own] / whole, 0.0)
                total = weights.sum()
                rows = weights / total if total > 0.0 else np.full(len(own), 1.0 / len(own))
                behaviour[np.array(own) + low] = rows
        return Strategy(self.tree, self.form.to_public(behaviour))

    def worth(self, seat: int, plan: FloatArray, answer: FloatArray) -> float:
        """Value a plan of the seat against a plan of the other player, in payoff units."""
        return float(plan @ (self.payoff(seat) @ answer)) * self.scale + self.base(seat)

    def guaranteed(self, seat: int, plan: FloatArray) -> float:
        """Value a plan of the seat against the best answer, less `base`, in payoff units."""
        nothing = np.zeros(self.size(1 - seat))
        return self._least(1 - seat, self.payoff(seat).T @ plan, nothing) * self.scale

    def slack(self, best: PlanPair) -> float:
        """Bound what a plan guarantees less than the best one, in payoff units.

        Args:
            best: The plan that guarantees most.

        Returns:
            `SLACK` of the spread of payoffs, and no less than rounding in the guarantee.
        """
        return max(SLACK * room(self.tree, best.met), 4.0 * float(np.spacing(abs(best.excess))))

    def best_plan(
        self,
        seat: int,
        *,
        against: FloatArray | None = None,
        share: float = 0.0,
        least: float | None = None,
        own: Restriction | None = None,
        other: Restriction | None = None,
        proven: float = PROVEN,
    ) -> PlanPair:
        """Maximise share * (earned against one plan) + (1 - share) * (guaranteed).

        Args:
            seat: Whose plan is sought.
            against: float64[m], a plan of the other player; needed where `share` is above 0.
            share: From 0 to 1.
            least: What must be guaranteed less `base`, in payoff units.
            own: What the plan of the seat must obey.
            other: What the plans of the other player obey, over which the guarantee is taken.
            proven: A solution farther from the optimum than this share of what play meets is
                refined (see `highs.minimise`).

        Returns:
            The plan, and the plan of the other player that proves its guarantee.

        Raises:
            EquilibristError: HiGHS gives up.
        """
        programme = _Programme(self, seat, own, other)
        gain, alike = np.zeros(self.size(seat)), 0.0
        if against is not None:
            gain = share * (self.payoff(seat) @ against)
            if hides_some(gain):  # an opponent may pay a penalty now and then, whatever is played
                gain = with_common_above(gain, self.infosets(seat))
                alike, gain[0] = float(gain[0]), 0.0
        bound = None if least is None else least / self.scale
        return programme.solve(gain, alike, 1.0 - share, bound, proven=proven)

    def best_above(
        self, seat: int, against: FloatArray, least: float, best: PlanPair, slack: float
    ) -> PlanPair:
        """The plan that earns most against one plan, of those that guarantee enough.

        Args:
            seat: Whose plan is sought.
            against: float64[m], a plan of the other player.
            least: What must be guaranteed less `base`, in payoff units.
            best: The plan that guarantees most.
            slack: What may be missing of `least`, in payoff units, as solvers need room. It is less
                where a payoff is so large that the slack would buy some of it.

        Returns:
            The plan, whose guarantee has been measured by the best answer to it.

        Raises:
            UnsupportedError: Payoffs differ too much for double precision.
            EquilibristError: HiGHS gives up.
        """
        rounding = 16.0 * self.tree.rounding
        spread = room(self.tree, best.met)
        missed, bought = max(_MISSED * spread, rounding), max(_BOUGHT * spread, rounding)
        little = min(slack, 4.0 * float(np.spacing(abs(least))))
        # Beside enormous gains a guarantee may count as rounding.
        for allowed, proven in ((slack, PROVEN), (slack, 0.0), (little, 0.0)):
            bound = math.nextafter(least - allowed, -math.inf)
            pair = self.best_plan(seat, against=against, share=1.0, least=bound, proven=proven)
            excess = self.guaranteed(seat, pair.plan)
            if excess >= bound - missed and pair.price * (least - excess) <= bought:
                return pair
        base = self.base(seat)
        return refuse_payoffs(self.tree, excess + base, promised=least + base)

    def best_compromise(
        self,
        seat: int,
        *,
        against: FloatArray | None = None,
        share: float = 0.0,
        other: Restriction | None = None,
    ) -> PlanPair:
        """Maximise as `best_plan` does, and hold the plan against the answer that proves it.

        Args:
            seat: Whose plan is sought.
            against: float64[m], a plan of the other player; needed where `share` is above 0.
            share: From 0 to 1.
            other: How often the other player takes actions at least, over which the guarantee is
                taken; no `lower` bounds.

        Returns:
            The plan, whose guarantee has been measured, and the plan of the other player that
            proves it.

        Raises:
            UnsupportedError: Payoffs differ too much for double precision.
            EquilibristError: HiGHS gives up.
        """
        size = self.size(1 - seat)
        given = np.zeros(size) if against is None else share * against
        due = Restriction.none(size).least if other is None else other.least
        for proven in (PROVEN, 0.0):  # beside enormous gains all others may count as rounding
            pair = self.best_plan(seat, against=against, share=share, other=other, proven=proven)
            rest = (1.0 - share) * self._answer(1 - seat, pair.answer, due)
            most = self._best(seat, self.payoff(seat) @ (given + rest))
            worth = self.payoff(seat).T @ pair.plan
            excess = self._least(1 - seat, worth, due)
            earned = float(given @ worth) + (1.0 - share) * excess
            away = (1.0 - share) * abs(excess * self.scale - pair.excess)
            enough = max(_MISSED * room(self.tree, pair.met), 16.0 * self.tree.rounding)
            if max((most - earned) * self.scale, away) <= enough:
                return pair
        base = self.base(seat)
        return refuse_payoffs(
            self.tree, earned * self.scale + base, promised=most * self.scale + base
        )

    def _best(self, player: int, worth: FloatArray) -> float:
        """What the best plan of a player earns where sequences are worth so much."""
        worth = worth.copy()
        for parent, own in reversed(self.infosets(player)):
            worth[parent] += worth[own].max()
        return float(worth[0])

    def _least(self, player: int, worth: FloatArray, due: FloatArray) -> float:
        """What the worst plan of a player earns that takes each action as often as is due."""
        worth = worth.copy()
        for parent, own in reversed(self.infosets(player)):
            free = max(1.0 - float(due[own].sum()), 0.0)
            worth[parent] += float(due[own] @ worth[own]) + free * float(worth[own].min())
        return float(worth[0])

    def _answer(self, player: int, plan: FloatArray, due: FloatArray) -> FloatArray:
        """The plan next to one that may be scaled, which takes each action as often as is due."""
        exact = np.ones(len(plan))
        for parent, own in self.infosets(player):
            beyond = np.maximum(plan[own] - due[own] * plan[parent], 0.0)
            total = float(beyond.sum())
            rows = beyond / total if total > 0.0 else np.full(len(own), 1.0 / len(own))
            free = max(1.0 - float(due[own].sum()), 0.0)
            exact[own] = exact[parent] * (due[own] + free * rows)
        return exact


class _Programme:
    """Variables: x of the seat, then q, w and r of the guarantee."""

    def __init__(
        self, duel: Duel, seat: int, own: Restriction | None, other: Restriction | None
    ) -> None:
        from scipy.sparse import csr_array, eye_array, hstack

        self.duel, self.seat = duel, seat
        self.own = own or Restriction.none(duel.size(seat))
        theirs = other or Restriction.none(duel.size(1 - seat))
        equal = duel.constraints[seat]
        their_equal = duel.constraints[1 - seat]
        floors = _floors(duel, seat, self.own)
        their_floors = _floors(duel, 1 - seat, theirs)
        bounded = np.flatnonzero(theirs.lower > 0.0)
        size = duel.size(1 - seat)
        chosen = eye_array(size, format="csr")[:, bounded]
        self.sizes = equal.shape[1], their_equal.shape[0], their_floors.shape[0], len(bounded)
        self.guaranteed = csr_array(
            hstack([-duel.payoff(seat).T, their_equal.T, their_floors.T, chosen], format="csr")
        )
        rest = sum(self.sizes[1:])
        self.equal = hstack([equal, csr_array((equal.shape[0], rest))], format="csr")
        self.floors = hstack([-floors, csr_array((floors.shape[0], rest))], format="csr")
        self.guarantee = np.zeros(sum(self.sizes))
        self.guarantee[self.sizes[0]] = 1.0
        self.guarantee[len(self.guarantee) - len(bounded) :] = theirs.lower[bounded]

    def solve(
        self,
        gain: FloatArray,
        alike: float,
        weight: float,
        least: float | None,
        *,
        proven: float,
    ) -> PlanPair:
        """Maximise gain @ x + alike + weight * guarantee, with a guarantee of at least `least`."""
        from scipy.sparse import csr_array, vstack

        count = len(self.guarantee)
        cost = -weight * self.guarantee
        cost[: len(gain)] -= gain
        below = [self.guaranteed, self.floors]
        if least is not None:
            below.append(csr_array(-self.guarantee.reshape(1, count)))
        matrix = vstack(below, format="csr")
        limit = np.zeros(matrix.shape[0])
        if least is not None:
            limit[-1] = -least
        right = np.zeros(self.equal.shape[0])
        right[0] = 1.0
        result = minimise(cost, matrix, limit, self.equal, right, self._bounds(), proven=proven)
        if result.status != 0 or result.x is None:
            raise EquilibristError(
                f"the linear programme of {self.duel.tree.name} did not come to an end: "
                f"{result.message}",
                option="game",
                given=self.duel.tree.name,
                remedy="check that what is asked for can be guaranteed at all",
            )
        duel, seat = self.duel, self.seat
        base, scale = duel.base(seat), duel.scale
        theirs = duel.size(1 - seat)
        excess = float(self.guarantee @ result.x) * scale
        return PlanPair(
            plan=_without_noise(result.x[: self.sizes[0]], result.negligible),
            answer=_without_noise(-result.ineqlin.marginals[:theirs], result.negligible),
            guarantee=excess + base + 0.0,
            excess=excess,
            objective=(alike - float(result.fun)) * scale + base + 0.0,
            met=result.size * scale,
            price=0.0 if least is None else abs(float(result.ineqlin.marginals[-1])),
        )

    def _bounds(self) -> FloatArray:
        size, infosets, *_ = self.sizes
        bounds = np.zeros((len(self.guarantee), 2))
        bounds[:, 1] = np.inf
        bounds[:size, 0] = self.own.lower
        bounds[size : size + infosets, 0] = -np.inf
        return bounds


def _without_noise(plan: FloatArray, negligible: float) -> FloatArray:
    """A plan, which may be scaled, with 0 for weights that are rounding."""
    whole = plan[0] if plan[0] > 0.0 else 1.0
    return np.where(plan <= negligible * whole, 0.0, plan)


def _floors(duel: Duel, player: int, restriction: Restriction) -> csr_array:
    """One row per asked-for action: its reach less what is due to it is at least 0."""
    from scipy.sparse import csr_array

    rows: list[int] = []
    columns: list[int] = []
    values: list[float] = []
    count = 0
    for parent, own in duel.infosets(player):
        for s in own:
            if restriction.least[s] > 0.0:
                rows += [count, count]
                columns += [s, parent]
                values += [1.0, -float(restriction.least[s])]
                count += 1
    return csr_array((values, (rows, columns)), shape=(count, duel.size(player)))
