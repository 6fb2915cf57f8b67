"""What samplers calculate, as formulas: commands, documents and documentation take them from here.

h is a history, i the traverser, I an infoset; sigma what is played; pi_j(h) player j's part of the
probability of h, pi_c(h) chance's, pi_-i(h) that of chance and all but i; q(a) the probability that
the move a is walked, q(h) the product of all q on the way to h, x(h) that of i's own; z an end.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

SYMBOLS: Final = (
    ("h, z", "a history, an end of the game"),
    ("i", "the traverser, whose regrets R are updated"),
    ("sigma(a)", "how often the player to move plays a"),
    ("pi_j(h)", "player j's part of the probability of h; pi_c(h) that of chance"),
    ("pi_-i(h)", "the part of chance and of all players but i"),
    ("q(a)", "the probability that the move a is walked"),
    ("q(h)", "that the sample comes to h: the product of all q(a) on the way"),
    ("x(h)", "the product of the traverser's own q(a) on the way"),
    ("u(h), u(a)", "the traverser's utility, estimated: of h, and after the move a"),
)
"""The symbols in formulas, and what they mean."""


@dataclass(frozen=True)
class SamplerFormulas:
    """What a sampler draws, and what it makes of it; `SYMBOLS` has the symbols.

    Attributes:
        own: What is walked where the traverser decides, and with what probability q.
        others: What is walked where chance or another player decides, and with what probability q.
        weight: What a visit of h counts.
        estimate: How the moves are valued.
        regret: What is added to R at the traverser's decisions.
        averages: By the name of an average what is added to the strategy sums S, and where.
        parameters: The meaning of each parameter, by name.
    """

    own: str
    others: str
    weight: str
    estimate: str
    regret: str
    averages: dict[str, str]
    parameters: dict[str, str] = field(default_factory=dict)


DRAWN: Final = "one, as it is played: q(a) = sigma(a)"
WEIGHTED: Final = "u(a) = u(h a) / q(a) if a was walked, else 0; u(h) = sum of sigma(a) u(a)"
ALL_OR_ONE: Final = (
    "own: u(a) = u(h a), u(h) = sum of sigma(a) u(a); elsewhere u(h) is that of the drawn move"
)
BASELINE: Final = (
    "what a move that was not drawn is taken to be worth: none (0), learned (a running mean by "
    "history) or oracle (exact); with b(a) an estimate is b(a) + (u(h a) - b(a)) / q(a) if a was "
    "drawn, else b(a)"
)
PRUNE: Final = (
    "skip own actions with R < -prune in 95 % of the traversals, unless they are played or end the "
    "game; what the others find there counts 20 times; in units of payoff, none by default"
)
OTHERS_PLAIN: Final = "S(a) += sigma(a) where another player decides"
OTHERS_DIVIDED: Final = "S(a) += sigma(a) / x(h) where another player decides"
OWN_REACH: Final = "S(a) += pi_i(h) sigma(a) where the traverser decides"
WEIGHTED_SAMPLER: Final = SamplerFormulas(
    own="what `choose` says, with its probabilities q",
    others="the same",
    weight="w(h) = pi_-i(h) / q(h)",
    estimate=WEIGHTED,
    regret="R(a) += w(h) (u(a) - u(h))",
    averages={
        "stochastic": "S(a) += pi_j(h) pi_c(h) / q(h) sigma(a) where another player j decides",
        "own-reach": "S(a) += pi_i(h) pi_c(h) / q(h) sigma(a) where the traverser decides",
    },
)
"""Those of samplers of one's own."""
