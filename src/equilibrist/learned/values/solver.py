"""Solves of a region with ranges: any variant of CFR, with values at the leaves.

Both players are updated at once, so that one question about the leaves serves both, or in turn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np

from equilibrist.learned.values.region import Region
from equilibrist.solvers.variants.variant import Variant
from equilibrist.typing import FloatArray, Int64Array

_MOST_ROWS: Final = 10_000
"""Iterations whose coefficients are kept."""


class RegionValues(Protocol):
    """What the hands at all leaves of a region are worth, for K ranges side by side."""

    def __call__(self, first: FloatArray, second: FloatArray, /) -> tuple[FloatArray, FloatArray]:
        """Value the hands.

        Args:
            first: float64[h0, K], the ranges of seat 0 at all leaves, as `Region.hands` lists them.
            second: float64[h1, K], those of seat 1.

        Returns:
            Counterfactual values of both, of the same shapes, which count from half of what both
            players earn together.
        """
        ...


def no_values(first: FloatArray, second: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Every history is even; `RegionValues` describes arguments and result."""
    return np.zeros_like(first), np.zeros_like(second)


@dataclass(frozen=True)
class LaneRanges:
    """The ranges of both players at the roots of a region, in K lanes.

    Attributes:
        first: float64[H0, K].
        second: float64[H1, K].
    """

    first: FloatArray
    second: FloatArray

    @classmethod
    def whole(cls, region: Region, lanes: int = 1) -> LaneRanges:
        """Both players come with every hand."""
        first, second = region.num_hands
        return cls(np.ones((first, lanes)), np.ones((second, lanes)))

    def __getitem__(self, player: int) -> FloatArray:
        return self.second if player else self.first

    @property
    def lanes(self) -> int:
        """How many there are."""
        return int(self.first.shape[1])


LEAST_MASS: Final = 1e-200
"""A range of less than this in all counts as none."""


def shares_of(ranges: FloatArray, root: Int64Array, roots: int) -> tuple[FloatArray, FloatArray]:
    """Divide ranges by their sums; where there is no range, every hand comes alike.

    A player may come to a public state with no hand at all. The other one has to play there
    nevertheless, in case it comes, and what hands are worth there has to be asked about the same
    range that play is solved for.

    Args:
        ranges: float64[h, K], one player's ranges at some public states.
        root: int64[h], the state of each hand.
        roots: G, how many states there are.

    Returns:
        float64[h, K], shares that add up to 1 at each state, and float64[G, K], the sums.
    """
    mass = np.zeros((roots, ranges.shape[1]))
    np.add.at(mass, root, ranges)
    gone = mass < LEAST_MASS
    count = np.bincount(root, minlength=roots)[root]
    share = ranges / np.where(gone, 1.0, mass)[root]
    return np.where(gone[root], 1.0 / count[:, None], share), mass


