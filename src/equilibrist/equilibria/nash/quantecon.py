"""Two players by their payoff tables, as QuantEcon solves them (extra `quantecon`)."""

from __future__ import annotations

from math import comb
from typing import Any, Final

import numpy as np

from equilibrist.equilibria.nash.candidates import (
    Candidates,
    behaviour_of,
    distinct,
    need_at_most,
    need_two,
    until_interrupted,
)
from equilibrist.equilibria.nash.rescaled import rescaled
from equilibrist.errors import ConfigError
from equilibrist.evaluation.plans import count_plans, enumerate_plans
from equilibrist.evaluation.reduced_form import reduced_normal_form
from equilibrist.evaluation.sequences import Sequences
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree
from equilibrist.typing import FloatArray

MOST_PLANS: Final = 400
"""The most plans of both players for Lemke-Howson: one path of pivots starts at each of them."""
MOST_SUPPORTS: Final = 5_000_000
"""The most pairs of supports of equal size that are tried, about 20 seconds of them."""


def lemke_howson(tree: GameTree) -> Candidates:
    """Complementary pivoting (Lemke and Howson 1964), from every plan in turn as the first label.

    Raises:
        ConfigError: QuantEcon is not installed.
        UnsupportedError: There are not two players, or too many plans.
        RecallError: The game has imperfect recall.
    """
    method = "lemke-howson"
    need_two(tree, method)
    package = _import_quantecon()
    labels = sum(_plan_counts(tree))
    way = "use --method gambit-lcp, which needs no plans"
    need_at_most(tree, method, "plans", labels, MOST_PLANS, way)
    game = _table(tree, package)
    paths = (
        package.lemke_howson(game, init_pivot=label, full_output=True) for label in range(labels)
    )
    mixtures, interrupted = until_interrupted(mixed for mixed, run in paths if run.converged)
    claim = f"a path from one of the {labels} plans leads to each of these; there may be others"
    return Candidates("Lemke-Howson (QuantEcon)", claim, _strategies(tree, mixtures), interrupted)


def support_enumeration(tree: GameTree) -> Candidates:
    """All pairs of supports of equal size, one system of linear equations for each.

    Raises:
        ConfigError: QuantEcon is not installed.
        UnsupportedError: There are not two players, or too many pairs of supports.
        RecallError: The game has imperfect recall.
    """
    method = "support-enumeration"
    need_two(tree, method)
    package = _import_quantecon()
    rows, columns = _plan_counts(tree)
    # The sum over k >= 1 of (rows over k) times (columns over k), by Vandermonde.
    supports = comb(rows + columns, rows) - 1 if max(rows, columns) < 10_000 else 10**12
    way = "use --method lemke-howson"
    need_at_most(tree, method, "supports", supports, MOST_SUPPORTS, way)
    enumeration = package.support_enumeration_gen(_table(tree, package))
    mixtures, interrupted = until_interrupted(enumeration)
    claim = (
        "all of them, unless the game is degenerate (a mixture of k plans has more than k best "
        "replies, as is usual in trees); then there may be others"
    )
    profiles = _strategies(tree, mixtures)
    return Candidates("support enumeration (QuantEcon)", claim, profiles, interrupted)


def _plan_counts(tree: GameTree) -> tuple[int, int]:
    sequences = Sequences.of(tree)
    return count_plans(sequences, 0), count_plans(sequences, 1)


def _table(tree: GameTree, package: Any) -> Any:
    payoffs = reduced_normal_form(rescaled(tree)).payoffs
    rows, columns = payoffs[..., 0], payoffs[..., 1].T
    players = [package.Player(np.ascontiguousarray(own)) for own in (rows, columns)]
    return package.NormalFormGame(players)


def _strategies(
    tree: GameTree, mixtures: list[tuple[FloatArray, FloatArray]]
) -> tuple[Strategy, ...]:
    sequences = Sequences.of(tree)
    plans = [enumerate_plans(sequences, player) for player in (0, 1)]
    profiles = [
        np.concatenate([behaviour_of(tree, plans[p], np.asarray(pair[p])) for p in (0, 1)])
        for pair in mixtures
    ]
    return tuple(Strategy(tree, profiles[k]) for k in distinct(profiles).tolist())


def _import_quantecon() -> Any:
    """The module `quantecon.game_theory`; ConfigError that names the extra without it."""
    try:
        from quantecon import game_theory
    except ImportError:
        raise ConfigError(
            "this method needs the package quantecon, which is not installed",
            option="package",
            given="quantecon",
            remedy='pip install "equilibrist[quantecon]", or use --method gambit',
        ) from None
    return game_theory
