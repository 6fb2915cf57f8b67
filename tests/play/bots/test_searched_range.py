"""The ranges of bots that think: as the bot plays, or its blueprint where nothing is searched."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from equilibrist.errors import ConfigError, UnsupportedError
from equilibrist.play import Bot
from equilibrist.play.bots.answers import DecidedBy
from equilibrist.play.bots.holdem import HoldemMind, WholePlay
from equilibrist.play.bots.matches import BotMatch
from equilibrist.play.bots.requests import HandMemory, Request
from equilibrist.play.bots.searched_range import SearchedRanges
from equilibrist.play.bots.yardsticks import PROVES, SearchFigures, evaluate_search
from equilibrist.poker.betting.actions import Kind
from equilibrist.poker.blueprint.evaluation.dealt_board import DealtBoard
from equilibrist.poker.blueprint.evaluation.exploiter import exploit
from equilibrist.poker.blueprint.evaluation.local_response import local_response
from equilibrist.poker.blueprint.evaluation.played_range import BlueprintRange
from equilibrist.poker.blueprint.evaluation.shadow_play import ShadowPlay
from equilibrist.poker.cards.cards import parse_cards
from equilibrist.poker.cards.combos import NUM_COMBOS, combo_name, dealt_hands
from equilibrist.poker.decisions.searching import SearchState
from equilibrist.poker.hands.betting import called, deal, legal, start
from equilibrist.poker.hands.hand import Hand
from equilibrist.search.holdem.street_search import StreetSearch
from tests.play.bots.hands import TWO, small_blueprint, table_of
from tests.refusals import check_error, refuses

RIVER = "C-X|AdTcTd|X-X|Qs|X-X|Kh"


class Silent:
    """A search without an answer."""

    def search(self, *_arguments: Any) -> None:
        return None


class Deeper:
    """Counts its searches of a hand in itself, as one that goes on from the last would."""

    def __init__(self) -> None:
        self.depth = 0
        self.depths = set[int]()  # of all copies

    def search(self, state: SearchState, *_arguments: Any) -> None:
        self.depth += 1
        self.depths.add(self.depth)
        assert self.depth <= 1 + state.line.count("-") + 2 * state.line.count("|")
        return


@pytest.mark.parametrize("setting", ["fc:preflop", "tree:turn"])
def test_a_bot_that_finds_nothing_is_its_blueprint(setting: str) -> None:
    blueprint = small_blueprint()
    ranges = SearchedRanges(blueprint, Silent())
    plain = local_response(blueprint, [setting], hands=16, seed=1)
    thinking = local_response(blueprint, [setting], hands=16, seed=1, opponents=ranges)
    np.testing.assert_allclose(
        [value.mean for value in thinking.values], [value.mean for value in plain.values]
    )
    assert ranges.told[True] == 0 < ranges.told[False]


def test_every_line_goes_on_from_the_search_of_the_line_before() -> None:
    blueprint, search = small_blueprint(), Deeper()
    local_response(blueprint, ["fcpa"], hands=16, opponents=SearchedRanges(blueprint, search))
    assert search.depth == 0
    assert search.depths >= {1, 2, 3, 4}


@pytest.mark.parametrize("street", ["preflop", "flop"])
def test_answers_are_weighed_over_all_that_a_bet_may_be_taken_for(street: str) -> None:
    """Of a bot that finds nothing: those of its blueprint, which splits bets without a draw."""
    blueprint, rules, everyone = small_blueprint(), TWO.rules, np.ones(NUM_COMBOS, np.bool_)
    board = DealtBoard(blueprint, parse_cards("AdTcTdQsKh"), np.random.default_rng(1))
    shadow = ShadowPlay(blueprint.tree, rules)
    plain = BlueprintRange(shadow, board)
    ranges = SearchedRanges(blueprint, Silent())
    state = start(rules)
    thinking = ranges(board)(1 - state.player if street == "preflop" else state.player)
    if street == "flop":
        for played in (plain, thinking):
            assert (Kind.CALL, 0) in played.weights(state, everyone)
            played.acts((Kind.CALL, 0), everyone)
            played.faces_passive(called(rules, state))
        state = deal(rules, called(rules, called(rules, state)))
    can, equity = legal(rules, state), np.linspace(0.0, 1.0, NUM_COMBOS)
    totals = np.unique(np.linspace(can.least, can.most, 12).astype(int)).tolist()
    answers = [played.answers(state, totals, board.free(3), equity) for played in (plain, thinking)]
    np.testing.assert_allclose(answers[1], answers[0], rtol=1e-12)
    assert len(ranges._mind.readings(Request("AcKc", "", None, None, None, HandMemory(0, 1)))) == 1
    # Each decision counts once, however many bets of the strategy the last one may be taken for.
    assert 0 < sum(ranges.told) <= len(totals) + (street == "flop")


@pytest.mark.parametrize("search", [None, StreetSearch(iterations=3, threads=1)])
def test_all_hands_are_played_as_each_is(search: StreetSearch | None) -> None:
    """Decided for all at once and hand by hand: the same mixtures, by blueprint and by search."""
    blueprint = small_blueprint()
    request = Request("AcKc", RIVER, None, None, None, HandMemory(0, 1))
    whole = HoldemMind([blueprint], search).decide_for_all(request)
    assert whole.is_searched == (search is not None)
    dealt = np.flatnonzero(dealt_hands([50, 32, 33, 43, 46], TWO.rules.lowest_rank))
    for combo in dealt[::61]:
        answer = Bot(blueprint, search).act(combo_name(int(combo)), RIVER)
        codes = [action.code for action in whole.actions]
        assert codes == [*answer.mixture]
        np.testing.assert_allclose(whole.strategy[:, combo], [*answer.mixture.values()], atol=1e-9)


def test_a_search_is_measured_by_responses_and_by_the_exploiter() -> None:
    blueprint = small_blueprint()
    bot = Bot(blueprint, StreetSearch(iterations=2, threads=1, first="river"))
    exploiter = exploit(blueprint, iterations=1, boards=4, threads=1)
    figures = evaluate_search(bot, lbr=["fc:river"], hands=16, exploiter=exploiter, match_hands=4)
    assert figures.lbr is not None
    assert figures.lbr.hands == 16
    assert figures.searched is not None
    assert 0.0 < figures.searched < 1.0
    assert figures.mapped == 0
    assert figures.exploiter is not None
    assert figures.exploiter.deals == 2
    assert figures.exploiter.aivat is not None
    assert {"search_lbr", "search_exploiter"} <= PROVES.keys()
    with refuses(ConfigError, option="bot"):
        evaluate_search(Bot(blueprint))


DEEP = Hand(stack=60, bets="33%,300%", raises="33%,300%,a", deck="T")


def test_where_the_strategy_has_no_place_the_bot_plays_safely() -> None:
    """The same as hand by hand, where a call is to be weighed."""
    blueprint = small_blueprint(DEEP)
    figures = evaluate_search(Bot(blueprint, Silent()), lbr=["fcpa"], hands=16)
    assert figures.lbr is not None
    assert figures.mapped
    line = "R2-R6-R11.14-R33.42-C|AhKdQd|X-X|Qc|X-X|Jh|A26.58"
    whole = HoldemMind([blueprint], None).decide_for_all(
        Request("TcTd", line, None, None, None, HandMemory(0, 1))
    )
    assert not whole.meant
    comes = np.flatnonzero(whole.strategy.sum(axis=0))
    assert len(comes) > 10
    for combo in comes[::5]:
        answer = Bot(blueprint).act(combo_name(int(combo)), line)
        assert answer.decided_by is DecidedBy.FALLBACK
        taken = [action.code for action in whole.actions].index(answer.action)
        assert whole.strategy[taken, combo] == 1.0


def test_what_the_bot_meant_by_its_actions_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    decide, kept = HoldemMind.decide_for_all, list[tuple[set[str], set[str]]]()

    def seen(mind: HoldemMind, request: Request) -> WholePlay:
        kept.append(({*request.memory.meant}, {*request.memory.rows}))
        return decide(mind, request)

    monkeypatch.setattr(HoldemMind, "decide_for_all", seen)
    blueprint = small_blueprint()
    ranges = SearchedRanges(blueprint, Silent())
    local_response(blueprint, ["fc:river"], hands=16, opponents=ranges)
    assert any(rows for _, rows in kept)
    assert all(meant == rows for meant, rows in kept)


def test_what_was_measured_is_kept_where_the_next_part_fails(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def failing(*_arguments: Any, **_keywords: Any) -> None:
        raise ConfigError("it failed", option="deals")

    blueprint = small_blueprint()
    exploiter = exploit(blueprint, iterations=1, boards=4, threads=1)
    monkeypatch.setattr(BotMatch, "play", failing)
    bot = Bot(blueprint, Silent())
    figures = evaluate_search(bot, lbr=["fc:river"], hands=16, exploiter=exploiter)
    assert figures.lbr is not None
    check_error(figures.problem, ConfigError, option="deals")
    with refuses(ConfigError, option="deals"):
        evaluate_search(bot, exploiter=exploiter)


def test_with_three_seats_only_local_responses_are_refused() -> None:
    bot = Bot(small_blueprint(table_of(3)), Silent())
    assert evaluate_search(bot) == SearchFigures()
    with refuses(UnsupportedError, option="seats", given=3):
        evaluate_search(bot, lbr=True)
