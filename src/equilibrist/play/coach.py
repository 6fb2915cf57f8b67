"""Coach: the EV loss of a choice against opponents who play a given strategy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from equilibrist.evaluation import best_response
from equilibrist.evaluation.infosets import InfosetValues, infoset_values
from equilibrist.parsing.arguments import whole_number
from equilibrist.strategy import Strategy, checked_strategy


@dataclass(frozen=True)
class Advice:
    """What each action of an infoset is worth, in payoff units per hand that comes there.

    Attributes:
        infoset: The key of the infoset.
        actions: The labels of its actions.
        chosen: The action that was chosen.
        values: The player's expected payoffs of the whole hand, given that play has come to the
            infoset, the others play the coach's strategy, and the player plays a best response
            after the action. None where the others' strategy never plays to the infoset: then
            nothing is known about what they hold.
        mixture: The coach's own strategy at the infoset; () where it says nothing of it.
        errors: Where values are estimates, half of the 95 % interval of each; else None.
        searched: What a search plays at the infoset, where one has thought about it; else None.
    """

    infoset: str
    actions: tuple[str, ...]
    chosen: int
    values: tuple[float, ...] | None
    mixture: tuple[float, ...]
    errors: tuple[float, ...] | None = None
    searched: tuple[float, ...] | None = None

    @property
    def best(self) -> int | None:
        """The index of the action with the highest value; None without values."""
        return None if self.values is None else self.values.index(max(self.values))

    @property
    def ev_loss(self) -> float | None:
        """The best value minus the value of the chosen action, at least 0; None without values."""
        return None if self.values is None else max(self.values) - self.values[self.chosen]


@runtime_checkable
class Adviser(Protocol):
    """Anything that judges choices: `Coach` in compiled games, `SolutionCoach` in hold'em."""

    def advise(self, infoset: str, chosen: int, /) -> Advice:
        """Say what a choice is worth, and what others would have been.

        Args:
            infoset: The key of the infoset.
            chosen: The number of the action.

        Returns:
            The values of all actions there.
        """
        ...


class Coach:
    """Judges choices against a strategy.

    The values are exact: a best response to the others' part of the strategy is computed in the
    whole game, once per player. On average over hands, what a player gives up in a hand is the
    value of the best response minus the value of the way they play.

    Args:
        strategy: The strategy of the others.

    Raises:
        RecallError: If the game has imperfect recall.
    """

    def __init__(self, strategy: Strategy) -> None:
        self.strategy = checked_strategy(strategy)
        _ = self.strategy.tree.sequence_form  # raises here rather than in the middle of a hand
        self._values: dict[int, InfosetValues] = {}

    def advise(self, infoset: str, chosen: int) -> Advice:
        """Say what a choice is worth, and what others would have been.

        Args:
            infoset: The key of the infoset.
            chosen: The number of the action.

        Returns:
            The values of all actions there.

        Raises:
            UnknownNameError: If the game has no such infoset.
            ConfigError: If there is no such action.
        """
        tree = self.strategy.tree
        i = tree.index(infoset)
        labels = tree.action_labels[i]
        whole_number("chosen", chosen, 0, len(labels) - 1)
        player = int(tree.infoset_player[i])
        if player not in self._values:
            self._values[player] = infoset_values(best_response(self.strategy, player).strategy)
        at = tree.actions_of(i)
        values = self._values[player].expected_actions(i, at)
        mixture = tuple(self.strategy.probabilities[at].tolist())
        return Advice(infoset, labels, chosen, None if values is None else tuple(values), mixture)
