"""The solver of a spot: the engine on the game of the spot, and figures at its nodes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property, partial
from threading import RLock
from typing import Any, Final, Self

import numpy as np

from equilibrist.errors import ConfigError, MismatchError
from equilibrist.parsing.arguments import bad_argument
from equilibrist.poker.equities.drawn_folds import PARTS, DrawnBunching
from equilibrist.poker.postflop.engine.engine import Engine
from equilibrist.poker.postflop.engine.holdem_game import holdem_game, kept_symmetries, pair_weights
from equilibrist.poker.postflop.engine.snapshot import Arrays, layout_of, query_arrays
from equilibrist.poker.postflop.solution.node_aggregates import NodesOfBoard, NodeValues
from equilibrist.poker.postflop.solution.node_lookup import NodeLookup
from equilibrist.poker.postflop.solution.spot_strategy import SpotStrategy
from equilibrist.poker.postflop.solving.cold_kernels import kernels_loaded
from equilibrist.poker.postflop.solving.perturbed import LogitResponses, perturbation_of
from equilibrist.poker.postflop.solving.precision import emptied, is_small, widened
from equilibrist.poker.postflop.solving.state import SpotRunIdentity, SpotState
from equilibrist.poker.postflop.solving.variants import checked_run
from equilibrist.poker.postflop.spot.fields import NARROW_ITERATIONS, Storage
from equilibrist.poker.postflop.spot.resolved_locks import LockedNode, locks_digest
from equilibrist.poker.postflop.spot.spot import Spot, checked_spot
from equilibrist.solvers.run.fingerprint import coefficients_digest
from equilibrist.solvers.run.solver import Unpicklable
from equilibrist.solvers.run.state import frozen_copy
from equilibrist.solvers.run.stopping import checked_iterations
from equilibrist.solvers.variants.variant import Coefficients, Variant
from equilibrist.typing import FloatArray

_AHEAD: Final = 100
"""Iterations whose coefficients are computed together."""
_TABLE_ROWS: Final = 16_384
"""Iterations whose coefficients are laid out at once: bounds memory."""
_FACTORS: Final = [*map(Coefficients._fields.index, ("positive", "negative", "decay", "lookahead"))]
"""The coefficients that multiply regrets and strategy sums."""
_FLOOR: Final = Coefficients._fields.index("floor")
_ROOM: Final = 0.75
"""Coefficients may be as large as the largest number to this power."""


class SpotSolver(Unpicklable):
    """Discounted CFR on a hold'em spot: the engine, run step by step.

    It is what `poker.solve` runs. Threads of Python may call it at the same time, but no signal
    handler, which would come in between within a call.
    """

    def __init__(
        self,
        spot: Spot,
        algorithm: Variant | str | None = None,
        *,
        storage: Storage = "float32",
        threads: int | None = None,
        reach_weighted: bool = False,
        isomorphism: bool = True,
        locked: Sequence[LockedNode] = (),
        lowest_rank: int = 0,
        tremble: float | None = None,
        quantal: float | None = None,
    ) -> None:
        """Prepare to solve a spot.

        Args:
            spot: The spot.
            algorithm: A variant of CFR, or the text of one. The default is
                `dcfr(alpha=1.4, beta=0.2, gamma=5)`, for int16 `dcfr-restarts`.
            storage: How regrets and strategy sums are stored: "float32", "int16" in half the
                memory, or "float64" in twice as much. What takes at most 8 MB in float32 goes on in
                float64 after 1,000 iterations, in 16 bits after 100, see `precision`.
            threads: Threads to work with, as in `solve`.
            reach_weighted: Whether iterations count by the player's own reach, as the theory of CFR
                says. Without it hands that do not reach a node are averaged uniformly, which is as
                good and says what they would do. Spots with locked frequencies always have it.
            isomorphism: Whether deals that are alike but for the names of suits are solved once.
            locked: Nodes with locks beside those of the spot: strategies with more digits, or of
                more hands, than the text of a lock should hold.
            lowest_rank: The lowest rank in the deck, 0 for the deuce; no range may hold lower ones.
            tremble: The least probability of every action; nodes with locks have none.
            quantal: The temperature of logit responses, as a share of the pot; it takes no
                algorithm.

        Raises:
            ConfigError: An argument is wrong, or the algorithm needs to know how long the
                run is, or does not update in turn.
            UnsupportedError: The spot has what quantal runs do not solve.
            UnknownNameError: There is no algorithm of that name.
        """
        self.spot = checked_spot(spot)
        self.tremble, self.quantal = tremble, quantal
        self.perturbation = perturbation_of(spot, tremble, quantal, storage, algorithm)
        threads, variant = checked_run(storage, threads, algorithm)
        self.variant = variant if quantal is None else LogitResponses(temperature=quantal)
        self.reach_weighted = reach_weighted
        self._running = RLock()
        self._grows = False
        self._ahead = 1, np.empty((0, 7))
        game = holdem_game(spot, isomorphism=isomorphism, locked=locked, lowest_rank=lowest_rank)
        group = kept_symmetries(spot, locked, isomorphism=isomorphism)
        self._figures = NodeLookup(spot, game.tree, group=group)
        self._given = storage
        self._locked, self._lowest_rank = tuple(locked), lowest_rank
        self.on_stage: Callable[[str], None] | None = None
        """Told where a kernel must be compiled before the run goes on."""
        self.engine = Engine(
            game,
            storage,
            threads=threads,
            predicts=self.variant.predicts,
            perturbation=self.perturbation,
        )
        self._narrow = NARROW_ITERATIONS.get(storage) if is_small(self.engine.arena) else None
        self.engine.load()
        self._figures.load()

    @property
    def iteration(self) -> int:
        """Iterations so far; after an interrupt, too, it is that of the state."""
        return self.engine.iteration

    @property
    def storage(self) -> Storage:
        """How regrets and strategies are held now."""
        return self.engine.arena.storage

    @property
    def given_storage(self) -> Storage:
        """How they were to be held, from the first iteration on."""
        return self._given

    @property
    def memory_bytes(self) -> int:
        """Bytes of the solver state and of the working memory."""
        return self.engine.memory_bytes

    def run(self, iterations: int, /) -> Self:
        """Run more iterations.

        The state after n iterations has the same bits however they were split into calls.

        Args:
            iterations: How many iterations to add.

        Returns:
            The solver itself.

        Raises:
            ConfigError: `iterations` is not a whole number from 0, or the algorithm gives numbers
                that no solver can use.
        """
        left = checked_iterations(iterations)
        with self._running:
            while left > 0:
                self.hold(self.iteration + 1)
                until = left
                if self._narrow is not None and self.iteration < self._narrow:
                    until = self._narrow - self.iteration
                rows = self._coefficients(min(left, until, _TABLE_ROWS))
                self._check(rows)
                self.engine.run(rows, weigh=self.reach_weighted)
                left -= len(rows)
        return self

    @property
    def temperature(self) -> float | None:
        """The temperature of the last iteration, a share of the pot; None for other runs."""
        if not isinstance(self.variant, LogitResponses):
            return None
        return self.variant.temperature_at(self.iteration)

    @property
    def has_cooled(self) -> bool:
        """Whether that is the temperature that was asked for."""
        return self.temperature == self.quantal

    @property
    def is_small(self) -> bool:
        """Whether its state takes so little memory that a second one may be kept beside it."""
        return is_small(self.engine.arena)

    def ev_error(self) -> float | None:
        """Measure how far EVs may be off because folded hands are drawn.

        Returns:
            The standard error of the EV of OOP at the root, in chips, by parts of the draws; None
            where nothing is drawn.
        """
        bunching = self.spot.bunching
        if not isinstance(bunching, DrawnBunching):
            return None
        parts = [pair_weights(self.spot, bunching.part(number)) for number in range(PARTS)]
        with self._running:
            evs = np.array(self.engine.ev_by(parts))
        return float(evs.std(ddof=1) / math.sqrt(PARTS)) / self.spot.rules().scale.per_chip

    def hold(self, iteration: int) -> None:
        """Hold numbers as that iteration does, which a run of a small spot changes once.

        Back before that change numbers are not converted: they are replaced by others.

        Args:
            iteration: Its number, from 1.
        """
        wide = self._narrow is not None and iteration > self._narrow
        wanted: Storage = "float64" if wide else self._given
        if self.storage != wanted:
            with kernels_loaded(self.spot, wanted, self.on_stage, self.perturbation):
                change = widened if wide else partial(emptied, storage=wanted)
                self.engine = change(self.engine)
                self.engine.load()

    def begin_again(self) -> None:
        """Forget all iterations; not for spots with locked frequencies, see `Arena.clear`."""
        with self._running:
            self.hold(1)
            self.engine.clear()
            self._grows = False

    def average_strategy(self) -> SpotStrategy:
        """Give the average strategies, which converge.

        Returns:
            A copy, as large as the strategy sums; all actions are alike where none was played.
        """
        return self._strategy(current=False)

    def current_strategy(self) -> SpotStrategy:
        """Give the strategies that the next iteration plays; they need not converge.

        Returns:
            A copy, as large as the regrets.
        """
        return self._strategy(current=True)

    def _strategy(self, *, current: bool) -> SpotStrategy:
        with self._running:
            strategies = self.engine.arena.strategies(current=current)
        figures, layout = self._figures, self.engine.layout
        return SpotStrategy(
            self.spot, lambda node, runout: figures.strategy(node, runout, layout, strategies)
        )

    @property
    def state(self) -> SpotState:
        """All that the coming iterations depend on, as a copy; `restore` continues from it."""
        with self._running:
            arrays = self.engine.arena.solver_arrays()
            return SpotState(
                self.iteration,
                {name: frozen_copy(array) for name, array in arrays.items()},
                layout_of(self.engine.layout),
                self._grows,
                self._identity,
            )

    @cached_property
    def _identity(self) -> SpotRunIdentity:
        """The identity written into every state of this solver; `restore` refuses another one."""
        name, digest = self.variant.name, coefficients_digest(self.variant, None)
        return SpotRunIdentity(
            spot=self.spot,
            storage=self._given,
            algorithm=name,
            coefficients=digest,
            reach_weighted=self.reach_weighted,
            locked=locks_digest(self._locked),
            lowest_rank=self._lowest_rank,
            perturbation="" if self.perturbation is None else str(self.perturbation),
        )

    def restore(self, state: SpotState, /) -> Self:
        """Continue from a state, with the bits of the run that it is from.

        Args:
            state: The `state` of a solver that was made with the same arguments; `threads` may
                differ.

        Returns:
            The solver itself.

        Raises:
            MismatchError: The state is of another spot, storage or algorithm, or other nodes were
                locked.
            ConfigError: It is not such a state.
        """
        if not isinstance(state, SpotState):
            raise bad_argument("state", state, "the .state of such a solver")
        if state.identity is not None:
            state.identity.refuse_unless(self._identity)
        own = layout_of(self.engine.layout)
        if state.layout != own:
            raise MismatchError(
                "the state is of another spot", option="layout", given=state.layout, expected=own
            )
        with self._running:
            self.hold(state.iteration)
            self.engine.restore(state.arrays, state.iteration)
            self._grows = state.grows
        return self

    def close(self) -> None:
        """End the threads that wait for work; they start again when they are needed."""
        self.engine.traversal.team.release()

    def mean_gain(self, *, unlocked: bool = False) -> float:
        """Compute what best responses to the average strategies gain, the mean of both players.

        Without rake this is the exploitability.

        Args:
            unlocked: Whether best responses may break the locks of the spot.

        Returns:
            The mean gain, in chips.

        Raises:
            ConfigError: Regrets or strategy sums have overflowed.
        """
        gain = float(self.spot.value_unit.gain(self.engine.mean_gain(unlocked=unlocked)))
        self.check_numbers(finite=math.isfinite(gain))
        return gain

    def trembling_gain(self) -> float | None:
        """Compute what best responses gain that tremble as the players do, the mean of both.

        Returns:
            The mean gain, in chips, which falls to 0 at an equilibrium of the game with trembles;
            None without trembles.
        """
        if self.perturbation is None or self.perturbation.is_quantal:
            return None
        return float(self.spot.value_unit.gain(self.engine.trembling_gain()))

    def check_numbers(self, *, finite: bool = True) -> None:
        """Refuse a state that has overflowed; it is checked only if the variant raises sums.

        Args:
            finite: Whether what was computed from it is.

        Raises:
            ConfigError: Regrets or strategy sums have overflowed.
        """
        if not finite or (self._grows and not self.engine.arena.is_finite()):
            raise ConfigError(
                f"variant {self.variant.name!r}: regrets or strategy sums have overflowed at "
                f"t = {self.iteration}",
                option="algorithm",
                given=self.variant.name,
                place=f"t = {self.iteration}",
                remedy="let what comes before count less, not more",
            )

    def frequency_error(self) -> float:
        """The largest error of a locked frequency of the average strategies.

        Returns:
            A share of the range that reaches the node, from 0 to 1; 0 without such locks.
        """
        return self.engine.frequency_error()

    def values(self, node: int, runout: tuple[int, ...], /) -> NodeValues:
        """Look up a node.

        Args:
            node: The node of the public tree.
            runout: The cards since the root.

        Returns:
            The figures of both players' hands.
        """
        return self._figures.at(node, runout, self.engine.reader.on_board)

    def best_values(self, node: int, runout: tuple[int, ...], player: int, /) -> FloatArray:
        """What a best response to the other player's average strategy is worth at a node.

        Args:
            node: The node of the public tree.
            runout: The cards since the root.
            player: The player who responds.

        Returns:
            float64[1326]: counterfactual values, final chips minus chips behind at the node, summed
            over the opponent's hands with their reach; NaN for hands that are not held.
        """
        best = partial(self.engine.reader.on_board, best=True)
        return self._figures.counterfactual(node, runout, player, best)

    def played(self, node: int, runout: tuple[int, ...], /) -> FloatArray:
        """The average strategy at a node, for less than `values` needs.

        Args:
            node: The node of the public tree, where a player acts.
            runout: The cards since the root.

        Returns:
            float64[A, 1326]; NaN for hands that are not held.
        """
        engine = self.engine
        return self._figures.strategy(node, runout, engine.layout, engine.arena.strategy)

    def coefficients(self) -> FloatArray:
        """The seven numbers of the coming iteration.

        Returns:
            float64[7], checked as `run` checks them.

        Raises:
            ConfigError: The algorithm gives numbers that no solver can use.
        """
        rows = self._coefficients(1)
        self._check(rows)
        return np.asarray(rows[0])

    def on_board(self, runout: tuple[int, ...], /) -> NodesOfBoard:
        """Look up the nodes of a street, for the price of about one.

        Args:
            runout: The cards since the root.

        Returns:
            A function that gives the figures at nodes, in their order.
        """
        return self._figures.on_board(runout, self.engine.reader.on_board)

    def _coefficients(self, count: int) -> FloatArray:
        """float64[count, 7]: of the coming iterations; made ahead, as making them takes long."""
        first = self.iteration + 1
        start, rows = self._ahead
        if start <= first and first + count <= start + len(rows):
            return rows[first - start : first - start + count]
        if count < _AHEAD:
            with suppress(ConfigError):  # of iterations that may never come
                self._ahead = first, self.variant.table(first, _AHEAD)
                return self._ahead[1][:count]
        return self.variant.table(first, count)

    def _check(self, rows: FloatArray) -> None:
        """Refuse coefficients whose sums would soon overflow.

        Where a factor is above 1, measurements also check whether all is finite.
        """
        self._grows |= bool((rows[:, _FACTORS] > 1.0).any())
        most = float(np.finfo(self.engine.layout.real).max) ** _ROOM
        large = np.abs(rows) > most
        large[:, _FLOOR] = False  # no regret is as low
        if large.any():
            k, column = np.argwhere(large)[0].tolist()
            raise ConfigError(
                f"variant {self.variant.name!r}: {Coefficients._fields[column]} is "
                f"{rows[k, column]:.3g} at t = {self.iteration + k + 1}, its size must be at most "
                f"{most:.3g} on spots",
                option=Coefficients._fields[column],
                given=float(rows[k, column]),
                place=f"t = {self.iteration + k + 1}",
                remedy="let earlier iterations decay instead of raising later ones",
            )

    def parts(self, streets: int, /) -> tuple[dict[str, Any], Arrays]:
        """Give what a file needs to answer for nodes of the first streets.

        Args:
            streets: How many streets.

        Returns:
            Entries of a header, and arrays by name.
        """
        header = {"storage": self.engine.arena.storage, "variant": self.variant.name}
        header["layout"] = layout_of(self.engine.layout)
        return header, query_arrays(self.engine, streets)
