"""Yardsticks of bots: what they win from fixed opponents, and what each figure proves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from equilibrist.evaluation import Match
from equilibrist.play.bots.bot import Bot
from equilibrist.play.bots.fixed import FIXED, FixedAgent
from equilibrist.play.bots.matches import BotMatch
from equilibrist.poker.hands.hand import Hand
from equilibrist.progress import Callbacks, OnProgress

PROVES: Final[dict[str, str]] = {
    "exploiter": "a lower bound of exploitability: what an opponent learns to win in the buckets",
    "card_response": "exploitability inside the betting tree, exact with all flops, else a lower "
    "bound",
    "lbr": "a lower bound of exploitability as played, bets off the menu included; at most 0 "
    "proves nothing",
    "litmus": "a fault where one fails; that all hold proves nothing",
    "fixed": "a fault with two seats, where the whole interval is below 0; how much is won proves "
    "nothing about strong opponents",
}
"""What each figure of a report proves, by its name."""
_TWO: Final = 2


def against_fixed(
    bot: Bot,
    hand: Hand,
    *,
    rules: Iterable[str] = tuple(FIXED),
    hands: int = 2_000,
    seed: int = 0,
    callbacks: Callbacks | OnProgress | None = None,
) -> dict[str, Match]:
    """Let a bot play fixed opponents, by duplicate deals.

    Args:
        bot: The bot.
        hand: The hand at the table.
        rules: The opponents, `fold`, `call`, `raise`, `random` or `all-in`.
        hands: Hands against each, at least two deals.
        seed: The seed of the deals, the same for each opponent.
        callbacks: Functions called as deals are played.

    Returns:
        What the bot wins in a hand from each, in thousandths of a big blind; by AIVAT, too, with
        two seats. After Ctrl-C those that were played, the last one perhaps on fewer deals.

    Raises:
        UnknownNameError: There is no such opponent.
        ConfigError: Another argument is invalid.
    """
    won = dict[str, Match]()
    for rule in rules:
        other = Bot(FixedAgent(rule), seed=bot.seed + 1, name=rule)
        match = BotMatch(hand, bot, other, seed=seed, aivat=hand.seats == _TWO)
        won[rule] = match.play(max(2, -(-hands // match.games)), callbacks=callbacks)
        if won[rule].interrupted:
            break
    return won
