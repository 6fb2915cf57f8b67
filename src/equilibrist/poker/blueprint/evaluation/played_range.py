"""The range of a player whose hand is never drawn, in a hand that is followed action by action.

Local best responses play against one: they know what every hand of it does, and weigh its folds,
calls and bets by all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np

from equilibrist.poker.betting.actions import Kind
from equilibrist.poker.blueprint.evaluation.dealt_board import DealtBoard
from equilibrist.poker.blueprint.evaluation.shadow_play import LOST, Place, ShadowPlay
from equilibrist.poker.cards.combos import NUM_COMBOS
from equilibrist.poker.hands.state import HandState
from equilibrist.typing import BoolArray, FloatArray

RangeAction = tuple[Kind, int]
"""Fold, check and call with 0, and a bet or raise with its real total in units."""


class BetAnswers(NamedTuple):
    """What a range answers to a bet, in weights of hands."""

    folds: float
    """Weight that folds."""
    stays: float
    """Weight of all other answers."""
    beaten: float
    """Of `stays`, the weight that the hand beats: by equity."""


class PlayedRange(Protocol):
    """A range in one hand; what it does goes by the public actions alone."""

    def reach(self) -> FloatArray:
        """float64[1326]: the probability that it comes here with each hand."""
        ...

    def weights(self, state: HandState, dealt: BoolArray) -> dict[RangeAction, float]:
        """Weigh what it may do at its turn.

        Args:
            state: The real state.
            dealt: bool[1326]: the hands that count.

        Returns:
            The weight of each action.
        """
        ...

    def acts(self, action: RangeAction, dealt: BoolArray) -> None:
        """Follow its own action, one of the last `weights`.

        Args:
            action: The action.
            dealt: bool[1326]: the hands that count.
        """
        ...

    def faces_passive(self, state: HandState) -> None:
        """Follow a check or call of the other seat at a state."""
        ...

    def faces_bet(self, state: HandState, total: int) -> None:
        """Follow a bet or raise of the other seat to a total at a state."""
        ...

    def answers(
        self, state: HandState, totals: Sequence[int], seen: BoolArray, equity: FloatArray
    ) -> list[BetAnswers]:
        """Weigh its answers to bets of the other seat, if nobody bet after them.

        Args:
            state: The real state, at which the other seat acts.
            totals: The bets.
            seen: bool[1326]: the hands that count.
            equity: float64[1326]: the other seat's equity against each hand.

        Returns:
            For each bet; empty where it knows no answer to any.
        """
        ...


class BlueprintRange:
    """A blueprint as it is, which maps bets that its tree lacks; see `shadow_play`.

    Args:
        shadow: Follows hands in the tree of the blueprint.
        board: The board.
    """

    def __init__(self, shadow: ShadowPlay, board: DealtBoard) -> None:
        """Begin a hand; the class describes the arguments."""
        self._shadow, self._board = shadow, board
        self._places = [Place(0, np.ones(NUM_COMBOS), is_real=True)]
        self._after: dict[RangeAction, list[Place]] = {}

    def reach(self) -> FloatArray:
        """float64[1326]; see `PlayedRange`."""
        return sum(place.reach for place in self._places)  # type: ignore[return-value]

    def weights(self, state: HandState, dealt: BoolArray) -> dict[RangeAction, float]:
        """Weigh what it may do; see `PlayedRange`."""
        self._after = self._shadow.actions(self._places, state, self._board)
        return {
            action: float(sum(place.reach[dealt].sum() for place in row))
            for action, row in self._after.items()
        }

    def acts(self, action: RangeAction, dealt: BoolArray) -> None:
        """Follow its own action; see `PlayedRange`."""
        self._places = [place for place in self._after[action] if place.reach[dealt].any()]

    def faces_passive(self, state: HandState) -> None:
        """Follow a check or call; see `PlayedRange`."""
        self._places = self._shadow.after_passive(self._places)

    def faces_bet(self, state: HandState, total: int) -> None:
        """Follow a bet; see `PlayedRange`."""
        self._places = self._shadow.after_bet(self._places, state, total)

    def answers(
        self, state: HandState, totals: Sequence[int], seen: BoolArray, equity: FloatArray
    ) -> list[BetAnswers]:
        """Weigh its answers; see `PlayedRange`."""
        shadow, places = self._shadow, self._places
        if any(place.node == LOST or not shadow.menu(place.node).bets for place in places):
            return []
        known = [self._answers(place, seen, equity) for place in places]
        weighed = []
        for total in totals:
            folds = calls = won = 0.0
            for place, answers in zip(places, known, strict=True):
                for k, chance in shadow.shares(place, state, total).items():
                    folds += chance * answers[k].folds
                    calls += chance * answers[k].stays
                    won += chance * answers[k].beaten
            weighed.append(BetAnswers(folds, calls, won))
        return weighed

    def _answers(self, place: Place, seen: BoolArray, equity: FloatArray) -> dict[int, BetAnswers]:
        """Weigh the answers of a place to each bet that the blueprint knows."""
        shadow = self._shadow
        reach = place.reach * seen
        answers = {}
        for k in shadow.menu(place.node).sizes:
            answer = shadow.decision(shadow.children(place.node)[k])
            folds = shadow.menu(answer).fold
            fold = self._board.chances(answer)[folds] if folds >= 0 else np.zeros(NUM_COMBOS)
            stays = reach * (1.0 - fold)
            answers[k] = BetAnswers(
                folds=float(reach @ fold), stays=float(stays.sum()), beaten=float(stays @ equity)
            )
        return answers
