"""The deck of 52 cards: the numbers of hands, and the equities of all hand classes."""

from __future__ import annotations

import numpy as np
import pytest

from equilibrist.poker.buckets.board_hands import board_hands
from equilibrist.poker.buckets.build import build_card_buckets
from equilibrist.poker.buckets.points import HistogramPoints, class_points
from equilibrist.poker.buckets.river_hands import RiverHands
from equilibrist.poker.buckets.street_buckets import preflop_groups
from equilibrist.poker.cards.canonical_boards import board_places, canonical_boards
from equilibrist.poker.cards.cards import parse_cards
from equilibrist.poker.cards.combos import CLASS_NAMES, parse_combo
from equilibrist.poker.cards.hand_ranking import EQUITY_AGAINST_RANDOM
from equilibrist.poker.cards.isomorphism import COMBO_IMAGES

pytestmark = pytest.mark.slow


def test_one_hand_of_each_orbit():
    """1,286,792 hands on the flop and 13,960,050 on the turn, which stand for all deals."""
    for size, count, deals in ((3, 1_286_792, 25_989_600), (4, 13_960_050, 305_377_800)):
        boards = len(canonical_boards(size).cards)
        found = weight = 0
        for begin in range(0, boards, 500):
            hands = board_hands(size, 0, begin, min(begin + 500, boards))
            found += len(hands.wanted)
            weight += int(hands.weight.sum())
        assert (found, weight) == (count, deals)


@pytest.fixture(scope="module")
def full_river():
    return RiverHands(0, 2)


def test_equities_of_all_classes(full_river):
    """Those of the published table, which has five digits."""
    classes = class_points(full_river.classes(2))
    boards = 2_118_760  # out of the 50 other cards
    for k, equity in enumerate(classes.equity / (full_river.whole * boards)):
        assert equity == pytest.approx(EQUITY_AGAINST_RANDOM[CLASS_NAMES[k]], abs=6e-6)


def test_histograms_of_the_potential_aware_paper(full_river):
    """By the tables of boards as by enumeration: .683 and .679, .559 apart."""
    source = HistogramPoints(full_river, 3)
    found = []
    for hand, board in (("TcQd", "7h9hQh"), ("5c9d", "3d5d7d")):
        place = board_places(np.array([parse_cards(board)]))
        at, image = int(place.board[0]), COMBO_IMAGES[place.permutation[0], parse_combo(hand)]
        hands = board_hands(3, 0, at, at + 1)
        k = int(np.flatnonzero(hands.wanted == hands.lowest[0, image])[0])
        points = source.points(hands, at)
        found.append((points.points[k], points.equity[k] / source.whole_equity))
    assert [equity for _, equity in found] == pytest.approx([0.683, 0.679], abs=0.0005)
    apart = np.abs(found[0][0].astype(int) - found[1][0].astype(int)).sum() / source.unit
    assert apart == pytest.approx(0.559, abs=0.0005)


def test_eight_groups_of_opponents(full_river):
    from equilibrist.poker.buckets.spec import bucket_spec

    points, equity, weight, _ = class_points(full_river.classes(2))
    spec = bucket_spec("169/9/9/9")
    label, _, centres = preflop_groups(points, weight, 8, spec)
    assert len(centres) == 8
    assert label[CLASS_NAMES.index("AA")] == label[CLASS_NAMES.index("KK")] == 7
    assert label[CLASS_NAMES.index("32o")] == label[CLASS_NAMES.index("42o")] == 0
    means = np.bincount(label, weight * equity) / np.bincount(label, weight)
    assert (np.diff(means) > 0).all()


def test_a_bucket_for_every_flop_hand(tmp_path):
    cards = build_card_buckets(
        "all/all/50/50", tmp_path / "c.safetensors", sample=20_000, restarts=1, passes=5, threads=2
    )
    assert cards.counts == (169, 1_286_792, 50, 50)
    facts = cards.facts(1)
    assert facts.size.sum() == 25_989_600
    assert len(np.unique(cards.rows(1))) == 1_286_792 + 1  # and -1
    assert cards.facts(2).distance < 2.5
    assert cards.facts(3).distance < 0.01
