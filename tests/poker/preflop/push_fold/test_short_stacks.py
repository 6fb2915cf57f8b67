"""Push or fold where seats cannot post in full, against hands at a table and own enumerations."""

from __future__ import annotations

import random
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from equilibrist.play.hands.game import TableState
from equilibrist.play.hands.push_fold import PushFoldGame
from equilibrist.poker import AllInTable, PushFold, push_fold
from equilibrist.poker.betting.actions import FOLD
from equilibrist.poker.hands.betting import after, start
from equilibrist.poker.hands.pots import payoffs
from equilibrist.poker.hands.state import DECISION, FOLDED
from equilibrist.poker.preflop.allin_table import CLASS_SIZES
from equilibrist.poker.preflop.pots import weak_orders
from tests.slow_cases import examples


def harville(stacks, payouts, before):
    """Shares of the prize pool: all orders of finishing; who is broke is placed by `before`."""
    alive = [k for k, chips in enumerate(stacks) if chips > 1e-9]
    prizes = [*payouts, *[0.0] * (len(stacks) - len(payouts))]
    worth = np.zeros(len(stacks))
    for order in permutations(alive):
        chance, left = 1.0, sum(stacks[k] for k in alive)
        for k in order:
            chance *= stacks[k] / left
            left -= stacks[k]
        for place, k in enumerate(order):
            worth[k] += chance * prizes[place]
    broke = [k for k in range(len(stacks)) if k not in alive]
    for k in broke:
        above = sum(before[other] > before[k] + 1e-9 for other in broke)
        equal = sum(abs(before[other] - before[k]) < 1e-9 for other in broke)
        first = len(alive) + above
        worth[k] = sum(prizes[first : first + equal]) / equal
    return worth / sum(payouts)


def random_game(chance):
    """Two to five seats, some with less than they have to post."""
    seats = chance.randint(2, 5)
    ante = chance.choice([0, 0, 0.1, 0.3, 0.4, 0.125, 0.0625])
    of_the_table = 0 if ante else chance.choice([0, 0, 1])
    stacks = tuple(
        chance.choice([0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 0.9, 1.0, 1.2, 1.5, 2.625, 3.0, 6.0])
        for _ in range(seats)
    )
    payouts = None if chance.random() < 0.5 else (5.0, 3.0, 2.0)[: chance.randint(1, min(seats, 3))]
    return PushFold(stacks, ante=ante, big_blind_ante=of_the_table, payouts=payouts)


def compare_with_a_table(game):
    """Walk all lines of a hand at a table; returns how many ends there are."""
    table = PushFoldGame(game)
    rules = table.rules
    unit = rules.scale.per_chip
    waiting: list[tuple[Any, tuple[bool, ...]]] = [(start(rules), ())]
    ends = 0
    while waiting:
        betting, choices = waiting.pop()
        decision = game.decision_after(choices)
        if betting.kind == DECISION:
            assert decision is not None
            assert decision[0] == betting.player
            for action in table.legal(TableState((), (), betting)):
                following = after(rules, betting, action)
                waiting.append((following, (*choices, action != FOLD)))
            continue
        ends += 1
        assert decision is None
        turns = [seat for seat in game.order if game.behind[seat]]
        all_in = [seat for seat, goes in zip(turns, choices, strict=False) if goes]
        live = [seat for seat in range(game.seats) if betting.is_live(seat)]
        assert list(game.contenders(all_in)) == live
        assert (len(live) == 1) == (betting.kind == FOLDED)
        rows = game.values(all_in)
        for ranks, found in zip(weak_orders(len(live)), rows, strict=True):
            if len({*ranks.tolist()}) < len(live):
                continue  # a table gives odd chips to one of the winners
            strengths = [0] * game.seats
            for seat, rank in zip(live, ranks.tolist(), strict=True):
                strengths[seat] = game.seats - rank
            won = np.array(payoffs(rules, betting, strengths)) / unit
            if game.payouts is not None:
                stacks = np.array(game.stacks)
                before = harville(stacks, game.payouts, stacks)
                won = harville(stacks + won, game.payouts, stacks) - before
            np.testing.assert_allclose(found, won, atol=1e-9)
    return ends


