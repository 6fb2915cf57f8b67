"""What classes of hands do at the decisions of charts: push or fold, hands of several seats."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.play.hands.game import HandGame, TableState
from equilibrist.play.hands.push_fold import PushFoldGame
from equilibrist.poker.cards.combos import CLASS_OF_COMBO
from equilibrist.poker.hands.betting import after, start
from equilibrist.poker.hands.state import HandState
from equilibrist.poker.preflop.multiway.solution import MultiwaySolution
from equilibrist.poker.preflop.push_fold.solution import Chart, PushFoldSolution
from equilibrist.typing import FloatArray, Int64Array

Charts = PushFoldSolution | MultiwaySolution
"""Solutions that have a chart of hand classes for each decision."""


class ChartPolicy(Protocol):
    """What classes of hands do at each decision of a hand."""

    @property
    def game(self) -> HandGame:
        """The hand."""
        ...

    @property
    def classes(self) -> Int64Array:
        """int64[1326]: the class of each hand."""
        ...

    def strategy(self, betting: HandState) -> FloatArray:
        """float64[A, classes]: the probability of each action at a decision."""
        ...


def chart_policy(solution: Charts) -> ChartPolicy:
    """What classes of hands do at each decision of a solution."""
    if isinstance(solution, PushFoldSolution):
        return PushFoldPolicy(solution)
    if isinstance(solution, MultiwaySolution):
        return TreePolicy(solution)
    raise ConfigError(
        "these are no charts of hand classes",
        option="solution",
        given=type(solution).__name__,
        expected="a PushFoldSolution or a MultiwaySolution",
        remedy="give what push_fold, solve_multiway or a file of theirs gives",
    )


def decisions_of(game: HandGame, betting: HandState) -> list[tuple[HandState, int]]:
    """The decisions before the flop that led to a state.

    Args:
        game: The hand.
        betting: A state before the flop.

    Returns:
        Each decision, the first one first, with the number of the action that was taken.
    """
    state, found = start(game.rules), []
    for action in betting.line[0]:
        found.append((state, game.legal(TableState((), (), state)).index(action)))
        state = after(game.rules, state, action)
    return found


class PushFoldPolicy:
    """The charts of push or fold."""

    def __init__(self, solution: PushFoldSolution) -> None:
        self._solution = solution
        self.game = PushFoldGame(solution.game)
        self.classes = CLASS_OF_COMBO.astype(np.int64)

    def strategy(self, betting: HandState) -> FloatArray:
        """float64[2, 169]: how often each class folds and goes all-in."""
        pushes = self._chart(betting).frequencies
        return np.stack([1.0 - pushes, pushes])

    def values(self, betting: HandState, combo: int) -> tuple[float, float] | None:
        """What fold and all-in win with two seats; None where the other never goes all-in."""
        chart, game = self._chart(betting), self.game
        if chart.reached <= 0.0:
            return None
        fold = game.fold_value(betting.player, self._all_in(betting))
        return fold, fold + game.in_unit(float(chart.gains[CLASS_OF_COMBO[combo]]))

    def _all_in(self, betting: HandState) -> list[int]:
        order = self._solution.game.order
        before = order[: order.index(betting.player)]
        behind = self._solution.game.behind  # who is all-in by posting has made no choice
        return [seat for seat in before if betting.is_live(seat) and behind[seat]]

    def _chart(self, betting: HandState) -> Chart:
        names = self._solution.game.names
        against = [names[seat] for seat in self._all_in(betting)]
        return self._solution.chart(names[betting.player], *against)


class TreePolicy:
    """The decisions of a hand of several seats."""

    def __init__(self, solution: MultiwaySolution) -> None:
        self._solution = solution
        self.game = HandGame(solution.hand)
        self.classes = solution.tree.classes
        self._decisions = {line: k for k, line in enumerate(solution.lines())}

    def strategy(self, betting: HandState) -> FloatArray:
        """float64[A, classes]: the probability of each action."""
        decision = self._decisions.get(str(betting))
        if decision is None:
            raise ConfigError(
                f"the solution has no decision after {betting}",
                option="line",
                given=str(betting),
                remedy="give a line of its sizes",
            )
        actions = len(self._solution.tree.moves(decision))
        found: FloatArray = self._solution.strategy[decision, :, :actions].T
        return found
