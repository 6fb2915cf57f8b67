"""CFR by traversals of the history tree, for games in which players forget."""

from __future__ import annotations

import hashlib
import time
from typing import Any, Final, Self

import numpy as np

from equilibrist.errors import ConfigError, UnsupportedError
from equilibrist.game import Game
from equilibrist.game_loading import compile_game
from equilibrist.parsing.arguments import bad_argument, check_bool, optional_whole_number
from equilibrist.rules.module import Rules
from equilibrist.solvers.run.fingerprint import (
    RunFingerprint,
    coefficients_digest,
    refuse_another_state,
)
from equilibrist.solvers.run.loop import PIECE_SECONDS, IterationRate
from equilibrist.solvers.run.solver import Checkpointed
from equilibrist.solvers.run.state import SolverState, check_state, frozen_copy, in_proportion
from equilibrist.solvers.run.stopping import checked_iterations
from equilibrist.solvers.variants.registry import as_rule
from equilibrist.solvers.variants.rule import Rule
from equilibrist.solvers.variants.variant import Variant
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree
from equilibrist.typing import FloatArray

HISTORY_KERNEL: Final = "equilibrist.kernels.histories.cfr.run"
"""The kernel of an iteration."""
_TABLE_ROWS: Final = 4096
_LAYOUT: Final = "histories"


