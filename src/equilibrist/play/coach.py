"""Coach: what a choice gave up in expected value against opponents who play a strategy."""

from __future__ import annotations

from dataclasses import dataclass

from equilibrist.evaluation import best_response
from equilibrist.evaluation.infosets import InfosetValues, infoset_values
from equilibrist.parsing.arguments import whole_number
from equilibrist.strategy import Strategy, checked_strategy


@dataclass(frozen=True)
class Advice:
    """What each action of an infoset is worth, in payoff units per hand that comes there.

    `values` are the player's expected payoffs of the whole hand, given that play has come to the
    infoset, the others play the coach's strategy, and the player goes on as well as can be after
    the action. They are None where the others' strategy never lets play come there: then nothing
    is known about what they hold. `mixture` is the coach's own strategy at the infoset.
    """

    infoset: str
    actions: tuple[str, ...]
    chosen: int
    values: tuple[float, ...] | None
    mixture: tuple[float, ...]

    @property
    def best(self) -> int | None:
        """The action of the highest value."""
        return None if self.values is None else self.values.index(max(self.values))

    @property
    def given_up(self) -> float | None:
        """The highest value minus that of the chosen action: at least 0, None where undefined."""
        return None if self.values is None else max(self.values) - self.values[self.chosen]


class Coach:
    """Judges choices against `strategy`, of whose game a tree is held.

    The values are exact: a best response to the others' part of the strategy is computed in the
    whole game, once per player. On average over hands, what a player gives up in a hand is the
    value of the best response minus the value of the way they play. RecallError with imperfect
    recall.
    """

    def __init__(self, strategy: Strategy) -> None:
        self.strategy = checked_strategy(strategy)
        _ = self.strategy.tree.sequence_form  # raises now, not in the middle of a hand
        self._values: dict[int, InfosetValues] = {}

    def advise(self, infoset: str, chosen: int) -> Advice:
        """What the choice of action number `chosen` at `infoset` means.

        UnknownNameError for an infoset that the game lacks, ConfigError for an action beyond its
        actions.
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
