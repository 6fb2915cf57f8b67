"""FSICFR history by history, the reference for its two linear passes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from equilibrist.game import CHANCE, TERMINAL, Game
from equilibrist.reference.matching import mean, regret_matching


@dataclass
class Meeting:
    """A state in one iteration: all histories that lead to it, taken together.

    `visits` is their number, `reach` per player the sum of that player's reach over them, `values`
    what each action is worth to player 0.
    """

    visits: int = 0
    reach: list[float] = field(default_factory=lambda: [0.0, 0.0])
    values: list[float] = field(default_factory=list)


@dataclass
class FixedStrategies:
    """FSICFR for two players with a constant sum, with every history walked on its own.

    Neller and Hnath, Approximating optimal Dudo play with fixed-strategy iteration counterfactual
    regret minimization (ACG 2011). The paper passes numbers on from node to node in a
    topological order; here they are summed over histories, which takes as long as there are
    histories and needs no order. Tables are by infoset key.
    """

    game: Game[Any]
    regret: dict[str, list[float]] = field(default_factory=dict)
    strategy_sum: dict[str, list[float]] = field(default_factory=dict)
    seen: dict[str, float] = field(default_factory=dict)
    """How often histories have come to an infoset."""

    def strategy(self, key: str, actions: int) -> list[float]:
        """The strategy at an infoset until the next iteration."""
        return regret_matching(self.regret.get(key, [0.0] * actions))

    def iterate(self, outcome: Callable[[Any], int]) -> int:
        """One iteration, in which chance does what `outcome` says of each of its states.

        Returns the number of histories walked.
        """
        met: dict[Any, Meeting] = {}
        histories = self._walk(self.game.initial_state(), [1.0, 1.0], outcome, met)[1]
        played = {state: self._played(state) for state in met}
        for state, meeting in met.items():
            self._learn(state, meeting, played[state])
        return histories

    def _played(self, state: Any) -> list[float]:
        return self.strategy(self.game.infoset(state), len(self.game.actions(state)))

    def _walk(
        self,
        state: Any,
        reach: list[float],
        outcome: Callable[[Any], int],
        met: dict[Any, Meeting],
    ) -> tuple[float, int]:
        """The value to player 0 of a history, and how many histories begin with it."""
        game, player = self.game, self.game.player(state)
        if player == TERMINAL:
            return float(game.payoffs(state)[0]), 1
        if player == CHANCE:
            value, histories = self._walk(game.next(state, outcome(state)), reach, outcome, met)
            return value, histories + 1
        strategy = self._played(state)
        values, total = [], 1
        for action, probability in enumerate(strategy):
            below = list(reach)
            below[player] *= probability
            value, histories = self._walk(game.next(state, action), below, outcome, met)
            values.append(value)
            total += histories
        meeting = met.setdefault(state, Meeting())
        meeting.visits += 1
        meeting.reach = [x + y for x, y in zip(meeting.reach, reach, strict=True)]
        meeting.values = values
        return mean(strategy, values), total

    def _learn(self, state: Any, meeting: Meeting, strategy: list[float]) -> None:
        """Add a state's regrets, weighted by its visits, and its share of the average."""
        key, player = self.game.infoset(state), self.game.player(state)
        zeros = [0.0] * len(strategy)
        expected = mean(strategy, meeting.values)
        before = self.seen.get(key, 0.0)
        after = before + meeting.visits
        weight = meeting.visits * meeting.reach[1 - player] * (1.0 if player == 0 else -1.0)
        self.regret[key] = [
            (before * old + weight * (value - expected)) / after
            for old, value in zip(self.regret.get(key, zeros), meeting.values, strict=True)
        ]
        own = meeting.reach[player]
        self.strategy_sum[key] = [
            old + own * p
            for old, p in zip(self.strategy_sum.get(key, zeros), strategy, strict=True)
        ]
        self.seen[key] = after
