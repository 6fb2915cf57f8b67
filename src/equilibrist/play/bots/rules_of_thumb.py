"""How a bot decides by a fixed rule at any table of hold'em."""

from __future__ import annotations

from typing import Any

from equilibrist.errors import ConfigError
from equilibrist.play.bots.answers import BotAnswer, DecidedBy
from equilibrist.play.bots.betting import betting_of
from equilibrist.play.bots.fixed import FixedAgent, read_choice
from equilibrist.play.bots.legal import LegalActions
from equilibrist.play.bots.lines import read_played
from equilibrist.play.bots.requests import Request
from equilibrist.play.bots.translation import to_legal
from equilibrist.play.hands.game import HandGame
from equilibrist.play.spots.game import SpotGame
from equilibrist.play.table import drawn_index
from equilibrist.poker.betting.actions import Action, Kind
from equilibrist.poker.hands.hand import Hand
from equilibrist.poker.postflop.spot.spot import Spot


class FixedMind:
    """Decides by one of the fixed opponents: its bets are the smallest, the pot and all-in.

    Args:
        agent: The opponent.
    """

    game: Any = None

    def __init__(self, agent: FixedAgent) -> None:
        """Go by a rule; the class describes the argument."""
        self._agent = agent

    def decide(self, request: Request) -> BotAnswer:
        """Answer a question."""
        if not isinstance(request.table, Hand | Spot):
            raise ConfigError(
                "a fixed opponent needs the hand that is played",
                option="table",
                given=request.table,
                expected="a Hand or a Spot",
                remedy="give act() the argument `table`",
            )
        hand = request.table
        table = betting_of(SpotGame(hand) if isinstance(hand, Spot) else HandGame(hand))
        played = read_played(table, request.hole_cards, request.line)
        legal = LegalActions(table, played.state, request.legal_actions)
        options = table.options(played.state)
        actions = [*options.passive]
        if (limits := options.bets) is not None:
            pot = to_legal(limits, limits.facing + limits.pot)
            totals = dict.fromkeys([limits.least, pot, limits.most])
            actions += [table.read(played.state, Action(Kind.BET, total)) for total in totals]
        if legal.labels is not None:
            actions = sorted(legal.labels, key=lambda action: action.amount)
        choice = read_choice([[f"{action}"] for action in actions])
        shares = self._agent.shares(choice, len(actions))
        mixture = legal.mixture(dict(zip(actions, shares, strict=True)))
        generator = request.memory.action_draw(len(played.actions))
        drawn = [*mixture][drawn_index([*mixture.values()], generator)]
        return BotAnswer(
            action=legal.label(drawn),
            mixture={legal.label(action): share for action, share in mixture.items()},
            decided_by=DecidedBy.BLUEPRINT,
            note=f"the rule `{self._agent.rule}`",
        )
