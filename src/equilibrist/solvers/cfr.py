"""CFR by full passes over the sequence form: state, and nothing but the loop."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from equilibrist.arguments import optional_whole_number, refused, truth, whole_number
from equilibrist.arrays import side_by_side
from equilibrist.errors import ConfigError, MismatchError
from equilibrist.game import Game
from equilibrist.solvers.opening import compile_game
from equilibrist.solvers.state import SolverState
from equilibrist.solvers.variant import Variant
from equilibrist.solvers.variants import as_variant
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree
from equilibrist.typing import FloatArray

_TABLE_ROWS = 16_384
"""Iterations whose coefficients are laid out at once: bounds memory, hides the dispatch."""


class CFR:
    """Counterfactual regret minimisation on a compiled game, for any variant of `variants`.

    Zinkevich et al., Regret minimization in games with incomplete information (NIPS 2007), in
    the sequence form of a game of perfect recall. The first iteration plays the uniform
    strategy; the average takes the strategy that was played, before its update.
    """

    def __init__(
        self,
        tree: GameTree | Game[Any] | str,
        variant: Variant | str = "dcfr",
        *,
        alternating: bool | None = None,
        horizon: int | None = None,
    ) -> None:
        """Prepare to solve `tree` (a game, or the name of one, is compiled first).

        `alternating` overrides the variant's own order of updates. `horizon` is the planned
        number of iterations, which scheduled variants (hs-dcfr, hs-pcfr+) need: ConfigError.
        RecallError if a player forgets their own past, and what `compile_game` raises.
        """
        self.tree = tree if isinstance(tree, GameTree) else compile_game(tree)
        self.variant = as_variant(variant)
        order = self.variant.alternating if alternating is None else alternating
        self.alternating = truth("alternating", order)
        self.horizon = optional_whole_number("horizon", horizon, 1)
        if self.variant.needs_horizon and horizon is None:
            raise ConfigError(
                f"{self.variant.name} follows a schedule and needs the planned number of "
                f"iterations: give horizon (on the command line --iterations)"
            )
        self.iteration = 0
        self._form = self.tree.sequence_form
        size = self._form.num_sequences
        self._hold(np.zeros(size), self._form.uniform(), np.zeros(size))

    def _hold(self, regret: FloatArray, behaviour: FloatArray, strategy_sum: FloatArray) -> None:
        widest = self._form.arrays.group_size.max(initial=1)
        arrays = (
            regret,
            behaviour,
            strategy_sum,
            self._form.reach(behaviour),
            self._form.scratch(),
            np.zeros(widest),
            np.zeros(widest),
        )
        (
            self._regret,
            self._behaviour,
            self._strategy_sum,
            self._reach,
            self._value,
            self._infoset_value,
            self._total,
        ) = side_by_side(arrays)

    def run(self, iterations: int) -> CFR:
        """Run that many more iterations and return self.

        The state after n iterations has the same bits however they were split into calls.
        """
        iterations = whole_number("iterations", iterations, 0)
        from equilibrist.kernels.cfr import run

        done = 0
        while done < iterations:
            count = min(_TABLE_ROWS, iterations - done)
            run(
                self._form.arrays,
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
        from equilibrist.kernels.response import average_behaviour

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
        return SolverState(
            self._regret.copy(), self._behaviour.copy(), self._strategy_sum.copy(), self.iteration
        )

    def restore(self, state: SolverState) -> CFR:
        """Go on from `state`; MismatchError if it belongs to a game of another size."""
        if not isinstance(state, SolverState):
            raise refused("state", state, "the .state of a solver (from a file: resume)")
        size = self._form.num_sequences
        for array in (state.regret, state.behaviour, state.strategy_sum):
            if array.shape != (size,):
                raise MismatchError(
                    f"the state has {array.shape} entries, {self.tree.name} needs ({size},)"
                )
        self._hold(state.regret, state.behaviour, state.strategy_sum)
        self.iteration = state.iteration
        return self

    def checkpoint(self, path: str | os.PathLike[str]) -> None:
        """Write the state to `path`, atomically, replacing a checkpoint but no other file.

        Raises OutputError. `resume` reads it, here or in another process.
        """
        from equilibrist.solvers.checkpoint import save_checkpoint

        save_checkpoint(path, self)

    def resume(self, path: str | os.PathLike[str]) -> CFR:
        """Go on from a checkpoint, with the same bits as without a break, and return self.

        Raises CheckpointError if it is damaged, or of another game, variant, order or horizon.
        """
        from equilibrist.solvers.checkpoint import load_checkpoint

        return load_checkpoint(path).restore(self)

    def regrets(self) -> dict[str, dict[str, float]]:
        """Cumulative regrets as {infoset: {action: regret}}; 0 at infosets with one action."""
        values = np.where(
            self._form.public_forced, 0.0, self._regret[self._form.sequence_of_public]
        )
        return self._labelled(values)

    def _labelled(self, values: FloatArray) -> dict[str, dict[str, float]]:
        offset = self.tree.action_offset
        return {
            key: dict(
                zip(labels, values[int(offset[i]) : int(offset[i + 1])].tolist(), strict=True)
            )
            for i, (key, labels) in enumerate(
                zip(self.tree.infoset_keys, self.tree.action_labels, strict=True)
            )
        }

    def __repr__(self) -> str:
        return (
            f"CFR({self.tree.name!r}, {self.variant.name!r}, iteration={self.iteration:,}, "
            f"alternating={self.alternating})"
        )
