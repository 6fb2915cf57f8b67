"""Play that is solved down to leaves and anew from there, written down as a whole.

From the beginning the region down to the first leaves is solved, and from these, with the ranges
that play before has led to, that to the next ones. Either the average is kept,
or an iterate that is drawn at random, in proportion to its weight in the average (ReBeL). Of many
tables of the latter kind the mean plan is taken: it is played by drawing a table before a game.
What it loses is, in expectation, at least what the mean over all draws would lose.

Noam Brown, Anton Bakhtin, Adam Lerer and Qucheng Gong, "Combining deep reinforcement learning and
search for imperfect-information games", NeurIPS 2020.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

import numpy as np

from equilibrist.learned.values.region import Region, leaves_below
from equilibrist.learned.values.solver import (
    LEAST_MASS,
    BeliefSolver,
    LaneRanges,
    RegionValues,
    shares_of,
)
from equilibrist.search import SearchGame, Subgames
from equilibrist.solvers.variants.variant import Variant
from equilibrist.strategy import Strategy
from equilibrist.typing import FloatArray, Int64Array

ValuesFor = Callable[[Region, int], RegionValues]
"""From a region with leaves and a number of lanes, what the hands at its leaves are worth."""

_PAIRS: Final = 1024
"""How many pairs of a public state and a table are solved side by side; more leave the cache."""


def stitched(
    search: SearchGame,
    values: ValuesFor,
    *,
    depth: int,
    iterations: int,
    variant: Variant,
    alternating: bool = True,
    tables: int = 0,
    seed: int = 0,
    tell: Callable[[int], object] | None = None,
) -> Strategy:
    """Solve from leaf to leaf, and write down what is played.

    Args:
        search: The game.
        values: What the hands at leaves are worth.
        depth: How many public nodes with decisions a solve looks ahead, its root's own among them;
            0 until chance shows something.
        iterations: The iterations of each solve.
        variant: The variant of CFR.
        alternating: Whether an iteration updates one player alone.
        tables: How many tables of random iterates are averaged; 0 to play averages.
        seed: Seed of the draws.
        tell: Called with how many decisions deeper play is solved.

    Returns:
        The strategy of the whole game.
    """
    lanes = max(tables, 1)
    own = search.own
    plans = [np.zeros((own[p].plans.size, lanes)) for p in range(2)]
    for plan in plans:
        plan[0] = 1.0
    weights = iterate_weights(variant, iterations, alternating=alternating)
    random = np.random.default_rng(np.random.SeedSequence((seed, 40)))
    roots: tuple[int, ...] = (0,)
    while roots:
        for part in StatesOfTables.all_of(search, roots, plans, random):
            region = Region.of(search, part.roots, depth)
            same = roots == (0,)  # all tables begin alike: one lane is solved for all
            chosen = None
            if tables and region.leaves is not None:  # at the end the mean over all draws is known
                chosen = 1 + drawn_in_strata(weights, part.counts, part.tables.shape[1], random)
            columns = part.tables[:, :1] if same else part.tables
            solver = BeliefSolver(
                region,
                _ranges(region, plans, columns),
                None if region.leaves is None else values(region, columns.shape[1]),
                variant=variant,
                alternating=alternating,
                horizon=iterations,
                chosen=None if same else chosen,
            )
            if same and chosen is not None:
                played = _iterates(solver, chosen[0])
            else:
                solver.run(iterations)
                played = solver.average() if chosen is None else solver.kept
            for player in range(2):
                _write(region, player, played[player], plans[player], part.tables)
        roots = leaves_below(search.public, roots, depth)
        if tell is not None:
            tell(depth)
    probabilities = np.zeros(int(search.tree.action_offset[-1]))
    for player in range(2):
        mean = plans[player].mean(axis=1)
        probabilities[own[player].flat] = own[player].plans.behaviour(mean, 0.0)
    return Strategy(search.tree, probabilities)


class StatesOfTables(NamedTuple):
    """Public states that are solved side by side, each for the tables in which somebody comes."""

    roots: tuple[int, ...]
    """The public states, G of them."""
    tables: Int64Array
    """int64[G, W], tables in random order, those in which somebody comes first."""
    counts: Int64Array
    """int64[G], in how many tables somebody comes to each, at least one and at most W."""

    @classmethod
    def all_of(
        cls,
        search: SearchGame,
        roots: tuple[int, ...],
        plans: list[FloatArray],
        random: np.random.Generator,
    ) -> Iterator[StatesOfTables]:
        """Sort public states by the number of tables in which somebody comes.

        Where nobody comes, play matters to nobody: plans stay 0 there.

        Args:
            search: The game.
            roots: The public states, none of which lies below another.
            plans: float64[n, K] of each player, own reach of its sequences.
            random: Draws.
        """
        subgames = Subgames.below(search, roots)
        comes = np.zeros((len(subgames), plans[0].shape[1]), dtype=np.bool_)
        for hands, plan in zip(subgames.hands, plans, strict=True):
            comes |= shares_of(plan[hands.sequence], hands.root, len(subgames))[1] >= LEAST_MASS
        counts = comes.sum(axis=1)
        order = np.argsort(np.where(comes, random.uniform(size=comes.shape), 2.0), axis=1)
        group = np.ceil(np.log2(np.maximum(counts, 1))).astype(np.int64)
        for number in np.unique(group[counts > 0]).tolist():
            alike = np.flatnonzero((group == number) & (counts > 0))
            width = int(counts[alike].max())
            size = max(_PAIRS // width, 1)
            for first in range(0, len(alike), size):
                here = alike[first : first + size]
                yield cls(
                    roots=tuple(subgames.nodes[k] for k in here.tolist()),
                    tables=order[here, :width],
                    counts=counts[here],
                )


def drawn_in_strata(
    weights: FloatArray, counts: Int64Array, width: int, random: np.random.Generator
) -> Int64Array:
    """Draw numbers with given probabilities, so that those of a row come as often as they should.

    Each row is a systematic sample: a number that is expected x times comes floor(x) or ceil(x)
    times. Draws of one row belong to tables in random order, so that those of a table are as if
    they were independent.

    Args:
        weights: float64[n], probabilities.
        counts: int64[G], how many draws of each row make up a sample.
        width: The length of rows; draws from `counts` on repeat the first ones.
        random: Draws.

    Returns:
        int64[G, width], from 0 to n - 1.
    """
    steps = np.arange(width) % counts[:, None] + random.uniform(size=(len(counts), 1))
    ends = np.cumsum(weights)
    numbers = np.searchsorted(ends, ends[-1] * steps / counts[:, None], side="right")
    return np.asarray(np.minimum(numbers, len(weights) - 1), dtype=np.int64)


def _iterates(solver: BeliefSolver, chosen: Int64Array) -> list[FloatArray]:
    """The strategies of iterates of a solve in one lane, side by side.

    Args:
        solver: The solve, at its beginning.
        chosen: int64[K], the iterates, from 1.

    Returns:
        float64[slots, K] of each player.
    """
    kept = [np.repeat(strategy, len(chosen), axis=1) for strategy in solver.strategy]
    for iterate in np.unique(chosen).tolist():
        solver.run(iterate - 1 - solver.iteration)
        for strategy, column in zip(solver.strategy, kept, strict=True):
            column[:, chosen == iterate] = strategy
    return kept


def _ranges(region: Region, plans: list[FloatArray], tables: Int64Array) -> LaneRanges:
    """The ranges at the roots of a region that plans lead to, of some tables at each."""
    found = []
    for hands, plan in zip(region.subgames.hands, plans, strict=True):
        comes = plan[hands.sequence[:, None], tables[hands.root]]
        found.append(shares_of(comes, hands.root, len(region.subgames))[0])
    return LaneRanges(found[0], found[1])


def _write(
    region: Region, player: int, played: FloatArray, plan: FloatArray, tables: Int64Array
) -> None:
    """Carry the plans of some tables at each root through the decisions of a region."""
    search = region.search
    plans = search.own[player].plans
    begin = int(np.searchsorted(search.tree.infoset_player, player))
    side, root = region.sides[player], region.root_of[player]
    for place, infoset in enumerate((region.infosets[player] - begin).tolist()):  # parents first
        first, count = int(plans.first[infoset]), int(side.count[place])
        slot, columns = int(side.first[place]), tables[root[place]]
        above = plan[plans.parent[infoset], columns]
        plan[first : first + count, columns] = above * played[slot : slot + count]


def iterate_weights(variant: Variant, iterations: int, *, alternating: bool) -> FloatArray:
    """The share of each iterate in the average strategy.

    Args:
        variant: The variant of CFR.
        iterations: How many there are.
        alternating: Whether an iteration updates one player alone.

    Returns:
        float64[iterations], which add up to 1.
    """
    shares = np.zeros(iterations)
    kept = 1.0
    for k in range(iterations - 1, -1, -1):
        t = k // 2 + 1 if alternating else k + 1
        row = variant.coefficients(t, iterations)
        shares[k] = kept * row.weight
        last = not alternating or k % 2 == 0
        kept *= row.decay if last else 1.0
    total = shares.sum()
    return np.asarray(shares / total if total > 0.0 else np.full(iterations, 1.0 / iterations))
