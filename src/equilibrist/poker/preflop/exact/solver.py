"""The solver of an exact game: CFR on the engine, step by step."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from equilibrist.errors import ConfigError, MismatchError
from equilibrist.parsing.arguments import bad_argument, instance
from equilibrist.parsing.threads import thread_count
from equilibrist.poker.cards.decks import STANDARD
from equilibrist.poker.preflop.exact.engine import Engine
from equilibrist.poker.preflop.exact.game import ExactGame
from equilibrist.poker.preflop.exact.measure import ExactMeasure
from equilibrist.poker.preflop.exact.preflop_values import NodeRows, PreflopTables, preflop_nodes
from equilibrist.solvers.run.fingerprint import coefficients_digest
from equilibrist.solvers.run.state import frozen_copy
from equilibrist.solvers.run.stopping import checked_iterations
from equilibrist.solvers.variants.registry import as_variant
from equilibrist.solvers.variants.variant import Variant
from equilibrist.typing import FloatArray

DEFAULT_ALGORITHM: Final = "dcfr"


@dataclass(frozen=True, eq=False)
class ExactState:
    """All that the coming iterations depend on.

    Attributes:
        iteration: How many iterations have run.
        arrays: Regrets and strategy sums by name; copies.
        identity: The game, and the numbers of the algorithm, as a digest.
    """

    iteration: int
    arrays: Mapping[str, NDArray[Any]]
    identity: str


class ExactSolver:
    """CFR on hold'em from the first card, with every hand on every board."""

    def __init__(
        self,
        game: ExactGame,
        algorithm: Variant | str | None = None,
        *,
        threads: int | None = None,
        on_board: Callable[[int, int], object] | None = None,
    ) -> None:
        """Allocate and lay out.

        Args:
            game: The game.
            algorithm: A variant of CFR that updates in turn and does not predict, such as `dcfr`,
                `lcfr` or `cfr+`; the default is `dcfr`.
            threads: Threads to work with, by default one for each processor. Their number changes
                no bit of the result.
            on_board: Called with the boards whose showdowns are counted, and their number.

        Raises:
            ConfigError: An argument is wrong.
            UnknownNameError: There is no algorithm of that name.
        """
        self.game = instance("game", game, ExactGame, "an ExactGame")
        self.variant = exact_variant(algorithm)
        self.engine = Engine(game, thread_count(threads), on_board=on_board)

    @property
    def iteration(self) -> int:
        """Iterations so far."""
        return self.engine.iteration

    @property
    def memory_bytes(self) -> int:
        """Bytes of the state, the tables and the working memory."""
        return self.engine.memory_bytes

    def run(self, iterations: int, /) -> Self:
        """Run more iterations; the state does not depend on how they are cut into calls.

        Args:
            iterations: How many to add.

        Returns:
            The solver itself.

        Raises:
            ConfigError: It is not a whole number from 0.
        """
        count = checked_iterations(iterations)
        if count:
            self.engine.run(self.variant.table(self.iteration + 1, count))
        return self

    def measure(self) -> ExactMeasure:
        """Measure the average strategies by best responses of both players.

        Returns:
            Values and gains in big blinds.

        Raises:
            ConfigError: Regrets or strategy sums have overflowed.
        """
        gains = self.engine.gains()
        if not np.isfinite(gains).all():
            raise ConfigError(
                f"variant {self.variant.name!r}: regrets or strategy sums have overflowed at "
                f"t = {self.iteration}",
                option="algorithm",
                given=self.variant.name,
                place=f"t = {self.iteration}",
                remedy="let what comes before count less, not more",
            )
        return ExactMeasure(gains)

    def tables(self) -> PreflopTables:
        """Compute what the values before the flop depend on, by a pass over all boards.

        Returns:
            The tables, with values in big blinds.
        """
        root = self.engine.pairs.root
        return PreflopTables(root.met, root.beaten, self.engine.below())

    def strategies(self) -> dict[int, FloatArray]:
        """The average strategies before the flop.

        Returns:
            By node float64[A, R], the probability of each action.
        """
        return {k: v for player in (0, 1) for k, v in self.engine.strategies(0, player).items()}

    def nodes(self) -> dict[int, NodeRows]:
        """The figures at all nodes before the flop.

        Returns:
            The figures by node.
        """
        unit = float(self.game.big_blind)
        return preflop_nodes(self.engine.tree, self.strategies(), self.tables(), unit)

    @property
    def state(self) -> ExactState:
        """All that the coming iterations depend on, as a copy."""
        arrays = {name: frozen_copy(array) for name, array in self.arrays().items()}
        return ExactState(self.iteration, arrays, self.identity)

    @property
    def identity(self) -> str:
        """A digest of the game and of the numbers of the algorithm."""
        return identity_of(self.game, self.variant)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Regrets and strategy sums by name, not copied."""
        engine = self.engine
        return {
            f"{name}.{player}": array
            for name, both in (("regret", engine.regrets), ("total", engine.totals))
            for player, array in enumerate(both)
        }

    def restore(self, state: ExactState, /) -> Self:
        """Continue from a state, with the bits of the run that it is from.

        Args:
            state: The `state` of a solver of the same game and algorithm.

        Returns:
            The solver itself.

        Raises:
            MismatchError: It is of another game or algorithm.
            ConfigError: It is not such a state.
        """
        if not isinstance(state, ExactState):
            raise bad_argument("state", state, "the .state of such a solver")
        if state.identity != self.identity:
            raise MismatchError(
                "the state is of another game or algorithm",
                option="state",
                given=state.identity,
                expected=self.identity,
                remedy="restore it in a solver that was made with the same arguments",
            )
        for name, array in self.arrays().items():
            array[:] = state.arrays[name]
        self.engine.iteration = state.iteration
        return self

    def begin_again(self) -> None:
        """Forget all iterations."""
        for array in self.arrays().values():
            array[:] = 0
        self.engine.iteration = 0

    def close(self) -> None:
        """End the threads that wait for work."""
        self.engine.team.release()


def exact_variant(algorithm: Variant | str | None) -> Variant:
    """The variant; raises ConfigError for one that exact games are not solved by."""
    variant = as_variant(DEFAULT_ALGORITHM if algorithm is None else algorithm)
    reason = ""
    if variant.predicts:
        reason = "predicts, which would keep a third number for every action"
    elif variant.needs_horizon:
        reason = "plans how many iterations a run has"
    elif not variant.alternating:
        reason = "updates both players at once"
    if reason:
        raise ConfigError(
            f"{variant.name} {reason}; exact hold'em is solved in turn by variants without it",
            option="algorithm",
            given=variant.name,
            remedy="choose dcfr, lcfr or cfr+",
        )
    return variant


def identity_of(game: ExactGame, variant: Variant) -> str:
    """A digest of a game's tree and cards, and of the numbers of an algorithm."""
    tree, rules = game.tree, game.rules
    digest = hashlib.sha256()
    for array in (tree.kind, tree.player, tree.parent, tree.stake, tree.live):
        digest.update(np.ascontiguousarray(array).tobytes())
    words = (rules.board, rules.lowest_rank, rules.final_street, game.flops, game.seed,
             game.big_blind, coefficients_digest(variant, None))  # fmt: skip
    digest.update(repr(words).encode())
    if rules.ranking != STANDARD:
        digest.update(rules.ranking.name.encode())
    return digest.hexdigest()[:32]
