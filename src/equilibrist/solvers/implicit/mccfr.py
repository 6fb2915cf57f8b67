"""Monte Carlo CFR on rules without a tree: a table of the infosets visited so far."""

from __future__ import annotations

import os
import random
from dataclasses import dataclass, field
from typing import Any, Final, Self

import numpy as np

from equilibrist.errors import ConfigError, MemoryBudgetError, MismatchError
from equilibrist.game import CHANCE, Game
from equilibrist.parsing.arguments import whole_number
from equilibrist.rules.game import RulesGame, RulesState
from equilibrist.rules.module import Rules
from equilibrist.rules.strategy import PackedStrategy, read_averages
from equilibrist.solvers.implicit import regret_bound
from equilibrist.solvers.implicit.batches import ImplicitRounds, PrivateRuns
from equilibrist.solvers.implicit.infoset_table import LOG_ENTRY, added, new_table
from equilibrist.solvers.implicit.options import (
    fit_averaging,
    opened,
    refuse_what_needs_a_tree,
)
from equilibrist.solvers.implicit.samplers import fit_sampler
from equilibrist.solvers.implicit.state import ImplicitState, RunState
from equilibrist.solvers.implicit.table_run import DEFAULT_MEMORY, ImplicitRun
from equilibrist.solvers.run.interrupt import noted_interrupts
from equilibrist.solvers.run.solver import Unpicklable
from equilibrist.solvers.sampling.averaging import SHARE, TRIAL, TRIAL_NODES, WALK_EVERY, Walk
from equilibrist.solvers.sampling.executors import fit_executor, round_length
from equilibrist.solvers.sampling.mccfr import refuse_unfit
from equilibrist.solvers.sampling.pure import refuse_discounts
from equilibrist.solvers.sampling.sampled_run import SampledRun, Subject
from equilibrist.solvers.sampling.samplers import Chance, Pure, Sampler
from equilibrist.solvers.sampling.variance_reduction import for_batches
from equilibrist.solvers.variants.registry import as_variant
from equilibrist.solvers.variants.variant import Variant
from equilibrist.tree.walk.estimate import estimate_histories

_DEFAULT_PERIOD: Final = 1000


