"""Pots and minimum raises against published vectors, and properties of random play."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from equilibrist.poker.cards.cards import parse_cards
from equilibrist.poker.hands.betting import (
    acting_seats,
    called,
    deal,
    folded,
    legal,
    raised,
    start,
)
from equilibrist.poker.hands.pots import Pot, payoffs, pots, strengths
from equilibrist.poker.hands.rules import HoldemRules
from equilibrist.poker.hands.state import DEAL, DECISION, FOLDED, SHOWDOWN, HandState
from tests.poker.hands.pokerkit_hands import random_rules
from tests.slow_cases import examples

SIDE_POTS = HoldemRules((500, 1000, 2000), (100, 50, 0), bets=(100,) * 4)
"""The universal_poker game of OpenSpiel's test of side pots."""


def _limped(rules: HoldemRules) -> HandState:
    state = start(rules)
    for _ in range(rules.seats):
        state = called(rules, state)
    assert state.kind == DEAL
    return deal(rules, state)


def test_who_acted_where_a_seat_sits_out() -> None:
    """It folds where it may check, as no seat does that plays."""
    state = folded(SIDE_POTS, _limped(SIDE_POTS))
    state = called(SIDE_POTS, called(SIDE_POTS, state))
    first, second = acting_seats(SIDE_POTS, state.line)
    assert (sorted(first), len(second)) == ([0, 1, 2], 3)
    assert len({*second}) == 3


def test_side_pots_of_openspiels_vector() -> None:
    rules = SIDE_POTS
    state = called(rules, called(rules, _limped(rules)))
    assert state.player == 2
    state = raised(rules, state, 100)  # 200 in the hand
    state = raised(rules, state, 400)  # all-in to 500
    assert legal(rules, state).least == 700  # 800 in the hand
    state = raised(rules, state, 700)
    assert legal(rules, state).least == 1000  # 1,100 in the hand
    state = raised(rules, state, 1900)
    state = called(rules, state)
    assert state.kind == SHOWDOWN
    assert state.stakes == (500, 1000, 1000)  # 1,000 went back to the largest stack
    assert pots(rules, state) == (Pot(1500, (0, 1, 2)), Pot(1000, (1, 2)))
    board = parse_cards("3h3s4c4d4h")
    holes = [parse_cards(text) for text in ("2c2d", "2h2s", "3c3d")]
    assert payoffs(rules, state, strengths(holes, board)) == (-500, -1000, 1500)


def test_a_short_all_in_reopens_only_where_the_rules_say_so() -> None:
    for reopens in (False, True):
        rules = HoldemRules((1000, 250, 1000), (50, 100, 0), short_all_in_reopens=reopens)
        state = _limped(rules)
        state = raised(rules, state, 100)
        state = raised(rules, state, 150)  # all-in, half a raise
        assert legal(rules, state).most == 900  # who has not acted may raise
        state = called(rules, state)
        assert state.player == 0
        can = legal(rules, state)
        assert (can.call, can.least, can.most) == ((50, 250, 900) if reopens else (50, 0, 0))


def test_several_short_all_ins_that_make_a_full_raise_reopen() -> None:
    rules = HoldemRules((1000, 250, 310, 1000), (50, 100, 0, 0))
    state = raised(rules, _limped(rules), 100)
    state = called(rules, raised(rules, raised(rules, state, 150), 210))
    assert state.player == 0
    assert legal(rules, state).least == 310


def test_the_pot_limit_counts_the_call() -> None:
    rules = HoldemRules((10_000,) * 2, (50, 100), limit="pot-limit")
    assert legal(rules, start(rules)).most == 300
    assert legal(rules, raised(rules, start(rules), 300)).most == 900


def test_odd_chips_go_to_the_first_seat_from_the_left_of_the_button() -> None:
    rules = HoldemRules((100, 100, 100), (1, 2, 0), antes=(1, 1, 1))
    state = raised(rules, called(rules, _limped(rules)), 3)
    state = called(rules, folded(rules, state))
    assert (state.stakes, state.pot) == ((6, 6, 3), 15)
    assert payoffs(rules, state, (5, 5, 5)) == (2, 1, -3)
    for antes, won in (((0, 1), (0, 0)), ((1, 0), (-1, 1))):
        heads_up = HoldemRules((100, 100), (1, 2), antes)
        limped = called(heads_up, called(heads_up, start(heads_up)))
        assert payoffs(heads_up, limped, (7, 7)) == won


def test_hands_of_few_cards() -> None:
    def strength(text: str) -> int:
        return strengths([parse_cards(text)], ())[0]

    ladder = ["Kc", "Ac"], ["KcQd", "AcKd", "2c2d", "AcAd"], ["AcKdQh", "2c2d3h", "2c2d2h"]
    for row in ladder:
        values = [strength(text) for text in row]
        assert values == sorted(set(values))
    four = ["AcKdQhJs", "2c2d5h4s", "2c2d3h3s", "2c2d2h3s", "2c2d2h2s"]
    assert [strength(text) for text in four] == sorted({strength(text) for text in four})