def test_lines_and_payoffs_are_those_of_a_table() -> None:
    compared = decided = 0
    for number in range(examples(150)):
        game = random_game(random.Random(number))
        turn = game.next_turn(0, ())
        if turn is not None and max(game.put_in) <= game.put_in[game.order[turn]]:
            continue  # who faces no bet may check at a table
        decided += turn is not None
        compared += compare_with_a_table(game)
    assert compared > 100
    assert decided > 20


@pytest.mark.parametrize("stacks", [(0.3, 10), (0.5, 1), (10, 0.4), (0.2, 0.2)])
def test_nobody_decides_where_posting_decides(stacks: tuple[float, float]) -> None:
    found = push_fold(stacks)
    assert found.charts == ()
    assert found.values == pytest.approx((0, 0), abs=1e-12)
    prize = push_fold(stacks, payouts=(50, 30), others=(5,))
    game, table = prize.game, AllInTable.load()
    outcomes = game.values(())
    assert len(outcomes) == 3
    weights = table.pairs / table.pairs.sum()
    ties = float((weights * table.ties / table.showdowns).sum())
    expected = ties * outcomes[0] + (1 - ties) / 2 * (outcomes[1] + outcomes[2])
    assert prize.values == pytest.approx(expected.tolist(), abs=1e-12)


@pytest.mark.parametrize(("stack", "risk", "pot"), [(0.8, 0.3, 1.6), (1.0, 0.5, 2.0)])
def test_a_big_blind_that_is_all_in_is_called_by_every_hand_with_the_odds(
    stack: float, risk: float, pot: float
) -> None:
    found = push_fold([10, stack])
    (chart,) = found.charts
    table = AllInTable.load()
    equity = (table.pairs * table.equities).sum(axis=1) / table.pairs.sum(axis=1)
    gain = equity * pot - risk
    np.testing.assert_allclose(chart.action_ev[1], gain, atol=1e-12)
    np.testing.assert_array_equal(chart.strategy[1], gain > 0)
    share = CLASS_SIZES / CLASS_SIZES.sum()
    assert found.values[0] == pytest.approx(-0.5 + float(share @ np.maximum(gain, 0)), abs=1e-12)
    assert (found.gains, found.method) == ((0.0, 0.0), "best response")


def test_a_big_blind_whose_ante_is_all_it_has() -> None:
    """The ante of the table is dead money that everybody in the hand can win."""
    game = PushFold((10, 0.7, 10), big_blind_ante=1)
    assert (game.dead, game.put_in) == ((0.0, 0.7, 0.0), (0.5, 0.0, 0.0))
    assert game.contenders(()) == (0, 1)  # the small blind is not asked: nobody bet more
    values = [[0.35, -0.35, 0.0], [0.7, -0.7, 0.0], [0.0, 0.0, 0.0]]
    np.testing.assert_allclose(game.values(()), values, atol=1e-12)


def test_six_seats_of_which_some_cannot_post() -> None:
    game = PushFold((0.3, 0.8, 5, 0.05, 5, 5), ante=0.1)
    assert (*game.behind[:2], game.behind[3]) == (0.0, 0.0, 0.0)
    assert game.behind[2] == pytest.approx(4.9)
    found = push_fold(game.stacks, ante=0.1, deals=2_000)
    assert {chart.seat_name for chart in found.charts} == {"UTG", "CO", "BTN"}
    assert found.at("F-A").seat_name == "BTN"
    assert sum(found.values) == pytest.approx(0, abs=1e-9)
    nobody = push_fold([0.4, 0.9, 0.3], ante=0.3, deals=2_000)
    assert nobody.charts == ()
    assert nobody.measured_deals == 2_000
    assert sum(nobody.values) == pytest.approx(0, abs=1e-9)
