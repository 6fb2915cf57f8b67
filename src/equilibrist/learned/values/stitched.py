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

from collections.abc import Callable

import numpy as np

from equilibrist.learned.values.region import Region
from equilibrist.learned.values.solver import BeliefSolver, LaneRanges, RegionValues
from equilibrist.search import SearchGame
from equilibrist.solvers.variants.variant import Variant
from equilibrist.strategy import Strategy
from equilibrist.typing import FloatArray, Int64Array

ValuesFor = Callable[[Region, int], RegionValues]
"""From a region with leaves and a number of lanes, what the hands at its leaves are worth."""

LEAST_MASS = 1e-200
"""A range of less than this in all counts as none: play starts there with every hand."""


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
    plans = [np.ones((own[p].plans.size, lanes)) for p in range(2)]
    weights = iterate_weights(variant, iterations, alternating=alternating)
    random = np.random.default_rng(np.random.SeedSequence((seed, 40)))
    roots: tuple[int, ...] = (0,)
    while roots:
        region = Region.of(search, roots, depth)
        ranges = ranges_of(region, plans)
        chosen = None
        if tables:
            shape = (len(region.subgames), lanes)
            chosen = 1 + random.choice(iterations, size=shape, p=weights)
        same = roots == (0,)  # all tables begin alike: one lane is solved for all
        solver = BeliefSolver(
            region,
            LaneRanges(ranges.first[:, :1], ranges.second[:, :1]) if same else ranges,
            None if region.leaves is None else values(region, 1 if same else lanes),
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
            _write(region, player, played[player], plans[player])
        roots = () if region.leaves is None else region.leaves.nodes
        if tell is not None:
            tell(depth)
    probabilities = np.zeros(int(search.tree.action_offset[-1]))
    for player in range(2):
        mean = plans[player].mean(axis=1)
        probabilities[own[player].flat] = own[player].plans.behaviour(mean, 0.0)
    return Strategy(search.tree, probabilities)


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


def ranges_of(region: Region, plans: list[FloatArray]) -> LaneRanges:
    """The ranges at the roots of a region that plans lead to, each divided by its sum.

    Args:
        region: The region.
        plans: float64[n, K] of each player, own reach of its sequences.

    Returns:
        The ranges; every hand comes alike where a plan does not lead there.
    """
    ranges = []
    for hands, plan in zip(region.subgames.hands, plans, strict=True):
        comes = plan[hands.sequence]
        mass = np.zeros((len(region.subgames), comes.shape[1]))
        np.add.at(mass, hands.root, comes)
        gone = mass < LEAST_MASS
        share = comes / np.where(gone, 1.0, mass)[hands.root]
        count = np.bincount(hands.root, minlength=len(mass))[hands.root]
        ranges.append(np.where(gone[hands.root], 1.0 / count[:, None], share))
    return LaneRanges(ranges[0], ranges[1])


def _write(region: Region, player: int, played: FloatArray, plan: FloatArray) -> None:
    """Carry a plan through the decisions of a region."""
    search = region.search
    plans = search.own[player].plans
    begin = int(np.searchsorted(search.tree.infoset_player, player))
    side = region.sides[player]
    for place, infoset in enumerate((region.infosets[player] - begin).tolist()):  # parents first
        first, count = int(plans.first[infoset]), int(side.count[place])
        slot = int(side.first[place])
        above = plan[plans.parent[infoset]]
        plan[first : first + count] = above * played[slot : slot + count]


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
