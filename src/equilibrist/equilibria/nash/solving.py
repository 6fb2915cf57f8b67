"""All equilibria that a method finds, each verified by best responses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from equilibrist.equilibria.nash.candidates import Candidates
from equilibrist.equilibria.nash.gambit import best_of_gambit, enummixed, enumpoly, lcp
from equilibrist.equilibria.nash.quantecon import lemke_howson, support_enumeration
from equilibrist.errors import UnknownNameError
from equilibrist.evaluation import Evaluation, evaluate
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import ROUNDING, GameTree, checked_tree
from equilibrist.tree.payoff_scale import PayoffScale

METHODS: Final[dict[str, Callable[[GameTree], Candidates]]] = {
    "lemke-howson": lemke_howson,
    "support-enumeration": support_enumeration,
    "gambit": best_of_gambit,
    "gambit-enummixed": enummixed,
    "gambit-enumpoly": enumpoly,
    "gambit-lcp": lcp,
}
"""The methods by name."""

TOLERANCE: Final = 1e-8
"""What a player may gain at most, as a share of the payoffs that the profile meets.

It is no more than that share of the range of the player's own payoffs.
"""
NOTHING: Final = "every finite game has an equilibrium, but the method found none"


@dataclass(frozen=True)
class NashEquilibrium:
    """A profile in which no player gains by deviating.

    Attributes:
        strategy: The profile.
        evaluation: Its values, and the gains of best responses, which are 0 but for rounding.
    """

    strategy: Strategy
    evaluation: Evaluation


@dataclass(frozen=True)
class NashEquilibria:
    """Equilibria of a game, as one method finds them.

    Attributes:
        tree: The compiled game.
        method: How they were found, in full.
        claim: What the method says about equilibria that it did not find.
        equilibria: The equilibria; sorted by welfare, the sum of all values, the largest first.
        rejected: How many profiles were found in which somebody gains more than `tolerance`.
        tolerance: The largest gain accepted, in payoff units: of those in `equilibria`. It is less
            for players whose own payoffs have a smaller range.
        interrupted: Whether Ctrl-C ended the search: then there may be more.
    """

    tree: GameTree
    method: str
    claim: str
    equilibria: tuple[NashEquilibrium, ...]
    rejected: int
    tolerance: float
    interrupted: bool = False


def nash_equilibria(tree: GameTree, method: str = "gambit") -> NashEquilibria:
    """Find Nash equilibria of a small game: any payoffs, no need of a constant sum.

    Other programs find them; each profile is then measured by this package's best responses, and
    left out if a player gains by deviating.

    Args:
        tree: The compiled game.
        method: `lemke-howson` and `support-enumeration` are QuantEcon's, for two players, on the
            table of reduced plans. `gambit-enummixed` (two players, all extreme equilibria),
            `gambit-enumpoly` (any number of players) and `gambit-lcp` (two players, one
            equilibrium, larger trees) are Gambit's; `gambit` takes the one that suits the game.

    Returns:
        The equilibria; after Ctrl-C those that were found so far.

    Raises:
        UnknownNameError: There is no such method.
        ConfigError: The package that it needs is not installed.
        UnsupportedError: The method is not for so many players, or the game is too large for it.
        RecallError: The game has imperfect recall.
        KeyboardInterrupt: Ctrl-C, before one was found.
    """
    checked_tree(tree)
    if method not in METHODS:
        raise UnknownNameError("method", method, tuple(METHODS))
    candidates = METHODS[method](tree)
    scale = PayoffScale(tree)
    measured = [NashEquilibrium(profile, evaluate(profile)) for profile in candidates.profiles]
    by_player = [
        np.maximum(
            TOLERANCE * np.minimum(scale.at(profile.probabilities), tree.payoff_ranges),
            ROUNDING * tree.payoff_sizes,
        )
        for profile in candidates.profiles
    ]
    gains = [equilibrium.evaluation.gains for equilibrium in measured]
    passed = [bool((np.array(g) <= a).all()) for g, a in zip(gains, by_player, strict=True)]
    tolerances = [float(accepted.max()) for accepted in by_player]
    kept = [equilibrium for equilibrium, good in zip(measured, passed, strict=True) if good]
    verified = [accepted for accepted, good in zip(tolerances, passed, strict=True) if good]
    unit = tree.payoff_range or 1.0
    kept.sort(key=lambda equilibrium: -round(sum(equilibrium.evaluation.values) / unit, 9))
    rejected = len(measured) - len(kept)
    return NashEquilibria(
        tree,
        candidates.method,
        _claim(candidates, any_verified=bool(kept)),
        tuple(kept),
        rejected,
        max(verified or tolerances, default=tree.rounding),
        candidates.interrupted,
    )


def _claim(candidates: Candidates, *, any_verified: bool) -> str:
    if candidates.interrupted:
        return "the search was ended before it was complete; there may be others"
    return candidates.claim if any_verified else NOTHING
