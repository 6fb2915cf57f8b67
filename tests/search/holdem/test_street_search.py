"""Bots that solve streets anew: the same hand again, bets of any size, and what they carry over."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from equilibrist.errors import BetSizeSyntaxError, ConfigError, UnknownNameError
from equilibrist.play import Bot
from equilibrist.play.bots.answers import BotAnswer, DecidedBy
from equilibrist.poker import Hand
from equilibrist.poker.cards.combos import dealt_hands
from equilibrist.search.holdem.street_search import StreetSearch
from tests.play.bots.hands import TWO, play_hand, small_blueprint, table_of
from tests.play.spots.test_game import TURN, solved
from tests.refusals import refuses

HAND = Hand(stack=8, bets="100%,a", raises="a")
MENU = [("75%", "a")]


def bot_of(hand: Hand = HAND, seed: int = 1, **settings: Any) -> Bot:
    search = StreetSearch(menus=MENU, threads=1, **{"iterations": 20, **settings})
    return Bot(small_blueprint(hand), search, seed=seed)


def latest(bot: Bot) -> Any:
    return bot.search._latest


def test_before_the_flop_the_blueprint_plays() -> None:
    assert bot_of().act("AhKh", "").decided_by is DecidedBy.BLUEPRINT


def test_a_river_is_solved_with_the_ranges_of_the_blueprint() -> None:
    bot = bot_of()
    bot.begin(1)
    answer = bot.act("AhKh", "C-X|Td9d6h|X-X|2c|X-X|3s|X")
    assert answer.decided_by is DecidedBy.SEARCH
    assert answer.note.startswith("river, unsafe, 20 iterations")
    assert [*answer.mixture] == ["X", "B1.5"]
    spot = latest(bot).resolved.spot
    assert (spot.pot, spot.stack, len(spot.cards)) == (2, 7, 5)
    assert spot.removed_lines == ("B1.5",)  # the range already holds that it was checked


def test_streets_of_a_short_deck_are_solved_with_its_cards() -> None:
    bot = bot_of(TWO)
    notes = []
    for line in ("C-X|TdJhQs|X", "C-X|TdJhQs|X-X|Jd|X", "C-X|TdJhQs|X-X|Jd|X-X|Ks|X"):
        notes.append(bot.act("AhKh", line).note.split(",")[0])
        solve = latest(bot)
        held = np.add(*(row.weights for row in solve.resolved.spot.ranges))
        assert not held[~dealt_hands([], TWO.rules.lowest_rank)].any()
    assert notes == ["flop", "turn", "river"]
    late = bot_of(TWO, first="river")
    assert late.act("AhKh", "C-X|TdJhQs|X-X|Jd|X").decided_by is DecidedBy.BLUEPRINT
    assert late.act("AhKh", "C-X|TdJhQs|X-X|Jd|X-X|Ks|X").decided_by is DecidedBy.SEARCH
    with refuses(UnknownNameError, option="first", given="preflop"):
        bot_of(TWO, first="preflop")


def test_later_streets_are_solved_with_the_values_of_the_one_before() -> None:
    bot = bot_of()
    bot.begin(1)
    turn = bot.act("AhKh", "C-X|Td9d6h|X-X|2c|X")
    assert turn.note.startswith("turn, unsafe")
    before = latest(bot)
    line = f"C-X|Td9d6h|X-X|2c|X-{'X' if turn.action == 'X' else turn.action + '-C'}|3s|X"
    river = bot.act("AhKh", line)
    assert river.note.startswith("river, resolve")
    after = latest(bot)
    assert after.resolved.spot.removed_lines == ()
    resolved = after.resolved
    excess = np.nanmax(resolved.values - resolved.alternatives)
    assert excess <= resolved.gap + 1e-5 * resolved.spot.pot * resolved.weight.max()
    assert before is not after


def test_a_bet_that_the_tree_lacks_becomes_a_part_of_it() -> None:
    bot = bot_of(seed=3)
    line = "C-X|Td9d6h|X-X|2c|X-X|3s"
    for number in range(20):
        bot.begin(number)
        first = bot.act("KhJs", line)
        before = latest(bot)
        if first.action == "X":
            break
    assert first.note.startswith("river, unsafe")
    on_tree = bot.act("KhJs", f"{line}|X-B1.5")
    assert latest(bot) is before
    assert [*on_tree.mixture] == ["F", "C", "A7"]
    bot.begin(number)
    bot.act("KhJs", line)
    other = bot.act("KhJs", f"{line}|X-B1.13")
    after = latest(bot)
    assert other.note.startswith("river, resolve")
    assert [*other.mixture] == ["F", "C", "A7"]
    assert after.resolved.spot.removed_lines == ("B1.5",)  # what it did not do
    assert "X-B1.13" in after.resolved.spot.added_lines
    alternatives = before.resolved.values_after("X")
    assert np.allclose(after.resolved.alternatives, alternatives, equal_nan=True)


def test_the_same_seed_plays_the_same_hand_again() -> None:
    bots = [bot_of(TWO, seed=seed, iterations=5) for seed in (1, 2)]

    def hand(seed: int) -> tuple[str, list[BotAnswer]]:
        dealt, answers = play_hand(bots, TWO, np.random.default_rng(seed), strays=0.4)
        return str(dealt.end), answers

    hands = [hand(seed) for seed in range(12)]
    assert [hand(seed) for seed in reversed(range(12))] == hands[::-1]
    assert any(answer.decided_by is DecidedBy.SEARCH for _, said in hands for answer in said)


def test_a_hand_is_not_answered_by_the_one_before() -> None:
    def asked(bot: Bot, number: int) -> BotAnswer:
        bot.begin(number)
        return bot.act("AhKh", "C-X|TdJhQs|X-X|Jd|X-X|Ks|B1.4")

    shared = bot_of(TWO)
    answers = [asked(shared, number) for number in range(8)]
    assert answers == [asked(bot_of(TWO), number) for number in range(8)]
    assert len({answer.mapped[0].taken_for for answer in answers}) > 1
    assert all(answer.note.startswith("river, unsafe") for answer in answers)


@pytest.mark.parametrize("method", ["resolve", "max-margin", "unsafe"])
def test_whole_hands_with_bets_of_any_size_are_legal(method: str) -> None:
    decided = list[DecidedBy]()
    bots = [bot_of(TWO, method=method, seed=seed, iterations=5) for seed in (1, 2)]
    for seed in range(16):
        _, answers = play_hand(bots, TWO, np.random.default_rng(seed), strays=0.5)
        decided += [answer.decided_by for answer in answers]
    assert DecidedBy.SEARCH in decided


@pytest.mark.slow
def test_all_streets_of_a_hand_are_solved_within_the_time() -> None:
    bot = bot_of(iterations=None)
    bot.begin(1)
    notes = []
    for line in ("C-X|Td9d6h|X", "C-X|Td9d6h|X-X|2c|X", "C-X|Td9d6h|X-X|2c|X-X|3s|X"):
        answer = bot.act("4h3h", line, seconds=1.0)
        assert answer.action == "X" or answer.mixture["X"] > 0.0
        notes.append(answer.note.split(",")[0])
        key = f"{line} X"
        solve = latest(bot)
        bot._memory.rows[key] = np.nan_to_num(solve.resolved.played("X")[0])
    assert notes == ["flop", "turn", "river"]


def test_three_seats_are_searched_once_two_are_left() -> None:
    bot = bot_of(table_of(3), iterations=5)
    answer = bot.act("AhKh", "F-C-X|Td9d8h|X-X|7c|X-X|Ts")
    assert answer.decided_by is DecidedBy.SEARCH
    assert latest(bot).streets.last.seats == (0, 1)
    bot.begin()
    answer = bot.act("AhKh", "C-C-X|Td9d8h|X-X-X|7c|X-X-X|Ts")
    assert answer.decided_by is DecidedBy.BLUEPRINT


def test_the_time_decides_how_many_bets_are_considered() -> None:
    deep = Hand(stack=40, bets="100%,a", raises="a")
    bot = Bot(small_blueprint(deep), StreetSearch(threads=1))
    bot.begin(1)
    bot.act("AhKh", "C-X|Td9d6h|X-X|2c|X", seconds=1e-6)
    assert sizes_of(bot) == ["X", "B1.5"]
    bot.begin(2)
    bot.act("AhKh", "C-X|Td9d6h|X-X|2c|X-X|3s|X", seconds=1.0)
    assert sizes_of(bot) == ["X", "B1", "B1.5", "B3", "A39"]


def sizes_of(bot: Bot) -> list[str]:
    """The actions that the latest search considered."""
    spot = latest(bot).resolved.spot
    rules = spot.rules()
    return [action.code for action in rules.actions(rules.follow("X").state)]


def test_a_spot_at_a_table_is_searched() -> None:
    bot = Bot(solved(TURN.replace(rake=0)), StreetSearch(iterations=10, threads=1))
    answer = bot.act("KcKd", "X", ["X", "B30"])
    assert answer.decided_by is DecidedBy.SEARCH
    assert answer.mixture.keys() <= {"X", "B30"}


def test_methods_that_it_cannot_use_are_refused() -> None:
    for method in ("constrained", "reach", "estimate-resolve", "resolve(gifts=whole)"):
        with refuses(ConfigError, option="method"):
            StreetSearch(method)
    with refuses(ConfigError, option="iterations"):
        StreetSearch(iterations=0)
    with refuses(BetSizeSyntaxError, option="menus"):
        StreetSearch(menus=[("half", "a")])
