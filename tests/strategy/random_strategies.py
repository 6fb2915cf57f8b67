"""Strategies at random, with many exact zeros, to try laws on."""

from __future__ import annotations

import numpy as np

from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree


def random_strategy(tree: GameTree, seed: int) -> Strategy:
    """Random probabilities, half of them exactly 0, at least one positive per infoset."""
    generator = np.random.default_rng(seed)
    rows = []
    for labels in tree.action_labels:
        row = generator.random(len(labels)) * generator.integers(0, 2, len(labels))
        row[generator.integers(len(labels))] += 0.1
        rows.append(row / row.sum())
    return Strategy(tree, np.concatenate(rows) if rows else np.zeros(0))
