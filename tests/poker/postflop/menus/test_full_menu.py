"""Full menus, and spots in which a seat has some of their sizes."""

from __future__ import annotations

from typing import Any

import pytest

from equilibrist.errors import BetSizeSyntaxError, ConfigError, UnsupportedError
from equilibrist.poker.betting.bet_size_parser import parse_sizes, sizes_text
from equilibrist.poker.postflop.menus.full_menu import (
    MenuGames,
    check_searchable,
    read_steps,
    read_street,
)
from equilibrist.poker.postflop.spot.spot import Spot
from tests.refusals import refuses

RIVER = Spot(
    board="Ts3s2h5h9c", oop="AcAd,QcQd", ip="KcKd", pot=60, stack=90, bets="50%", raises="a"
)
TURN = RIVER.replace(board="Ts3s2h5h", bets="|40%|80%", stack=200)


def test_a_step_leads_to_two_pots_and_all_in() -> None:
    assert sizes_text(read_steps("50%")) == "50%, 100%, 150%, 200%, a"
    assert sizes_text(read_steps("75")) == "75%, 150%, a"
    assert len(read_steps("10%")) == 21
    assert sizes_text(read_steps("33%, 20c, e, a")) == "33%, 20.0c, e, a".replace(".0", "")


@pytest.mark.parametrize("steps", ["", "none", "0.5%", "201%", "50%, all", "all", "0%, a"])
def test_steps_that_make_no_menu_are_refused(steps: str) -> None:
    with refuses(ConfigError, option="steps", given=steps):
        read_steps(steps)
    with refuses(BetSizeSyntaxError, option="steps", given="2x"):
        read_steps("50%, 2x")


def test_sizes_that_are_the_same_bet_count_once() -> None:
    games = MenuGames.of(RIVER, 2, "50%")
    assert [sizes_text(sizes) for sizes in games.sizes] == ["50%, 100%, a"] * 2
    assert games.root_amounts(0) == [30, 60, 90]
    small = MenuGames.of(RIVER.replace(pot=6, min_bet=2), 2, "10%")
    assert sizes_text(small.sizes[0])[:13] == "10%, 50%, 60%"  # 2 chips up to 40%, as 2.4 is 2
    forced = MenuGames.of(RIVER.replace(force_all_in=0.2), 2, "50%")
    assert sizes_text(forced.sizes[1]) == "50%, a"
    later = MenuGames.of(TURN, 2, "100%, a, 300%")  # as 300% is all-in only after no bet
    assert sizes_text(later.sizes[0]) == "100%, 300%, a"
    assert later.root_amounts(0) is None


def test_a_seat_has_its_menu_and_the_other_all_sizes() -> None:
    games = MenuGames.of(RIVER, 2, "50%")
    assert {games.full.bets, games.full.oop_bets, games.full.ip_bets} == {"50%, 100%, a", None}
    spot = games.with_menus({1: parse_sizes("100%")})
    assert (spot.bets, spot.oop_bets, spot.ip_bets) == ("", "50%, 100%, a", "100%")
    assert spot.raises == RIVER.raises
    rules = spot.rules()
    assert [*map(str, rules.actions(rules.root()))] == ["Check", "Bet 30", "Bet 60", "All-in 90"]
    assert [*map(str, rules.actions(rules.follow("X").state))] == ["Check", "Bet 60"]
    saved = games.saved({1: parse_sizes("100%")})
    assert (saved.bets, saved.oop_bets, saved.ip_bets) == ("50%", None, "100%")
    both = games.saved({0: parse_sizes("100%"), 1: parse_sizes("100%")})
    assert (both.bets, both.oop_bets, both.ip_bets) == ("100%", None, None)
    assert Spot(**{key: getattr(both, key) for key in Spot.model_fields}) == both


def test_other_streets_keep_their_sizes() -> None:
    games = MenuGames.of(TURN, 1, "25%, 75%")
    assert games.full.bets == "|25%, 75%|80%"
    assert games.saved({0: parse_sizes("25%")}).oop_bets == "|25%|80%"
    river = MenuGames.of(TURN.replace(donks="||20%"), 2, "25%, 75%")
    assert river.full.bets == "|40%|25%, 75%"
    assert river.full.donks == "||20%"
    unbet = MenuGames.of(TURN.replace(bets="", ip_bets="||50%"), 1, "75%")
    assert unbet.full.oop_bets == "|75%, 150%, a|none"


def test_amounts_are_multiples_of_the_same_unit_in_all_games() -> None:
    games = MenuGames.of(RIVER, 2, "3.5c, 30c")
    assert games.full.rules().unit == 0.1
    assert games.with_menus({0: parse_sizes("30c")}).rules().unit == 0.1


def test_streets_are_those_of_the_spot() -> None:
    assert read_street(TURN, None) == 1
    assert read_street(TURN, "River") == 2
    for given in ("flop", "preflop"):
        with refuses(ConfigError, option="street", given=given, expected="turn or river"):
            read_street(TURN, given)


@pytest.mark.parametrize(
    ("changes", "fields"),
    [
        ({"rake": 0.05}, {"option": "rake", "given": 0.05}),
        ({"locks": [": Check 1"]}, {"option": "locks", "given": 1}),
        ({"merge": 0.1}, {"option": "merge", "given": 0.1}),
        ({"added_lines": ["X-B40"]}, {"option": "added_lines", "given": 1}),
        ({"removed_lines": ["B30"]}, {"option": "removed_lines", "given": 1}),
    ],
)
def test_spots_without_a_loss_of_menus_are_refused(
    changes: dict[str, Any], fields: dict[str, Any]
) -> None:
    with refuses(UnsupportedError if "rake" in changes else ConfigError, **fields):
        check_searchable(RIVER.replace(**changes))
