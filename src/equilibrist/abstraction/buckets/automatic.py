"""`auto(k)`: buckets of infosets whose actions earn alike after a few iterations of CFR.

After Boning Li and Longbo Huang, "Effective, efficient, and general information abstraction for
imperfect-information extensive-form games", arXiv 2605.10900, 2026, who cluster the expected
values of hands after 10 iterations by k-means++. Here what is clustered is the expected value of
each action at one infoset, each hand counted by how often it is dealt; the values of one hand at
several decisions are not combined.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from equilibrist.abstraction.abstraction import Abstraction
from equilibrist.abstraction.arguments import Arguments
from equilibrist.abstraction.buckets.kmeans import cluster
from equilibrist.abstraction.buckets.lines import Lines
from equilibrist.abstraction.source import infosets_of, keys_of_groups
from equilibrist.evaluation.infosets import infoset_values
from equilibrist.parsing.arguments import whole_number
from equilibrist.solvers.full_traversal.cfr import CFR
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree, checked_tree
from equilibrist.tree.payoff_scale import PayoffScale
from equilibrist.typing import Int64Array

ITERATIONS = 10
"""Iterations of CFR after which values are taken, unless told otherwise."""


def automatic_buckets(
    tree: GameTree, k: int, *, seed: int = 0, iterations: int = ITERATIONS
) -> Abstraction:
    """Merge infosets of one line whose actions earn alike.

    Whenever chance has dealt, the infosets that follow one abstract action on one line are put
    into at most k buckets; until it deals again, what is in one bucket stays there. Recall is
    perfect.

    Args:
        tree: A compiled game of perfect recall.
        k: Buckets per line and bucket before, at least 1.
        seed: The seed of the starts of k-means.
        iterations: Iterations of CFR, whose average strategy gives the values; with 0 the uniform
            strategy does.

    Returns:
        The abstraction.

    Raises:
        RecallError: The game has imperfect recall.
        ConfigError: A number is too small, or `tree` is no compiled game.
    """
    checked_tree(tree)
    whole_number("k", k, 1)
    whole_number("seed", seed, 0)
    whole_number("iterations", iterations, 0)
    lines = Lines.of(tree)
    play = _average(tree, iterations)
    scale = PayoffScale(tree).at(play.probabilities) or 1.0
    values = infoset_values(play)
    reach = values.counterfactual_reach
    counts = np.diff(tree.action_offset)
    earned = values.cf_action_value / np.repeat(np.where(reach > 0.0, reach, 1.0), counts)
    group = np.full(tree.num_infosets, -1, dtype=np.int64)
    num_groups = 0
    for members in _together(tree, lines, group):
        buckets = np.zeros(len(members), dtype=np.int64)
        if lines.dealt[members].any():
            width = int(counts[members[0]])
            flat = tree.action_offset[members][:, None] + np.arange(width)
            # Rounded, so that hands alike but for rounding errors are the same point.
            points = np.round(earned[flat] / scale, 9)
            buckets = cluster(points, reach[members], k, seed)
        group[members] = num_groups + buckets
        num_groups += int(buckets.max(initial=-1)) + 1
    return Abstraction(tree, group, name=f"auto({k})")


def _average(tree: GameTree, iterations: int) -> Strategy:
    if iterations == 0:
        return Strategy.uniform(tree)
    solver = CFR(tree, threads=1)
    solver.run(iterations)
    return solver.average_strategy()


def _together(tree: GameTree, lines: Lines, group: Int64Array) -> Iterator[Int64Array]:
    """Infosets on one line after one abstract action, from the root on; `group` is filled in.

    What comes is grouped by `group` of the infosets above, so the caller writes it between.
    """
    infoset_of = np.repeat(np.arange(tree.num_infosets), np.diff(tree.action_offset))
    depth = np.zeros(tree.num_infosets, dtype=np.int64)
    above = np.where(lines.parent >= 0, infoset_of[lines.parent], -1)
    here = above.copy()
    while (here >= 0).any():
        depth += here >= 0
        here = np.where(here >= 0, above[here], -1)
    for level in range(int(depth.max(initial=0)) + 1):
        infosets = np.flatnonzero(depth == level)
        before = np.full(len(infosets), -1, dtype=np.int64)
        if level:
            flat = lines.parent[infosets]
            action = flat - tree.action_offset[above[infosets]]
            # An abstract infoset has fewer actions than the game has in all.
            before = group[above[infosets]] * int(tree.action_offset[-1]) + action
        pairs = np.stack((before, lines.line[infosets]))
        _, place = np.unique(pairs, axis=1, return_inverse=True)
        order = np.argsort(place.reshape(-1), kind="stable")
        cuts = np.flatnonzero(np.diff(place.reshape(-1)[order])) + 1
        yield from np.split(infosets[order], cuts)


def auto_keys(tree: GameTree, player: int, arguments: Arguments) -> Sequence[str]:
    """`auto(3)`: at most 3 buckets whenever chance has dealt, by what the actions earn."""
    options = arguments.read("k", "seed", "iterations")
    k = arguments.whole(options, "k", 1)
    seed = arguments.whole(options, "seed", 0) if "seed" in options else 0
    iterations = (
        arguments.whole(options, "iterations", 0) if "iterations" in options else ITERATIONS
    )
    abstraction = automatic_buckets(tree, k, seed=seed, iterations=iterations)
    return keys_of_groups(tree, player, abstraction.abstract_of[infosets_of(tree, player)])