class BeliefSolver:
    """A solve of a region, which goes on from where it stands.

    Attributes:
        region: The region.
        variant: The variant of CFR.
        iteration: Iterations so far.
        values: What the hands at leaves are worth.
        alternating: Whether an iteration updates one player alone, the two in turn.
    """

    def __init__(
        self,
        region: Region,
        ranges: LaneRanges,
        values: RegionValues | None = None,
        *,
        variant: Variant,
        alternating: bool = False,
        horizon: int | None = None,
        chosen: Int64Array | None = None,
    ) -> None:
        """Begin with uniform play.

        Args:
            region: The region.
            ranges: The ranges at its roots.
            values: What the hands at leaves are worth; None for regions without leaves.
            variant: The variant of CFR.
            alternating: Whether an iteration updates one player alone.
            horizon: The planned number of iterations, for variants that need it.
            chosen: int64[G, K], the iterate whose strategy is kept, from 1, for each root and lane;
                None to keep none.
        """
        self.region, self.variant, self.alternating = region, variant, alternating
        self.values = no_values if values is None else values
        self.iteration = 0
        self._horizon = horizon
        self._rows: dict[int, FloatArray] = {}
        self._updates = [0, 0]
        lanes = ranges.lanes
        self._strategy = [np.repeat(share[:, None], lanes, axis=1) for share in region.uniform]
        shape = [strategy.shape for strategy in self._strategy]
        self._regret = [np.zeros(each) for each in shape]
        self._sums = [np.zeros(each) for each in shape]
        self._own = [np.ones(each) for each in shape]
        self._reach = [np.zeros(each) for each in shape]
        self._value = [np.zeros(each) for each in shape]
        self._mean = [np.zeros((count, lanes)) for count in region.num_hands]
        self._scratch = np.zeros((2, lanes))
        self._chosen = chosen
        self._kept = None
        if chosen is not None:
            self._kept = [strategy.copy() for strategy in self._strategy]
        self.ask_about(ranges)

    def ask_about(self, ranges: LaneRanges) -> None:
        """Go on with other ranges; means of values begin anew.

        Args:
            ranges: The ranges at the roots, in as many lanes.
        """
        for player in range(2):
            self._reach[player][: self.region.num_hands[player]] = ranges[player]
            self._mean[player][:] = 0.0
        self._weights = [0.0, 0.0]

    def begin_anew(self) -> None:
        """Forget all that was learned; ranges stay."""
        for player, share in enumerate(self.region.uniform):
            self._strategy[player][:] = share[:, None]
            self._regret[player][:] = 0.0
            self._sums[player][:] = 0.0
        self.iteration, self._updates = 0, [0, 0]

    def run(self, iterations: int) -> BeliefSolver:
        """Iterate.

        Args:
            iterations: How often.

        Returns:
            The solver.
        """
        from equilibrist.kernels.belief.passes import keep_chosen, learn

        for _ in range(iterations):
            self.iteration += 1
            self._descend(self._strategy)
            if self._chosen is not None and (self._chosen == self.iteration).any():
                assert self._kept is not None
                for player in range(2):
                    keep_chosen(
                        self.region.sides[player],
                        self.region.root_of[player],
                        self._chosen,
                        self.iteration,
                        self._strategy[player],
                        self._kept[player],
                    )
            self._earn()
            players = ((self.iteration - 1) % 2,) if self.alternating else (0, 1)
            for player in players:
                self._updates[player] += 1
                t = self._updates[player]
                row = self._row(t)
                learn(
                    self.region.sides[player],
                    row,
                    self._strategy[player],
                    self._own[player],
                    self._value[player],
                    self._regret[player],
                    self._sums[player],
                    self._scratch,
                )
                self._average_value(player, row[5], row[6])
        return self

    def _row(self, t: int) -> FloatArray:
        """The coefficients of an iteration; solves that begin anew read the same ones often."""
        row = self._rows.get(t)
        if row is None:
            row = np.array(self.variant.coefficients(t, self._horizon), dtype=np.float64)
            if t <= _MOST_ROWS:
                self._rows[t] = row
        return row

    def _average_value(self, player: int, decay: float, weight: float) -> None:
        """Take up the present values of hands at the roots as sums of strategies take up play."""
        before = decay * self._weights[player]
        total = before + weight
        hands = self.region.num_hands[player]
        mean = self._mean[player]
        if total > 0.0:
            mean += (weight / total) * (self._value[player][:hands] - mean)
        self._weights[player] = total

    def _descend(self, strategy: list[FloatArray]) -> None:
        from equilibrist.kernels.belief.passes import descend

        for player, side in enumerate(self.region.sides):
            descend(side, strategy[player], self._own[player], self._reach[player])

    def _earn(self) -> None:
        """What slots earn at ends and leaves against the present reaches."""
        from equilibrist.kernels.belief.passes import earn

        region = self.region
        for player, side in enumerate(region.sides):
            earn(side, self._reach[1 - player], self._value[player])
        if region.leaves is None:
            return
        worth = self.values(*self.leaf_ranges())
        for player, hands in enumerate(region.hands):
            np.add.at(self._value[player], hands.slot, worth[player])

    def leaf_ranges(self) -> tuple[FloatArray, FloatArray]:
        """The ranges at all leaves as last played: float64[h0, K] and float64[h1, K], copies."""
        first, second = self.region.hands
        return self._reach[0][first.slot], self._reach[1][second.slot]

    def root_ranges(self) -> tuple[FloatArray, FloatArray]:
        """The ranges at the roots: float64[H0, K] and float64[H1, K], copies."""
        first, second = self.region.num_hands
        return self._reach[0][:first].copy(), self._reach[1][:second].copy()

    @property
    def strategy(self) -> list[FloatArray]:
        """The strategy that the next iteration plays, float64[slots, K] of each player."""
        return self._strategy

    @property
    def kept(self) -> list[FloatArray]:
        """The strategies of the iterates that were chosen, float64[slots, K] of each player."""
        assert self._kept is not None
        return self._kept

    def average(self) -> list[FloatArray]:
        """The average strategy, float64[slots, K] of each player."""
        from equilibrist.kernels.belief.passes import normalise

        out = [strategy.copy() for strategy in self._strategy]
        for player, side in enumerate(self.region.sides):
            normalise(side, self._sums[player], out[player])
        return out

    def mean_values(self) -> tuple[FloatArray, FloatArray]:
        """Means over the iterates of what the hands at the roots are worth, [H0, K] and [H1, K]."""
        return self._mean[0].copy(), self._mean[1].copy()

    def last_values(self) -> tuple[FloatArray, FloatArray]:
        """What the hands at the roots were worth in the last iteration, [H0, K] and [H1, K]."""
        first, second = self.region.num_hands
        return self._value[0][:first].copy(), self._value[1][:second].copy()

    def values_of(self, strategy: list[FloatArray]) -> tuple[FloatArray, FloatArray]:
        """What the hands at the roots are worth if both play a strategy.

        Args:
            strategy: float64[slots, K] of each player.

        Returns:
            float64[H0, K] and float64[H1, K].
        """
        from equilibrist.kernels.belief.passes import ascend

        self._descend(strategy)
        self._earn()
        found = []
        for player, side in enumerate(self.region.sides):
            ascend(side, strategy[player], self._value[player])
            found.append(self._value[player][: self.region.num_hands[player]].copy())
        return found[0], found[1]

    def reach_of(self, strategy: list[FloatArray]) -> tuple[FloatArray, FloatArray]:
        """The ranges at all leaves if both play a strategy.

        Args:
            strategy: float64[slots, K] of each player.

        Returns:
            float64[h0, K] and float64[h1, K].
        """
        self._descend(strategy)
        return self.leaf_ranges()


