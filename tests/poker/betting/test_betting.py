"""The betting of a hand: spots worked out by hand, limits, edited lines, and random play."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from equilibrist.errors import ConfigError, LineSyntaxError
from equilibrist.poker.betting.actions import Action, Kind, line_text
from equilibrist.poker.betting.bet_size_parser import parse_sizes
from equilibrist.poker.betting.bet_sizes import Thresholds
from equilibrist.poker.betting.rules import BettingRules
from equilibrist.poker.betting.state import BettingState, Menu, Phase, street_menus
from equilibrist.poker.cards.cards import parse_cards
from tests.refusals import refuses
from tests.slow_cases import examples

TURN = BettingRules(
    pot=200,
    stack=900,
    menus=(street_menus("60%, e, a", "2.5x", "||50%"), street_menus("60%, e, a", "2.5x")),
    first_street=1,
    thresholds=Thresholds(add_all_in=1.5, force_all_in=0.15, merge=0.1),
)
"""The turn spot of the speed measurements, with donk bets on the river."""
FLOP = BettingRules(180, 910, (street_menus("52%|55%|70%", "45%"),) * 2)
"""The headline spot."""
LIMIT = BettingRules(60, 10_000, (street_menus("20c|40c|40c", "20c3r|40c3r|40c3r"),) * 2)


def options(rules: BettingRules, line: str) -> list[str]:
    return list(map(str, rules.actions(rules.follow(line)[0])))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", "Check, Bet 120, Bet 216, All-in 900"),
        ("X", "Check, Bet 120, Bet 216, All-in 900"),
        ("B120", "Fold, Call, Raise 300"),
        ("X-B120", "Fold, Call, Raise 300"),
        ("B120-R300", "Fold, Call, All-in 900"),  # 750 called would leave 150 behind 1,700
        ("B216", "Fold, Call, Raise 540, All-in 900"),  # 684 more into 632: 1.08 pots
        ("A900", "Fold, Call"),
        ("X-X|2c", "Check, Bet 120, All-in 900"),  # on the river e is all-in
        ("X-B120-C|2c", "Check, Bet 220"),  # the donk bet: half of 440
        ("X-B120-C|2c|X", "Check, Bet 264, All-in 780"),
        ("B120-C|2c", "Check, Bet 264, All-in 780"),  # who bet last is no donk
        (
            "B120-R300-C|2c",
            "Check, All-in 600",
        ),  # donks half of 800 after a call, which leaves 200 of 1,600
    ],
)
def test_the_turn_spot_by_hand(line: str, expected: str) -> None:
    assert ", ".join(options(TURN, line)) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", "Check, Bet 94"),
        ("B94", "Fold, Call, Raise 260"),
        ("B94-R260", "Fold, Call, Raise 575"),  # 260 + 0.45 * 700
        ("B94-R260-R575", "Fold, Call, All-in 910"),  # 575 + 0.45 * 1330 is above 910
        ("X-B94-C|8h", "Check, Bet 202"),  # 0.55 * 368 = 202.4
        ("X-B94-C|8h|X-X|2c", "Check, Bet 258"),  # 0.70 * 368 = 257.6
    ],
)
def test_the_headline_spot_by_hand(line: str, expected: str) -> None:
    assert ", ".join(options(FLOP, line)) == expected


def test_limit_holdem_is_capped() -> None:
    assert options(LIMIT, "") == ["Check", "Bet 20"]
    assert options(LIMIT, "B20-R40-R60") == ["Fold", "Call", "Raise 80"]
    assert options(LIMIT, "B20-R40-R60-R80") == ["Fold", "Call"]
    assert options(LIMIT, "B20-R40-R60-R80-C|2c|X") == ["Check", "Bet 40"]


def test_a_cap_on_raises_holds_for_all_sizes() -> None:
    rules = replace(FLOP, raise_cap=1)
    assert options(rules, "B94") == ["Fold", "Call", "Raise 260"]
    assert options(rules, "B94-R260") == ["Fold", "Call"]
    assert options(replace(FLOP, raise_cap=0), "B94") == ["Fold", "Call"]


def test_no_sizes_no_bets() -> None:
    rules = BettingRules(60, 100, (street_menus(), street_menus()))
    assert options(rules, "X-X|2c|X-X|3c") == ["Check"]
    state, _ = rules.follow("X-X|2c|X-X|3c|X-X")
    assert (state.phase, state.final_pot) == (Phase.SHOWDOWN, 60)


def test_minimum_bets_and_raises() -> None:
    rules = BettingRules(100, 1000, (street_menus("1%", "1.1x, 2x, 5%"),) * 2, min_bet=10)
    assert options(rules, "") == ["Check", "Bet 10"]
    assert options(rules, "B10") == ["Fold", "Call", "Raise 20"]
    rules = replace(rules, menus=(street_menus("50%", "3x, 150c"),) * 2)
    # after 50 and a raise of 100 to 150, the next is to 250 at least
    assert options(rules, "B50") == ["Fold", "Call", "Raise 150", "Raise 200"]
    assert options(replace(rules, menus=(street_menus("50%", "1.2x, 3x"),) * 2), "B50-R150") == [
        "Fold",
        "Call",
        "Raise 250",
        "Raise 450",
    ]


def test_all_in_below_the_minimum_raise_is_legal() -> None:
    rules = BettingRules(100, 80, (street_menus("50%", "2x"),) * 2)
    assert options(rules, "B50") == ["Fold", "Call", "All-in 80"]  # not to 100, but 30 more
    state = rules.follow("B50-A")[0]
    assert list(map(str, rules.actions(state))) == ["Fold", "Call"]
    assert rules.next(state, Action(Kind.CALL)).final_pot == 260


def test_all_in_before_the_river_ends_the_play() -> None:
    state, cards = FLOP.follow("B94-R260-R575-A910-C")
    assert (state.phase, state.final_pot, cards) == (Phase.SHOWDOWN, 2000, ())
    state, cards = FLOP.follow("B94-R260-R575-A-C|8h|2c")
    assert (state.phase, cards) == (Phase.SHOWDOWN, parse_cards("8h2c"))
    with refuses(LineSyntaxError, position=24, option="line", given="3c"):
        FLOP.follow("B94-R260-R575-A-C|8h|2c|3c")
    with refuses(ConfigError, option="street"):
        FLOP.deal(state)


def test_what_is_not_called_is_not_in_the_pot() -> None:
    state = FLOP.follow("B94-R260-F")[0]
    assert (state.phase, state.player, state.final_pot) == (Phase.FOLD, 0, 368)


def test_rake_is_capped() -> None:
    rules = replace(FLOP, rake_rate=0.05, rake_cap=10)
    assert (rules.rake(60), rules.rake(1000)) == (3.0, 10.0)
    assert replace(rules, rake_cap=None).rake(1000) == 50.0
    assert FLOP.rake(1000) == 0.0


def test_amounts_mean_what_they_are_here() -> None:
    assert TURN.follow("b120-b300-b900")[0] == TURN.follow("B120-R300-A")[0]
    assert TURN.follow("B120-R300-A900")[0].line[-1][-1] == Action(Kind.ALL_IN, 900)


@pytest.mark.parametrize(
    ("line", "position", "fields"),
    [
        ("B95", 0, dict(option="line", given="B95")),
        ("X-B94-C|8h|X-B1", 13, dict(option="line", given="B1")),
        ("F", 0, dict(option="line", given="F")),
        ("C", 0, dict(option="line", given="C")),
        ("A", 0, dict(option="line", given="A")),
        ("B94-X", 4, dict(option="line", given="X")),
        ("X-X-X", 4, dict(option="line", given="X")),
        ("B94-F-X", 6, dict(option="line", given="X")),
        ("X|2c", 2, dict(option="line", given="2c")),
        ("B94-F|8h", 6, dict(option="line", given="8h")),
        ("X-X|8h2c", 4, dict(option="line", given="8h2c")),
        ("X-X|8h|X-X|8h", 11, dict(option="line", given="8h")),
        ("X-X||X", 5, dict(option="line", given="")),
    ],
)
def test_lines_that_the_rules_do_not_offer(
    line: str, position: int, fields: dict[str, Any]
) -> None:
    with refuses(LineSyntaxError, **fields) as caught:
        FLOP.follow(line)
    assert caught.value.position == position


def test_lines_can_be_added() -> None:
    rules = replace(FLOP, added=("B50", "B94-R300-R600"))
    assert options(rules, "") == ["Check", "Bet 50", "Bet 94"]
    assert options(rules, "B50") == ["Fold", "Call", "Raise 176"]  # 50 + 0.45 * 280
    assert options(rules, "B94") == ["Fold", "Call", "Raise 260", "Raise 300"]
    assert options(rules, "B94-R300")[2:] == ["Raise 600", "Raise 651"]
    rules = replace(FLOP, added=("X-B94-C|A",))
    assert options(rules, "X-B94-C|8h") == ["Check", "Bet 202", "All-in 816"]
    assert options(rules, "B94-C|8h") == ["Check", "Bet 202"]


def test_lines_can_be_removed() -> None:
    rules = replace(FLOP, removed=("B94", "X-B94-F", "X-X|B99"))
    assert options(rules, "") == ["Check"]
    assert options(rules, "X-B94") == ["Call", "Raise 260"]
    assert options(rules, "X-X|2c") == ["Check"]
    with refuses(LineSyntaxError, position=0, option="line", given="B94"):
        rules.follow("B94")
    rules = replace(FLOP, added=("B50",), removed=("B94",))
    assert options(rules, "") == ["Check", "Bet 50"]


@pytest.mark.parametrize(
    ("added", "removed", "fields"),
    [
        ("B911", "", dict(position=0, option="line", given="B911")),
        ("A900", "", dict(position=0, option="line", given="A900")),
        ("B94-R100", "", dict(position=4, option="line", given="R100")),
        ("C", "", dict(position=0, option="line", given="C")),
        ("B94-X", "", dict(position=4, option="line", given="X")),
        ("A-R950", "", dict(position=2, option="line", given="R950")),
        ("X-X-X", "", dict(position=4, option="line", given="X")),
        ("X-X|8h|B10", "", dict(position=4, option="line", given="8h")),
        ("X-X|", "", dict(position=4, option="line", given="")),
        ("", "", dict(position=0, option="line", given="")),
        ("X|B5", "", dict(position=2, option="line", given="")),
        ("", "B95", dict(position=0, option="line", given="B95")),
        ("", "X-B94-C|B202-R9", dict(position=13, option="line", given="R9")),
        ("", "hello", dict(position=0, option="line", given="hello")),
    ],
)
def test_edits_that_make_no_sense_are_refused(
    added: str, removed: str, fields: dict[str, Any]
) -> None:
    with refuses(LineSyntaxError, **fields):
        replace(
            FLOP,
            added=(added,) if added or not removed else (),
            removed=(removed,) if removed else (),
        )


def test_some_action_must_be_left() -> None:
    with refuses(LineSyntaxError, position=0, option="line", given="B94"):
        replace(FLOP, removed=("X", "B94"))


@pytest.mark.parametrize(
    ("change", "fields"),
    [
        ({"pot": 0}, dict(option="pot", given=0)),
        ({"stack": 0}, dict(option="stack", given=0)),
        ({"stack": 9.5}, dict(option="stack", given=9.5)),
        ({"min_bet": 0}, dict(option="min_bet", given=0)),
        ({"raise_cap": -1}, dict(option="raise_cap", given=-1)),
        ({"rake_rate": 1.5}, dict(option="rake_rate", given=1.5)),
        ({"rake_cap": -1.0}, dict(option="rake_cap", given=-1.0)),
        ({"thresholds": Thresholds(merge=float("nan"))}, dict(option="merge", given=float("nan"))),
        ({"first_street": 3}, dict(option="first_street", given=3)),
        ({"menus": (FLOP.menus[0], TURN.menus[0])}, dict(option="donks")),
        (
            {"menus": ((Menu(bets=parse_sizes("2x", raises=True)),) * 3, FLOP.menus[1])},
            dict(option="bets"),
        ),
    ],
)
def test_rules_are_checked(change: dict[str, Any], fields: dict[str, Any]) -> None:
    with refuses(ConfigError, **fields):
        replace(FLOP, **change)


def test_what_poker_does_not_allow_is_refused_by_next() -> None:
    root = FLOP.root()
    assert FLOP.next(root, Action(Kind.BET, 17)).to_call == 17  # off the menu, but legal
    for action in (Action(Kind.FOLD), Action(Kind.BET, 910), Action(Kind.RAISE, 20)):
        with refuses(ConfigError, option="action", given=str(action), place="the root"):
            FLOP.next(root, action)


def states(rules: BettingRules, state: BettingState) -> Iterator[BettingState]:
    yield state
    if state.phase is Phase.DEAL:
        yield from states(rules, rules.deal(state))
    for action in rules.actions(state):
        yield from states(rules, rules.next(state, action))


def test_the_turn_tree_is_counted() -> None:
    """The betting tree of the turn spot: every line ends, and no two states are the same."""
    found = list(states(TURN, TURN.root()))
    assert len(found) == len(set(found)) == len({str(state) for state in found})
    assert {state.phase for state in found} == set(Phase)
    assert all(TURN.actions(s) for s in found if s.phase is Phase.DECISION)


RULES = st.builds(
    BettingRules,
    pot=st.integers(1, 300),
    stack=st.integers(1, 500),
    menus=st.tuples(
        st.sampled_from(
            [street_menus("50%, e", "2.5x, a", "||33%"), street_menus("7c", "9c2r", "none")]
        ),
        st.sampled_from([street_menus("50%, a", "60%"), street_menus("33%|e|", "2e")]),
    ),
    first_street=st.sampled_from([0, 1, 2]),
    thresholds=st.builds(Thresholds, *[st.sampled_from([0.0, 0.15, 1.5])] * 3),
    min_bet=st.integers(1, 20),
    raise_cap=st.none() | st.integers(0, 3),
)


@given(RULES, st.data())
@settings(max_examples=examples(150))
def test_random_play_keeps_the_rules(rules: BettingRules, data: st.DataObject) -> None:
    state = rules.root()
    while state.phase in {Phase.DECISION, Phase.DEAL}:
        if state.phase is Phase.DEAL:
            state = rules.deal(state)
            assert state.bets == (0, 0)
            continue
        actions = rules.actions(state)
        assert actions
        assert len(set(actions)) == len(actions)
        assert rules.follow(line_text(state.line))[0] == state
        action = data.draw(st.sampled_from(actions))
        after = rules.next(state, action)
        spent = (after.pot - rules.pot) // 2 + max(after.bets)
        assert spent <= rules.stack
        if action.amount:
            least = max(state.bets) + max(state.last_raise_size, rules.min_bet)
            assert action.amount >= least or action.kind is Kind.ALL_IN
            assert (action.kind is Kind.ALL_IN) == (spent == rules.stack)
        state = after
    committed = (state.final_pot - rules.pot) // 2
    assert 0 <= committed <= rules.stack
    assert state.final_pot == rules.pot + 2 * committed
    if state.phase is Phase.SHOWDOWN:
        assert state.street == 2 or committed == rules.stack
    assert rules.actions(state) == ()
