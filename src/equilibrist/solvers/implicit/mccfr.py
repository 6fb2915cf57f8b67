"""Monte Carlo CFR on rules without a tree: a table of the infosets met so far."""

from __future__ import annotations

import os
from typing import Any, Final

import numpy as np

from equilibrist.errors import ConfigError, MismatchError
from equilibrist.game import Game
from equilibrist.games import load_game
from equilibrist.parsing.arguments import bad_argument, optional_whole_number, whole_number
from equilibrist.rules.game import RulesGame
from equilibrist.rules.module import Rules
from equilibrist.rules.strategy import PackedStrategy, read_averages
from equilibrist.solvers.implicit import regret_bound
from equilibrist.solvers.implicit.batches import PrivateRuns, TreelessRounds
from equilibrist.solvers.implicit.deal_size import refuse_large_deals
from equilibrist.solvers.implicit.infoset_table import added
from equilibrist.solvers.implicit.samplers import fit_sampler
from equilibrist.solvers.implicit.state import Stand, TreelessState
from equilibrist.solvers.implicit.table_run import (
    DEFAULT_MEMORY,
    TreelessRun,
    fit_walks,
    nodes_per_iteration,
)
from equilibrist.solvers.run.fingerprint import RunFingerprint, coefficients_digest
from equilibrist.solvers.run.interrupt import noted_interrupts
from equilibrist.solvers.sampling.averaging import MOST_EVERY, Walk
from equilibrist.solvers.sampling.executors import fit_executor, round_length
from equilibrist.solvers.sampling.mccfr import FOR_ANY_NUMBER, refuse_unfit
from equilibrist.solvers.sampling.pure import refuse_discounts
from equilibrist.solvers.sampling.registry import sampler_spec
from equilibrist.solvers.sampling.samplers import Chance, Pure, Sampler
from equilibrist.solvers.variants.registry import as_variant
from equilibrist.solvers.variants.variant import Variant

DEFAULT_PERIOD: Final = 1000