@dataclass
class SolvedBelow:
    """Values at leaves by solving all that lies below them, on and on from the question before.

    With one iteration for each question, the same variant and no fresh starts, a solve with these
    values is CFR of the whole game, iterate by iterate. With many they are nearly those of
    equilibria for the ranges that are asked about.

    Attributes:
        below: The solver below the leaves; its roots are the leaves.
        iterations: Its iterations for each question.
        fresh: Whether each question is solved from uniform play on. What is worth defending against
            hands that do not come depends on it: what was learned for other ranges still does so,
            and a solve from the leaf on, which begins anew, does not.
        averaged: Whether the answer is the mean over these iterations, or the last values.
    """

    below: BeliefSolver
    iterations: int
    fresh: bool = True
    averaged: bool = True

    @classmethod
    def of(
        cls,
        region: Region,
        lanes: int,
        variant: Variant,
        iterations: int,
        *,
        fresh: bool = True,
        averaged: bool = True,
        alternating: bool = False,
    ) -> SolvedBelow:
        """Values for the leaves of a region.

        Args:
            region: The region above.
            lanes: In how many lanes it is solved.
            variant: What solves below.
            iterations: Iterations for each question.
            fresh: Whether each question is solved from uniform play on.
            averaged: Whether the answer is the mean over these.
            alternating: Whether an iteration updates one player alone.

        Returns:
            The values.
        """
        assert region.leaves is not None
        deeper = Region.of(region.search, region.leaves.nodes, None)
        solver = BeliefSolver(
            deeper, LaneRanges.whole(deeper, lanes), variant=variant, alternating=alternating
        )
        return cls(solver, iterations, fresh, averaged)

    def __call__(self, first: FloatArray, second: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Value the hands; `RegionValues` describes arguments and result."""
        if not self.fresh:
            return self._answer((first, second))
        level = self.below.region.subgames
        roots = [hands.root for hands in level.hands]
        held, mass = shares_of(first, roots[0], len(level))
        other_held, other_mass = shares_of(second, roots[1], len(level))
        self.below.begin_anew()
        worth, other_worth = self._answer((held, other_held))
        return worth * other_mass[roots[0]], other_worth * mass[roots[1]]

    def _answer(self, ranges: tuple[FloatArray, FloatArray]) -> tuple[FloatArray, FloatArray]:
        """What the hands are worth after more iterations with these ranges."""
        self.below.ask_about(LaneRanges(*ranges))
        self.below.run(self.iterations)
        if self.averaged:
            return self._balanced(ranges, self.below.mean_values())
        return self.below.last_values()

    def _balanced(
        self, ranges: tuple[FloatArray, FloatArray], values: tuple[FloatArray, FloatArray]
    ) -> tuple[FloatArray, FloatArray]:
        """Take off what values add up to at each leaf; with players in turn that is not quite 0."""
        if not self.below.alternating:
            return values
        level = self.below.region.subgames
        surplus = np.zeros((len(level), ranges[0].shape[1]))
        masses = []
        for hands, held, worth in zip(level.hands, ranges, values, strict=True):
            mass = np.zeros_like(surplus)
            np.add.at(surplus, hands.root, held * worth)
            np.add.at(mass, hands.root, held)
            masses.append(np.where(mass > 0.0, mass, 1.0))
        first, second = (
            worth - (surplus / mass)[hands.root] / 2.0
            for hands, worth, mass in zip(level.hands, values, masses, strict=True)
        )
        return first, second
