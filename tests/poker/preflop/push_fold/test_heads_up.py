"""Push or fold of two: published values, an independent best response, ICM, bad input."""

from fractions import Fraction

import numpy as np
import pytest

from equilibrist.errors import ConfigError
from equilibrist.poker import AllInTable, PushFold, push_fold
from equilibrist.poker.cards.combos import CLASS_OF_COMBO, COMBO_MASKS
from equilibrist.poker.preflop.push_fold.heads_up import _by_cfr, equilibrium, heads_up, measured

PUBLISHED = {
    2: (9.5495, 1186, 1326, {}, {}),
    5: (56.2007, 947.876, 823.020, {"96o": 0.1563}, {"97o": 0.7517}),
    10: (-45.3708, 772.843, 495.611, {"43s": 0.7107}, {"Q6s": 0.4028}),
    12: (-82.5289, 706, 438, {}, {}),
    20: (-183.1897, 533.543, 288.074, {"Q5s": 0.8857}, {"QJo": 0.0062}),
    100: (
        -434.5004,
        132.517,
        53.435,
        {"77": 0.0815, "KQo": 0.0024},
        {"99": 0.2771, "AQo": 0.1477},
    ),
    850: (-493.2164, 6, 6, {}, {}),
    5000: (-493.2164, 6, 6, {}, {}),
}
"""Exact solutions of sebster/poker: value in mbb, combos pushed and called, mixed hands."""


@pytest.mark.parametrize("stack", PUBLISHED)
def test_published_charts(stack):
    value, pushed, called, push_mixes, call_mixes = PUBLISHED[stack]
    found = push_fold(stack)
    push, call = found.charts
    assert 1000 * found.values[0] == pytest.approx(value, abs=1e-3)
    assert found.values[1] == pytest.approx(-found.values[0], abs=1e-12)
    assert push.count(1) == pytest.approx(pushed, abs=0.02)
    assert call.count(1) == pytest.approx(called, abs=0.02)
    assert push.mixed(1) == pytest.approx(push_mixes, abs=1e-4)
    assert call.mixed(1) == pytest.approx(call_mixes, abs=1e-4)
    assert min(found.gains) >= 0.0
    assert found.nash_conv < 1e-12
    assert found.method == "linear programme"
    assert (found.interval, found.standard_errors, found.deals) == (None, None, 0)


def test_exact_values():
    ten = Fraction(-193795725978624491, 4271380016945441400)
    assert push_fold(10).values[0] == pytest.approx(float(ten), abs=1e-14)
    assert push_fold(1000).values[0] == pytest.approx(-133526 / 270725, abs=1e-14)


def test_the_value_peaks_near_four_big_blinds():
    values = {stack / 10: push_fold(stack / 10).values[0] for stack in range(32, 49, 2)}
    assert max(values, key=values.__getitem__) == pytest.approx(4, abs=0.21)


def test_chips_are_scaled():
    found = push_fold(1000, blinds=(50, 100))
    assert found.values[0] == pytest.approx(push_fold(10).values[0], abs=1e-12)
    np.testing.assert_allclose(
        found.charts[0].strategy[1], push_fold(10).charts[0].strategy[1], atol=1e-9
    )


def test_an_ante_of_the_big_blind_is_as_half_of_it_from_each_seat():
    """That half is taken from one stack to the other, and is what values differ by."""
    dead, each = push_fold([10, 12], big_blind_ante=1), push_fold([10.5, 11.5], ante=0.5)
    for one, other in zip(dead.charts, each.charts, strict=True):
        np.testing.assert_allclose(one.strategy[1], other.strategy[1], atol=1e-9)
    assert dead.values[0] - 0.5 == pytest.approx(each.values[0], abs=1e-12)


def best_responses(game, push, call):
    """Values and best-response values of both, from the 1,326 x 1,326 hands and settled stacks."""
    table = AllInTable.load()
    meet = (COMBO_MASKS[:, None] & COMBO_MASKS) == 0
    weights = meet / meet.sum()
    share = table.equities[np.ix_(CLASS_OF_COMBO, CLASS_OF_COMBO)]
    x, y = push[CLASS_OF_COMBO], call[CLASS_OF_COMBO]
    big = game.blinds[1]
    small_posts, big_posts = (game.dead[k] + game.put_in[k] for k in (0, 1))
    at_risk = [game.stacks[k] - game.dead[k] for k in (0, 1)]
    matched = min(at_risk)
    pot = 2 * matched + sum(game.dead)
    showdown = (share * pot - matched - game.dead[0]) / big
    pushed = weights * (showdown * y + (1 - y) * big_posts / big)
    by_push = pushed.sum(axis=1)
    by_fold = -weights.sum(axis=1) * small_posts / big
    value = x @ by_push + (1 - x) @ by_fold
    best_push = np.maximum(by_push, by_fold).sum()
    facing = x @ weights
    by_call = x @ (weights * -showdown)
    is_asked = matched > game.put_in[1]
    by_not_calling = -facing * big_posts / big if is_asked else by_call
    best_call = np.maximum(by_call, by_not_calling).sum()
    best_call += (1 - x) @ weights.sum(axis=1) * small_posts / big
    return value, best_push, best_call


