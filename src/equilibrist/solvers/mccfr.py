"""Monte Carlo CFR on a compiled game: a sampler, a discount on a global clock, an average."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from equilibrist.errors import ConfigError, MismatchError, UnknownNameError
from equilibrist.game import Game
from equilibrist.solvers.samplers import SAMPLERS, Sampler, Tables
from equilibrist.solvers.variant import NO_FLOOR, Variant
from equilibrist.solvers.variants import get_variant
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree, compile_game
from equilibrist.typing import FloatArray

_SHARE: Final = 16
"""By default a global discount comes once per Q / 16 iterations: it costs less than they do."""


@dataclass(frozen=True)
class SamplingState:
    """All that a run needs to go on: float64[Q] in public order, counts, and the seed."""

    regret: FloatArray
    strategy_sum: FloatArray
    iteration: int
    nodes_touched: int
    seed: int


class MCCFR:
    """Monte Carlo counterfactual regret minimisation on a compiled game.

    Lanctot, Waugh, Zinkevich, Bowling, Monte Carlo sampling for regret minimization in extensive
    games (NIPS 2009). One iteration is one traversal per player; after each, that player's regrets
    have changed. Games of imperfect recall are accepted.
    """

    def __init__(
        self,
        tree: GameTree | Game[Any],
        sampler: Sampler | str = "external",
        variant: Variant | str = "cfr",
        *,
        seed: int = 0,
        epoch: int | None = None,
    ) -> None:
        """Prepare to solve `tree` (a game is compiled first).

        `variant` discounts regrets and average once per `epoch` iterations, all infosets at the
        same time, whether they were visited or not; its t counts epochs. `seed` fixes all draws.

        Raises ConfigError for a variant that makes no sense under sampling (the reason is given).
        """
        self.tree = tree if isinstance(tree, GameTree) else compile_game(tree)
        self.sampler = get_sampler(sampler) if isinstance(sampler, str) else sampler
        self.variant = get_variant(variant) if isinstance(variant, str) else variant
        refuse_unfit(self.variant)
        size = int(self.tree.action_offset[-1])
        self.epoch = epoch if epoch is not None else max(1, size // _SHARE)
        if self.epoch < 1:
            raise ConfigError(f"epoch is {epoch}; expected at least 1 iteration")
        self.seed = seed
        self.iteration = 0
        key = np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]
        self._tables = Tables(self.tree.history_tree, key, np.zeros(size), np.zeros(size))

    def run(self, iterations: int) -> MCCFR:
        """Run that many more iterations and return self.

        The state after n iterations has the same bits however they were split into calls.
        """
        if iterations < 0:
            raise ConfigError(f"iterations is {iterations}; expected at least 0")
        end = self.iteration + iterations
        while self.iteration < end:
            done = self.iteration % self.epoch
            weight = self._discount(self.iteration // self.epoch + 1, apply=done == 0)
            count = min(end - self.iteration, self.epoch - done)
            self.sampler.run(
                self._tables, self.iteration + 1, count, self.sampler.averagings[0], weight
            )
            self.iteration += count
        return self

    def _discount(self, t: int, *, apply: bool) -> float:
        """Discount both tables as epoch t begins; the weight of what it adds to the average."""
        if self.variant.name == "cfr":
            return 1.0
        row = self.variant.coefficients(t)
        if apply and t > 1:
            regret = self._tables.regret
            regret *= np.where(regret > 0.0, row.positive, row.negative)
            self._tables.strategy_sum[:] *= row.decay
        return row.weight

    @property
    def nodes_touched(self) -> int:
        """Histories visited so far, terminals and chance nodes included."""
        return int(self._tables.touched[0])

    def average_strategy(self) -> Strategy:
        """The average strategy, which converges; uniform at infosets never reached."""
        return Strategy(self.tree, self._normalised(self._tables.strategy_sum))

    def current_strategy(self) -> Strategy:
        """The strategy that the next iteration plays; it need not converge."""
        return Strategy(self.tree, self._normalised(np.maximum(self._tables.regret, 0.0)))

    def _normalised(self, weights: FloatArray) -> FloatArray:
        offset = self.tree.action_offset
        counts = np.diff(offset)
        if not len(counts):
            return weights.copy()
        totals = np.repeat(np.add.reduceat(weights, offset[:-1]), counts)
        uniform = np.repeat(1.0 / counts, counts)
        return np.where(totals > 0.0, weights / np.where(totals > 0.0, totals, 1.0), uniform)

    @property
    def state(self) -> SamplingState:
        """A copy of the state; hand it to `restore` to go on from here."""
        tables = self._tables
        return SamplingState(
            tables.regret.copy(),
            tables.strategy_sum.copy(),
            self.iteration,
            self.nodes_touched,
            self.seed,
        )

    def restore(self, state: SamplingState) -> MCCFR:
        """Go on from `state`; MismatchError if it belongs to another game or another seed."""
        tables = self._tables
        if state.regret.shape != tables.regret.shape or state.seed != self.seed:
            raise MismatchError(
                f"the state has {state.regret.shape} entries and seed {state.seed}, this solver "
                f"of {self.tree.name} needs {tables.regret.shape} and seed {self.seed}"
            )
        tables.regret[:] = state.regret
        tables.strategy_sum[:] = state.strategy_sum
        tables.touched[0] = state.nodes_touched
        self.iteration = state.iteration
        return self


def get_sampler(name: str) -> Sampler:
    """The sampler of that name with its usual parameters; UnknownNameError with suggestions."""
    try:
        found: Sampler = SAMPLERS[name]()
    except KeyError:
        raise UnknownNameError("sampler", name, tuple(SAMPLERS)) from None
    return found


def refuse_unfit(variant: Variant) -> None:
    """ConfigError for variants whose update has no meaning when regrets are sampled."""
    if variant.floor != NO_FLOOR:
        raise ConfigError(
            f"{variant.name} forgets negative regrets after every iteration, which under sampling "
            f"throws away what unlucky draws must later make up for: use cfr, lcfr or dcfr"
        )
    if variant.prediction != 0.0:
        raise ConfigError(
            f"{variant.name} expects the last regret to come again, and a sampled one does not: "
            f"use cfr, lcfr or dcfr"
        )
    if variant.needs_horizon:
        raise ConfigError(
            f"{variant.name} plans its schedule over a known number of full passes: use cfr, "
            f"lcfr or dcfr"
        )
