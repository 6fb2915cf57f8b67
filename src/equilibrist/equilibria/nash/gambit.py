"""Trees of any number of players, as Gambit solves them by pygambit (extra `gambit`)."""

from __future__ import annotations

from math import comb, prod
from typing import Any, Final

import numpy as np

from equilibrist.equilibria.nash.candidates import (
    Candidates,
    distinct,
    need_at_most,
    need_two,
)
from equilibrist.evaluation.plans import count_plans
from equilibrist.evaluation.sequences import Sequences
from equilibrist.interop.gambit import from_profile, to_gambit
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree

MOST_BASES: Final = 20_000
"""For `gambit-enummixed`: ways to choose as many plans as player 0 has out of those of both."""
MOST_SUPPORTS: Final = 20_000
"""For `gambit-enumpoly`: ways to choose which actions are in use at all infosets."""
MOST_SEQUENCES: Final = 1_000
"""For `gambit-lcp`, which pivots in rational numbers."""


def enummixed(tree: GameTree) -> Candidates:
    """Two players: all extreme equilibria, by the vertices of both polytopes of best replies.

    Raises:
        ConfigError: pygambit is not installed.
        UnsupportedError: There are not two players, or too many plans.
        RecallError: The game has imperfect recall.
    """
    method = "gambit-enummixed"
    need_two(tree, method)
    way = "use --method gambit-lcp, which finds one equilibrium"
    need_at_most(tree, method, "bases", _bases(tree), MOST_BASES, way)
    claim = "these are all extreme equilibria; every other one mixes plans of some of these"
    game = to_gambit(tree)
    found = _solver().enummixed_solve(game).equilibria
    return Candidates(
        "enumeration of extreme equilibria (Gambit, enummixed)",
        claim,
        _strategies(tree, [profile.as_behavior() for profile in found]),
    )


def enumpoly(tree: GameTree) -> Candidates:
    """Any number of players: all supports, one system of polynomial equations for each.

    Raises:
        ConfigError: pygambit is not installed.
        UnsupportedError: There are too many supports.
        RecallError: The game has imperfect recall.
    """
    way = "use a smaller game, or for two players --method gambit-lcp"
    need_at_most(tree, "gambit-enumpoly", "supports", _supports(tree), MOST_SUPPORTS, way)
    Sequences.of(tree)  # refuses imperfect recall
    found = _solver().enumpoly_solve(to_gambit(tree)).equilibria
    claim = "supports on which infinitely many profiles solve the equations are left out"
    return Candidates(
        "enumeration of supports (Gambit, enumpoly)", claim, _strategies(tree, list(found))
    )


def lcp(tree: GameTree) -> Candidates:
    """Two players: one equilibrium, by Lemke's algorithm on the sequence form.

    Raises:
        ConfigError: pygambit is not installed.
        UnsupportedError: There are not two players, or too many sequences.
        RecallError: The game has imperfect recall.
    """
    method = "gambit-lcp"
    need_two(tree, method)
    count = int(tree.action_offset[-1])
    way = "solve it by CFR if it has a constant sum (equilibrist solve)"
    need_at_most(tree, method, "sequences", count, MOST_SEQUENCES, way)
    Sequences.of(tree)
    found = _solver().lcp_solve(to_gambit(tree)).equilibrium
    return Candidates(
        "linear complementarity in sequence form (Gambit, lcp)",
        "one equilibrium; there may be others",
        _strategies(tree, [found]),
    )


def best_of_gambit(tree: GameTree) -> Candidates:
    """All extreme equilibria where the game is small enough, else what Gambit can find.

    Raises:
        ConfigError: pygambit is not installed.
        UnsupportedError: The game is too large.
        RecallError: The game has imperfect recall.
    """
    if tree.num_players != 2:
        return enumpoly(tree)
    return enummixed(tree) if _bases(tree) <= MOST_BASES else lcp(tree)


def _bases(tree: GameTree) -> int:
    sequences = Sequences.of(tree)
    rows, columns = (count_plans(sequences, player) for player in (0, 1))
    return comb(rows + columns, rows) if max(rows, columns) < 10_000 else 10**12


def _supports(tree: GameTree) -> int:
    return prod(2 ** len(legal) - 1 for legal in tree.action_labels)


def _strategies(tree: GameTree, profiles: list[Any]) -> tuple[Strategy, ...]:
    found = [from_profile(tree, profile) for profile in profiles]
    kept = distinct([np.asarray(one.probabilities) for one in found])
    return tuple(found[k] for k in kept.tolist())


def _solver() -> Any:
    import pygambit.nash  # `to_gambit` says that it is missing

    return pygambit.nash
