"""CFR of two players that skips own actions: over intervals, or by best responses."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from equilibrist.errors import MismatchError, UnsupportedError
from equilibrist.game import Game
from equilibrist.parsing.arguments import bad_argument
from equilibrist.rules.module import Rules
from equilibrist.solvers.full_traversal.tree_solver import TreeSolver
from equilibrist.solvers.pruning.counting import Visits, visits
from equilibrist.solvers.pruning.methods import (
    BestResponse,
    Interval,
    Pruning,
    get_pruning,
    pruning_spec,
    refuse_rule,
)
from equilibrist.solvers.pruning.own_tree import own_tree
from equilibrist.solvers.run.fingerprint import (
    RunFingerprint,
)
from equilibrist.solvers.run.state import SolverState, check_state, frozen_copy, in_proportion
from equilibrist.solvers.variants.registry import as_rule
from equilibrist.solvers.variants.schedules import NoDiscount
from equilibrist.solvers.variants.variant import Variant
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree
from equilibrist.typing import BoolArray, FloatArray, Int64Array

INTERVAL_KERNEL: Final = "equilibrist.kernels.pruning.interval.run"
BEST_RESPONSE_KERNEL: Final = "equilibrist.kernels.pruning.best_response.run"


class Play(NamedTuple):
    """What a run remembers: Q actions, S = Q + 2 sequences, I infosets; see `OwnTree`."""

    regret: FloatArray  # [Q], sums with the weights of the iterations
    behaviour: FloatArray  # [Q], what is played next
    strategy_sum: FloatArray  # [S]
    reach: FloatArray  # [S], own reach of `behaviour`
    skipped: BoolArray  # [Q], actions that are skipped
    skipped_below: Int64Array  # [S], how many are skipped below a sequence
    owed_reach: FloatArray  # [Q], the others' reach, summed over skipped iterations
    owed_value: FloatArray  # [Q], the infoset's value, summed over them
    seen: FloatArray  # [S], what the other has seen of a sequence: its reach, summed
    known: FloatArray  # [cells], up to what `seen` a cell has been valued
    until: FloatArray  # [Q], the iteration until which an action is dropped
    stored: BoolArray  # [I], whether an infoset has tables
    visited: Int64Array  # [2], histories and terminals


class Scratch(NamedTuple):
    """What a traversal uses on its way."""

    value: FloatArray  # [S]
    mode: Int64Array  # [S]
    child: Int64Array  # [S]
    valued: BoolArray  # [Q + 2]
    infoset_value: FloatArray  # [I]
    others: FloatArray  # [I]
    action: Int64Array  # [I]
    positive: BoolArray  # [I]


_SAVED: Final = (
    "skipped",
    "skipped_below",
    "owed_reach",
    "owed_value",
    "seen",
    "known",
    "until",
    "stored",
    "visited",
)
"""What a state holds besides regrets, behaviour and strategy sum."""


def _as_saved(array: np.ndarray) -> np.ndarray:
    """The array as files hold it: they know no truth values."""
    return array.astype(np.int8) if array.dtype == np.bool_ else array


class PrunedCFR(TreeSolver):
    """CFR of two players whose traversals skip own actions that cannot matter for a while.

    Plain or linear CFR. Regrets are kept as sums with the weights of the iterations, in public
    order.
    """

    _order = "own infosets"

    def __init__(
        self,
        game: GameTree | Game[Any] | Rules | str,
        algorithm: Variant | str = "cfr",
        pruning: Pruning | str | None = Interval.name,
        *,
        alternating: bool | None = None,
    ) -> None:
        """Prepare to solve a game.

        Args:
            game: A compiled game, or a game, its rules or its name, which is compiled first.
            algorithm: `cfr` or `lcfr`.
            pruning: Interval or BestResponse, or its text; None skips nothing.
            alternating: Whether players update in turn; by default as the algorithm says.

        Raises:
            ConfigError: The algorithm cannot be pruned so, or an argument is wrong.
            UnsupportedError: The game does not have two players.
            RecallError: A player forgets their own past.
        """
        self.pruning = None if pruning is None else get_pruning(pruning)
        if not isinstance(self.pruning, Interval | BestResponse | None):
            raise bad_argument("prune", pruning, "interval, best-response, or None")
        rule = as_rule(algorithm)
        refuse_rule(Interval() if self.pruning is None else self.pruning, rule, rule.name)
        assert isinstance(rule, Variant)
        super().__init__(game, rule, alternating=alternating)
        if self.tree.num_players != 2:
            raise UnsupportedError(
                f"{'no' if self.pruning is None else self.pruning.name} pruning needs two players: "
                f"what is skipped is made up for by the sum of the one opponent's plans; "
                f"{self.tree.name} has {self.tree.num_players}",
                option="num_players",
                given=self.tree.num_players,
                expected=2,
                remedy="use partial pruning, which is for any number of players",
            )
        self._linear = not isinstance(rule.discount, NoDiscount)
        self._own = own_tree(self.tree)
        self._play = self._fresh()
        self._scratch = self._make_scratch()

    def _fresh(self) -> Play:
        own = self._own
        actions, size = int(own.num_actions[0]), int(own.num_actions[0]) + 2
        play = Play(
            regret=np.zeros(actions),
            behaviour=Strategy.uniform(self.tree).probabilities.copy(),
            strategy_sum=np.zeros(size),
            reach=np.ones(size),
            skipped=np.zeros(actions, dtype=np.bool_),
            skipped_below=np.zeros(size, dtype=np.int64),
            owed_reach=np.zeros(actions),
            owed_value=np.zeros(actions),
            seen=np.zeros(size),
            known=np.zeros(len(own.cell_other)),
            until=np.zeros(actions),
            stored=np.ones(len(own.parent), dtype=np.bool_),
            visited=np.zeros(2, dtype=np.int64),
        )
        self._reach(play)
        return play

    def _make_scratch(self) -> Scratch:
        size, infosets = int(self._own.num_actions[0]) + 2, len(self._own.parent)
        return Scratch(
            value=np.zeros(size),
            mode=np.zeros(size, dtype=np.int64),
            child=np.zeros(size, dtype=np.int64),
            valued=np.zeros(size, dtype=np.bool_),
            infoset_value=np.zeros(infosets),
            others=np.zeros(infosets),
            action=np.zeros(infosets, dtype=np.int64),
            positive=np.zeros(infosets, dtype=np.bool_),
        )

    def _reach(self, play: Play) -> None:
        """Own reach of what is played next, with the bits of the kernels."""
        own = self._own
        for infoset in own.top_down.tolist():
            row = slice(int(own.offset[infoset]), int(own.offset[infoset + 1]))
            play.reach[row] = play.reach[own.parent[infoset]] * play.behaviour[row]

    @property
    def compiled(self) -> str:
        """The dotted name of its kernel."""
        by_responses = isinstance(self.pruning, BestResponse)
        return BEST_RESPONSE_KERNEL if by_responses else INTERVAL_KERNEL

    @property
    def nodes_touched(self) -> int:
        """Histories visited so far, in the traversals of both players."""
        return int(self._play.visited[0])

    @property
    def visits(self) -> Visits:
        """Histories and terminals visited so far, and without pruning."""
        return visits(self._play.visited, self.tree, self.iteration)

    @property
    def stored_infosets(self) -> int:
        """Infosets that need tables now: all but those below dropped actions."""
        return int(self._play.stored.sum())

    @property
    def stored_actions(self) -> int:
        """Pairs of infoset and action that need entries now."""
        if not isinstance(self.pruning, BestResponse):
            return int(self._own.num_actions[0])
        kept = np.repeat(self._play.stored, np.diff(self._own.offset)) & ~self._play.skipped
        return int(kept.sum())

    def _advance(self, count: int) -> None:
        weights = np.ones(count)
        if self._linear:
            weights = np.arange(self.iteration + 1.0, self.iteration + count + 1.0)
        arguments = (self._own, self._play, self._scratch, weights, self.alternating)
        if isinstance(self.pruning, BestResponse):
            from equilibrist.kernels.pruning.best_response import run as run_dropping

            periods = self.iteration, self.pruning.every, self._linear
            self._call(run_dropping, (*arguments, *periods), count)
        else:
            from equilibrist.kernels.pruning.interval import run as run_intervals

            self._call(run_intervals, (*arguments, self.pruning is not None), count)

    def average_strategy(self) -> Strategy:
        """Give the average strategy.

        Returns:
            A copy; uniform at infosets that were never reached, or whose tables were dropped.
        """
        sums = self._play.strategy_sum[: len(self._play.regret)]
        return Strategy(self.tree, in_proportion(sums, self.tree.action_offset))

    def current_strategy(self) -> Strategy:
        """Give the strategy that the next iteration plays.

        Returns:
            A copy.
        """
        return Strategy(self.tree, self._play.behaviour)

    def _copy_state(self) -> SolverState:
        play = self._play
        saved = {name: frozen_copy(_as_saved(getattr(play, name))) for name in _SAVED}
        rest = frozen_copy(play.strategy_sum[len(play.regret) :])
        return SolverState(
            frozen_copy(play.regret),
            frozen_copy(play.behaviour),
            frozen_copy(play.strategy_sum[: len(play.regret)]),
            self.iteration,
            {},
            self._identity,
            {**saved, "weight": rest},
        )

    def _adopt(self, state: SolverState) -> None:
        play = self._fresh()
        size = len(play.regret)
        check_state(state, size, self.tree.name, ("regret", "behaviour", "strategy_sum"))
        wanted = {name: getattr(play, name) for name in _SAVED}
        wanted["weight"] = play.strategy_sum[size:]
        for name, array in wanted.items():
            saved, kind = state.watched.get(name), _as_saved(array).dtype
            if saved is None or saved.shape != array.shape or saved.dtype != kind:
                raise MismatchError(
                    f"the state lacks {name}, which pruning needs, or has it for another game",
                    option=name,
                    given=None if saved is None else saved.shape,
                    expected=array.shape,
                )
            array[:] = saved
        play.regret[:] = state.regret
        play.behaviour[:] = state.behaviour
        play.strategy_sum[:size] = state.strategy_sum
        self._reach(play)
        self._play = play
        self._stand_at(state.iteration)

    def _fingerprint(self, output: str) -> RunFingerprint:
        pruned = "none" if self.pruning is None else pruning_spec(self.pruning)
        return super()._fingerprint(output).model_copy(update={"pruned": pruned})

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}({self.tree.name!r}, {self.variant.name!r}, "
            f"{self.pruning!r}, iteration={self.iteration:,}, alternating={self.alternating})"
        )
