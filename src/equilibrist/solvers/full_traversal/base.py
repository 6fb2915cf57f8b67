"""Full passes over the sequence form: state, and nothing but the loop."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property
from typing import Any, Self

import numpy as np

from equilibrist.errors import ConfigError, MismatchError
from equilibrist.game import Game
from equilibrist.game_loading import compile_game
from equilibrist.parsing.arguments import (
    bad_argument,
    check_bool,
    optional_whole_number,
    whole_number,
)
from equilibrist.solvers.run.fingerprint import RunFingerprint, coefficients_digest, layout_digest
from equilibrist.solvers.run.state import SolverState
from equilibrist.solvers.variants.rule import Rule
from equilibrist.storage.alignment import side_by_side
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree
from equilibrist.typing import FloatArray

_TABLE_ROWS = 16_384
"""Iterations whose coefficients are laid out at once: bounds memory, hides the dispatch."""


class FullPasses:
    """A solver that visits the whole game in every iteration, as its `variant` says.

    The game must have perfect recall. The first iteration plays the uniform strategy.
    """

    def __init__(
        self,
        tree: GameTree | Game[Any] | str,
        variant: Rule,
        *,
        alternating: bool | None = None,
        horizon: int | None = None,
    ) -> None:
        """Prepare to solve `tree` (a game, or the name of one, is compiled first).

        `alternating` overrides the variant's own order of updates. ConfigError if `horizon`, the
        planned number of iterations, is missing where the variant needs it.
        RecallError if a player forgets their own past, and what `compile_game` raises.
        """
        self.tree = tree if isinstance(tree, GameTree) else compile_game(tree)
        self.variant = variant
        order = variant.alternating if alternating is None else alternating
        self.alternating = check_bool("alternating", order)
        self.horizon = optional_whole_number("horizon", horizon, 1)
        if variant.needs_horizon and horizon is None:
            raise ConfigError(
                f"{variant.name} follows a schedule and needs the planned number of iterations",
                option="horizon",
                remedy="give horizon (on the command line --iterations)",
            )
        self.iteration = 0
        self._form = self.tree.sequence_form
        size = self._form.num_sequences
        kept = {name: np.zeros(size) for name in variant.keeps}
        self._hold(np.zeros(size), self._form.uniform(), np.zeros(size), kept)

    def _hold(
        self,
        regret: FloatArray,
        behaviour: FloatArray,
        strategy_sum: FloatArray,
        kept: Mapping[str, FloatArray],
    ) -> None:
        widest = self._form.arrays.group_size.max(initial=1)
        arrays = (
            regret,
            behaviour,
            strategy_sum,
            self._form.reach(behaviour),
            self._form.scratch(),
            np.zeros(widest),
            np.zeros(widest),
            *kept.values(),
        )
        (
            self._regret,
            self._behaviour,
            self._strategy_sum,
            self._reach,
            self._value,
            self._infoset_value,
            self._total,
            *remembered,
        ) = side_by_side(arrays)
        self._kept = dict(zip(kept, remembered, strict=True))

    @cached_property
    def _arrays(self) -> tuple[Any, ...]:
        # Laid out when first needed: that may compile, and whoever solves says so before.
        return self.variant.arrays(self.tree)

    def run(self, iterations: int) -> Self:
        """Run that many more iterations and return self.

        The state after n iterations has the same bits however they were split into calls.
        """
        iterations = whole_number("iterations", iterations, 0)
        run = self.variant.kernel(self._kept)
        done = 0
        while done < iterations:
            count = min(_TABLE_ROWS, iterations - done)
            run(
                self._arrays,
                self.variant.table(self.iteration + 1, count, self.horizon),
                self.alternating,
                self._regret,
                self._behaviour,
                self._strategy_sum,
                self._reach,
                self._value,
                self._infoset_value,
                self._total,
            )
            self.iteration += count
            done += count
        return self

    def average_behaviour(self) -> FloatArray:
        """The average strategy in engine order, float64[S], as evaluation kernels take it."""
        from equilibrist.kernels.sequence_form.response import average_behaviour

        out = np.empty(self._form.num_sequences)
        average_behaviour(self._form.arrays, self._strategy_sum, out)
        return out

    def current_behaviour(self) -> FloatArray:
        """The strategy of the next iteration in engine order, float64[S], a copy."""
        return self._behaviour.copy()

    def average_strategy(self) -> Strategy:
        """The average strategy, which converges; uniform at infosets never reached."""
        return Strategy(self.tree, self._form.to_public(self.average_behaviour()))

    def current_strategy(self) -> Strategy:
        """The strategy that the next iteration plays; it need not converge."""
        return Strategy(self.tree, self._form.to_public(self._behaviour))

    @property
    def state(self) -> SolverState:
        """A copy of the state; hand it to `restore` to go on from here."""
        arrays = (self._regret.copy(), self._behaviour.copy(), self._strategy_sum.copy())
        kept = {name: array.copy() for name, array in self._kept.items()}
        return SolverState(*arrays, self.iteration, kept)

    def restore(self, state: SolverState) -> Self:
        """Go on from `state`; MismatchError if it is of a game of another size or another rule."""
        if not isinstance(state, SolverState):
            raise bad_argument("state", state, "the .state of a solver (from a file: resume)")
        size = self._form.num_sequences
        if state.kept.keys() != self._kept.keys():
            raise MismatchError(
                f"the state keeps {', '.join(state.kept) or 'nothing'} besides the regrets, "
                f"{self.variant.name} keeps {', '.join(self._kept) or 'nothing'}",
                option="kept",
                given=", ".join(state.kept),
                expected=", ".join(self._kept),
            )
        kept = {name: state.kept[name] for name in self._kept}
        for array in (state.regret, state.behaviour, state.strategy_sum, *kept.values()):
            if array.shape != (size,):
                raise MismatchError(
                    f"the state has {array.shape} entries, {self.tree.name} needs ({size},)",
                    option="regret",
                    given=array.shape,
                    expected=(size,),
                )
        self._hold(state.regret, state.behaviour, state.strategy_sum, kept)
        self.iteration = state.iteration
        return self

    def fingerprint(self, output: str = "average") -> RunFingerprint:
        """What identifies this run in a checkpoint; `output` is the strategy its trace measures."""
        return RunFingerprint(
            game=self.tree.name,
            fingerprint=self.tree.fingerprint,
            layout=layout_digest(self.tree),
            algorithm=self.variant.name,
            coefficients=coefficients_digest(self.variant, self.horizon),
            alternating=self.alternating,
            horizon=self.horizon if self.variant.needs_horizon else None,
            seed=None,
            output=output,
        )

    def checkpoint(self, path: str | os.PathLike[str]) -> None:
        """Write the state to `path`, atomically, replacing a checkpoint but no other file.

        Raises OutputError. `resume` reads it, here or in another process.
        """
        from equilibrist.solvers.run.checkpoint import save_checkpoint

        save_checkpoint(path, self)

    def resume(self, path: str | os.PathLike[str]) -> Self:
        """Go on from a checkpoint, with the same bits as without a break, and return self.

        Raises CheckpointError if it is damaged, or of another game, variant, order or horizon.
        """
        from equilibrist.solvers.run.checkpoint import load_checkpoint

        return load_checkpoint(path).restore(self)

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}({self.tree.name!r}, {self.variant.name!r}, "
            f"iteration={self.iteration:,}, alternating={self.alternating})"
        )
