"""The result of regret matching, and its record of each step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from equilibrist.formatting.brief import brief_repr
from equilibrist.typing import FloatArray

ByAction: TypeAlias = dict[str, float]
"""One number per action, by the action's name."""


@dataclass(frozen=True)
class MatchingStep:
    """What happened in one iteration; tuples have one entry per player.

    Attributes:
        iteration: The number of the iteration.
        actions: What was played; None where expected values over the strategies were taken.
        strategy: The strategies of this iteration.
        payoffs: What they earned.
        instant_regrets: The instantaneous regrets of this iteration.
        cumulative_regrets: Those of all iterations so far.
        next_strategy: The strategies of the next iteration.
    """

    iteration: int
    actions: tuple[str, ...] | None
    strategy: tuple[ByAction, ...]
    payoffs: tuple[float, ...]
    instant_regrets: tuple[ByAction, ...]
    cumulative_regrets: tuple[ByAction, ...]
    next_strategy: tuple[ByAction, ...]

    def __str__(self) -> str:
        lines = []
        for i, payoff in enumerate(self.payoffs):
            how = "expects" if self.actions is None else f"played {self.actions[i]} for"
            lines += [
                f"iteration {self.iteration}, player {i} {how} {payoff:g}",
                f"  regrets now   {_list(self.instant_regrets[i])}",
                f"  regrets total {_list(self.cumulative_regrets[i])}",
                f"  plays next    {_list(self.next_strategy[i])}",
            ]
        return "\n".join(lines)


@dataclass(frozen=True, eq=False)
class MatchingResult:
    """A run of regret matching; tuples have one entry per player.

    Attributes:
        game: The game.
        iterations: How many iterations ran.
        plus: Whether negative regrets were dropped.
        sampled: Whether actions were drawn.
        seed: What fixed the draws; None if nothing was drawn.
        average_strategy: The mean of the mixed strategies over all iterations.
        current_strategy: The strategies of the next iteration.
        average_payoffs: What was earned per iteration.
        average_regrets: R^T / T: per action, how much better it would have done, per iteration,
            played always.
        bound_average_regret: Delta * sqrt(A / T), the theorem's bound on R^T / T: certain for
            expected-value play, and on the mean over seeds for sampled play. Delta: the width of
            the player's payoffs.
        joint_play: float64[actions of player 0, ..., actions of player n-1]: the distribution over
            joint actions.
        trace: The first iterations, as many as were asked for.
    """

    game: str
    iterations: int
    plus: bool
    sampled: bool
    seed: int | None
    average_strategy: tuple[ByAction, ...]
    current_strategy: tuple[ByAction, ...]
    average_payoffs: tuple[float, ...]
    average_regrets: tuple[ByAction, ...]
    bound_average_regret: tuple[float, ...]
    joint_play: FloatArray
    trace: tuple[MatchingStep, ...]

    def __repr__(self) -> str:
        return brief_repr(self)

    @property
    def cce_gap(self) -> float:
        """The joint play is a coarse correlated equilibrium up to this much, in payoff units.

        It is the largest positive entry of `average_regrets`, measured and not estimated.
        """
        return max(0.0, *(max(r.values()) for r in self.average_regrets))


def _list(numbers: ByAction) -> str:
    return ", ".join(f"{name} {x:.4g}" for name, x in numbers.items())
