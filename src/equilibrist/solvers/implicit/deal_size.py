"""The size of one deal: how many nodes chance sampling traverses."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Final

from equilibrist.errors import MemoryBudgetError
from equilibrist.game import CHANCE
from equilibrist.rules.game import RulesGame, RulesState
from equilibrist.rules.module import Rules
from equilibrist.solvers.implicit.infoset_table import LOG_ENTRY
from equilibrist.tree.walk.estimate import estimate_histories

_WIDTH: Final = 1000


@dataclass(frozen=True, eq=False)
class OneDeal(RulesGame):
    """The rules with one outcome, drawn each time, wherever chance moves."""

    draws: random.Random = field(default_factory=lambda: random.Random(0))

    def chance(self, state: RulesState, /) -> tuple[float, ...]:
        """The drawn outcome alone."""
        return (1.0,)

    def next(self, state: RulesState, action_index: int, /) -> RulesState:
        """As `RulesGame.next`, by a drawn outcome where chance moves."""
        if self.player(state) == CHANCE:
            odds = super().chance(state)
            action_index = self.draws.choices(range(len(odds)), odds)[0]
        return super().next(state, action_index)


def refuse_large_deals(rules: Rules, memory: int, tables: int) -> None:
    """MemoryBudgetError if the changes of a traversal per table would not fit into so many bytes.

    A traversal logs two numbers, for regret and average, of each action of the traverser after one
    deal: two per history, divided by the number of players. The number of histories is
    estimated; errors in the rules are reported when they run.
    """
    try:
        histories = estimate_histories(OneDeal(rules), _WIDTH, rules.max_moves)
    except Exception:
        return
    needed = 2.0 * histories / rules.num_players * LOG_ENTRY * tables
    if needed > memory:
        apart = "" if tables == 1 else f" for {tables} tables"
        raise MemoryBudgetError(
            f"chance sampling walks all that can be played after a deal: in {rules.name} about "
            f"{histories:.2g} histories (an estimate), whose changes need about {needed:.2g} "
            f"bytes of memory{apart}, and {memory:,} are allowed",
            0,
            option="memory",
            given=memory,
            remedy="Use external or outcome sampling, or give more `memory`",
        )
