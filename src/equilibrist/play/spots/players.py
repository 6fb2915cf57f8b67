"""The agent that plays the solution of a spot, and the coach that goes by it."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from equilibrist.errors import MismatchError
from equilibrist.parsing.arguments import instance, whole_number
from equilibrist.play.coach import Advice
from equilibrist.play.spots.game import read_infoset
from equilibrist.play.table import Table
from equilibrist.poker.solutions.result import PostflopResult
from equilibrist.typing import FloatArray

_REMEMBERED: Final = 256
"""Nodes that are kept in memory, about 30 kB each."""


class SpotAgent:
    """Plays the average strategy of a solved spot, with what is locked in it.

    A hand that the solution does not hold at a node plays uniformly there. That happens on streets
    that its file does not keep, after actions that the solution never takes.

    Args:
        solution: The solution.
        name: What to call it.

    Attributes:
        name: What to call it.
        solution: The solution.

    Raises:
        ConfigError: `solution` is not one of a spot.
    """

    def __init__(self, solution: PostflopResult, name: str = "AI") -> None:
        """Play a solution; the class describes the arguments."""
        self.solution = _checked(solution)
        self.name = name
        self._nodes = _Nodes(solution)

    def mixture(self, table: Table, /) -> list[float]:
        """The probabilities of the average strategy with the hand of the player to act.

        Args:
            table: The hand, at this agent's turn.

        Returns:
            One probability per action of `table.actions`.

        Raises:
            LineSyntaxError: The solution's spot has no such line.
            MismatchError: It has other actions there.
        """
        found = self._nodes.row(table.infoset)
        if found.actions != table.actions:
            raise MismatchError(
                f"the solution of {self.solution.game} has other actions at {table.infoset}",
                option="actions",
                given=table.actions,
                expected=found.actions,
                remedy="play the game of its spot, SpotGame(solution.spot)",
            )
        if found.mixture is None:
            return [1.0 / len(table.actions)] * len(table.actions)
        return list(found.mixture)


class SpotCoach:
    """Judges choices by the solution of a spot.

    The values of an `Advice` are the EVs of the actions with the hand that is held, in chips, as in
    `NodeValues.action_ev`: both players follow the solution afterwards. They are None where the
    opponent of the solution never plays to the node, and the mixture is () where the solution does
    not say what the hand does; see `SpotAgent`.

    Args:
        solution: The solution.

    Raises:
        ConfigError: `solution` is not one of a spot.
    """

    def __init__(self, solution: PostflopResult) -> None:
        """Go by a solution; the class describes the argument."""
        self.solution = _checked(solution)
        self._nodes = _Nodes(solution)

    def advise(self, infoset: str, chosen: int, /) -> Advice:
        """What a choice is worth, and what others would have been.

        Args:
            infoset: The key of the infoset, such as `AhKh:X-B50`.
            chosen: The number of the action.

        Returns:
            The EVs of all actions there, and the solution's own probabilities.

        Raises:
            LineSyntaxError: The spot has no such line.
            ConfigError: The key has another form, or there is no such action.
        """
        found = self._nodes.row(infoset)
        whole_number("chosen", chosen, 0, len(found.actions) - 1)
        return Advice(infoset, found.actions, chosen, found.values, found.mixture or ())


class _Row(NamedTuple):
    """What the solution says of a hand at a node; None where it says nothing."""

    actions: tuple[str, ...]
    mixture: tuple[float, ...] | None
    values: tuple[float, ...] | None


class _Nodes:
    """Looks up hands at nodes; the latest nodes are kept."""

    def __init__(self, solution: PostflopResult) -> None:
        self._solution = solution
        self._at = lru_cache(_REMEMBERED)(self._look_up)

    def row(self, infoset: str) -> _Row:
        """The row of an infoset; raises what `PostflopResult.at` raises."""
        combo, line = read_infoset(infoset)
        actions, strategy, action_ev = self._at(line)
        mixture, values = strategy[:, combo], action_ev[:, combo]
        total = float(mixture.sum())  # NaN if the hand is not held
        return _Row(
            actions,
            tuple((mixture / total).tolist()) if total > 0.0 else None,
            None if np.isnan(values).any() else tuple(values.tolist()),
        )

    def _look_up(self, line: str) -> tuple[tuple[str, ...], FloatArray, FloatArray]:
        node = self._solution.at(line)
        return tuple(map(str, node.actions)), node.values.strategy, node.values.action_ev


def _checked(solution: object) -> PostflopResult:
    return instance("solution", solution, PostflopResult, "a PostflopResult of poker.solve")
