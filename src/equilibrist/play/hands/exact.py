"""The agent and the coach of exact solutions whose betting ends before the flop."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.parsing.arguments import instance, whole_number
from equilibrist.play.coach import Advice
from equilibrist.play.hands.game import HandGame
from equilibrist.play.table import Table
from equilibrist.poker.cards.combos import CLASS_NAMES, CLASS_OF_COMBO
from equilibrist.poker.exact.solution import PreflopSolution


class PreflopAgent:
    """Plays an exact solution of a hand whose betting ends before the flop.

    Args:
        solution: The solution.
        name: What to call it.

    Attributes:
        solution: The solution.
        name: What to call it.

    Raises:
        ConfigError: The hand has betting after the flop, of which a file has no strategies.
    """

    def __init__(self, solution: PreflopSolution, name: str = "AI") -> None:
        """Play a solution; the class describes the arguments."""
        self.solution, self.name = _checked(solution), name
        self._game = HandGame(solution.hand)

    def mixture(self, table: Table, /) -> list[float]:
        """The probabilities of the solution with the hand of the seat to act.

        Args:
            table: The hand, at this agent's turn.

        Returns:
            One probability per action of `table.actions`.

        Raises:
            ConfigError: The solution has no such line.
        """
        return list(_row(self.solution, self._game, table.infoset).mixture)


class PreflopCoach:
    """Judges choices by an exact solution of a hand whose betting ends before the flop.

    The values of an `Advice` are the EVs of the actions, against the stack before posting, if both
    seats follow the solution afterwards.

    Args:
        solution: The solution.

    Raises:
        ConfigError: The hand has betting after the flop.
    """

    def __init__(self, solution: PreflopSolution) -> None:
        """Go by a solution; the class describes the argument."""
        self.solution = _checked(solution)
        self._game = HandGame(solution.hand)
        self._unit = float(solution.hand.rules.scale.chips(solution.game.big_blind))

    def advise(self, infoset: str, chosen: int, /) -> Advice:
        """What a choice is worth, and what others would have been.

        Args:
            infoset: The key of the infoset, such as `AhKh:C`.
            chosen: The number of the action.

        Returns:
            The EVs of all actions there, and the solution's own probabilities.

        Raises:
            ConfigError: The solution has no such line, or there is no such action.
        """
        found = _row(self.solution, self._game, infoset)
        whole_number("chosen", chosen, 0, len(found.actions) - 1)
        values = None
        if np.isfinite(found.values).all():
            values = tuple(self._unit * value for value in found.values)
        return Advice(infoset, found.actions, chosen, values, found.mixture)


class _Row(NamedTuple):
    actions: tuple[str, ...]
    mixture: tuple[float, ...]
    values: tuple[float, ...]


def _row(solution: PreflopSolution, game: HandGame, infoset: str) -> _Row:
    combo, (_, _, betting) = game.at(infoset)
    node = solution.at(str(betting))
    k = node.names.index(CLASS_NAMES[CLASS_OF_COMBO[combo]])
    shares = np.maximum(node.strategy[:, k], 0.0)
    total = shares.sum()
    mixture = shares / total if total > 0 else np.full(len(shares), 1.0 / len(shares))
    return _Row(node.actions, tuple(mixture.tolist()), tuple(node.action_ev[:, k].tolist()))


def _checked(solution: object) -> PreflopSolution:
    found = instance(
        "solution", solution, PreflopSolution, "a PreflopSolution", remedy="solve a hand"
    )
    if found.hand.rules.final_street:
        raise ConfigError(
            f"the file of {found.game.name} has no strategies after the flop",
            option="file",
            given=found.game.last_street,
            expected="a hand whose betting ends before the flop",
            remedy="solve one with last_street=preflop, or train a blueprint for whole hands",
        )
    return found
