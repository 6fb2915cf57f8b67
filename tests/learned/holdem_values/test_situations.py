"""Random ranges, what hands are worth, and the grid on which networks read them."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.nets.examination import flops_to_examine
from equilibrist.errors import ConfigError
from equilibrist.learned.holdem_values.features import (
    hand_values,
    knot_targets,
    network_inputs,
    num_inputs,
    num_outputs,
)
from equilibrist.learned.holdem_values.hand_grid import BoardHands
from equilibrist.learned.holdem_values.labels import label
from equilibrist.learned.holdem_values.situations import (
    RANDOM,
    Situation,
    held_out_flops,
    is_held_out,
    random_range,
    random_situation,
    solved_situations,
    use_of,
)
from equilibrist.learned.network import zero_sum
from equilibrist.poker.cards.cards import parse_board
from equilibrist.poker.cards.combos import COMBO_MASKS, parse_combo
from equilibrist.poker.cards.evaluator import combo_strengths
from equilibrist.poker.cards.isomorphism import CARD_IMAGES, COMBO_IMAGES
from tests.refusals import refuses

RIVER = tuple(sorted(parse_board("QsJh7h3c2d")))
TURN = tuple(sorted(parse_board("QsJh7h3c")))


def ranges_on(board, count=1, seed=0):
    random = np.random.default_rng(seed)
    weights = random.random((count, 2, len(board.hands))) ** 8
    return (weights / weights.sum(axis=2, keepdims=True)).astype(np.float32)


def hands(**weights):
    row = np.zeros(1326)
    for hand, weight in weights.items():
        row[parse_combo(hand)] = weight
    return row / row.sum()


def test_random_ranges_halve_the_mass_by_strength():
    random = np.random.default_rng(1)
    strength = np.array([3.0, 1.0, 2.0, 5.0, 4.0])
    drawn = np.stack([random_range(strength, random) for _ in range(2_000)])
    assert np.abs(drawn.sum(axis=1) - 1.0).max() < 1e-12
    # 1 and 2 are the weaker half of five, 4 and 5 halves of the stronger three's stronger two.
    means = [0.25, 0.25, 0.25, 0.125, 0.125]
    assert np.allclose(drawn.mean(axis=0), means, atol=0.025)
    weaker = drawn[:, 1] + drawn[:, 2]
    assert np.allclose(np.quantile(weaker, [0.25, 0.5, 0.75]), [0.25, 0.5, 0.75], atol=0.04)


def test_equal_hands_come_in_any_order():
    random = np.random.default_rng(2)
    drawn = np.stack([random_range(np.zeros(3), random) for _ in range(2_000)])
    assert np.allclose(drawn.mean(axis=0), 1 / 3, atol=0.03)


@pytest.mark.parametrize("cards", [RIVER, TURN])
def test_hands_that_check_win_what_they_win_card_by_card(cards):
    board = BoardHands(cards)
    rivers = [()] if len(cards) == 5 else [(c,) for c in range(52) if c not in cards]
    chosen = np.random.default_rng(3).choice(len(board.hands), 12, replace=False)
    for own in chosen:
        for other in chosen:
            mask = COMBO_MASKS[board.hands[own]] & COMBO_MASKS[board.hands[other]]
            shares = []
            for dealt in rivers if mask == 0 else ():
                strengths = combo_strengths((*cards, *dealt)).astype(int)[board.hands[[own, other]]]
                if strengths.all():
                    shares.append(0.5 * np.sign(strengths[0] - strengths[1]))
            expected = np.mean(shares) if shares else 0.0
            assert np.isclose(board.check_down[own, other], expected, atol=1e-6)
    ranges = ranges_on(board)[0, 0]
    meets = (COMBO_MASKS[board.hands][:, None] & COMBO_MASKS[board.hands]) == 0
    assert np.allclose(board.unblocked(ranges), meets @ ranges, atol=1e-6)


@pytest.mark.parametrize("cards", [RIVER, TURN])
def test_values_of_any_outputs_are_opposite_and_the_fit_takes_the_same_means(cards):
    board = BoardHands(cards)
    ranges = ranges_on(board, 3)
    drawn = np.random.default_rng(4).normal(size=(3, num_outputs(board.street)))
    outputs = drawn.astype(np.float32)
    values = hand_values(board, ranges, outputs)
    means = (values.astype(np.float64) * ranges).sum(axis=2)
    assert np.abs(means.sum(axis=1)).max() < 1e-6
    # The first inputs are the weights of the zero-sum layer: the fit takes off the same surplus.
    inputs = network_inputs(board, ranges, np.ones(3))
    assert inputs.shape == (3, num_inputs(board.street))
    even = zero_sum(inputs, outputs).astype(np.float32)
    assert np.allclose(hand_values(board, ranges, even), values, atol=1e-5)


@pytest.mark.parametrize("cards", [RIVER, TURN])
def test_features_and_values_are_those_of_suit_images(cards):
    board, image = BoardHands(cards), BoardHands(tuple(sorted(CARD_IMAGES[13][list(cards)])))
    ranges = ranges_on(board)
    there = np.searchsorted(image.hands, COMBO_IMAGES[13][board.hands])
    images = np.empty_like(ranges)
    images[:, :, there] = ranges
    ratio = np.array([3.0])
    assert np.allclose(
        network_inputs(board, ranges, ratio), network_inputs(image, images, ratio), atol=1e-5
    )
    drawn = np.random.default_rng(5).normal(size=(1, num_outputs(board.street)))
    outputs = drawn.astype(np.float32)
    values = hand_values(board, ranges, outputs)
    assert np.allclose(hand_values(image, images, outputs)[:, :, there], values, atol=1e-5)


def test_targets_at_knots_are_the_outputs_that_made_the_values():
    board = BoardHands(RIVER)
    ranges = ranges_on(board)
    outputs = np.linspace(-1.0, 1.0, num_outputs("river"), dtype=np.float32)[None]
    outputs = zero_sum(network_inputs(board, ranges, np.ones(1)), outputs).astype(np.float32)
    still = np.zeros((1, 2, len(board.hands)), np.float32)
    values = hand_values(board, ranges, outputs, still)
    targets, held = knot_targets(board, ranges[0], values[0], still[0])
    assert held.mean() > 0.5
    assert np.abs(targets - outputs[0])[held].max() < 0.05
    assert np.abs(hand_values(board, ranges, targets[None], still) - values).max() < 0.01


def test_labels_of_nuts_and_air_against_a_bluff_catcher_are_those_of_theory():
    # Pot 100, stack 100, all-in or check: the nuts bet, air bluffs half as often, and the catcher
    # calls half the time. The nuts win 1.5 pots, air nothing; less half a pot.
    situation = Situation(
        cards=RIVER,
        pot=100,
        stack=100,
        ranges=np.stack([hands(QhQd=0.5, **{"5d4d": 0.5}), hands(AcAs=1.0)]),
        source=RANDOM,
    )
    found = label(situation, {"bets": "a", "raises": ""}, "0.05%")
    values = found.values
    assert found.gain <= 5e-4
    assert np.isclose(values[0, parse_combo("QhQd")], 1.0, atol=0.01)
    assert np.isclose(values[0, parse_combo("5d4d")], -0.5, atol=0.01)
    assert np.isclose(values[1, parse_combo("AcAs")], -0.25, atol=0.01)
    assert np.isclose(found.check_down[0, parse_combo("5d4d")], -0.5)
    assert np.count_nonzero(values) == 3


def test_labels_count_blocked_hands_as_0_and_sum_to_0():
    # AhKs meets one half of the range, so that its value is half of that per match-up.
    situation = Situation(
        cards=RIVER,
        pot=100,
        stack=100,
        ranges=np.stack([hands(AhKs=0.5, **{"8d8c": 0.5}), hands(AhAc=0.5, **{"5d4d": 0.5})]),
        source=RANDOM,
    )
    found = label(situation, {"bets": "a", "raises": ""}, "0.5%")
    assert abs((situation.ranges * found.values).sum()) < 1e-6
    assert np.isclose(found.check_down[0, parse_combo("AhKs")], 0.25)
    assert np.isclose(found.check_down[0, parse_combo("8d8c")], 0.0)
    assert np.isclose(found.check_down[1, parse_combo("AhAc")], 0.25)


def test_situations_cover_all_hands_within_the_limits():
    situation = random_situation("river", np.random.default_rng(6), 2.0)
    board = BoardHands(situation.cards)
    assert situation.stack <= 2.0 * situation.pot
    assert situation.pot + 2 * situation.stack == 40_000
    for weights in situation.ranges:
        assert np.array_equal(np.flatnonzero(weights), board.hands)
        assert np.isclose(weights.sum(), 1.0)


def test_situations_of_solved_play_go_on_from_a_street():
    found = solved_situations("river", np.random.default_rng(1), 3)
    for situation in found:
        assert len(situation.cards) == 5
        assert situation.stack > 0
        assert np.allclose(situation.ranges.sum(axis=1), 1.0)
    assert len({situation.cards for situation in found}) > 1


@pytest.mark.slow
def test_boards_are_held_out_up_to_suits_and_turns_with_their_flops():
    random = np.random.default_rng(7)
    rivers = [random.permutation(52)[:5] for _ in range(1_000)]
    uses = [use_of(cards.tolist()) for cards in rivers]
    assert 0.03 < uses.count("choice") / 1_000 < 0.07
    assert 0.03 < uses.count("report") / 1_000 < 0.07
    assert uses == [use_of(CARD_IMAGES[9][cards[::-1]].tolist()) for cards in rivers]
    flops = held_out_flops()
    assert 80 < len(flops) < 130
    examined = flops_to_examine(5, held_out=True)
    assert sorted(examined) == sorted(flop.board for flop in held_out_flops(5))
    assert {*held_out_flops(5)} < {*held_out_flops(6)} < {*flops}
    with refuses(ConfigError, option="count", given=len(flops) + 1):
        held_out_flops(len(flops) + 1)
    flop = parse_board(flops[0].board)
    for card in range(52):
        if card not in flop:
            assert is_held_out((card, *flop))
    turns = [is_held_out(random.permutation(52)[:4].tolist()) for _ in range(1_000)]
    assert 0.16 < np.mean(turns) < 0.27
