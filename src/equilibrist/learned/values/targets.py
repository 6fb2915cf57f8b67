"""Rows that value networks are fitted to: public states with ranges, and what hands are worth.

Ranges are random, or those to which play in solves of the whole game leads; values are those of
solves of all that follows, exact but for the number of iterations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from equilibrist.errors import CheckpointError
from equilibrist.learned.network import Float32Array, zero_sum
from equilibrist.learned.values.network import NetworkRegionValues, ValueNetwork
from equilibrist.learned.values.region import Region, search_levels
from equilibrist.learned.values.solver import BeliefSolver, LaneRanges
from equilibrist.learned.values.states import ValueStates, pair_chances
from equilibrist.search import Subgames
from equilibrist.solvers.variants.families import lcfr
from equilibrist.solvers.variants.variant import Variant
from equilibrist.strategy import Strategy
from equilibrist.typing import FloatArray, Int64Array

LANES: Final = 64
"""Ranges that are solved side by side."""
PLAYED_SHARE: Final = 0.7
"""The share of ranges that come from play; the others are random."""
_SNAPSHOTS: Final = 48
"""Iterates of solves of the whole game of which ranges are taken."""
_SNAPSHOT_ITERATIONS: Final = 512


class ValueRows(NamedTuple):
    """Rows of public states, n of them, in the units of a network."""

    classes: Int64Array
    """int64[n], the class of each state."""
    ranges: Float32Array
    """float32[n, H0 + H1], ranges of both players that add up to 1 each, by name."""
    targets: Float32Array
    """float32[n, H0 + H1], as `ValueNetwork` describes outputs."""

    @classmethod
    def none(cls, states: ValueStates) -> ValueRows:
        """No rows."""
        empty = np.zeros((0, sum(states.num_hands)), dtype=np.float32)
        return cls(np.zeros(0, dtype=np.int64), empty, empty.copy())

    @classmethod
    def joined(cls, parts: Sequence[ValueRows]) -> ValueRows:
        """The rows of several, one after the other."""
        return cls(
            classes=np.concatenate([part.classes for part in parts]),
            ranges=np.concatenate([part.ranges for part in parts]),
            targets=np.concatenate([part.targets for part in parts]),
        )

    def last(self, count: int) -> ValueRows:
        """The last rows, at most so many."""
        first = max(len(self.classes) - count, 0)
        return ValueRows(self.classes[first:], self.ranges[first:], self.targets[first:])

    def arrays(self) -> dict[str, NDArray[Any]]:
        """What a checkpoint keeps, by name."""
        return dict(zip(self._fields, self, strict=True))

    @classmethod
    def restored(cls, arrays: Mapping[str, NDArray[Any]], states: ValueStates) -> ValueRows:
        """What `arrays` gave; CheckpointError if it does not fit."""
        wide = sum(states.num_hands)
        try:
            rows = cls(*(arrays[name] for name in cls._fields))
        except KeyError as error:
            raise CheckpointError(
                f"the rows lack {error}", option="rows", remedy="start a new run"
            ) from None
        shapes = [column.shape for column in rows]
        wanted = [(len(rows.classes),), *[(len(rows.classes), wide)] * 2]
        if shapes != wanted or not (rows.classes < states.num_classes).all():
            raise CheckpointError(
                f"the rows have the shapes {shapes}, not {wanted}",
                option="rows",
                remedy="resume with the options the run was made with",
            )
        return rows


@dataclass(frozen=True, eq=False)
class ClassSolver:
    """Solves of public states of one class, and the rows that they give.

    Attributes:
        states: The states of the game.
        number: The class.
        region: What follows on its first node, down to leaves or to the end.
        columns: int64[h] of each player: the column of each hand in rows of all names.
        deal: The largest probability with which chance brings a pair of hands there.
        order: int64[h] of each player: the hands from the weakest to the strongest, by what they
            are worth if both play uniformly.
    """

    states: ValueStates
    number: int
    region: Region
    columns: tuple[Int64Array, Int64Array]
    deal: float
    order: tuple[Int64Array, Int64Array]

    @classmethod
    def of(cls, states: ValueStates, number: int, depth: int | None = None) -> ClassSolver:
        """Lay out the solves of a class.

        Args:
            states: The states.
            number: The class.
            depth: How deep solves go; None for the end of the game.

        Returns:
            The solves.
        """
        node = int(states.representatives[number])
        region = Region.of(states.search, (node,), depth)
        whole = region if region.leaves is None else Region.of(states.search, (node,), None)
        first, second = states.hands_at(region.subgames)
        solver = BeliefSolver(whole, LaneRanges.whole(whole), variant=lcfr())
        worth = solver.values_of(solver.strategy)
        orders = [np.argsort(each[:, 0], kind="stable") for each in worth]
        return cls(
            states=states,
            number=number,
            region=region,
            columns=(first.name, states.num_hands[0] + second.name),
            deal=float(pair_chances(region.subgames)[0]),
            order=(orders[0], orders[1]),
        )

    def lanes(self, ranges: FloatArray) -> LaneRanges:
        """Rows of ranges by name, [K, H0 + H1], as those of the hands here, side by side."""
        first, second = self.columns
        return LaneRanges(
            np.ascontiguousarray(ranges[:, first].T), np.ascontiguousarray(ranges[:, second].T)
        )

    def rows(self, ranges: FloatArray, values: tuple[FloatArray, FloatArray]) -> ValueRows:
        """Rows of what hands are worth.

        Args:
            ranges: float64[K, H0 + H1], by name, which add up to 1 each.
            values: float64[h, K] of each player, counterfactual.

        Returns:
            K rows.
        """
        targets = np.zeros(ranges.shape, dtype=np.float64)
        for columns, worth in zip(self.columns, values, strict=True):
            targets[:, columns] = worth.T / (self.deal * self.states.unit)
        targets = zero_sum(ranges, targets)  # with players in turn only nearly so
        targets[:, ~self.states.held[self.number]] = 0.0
        classes = np.full(len(ranges), self.number, dtype=np.int64)
        return ValueRows(classes, ranges.astype(np.float32), targets.astype(np.float32))

    def random(self, random: np.random.Generator) -> FloatArray:
        """Random ranges of both players by name, float64[H0 + H1]."""
        ranges = np.zeros(sum(self.states.num_hands))
        for columns, order in zip(self.columns, self.order, strict=True):
            ranges[columns] = random_range(order, random)
        return ranges

    def solved(
        self,
        ranges: FloatArray,
        iterations: int,
        network: ValueNetwork | None = None,
        variant: Variant | None = None,
    ) -> ValueRows:
        """Solve for rows of ranges.

        Args:
            ranges: float64[K, H0 + H1], by name.
            iterations: The iterations.
            network: What values leaves, if there are any.
            variant: The variant of CFR; None for linear CFR.

        Returns:
            K rows.
        """
        leaves = None
        if self.region.leaves is not None:
            assert network is not None
            leaves = NetworkRegionValues.at(network, self.region.leaves, len(ranges))
        solver = BeliefSolver(
            self.region,
            self.lanes(ranges),
            leaves,
            variant=lcfr() if variant is None else variant,
            alternating=True,  # as search solves, which plays what its leaves are valued by
            horizon=iterations,
        ).run(iterations)
        return self.rows(ranges, solver.mean_values())


def played_plans(states: ValueStates, seed: int) -> list[Strategy]:
    """Iterates and averages of a solve of the whole game, from rough ones to near equilibrium.

    Args:
        states: The states of the game.
        seed: Seed of the draw of iterates.

    Returns:
        Strategies.
    """
    search = states.search
    region = Region.of(search, (0,), None)
    solver = BeliefSolver(region, LaneRanges.whole(region), variant=lcfr(), alternating=True)
    random = np.random.default_rng(np.random.SeedSequence((seed, 41)))
    steps = np.unique(
        np.exp(random.uniform(0.0, np.log(_SNAPSHOT_ITERATIONS), _SNAPSHOTS)).astype(np.int64)
    )
    plans = []
    for step in steps.tolist():
        solver.run(step - solver.iteration)
        for played in (solver.strategy, solver.average()):
            probabilities = np.zeros(int(search.tree.action_offset[-1]))
            for player in range(2):
                places, slots = region.own_places[player], region.own_slots[player]
                probabilities[places] = played[player][slots, 0]
            plans.append(Strategy(search.tree, probabilities))
    return plans


class RangeSource:
    """Ranges at public states: random ones, and those to which strategies lead."""

    def __init__(self, states: ValueStates, strategies: Sequence[Strategy], depth: int) -> None:
        """Prepare the ranges of strategies.

        Args:
            states: The states of the game.
            strategies: What is played.
            depth: How deep a search looks, which asks about its leaves alone.
        """
        self.states = states
        search = states.search
        self._solvers: dict[int, ClassSolver] = {}
        self._played: dict[int, list[FloatArray]] = {}
        for nodes in search_levels(search.public, depth):
            level = Subgames.below(search, nodes)
            classes = states.class_of[np.array(nodes)]
            for number in np.unique(classes).tolist():
                self._played.setdefault(number, [])
            for strategy in strategies:
                self._take(level, classes, strategy)
        self.classes = tuple(sorted(self._played))

    def _take(self, level: Subgames, classes: Int64Array, strategy: Strategy) -> None:
        """Take up the ranges at some states where both players come."""
        states = self.states
        ranges = np.zeros((len(level), sum(states.num_hands)))
        comes = np.ones(len(level), dtype=np.bool_)
        shift = 0
        for player, hands in enumerate(states.hands_at(level)):
            plan = states.search.own[player].reach(strategy.probabilities)
            reach = plan[level.hands[player].sequence]
            mass = np.bincount(hands.root, reach, len(level))
            comes &= mass > 1e-12
            share = reach / np.where(mass > 0.0, mass, 1.0)[hands.root]
            ranges[hands.root, shift + hands.name] = share
            shift += states.num_hands[player]
        for number, row in zip(classes[comes].tolist(), ranges[comes], strict=True):
            self._played[number].append(row)

    def solver(self, number: int) -> ClassSolver:
        """The solves of a class, to the end of the game."""
        if number not in self._solvers:
            self._solvers[number] = ClassSolver.of(self.states, number)
        return self._solvers[number]

    def draw(self, number: int, count: int, random: np.random.Generator) -> FloatArray:
        """Draw ranges at states of a class.

        Each player's range is that of one strategy; both are often of two. Some are blunted, so
        that every hand comes.

        Args:
            number: The class.
            count: How many.
            random: Draws.

        Returns:
            float64[count, H0 + H1], by name.
        """
        solver, played = self.solver(number), self._played[number]
        wide = self.states.num_hands[0]
        rows = np.zeros((count, sum(self.states.num_hands)))
        held = self.states.held[number]
        even = np.zeros(len(held))
        for part in (slice(0, wide), slice(wide, None)):
            even[part] = held[part] / held[part].sum()
        for row in rows:
            row[:] = solver.random(random)
            for part in (slice(0, wide), slice(wide, None)):
                if played and random.uniform() < PLAYED_SHARE:
                    row[part] = played[int(random.integers(len(played)))][part]
                    blunted = random.uniform() < 0.5
                    mix = random.uniform() ** 3 if blunted else 0.0
                    row[part] += mix * (even[part] - row[part])
        return rows


def solved_rows(
    source: RangeSource,
    count: int,
    iterations: int,
    seed: int,
    *,
    first: int = 0,
    tell: Callable[[int], object] | None = None,
    stop: Callable[[], bool] | None = None,
) -> list[ValueRows]:
    """Rows by solving, in blocks; each depends on the seed and its number alone.

    Args:
        source: Where ranges come from.
        count: How many blocks there are in all; classes take turns.
        iterations: The iterations of each solve.
        seed: The seed.
        first: The first block that is made.
        tell: Called with the number of blocks that are done.
        stop: Whether to end early.

    Returns:
        The blocks, of `LANES` rows each.
    """
    blocks = []
    for number in range(first, count):
        if stop is not None and stop():
            break
        random = np.random.default_rng(np.random.SeedSequence((seed, 42, number)))
        chosen = source.classes[number % len(source.classes)]
        ranges = source.draw(chosen, LANES, random)
        blocks.append(source.solver(chosen).solved(ranges, iterations))
        if tell is not None:
            tell(number + 1)
    return blocks


def random_range(order: Int64Array, random: np.random.Generator) -> FloatArray:
    """Draw a range R(S, p) as DeepStack does: shares of halves, of halves of halves, and so on.

    Of what a set of hands has, the weaker half gets a uniform share and the stronger half the rest.
    So hands of like strength have much in common, and some sets have next to nothing.

    Matej Moravcik et al., "DeepStack: expert-level artificial intelligence in heads-up no-limit
    poker", Science 356, 2017.

    Args:
        order: int64[H], the hands from the weakest to the strongest.
        random: Draws.

    Returns:
        float64[H], at least 0, which add up to 1.
    """
    share = np.zeros(len(order))
    parts = [(0, len(order), 1.0)]
    while parts:
        low, high, mass = parts.pop()
        if high - low == 1:
            share[order[low]] = mass
            continue
        middle = (low + high) // 2
        below = mass * random.uniform()
        parts += [(low, middle, below), (middle, high, mass - below)]
    return share
