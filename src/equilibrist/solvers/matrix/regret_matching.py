"""Regret matching and regret matching+ on matrix games, with every step on record.

Hart and Mas-Colell, Econometrica 2000; the "+" (regrets never fall below zero) after Tammelin,
arXiv 1407.5042. All players update at once. What the joint play converges to is the set of
coarse correlated equilibria: nobody gains by having decided on one action for good. Only in
two-player zero-sum games are the averages thereby close to a Nash equilibrium.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from equilibrist.errors import ConfigError, UnknownNameError
from equilibrist.game import Game
from equilibrist.parsing.arguments import check_bool, whole_number
from equilibrist.reference.matching import regret_matching
from equilibrist.solvers.matrix.normal_form import NormalForm, read_normal_form
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


def regret_matching_step(
    game: Game[Any] | NormalForm | str,
    played: Sequence[str],
    cumulative: Sequence[Sequence[float]] | None = None,
    *,
    plus: bool = False,
    iteration: int = 1,
) -> MatchingStep:
    """Return the step after everybody played the named action, as one would do it by hand.

    `cumulative` holds the regrets so far, one row per player (zeros if None).
    Raises UnknownNameError for an action that a player does not have, ConfigError if there is
    not one action per player.
    """
    form = game if isinstance(game, NormalForm) else read_normal_form(game)
    if len(played) != form.num_players:
        raise ConfigError(
            f"{form.name} has {form.num_players} players, given {len(played)} actions",
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
    matcher = _Matcher(form, regrets, plus)
    return matcher.step(iteration, tuple(cell), record=True)


def run_regret_matching(
    game: Game[Any] | NormalForm | str,
    iterations: int,
    *,
    plus: bool = False,
    sampled: bool = True,
    seed: int | np.random.SeedSequence = 0,
    trace: int = 100,
) -> MatchingResult:
    """Let all players of a matrix game learn by regret matching (with `plus`: RM+).

    With `sampled` each player draws one action per iteration, from its own stream spawned from
    `seed`; otherwise regrets are expected values under the strategies and nothing is random.
    `trace` is the number of first iterations to keep.
    Raises UnsupportedError if the game is no matrix game, ConfigError for a bad number.
    """
    whole_number("iterations", iterations, 1)
    solver = RegretMatching(game, plus=plus, sampled=sampled, seed=seed, trace=trace)
    return solver.run(iterations).result()


class RegretMatching:
    """Regret matching that goes on from where it stands; arguments as `run_regret_matching`."""

    def __init__(
        self,
        game: Game[Any] | NormalForm | str,
        *,
        plus: bool = False,
        sampled: bool = True,
        seed: int | np.random.SeedSequence = 0,
        trace: int = 100,
    ) -> None:
        for name, value in (("plus", plus), ("sampled", sampled)):
            check_bool(name, value)
        whole_number("trace", trace, 0)
        form = game if isinstance(game, NormalForm) else read_normal_form(game)
        source = _seed_sequence(seed)
        self.iteration = 0
        self._streams = [np.random.default_rng(s) for s in source.spawn(form.num_players)]
        self._matcher = _Matcher(form, [np.zeros(len(a)) for a in form.actions], plus)
        self._sampled = sampled
        self._source = source if sampled else None
        self._kept = trace
        self._steps: list[MatchingStep] = []

    def run(self, iterations: int) -> RegretMatching:
        """Run that many more iterations and return self; how they are cut does not matter."""
        matcher = self._matcher
        whole_number("iterations", iterations, 0)
        for _ in range(iterations):
            cell = None
            if self._sampled:
                pairs = zip(self._streams, matcher.strategies, strict=True)
                cell = tuple(_draw(rng, sigma) for rng, sigma in pairs)
            self.iteration += 1
            record = self.iteration <= self._kept
            step = matcher.step(self.iteration, cell, record=record)
            if record:
                self._steps.append(step)
        return self

    def result(self) -> MatchingResult:
        """Averages over the iterations so far; ConfigError before the first one."""
        if self.iteration == 0:
            raise ConfigError(
                "there is nothing to average before the first iteration",
                option="iteration",
                given=0,
                remedy="run some",
            )
        return self._matcher.result(self.iteration, self._sampled, self._source, tuple(self._steps))


class _Matcher:
    """The regrets of all players, and the sums that the result reports."""

    def __init__(self, form: NormalForm, regrets: list[FloatArray], plus: bool) -> None:
        self.form = form
        self.plus = plus
        self.regrets = regrets
        self.true_regrets = [np.zeros(len(a)) for a in form.actions]
        self.strategies = tuple(np.array(regret_matching(list(r))) for r in regrets)
        self.strategy_sums = [np.zeros(len(a)) for a in form.actions]
        self.payoff_sums = np.zeros(form.num_players)
        self.joint_sum = np.zeros(form.payoffs.shape[:-1])

    def step(self, iteration: int, cell: tuple[int, ...] | None, *, record: bool) -> MatchingStep:
        """Everybody plays `cell` (or, if None, in expectation) and updates."""
        form, before = self.form, self.strategies
        instants = []
        payoffs = np.empty(form.num_players)
        for i in range(form.num_players):
            if cell is None:
                values = form.expected_action_values(i, before)
                payoffs[i] = before[i] @ values
            else:
                values = form.action_values(i, cell)
                payoffs[i] = values[cell[i]]
            instants.append(values - payoffs[i])
        for i, instant in enumerate(instants):
            self.true_regrets[i] += instant
            self.regrets[i] += instant
            if self.plus:
                np.maximum(self.regrets[i], 0.0, out=self.regrets[i])
            self.strategy_sums[i] += before[i]
        self.payoff_sums += payoffs
        self._add_joint(cell, before)
        self.strategies = tuple(np.array(regret_matching(list(r))) for r in self.regrets)
        if not record:
            return _NOTHING
        labels = form.actions
        return MatchingStep(
            iteration,
            None if cell is None else tuple(labels[i][a] for i, a in enumerate(cell)),
            _by_name(labels, before),
            tuple(float(u) for u in payoffs),
            _by_name(labels, instants),
            _by_name(labels, self.regrets),
            _by_name(labels, self.strategies),
        )

    def _add_joint(self, cell: tuple[int, ...] | None, strategies: tuple[FloatArray, ...]) -> None:
        if cell is not None:
            self.joint_sum[cell] += 1.0
            return
        joint = strategies[0]
        for sigma in strategies[1:]:
            joint = np.multiply.outer(joint, sigma)
        self.joint_sum += joint

    def result(
        self,
        iterations: int,
        sampled: bool,
        source: np.random.SeedSequence | None,
        steps: tuple[MatchingStep, ...],
    ) -> MatchingResult:
        """Divide the sums by the number of iterations."""
        form, labels = self.form, self.form.actions
        players = range(form.num_players)
        widths = [float(np.ptp(form.payoffs[..., i])) for i in players]
        entropy = source.entropy if source is not None else None
        return MatchingResult(
            game=form.name,
            iterations=iterations,
            plus=self.plus,
            sampled=sampled,
            seed=entropy if isinstance(entropy, int) else None,
            average_strategy=_by_name(labels, [s / iterations for s in self.strategy_sums]),
            current_strategy=_by_name(labels, self.strategies),
            average_payoffs=tuple(float(u) for u in self.payoff_sums / iterations),
            average_regrets=_by_name(labels, [r / iterations for r in self.true_regrets]),
            bound_average_regret=tuple(
                widths[i] * (len(labels[i]) / iterations) ** 0.5 for i in players
            ),
            joint_play=self.joint_sum / iterations,
            trace=steps,
        )


_NOTHING = MatchingStep(0, None, (), (), (), (), ())


def _seed_sequence(seed: int | np.random.SeedSequence) -> np.random.SeedSequence:
    if isinstance(seed, np.random.SeedSequence):
        return seed
    return np.random.SeedSequence(whole_number("seed", seed, 0))


def _draw(rng: np.random.Generator, sigma: FloatArray) -> int:
    """Draw an action; one of probability zero is never drawn."""
    sums = np.cumsum(sigma)
    return int(np.searchsorted(sums[:-1], rng.random() * sums[-1], side="right"))


def _by_name(
    labels: tuple[tuple[str, ...], ...], rows: Sequence[FloatArray]
) -> tuple[ByAction, ...]:
    return tuple(
        dict(zip(names, (float(x) for x in row), strict=True))
        for names, row in zip(labels, rows, strict=True)
    )


def _list(numbers: ByAction) -> str:
    return ", ".join(f"{name} {x:.4g}" for name, x in numbers.items())
