"""Monte Carlo CFR on a compiled game: a sampler, a discount on a global clock, an average."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Final

import numpy as np

from equilibrist.errors import ConfigError, MismatchError
from equilibrist.formatting.escaping import repr_short
from equilibrist.game import Game
from equilibrist.game_loading import compile_game
from equilibrist.parsing.arguments import (
    MOST_EVERY,
    bad_argument,
    optional_whole_number,
    whole_number,
)
from equilibrist.rules.module import Rules
from equilibrist.solvers.run.interrupt import noted_interrupts
from equilibrist.solvers.run.state import (
    SamplingState,
    check_numbers,
    check_state,
    frozen_copy,
    in_proportion,
    refuse_another_seed,
)
from equilibrist.solvers.sampling.averaging import (
    SEPARATE_AVERAGES,
    SeparateAverage,
    Walk,
    nodes_per_iteration,
    separate_average,
)
from equilibrist.solvers.sampling.batches import (
    BatchSchedule,
    Rounds,
    Runner,
    SingleThread,
    Snapshot,
)
from equilibrist.solvers.sampling.executors import (
    SharedTable,
    fit_executor,
    make_executor,
    refuse_keeping,
    round_length,
)
from equilibrist.solvers.sampling.own import OwnSampler
from equilibrist.solvers.sampling.own_mistakes import refuse_class
from equilibrist.solvers.sampling.registry import get_sampler, sampler_spec
from equilibrist.solvers.sampling.sampled_run import SampledRun, Subject, draws_digest
from equilibrist.solvers.sampling.sampler import histories_for
from equilibrist.solvers.sampling.samplers import Sampler, Tables
from equilibrist.solvers.sampling.variance_reduction import for_batches
from equilibrist.solvers.variants.registry import as_variant
from equilibrist.solvers.variants.variant import NO_FLOOR, Coefficients, Variant
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree
from equilibrist.typing import FloatArray

_SHARE: Final = 16
_SHORTEST: Final = 64
"""By default a global discount comes once per Q / 16 iterations, and not more often than every 64:
it costs less than they do."""
_ROWS: Final = 1024
"""Periods whose coefficients are worked out at once."""
FOR_ANY_NUMBER: Final = ("own-reach",)
"""Averages of samplers that are unbiased for any number of players."""


class MCCFR(SampledRun[SamplingState]):
    """Monte Carlo counterfactual regret minimisation on a compiled game.

    Lanctot, Waugh, Zinkevich, Bowling, Monte Carlo sampling for regret minimization in extensive
    games (NIPS 2009). One iteration is one traversal per player; after each, that player's regrets
    have changed. Games of imperfect recall are accepted.
    """

    _state_type = SamplingState

    def __init__(
        self,
        game: GameTree | Game[Any] | Rules | str,
        algorithm: Variant | str = "cfr",
        *,
        sampler: Sampler | str = "external",
        averaging: str | None = None,
        averaging_every: int | None = None,
        seed: int = 0,
        period: int | None = None,
        threads: int = 1,
        shared: bool = False,
        executor: str | None = None,
        address: str | None = None,
    ) -> None:
        """Prepare to solve a game.

        Args:
            game: A compiled game, or a game, its rules or its name, which is compiled first.
            algorithm: The variant of CFR, or the text of one. It discounts regrets and average once
                per `period`, all infosets at the same time, whether they were visited or not; its t
                counts periods.
            sampler: A sampler, or the text of one, as "outcome(epsilon=0.4)".
            averaging: One of the sampler's own averages, or one with a traversal of its own:
                "walk", "full" or "snapshots". By default the sampler's own where that is unbiased
                (with two players), else "walk".
            averaging_every: Every how many iterations such a traversal comes.
            seed: Fixes all draws.
            period: Iterations between two discounts.
            threads: Batches into which every period is cut. They start from the same tables and are
                merged as it ends.
            shared: Whether threads work on one table instead: less copying, no periods to wait for,
                and other bits every time.
            executor: What runs the batches: "threads", "serial" (one after the other) or "ray". It
                changes no bit.
            address: The Ray cluster, as "host:port"; by default one is started here.

        Raises:
            ConfigError: An argument makes no sense under sampling, or with another.
            UnknownNameError: There is no algorithm, sampler or game of that name.
            RecallError: The average takes full traversals, and a player forgets their past.
            ClusterError: The Ray cluster does not answer.
        """
        self.tree = game if isinstance(game, GameTree) else compile_game(game)
        self.sampler = get_sampler(sampler) if isinstance(sampler, str) else sampler
        if isinstance(sampler, type) or not isinstance(self.sampler, Sampler):
            raise bad_argument("sampler", sampler, "a sampler or the name of one, as 'external'")
        if isinstance(self.sampler, OwnSampler):
            refuse_class(self.sampler)
        self.variant = as_variant(algorithm)
        refuse_unfit(self.variant)
        self.sampler.check(self.tree, self.variant)
        size = int(self.tree.action_offset[-1])
        self.executor = fit_executor(threads, shared, executor, address)
        if self.executor == "ray" and isinstance(self.sampler, OwnSampler):
            raise ConfigError(
                f"{sampler_spec(self.sampler)} is defined on this machine, and executor ray runs "
                "batches on others",
                option="executor",
                given="ray",
                remedy="use executor threads, or a sampler that `equilibrist samplers` lists",
            )
        self.threads, self.shared = int(threads), bool(shared)
        self.seed = whole_number("seed", seed, 0)
        self._rows: dict[int, list[Coefficients]] = {}
        key, another = np.random.SeedSequence(seed).generate_state(2, np.uint64)
        histories = histories_for(self.tree, self.sampler)
        self._drawn = draws_digest(self.sampler, histories)
        self._tables = Tables(histories, key, np.zeros(size), np.zeros(size))
        self.averaging = fit_averaging(self.sampler, averaging, self.tree.num_players)
        if self.averaging in self.sampler.recalling:
            self.tree.sequence_form  # noqa: B018 - raises RecallError
        every = optional_whole_number("averaging_every", averaging_every, 1, MOST_EVERY)
        apart: SeparateAverage | None = None
        if self.averaging in SEPARATE_AVERAGES:
            apart = separate_average(self.averaging, self.tree, self.sampler, another, every)
        elif every is not None:
            raise ConfigError(
                f"averaging_every has no meaning with {self.averaging} averaging, which is part of "
                f"the traversals of {self.name}",
                option="averaging_every",
                given=every,
                remedy=f"use averaging {' or '.join(SEPARATE_AVERAGES)}",
            )
        self._runner = Runner(
            histories,
            key,
            for_batches(self.sampler, 1 if self.shared else self.threads),
            self.averaging if apart is None else self.sampler.averagings[0],
            apart,
        )
        usual = max(_SHORTEST, size // _SHARE)
        if self.threads > 1 and period is None:
            usual = round_length(self.executor, self.threads, self.nodes_per_iteration, size)
        self.period = usual if period is None else whole_number("period", period, 1)
        self._schedule: BatchSchedule = SingleThread(self._runner)
        if self.threads > 1:
            refuse_keeping(self._runner, size)
            self._schedule = SharedTable(self._runner, self.threads)
        if self.threads > 1 and not self.shared:
            crew = make_executor(self.executor, self._runner, self.threads, address)
            self._schedule = Rounds(crew, self.threads, self.period)

    @property
    def name(self) -> str:
        """The sampler's name."""
        return self.sampler.name

    @property
    def averaging_every(self) -> int | None:
        """Every how many iterations the average is taken; None if the sampler takes it itself."""
        apart = self._runner.apart
        return None if apart is None else apart.every

    def _iterate(self, iterations: int) -> None:
        end = self.iteration + iterations
        discounted = self.variant.name != "cfr"
        with noted_interrupts() as interrupt:
            while self.iteration < end:
                weight, stop = 1.0, end
                done = self.iteration % self.period
                if discounted:
                    # Once per period: one that is resumed in the middle was discounted already.
                    weight = self._discount(self.iteration // self.period + 1, apply=done == 0)
                if discounted or self._schedule.by_periods:
                    stop = min(end, self.iteration - done + self.period)
                self._schedule.advance(self._tables, self.iteration, stop, weight)
                self._iteration = stop
                if interrupt.requested:
                    raise KeyboardInterrupt

    def close(self) -> None:
        """End the threads that wait for work; they start again when they are needed.

        With executor ray it leaves the cluster in the same way.
        """
        self._schedule.close()

    def _discount(self, t: int, *, apply: bool) -> float:
        """Discount both tables as period t begins; the weight of what it adds to the average."""
        row = self._coefficients(t)
        if apply and t > 1:
            regret = self._tables.regret
            regret *= np.where(regret > 0.0, row.positive, row.negative)
            self._tables.strategy_sum[:] *= row.decay
            for name in self.sampler.pending:
                if name in self._tables.kept:
                    self._tables.kept[name] *= row.decay
        return row.weight

    def _coefficients(self, t: int) -> Coefficients:
        """The numbers of period t, laid out for many periods at once."""
        block, row = divmod(t - 1, _ROWS)
        if block not in self._rows:
            try:
                table = self.variant.table(block * _ROWS + 1, _ROWS)
            except ConfigError:  # a user's variant need not reach so far
                return self.variant.coefficients(t)
            self._rows = {block: [Coefficients(*numbers) for numbers in table.tolist()]}
        return self._rows[block][row]

    @property
    def nodes_touched(self) -> int:
        """Histories visited so far, terminals and chance nodes included."""
        return int(self._tables.touched[0])

    @cached_property
    def nodes_per_iteration(self) -> float:
        """Histories that an iteration visits at the beginning, the same for all seeds."""
        return nodes_per_iteration(self.tree, self.sampler)

    @property
    def step_multiple(self) -> int:
        """Whole multiples of so many iterations run fastest: a round, where there are rounds."""
        return self.period if self._schedule.by_periods else 1

    @property
    def table_bytes(self) -> int:
        """Bytes of regrets, strategy sums, and what the sampler keeps."""
        tables = self._tables
        kept = sum(int(array.nbytes) for array in tables.kept.values())
        return int(tables.regret.nbytes) + int(tables.strategy_sum.nbytes) + kept

    def average_strategy(self) -> Strategy:
        """Give the average strategy, which converges.

        Returns:
            A copy; uniform at infosets that were never reached.
        """
        sums = self._tables.strategy_sum
        if self._runner.apart is None:
            sums = self.sampler.flushed(self._tables, self.averaging, self.tree)
        return Strategy(self.tree, self._proportional(sums))

    def current_strategy(self) -> Strategy:
        """Give the strategy that the next iteration plays; it need not converge.

        Returns:
            A copy.
        """
        return Strategy(self.tree, self._proportional(np.maximum(self._tables.regret, 0.0)))

    def _proportional(self, weights: FloatArray) -> FloatArray:
        return in_proportion(weights, self.tree.action_offset)

    def _copy_state(self) -> SamplingState:
        tables, begun = self._tables, self._schedule.before
        return SamplingState(
            regret=frozen_copy(tables.regret),
            strategy_sum=frozen_copy(tables.strategy_sum),
            iteration=self.iteration,
            nodes_touched=self.nodes_touched,
            seed=self.seed,
            kept={name: frozen_copy(array) for name, array in tables.kept.items()},
            before={} if begun is None else {n: frozen_copy(a) for n, a in begun._asdict().items()},
            identity=self._identity,
        )

    def _adopt(self, state: SamplingState) -> None:
        tables = self._tables
        refuse_another_seed(state.seed, self.seed)
        size, game = tables.regret.size, self.tree.name
        check_state(state, size, game, ("regret", "strategy_sum"))
        if state.before and state.before.keys() != {*Snapshot._fields}:
            raise bad_argument("before", ", ".join(state.before), ", ".join(Snapshot._fields))
        for name in state.before and ("regret", "strategy_sum"):
            check_numbers(name, state.before[name], size, game)
        if bool(state.before) != (self._schedule.by_periods and state.iteration % self.period > 0):
            raise MismatchError(
                f"the state, at iteration {state.iteration:,}, was made with other threads or "
                f"periods than {self.threads} and {self.period:,}",
                option="period",
                given=state.iteration,
                remedy="give those it was made with",
            )
        tables.regret[:] = state.regret
        tables.strategy_sum[:] = state.strategy_sum
        tables.touched[0] = state.nodes_touched
        tables.kept.clear()
        tables.kept.update({name: array.copy() for name, array in state.kept.items()})
        self._schedule.before = Snapshot(**state.before).copy() if state.before else None
        self._iteration = state.iteration

    def _subject(self) -> Subject:
        return Subject(self.tree.name, self.tree.fingerprint, layout="public")

    def __repr__(self) -> str:
        return (
            f"MCCFR({self.tree.name!r}, {self.name!r}, {self.variant.name!r}, "
            f"averaging={self.averaging!r}, iteration={self.iteration:,})"
        )


def fit_averaging(sampler: Sampler, averaging: object, players: int) -> str:
    """The average to take: the given one or the default; ConfigError for an unknown one."""
    if averaging is None:
        first = sampler.averagings[0]
        return first if players == 2 or first in FOR_ANY_NUMBER else Walk.name
    known = (*sampler.averagings, *SEPARATE_AVERAGES)
    if isinstance(averaging, str):
        word = averaging.strip().lower().replace("_", "-")
        if word in known:
            return word
    raise ConfigError(
        f"{sampler_spec(sampler)} sampling does not support averaging {repr_short(averaging)}",
        option="averaging",
        given=averaging,
        remedy=f"choose {', '.join(known)}",
    )


def refuse_unfit(variant: Variant) -> None:
    """ConfigError for variants whose update has no meaning when regrets are sampled."""
    if variant.floor != NO_FLOOR:
        raise ConfigError(
            f"{variant.name} truncates negative regrets after every iteration, which biases "
            "sampled regrets",
            option="algorithm",
            given=variant.name,
            remedy="use cfr, lcfr or dcfr",
        )
    if variant.prediction != 0.0:
        raise ConfigError(
            f"{variant.name} expects the last regret to come again, and a sampled one does not",
            option="algorithm",
            given=variant.name,
            remedy="use cfr, lcfr or dcfr",
        )
    if variant.needs_horizon:
        raise ConfigError(
            f"{variant.name} plans its schedule over a known number of full traversals",
            option="algorithm",
            given=variant.name,
            remedy="use cfr, lcfr or dcfr",
        )
