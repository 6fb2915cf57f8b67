"""Regret matching and regret matching+ on matrix games, with every step on record.

Hart and Mas-Colell, Econometrica 2000; the "+" (regrets never fall below zero) after Tammelin,
arXiv 1407.5042. All players update at once. What the joint play converges to is the set of
coarse correlated equilibria: no player gains by committing to one action. Only in
two-player zero-sum games are the averages thereby close to a Nash equilibrium.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np

from equilibrist.errors import ConfigError, MismatchError, UnknownNameError
from equilibrist.formatting.amounts import counted
from equilibrist.formatting.brief import brief_repr
from equilibrist.game import Game
from equilibrist.parsing.arguments import bad_argument, check_bool, whole_number
from equilibrist.solvers.matrix.matcher import Matcher, by_name
from equilibrist.solvers.matrix.matching_result import ByAction, MatchingResult, MatchingStep
from equilibrist.solvers.matrix.normal_form import NormalForm, read_normal_form
from equilibrist.solvers.run.solver import Restorable
from equilibrist.solvers.run.state import frozen_copy
from equilibrist.typing import FloatArray

ALGORITHMS: Final = ("regret-matching", "regret-matching+")
"""The names that `RegretMatching` takes."""


def regret_matching_step(
    game: Game[Any] | NormalForm | str,
    played: Sequence[str],
    cumulative: Sequence[Sequence[float]] | None = None,
    *,
    algorithm: str = "regret-matching",
    iteration: int = 1,
) -> MatchingStep:
    """Take one step of regret matching after the players took the given actions.

    Args:
        game: A matrix game, or the name of one.
        played: The action of each player.
        cumulative: The regrets so far, one row per player; zeros if None.
        algorithm: `regret-matching`, or `regret-matching+`, whose regrets never fall below zero.
        iteration: The number of the step.

    Returns:
        The step: payoffs, regrets, and what is played next.

    Raises:
        UnknownNameError: A player does not have such an action.
        ConfigError: There is not one action per player.
        UnsupportedError: The game is not a matrix game.
    """
    form = game if isinstance(game, NormalForm) else read_normal_form(game)
    if len(played) != form.num_players:
        raise ConfigError(
            f"{form.name} has {counted(form.num_players, 'player')}, given "
            f"{counted(len(played), 'action')}",
            option="actions",
            given=len(played),
            expected=form.num_players,
        )
    cell = []
    for i, name in enumerate(played):
        if name not in form.actions[i]:
            raise UnknownNameError(f"action of player {i}", name, form.actions[i])
        cell.append(form.actions[i].index(name))
    regrets = [np.zeros(len(a)) for a in form.actions]
    if cumulative is not None:
        regrets = [np.array(row, dtype=np.float64) for row in cumulative]
    matcher = Matcher(form, regrets, _is_plus(algorithm))
    return matcher.step(iteration, tuple(cell), record=True)


class MatchingIdentity(NamedTuple):
    """Game, algorithm and payoffs of a run. A solver restores only states of an equal identity."""

    game: str
    algorithm: str
    sampled: bool
    payoffs: str
    """A digest of the payoffs and of the actions."""

    def refuse_unless(self, wanted: MatchingIdentity) -> None:
        """Raise MismatchError that says what differs."""
        for name, there, here in zip(self._fields, self, wanted, strict=True):
            if there != here:
                words = f"its {name} is {there!r}, not {here!r}"
                raise MismatchError(
                    "the state is of another run: "
                    + (f"the payoffs of {self.game} differ" if name == "payoffs" else words),
                    option=name,
                    given=there,
                    expected=here,
                    remedy="restore it in a solver that was made with the same arguments",
                )


@dataclass(frozen=True, eq=False)
class MatchingState:
    """All that a run of regret matching needs to continue.

    Attributes:
        iteration: How many iterations have run.
        arrays: Regrets and sums by name; copies.
        streams: The states of the players' random streams.
        steps: The first iterations, as far as they are kept.
        identity: What `restore` checks; None where that is not known.
    """

    iteration: int
    arrays: Mapping[str, tuple[FloatArray, ...]]
    streams: tuple[Mapping[str, Any], ...]
    steps: tuple[MatchingStep, ...]
    identity: MatchingIdentity | None = None

    def __repr__(self) -> str:
        return brief_repr(self)


class RegretMatching(Restorable[MatchingState]):
    """Regret matching on a matrix game, all players at once.

    Hart and Mas-Colell, A simple adaptive procedure leading to correlated equilibrium,
    Econometrica 2000; `regret-matching+` after Tammelin, arXiv 1407.5042.
    """

    _state_type = MatchingState

    def __init__(
        self,
        game: Game[Any] | NormalForm | str,
        algorithm: str = "regret-matching",
        *,
        sampled: bool = True,
        seed: int | np.random.SeedSequence = 0,
        trace: int = 100,
    ) -> None:
        """Prepare to run.

        Args:
            game: A matrix game, or the name of one.
            algorithm: `regret-matching`, or `regret-matching+`, whose regrets never fall below
                zero.
            sampled: Whether each player draws one action per iteration, from a stream of their
                own; otherwise regrets are expected values under the strategies, and nothing is
                random.
            seed: Fixes all draws.
            trace: How many of the first iterations to keep step by step.

        Raises:
            UnsupportedError: The game is not a matrix game.
            ConfigError: An argument is out of range.
        """
        plus = _is_plus(algorithm)
        check_bool("sampled", sampled)
        whole_number("trace", trace, 0)
        form = game if isinstance(game, NormalForm) else read_normal_form(game)
        source = _seed_sequence(seed)
        self._streams = [np.random.default_rng(s) for s in source.spawn(form.num_players)]
        self._matcher = Matcher(form, [np.zeros(len(a)) for a in form.actions], plus)
        self._sampled = sampled
        self._source = source if sampled else None
        self._kept = trace
        self._steps: list[MatchingStep] = []

    def _iterate(self, iterations: int) -> None:
        matcher = self._matcher
        for _ in range(iterations):
            cell = None
            if self._sampled:
                pairs = zip(self._streams, matcher.strategies, strict=True)
                cell = tuple(_draw(rng, sigma) for rng, sigma in pairs)
            self._iteration += 1
            record = self.iteration <= self._kept
            step = matcher.step(self.iteration, cell, record=record)
            if record:
                self._steps.append(step)

    def average_strategy(self) -> tuple[ByAction, ...]:
        """Give the mean of the strategies that were played.

        Returns:
            {action: probability} of each player; uniform before the first iteration.
        """
        matcher = self._matcher
        if self.iteration == 0:
            return self.current_strategy()
        means = [sums / self.iteration for sums in matcher.strategy_sums]
        return by_name(matcher.form.actions, means)

    def current_strategy(self) -> tuple[ByAction, ...]:
        """Give the strategies that the next iteration plays.

        Returns:
            {action: probability} of each player.
        """
        return by_name(self._matcher.form.actions, self._matcher.strategies)

    def _copy_state(self) -> MatchingState:
        return MatchingState(
            self.iteration,
            {name: tuple(map(frozen_copy, arrays)) for name, arrays in self._matcher.sums.items()},
            tuple(stream.bit_generator.state for stream in self._streams),
            tuple(self._steps),
            self._identity,
        )

    @cached_property
    def _identity(self) -> MatchingIdentity:
        """The identity written into every state; `restore` refuses a state with another one."""
        form, plus = self._matcher.form, self._matcher.plus
        digest = hashlib.sha256(repr(form.actions).encode())
        digest.update(np.ascontiguousarray(form.payoffs).data)
        return MatchingIdentity(form.name, ALGORITHMS[plus], self._sampled, digest.hexdigest())

    def _refuse_identity(self, identity: Any) -> None:
        if identity is not None:
            identity.refuse_unless(self._identity)

    def _adopt(self, state: MatchingState) -> None:
        shapes = [array.shape for arrays in state.arrays.values() for array in arrays]
        expected = [array.shape for arrays in self._matcher.sums.values() for array in arrays]
        if shapes != expected:
            raise MismatchError(
                f"the state is not of {self._matcher.form.name}: it has other numbers of actions",
                option="state",
                given=shapes,
                expected=expected,
            )
        self._matcher.adopt(state.arrays)
        for stream, there in zip(self._streams, state.streams, strict=True):
            stream.bit_generator.state = there
        self._steps = list(state.steps)
        self._iteration = state.iteration

    def result(self) -> MatchingResult:
        """Give averages over the iterations so far.

        Returns:
            The strategies, regrets and joint play, and the first steps.

        Raises:
            ConfigError: No iteration has run.
        """
        if self.iteration == 0:
            raise ConfigError(
                "there is nothing to average before the first iteration",
                option="iteration",
                given=0,
                remedy="run some",
            )
        return self._matcher.result(self.iteration, self._sampled, self._source, tuple(self._steps))


def _is_plus(algorithm: object) -> bool:
    """Whether negative regrets are dropped; ConfigError for another algorithm."""
    if algorithm not in ALGORITHMS:
        raise bad_argument("algorithm", algorithm, " or ".join(ALGORITHMS))
    return algorithm == ALGORITHMS[1]


def _seed_sequence(seed: int | np.random.SeedSequence) -> np.random.SeedSequence:
    if isinstance(seed, np.random.SeedSequence):
        return seed
    return np.random.SeedSequence(whole_number("seed", seed, 0))


def _draw(rng: np.random.Generator, sigma: FloatArray) -> int:
    """Draw an action; one of probability zero is never drawn."""
    sums = np.cumsum(sigma)
    return int(np.searchsorted(sums[:-1], rng.random() * sums[-1], side="right"))