class TreelessMCCFR(TreelessRun):
    """Sampling on a game whose histories are never listed.

    Lanctot, Waugh, Zinkevich, Bowling, Monte Carlo sampling for regret minimization in extensive
    games (NIPS 2009), as `MCCFR` does it on a tree: the same seed draws the same trajectories. An
    infoset gets a row when it is first met. One iteration is one traversal per player.
    """

    def __init__(
        self,
        rules: Rules | Game[Any] | str,
        variant: Variant | str = "cfr",
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
        """Prepare; `rules` may be named, as in `rules:liars_dice(dice=2)`.

        `sampler` is one of `WITHOUT_TREE`, as "external(prune=1000)" or "outcome(epsilon=0.4)".
        Chance sampling is for games in which not too much can be played after one deal: a traversal
        keeps all its changes.

        `memory` (bytes) bounds the table with its copy while it grows, the scratch space and what
        `average` gives. `variant` discounts once per `period` (default 1,000) iterations.

        `averaging` is "stochastic", the default with two players, where it is unbiased, or "walk",
        the default with more, which comes every `averaging_every` (default 64) iterations and takes
        a third of the time, as in `MCCFR`. That of chance sampling is "own-reach" with any number.

        `threads` cuts every period into that many batches, which start from the same table and are
        merged as it ends, as in `MCCFR`; by default a period is then so long that each visits about
        a million states. Each thread has a private table, which `memory` bounds as well: they may
        all be as large as the one that they are merged into. `executor` is "threads" or "serial"
        (one batch after the other); the bits are the same.

        Raises ConfigError for a sampler that needs a tree and a variant that makes no sense under
        sampling, for `shared` and an executor on other machines, which need a tree, too;
        GameSpecError and UnknownNameError for rules that cannot be loaded, MemoryBudgetError for a
        bound that not even the smallest tables keep, nor the changes of a traversal after one deal,
        which is estimated.
        """
        self.variant = as_variant(variant)
        refuse_unfit(self.variant)
        self.executor = fit_executor(threads, shared, executor, address)
        _refuse_what_needs_a_tree(shared, self.executor)
        self.threads = int(threads)
        self.seed = whole_number("seed", seed, 0)
        key, another = np.random.SeedSequence(seed).generate_state(2, np.uint64)
        memory = whole_number("memory", memory, 1)
        tables = 1 if self.threads == 1 else self.threads + 1
        super().__init__(opened(rules), fit_sampler(sampler), key, memory, tables)
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
        self.averaging = _fit_averaging(self.sampler, averaging, averaging_every, self.rules)
        if self.averaging == Walk.name:
            self.walks = fit_walks(self, another, averaging_every)
        if period is None and self.threads > 1:
            period = round_length(self.executor, self.threads, nodes_per_iteration(self), 0)
        self.period = DEFAULT_PERIOD if period is None else whole_number("period", period, 1)
        self._rounds: TreelessRounds | None = None
        if self.threads > 1:
            private = PrivateRuns(self.rules, self.sampler, key, self.walks, memory, tables)
            self._rounds = TreelessRounds(private, self.executor, self.threads, self.period)

    @property
    def averaging_every(self) -> int | None:
        """Every how many iterations the average is taken; None if that is done on the way."""
        return None if self.walks is None else self.walks.every

    def run(self, iterations: int) -> TreelessMCCFR:
        """Run that many more iterations and return self.

        The state after n iterations has the same bits however they were split into calls. Once the
        table has reached its bound (`is_full`), infosets without a row are played uniformly and
        learn nothing; the others go on. Ctrl-C raises KeyboardInterrupt where a period ends, and
        the solver can go on from there.

        Raises GameSpecError for rules that cannot be compiled, GameError for rules that break
        their own promises (`check_game` says where).
        """
        end = self.iteration + whole_number("iterations", iterations, 0)
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
        return self

    def load(self) -> TreelessMCCFR:
        """Compile the sampler or load it, by running no iteration, and return self."""
        if self._rounds is None:
            self.load_kernels()
        else:
            self._rounds.load(self)
        return self

    def close(self) -> None:
        """End the threads. The table stays; the run is over."""
        if self._rounds is not None:
            self._rounds.close()

    @property
    def grain(self) -> int:
        """Whole multiples of so many iterations run fastest: a round, where there are rounds."""
        return 1 if self._rounds is None else self.period

    @property
    def state(self) -> TreelessState:
        """A copy of the state; hand it to `restore` to go on from here."""
        return self.live_state().copy()

    def live_state(self) -> TreelessState:
        """The state in the arrays that the run works on: it changes as the run goes on."""
        return TreelessState(
            self.stand,
            None if self._rounds is None else self._rounds.before,
            () if self.units is None else tuple(self.units.payoffs),
            self.memory,
            self.rules.identity,
            self.seed,
        )

    def restore(self, state: TreelessState, *, copy: bool = True) -> TreelessMCCFR:
        """Go on from `state`, without `copy` in its own arrays, and return self.

        With more memory than it was made with, a table that was full may grow again.

        Raises MismatchError if it belongs to other rules, another seed or other threads, or if its
        table is broken; MemoryBudgetError if the table is larger than `memory` allows.
        """
        if not isinstance(state, TreelessState):
            raise bad_argument("state", state, "the .state of such a solver (from a file: resume)")
        if (state.rules, state.seed) != (self.rules.identity, self.seed):
            raise MismatchError(
                f"the state is of other rules than {self.rules.name} or of seed {state.seed}, this "
                f"solver has seed {self.seed}",
                option="state",
                given=state.seed,
                expected=self.seed,
            )
        begun = state.iteration if state.before is None else state.before.iteration
        if state.iteration - begun != state.iteration % self.grain:
            raise MismatchError("it does not hold where its round began", option="before")
        state = state.copy() if copy else state
        for stand in (state.stand, state.before):
            if stand is not None:
                self._fit(stand, state.memory)
        if self.units is not None:
            self.units.adopt(list(state.payoffs))
        self.adopt(state.stand)
        if self._rounds is not None:
            self._rounds.before = state.before
        return self

    def _fit(self, stand: Stand, memory: int) -> None:
        """Refuse a table that kernels cannot work with; reopen one that was full under `memory`."""
        table, widest = stand.table, self.rules.max_actions
        flaw = table.flaw(widest)
        if flaw or stand.log_size < widest:
            raise MismatchError(flaw or "it has no row for infosets unseen", option="table")
        self.refuse_more_than_memory(len(table.row), table.pool.shape[1], stand.log_size)
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
        """What theory allows for NashConv, as far as the sampled regrets tell.

        With two players and a constant sum, NashConv of the average is at most the sum over
        infosets of their largest regret, over the number of iterations; with discounts, over the
        sum of their weights, where the average weighs them alike (`regret_bound` has the sources).
        Regrets and average are sampled, so it is an estimate; the noise of regrets makes it larger,
        that of outcome sampling more so. Where the table is full, infosets without a row count with
        the largest regret of every visit. None where there is no bound: `why_no_bound` says why.
        """
        return regret_bound.bound_of(self._regrets)

    def unstored_share(self) -> float:
        """How much of both bounds is owed to infosets without a row: 0 until the table is full.

        That part does not go to zero with more iterations: it takes more memory.
        """
        return regret_bound.unstored_share(self._regrets)

    def bound_cce_gap(self) -> float | None:
        """What theory allows for the coarse correlated gap of the play so far, with any players.

        That is what all players together could gain by deciding beforehand on one strategy each,
        against the others' whole history of play (against their averages it would be NashConv).
        An estimate like `bound_nash_conv`; None before the first iteration, and where negative
        regrets are discounted less than positive ones.
        """
        return regret_bound.coarse_bound_of(self._regrets)

    def why_no_bound(self) -> str:
        """Why `bound_nash_conv` is None, in a few words; empty if it is not."""
        return regret_bound.why_no_bound(self._regrets)

    def average(self, *others: TreelessMCCFR) -> PackedStrategy:
        """The average strategy so far; infosets that it does not hold are played uniformly.

        With `others`, runs with other seeds, the average over the iterations of all of them, which
        takes a table that holds all of theirs. MismatchError if they are of other rules.
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

    def fingerprint(self, output: str = "average") -> RunFingerprint:
        """What identifies this run in a checkpoint; `output` is the strategy its trace measures."""
        return RunFingerprint(
            game=self.rules.name,
            fingerprint=self.rules.identity,
            layout="packed",
            algorithm=self.variant.name,
            coefficients=coefficients_digest(self.variant, None),
            alternating=True,
            horizon=None,
            seed=self.seed,
            output=output,
            sampler=sampler_spec(self.sampler),
            averaging=self.averaging,
            averaging_every=self.averaging_every,
            period=self.period,
            threads=self.threads if self.threads > 1 else None,
            shared=False if self.threads > 1 else None,
        )

    def checkpoint(self, path: str | os.PathLike[str]) -> None:
        """Write the state to `path`, atomically, replacing such a checkpoint but no other file.

        Raises OutputError. `resume` reads it, here or in another process.
        """
        from equilibrist.solvers.implicit.checkpoint import save

        save(path, self)

    def resume(self, path: str | os.PathLike[str]) -> TreelessMCCFR:
        """Go on from a checkpoint, with the same bits as without a break, and return self.

        Raises CheckpointError if it is damaged, or of other rules, another sampler, variant or
        seed; MemoryBudgetError if its table is larger than `memory` allows.
        """
        from equilibrist.solvers.implicit.checkpoint import load

        load(path).restore(self)
        return self

    def __repr__(self) -> str:
        return (
            f"TreelessMCCFR({self.rules.name!r}, {self.variant.name!r}, {self.sampler.name!r}, "
            f"iteration={self.iteration:,}, infosets={self.num_infosets:,})"
        )


def _fit_averaging(sampler: Sampler, averaging: object, every: object, rules: Rules) -> str:
    """The average to take: as asked for, or the usual one; ConfigError if there is none such."""
    own = sampler.averagings[0]
    found = own if rules.num_players == 2 or own in FOR_ANY_NUMBER else Walk.name
    if averaging is not None:
        found = averaging.strip().lower().replace("_", "-") if isinstance(averaging, str) else ""
    if found not in (own, Walk.name):
        raise bad_argument("averaging", averaging, f"{own} or {Walk.name} without a tree")
    if optional_whole_number("averaging_every", every, 1, MOST_EVERY) and found != Walk.name:
        raise ConfigError(
            f"averaging_every has no meaning with {found} averaging, which is taken on the way",
            option="averaging_every",
            given=every,
            remedy=f"use averaging {Walk.name}",
        )
    return found


def _refuse_what_needs_a_tree(shared: bool, executor: str) -> None:
    if shared:
        raise ConfigError(
            "shared lets threads write into one table without locks, which goes where the table "
            "is fixed; without a tree rows come up on the way, and the table moves when it grows",
            option="shared",
            given=shared,
            remedy="leave shared out (--shared-table), and each thread has a table of its own",
        )
    if executor == "ray":
        raise ConfigError(
            "executor ray sends the tables of a compiled tree to other machines, and this game is "
            "sampled without one",
            option="executor",
            given=executor,
            remedy="use executor threads or serial",
        )


def opened(rules: object) -> Rules:
    """The rules that a string names, or those of a game; ConfigError for any other game."""
    if isinstance(rules, str):
        rules = load_game(rules)
    if isinstance(rules, RulesGame):
        return rules.rules
    if isinstance(rules, Rules):
        return rules
    raise bad_argument(
        "rules", rules, "a rules module (equilibrist.rules), such as 'rules:liars_dice(dice=2)'"
    )
