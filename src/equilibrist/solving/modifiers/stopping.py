"""When a run on a tree stops, and what is done where a few payoffs dwarf all others."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from typing import Final

from equilibrist.parsing.arguments import bad_argument
from equilibrist.progress import Callbacks
from equilibrist.solvers.full_traversal.base import FullTraversals
from equilibrist.solvers.pruning.pruned_cfr import PrunedCFR
from equilibrist.solvers.run.stopping import StopRule
from equilibrist.solvers.run.trace import Measured
from equilibrist.solvers.variants.variant import Variant
from equilibrist.solving.config import (
    DEFAULT_ITERATIONS,
    DEFAULT_TARGET_SHARE,
    SAMPLING_ITERATIONS,
    SAMPLING_TARGET_SHARE,
    SolveConfig,
)
from equilibrist.solving.modifiers import watched_play
from equilibrist.solving.modifiers.warm_start import warm_state
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree
from equilibrist.tree.payoff_scale import FAR, PayoffScale, PayoffsInPlay

SCOUTING: Final = 64
"""Iterations after which far payoffs have been found, and actions that earn them are left alone."""

_MOST_ROUNDS: Final = 8
"""How often that is repeated at most, for penalties far from each other."""


def default_limits(config: SolveConfig) -> tuple[float, int]:
    """The share of the scale of payoffs to reach, and the most iterations, without other limits."""
    if config.draws:
        return SAMPLING_TARGET_SHARE, SAMPLING_ITERATIONS
    return DEFAULT_TARGET_SHARE, DEFAULT_ITERATIONS


class Stopping:
    """When a run ends.

    Where a few payoffs lie far from all others, the default target is a share of the payoffs that
    the strategy meets: it is another one after each measurement.

    Attributes:
        rule: For the loop.
        notes: Sentences on the limits, known before the run.

    Args:
        tree: The game that is solved.
        config: The options.
        callbacks: Seconds count by their clock.
        full: The game in which strategies are measured, if it is another one.
    """

    def __init__(
        self,
        tree: GameTree,
        config: SolveConfig,
        callbacks: Callbacks,
        full: GameTree | None = None,
    ) -> None:
        """Work out the limits; ConfigError for a target that rounding alone would meet."""
        clock = callbacks.clock
        measured = tree if full is None else full
        zero_sum = tree.num_players == 2 and tree.is_constant_sum
        self._rounding = tree.rounding / 2 if zero_sum and config.measure is None else tree.rounding
        self.scale: PayoffScale | None = None
        self.notes: list[str] = []
        if not config.uses_default_stop:
            _check_target(config.target, self._rounding)
            since, target = clock.counts_from, config.target
            self.rule = StopRule(
                config.iterations, config.seconds, target, since, _pauses(callbacks)
            )
            return
        self._share, iterations = default_limits(config)
        self.scale = PayoffScale(measured)
        self._words = watched_play.measure_words(config, zero_sum)
        self.rule = StopRule(iterations, target=self._share * tree.payoff_range)
        limit = f"{self.rule.target:g} ({self._share:g} of the payoff range)"
        if not self.scale.is_ordinary:
            limit = f"{self._share:g} of the scale of the payoffs in play"
        self.notes.append(
            f"No stopping option was given, so the default holds: until {self._words} is at most "
            f"{limit}, for at most {iterations:,} iterations."
        )

    def follow(self, strategy: Callable[[], Strategy]) -> StopRule:
        """The rule for a run that is under way.

        Args:
            strategy: The strategy that is measured, in the game where it is measured.

        Returns:
            `rule`, with a target that depends on that strategy where payoffs demand it.
        """
        scale = self.scale
        if scale is None or scale.is_ordinary:
            return self.rule

        return replace(
            self.rule, target_of=lambda: self._share * scale.at(strategy().probabilities)
        )

    def notes_after(self, measured: Measured, strategy: Strategy) -> list[str]:
        """Sentences on payoffs that dwarf all others, known after the run."""
        if self.scale is None or self.scale.is_ordinary:
            return []
        span, in_play = self.scale.span, self.scale.in_play(strategy.probabilities)
        target = self._share * in_play.scale
        if in_play.scale >= span and measured.measure <= target:
            return []
        note = f"Payoffs span {span:g}, {_where(in_play, span)}: the target was {target:.3g}."
        if measured.measure > target:
            note += f" It was not reached: {self._words} is {measured.measure:.3g}."
        if self._rounding > target:
            note += (
                f" Next to payoffs so large double precision tells gains below "
                f"{self._rounding:.2g} from 0 only where nobody plays for them."
            )
        return [note]


def _where(in_play: PayoffsInPlay, span: float) -> str:
    """Say where the payoffs are that play meets, after how far all of them are apart."""
    if in_play.scale >= span:
        return "and play still meets some that are far from all others"
    where = f"but each player meets payoffs within {in_play.width:g} of each other"
    if in_play.is_centred:
        where += " once what is expected after the first moves of chance is taken out"
    if in_play.outside > 0.0:
        where += f", but for some whose expected distance from these is {in_play.outside:.2g}"
    return where


def _pauses(callbacks: Callbacks) -> Callable[[], float]:
    return lambda: callbacks.clock.paused


def _check_target(target: float | None, rounding: float) -> None:
    """Refuse a target that rounding alone would meet."""
    if target is not None and target < rounding:
        raise bad_argument(
            "target",
            target,
            f"at least {rounding:.2g}, which double precision tells from 0 with these payoffs",
            remedy="give a larger target, or `iterations`",
        )


def start_beside_far_payoffs(
    solver: FullTraversals,
    scout: Callable[[], FullTraversals | PrunedCFR],
    config: SolveConfig,
    scale: PayoffScale | None,
) -> list[str]:
    """Let a new run start without the actions that a few iterations give up for far payoffs.

    Regrets begin anew there, so that a penalty that the first iterations pay does not stay in them
    for as many iterations as it is times larger than other payoffs. None of those played begins
    at 0: regret matching, which plays uniformly where no regret is positive, then never does again.
    Runs with a given number of iterations start from uniform play, as the algorithms are published.

    Args:
        solver: The solver, before its first iteration.
        scout: Makes another one, which plays these iterations, with simultaneous updates: then
            the first one comes to every decision.
        config: The options.
        scale: That of the payoffs of the solver's game, if it is known.

    Returns:
        Sentences on it for the result; none where the run starts from uniform play.
    """
    plain = config.measure is None and config.tremble is None
    plain = plain and isinstance(getattr(solver.variant, "rule", solver.variant), Variant)
    if config.iterations is not None or not plain:
        return []
    scale = PayoffScale(solver.tree) if scale is None else scale
    if scale.is_ordinary:
        return []
    new = state = solver.state
    for _ in range(min(scale.num_levels - 1, _MOST_ROUNDS)):  # the farthest payoffs first
        with closing(scout()) as scouting:
            scouting.restore(replace(state, identity=None))  # which says that it alternates
            first = scouting.run(SCOUTING).current_strategy()
        started = warm_state(solver, first, 1)
        state = replace(new, regret=started.regret, behaviour=started.behaviour)
    if FAR * scale.at(first.probabilities) > scale.span:
        return []  # they are what play is about
    solver.restore(state)
    note = (
        f"Some payoffs are far from all others: the run starts from what {config.algorithm} plays "
        f"after {SCOUTING} iterations, without their regrets, and not from uniform play."
    )
    return [note]
