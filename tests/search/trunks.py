"""Games, root sets and trunks of the tests of search."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

import numpy as np

import equilibrist as eq
from equilibrist.abstraction import Abstraction
from equilibrist.abstraction.merging import merged_tree
from equilibrist.search import METHODS, SearchGame, Subgames

LEDUC = "leduc(suit_isomorphism=true)"
DICE = "liars_dice(sides=3)"
ROOTS = {
    "five": (LEDUC, "before chance"),
    "fifteen": (LEDUC, "after chance"),
    "one bid": (DICE, "after move 1"),
    "two bids": (DICE, "after move 2"),
}
"""Root sets by name: Leduc before and after the board, liar's dice after bids."""
SAFE = [name for name, method in METHODS.items() if method.is_safe] + ["max-margin(scale=raw)"]
ROUNDING = 5e-9
"""By how much a linear programme may let a seat's loss rise."""


def playable(cases: Iterable[Any]) -> list[Any]:
    """The cases of roots and kinds of trunks but for textures of boards in games without boards."""
    kept = []
    for case in cases:
        roots, kind = getattr(case, "values", case)
        if kind != "texture" or ROOTS[roots][0] == LEDUC:
            kept.append(case)
    return kept


@cache
def search_game(game: str) -> SearchGame:
    return SearchGame.of(eq.compile_game(game))


@cache
def subgames(roots: str) -> Subgames:
    """The subgames of a root set."""
    game, where = ROOTS[roots]
    return Subgames.of(search_game(game), where)


@cache
def trunk(game: str, kind: str) -> eq.Strategy:
    """A trunk: `uniform`, `lp`, `texture`, an algorithm and iterations, or noise on `lp`."""
    tree = search_game(game).tree
    if kind == "uniform":
        return eq.Strategy.uniform(tree)
    if kind == "lp":
        return eq.solve(tree, "lp").strategy
    if kind == "texture":
        return texture(tree)
    if kind == "pure":
        return eq.Strategy.first_action(tree)
    name, number = kind.split()
    if name == "noise":
        return noisy(trunk(game, "lp"), float(number))
    if name == "random":
        counts = np.diff(tree.action_offset)
        draws = np.random.default_rng(int(number)).exponential(size=int(counts.sum()))
        totals = np.add.reduceat(draws, tree.action_offset[:-1])
        return eq.Strategy(tree, draws / np.repeat(totals, counts))
    return eq.solve(tree, name, iterations=int(number)).strategy


def noisy(strategy: eq.Strategy, share: float) -> eq.Strategy:
    """A mixture, infoset by infoset, with play drawn at random."""
    tree = strategy.tree
    counts = np.diff(tree.action_offset)
    draws = np.random.default_rng(7).exponential(size=int(counts.sum()))
    totals = np.add.reduceat(draws, tree.action_offset[:-1])
    other = draws / np.repeat(totals, counts)
    return eq.Strategy(tree, (1.0 - share) * strategy.probabilities + share * other)


def texture(tree: eq.GameTree) -> eq.Strategy:
    """An equilibrium of players who do not tell all boards apart.

    Whoever holds a J cannot tell Q from K on the board, whoever holds a K cannot tell J from Q.
    """
    unclear = {"J": "QK", "K": "JQ", "Q": ""}
    keys = {}
    for key in tree.infoset_keys:
        before, board, rest = key.partition("/")
        if board and rest[0] in unclear[key[0]]:
            keys[key] = f"{before}/?{rest[1:]}"
    abstraction = Abstraction.from_keys(tree, keys)
    assert abstraction.num_infosets == 228
    return abstraction.lift(eq.solve(merged_tree(abstraction), "lp").strategy)
