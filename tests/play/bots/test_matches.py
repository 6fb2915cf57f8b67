"""Matches between bots: duplicate deals, seats, AIVAT by enumeration, and logs that go on."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from equilibrist.errors import ConfigError, FileFormatError, MismatchError
from equilibrist.play import Bot, BotAnswer, FixedAgent, HandGame
from equilibrist.play.bots.answers import DecidedBy
from equilibrist.play.bots.betting import HandBetting
from equilibrist.play.bots.deals import DealtAction, DealtHand, HandDeal, HandDealer
from equilibrist.play.bots.luck import Luck
from equilibrist.play.bots.matches import BotMatch
from equilibrist.poker import Hand
from equilibrist.poker.hands.menu import offered
from equilibrist.search.holdem.street_search import StreetSearch
from tests.play.bots.hands import small_blueprint, table_of
from tests.poker.blueprint.evaluation.test_exploiter import blueprint_of
from tests.poker.blueprint.oracle import random_strategy
from tests.refusals import refuses

TINY = Hand(stack=4, bets="a", raises="a", deck="K", board="1", last_street="flop")
"""Eight cards, and one on the board."""


def odd_shares(held: Sequence[int], line: str, actions: int) -> list[float]:
    """A way to play that tells hands apart by their ranks."""
    rank = sum(card // 4 for card in held)
    weights = [1.0 + (3 * rank + 5 * len(line) + 7 * k) % 11 for k in range(actions)]
    return [weight / sum(weights) for weight in weights]


def all_hands(dealer: HandDealer, deal: HandDeal) -> Iterator[tuple[float, DealtHand]]:
    """All ways in which a deal may be played, with their probabilities."""
    rules, menu, betting = dealer.hand.rules, dealer.hand.menu, dealer.betting

    def walk(state: Any, steps: list[DealtAction], chance: float) -> Iterator[Any]:
        if betting.is_dealing(state):
            state = betting.dealt(state)
        seat = betting.player(state)
        if seat is None:
            yield chance, dealer.ended(deal, steps, state, str(state))
            return
        actions = offered(rules, menu, state)
        shares = odd_shares(deal.held[seat], str(state), len(actions))
        mixture = {action.code: share for action, share in zip(actions, shares, strict=True)}
        for action, share in zip(actions, shares, strict=True):
            answer = BotAnswer(action.code, mixture, DecidedBy.BLUEPRINT)
            step = DealtAction(state, action, answer)
            yield from walk(betting.after(state, action), [*steps, step], chance * share)

    return walk(betting.first(), [], 1.0)


def all_deals(hand: Hand) -> Iterator[HandDeal]:
    deck = hand.rules.deck
    for first in combinations(deck, 2):
        rest = [card for card in deck if card not in first]
        for second in combinations(rest, 2):
            for card in rest:
                if card not in second:
                    yield HandDeal((first, second), (card,))


@pytest.mark.slow
def test_luck_has_the_mean_zero_by_enumeration() -> None:
    """Over all deals and all play, in both seats: AIVAT and the payoffs have one mean."""
    dealer = HandDealer(TINY, HandBetting(HandGame(TINY)))
    luck = Luck(TINY.rules)
    sums = np.zeros(4)
    deals = [*all_deals(TINY)]
    for deal in deals:
        for chance, hand in all_hands(dealer, deal):
            lucky = luck.of(hand)
            won = hand.won[0]
            sums += chance * np.array([won, lucky, won**2, (won - lucky) ** 2])
    assert len(deals) == 28 * 15 * 4
    means = sums / len(deals)
    assert means[1] == pytest.approx(0.0, abs=1e-9)
    assert abs(means[0]) > 1.0  # units: the way to play is worth something
    assert means[3] < 0.9 * means[2]


def test_cards_and_folds_are_valued_as_if_all_checked() -> None:
    hand = Hand(stack=20, bets="a", raises="a")
    dealer = HandDealer(hand, HandBetting(HandGame(hand)))
    players = [Bot(FixedAgent("all-in")), Bot(FixedAgent("call"))]
    deal = HandDeal(((48, 49), (44, 45)), (0, 5, 10, 15, 21))  # AcAd against KcKd
    dealt = dealer.play(deal, players, 1)
    assert dealt.won == (2000, -2000)
    # Aces win 50,371,344 and tie 285,228 of 61,642,944 showdowns against kings.
    share = (50_371_344 + 285_228 / 2) / 61_642_944
    assert dealt.won[0] - Luck(hand.rules).of(dealt) == pytest.approx(2000 * (2 * share - 1))


def test_a_bot_wins_nothing_from_itself_in_duplicate_deals() -> None:
    blueprint = small_blueprint()
    match = BotMatch(table_of(2), Bot(blueprint, seed=1), Bot(blueprint, seed=1), aivat=True)
    assert [match.deal(number) for number in range(5)] == [[0.0, pytest.approx(0.0)]] * 5


@pytest.mark.slow
def test_aivat_narrows_the_interval() -> None:
    blueprint = small_blueprint()
    match = BotMatch(table_of(2), Bot(blueprint), Bot(FixedAgent("random")), seed=2, aivat=True)
    played = match.play(300)
    assert played.deals == 300
    assert played.aivat is not None
    assert played.aivat.half_width < played.half_width
    low, high = played.interval
    assert low < played.aivat.mean < high


@pytest.mark.parametrize("duplicate", [True, False])
def test_seats_rotate_with_more_than_two(duplicate: bool) -> None:
    hand = table_of(3)
    bot, other = Bot(small_blueprint(hand)), Bot(FixedAgent("fold"))
    match = BotMatch(hand, bot, other, duplicate=duplicate)
    assert match.games == (3 if duplicate else 1)
    assert match.play(12).mean > 0.0
    assert match.deal(3) == match.deal(3)
    with refuses(ConfigError, option="aivat"):
        BotMatch(hand, bot, other, aivat=True)


def test_a_log_goes_on_where_it_was_cut_off(tmp_path: Path) -> None:
    log = tmp_path / "match.jsonl"

    def match() -> BotMatch:
        return BotMatch(table_of(2), Bot(small_blueprint()), Bot(FixedAgent("call")), seed=3)

    whole = match().play(20)
    match().play(8, log=log)
    text = log.read_text("utf-8")
    assert json.loads(text.splitlines()[0])["seed"] == 3
    log.write_text(text[:-10], "utf-8")  # killed in the middle of a line
    assert match().play(20, log=log) == whole
    assert len(log.read_text("utf-8").splitlines()) == 21
    assert match().play(20, log=log) == whole
    other = BotMatch(table_of(2), Bot(small_blueprint()), Bot(FixedAgent("call")), seed=4)
    with refuses(MismatchError, option="seed", given=3, expected=4):
        other.play(20, log=log)
    log.write_text("a,b\n1,2\n", "utf-8")
    with refuses(FileFormatError, option="log"):
        match().play(20, log=log)


@pytest.mark.parametrize(
    "content",
    [
        b"no newline at all",
        b"\x00\n\x01\xff a file of weights",
        b'{"match": "royal"}\n{"deal": 0, "wo',
        b'{"match": "royal", "fi',
        "\ufeff{}\nx".encode("utf-16"),
        b"[" * 100_000 + b"\nx",
    ],
)
def test_what_is_no_log_of_this_match_keeps_every_byte(content: bytes, tmp_path: Path) -> None:
    log = tmp_path / "other"
    log.write_bytes(content)
    match = BotMatch(table_of(2), Bot(small_blueprint()), Bot(FixedAgent("call")))
    with pytest.raises((FileFormatError, MismatchError)):
        match.play(2, log=log)
    assert log.read_bytes() == content


class Thinker:
    """A search without a text of its own, which never has an answer."""

    def __init__(self, depth: int) -> None:
        self.depth, self._latest = depth, object()

    def search(self, *_arguments: Any) -> None:
        return None


def test_bots_that_are_called_alike_are_told_apart(tmp_path: Path) -> None:
    blueprint = small_blueprint()
    retrained = blueprint_of(blueprint.game, blueprint.cards, random_strategy(blueprint.game, 8))
    bot = {
        "plain": Bot(blueprint),
        "retrained": Bot(retrained),
        "thinking": Bot(blueprint, Thinker(1)),
        "deeper": Bot(blueprint, Thinker(2)),
        "longer": Bot(blueprint, Thinker(2), seconds=2.0),
        "streets": Bot(blueprint, StreetSearch()),
        "unsafe": Bot(blueprint, StreetSearch("unsafe", iterations=5)),
    }
    call = Bot(FixedAgent("call"))
    differs = {
        ("plain", "retrained"): "strategy",
        ("thinking", "deeper"): "search",
        ("deeper", "longer"): "seconds",
        ("streets", "unsafe"): "search",
    }
    for (before, after), key in differs.items():
        assert repr(bot[before]) == repr(bot[after])
        for place, seat in (("first", 0), ("second", 1)):
            log = tmp_path / f"{before}-{place}"
            BotMatch(table_of(2), *[bot[before], call][:: 1 - 2 * seat])._open(log).close()
            again = BotMatch(table_of(2), *[bot[before], call][:: 1 - 2 * seat])
            again._open(log).close()
            other = BotMatch(table_of(2), *[bot[after], call][:: 1 - 2 * seat])
            with refuses(MismatchError, option=f"{place}_{key}"):
                other._open(log)


def test_a_header_that_was_cut_off_is_written_anew(tmp_path: Path) -> None:
    log = tmp_path / "match.jsonl"
    match = BotMatch(table_of(2), Bot(small_blueprint()), Bot(FixedAgent("call")))
    match.play(2, log=log)
    whole = log.read_bytes()
    log.write_bytes(whole[:9])
    match.play(2, log=log)
    assert log.read_bytes() == whole


def test_ctrl_c_keeps_what_was_played(tmp_path: Path) -> None:
    log = tmp_path / "match.jsonl"
    match = BotMatch(table_of(2), Bot(small_blueprint()), Bot(FixedAgent("call")), seed=3)

    def stop(progress: Any) -> bool:
        if progress.iteration == 5:
            raise KeyboardInterrupt
        return True

    cut = match.play(20, log=log, callbacks=stop)
    assert (cut.deals, cut.interrupted) == (5, True)
    assert len(log.read_text("utf-8").splitlines()) == 6
    assert prod(match.deal(0)) == json.loads(log.read_text("utf-8").splitlines()[1])["won"][0]
