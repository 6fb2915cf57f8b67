"""Monte Carlo CFR on rules without a tree: a table of the infosets met so far."""

from __future__ import annotations

import os
from typing import Any, Final

import numpy as np

from equilibrist.arguments import optional_whole_number, refused, whole_number
from equilibrist.errors import ConfigError, GameError, MemoryBudgetError, MismatchError
from equilibrist.game import Game
from equilibrist.games import load_game
from equilibrist.rules.binding import bind
from equilibrist.rules.game import RulesGame
from equilibrist.rules.module import Rules
from equilibrist.rules.strategy import PackedStrategy, read_averages
from equilibrist.solvers.averages import SHARE, TRIAL, TRIAL_NODES, WALK_EVERY, Walk
from equilibrist.solvers.infoset_table import (
    FIRST_SLOTS,
    LOG_ENTRY,
    InfosetTable,
    added,
    bytes_with,
    larger,
    new_table,
)
from equilibrist.solvers.mccfr import refuse_unfit
from equilibrist.solvers.samplers import Sampler
from equilibrist.solvers.treeless_samplers import (
    bytes_of_scratch,
    fit_sampler,
    kernel_of,
    make_scratch,
)
from equilibrist.solvers.variant import Variant
from equilibrist.solvers.variants import as_variant
from equilibrist.typing import Int64Array

DEFAULT_MEMORY: Final = 1 << 30
"""Bytes that a run without a tree may take unless told otherwise."""
DEFAULT_PERIOD: Final = 1000
_LOG: Final = 1 << 12