@pytest.mark.parametrize(
    "game",
    [
        PushFold((7, 7)),
        PushFold((7, 7), ante=0.2),
        PushFold((900, 1500), (40, 120), ante=15),
        PushFold((25, 6), big_blind_ante=1.0),
        PushFold((0.8, 9), (0.3, 1)),
        PushFold((10, 1)),
        PushFold((10, 0.7), ante=0.1),
        PushFold((10, 1.4), big_blind_ante=0.5),
        PushFold((0.7, 9), ante=0.1),
    ],
    ids=lambda game: f"{game.stacks}-{game.ante:g}-{game.big_blind_ante:g}",
)
def test_no_hand_gains_by_deviating(game):
    found = equilibrium(heads_up(game, AllInTable.load()))
    value, best_push, best_call = best_responses(game, found.push, found.call)
    assert value == pytest.approx(found.values[0], abs=1e-10)
    assert best_push == pytest.approx(value, abs=1e-9)
    assert best_call == pytest.approx(-value, abs=1e-9)


def test_measured_gains_of_poor_strategies():
    """Best responses against uniform play, by the enumeration of hands."""
    game = PushFold((9, 9), ante=0.1)
    half = np.full(169, 0.5)
    found = measured(heads_up(game, AllInTable.load()), half, half, 0)
    value, best_push, best_call = best_responses(game, half, half)
    assert found.values == pytest.approx((value, -value), abs=1e-10)
    assert found.gains == pytest.approx((best_push - value, best_call + value), abs=1e-10)


def test_gains_have_the_sign_of_the_play():
    push, call = push_fold(10).charts
    for chart in (push, call):
        assert (chart.action_ev[1][chart.strategy[1] == 1] > -1e-9).all()
        assert (chart.action_ev[1][chart.strategy[1] == 0] < 1e-9).all()
        mixed = (chart.strategy[1] > 0) & (chart.strategy[1] < 1)
        np.testing.assert_allclose(chart.action_ev[1][mixed], 0, atol=1e-9)
    assert call.reached == pytest.approx(push.count(1) / 1326)


def test_winner_takes_all_is_chips():
    """With one prize a chip is worth its share of all chips."""
    chips, prize = push_fold([8, 12]), push_fold([8, 12], payouts=[1])
    assert prize.method == "linear programme"
    assert prize.values[0] == pytest.approx(chips.values[0] / 20, abs=1e-12)
    np.testing.assert_allclose(prize.charts[0].strategy[1], chips.charts[0].strategy[1], atol=1e-6)


def test_two_prizes_of_two_players_are_chips_too():
    chips, prize = push_fold(10), push_fold(10, payouts=[65, 35])
    assert prize.values[0] == pytest.approx(chips.values[0] / 20 * 0.3, abs=1e-12)


def test_a_bubble_is_tighter_than_chips():
    """Two play a hand while a third, short, waits for the money."""
    chips = push_fold([10, 10])
    bubble = push_fold([10, 10], payouts=[50, 50], others=[2])
    assert bubble.method == "CFR"
    assert bubble.nash_conv < 1e-6
    assert bubble.charts[1].count(1) < 0.5 * chips.charts[1].count(1)
    assert bubble.charts[0].count(1) > chips.charts[0].count(1)
    assert sum(bubble.values) < 0


def test_cfr_agrees_with_the_linear_programme():
    game = heads_up(PushFold((10, 10)), AllInTable.load())
    exact, iterated = equilibrium(game), _by_cfr(game)
    assert sum(iterated.gains) < 1e-6
    assert iterated.values[0] == pytest.approx(exact.values[0], abs=1e-6)


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        ({"stack": 0}, "stack"),
        ({"stack": [10, 0], "ante": 0.1}, "stacks"),
        ({"stack": -3}, "stack"),
        ({"stack": float("nan")}, "stack"),
        ({"stack": [10]}, "stacks"),
        ({"stack": "10"}, "stacks"),
        ({"stack": 10, "seats": 1}, "seats"),
        ({"stack": [10, 10], "seats": 3}, "seats"),
        ({"stack": 10, "blinds": (1, 0.5)}, "blinds"),
        ({"stack": 10, "blinds": (1,)}, "blinds"),
        ({"stack": 10, "ante": -1}, "ante"),
        ({"stack": 10, "payouts": [20, 50]}, "payouts"),
        ({"stack": 10, "payouts": []}, "payouts"),
        ({"stack": 10, "payouts": [0, 0]}, "payouts"),
        ({"stack": 10, "payouts": [3, 2, 1]}, "payouts"),
        ({"stack": 10, "others": [5]}, "others"),
        ({"stack": 10, "payouts": [5, 4, 3, 2, 1] * 1, "others": [1] * 60}, "payouts"),
        ({"stack": 10, "threads": 0}, "threads"),
        ({"stack": 10, "deals": 5_000}, "deals"),
        ({"stack": 10, "seconds": 5}, "seconds"),
        ({"stack": [10, 12], "seed": 0}, "seed"),
        ({"stack": 10, "checkpoint": "run.ckpt"}, "checkpoint"),
    ],
)
def test_bad_input(arguments, option):
    with pytest.raises(ConfigError) as caught:
        push_fold(**arguments)
    assert caught.value.option == option


def test_a_short_stack_posts_what_it_has():
    game = PushFold((10, 0.9, 10), ante=0.1)
    assert game.put_in == pytest.approx((0.5, 0.8, 0))
    assert (game.dead, game.behind[1]) == ((0.1, 0.1, 0.1), 0.0)
    short = PushFold((10, 0.9, 0.05), ante=0.1)  # nobody wins more from a seat than it put in
    assert short.put_in == pytest.approx((0.6, 0.9, 0.05))
    assert short.dead == (0, 0, 0)
