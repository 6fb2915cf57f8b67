"""FSICFR: counterfactual regret minimisation on the graph of a game's states."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np

from equilibrist.errors import MismatchError, UnsupportedError
from equilibrist.game import SUM_TOLERANCE, Game, is_constant_sum
from equilibrist.game_loading import as_game, compile_game
from equilibrist.parsing.arguments import bad_argument, optional_whole_number, whole_number
from equilibrist.rules.module import Rules
from equilibrist.solvers.run.fingerprint import STATES, RunFingerprint
from equilibrist.solvers.run.solver import Checkpointed
from equilibrist.solvers.run.state import (
    SamplingState,
    check_numbers,
    check_state,
    frozen_copy,
    in_proportion,
    refuse_another_seed,
)
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree
from equilibrist.tree.state_graph import StateGraph, build_state_graph
from equilibrist.tree.walk.protocol import full_recall_of, recalls
from equilibrist.typing import FloatArray, Int64Array

_SEEN: Final = "seen"
_HISTORIES: Final = "histories"
"""Names of what the state keeps besides regrets and strategy sums."""


@dataclass(frozen=True)
class FixedStrategyIteration:
    """FSICFR as an algorithm among others; it has no parameters."""

    needs_horizon: ClassVar[bool] = False
    name: ClassVar[str] = "fsicfr"
    summary: ClassVar[str] = "chance-sampled CFR on the graph of states, in two linear passes"
    update: ClassVar[str] = "R = mean of r over the visits of all histories; sigma = RM(R)"
    averaging: ClassVar[str] = "uniform, by own reach"
    when: ClassVar[str] = (
        "two-player constant-sum games with many histories per state (dudo, liar_die)"
    )
    paper: ClassVar[str] = (
        "Neller, Hnath: Approximating Optimal Dudo Play with Fixed-Strategy Iteration "
        "Counterfactual Regret Minimization. ACG 2011"
    )


FIXED_STRATEGY: Final = {"fsicfr": FixedStrategyIteration()}
"""The algorithm by its name."""


class _Sums(NamedTuple):
    """What an iteration adds to: float64[Q] each, int64[1] and float64[1]."""

    regret: FloatArray
    strategy_sum: FloatArray
    seen: FloatArray
    touched: Int64Array
    histories: FloatArray

    @classmethod
    def zeros(cls, size: int) -> _Sums:
        regret, strategy_sum, seen = np.zeros((3, size))
        return cls(regret, strategy_sum, seen, np.zeros(1, dtype=np.int64), np.zeros(1))


class FSICFR(Checkpointed[SamplingState]):
    """Fixed-strategy iteration CFR for two players with a constant sum of payoffs.

    Neller and Hnath, ACG 2011. Chance is drawn before an iteration, once at each of its states, and
    no strategy changes during it. One pass through the states in a topological order adds up
    how many histories lead to each and with how much reach, one pass back finds values and
    regrets. A state costs the same however many histories meet in it.

    Histories meet where their states are equal: a game decides by what its states forget. On a
    game whose states hold everything, such as Kuhn poker, it is CFR with chance sampling.
    """

    _state_type = SamplingState
    variant: ClassVar[FixedStrategyIteration] = FIXED_STRATEGY["fsicfr"]

    def __init__(
        self,
        game: GameTree | StateGraph | Game[Any] | Rules | str,
        *,
        seed: int = 0,
        max_states: int | None = None,
        tree: GameTree | None = None,
    ) -> None:
        """Prepare to solve a game.

        Args:
            game: A game, compiled or not, or the name of one; or a state graph, as
                `share_states` makes it of any tree, whose `tree` is then given.
            seed: Fixes all draws.
            max_states: The most states that the graph may have.
            tree: The compiled game in which strategies are given, that of `game.full_recall()`
                where there is such a method. It is compiled when a strategy is first asked for,
                unless it is given; `average_by_infoset` needs none.

        Raises:
            UnsupportedError: There are not two players, or payoffs have no constant sum.
            ConfigError: A state graph is given without `tree`.
            GameError: States repeat on a path.
            MemoryBudgetError: There are too many states.
        """
        optional_whole_number("max_states", max_states, 1)
        self.seed = whole_number("seed", seed, 0)
        if isinstance(game, StateGraph):
            self.graph = game
            if tree is None:
                raise bad_argument("tree", tree, "the tree that the state graph was made of")
        else:
            rules = game.game if isinstance(game, GameTree) else as_game(game)
            self.graph = build_state_graph(rules, max_states)
            if isinstance(game, GameTree) and tree is None and recalls(rules):
                tree = game
        _refuse_unfit(self.graph)
        self._given_tree = tree
        self._key = np.random.SeedSequence(self.seed).generate_state(1, np.uint64)[0]
        states, size = self.graph.num_states, self.graph.num_actions
        self._sums = _Sums.zeros(size)
        self._scratch = (
            np.zeros(size),
            np.zeros((states, 4)),
            np.full(int(self.graph.arrays.level.max()) + 1, -1, dtype=np.int32),
            np.zeros(states, dtype=np.int32),
            np.zeros(states, dtype=np.int32),
        )

    def _iterate(self, iterations: int) -> None:
        self._pass(self.iteration + 1, iterations, self._key, self._sums)
        self._iteration += iterations

    def _pass(self, start: int, count: int, key: np.uint64, sums: _Sums) -> None:
        from equilibrist.kernels.sequence_form.fsicfr import fixed_strategy_iterations

        tables, counts = sums[:3], sums[3:]
        fixed_strategy_iterations(
            self.graph.arrays, start, count, key, *tables, *self._scratch, *counts
        )

    @property
    def nodes_touched(self) -> int:
        """States visited so far, once per move that led to them, ends and chance included."""
        return int(self._sums.touched[0])

    @property
    def histories(self) -> float:
        """Histories that the visited states stood for, ends and chance included."""
        return float(self._sums.histories[0])

    @cached_property
    def nodes_per_iteration(self) -> float:
        """States that an iteration visits, in one that is the same for all seeds."""
        trial = _Sums.zeros(self.graph.num_actions)
        self._pass(1, 1, np.uint64(1), trial)
        return float(trial.touched[0])

    @property
    def step_multiple(self) -> int:
        """Any number of iterations runs as fast as another."""
        return 1

    @cached_property
    def tree(self) -> GameTree:
        """The compiled game in which strategies are given; it has perfect recall."""
        if self._given_tree is not None:
            return self._given_tree
        return compile_game(full_recall_of(self.graph.game))

    @cached_property
    def _places(self) -> Int64Array:
        return self.graph.places_in(self.tree)

    def average_by_infoset(self) -> dict[str, FloatArray]:
        """Give the average strategy of the game with imperfect recall; needs no tree.

        Returns:
            float64[A] by infoset key: probabilities of its A actions.
        """
        rows = np.split(self._proportional(self._sums.strategy_sum), self.graph.action_offset[1:-1])
        return dict(zip(self.graph.infoset_keys, rows, strict=True))

    def average_strategy(self) -> Strategy:
        """Give the average strategy, which converges.

        Every infoset of `tree` plays as the infoset of the game that its player would take it for.

        Returns:
            A strategy of `tree`; uniform at infosets that were never reached.
        """
        return Strategy(self.tree, self._proportional(self._sums.strategy_sum)[self._places])

    def current_strategy(self) -> Strategy:
        """Give the strategy that the next iteration plays; it need not converge.

        Returns:
            A strategy of `tree`.
        """
        matched = self._proportional(np.maximum(self._sums.regret, 0.0))
        return Strategy(self.tree, matched[self._places])

    def _proportional(self, weights: FloatArray) -> FloatArray:
        return in_proportion(weights, self.graph.action_offset)

    def _copy_state(self) -> SamplingState:
        return SamplingState(
            frozen_copy(self._sums.regret),
            frozen_copy(self._sums.strategy_sum),
            self.iteration,
            self.nodes_touched,
            self.seed,
            {
                _SEEN: frozen_copy(self._sums.seen),
                _HISTORIES: frozen_copy(self._sums.histories),
            },
            identity=self._identity,
        )

    def _adopt(self, state: SamplingState) -> None:
        sums = self._sums
        refuse_another_seed(state.seed, self.seed)
        game = self.graph.game.name
        check_state(state, sums.regret.size, game, ("regret", "strategy_sum"))
        if state.kept.keys() != {_SEEN, _HISTORIES}:
            raise MismatchError(
                "the state does not count its visits as fsicfr does",
                option="kept",
                given=", ".join(state.kept),
                expected=f"{_SEEN}, {_HISTORIES}",
            )
        for name, own in ((_SEEN, sums.seen), (_HISTORIES, sums.histories)):
            check_numbers(name, state.kept[name], own.size, game)
        sums.regret[:] = state.regret
        sums.strategy_sum[:] = state.strategy_sum
        sums.seen[:] = state.kept[_SEEN]
        sums.histories[:] = state.kept[_HISTORIES]
        sums.touched[0] = state.nodes_touched
        self._iteration = state.iteration

    def _fingerprint(self, output: str) -> RunFingerprint:
        return RunFingerprint(
            game=self.graph.game.name,
            fingerprint=self.graph.fingerprint,
            layout=STATES,
            algorithm=self.variant.name,
            coefficients="",
            alternating=False,
            horizon=None,
            seed=self.seed,
            output=output,
            sampler="chance",
            averaging="own-reach",
        )

    def __repr__(self) -> str:
        return (
            f"FSICFR({self.graph.game.name!r}, states={self.graph.num_states:,}, "
            f"iteration={self.iteration:,})"
        )


def _refuse_unfit(graph: StateGraph) -> None:
    """UnsupportedError unless there are two players and one sum of payoffs."""
    name, payoff = graph.game.name, graph.arrays.payoff
    full = full_recall_of(graph.game)
    remedy = "use cfr or dcfr, where players remember all that they did"
    if full != graph.game:
        remedy = f"solve the rules that `full_recall` gives, of {full.name}, by cfr or dcfr"
    if graph.num_players != 2:
        raise UnsupportedError(
            f"FSICFR passes one value back, of two players with a constant sum; {name} has "
            f"{graph.num_players} player{'s' * (graph.num_players != 1)}",
            option="num_players",
            given=graph.num_players,
            expected=2,
            remedy=remedy,
        )
    total, largest = payoff.sum(axis=1), np.abs(payoff).max(axis=1)
    slack = SUM_TOLERANCE / 2 * largest
    if not is_constant_sum((total + slack).min(), (total - slack).max(), largest.max()):
        raise UnsupportedError(
            "FSICFR passes one value back, of two players with a constant sum; the payoffs of "
            f"{name} do not add up to a constant",
            option="payoffs",
            given=name,
            remedy=remedy,
        )
