"""Sizes that are counted before anything is allocated."""

from __future__ import annotations

import pytest

from equilibrist.errors import MemoryBudgetError
from equilibrist.poker.hands.hand import Hand
from equilibrist.poker.preflop.exact.boards import board_table
from equilibrist.poker.preflop.exact.game import ExactGame
from equilibrist.poker.preflop.exact.size import check_fits, classes, exact_size


@pytest.mark.parametrize(
    ("cards", "lowest", "count"),
    [
        ((2,), 0, 169),
        ((2, 3), 0, 1_286_792),
        ((2, 3, 1), 0, 55_190_538),
        ((2, 3, 1, 1), 0, 2_428_287_420),
        ((2, 4), 0, 13_960_050),
        ((3,), 0, 1755),
        ((3, 1), 0, 63_193),
        ((3, 1, 1), 0, 2_554_656),
        ((5,), 0, 134_459),
        ((2, 1), 0, 5083),
        ((2, 1, 1), 0, 185_185),
        ((2, 1, 1, 1), 0, 7_560_540),
        ((2, 3), 8, 7760),
        ((2, 3, 1), 8, 104_750),
        ((2, 3, 1, 1), 8, 1_398_100),
        ((3,), 8, 95),
        ((4,), 8, 330),
        ((5,), 8, 901),
    ],
)
def test_deals_that_differ_by_more_than_suits(
    cards: tuple[int, ...], lowest: int, count: int
) -> None:
    assert classes(cards, lowest) == count


@pytest.mark.parametrize(("dealt", "lowest"), [((0, 3), 8), ((0, 1, 1), 8), ((0, 3, 1), 10)])
def test_the_boards_that_are_listed_are_those_that_are_counted(
    dealt: tuple[int, ...], lowest: int
) -> None:
    table = board_table(dealt, lowest)
    for street in range(1, len(dealt)):
        on = table.street == street
        assert on.sum() == classes(dealt[1 : street + 1], lowest)
        assert table.rows[on].sum() == classes((2, *dealt[1 : street + 1]), lowest)


def test_betting_on_the_turn_takes_nine_tenths_of_a_gigabyte_for_two_actions() -> None:
    hand = Hand(stack=10, bets="a", raises="a", last_street="turn")
    turn = exact_size(ExactGame.of(hand)).streets[2]
    assert turn.rows * 16 == pytest.approx(0.9e9, rel=0.03)
    assert turn.num_bytes > turn.rows * 8 * turn.slots


def test_betting_on_the_river_is_refused_with_its_size_and_what_fits() -> None:
    hand = Hand(stack=20, bets="50%,a", raises="a", last_street="river")
    with pytest.raises(MemoryBudgetError) as caught:
        check_fits(ExactGame.of(hand), 12_000_000_000)
    error = caught.value
    assert error.option == "memory"
    assert error.given == 12_000_000_000
    assert isinstance(error.expected, int | float)
    assert error.expected > 100e9
    assert "river" in error.problem
    assert "flop" in error.remedy


def test_flop_holdem_takes_less_than_two_point_six_gigabytes() -> None:
    hand = Hand(stack=10, limit="limit", fixed_bets="1/1", board="3")
    size = check_fits(ExactGame.of(hand), 2_600_000_000)
    assert size.streets[1].slots == 2 * 91
    assert sum(street.rows * street.slots for street in size.streets) == 234_199_693
