"""Bets of any size in a spot: what the rules allow, and which of the solution's bets each becomes.

The hand goes on with the bet that it was mapped to: that amount is in the pot, and EVs are exact.
"""

from __future__ import annotations

from equilibrist.parsing.arguments import instance
from equilibrist.play.bets import BetLimits, MappedBet, mapped_within
from equilibrist.play.spots.game import SpotGame, read_infoset
from equilibrist.poker.betting.actions import Action, Kind
from equilibrist.poker.betting.state import BettingState

_BETS = (Kind.BET, Kind.RAISE, Kind.ALL_IN)


def bet_limits(game: SpotGame, infoset: str) -> BetLimits | None:
    """The bets that are possible at an infoset.

    Args:
        game: The spot.
        infoset: The key, such as `AhKh:X-B50`.

    Returns:
        The limits; None where the solution has no bet, so that none could be mapped to one.

    Raises:
        LineSyntaxError: The spot has no such line.
        ConfigError: The key has another form.
    """
    instance("game", game, SpotGame, "a SpotGame")
    state, actions = _at(game, infoset)
    rules, chips = game.spot.rules(), state.scale.chips
    menu = {k: float(action.amount) for k, action in enumerate(actions) if action.kind in _BETS}
    if not menu:
        return None
    facing = max(state.bets)
    return BetLimits(
        least=chips(rules.min_raise_to(state)),
        most=chips(rules.all_in(state)),
        step=float(rules.unit),
        facing=chips(facing),
        pot=chips(state.pot + 2 * facing),
        menu=menu,
    )


def map_bet(game: SpotGame, infoset: str, amount: float) -> MappedBet:
    """Map a bet of any size to bets of the solution.

    Args:
        game: The spot.
        infoset: The key of the infoset.
        amount: The total on the street, in chips.

    Returns:
        The bet, and the probability of each action.

    Raises:
        LineSyntaxError: The spot has no such line.
        ConfigError: The amount is none that the rules allow, or no bet is possible.
    """
    return mapped_within(bet_limits(game, infoset), amount)


def _at(game: SpotGame, infoset: str) -> tuple[BettingState, tuple[Action, ...]]:
    rules = game.spot.rules()
    state = rules.follow(read_infoset(infoset)[1], game.spot.cards).state
    return state, rules.actions(state)