class HistoryCFR(Checkpointed):
    """CFR on histories: any variant, on games with or without perfect recall.

    With perfect recall it is `CFR`, only slower. Without, the regrets of an infoset are the sums
    over its histories, and no theorem says that the averages approach an equilibrium; the strategy
    is to be measured in a game with perfect recall (Kevin Waugh, Martin Zinkevich, Michael
    Johanson, Morgan Kan, David Schnizlein and Michael Bowling, "A practical use of imperfect
    recall", SARA 2009). All arrays are in public order, float64[Q].
    """

    def __init__(
        self,
        game: GameTree | Game[Any] | Rules | str,
        algorithm: Rule | str = "dcfr",
        *,
        alternating: bool | None = None,
        horizon: int | None = None,
    ) -> None:
        """Prepare to solve a game.

        Args:
            game: A compiled game, or a game, its rules or its name, which is compiled first.
            algorithm: A variant, or the text of one: `cfr+`, `dcfr(gamma=3)`.
            alternating: Whether players update in turn; by default as the variant says.
            horizon: The planned number of iterations, for variants that need it.

        Raises:
            ConfigError: `horizon` is missing where the variant needs it, or an argument is wrong.
            UnknownNameError: There is no algorithm or game of that name.
            UnsupportedError: The algorithm is no variant.
        """
        self.tree = game if isinstance(game, GameTree) else compile_game(game)
        rule = as_rule(algorithm) if isinstance(algorithm, str) else algorithm
        if not isinstance(rule, Variant):
            raise UnsupportedError(
                f"{rule.name} needs perfect recall, and a player forgets",
                option="algorithm",
                given=rule.name,
                expected="cfr, cfr+, dcfr or another variant of CFR",
                remedy="use cfr, cfr+, dcfr or another variant, or a sampler",
            )
        self.variant = rule
        order = rule.alternating if alternating is None else alternating
        self.alternating = check_bool("alternating", order)
        self.horizon = optional_whole_number("horizon", horizon, 1)
        if rule.needs_horizon and horizon is None:
            raise ConfigError(
                f"{rule.name} follows a schedule and needs the planned number of iterations",
                option="horizon",
                remedy="give `horizon`",
            )
        size = int(self.tree.action_offset[-1])
        self._regret = np.zeros(size)
        self._strategy_sum = np.zeros(size)
        self._behaviour = Strategy.uniform(self.tree).probabilities.copy()
        self._scratch = self._make_scratch()
        self._rate = IterationRate()
        players = np.arange(self.tree.num_players + 1)
        self._player_offset = np.searchsorted(self.tree.infoset_player, players).astype(np.int64)

    def _make_scratch(self) -> tuple[FloatArray, ...]:
        tree = self.tree
        per_action = (tree.num_players, int(tree.action_offset[-1]))
        nodes = (tree.num_nodes,)
        shapes = (nodes, nodes, nodes, nodes, per_action, per_action, (1,), (1,))
        return tuple(np.zeros(shape) for shape in shapes)

    @property
    def threads(self) -> int:
        """The threads that share an iteration: one."""
        return 1

    @property
    def compiled(self) -> str:
        """The dotted name of its kernel."""
        return HISTORY_KERNEL

    def close(self) -> None:
        """End what runs in the background: nothing."""

    def run(self, iterations: int) -> Self:
        """Run more iterations.

        The state after n iterations has the same bits however they were split into calls.

        Args:
            iterations: How many iterations to add.

        Returns:
            The solver itself.

        Raises:
            ConfigError: `iterations` is not a whole number from 0, or is beyond the horizon.
        """
        from equilibrist.kernels.histories.cfr import run

        left = checked_iterations(iterations)
        arrays = self.tree.history_tree.arrays
        while left > 0:
            count = min(_TABLE_ROWS, left, self._rate.iterations_in(PIECE_SECONDS))
            start = time.perf_counter()
            run(
                arrays.node,
                arrays.chance_probability,
                arrays.payoff,
                self.tree.action_offset,
                self._player_offset,
                self.variant.table(self.iteration + 1, count, self.horizon),
                self.alternating,
                self._regret,
                self._behaviour,
                self._strategy_sum,
                *self._scratch,
            )
            self._iteration += count
            self._rate.add(count, time.perf_counter() - start)
            left -= count
        return self

    def average_strategy(self) -> Strategy:
        """Give the average strategy.

        Returns:
            A copy; uniform at infosets that were never reached.
        """
        return Strategy(self.tree, in_proportion(self._strategy_sum, self.tree.action_offset))

    def current_strategy(self) -> Strategy:
        """Give the strategy that the next iteration plays.

        Returns:
            A copy.
        """
        return Strategy(self.tree, self._behaviour)

    @property
    def state(self) -> SolverState:
        """All that the coming iterations depend on, as a copy; `restore` continues from it."""
        return SolverState(
            frozen_copy(self._regret),
            frozen_copy(self._behaviour),
            frozen_copy(self._strategy_sum),
            self.iteration,
            {},
            self._identity,
        )

    def restore(self, state: SolverState) -> Self:
        """Continue from a state, with the bits of the run that it is from.

        Args:
            state: The `state` of a solver that was made with the same arguments.

        Returns:
            The solver itself.

        Raises:
            MismatchError: The state is of another game or algorithm, or of other options of one.
            ConfigError: It is not such a state.
        """
        if not isinstance(state, SolverState):
            raise bad_argument("state", state, "the .state of a solver (from a file: resume)")
        refuse_another_state(state.identity, self._identity)
        size = len(self._regret)
        check_state(state, size, self.tree.name, ("regret", "behaviour", "strategy_sum"))
        self._regret[:] = state.regret
        self._behaviour[:] = state.behaviour
        self._strategy_sum[:] = state.strategy_sum
        self._iteration = state.iteration
        return self

    def _fingerprint(self, output: str) -> RunFingerprint:
        return RunFingerprint(
            game=self.tree.name,
            fingerprint=self.tree.fingerprint,
            layout=hashlib.sha256(_LAYOUT.encode()).hexdigest(),
            algorithm=self.variant.name,
            coefficients=coefficients_digest(self.variant, self.horizon),
            alternating=self.alternating,
            horizon=self.horizon if self.variant.needs_horizon else None,
            seed=None,
            output=output,
        )

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}({self.tree.name!r}, {self.variant.name!r}, "
            f"iteration={self.iteration:,}, alternating={self.alternating})"
        )
