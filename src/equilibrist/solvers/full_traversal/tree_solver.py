"""Solvers that traverse a compiled game: rule, order of updates, horizon, and the loop of a run."""

from __future__ import annotations

import hashlib
import time
from abc import abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from equilibrist.errors import ConfigError, EquilibristError
from equilibrist.game import Game
from equilibrist.game_loading import compile_game
from equilibrist.parsing.arguments import check_bool, optional_whole_number
from equilibrist.rules.module import Rules
from equilibrist.solvers.run.fingerprint import RunFingerprint, coefficients_digest
from equilibrist.solvers.run.loop import PIECE_SECONDS, IterationRate
from equilibrist.solvers.run.solver import Checkpointed
from equilibrist.solvers.run.state import SolverState
from equilibrist.solvers.variants.rule import Rule, SimultaneousRule
from equilibrist.tree.compile import GameTree
from equilibrist.typing import Int64Array


class TreeSolver(Checkpointed[SolverState]):
    """A solver that traverses a compiled game in every iteration, as its `variant` says.

    Runs are cut into pieces: a piece lays out its coefficients at once, and is short enough for
    Ctrl-C. The first iteration plays the uniform strategy.
    """

    variant: Rule
    _state_type = SolverState
    _table_rows: ClassVar[int] = 4096
    """Iterations whose coefficients are laid out at once: bounds memory, hides the dispatch."""
    _order: ClassVar[str] = ""
    """The word for the order of the numbers of a state, for its fingerprint."""

    def __init__(
        self,
        game: GameTree | Game[Any] | Rules | str,
        rule: Rule,
        *,
        alternating: bool | None = None,
        horizon: int | None = None,
    ) -> None:
        self.tree = game if isinstance(game, GameTree) else compile_game(game)
        self.variant = rule
        order = rule.alternating if alternating is None else alternating
        self.alternating = check_bool("alternating", order)
        if self.alternating and isinstance(rule, SimultaneousRule):
            raise ConfigError(
                f"{rule.name} always updates all players at once",
                option="alternating",
                given=True,
                expected=False,
                remedy="leave it out",
            )
        self.horizon = optional_whole_number("horizon", horizon, 1)
        if rule.needs_horizon and horizon is None:
            raise ConfigError(
                f"{rule.name} follows a schedule and needs the planned number of iterations",
                option="horizon",
                remedy="give `horizon`",
            )
        self._rate = IterationRate()
        self._stand_at(0)

    def _stand_at(self, iteration: int) -> None:
        """Let so many iterations have run."""
        self._last: tuple[int, int, Int64Array] = iteration, 0, np.zeros(1, dtype=np.int64)

    @property
    def iteration(self) -> int:
        """How many iterations have run; after an interrupt, too, it is that of the state."""
        before, count, begun = self._last
        return before + count * int(begun[0] > 0)

    @property
    def threads(self) -> int:
        """The threads that share an iteration: one."""
        return 1

    @property
    @abstractmethod
    def compiled(self) -> str:
        """The dotted name of its kernel."""

    def _iterate(self, iterations: int) -> None:
        while iterations > 0:
            count = min(self._table_rows, iterations, self._piece())
            start = time.perf_counter()
            self._advance(count)
            self._rate.add(count, time.perf_counter() - start)
            iterations -= count

    def _piece(self) -> int:
        """Count the iterations that may run until signals are looked at."""
        return self._rate.iterations_in(PIECE_SECONDS)

    @abstractmethod
    def _advance(self, count: int) -> None:
        """Run so many iterations."""

    def _call(self, kernel: Callable[..., None], arguments: tuple[Any, ...], count: int) -> None:
        """Call what runs so many iterations; they count as soon as it begins."""
        begun = np.zeros(1, dtype=np.int64)
        self._last = self.iteration, count, begun
        try:
            # Python handles signals at calls: not before the kernel runs, and when it has ended.
            begun[0] = 1
            kernel(*arguments)
        except EquilibristError:  # of a rule in Python
            begun[0] = 0
            raise

    def _layout(self) -> str:
        """A digest of the order in which the numbers of a state stand."""
        return hashlib.sha256(self._order.encode()).hexdigest()

    def _fingerprint(self, output: str) -> RunFingerprint:
        return RunFingerprint(
            game=self.tree.name,
            fingerprint=self.tree.fingerprint,
            layout=self._layout(),
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