@given(st.integers(0, 1 << 32))
@settings(max_examples=examples(300))
def test_chips_are_conserved(seed: int) -> None:
    chance = random.Random(seed)
    rules = random_rules(chance)
    state = start(rules)
    while state.kind in {DECISION, DEAL}:
        assert all(
            0 <= stake <= stack for stake, stack in zip(state.stakes, rules.stacks, strict=True)
        )
        if state.kind == DEAL:
            assert {state.bets[seat] for seat in range(rules.seats) if state.is_live(seat)}
            state = deal(rules, state)
            continue
        can = legal(rules, state)
        assert can.call <= rules.stacks[state.player] - state.stakes[state.player]
        assert 0 == can.least == can.most or max(state.bets) < can.least <= can.most
        choice = chance.random()
        if can.fold and choice < 0.2:
            state = folded(rules, state)
        elif can.most and choice > 0.5:
            state = raised(rules, state, chance.randint(can.least, can.most))
        else:
            state = called(rules, state)
    hands = [chance.randint(1, 4) for _ in range(rules.seats)]
    won = payoffs(rules, state, None if state.kind == FOLDED else hands)
    assert sum(won) == 0
    assert sum(pot.amount for pot in pots(rules, state)) == state.pot
    for seat in range(rules.seats):
        assert won[seat] >= -state.stakes[seat] >= -rules.stacks[seat]
        if not state.is_live(seat):
            assert won[seat] == -state.stakes[seat]


def test_a_short_all_in_over_the_big_blind() -> None:
    """50/100: limp, all-in 171; rule 47 of the tournament directors denies the limper a raise."""
    for reopens in (True, False):
        rules = HoldemRules(
            (1000, 1000, 1000, 171), (50, 100, 0, 0), first_short_all_in_reopens=reopens
        )
        state = raised(rules, called(rules, start(rules)), 171)
        for seat in (0, 1):  # they have not acted, and may raise by a full big blind
            assert state.player == seat
            assert legal(rules, state).least == 271
            state = called(rules, state)
        assert state.player == 2
        can = legal(rules, state)
        assert (can.call, can.least, can.most) == ((71, 271, 1000) if reopens else (71, 0, 0))


def test_after_rule_47_short_all_ins_that_make_a_full_bet_reopen() -> None:
    rules = HoldemRules((1000, 160, 210, 1000), (50, 100, 0, 0), first_short_all_in_reopens=False)
    state = _limped(rules)
    state = raised(rules, called(rules, state), 60)  # the big blind bets 60 all-in
    state = raised(rules, state, 110)  # the next 110 all-in
    state = called(rules, state)
    assert state.player == 0  # it has checked, and faces more than a bet of 100
    assert legal(rules, state).least == 210
    state = raised(rules, called(rules, _limped(rules)), 60)
    assert legal(rules, state).least == 110  # all-in, of a seat that has not acted
    state = called(rules, called(rules, state))
    assert (state.player, legal(rules, state).most) == (0, 0)


def test_posting_what_is_left() -> None:
    """Antes first, then blinds; what there is to call is the largest bet that was posted."""
    rules = HoldemRules((500, 30, 500), (50, 100, 0))
    state = start(rules)
    assert (state.stakes, state.player) == ((50, 30, 0), 2)
    assert legal(rules, state) == (True, 50, 150, 500)
    state = folded(rules, state)
    assert state.kind == SHOWDOWN  # the small blind has more in than the big blind could match
    assert state.stakes == (30, 30, 0)
    short = HoldemRules((20, 60, 500, 500), (50, 100, 0, 0), (25, 25, 25, 25))
    state = start(short)
    assert (state.stakes, state.bets) == ((20, 60, 25, 25), (0, 35, 0, 0))
    state = called(short, called(short, state))
    assert state.kind == DEAL
    assert pots(short, state) == (Pot(80, (0, 1, 2, 3)), Pot(120, (1, 2, 3)))
    for_the_table = HoldemRules((500, 60, 500), (50, 100, 0), (0, 100, 0))
    state = called(for_the_table, start(for_the_table))
    assert (state.stakes, state.bets) == ((50, 60, 50), (50, 0, 50))
    while state.kind in {DECISION, DEAL}:
        move = called if state.kind == DECISION else deal
        state = move(for_the_table, state)
    assert pots(for_the_table, state) == (Pot(60, (0, 1, 2)), Pot(100, (0, 2)))


def test_an_ante_that_nobody_could_match_goes_back() -> None:
    rules = HoldemRules((900, 20, 30), (50, 100, 0), (40, 40, 40))
    state = start(rules)
    assert (state.kind, state.stakes) == (SHOWDOWN, (30, 20, 30))
    assert payoffs(rules, state, (1, 3, 2)) == (-30, 40, -10)
