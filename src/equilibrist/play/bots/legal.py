"""The legal actions of a decision of hold'em, and mixtures over them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from equilibrist.errors import EquilibristError
from equilibrist.parsing.arguments import bad_argument
from equilibrist.play.bots.betting import BETS, Betting
from equilibrist.poker.betting.actions import CALL, CHECK, FOLD, Action, Kind
from equilibrist.poker.betting.lines import read_action
from equilibrist.poker.text_span import TextSpan


class LegalActions:
    """The actions that may be answered, by their codes, and as the caller writes them.

    Args:
        table: The betting at the table.
        state: The decision.
        labels: The legal actions as the caller writes them; None for all that the rules allow.

    Raises:
        ConfigError: A label is no action, or there is none.
    """

    def __init__(self, table: Betting, state: Any, labels: Iterable[str] | None) -> None:
        """Read the labels; the class describes the arguments."""
        self._table, self._state = table, state
        self._options = table.options(state)
        self.labels: dict[Action, str] | None = None
        if labels is not None:
            self.labels = {self._read(label): label for label in labels}

    def _read(self, label: str) -> Action:
        try:
            return self._table.read(self._state, read_action(TextSpan.all_of(label)))
        except EquilibristError as error:
            raise bad_argument(
                "legal_actions",
                label,
                "actions such as F, C or R7.5",
                label="a legal action",
                remedy=f"{error}".partition("\n")[0],
            ) from None

    def label(self, action: Action) -> str:
        """An action as the caller writes it."""
        return action.code if self.labels is None else self.labels[action]

    def nearest(self, action: Action) -> Action:
        """The legal action that stands for another: itself, the nearest bet, a call or a check."""
        action = self._table.read(self._state, action)
        if self.labels is None or action in self.labels:
            return action
        if action.kind in BETS:
            bets = [other for other in self.labels if other.kind in BETS]
            if bets:
                return min(bets, key=lambda other: abs(other.amount - action.amount))
        for other in (CHECK, CALL, FOLD):
            if other in self.labels:
                return other
        return min(self.labels, key=lambda other: other.amount)

    def mixture(self, shares: Mapping[Action, float]) -> dict[Action, float]:
        """A mixture over legal actions.

        Args:
            shares: The probability of each action; they need not be legal.

        Returns:
            The probabilities, which add up to 1: of all legal actions where they were given, else
            of those that the mixture has; fold first, then check or call, then bets by size.
        """
        total = sum(shares.values())
        mixture = dict.fromkeys(self.labels or (), 0.0)
        for action, share in shares.items():
            legal = self.nearest(action)
            mixture[legal] = mixture.get(legal, 0.0) + share / total
        return dict(sorted(mixture.items(), key=lambda entry: _order(entry[0])))


def _order(action: Action) -> tuple[int, float]:
    kinds = (Kind.FOLD, Kind.CHECK, Kind.CALL)
    return (kinds.index(action.kind) if action.kind in kinds else len(kinds)), action.amount
