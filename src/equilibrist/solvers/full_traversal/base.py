"""Full traversals of the sequence form: the state, and the loop over iterations."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from equilibrist.errors import MismatchError
from equilibrist.game import Game
from equilibrist.parsing.threads import thread_count
from equilibrist.rules.module import Rules
from equilibrist.solvers.full_traversal.crew import TOGETHER, Crew, useful_threads
from equilibrist.solvers.full_traversal.tree_solver import TreeSolver
from equilibrist.solvers.full_traversal.watching import (
    WATCHED,
    Watcher,
    decay_and_weight,
    refuse_turns,
)
from equilibrist.solvers.run.fingerprint import (
    RunFingerprint,
    layout_digest,
)
from equilibrist.solvers.run.state import SolverState, check_numbers, check_state, frozen_copy
from equilibrist.solvers.variants.rule import Rule
from equilibrist.solvers.variants.variant import Variant
from equilibrist.storage.alignment import side_by_side
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree
from equilibrist.typing import FloatArray

if TYPE_CHECKING:
    from equilibrist.kernels.sequence_form.shared import Team


class FullTraversals(TreeSolver):
    """A solver that visits the whole game in every iteration, as its `variant` says.

    The game must have perfect recall. The first iteration plays the uniform strategy.
    """

    _table_rows = 16_384

    def __init__(
        self,
        game: GameTree | Game[Any] | Rules | str,
        algorithm: Rule,
        *,
        alternating: bool | None = None,
        horizon: int | None = None,
        threads: int | None = None,
    ) -> None:
        """Prepare to solve a game.

        Args:
            game: A compiled game, or a game, its rules or its name, which is compiled first.
            algorithm: The rule of updates and of the average.
            alternating: Whether players update in turn; by default as the rule says.
            horizon: The planned number of iterations, for rules that need it.
            threads: The most threads that share an iteration, by default one for each processor
                that the process may use. The numbers are the same.

        Raises:
            ConfigError: `horizon` is missing where the rule needs it, or an argument is wrong.
            RecallError: A player forgets their own past.
            GameError: As `compile_game` raises it, and MemoryBudgetError too.
        """
        super().__init__(game, algorithm, alternating=alternating, horizon=horizon)
        self._watcher: Watcher | None = None
        self._form = self.tree.sequence_form
        wanted = thread_count(threads)
        self._crew: Crew | None = None
        if algorithm.parallel and (useful := useful_threads(self._form, wanted)) > 1:
            self._crew = Crew(self._form, useful)
        size = self._form.num_sequences
        kept = {name: np.zeros(size) for name in algorithm.keeps}
        regret = np.zeros(algorithm.regret_count(self.tree))
        self._hold(regret, self._form.uniform(), np.zeros(size), kept)

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
            infoset_value,
            total,
            *remembered,
        ) = side_by_side(arrays)
        alone = infoset_value, total
        self._scratch = alone if self._crew is None else self._crew.scratch()
        self._kept = dict(zip(kept, remembered, strict=True))

    @property
    def threads(self) -> int:
        """The threads that share an iteration: at most those given, one where more would not help.

        That is so for small games, and for rules that work history by history or in Python.
        """
        return 1 if self._crew is None else self._crew.threads

    @property
    def crew(self) -> Crew | None:
        """The threads, for measurements of the solver's strategies; None for one thread."""
        return self._crew

    def use_crew(self, crew: Crew) -> None:
        """Work with other threads, of which there may be one, even where another way is faster.

        Args:
            crew: The threads, those of a solver of this game.
        """
        self._crew = crew
        self._scratch = crew.scratch()

    def watch(self, watcher: Watcher) -> None:
        """Let something receive what every iteration plays; one thread then does the work.

        Args:
            watcher: What receives it, from the next iteration on.

        Raises:
            ConfigError: Players update in turn, so that no iteration has one profile.
        """
        refuse_turns(alternating=self.alternating)
        self.close()
        self._crew = None
        widest = self._form.arrays.group_size.max(initial=1)
        self._scratch = np.zeros(widest), np.zeros(widest)
        self._watcher = watcher
        self.__dict__.pop("_identity", None)

    @property
    def compiled(self) -> str:
        """The dotted name of its kernel."""
        return self.variant.compiled

    @property
    def compiled_for(self) -> str:
        """What the kernel is compiled for besides the game, as `Rule.compiled_for` says it."""
        own = self.variant.compiled_for
        if self._crew is not None:
            return f"{TOGETHER}{own}"
        return f"{WATCHED}{own}" if self._watched_inside else own

    @property
    def watcher(self) -> Watcher | None:
        """What receives the profile of every iteration, if anything does."""
        return self._watcher

    def close(self) -> None:
        """End the threads that wait for work; they start again when they are needed."""
        if self._crew is not None:
            self._crew.team.release()

    @cached_property
    def _arrays(self) -> tuple[Any, ...]:
        # Made when first needed: that may compile, which callers announce before.
        return self.variant.arrays(self.tree)

    def _piece(self) -> int:
        if self._crew is not None:
            return self._crew.pace.iterations()
        return 1 if self._calls_watcher else super()._piece()

    @property
    def _watched_inside(self) -> bool:
        """Whether the kernel itself tells the watcher."""
        watcher = self._watcher
        return (
            watcher is not None
            and watcher.compiled is not None
            and isinstance(self.variant, Variant)
        )

    @property
    def _calls_watcher(self) -> bool:
        """Whether the watcher is told between iterations, which then run one by one."""
        return self._crew is None and self._watcher is not None and not self._watched_inside

    def _advance(self, count: int) -> None:
        table = self.variant.table(self.iteration + 1, count, self.horizon)
        played = self._behaviour.copy() if self._calls_watcher else None
        run = self.variant.kernel(self._kept)
        if self._watcher is not None and self._watched_inside:
            run = partial(run, watched=self._watcher.compiled)
        arrays = (
            self._arrays,
            table,
            self.alternating,
            self._regret,
            self._behaviour,
            self._strategy_sum,
            self._reach,
            self._value,
            *self._scratch,
        )
        if self._crew is not None:
            self._call_together(self._crew, run, arrays, count)
        else:
            self._call(run, arrays, count)
        if played is not None and self._watcher is not None:
            decay, weight = decay_and_weight(self.variant, table[0])
            self._watcher.watch(weight, played, decay)

    def _call_together(
        self, crew: Crew, run: Callable[..., None], arrays: tuple[Any, ...], count: int
    ) -> None:
        """Let all threads call what runs so many iterations."""
        from equilibrist.kernels.primitives.barrier import BEGUN

        *state, totals = arrays

        def part(team: Team) -> None:
            run(*state, totals[team.thread], team=team)

        counters = crew.counters()
        self._last = self.iteration, count, counters[BEGUN : BEGUN + 1]
        start = time.perf_counter()
        crew.run(part, counters)
        crew.pace.note(count, time.perf_counter() - start)

    def average_behaviour(self) -> FloatArray:
        """The average strategy in engine order, as evaluation kernels take it.

        Returns:
            float64[S], probabilities; a new array.
        """
        from equilibrist.kernels.sequence_form.response import average_behaviour

        out = np.empty(self._form.num_sequences)
        average_behaviour(self._form.arrays, self._strategy_sum, out)
        return out

    def current_behaviour(self) -> FloatArray:
        """The strategy of the next iteration in engine order.

        Returns:
            float64[S], probabilities; a copy.
        """
        return self._behaviour.copy()

    def average_strategy(self) -> Strategy:
        """Give the average strategy, which converges.

        Returns:
            A copy; uniform at infosets that were never reached.
        """
        return Strategy(self.tree, self._form.to_public(self.average_behaviour()))

    def current_strategy(self) -> Strategy:
        """Give the strategy that the next iteration plays; it need not converge.

        Returns:
            A copy.
        """
        return Strategy(self.tree, self._form.to_public(self._behaviour))

    def _copy_state(self) -> SolverState:
        return SolverState(
            frozen_copy(self._regret),
            frozen_copy(self._behaviour),
            frozen_copy(self._strategy_sum),
            self.iteration,
            {name: frozen_copy(array) for name, array in self._kept.items()},
            self._identity,
            {} if self._watcher is None else self._watcher.state(),
        )

    def _adopt(self, state: SolverState) -> None:
        size = self._form.num_sequences
        check_state(state, size, self.tree.name, ())
        check_numbers("regret", state.regret, len(self._regret), self.tree.name)
        for name in ("behaviour", "strategy_sum"):
            check_numbers(name, getattr(state, name), size, self.tree.name)
        if state.kept.keys() != self._kept.keys():
            raise MismatchError(
                f"the state keeps {', '.join(state.kept) or 'nothing'} besides the regrets, "
                f"{self.variant.name} keeps {', '.join(self._kept) or 'nothing'}",
                option="kept",
                given=", ".join(state.kept),
                expected=", ".join(self._kept),
            )
        if self._watcher is not None and state.iteration > 0:
            self._watcher.restore(state.watched)
        kept = {name: state.kept[name] for name in self._kept}
        for name, array in kept.items():
            check_numbers(name, array, size, self.tree.name)
        self._hold(state.regret, state.behaviour, state.strategy_sum, kept)
        self._stand_at(state.iteration)

    def _layout(self) -> str:
        return layout_digest(self.tree)

    def _fingerprint(self, output: str) -> RunFingerprint:
        watched = None if self._watcher is None else self._watcher.name
        return super()._fingerprint(output).model_copy(update={"watched": watched})
