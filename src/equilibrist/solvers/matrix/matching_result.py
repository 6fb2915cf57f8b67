"""What regret matching records of a step, and what a run comes to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from equilibrist.typing import FloatArray

ByAction: TypeAlias = dict[str, float]
"""One number per action, by the action's name."""


@dataclass(frozen=True)
class MatchingStep:
    """What happened in one iteration; tuples have one entry per player."""

    iteration: int
    actions: tuple[str, ...] | None
    """What was played; None where expected values over the strategies were taken."""
    strategy: tuple[ByAction, ...]
    """The strategies of this iteration."""
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
    """A run of regret matching; tuples have one entry per player."""

    game: str
    iterations: int
    plus: bool
    sampled: bool
    seed: int | None
    average_strategy: tuple[ByAction, ...]
    """The mean of the mixed strategies over all iterations."""
    current_strategy: tuple[ByAction, ...]
    average_payoffs: tuple[float, ...]
    average_regrets: tuple[ByAction, ...]
    """R^T / T: per action, how much better it would have done, per iteration, played always."""
    bound_average_regret: tuple[float, ...]
    """Delta * sqrt(A / T), the theorem's bound on R^T / T: certain for expected-value play, and
    on the mean over seeds for sampled play. Delta: the width of the player's payoffs."""
    joint_play: FloatArray
    """The distribution over joint actions, shape [actions of player 0, ..., of player n-1]."""
    trace: tuple[MatchingStep, ...]
    """The first iterations, as many as were asked for."""

    @property
    def cce_gap(self) -> float:
        """The joint play is a coarse correlated equilibrium up to this much, in payoff units.

        It is the largest positive entry of `average_regrets`, measured and not estimated.
        """
        return max(0.0, *(max(r.values()) for r in self.average_regrets))


def _list(numbers: ByAction) -> str:
    return ", ".join(f"{name} {x:.4g}" for name, x in numbers.items())
