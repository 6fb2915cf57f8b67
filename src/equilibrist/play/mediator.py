"""A mediator at the table: draws from a correlation device, and recommends on arrival."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from equilibrist.equilibria.device import CorrelationDevice, Recommendations
from equilibrist.errors import ConfigError, MismatchError
from equilibrist.parsing.arguments import instance
from equilibrist.play.table import Table


class Mediator:
    """Draws a profile of a device for each hand, and tells players what it recommends.

    A player who is to choose gets the recommendation for their infoset. Who has not followed one
    gets none for the rest of the hand.

    Args:
        device: The device.

    Raises:
        ConfigError: If `device` is not one.
    """

    def __init__(self, device: CorrelationDevice) -> None:
        """Take the device; the class describes it."""
        self.device = instance("device", device, CorrelationDevice, "a CorrelationDevice")
        self._drawn: Recommendations | None = None

    def begin(self, generator: np.random.Generator) -> None:
        """Draw for a new hand; `Session` calls it.

        Args:
            generator: A generator of NumPy.

        Raises:
            ConfigError: It is not one.
        """
        self._drawn = self.device.recommend(generator)

    def recommendation(self, table: Table) -> str | None:
        """The action that the device recommends to the player to act.

        Args:
            table: The hand, at a player's turn.

        Returns:
            The label of an action; None if they have not followed an earlier recommendation.

        Raises:
            ConfigError: Nothing has been drawn, or no player acts.
            UnknownNameError: The device's game has no such infoset.
            MismatchError: The infoset has other actions there.
        """
        if self._drawn is None:
            raise ConfigError(
                "the mediator has drawn nothing yet",
                option="mediator",
                remedy="give it to a Session, or call begin(generator)",
            )
        recommended = self._drawn.at(table.infoset)
        if recommended not in table.actions:
            raise MismatchError(
                f"the device of {self.device.tree.name} recommends {recommended!r} at "
                f"{table.infoset!r}, where the actions are {', '.join(table.actions)}",
                option="mediator",
                given=recommended,
                expected=", ".join(table.actions),
            )
        follows = all(
            self._drawn.at(move.infoset) == move.action
            for move in table.moves
            if move.player == table.player and move.infoset is not None
        )
        return recommended if follows else None


class MediatedAgent:
    """Follows a mediator's recommendations.

    Args:
        mediator: The mediator of the session.
        name: What to call it.
    """

    def __init__(self, mediator: Mediator, name: str = "AI") -> None:
        """Sit down; the class describes the arguments."""
        self.mediator = instance("mediator", mediator, Mediator, "a Mediator")
        self._name = name

    @property
    def name(self) -> str:
        """The name to display."""
        return self._name

    def mixture(self, table: Table, /) -> Sequence[float]:
        """The recommendation, with probability 1.

        Args:
            table: The hand, at this agent's turn.

        Returns:
            One probability per action of `table.actions`.
        """
        recommended = self.mediator.recommendation(table)
        return [float(action == recommended) for action in table.actions]
