"""Defaults that Python functions and the help texts of commands have in common."""

from __future__ import annotations

from typing import Final

TRUST: Final = 0.8
"""How far observed frequencies are trusted at most, as a probability."""
FULL_AT: Final = 10.0
"""Observations from which on frequencies are trusted that far."""
TREMBLE: Final = 1e-3
"""The least probability of opponents' actions, for responses that are optimal everywhere."""
SUBSTITUTE_ITERATIONS: Final = 1_000
"""Iterations of CFR+ where there is no linear programme for a graft or an abstraction."""
TRANSLATION: Final = "pseudo-harmonic"
"""How bets that an abstraction leaves out are translated."""
CONCEPT: Final = "efce"
"""The concept of correlated equilibrium."""
OBJECTIVE: Final = "welfare"
"""What a correlated equilibrium is best for."""
PROGRAMME: Final = "lp"
"""The linear programme of a correlated equilibrium: the smaller of the two that fits."""
DOMINATED_BY: Final = "mixed"
"""The plans by which plans may be dominated."""
DUPLICATE_DEALS: Final = 1_000_000
"""Duplicate deals of strategies that were found without a tree."""
CHALLENGE_PROTOCOLS: Final = ("slumbot", "gtowizard")
"""The calls of servers that bots play against."""
UNIFORM: Final = "uniform"
"""What is typed in place of a file for play that takes every action alike."""
FIXED_OPPONENTS: Final = ("fold", "call", "raise", "random", "all-in")
"""Opponents that play by a simple rule, wherever actions have the names of poker."""
STACKS_WITHIN: Final = 1.5
"""By which factor stacks of a played hand may differ from those of a solution that judges it."""
FLOP_BETS: Final = "50%|66%|75%"
"""Bet sizes of flops that are solved to review hands, beside those of the hands."""
FLOP_RAISES: Final = "3x||"
"""Raise sizes of such flops."""
