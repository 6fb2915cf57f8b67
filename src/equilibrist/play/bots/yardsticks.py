"""Yardsticks of bots: what they win from fixed opponents, and what each figure proves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from equilibrist.errors import EquilibristError
from equilibrist.evaluation import Match
from equilibrist.parsing.arguments import bad_argument
from equilibrist.play.bots.bot import Bot
from equilibrist.play.bots.fixed import FIXED, FixedAgent
from equilibrist.play.bots.matches import BotMatch
from equilibrist.play.bots.searched_range import SearchedRanges
from equilibrist.poker.blueprint.abstract_game import check_evaluated
from equilibrist.poker.blueprint.evaluation.exploiter_figures import Exploiter
from equilibrist.poker.blueprint.evaluation.local_response import (
    LocalResponse,
    LocalSetting,
    local_response,
)
from equilibrist.poker.blueprint.policy import WHOLE, Blueprint
from equilibrist.poker.hands.hand import Hand
from equilibrist.poker.hands.rules import STREET_NAMES
from equilibrist.progress import Callbacks, OnProgress

PROVES: Final[dict[str, str]] = {
    "exploiter": "a lower bound of exploitability: what an opponent learns to win in the buckets",
    "card_response": "exploitability inside the betting tree, exact with all flops, else a lower "
    "bound",
    "lbr": "a lower bound of exploitability as played, bets off the menu included; at most 0 "
    "proves nothing",
    "litmus": "a fault where one fails; that all hold proves nothing",
    "search_lbr": "a lower bound of exploitability of the bot with its search where no bet was "
    "mapped, else an estimate; at most 0 proves nothing",
    "search_exploiter": "a lower bound of exploitability of the bot with its search, by the "
    "exploiter of its blueprint; at most 0 proves nothing",
    "fixed": "a fault with two seats, where the whole interval is below 0; how much is won proves "
    "nothing about strong opponents",
}
"""What each figure of a report proves, by its name."""
SEARCH_SETTINGS: Final = ("fc:turn", "fcpa:turn", "fc:river", "fcpa:river")
"""What local best responses to a search may do unless settings are given."""
SEARCH_HANDS: Final = 400
"""Hands of each seat that they play unless a number is given."""
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


@dataclass(frozen=True)
class SearchFigures:
    """How good a bot with a search is, in mbb per hand; parts that were not measured are None.

    Attributes:
        lbr: What local best responses win from it: a lower bound of its exploitability where no
            bet was mapped, else an estimate, as they see the draws by which bets are mapped.
        searched: The share of the decisions asked for by them that the search plays.
        mapped: How many of these decisions lie behind a bet that was mapped by a draw.
        exploiter: What the exploiter of its blueprint wins from it by duplicate deals, in both
            seats: a lower bound of its exploitability, too.
        interrupted: Whether Ctrl-C ended it before all parts were measured.
        problem: Why the exploiter could not be played after local best responses were; None where
            nothing failed.
    """

    lbr: LocalResponse | None = None
    searched: float | None = None
    exploiter: Match | None = None
    interrupted: bool = False
    mapped: int | None = None
    problem: EquilibristError | None = None


def evaluate_search(
    bot: Bot,
    *,
    lbr: bool | Sequence[LocalSetting | str] = False,
    hands: int = SEARCH_HANDS,
    exploiter: Exploiter | None = None,
    match_hands: int = 2_000,
    seed: int = 0,
    callbacks: Callbacks | OnProgress | None = None,
) -> SearchFigures:
    """Measure a bot that plays a blueprint with a search.

    With more than two seats there is nothing to measure: exploiters of those keep no strategy.

    Args:
        bot: The bot.
        lbr: Whether local best responses are played, or their settings.
        hands: Hands of each seat that these play.
        exploiter: What an exploiter of the blueprint learned; None for none.
        match_hands: Hands that it plays against the bot.
        seed: The seed of boards and deals.
        callbacks: Functions called as hands are played.

    Returns:
        The figures.

    Raises:
        ConfigError: The bot has no blueprint or no search, or an argument is out of range.
        UnsupportedError: Local best responses are asked for, and the blueprint has more than two
            seats.
    """
    blueprint, search = bot.strategy, bot.search
    if not isinstance(blueprint, Blueprint) or search is None:
        raise bad_argument("bot", bot, "a bot that plays a blueprint with a search")
    if lbr:
        check_evaluated(blueprint.hand, "a local best response")
    response = searched = mapped = match = None
    try:
        if lbr:
            never = STREET_NAMES[blueprint.hand.rules.final_street + 1 :]
            fitting = [text for text in SEARCH_SETTINGS if text.partition(":")[2] not in never]
            ranges = SearchedRanges(blueprint, search, seconds=bot.seconds, seed=bot.seed)
            response = local_response(
                blueprint,
                (fitting or ["fc"]) if lbr is True else lbr,
                hands=hands,
                seed=seed,
                callbacks=callbacks,
                opponents=ranges,
            )
            searched, mapped = ranges.told[True] / sum(ranges.told), ranges.mapped
        if exploiter is not None and exploiter.strategy is not None:
            stored = np.round(exploiter.strategy * WHOLE).astype(np.uint16)
            learned = Blueprint(blueprint.game, blueprint.cards, stored)
            other = Bot(learned, seed=bot.seed + 1, name="exploiter")
            played = BotMatch(blueprint.hand, other, bot, seed=seed, aivat=True)
            match = played.play(max(2, -(-match_hands // played.games)), callbacks=callbacks)
    except KeyboardInterrupt:
        return SearchFigures(response, searched, match, interrupted=True, mapped=mapped)
    except EquilibristError as error:
        if response is None:
            raise
        return SearchFigures(response, searched, mapped=mapped, problem=error)
    cut = match is not None and match.interrupted
    return SearchFigures(response, searched, match, interrupted=cut, mapped=mapped)