class TreelessMCCFR:
    """External or outcome sampling on a game whose histories are never listed.

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
        memory: int = DEFAULT_MEMORY,
    ) -> None:
        """Prepare; `rules` may be named, as in `rules:liars_dice(dice=2)`.

        `sampler` is "external" or "outcome", also as "outcome(epsilon=0.4)".

        `memory` (bytes) bounds the table with its copy while it grows, the scratch space and what
        `average` gives. `variant` discounts once per `period` (default 1,000) iterations.

        `averaging` is "stochastic", the default with two players, where it is unbiased, or "walk",
        the default with more, which comes every `averaging_every` (default 64) iterations and takes
        a third of the time, as in `MCCFR`.

        Raises ConfigError for a sampler that needs a tree and a variant that makes no sense under
        sampling, GameSpecError and UnknownNameError for rules that cannot be loaded,
        MemoryBudgetError for a bound that not even the smallest table keeps.
        """
        self.rules = opened(rules)
        self.sampler = fit_sampler(sampler)
        self.variant = as_variant(variant)
        refuse_unfit(self.variant)
        self.period = DEFAULT_PERIOD if period is None else whole_number("period", period, 1)
        self.seed = whole_number("seed", seed, 0)
        self.memory = whole_number("memory", memory, 1)
        self.iteration = 0
        self._key, another = np.random.SeedSequence(seed).generate_state(2, np.uint64)
        self.log_size = max(_LOG, self.rules.max_actions)
        """Room for changes of one traversal."""
        first = (FIRST_SLOTS, FIRST_SLOTS + self.rules.max_actions)
        self.refuse_more_than_memory(bytes_with(*first))
        self.table = new_table(*first, self.rules.max_actions)
        self.progress = np.array([1, 0, 0, 0], dtype=np.int64)
        """Next iteration, player to traverse next, state of the stream, states visited."""
        self._log: tuple[Any, Any] | None = None
        self._scratch = make_scratch(self.sampler, self.rules)
        self.averaging = _fit_averaging(averaging, averaging_every, self.rules.num_players)
        self._walks: Walk | None = None
        if self.averaging == Walk.name:
            self._walks = fit_walks(self.rules, self.sampler, another, averaging_every, self.memory)

    @property
    def averaging_every(self) -> int | None:
        """Every how many iterations the average is taken; None if that is done on the way."""
        return None if self._walks is None else self._walks.every

    @property
    def scratch_bytes(self) -> int:
        """Bytes besides the table: one path, and the log of one traversal's changes."""
        return bytes_of_scratch(self.sampler, self.rules) + LOG_ENTRY * self.log_size

    def refuse_more_than_memory(self, table: int) -> None:
        """MemoryBudgetError if a table of so many bytes cannot be held."""
        needed = table + self.scratch_bytes
        if needed > self.memory:
            raise MemoryBudgetError(
                f"{self.rules.name} needs a memory of {needed:,} bytes for its table, and "
                f"{self.memory:,} are allowed: give more (--memory)",
                0,
            )

    def run(self, iterations: int) -> TreelessMCCFR:
        """Run that many more iterations and return self.

        The state after n iterations has the same bits however they were split into calls. Once the
        table has reached its bound (`is_full`), infosets without a row are played uniformly and
        learn nothing; the others go on.

        Raises GameSpecError for rules that cannot be compiled, GameError for rules that break
        their own promises (`check_game` says where).
        """
        end = self.iteration + whole_number("iterations", iterations, 0)
        while self.iteration < end:
            done = self.iteration % self.period
            weight = self._discount(self.iteration // self.period + 1, apply=done == 0)
            last = min(end, self.iteration - done + self.period)
            if self._walks is not None:
                since = self.iteration % self._walks.every
                if since == 0:
                    self.walk(self._walks, self.iteration + 1, weight)
                last = min(last, self.iteration - since + self._walks.every)
                weight = 0.0
            self._sample(last, weight)
        return self

    def _sample(self, last: int, weight: float) -> None:
        from equilibrist.kernels.treeless import ITERATION

        rules = self.rules
        kernel, parameters = kernel_of(self.sampler)
        sizes = (last, rules.num_players, rules.max_actions)
        self._call(kernel, (*sizes, self._key, weight, *parameters, *self._scratch))
        self.iteration = int(self.progress[ITERATION]) - 1

    def walk(self, walks: Walk, iteration: int, weight: float) -> None:
        """Take the average by `walks`, as `iteration` begins."""
        from equilibrist.kernels.treeless_walk import walk_average

        rules = self.rules
        sizes = (rules.num_players, rules.max_actions, rules.max_moves)
        walked = np.zeros(2, dtype=np.int64)
        fixed = (iteration, walks.walks, *sizes, walks.key, weight, *self._scratch[-2:], walked)
        self._call(walk_average, fixed)

    def _call(self, kernel: Any, arguments: tuple[Any, ...]) -> None:
        """Call a kernel until it is done; in between table and log grow as it needs."""
        from equilibrist.kernels import treeless

        rules, bound = self.rules, bind(self.rules, kernel)
        while True:
            if self._log is None:
                size = self.log_size
                self._log = (np.empty(size, dtype=np.int64), np.empty(size))
            status = bound(rules.g, self.table, *arguments, *self._log, self.progress)
            if status == treeless.DONE:
                return
            if status == treeless.LOG_FULL:
                self._lengthen_log()
            elif status == treeless.TABLE_FULL:
                self._grow()
            else:
                raise GameError(_broken(rules, status))

    def _grow(self) -> None:
        """Double what is full, or close the table."""
        room = self.memory - self.scratch_bytes
        table = larger(self.table, self.rules.max_actions, room)
        if table is None:
            self.table.used[2] = 1
        else:
            self.table = table

    def _lengthen_log(self) -> None:
        """Double the log, or close the table: its changes are then entered earlier."""
        numbers = self.table.pool.shape[1]
        table = bytes_with(len(self.table.row), numbers)
        if table + self.scratch_bytes + LOG_ENTRY * self.log_size > self.memory:
            self.table.used[2] = 1
        else:
            self._log = None
            self.log_size *= 2

    def _discount(self, t: int, *, apply: bool) -> float:
        """Discount the table as period t begins; the weight of what it adds to the average."""
        if self.variant.name == "cfr":
            return 1.0
        row = self.variant.coefficients(t)
        if apply and t > 1:
            from equilibrist.kernels.table import discount

            discount(self.table.pool, self.table.used, row.positive, row.negative, row.decay)
        return row.weight

    def bound_nash_conv(self) -> float | None:
        """What theory allows for NashConv, as far as the sampled regrets tell.

        Zinkevich et al., Regret minimization in games with incomplete information (NIPS 2007),
        theorems 2 and 3: with two players and a constant sum, NashConv of the average is at most
        the sum over infosets of their largest regret, over the number of iterations. Regrets are
        sampled, so the bound holds of their expectation; their noise makes it larger, that of
        outcome sampling more so. None with
        more players, with discounts, of a full table, and before the first iteration.
        """
        from equilibrist.kernels.table import sum_of_largest

        plain = self.variant.name == "cfr" and self.rules.num_players == 2 and not self.is_full
        if not plain or self.iteration == 0:
            return None
        return float(sum_of_largest(self.table.row, self.table.pool[0])) / self.iteration

    def average(self, *others: TreelessMCCFR) -> PackedStrategy:
        """The average strategy so far; infosets that it does not hold are played uniformly.

        With `others`, runs with other seeds, the average over the iterations of all of them, which
        takes a table that holds all of theirs. MismatchError if they are of other rules.
        """
        if not others:
            return read_averages(self.rules, self.table)
        for other in others:
            if other.rules.identity != self.rules.identity:
                raise MismatchError(f"one run is of {self.rules.name}, one of {other.rules.name}")
        tables = [solver.table for solver in (self, *others)]
        return read_averages(self.rules, added(tables, self.rules.max_actions))

    def adopt(self, table: InfosetTable, progress: Int64Array, log_size: int) -> None:
        """Go on from the table and the rest of a checkpoint's state, which are not copied."""
        self.table, self.progress = table, progress
        self.log_size, self._log = log_size, None
        self.iteration = int(progress[0]) - 1

    @property
    def is_full(self) -> bool:
        """Whether the table has reached its bound."""
        return bool(self.table.used[2])

    @property
    def num_infosets(self) -> int:
        """Infosets met so far, those without a row not counted."""
        return int(self.table.used[0])

    @property
    def nodes_touched(self) -> int:
        """States visited so far."""
        return int(self.progress[3])

    @property
    def table_bytes(self) -> int:
        """Bytes of the table."""
        return self.table.nbytes

    def checkpoint(self, path: str | os.PathLike[str]) -> None:
        """Write the state to `path`, atomically, replacing such a checkpoint but no other file.

        Raises OutputError. `resume` reads it, here or in another process.
        """
        from equilibrist.solvers.treeless_checkpoint import save

        save(path, self)

    def resume(self, path: str | os.PathLike[str]) -> TreelessMCCFR:
        """Go on from a checkpoint, with the same bits as without a break, and return self.

        Raises CheckpointError if it is damaged, or of other rules, another sampler, variant or
        seed; MemoryBudgetError if its table is larger than `memory` allows.
        """
        from equilibrist.solvers.treeless_checkpoint import load

        load(path).restore(self)
        return self

    def __repr__(self) -> str:
        return (
            f"TreelessMCCFR({self.rules.name!r}, {self.variant.name!r}, {self.sampler.name!r}, "
            f"iteration={self.iteration:,}, infosets={self.num_infosets:,})"
        )


def fit_walks(
    rules: Rules, sampler: Sampler, key: np.uint64, every: int | None, memory: int
) -> Walk:
    """As many walks as take a third of the time; the trials are those of `Walk.fit`."""
    every = WALK_EVERY if every is None else every
    trial = TreelessMCCFR(rules, sampler=sampler, averaging="stochastic", memory=memory)
    one = Walk(1, 1, key)
    for t in range(1, TRIAL + 1):
        trial.walk(one, t, 1.0)
    per_walk = max(1.0, trial.nodes_touched / TRIAL)
    other = TreelessMCCFR(rules, sampler=sampler, averaging="stochastic", memory=memory)
    other._key = np.uint64(1)
    while other.iteration < TRIAL and other.nodes_touched < TRIAL_NODES:
        other.run(max(1, other.iteration))
    per_iteration = max(1.0, other.nodes_touched / other.iteration)
    return Walk(every, max(1, round(every * per_iteration / SHARE / per_walk)), key)


def _fit_averaging(averaging: object, every: object, players: int) -> str:
    """The average to take: as asked for, or the usual one; ConfigError if there is none such."""
    usual = "stochastic" if players == 2 else Walk.name
    found = usual if averaging is None else averaging
    if found not in ("stochastic", Walk.name):
        raise refused("averaging", averaging, f"stochastic or {Walk.name} without a tree")
    if optional_whole_number("averaging_every", every, 1) and found != Walk.name:
        raise ConfigError(
            f"averaging_every has no meaning with {found} averaging, which is taken on the way: "
            f"use averaging {Walk.name}"
        )
    return str(found)


def opened(rules: object) -> Rules:
    """The rules that a string names, or those of a game; ConfigError for any other game."""
    if isinstance(rules, str):
        rules = load_game(rules)
    if isinstance(rules, RulesGame):
        return rules.rules
    if isinstance(rules, Rules):
        return rules
    raise refused(
        "rules", rules, "a rules module (equilibrist.rules), such as 'rules:liars_dice(dice=2)'"
    )


def _broken(rules: Rules, status: int) -> str:
    from equilibrist.kernels import treeless

    found = {
        treeless.ENDLESS: f"a line of play goes on after max_moves() = {rules.max_moves} moves",
        treeless.WRONG_COUNT: f"a state has no action, more than max_actions() = "
        f"{rules.max_actions}, or not as many as another state of its infoset",
        treeless.NO_NUMBER: "a payoff is infinite or not a number",
    }
    return f"the rules {rules.name} contradict themselves: {found[status]}; check_game says where"
