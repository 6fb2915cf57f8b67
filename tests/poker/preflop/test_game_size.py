"""The sizes of hands as games: published figures, and betting that is enumerated."""

from __future__ import annotations

import random

import pytest

from equilibrist.errors import MemoryBudgetError
from equilibrist.poker.hands.hand import Hand
from equilibrist.poker.preflop.game_size import HandCount, count_hand


def six_digits(counts: HandCount) -> list[str]:
    return [f"{float(street.sequences):.6g}" for street in counts.streets]


def test_limit_holdem_has_its_published_size() -> None:
    """M. Johanson, "Measuring the size of large no-limit poker games", 2013."""
    limit = count_hand(Hand(stack=24, limit="limit"))
    assert [street.sequences for street in limit.streets] == [8, 70, 630, 5670]
    assert limit.class_infosets == 13_803_249_787_132  # published as 1.380e13
    assert limit.class_infoset_actions is not None
    assert f"{limit.class_infoset_actions:.3e}" == "3.589e+13"
    assert f"{limit.states:.3e}" == "3.162e+17"


@pytest.mark.slow
def test_no_limit_holdem_has_its_published_sizes() -> None:
    """Of the same paper, all digits that are published."""
    small = count_hand(Hand(stack=400, blinds="1/2"))
    assert six_digits(small) == ["2.23569e+19", "9.91129e+26", "4.9179e+32", "2.47216e+37"]
    assert small.class_infoset_actions == 180091019297791288982204479657796281550065385037
    middle = count_hand(Hand(stack=1000, blinds="1/2", bets="all"))
    assert (
        middle.infosets == 7231696218395692677395045408177846358424267196938605536692771479904913016
    )
    large = count_hand(Hand(stack=20_000, blinds="50/100"))
    assert six_digits(large)[3] == "1.13459e+151"
    assert f"{float(large.infosets):.5e}" == "6.37519e+161"
    assert f"{float(large.states):.5e}" == "6.31144e+164"


def test_royal_holdem_has_its_published_size() -> None:
    royal = count_hand(Hand.named("royal(bets=all)"))
    assert [street.sequences for street in royal.streets] == [1188, 19_996]
    assert [street.actions for street in royal.streets] == [3561, 57_616]
    assert [street.classes for street in royal.streets] == [25, 7760]
    assert royal.class_infosets == 155_198_660
    assert royal.class_infoset_actions == 447_189_185
    assert royal.states == 325_553_418_360  # published as 3.25553e11


def test_counts_without_a_tree_are_those_of_the_tree() -> None:
    draw = random.Random(1)
    for _ in range(60):
        small = draw.randint(0, 3)
        sizes = draw.choice([("all", ""), ("", ""), ("50%", "all"), ("a", "a")])
        hand = Hand(
            blinds=(small, max(1, small + draw.randint(0, 2))),
            stacks=(draw.randint(2, 12), draw.randint(2, 12)),
            ante=draw.choice([0, 0, 1]),
            board=draw.choice(["3", "3/1", "1"]),
            deck="T",
            last_street=draw.choice([None, None, "preflop"]),
            bets=sizes[0],
            raises=sizes[1],
        )
        streets, size = count_hand(hand).streets, hand.size()
        assert [street.sequences for street in streets] == list(size.decisions[: len(streets)])
        assert [street.actions for street in streets] == list(size.actions[: len(streets)])


def test_hands_of_fewer_cards_and_more_seats_are_counted() -> None:
    leduc = count_hand(Hand(stack=13, limit="limit", deck="Q", suits=2, hole_cards=1, board="1"))
    assert [street.hands for street in leduc.streets] == [6, 30]
    assert [street.deals for street in leduc.streets] == [30, 120]
    assert leduc.class_infosets is None
    assert leduc.to_dict()["class_infosets"] is None
    three = count_hand(Hand(seats=3, stack=2, bets="a", deck="T", board="3"))
    assert three.streets[0].deals == 190 * 153 * 120


def test_stacks_too_deep_to_count_are_refused() -> None:
    with pytest.raises(MemoryBudgetError) as caught:
        count_hand(Hand(stack=100_000, blinds="1/2"))
    assert (caught.value.option, caught.value.given) == ("stack", 99_998)
