"""Equities on the river and histograms before it, against enumeration and published figures."""

from __future__ import annotations

import numpy as np
import pytest

from equilibrist.kernels.buckets.river_equities import river_equities
from equilibrist.poker.buckets.board_hands import board_hands, deck_hands
from equilibrist.poker.buckets.hand_report import board_equities
from equilibrist.poker.buckets.points import GroupPoints, HistogramPoints, class_points
from equilibrist.poker.buckets.river_hands import BINS, opponents
from equilibrist.poker.cards.canonical_boards import canonical_boards
from equilibrist.poker.cards.cards import parse_cards
from equilibrist.poker.cards.combos import CLASS_NAMES, CLASS_OF_COMBO, parse_combo
from equilibrist.poker.cards.evaluator_tables import strength_tables
from equilibrist.poker.cards.hand_ranking import EQUITY_AGAINST_RANDOM
from tests.poker.buckets.oracle import histogram, river_equity

TEN = 8


@pytest.mark.parametrize("board", ["AsKsQsJsTs", "2c2d2h2sAh", "Td9d6hQc2s", "7h7d3c3s9h"])
def test_equities_on_rivers_are_those_of_enumeration(board):
    cards = parse_cards(board)
    boards = np.array([cards], np.uint8)
    boards.flags.writeable = False  # as those of `canonical_boards`: one compiled kernel for both
    found = np.empty((1, 1326), np.uint16)
    river_equities(strength_tables(7), deck_hands(), boards, 1981, found)
    held = np.random.default_rng(1).choice(np.flatnonzero(found[0] < 1981), 6, replace=False)
    assert (found[0] < 1981).sum() == 1081
    for hand in held.tolist():
        assert river_equity(hand, cards) == (found[0, hand], opponents(0))


def test_equities_of_a_short_deck(river):
    boards = canonical_boards(5, TEN)
    assert river.whole == 2 * 78
    random = np.random.default_rng(2)
    for board in random.choice(len(boards.cards), 5).tolist():
        row = river.equities[board]
        dealt = np.flatnonzero(row != river.blocked)
        assert len(dealt) == 105
        hand = int(random.choice(dealt))
        assert river_equity(hand, boards.cards[board].tolist(), TEN) == (row[hand], 78)
    # Over all hands that meet, wins and losses balance.
    shares = river.equities[:, :].astype(int)
    assert (np.where(shares <= river.whole, shares, 0).sum(axis=1) == 105 * 78).all()


@pytest.mark.parametrize(
    ("hand", "board", "strength"), [("TcQd", "7h9hQh", 0.683), ("5c9d", "3d5d7d", 0.679)]
)
def test_equities_of_the_potential_aware_paper(hand, board, strength):
    """Ganzfried and Sandholm 2014: EHS of their example on the flop."""
    found = board_equities(parse_cards(board)).mean()[parse_combo(hand)]
    assert found == pytest.approx(strength, abs=0.0005)


def test_earth_movers_distance_of_the_potential_aware_paper():
    """The same example: .559 between the distributions on the river, in bins of 1/50."""
    first = board_equities(parse_cards("7h9hQh")).histogram(parse_combo("TcQd"))
    second = board_equities(parse_cards("3d5d7d")).histogram(parse_combo("5c9d"))
    apart = np.abs(np.cumsum(np.subtract(first, second))).sum()
    assert apart == pytest.approx(0.559, abs=0.0005)


@pytest.mark.parametrize(("name", "published"), [("66", 0.634), ("KQs", 0.633)])
def test_equities_before_the_flop_of_the_potential_aware_paper(name, published):
    """Its figures for 6c6d and KcQc, which are within a sampling error of the exact ones."""
    assert EQUITY_AGAINST_RANDOM[name] == pytest.approx(published, abs=0.0015)


@pytest.mark.parametrize("size", [3, 4])
def test_points_are_the_running_sums_of_enumerated_histograms(river, size):
    source = HistogramPoints(river, size)
    random = np.random.default_rng(size)
    boards = canonical_boards(size, TEN)
    for board in random.choice(len(boards.cards), 2).tolist():
        hands = board_hands(size, TEN, board, board + 1)
        found = source.points(hands, board)
        k = int(random.integers(len(hands.wanted)))
        counts, total = histogram(int(hands.wanted[k]), boards.cards[board].tolist(), TEN)
        scale = int(source.unit) // counts.sum()
        np.testing.assert_array_equal(found.points[k], np.cumsum(counts)[:-1] * scale)
        assert found.equity[k] == total


def test_all_points_of_turns_at_once(river):
    """Of boards together as of each alone: the slices of boards and hands fit each other."""
    source = HistogramPoints(river, 4)
    together = source.points(board_hands(4, TEN, 10, 14), 10)
    alone = [source.points(board_hands(4, TEN, b, b + 1), b) for b in range(10, 14)]
    np.testing.assert_array_equal(together.points, np.concatenate([one.points for one in alone]))
    np.testing.assert_array_equal(together.equity, np.concatenate([one.equity for one in alone]))


def test_classes_have_the_equities_of_their_hands(river):
    points, equity, weight, dealt = class_points(river.classes(1))
    assert [CLASS_NAMES[k] for k in dealt[:3]] == ["AA", "AKs", "AQs"]
    assert weight.sum() == 190
    runouts = 8568  # boards out of the 18 other cards
    mean = equity / (river.whole * runouts)
    assert (weight * mean).sum() / 190 == pytest.approx(0.5, abs=1e-9)
    means = BINS - points.sum(axis=1) / 1337
    assert np.corrcoef(means, mean)[0, 1] > 0.999


def test_equities_against_groups_are_those_of_enumeration(river):
    group = (np.arange(169) % 3).astype(np.uint8)
    source = GroupPoints(river, group)
    boards = canonical_boards(5, TEN)
    hands = board_hands(5, TEN, 700, 702)
    found = source.points(hands, 700)
    for k in (0, len(hands.wanted) - 1):
        board = boards.cards[700 if k < hands.starts[1] else 701].tolist()
        hand = int(hands.wanted[k])
        for g in range(3):
            won, count = river_equity(hand, board, TEN, among=group[CLASS_OF_COMBO] == g)
            assert found.points[k, g] == (won * 1337 + count) // (2 * count)
        assert found.equity[k] == river_equity(hand, board, TEN)[0]