class ImplicitMCCFR(Unpicklable, ImplicitRun, SampledRun[ImplicitState]):
    """Sampling on a game whose histories are never enumerated.

    Lanctot, Waugh, Zinkevich, Bowling, Monte Carlo sampling for regret minimization in extensive
    games (NIPS 2009), as `MCCFR` does it on a tree: the same seed draws the same trajectories. An
    infoset gets a row at its first visit. One iteration is one traversal per player.
    """

    _state_type = ImplicitState

    def __init__(
        self,
        game: Rules | Game[Any] | str,
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
        memory: int = DEFAULT_MEMORY,
    ) -> None:
        """Prepare to solve a game given by its rules.

        Args:
            game: A rules module, its game, or the name of one, as `rules:liars_dice(dice=2)`.
            algorithm: The variant of CFR, or the text of one; it discounts once per `period`.
            sampler: A sampler that needs no tree, or its text: "external(prune=1000)",
                "outcome(epsilon=0.4)". Chance sampling is for games in which not too much can be
                played after one deal: a traversal keeps all its changes.
            averaging: "stochastic", the default with two players, where it is unbiased; or "walk",
                the default with more, which takes a third of the time. That of chance sampling is
                "own-reach" with any number.
            averaging_every: The number of iterations between walks, by default 64.
            seed: Fixes all draws, which are those of `MCCFR`.
            period: Iterations between two discounts, by default 1,000; with threads so many that
                each visits about a million states.
            threads: Batches into which every period is cut. They start from the same table and are
                merged as it ends. Each thread has a private table, which may become as large as the
                one that they are merged into.
            shared: Not possible without a tree.
            executor: What runs the batches: "threads" or "serial" (one after the other). It changes
                no bit.
            address: Not possible without a tree.
            memory: Bytes that tables may take, with the copy of one while it grows, the scratch
                space and the average strategy.

        Raises:
            ConfigError: The sampler or another option needs a tree, or the algorithm makes no sense
                under sampling.
            GameSpecError: The rules cannot be loaded.
            UnknownNameError: There is no algorithm, sampler or game of that name.
            MemoryBudgetError: `memory` holds not even the smallest tables, or not the changes of a
                traversal after one deal, which is estimated.
        """
        self.variant = as_variant(algorithm)
        refuse_unfit(self.variant)
        self.executor = fit_executor(threads, shared, executor, address)
        refuse_what_needs_a_tree(shared, self.executor)
        self.threads, self.shared = int(threads), False
        self.seed = whole_number("seed", seed, 0)
        key, another = np.random.SeedSequence(seed).generate_state(2, np.uint64)
        memory = whole_number("memory", memory, 1)
        tables = 1 if self.threads == 1 else self.threads + 1
        super().__init__(opened(game), fit_sampler(sampler), key, memory, tables)
        if isinstance(self.sampler, Pure):
            refuse_discounts(self.variant)
            if self.threads > 1:
                raise ConfigError(
                    "pure sampling counts in whole numbers, and several threads' mean is none",
                    option="threads",
                    given=self.threads,
                    remedy="use one thread, or another sampler, such as external",
                )
        if isinstance(self.sampler, Chance):
            refuse_large_deals(self.rules, memory, tables)
        self.averaging = fit_averaging(self.sampler, averaging, averaging_every, self.rules)
        if self.averaging == Walk.name:
            self.walks = fit_walks(self, another, averaging_every)
        if period is None and self.threads > 1:
            period = round_length(self.executor, self.threads, nodes_per_iteration(self), 0)
        self.period = _DEFAULT_PERIOD if period is None else whole_number("period", period, 1)
        self._rounds: ImplicitRounds | None = None
        if self.threads > 1:
            batched = for_batches(self.sampler, self.threads)
            private = PrivateRuns(self.rules, batched, key, self.walks, memory, tables)
            self._rounds = ImplicitRounds(private, self.executor, self.threads, self.period)

    @property
    def averaging_every(self) -> int | None:
        """The number of iterations between averages; None if traversals take the average."""
        return None if self.walks is None else self.walks.every

    def _iterate(self, iterations: int) -> None:
        # A full table (`is_full`) takes no more rows: infosets without one are played uniformly
        # and learn nothing.
        end = self.iteration + iterations
        with noted_interrupts() as interrupt:
            while self.iteration < end:
                done = self.iteration % self.period
                weight = self._discount(self.iteration // self.period + 1, apply=done == 0)
                last = min(end, self.iteration - done + self.period)
                if self._rounds is None:
                    self.advance(last, weight)
                else:
                    self._rounds.advance(self, last, weight)
                if interrupt.requested:
                    raise KeyboardInterrupt

    def load(self) -> Self:
        """Load the compiled sampler, or compile it, by running no iteration.

        Returns:
            The solver itself.
        """
        if self._rounds is None:
            self.load_kernels()
        else:
            self._rounds.load(self)
        return self

    def close(self) -> None:
        """End the threads that wait for work; they start again when they are needed."""
        if self._rounds is not None:
            self._rounds.close()

    @property
    def step_multiple(self) -> int:
        """Multiples of this number of iterations run fastest: a round, if there are rounds."""
        return 1 if self._rounds is None else self.period

    def _copy_state(self) -> ImplicitState:
        return self.live_state().frozen()

    def live_state(self) -> ImplicitState:
        """The state in the arrays that the run works on: it changes while the run continues.

        Returns:
            The state, whose arrays are not copied.
        """
        return ImplicitState(
            self.run_state,
            None if self._rounds is None else self._rounds.before,
            () if self.units is None else tuple(self.units.payoffs),
            self.memory,
            self.rules.identity,
            self.seed,
            self._identity,
        )

    def restore(self, state: ImplicitState, *, copy: bool = True) -> Self:
        """Continue from a state, bit for bit as the run that it was taken from.

        With more memory than that run had, a full table may grow again.

        Args:
            state: The `state` of a solver that was made with the same arguments.
            copy: Whether to work on a copy; without it on the arrays of `state` themselves.

        Returns:
            The solver itself.

        Raises:
            MismatchError: The state is of other rules, or another algorithm, sampler, seed, period
                or number of threads, or its table is broken.
            MemoryBudgetError: Its table is larger than `memory` allows.
            ConfigError: It is not such a state.
        """
        self._refuse_foreign(state)
        self._adopt(state.copy() if copy else state)
        return self

    def _adopt(self, state: ImplicitState) -> None:
        if (state.rules, state.seed) != (self.rules.identity, self.seed):
            raise MismatchError(
                f"the state is of other rules than {self.rules.name} or of seed {state.seed}, this "
                f"solver has seed {self.seed}",
                option="state",
                given=state.seed,
                expected=self.seed,
            )
        begun = state.iteration if state.before is None else state.before.iteration
        if state.iteration - begun != state.iteration % self.step_multiple:
            raise MismatchError("it does not hold where its round began", option="before")
        for run_state in (state.run_state, state.before):
            if run_state is not None:
                self._fit(run_state, state.memory)
        if self.units is not None:
            self.units.choose_unit(list(state.payoffs))
        self.adopt(state.run_state)
        if self._rounds is not None:
            self._rounds.before = state.before

    def _fit(self, run_state: RunState, memory: int) -> None:
        """Refuse a table that kernels cannot work with; reopen one that was full under `memory`."""
        table, widest = run_state.table, self.rules.max_actions
        flaw = table.flaw(widest)
        if flaw or run_state.log_size < widest:
            raise MismatchError(flaw or "it has no row for infosets unseen", option="table")
        self.refuse_more_than_memory(len(table.row), table.pool.shape[1], run_state.log_size)
        if self.memory > memory:  # a table that could not grow may try again
            table.used[2:] = 0, table.used[2] | table.used[3]

    def _discount(self, t: int, *, apply: bool) -> float:
        """Discount the table as period t begins; the weight of what it adds to the average."""
        if self.variant.name == "cfr":
            return 1.0
        row = self.variant.coefficients(t)
        if apply and t > 1:
            from equilibrist.kernels.implicit.infoset_table import discount

            discount(self.table.pool, self.table.used, row.positive, row.negative, row.decay)
        return row.weight

    @property
    def _regrets(self) -> regret_bound.RegretSummary:
        return regret_bound.RegretSummary(
            table=self.table,
            unit=self.unit,
            threads=self.threads,
            variant=self.variant,
            period=self.period,
            iteration=self.iteration,
            num_players=self.rules.num_players,
            averaging_every=self.averaging_every,
        )

    def bound_nash_conv(self) -> float | None:
        """An estimated bound on NashConv from the sampled regrets.

        With two players and a constant sum, NashConv of the average is at most the sum over
        infosets of their largest positive regret, divided by the number of iterations (Zinkevich et
        al. 2007, theorems 2 and 3); with discounts, by the sum of their weights, where the average
        has the same weights (Brown and Sandholm 2019). Regrets and average are sampled, so it is an
        estimate: noise of the regrets makes it larger, that of outcome sampling more so. Where the
        table is full, infosets without a row count with the largest regret of every visit.

        Returns:
            The bound in payoff units; None where there is none (`why_no_bound` gives the reason).
        """
        return regret_bound.bound_of(self._regrets)

    def bound_unstored_share(self) -> float:
        """The share of both bounds that comes from infosets without a row.

        That part does not go to zero with more iterations: it takes more memory.

        Returns:
            A share from 0 to 1; 0 until the table is full.
        """
        return regret_bound.bound_unstored_share(self._regrets)

    def bound_cce_gap(self) -> float | None:
        """An estimated bound on the coarse correlated gap, for any number of players.

        The gap is that of the history of play: what all players together could gain by each
        committing to a fixed strategy against what the others played (against their averages it
        would be NashConv). Like `bound_nash_conv` it is estimated from sampled regrets.

        Returns:
            The bound in payoff units; None before the first iteration, and where negative regrets
            are discounted less than positive ones.
        """
        return regret_bound.coarse_bound_of(self._regrets)

    def why_no_bound(self) -> str:
        """Why `bound_nash_conv` is None, in a few words.

        Returns:
            The reason; empty if there is a bound.
        """
        return regret_bound.why_no_bound(self._regrets)

    def average_strategy(self, *others: ImplicitMCCFR) -> PackedStrategy:
        """Give the average strategy, which converges.

        Args:
            others: Runs with other seeds. The average is then over the iterations of all of them,
                which takes a table that holds all of theirs.

        Returns:
            A copy; infosets that it does not hold are played uniformly.

        Raises:
            MismatchError: A run is of other rules.
        """
        if not others:
            return read_averages(self.rules, self.table)
        for other in others:
            if other.rules.identity != self.rules.identity:
                mine, theirs = self.rules.name, other.rules.name
                words = f"one run is of {mine}, one of {theirs}"
                raise MismatchError(words, option="game", given=theirs, expected=mine)
        tables = [solver.table for solver in (self, *others)]
        return read_averages(self.rules, added(tables, self.rules.max_actions))

    def current_strategy(self) -> PackedStrategy:
        """Give the strategy that the next iteration plays; it need not converge.

        Returns:
            A copy; infosets that it does not hold are played uniformly.
        """
        return read_averages(self.rules, self.table, np.maximum(self.table.pool[0], 0.0))

    def _subject(self) -> Subject:
        return Subject(self.rules.name, self.rules.identity, layout="packed")

    def _save(self, path: str | os.PathLike[str]) -> None:
        from equilibrist.solvers.implicit.checkpoint import save_treeless

        save_treeless(path, self)

    def _load(self, path: str | os.PathLike[str]) -> None:
        from equilibrist.solvers.implicit.checkpoint import ImplicitCheckpoint

        ImplicitCheckpoint(path).restore(self)

    def __repr__(self) -> str:
        return (
            f"ImplicitMCCFR({self.rules.name!r}, {self.variant.name!r}, {self.sampler.name!r}, "
            f"iteration={self.iteration:,}, infosets={self.num_infosets:,})"
        )


_WIDTH: Final = 1000


@dataclass(frozen=True, eq=False)
class OneDeal(RulesGame):
    """The rules with one outcome, drawn each time, wherever chance moves."""

    draws: random.Random = field(default_factory=lambda: random.Random(0))

    def chance(self, state: RulesState, /) -> tuple[float, ...]:
        """The drawn outcome alone."""
        return (1.0,)

    def next(self, state: RulesState, action_index: int, /) -> RulesState:
        """The state after an action, or after a drawn outcome where chance moves."""
        if self.player(state) == CHANCE:
            odds = super().chance(state)
            action_index = self.draws.choices(range(len(odds)), odds)[0]
        return super().next(state, action_index)


def refuse_large_deals(rules: Rules, memory: int, tables: int) -> None:
    """MemoryBudgetError if the changes of a traversal per table would not fit into so many bytes.

    A traversal logs two numbers, for regret and average, of each action of the traverser after one
    deal: two per history, divided by the number of players. The number of histories is
    estimated; errors in the rules are reported when they run.
    """
    try:
        histories = estimate_histories(OneDeal(rules), _WIDTH, rules.max_moves)
    except Exception:
        return
    needed = 2.0 * histories / rules.num_players * LOG_ENTRY * tables
    if needed > memory:
        apart = "" if tables == 1 else f" for {tables} tables"
        raise MemoryBudgetError(
            f"chance sampling walks all that can be played after a deal: in {rules.name} about "
            f"{histories:.2g} histories (an estimate), whose changes need about {needed:.2g} "
            f"bytes of memory{apart}, and {memory:,} are allowed",
            0,
            option="memory",
            given=memory,
            remedy="Use external or outcome sampling, or give more `memory`",
        )


def fit_walks(run: ImplicitRun, key: np.uint64, every: int | None) -> Walk:
    """The number of walks that takes a third of the time; the trials are those of `Walk.fit`.

    They use only the memory that `run`, which is still empty, leaves.
    """
    every = WALK_EVERY if every is None else every
    trial = _playing_uniformly(run, key)
    single = Walk(1, 1, key)
    for t in range(1, TRIAL + 1):
        trial.walk(single, t, 1.0)
    per_walk = max(1.0, trial.nodes_touched / TRIAL)
    learning = _another(run, np.uint64(1))
    learning.memory -= run.table_bytes + run.scratch_bytes
    per_iteration = _nodes_per_iteration(learning)
    return Walk(every, max(1, round(every * per_iteration / SHARE / per_walk)), key)


def nodes_per_iteration(run: ImplicitRun) -> float:
    """States that an iteration visits when all play uniformly, from one fixed seed."""
    return _nodes_per_iteration(_playing_uniformly(run, np.uint64(1)))


def _another(run: ImplicitRun, key: np.uint64) -> ImplicitRun:
    return ImplicitRun(run.rules, run.sampler, key, run.memory, run.tables)


def _playing_uniformly(run: ImplicitRun, key: np.uint64) -> ImplicitRun:
    trial, widest = _another(run, key), run.rules.max_actions
    trial.table = new_table(1, 1 + widest, widest)
    trial.table.used[2] = 1  # it takes no row
    return trial


def _nodes_per_iteration(trial: ImplicitRun) -> float:
    while trial.iteration < TRIAL and trial.nodes_touched < TRIAL_NODES:
        trial.advance(trial.iteration + max(1, trial.iteration), 0.0)
    return max(1.0, trial.nodes_touched / trial.iteration)
