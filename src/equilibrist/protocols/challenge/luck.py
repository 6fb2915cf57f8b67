"""What was luck in a hand against a server: of the cards, and of what our bot drew.

The opponent's strategy is not known, so that its own draws stay. What the cards were worth is known
once both hands are shown, see `play.bots.luck`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from equilibrist.play.bots.answers import BotAnswer, DecidedBy
from equilibrist.play.bots.deals import DealtAction, DealtHand, HandDeal
from equilibrist.play.bots.luck import Luck
from equilibrist.poker.betting.actions import Action, Kind
from equilibrist.protocols.acpc.betting import FOLD, AcpcAction, Betting
from equilibrist.protocols.acpc.histories import actions_of
from equilibrist.protocols.acpc.match_state import Deal
from equilibrist.protocols.acpc.rules import AcpcRules

_UNKNOWN = BotAnswer("", {}, DecidedBy.BLUEPRINT)


class Step(NamedTuple):
    """An action of a hand."""

    before: Betting
    action: AcpcAction


def steps(betting: Betting) -> Iterator[Step]:
    """List the actions of a hand.

    Args:
        betting: The betting.

    Yields:
        Each action with the betting before it.
    """
    at = Betting.start(betting.rules)
    for action in actions_of(betting.text):
        yield Step(at, action)
        at = at.play(action)


class ServedLuck:
    """Takes the luck out of hands of which both players' cards are known.

    Args:
        rules: The rules of two positions.
    """

    def __init__(self, rules: AcpcRules) -> None:
        """Go by rules; the class describes the argument."""
        self._luck = Luck(rules)

    def of(
        self, betting: Betting, cards: Deal, position: int, answers: Mapping[str, BotAnswer]
    ) -> float:
        """The luck of a hand that is over.

        Args:
            betting: Its betting.
            cards: The cards of both positions, and the board as far as it is out.
            position: Ours.
            answers: What our bot said, by the betting at which it said it; its draws are corrected
                where it told its mixture.

        Returns:
            What to subtract from what we won, in chips.
        """
        actions = [
            DealtAction(
                step.before.state,
                Action(Kind.FOLD if step.action.kind == FOLD else Kind.CALL),
                answers.get(step.before.text, _UNKNOWN),
            )
            for step in steps(betting)
        ]
        deal = HandDeal(cards.holes, cards.board)
        hand = DealtHand(deal, tuple(actions), betting.state, betting.text, ())
        lucky = self._luck.of(hand, with_deal=True)
        return lucky if position == 0 else -lucky
