"""Full traversals of the sequence form that skip what the others' play does not reach."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Final

import numpy as np

from equilibrist.errors import MismatchError
from equilibrist.game import Game
from equilibrist.rules.module import Rules
from equilibrist.solvers.full_traversal.base import FullTraversals
from equilibrist.solvers.pruning.counting import Visits, ends, places, visits
from equilibrist.solvers.pruning.methods import (
    Partial,
    Pruning,
    Threshold,
    get_pruning,
    pruning_spec,
    refuse_rule,
)
from equilibrist.solvers.run.fingerprint import RunFingerprint
from equilibrist.solvers.run.state import SolverState, frozen_copy
from equilibrist.solvers.variants.local_rule import LocalRule
from equilibrist.solvers.variants.registry import as_rule
from equilibrist.solvers.variants.variant import Variant
from equilibrist.solvers.variants.wrapped_rule import WrappedRule
from equilibrist.tree.compile import GameTree
from equilibrist.typing import Int64Array

_VISITED: Final = "visited"
"""The name of the count in states and checkpoints."""


@dataclass(frozen=True, eq=False)
class PartialRule(WrappedRule):
    """A rule of full traversals that skips what the others' play does not reach.

    Attributes:
        rule: A variant of CFR, or a compiled local rule.
        pruning: Partial pruning, or a threshold.
        visited: int64[3], histories and terminals visited so far, and iterations.

    Raises:
        ConfigError: The rule cannot be pruned so.
    """

    kind: ClassVar[str] = "skipped"

    pruning: Pruning
    visited: Int64Array = field(default_factory=lambda: np.zeros(3, dtype=np.int64))

    def __post_init__(self) -> None:
        """Refuse rules that the way of pruning does not fit."""
        refuse_rule(self.pruning, self.rule, self.rule.name)

    def arrays(self, tree: GameTree) -> tuple[Any, ...]:
        """The arrays that the kernel reads: the sequence form, and where histories end."""
        from equilibrist.kernels.pruning.partial import PartialArrays

        form = tree.sequence_form
        located = places(tree)
        players = tree.num_players
        empty = np.asarray(form.arrays.sequence_offset[:-1], dtype=np.int64)
        engine = np.concatenate((form.sequence_of_public, empty))[located.sequence]
        terminal = ends(located)
        tuples, histories, terminals = [], [], []
        for player in range(players):
            others = np.delete(engine, player, axis=1)
            distinct, number = np.unique(others, axis=0, return_inverse=True)
            number = number.reshape(-1)
            tuples.append(distinct.T)
            histories.append(np.bincount(number, minlength=len(distinct)))
            terminals.append(np.bincount(number[terminal], minlength=len(distinct)))
        sizes = [len(part) for part in histories]
        return PartialArrays(
            form.arrays,
            np.concatenate(([0], np.cumsum(sizes))).astype(np.int64),
            np.ascontiguousarray(np.concatenate(tuples, axis=1), dtype=np.int64),
            np.concatenate(histories).astype(np.int64),
            np.concatenate(terminals).astype(np.int64),
            np.array([self.pruning.c if isinstance(self.pruning, Threshold) else 0.0]),
            self.visited,
        )

    def probe(self) -> bytes:
        """The rule's own answers, and how it is pruned."""
        return self.rule.probe() + pruning_spec(self.pruning).encode()


class PartialCFR(FullTraversals):
    """CFR by full traversals of the sequence form, without what the others' play does not reach.

    With partial pruning all numbers have the bits of `CFR`; with a threshold, which is for Hedge,
    rare actions are cut from what is played before.
    """

    variant: Any

    def __init__(
        self,
        game: GameTree | Game[Any] | Rules | str,
        algorithm: PartialRule | Variant | LocalRule | str = "dcfr",
        pruning: Pruning | str = Partial.name,
        *,
        alternating: bool | None = None,
        horizon: int | None = None,
        threads: int | None = None,
    ) -> None:
        """Prepare to solve a game.

        Args:
            game: A compiled game, or a game, its rules or its name, which is compiled first.
            algorithm: A variant or a local rule, or its name; or both it and the pruning.
            pruning: Partial or Threshold, or its text.
            alternating: Whether players update in turn; by default as the algorithm says.
            horizon: The planned number of iterations, for algorithms that need it.
            threads: One thread works in any case.

        Raises:
            ConfigError: The algorithm cannot be pruned so, or a parameter is out of range.
            RecallError: A player forgets their own past.
        """
        rule_or_name = algorithm
        if isinstance(rule_or_name, PartialRule):
            rule = replace(rule_or_name, visited=np.zeros(3, dtype=np.int64))
        else:
            rule = PartialRule(as_rule(rule_or_name), get_pruning(pruning))
        super().__init__(game, rule, alternating=alternating, horizon=horizon, threads=threads)

    @property
    def nodes_touched(self) -> int:
        """Histories visited so far, in the traversals of all players."""
        return int(self.variant.visited[0])

    @property
    def visits(self) -> Visits:
        """Histories and terminals visited so far, and without pruning."""
        visited = self.variant.visited
        return visits(visited, self.tree, int(visited[2]))

    def _copy_state(self) -> SolverState:
        state = super()._copy_state()
        return replace(
            state, watched={**state.watched, _VISITED: frozen_copy(self.variant.visited)}
        )

    def _adopt(self, state: SolverState) -> None:
        counted = state.watched.get(_VISITED)
        if counted is None and state.identity is None:  # a warm start: nothing was traversed
            counted = np.zeros(3, dtype=np.int64)
        if counted is None or counted.shape != (3,):
            raise MismatchError(
                "the state does not say how many histories were visited",
                option=_VISITED,
                given=None if counted is None else counted.shape,
                expected=(3,),
            )
        rest = {name: array for name, array in state.watched.items() if name != _VISITED}
        super()._adopt(replace(state, watched=rest))
        self.variant.visited[:] = counted

    def _fingerprint(self, output: str) -> RunFingerprint:
        fingerprint = super()._fingerprint(output)
        return fingerprint.model_copy(update={"pruned": pruning_spec(self.variant.pruning)})
