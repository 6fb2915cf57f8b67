"""Made hands and draws of combos on a board, in the words of players."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from equilibrist.errors import ConfigError
from equilibrist.poker.cards.cards import parse_board, parse_cards
from equilibrist.poker.cards.combos import COMBO_INDEX, FIRST_CARD, SECOND_CARD
from equilibrist.poker.cards.evaluator import category, combo_strengths, hand_strength
from equilibrist.poker.cards.hand_kinds import DRAWS, MADE_HANDS, hand_kinds


def kind(hand: str, board: str) -> tuple[str, str]:
    first, second = parse_cards(hand)
    found = hand_kinds(parse_board(board))
    combo = COMBO_INDEX[first, second]
    return MADE_HANDS[found.made[combo]], DRAWS[found.draw[combo]]


@pytest.mark.parametrize(
    ("hand", "board", "made"),
    [
        ("AhAs", "QsJh2h", "overpair"),
        ("QhQd", "QsJh2h", "set"),
        ("QhJd", "QsJh2h", "two pair"),
        ("AdQc", "QsJh2h", "top pair"),
        ("AdJc", "QsJh2h", "second pair"),
        ("Ad2c", "QsJh2h", "low pair"),
        ("TdTc", "QsJh2h", "underpair"),
        ("AdKc", "QsJh2h", "ace high"),
        ("Kd9c", "QsJh2h", "king high"),
        ("9d8c", "QsJh2h", "nothing"),
        ("AdKc", "QsQh2h", "ace high"),  # the pair is the board's
        ("AdKc", "QsQhKd", "top pair"),
        ("AdQc", "QsQhKd", "trips"),
        ("KsKc", "QsQhKd", "full house"),
        ("QdQc", "QsQh2h", "four of a kind"),
        ("AhKh", "Qh7h2h", "flush"),
        ("AhKh", "QhJhTh", "straight flush"),
        ("AdKc", "QsJhTh", "straight"),
        ("4d5c", "As2h3h", "straight"),  # the ace is low, too
        ("AdKc", "QsQhQd7c2c", "ace high"),  # three of a kind on the board
        ("8d8c", "QsQhQd7c2c", "full house"),
        ("AdKc", "9s8h7d6c5c", "ace high"),  # everybody has the straight of the board
        ("Td2c", "9s8h7d6c5c", "straight"),
        ("AhKs", "Qh9h7h5h2h", "flush"),
        ("AsKs", "Qh9h7h5h3h", "ace high"),
        ("KdKc", "QsQhQdQc2c", "king high"),
        ("3d3c", "AsAhKdKc", "underpair"),
    ],
)
def test_made_hands(hand: str, board: str, made: str) -> None:
    assert kind(hand, board)[0] == made


@pytest.mark.parametrize(
    ("hand", "board", "draw"),
    [
        ("AhTh", "QsJh2h", "combo draw"),
        ("Ah3h", "QsJh2h", "flush draw"),
        ("Td9c", "QsJh2h", "open-ended"),
        ("AdTc", "QsJh2h", "gutshot"),
        ("7d9s", "JhTs6d", "gutshot"),
        ("9d8s", "QhJs7d", "gutshot"),  # a ten
        ("9d7s", "JhTs8d", "no draw"),  # a straight already
        ("9d5s", "JhTs7d6c", "gutshot"),  # an eight
        ("9d7s", "JhTd6s3c", "gutshot"),
        ("AsKs", "Qs7h2h", "backdoor flush draw"),
        ("AsKs", "Qs7h2h3d", "no draw"),  # one card is not enough any more
        ("AhKd", "Qh7h2h", "flush draw"),  # with one card of the hand
        ("AsKd", "Qh7h2h3h", "no draw"),  # four hearts of the board alone
        ("As2d", "9h8s7d6c", "no draw"),  # tens complete a straight for everybody
        ("Ah2h", "Qh7h3h", "no draw"),  # a flush already
        ("AhKh", "QsJh2h9c3d", "no draw"),  # no card comes after the river
    ],
)
def test_draws(hand: str, board: str, draw: str) -> None:
    assert kind(hand, board)[1] == draw


def test_strong_hands_are_those_of_the_evaluator() -> None:
    """On the river, for all hands that beat the board and are a straight or better."""
    rng = np.random.default_rng(3)
    better = {"straight", "flush", "full house", "four of a kind", "straight flush"}
    for _ in range(40):
        board = tuple(rng.choice(52, 5, replace=False).tolist())
        strengths, made = combo_strengths(board), hand_kinds(board).made
        for combo in np.flatnonzero(strengths > hand_strength(board)).tolist():
            name = category(int(strengths[combo]))
            if name in better and name != "four of a kind":
                assert MADE_HANDS[made[combo]] == name, (board, combo)
            elif name not in better:
                assert MADE_HANDS[made[combo]] not in better, (board, combo)


def test_a_draw_to_a_straight_is_completed_by_its_cards() -> None:
    """Counted card by card with the evaluator."""
    board = parse_board("9s7h4d")
    found = hand_kinds(board)
    for combo in range(0, 1326, 7):
        cards = (int(FIRST_CARD[combo]), int(SECOND_CARD[combo]))
        if found.made[combo] < 0:
            continue
        ranks = set()
        for card in set(range(52)) - {*board, *cards}:
            hands = combinations((*board, *cards, card), 5)
            if any(_is_straight(hand) for hand in hands):
                ranks.add(card // 4)
        names = {0: ("flush draw", "backdoor flush draw", "no draw"), 1: ("gutshot", "combo draw")}
        expected = names.get(len(ranks), ("open-ended", "combo draw"))
        assert DRAWS[found.draw[combo]] in expected, (combo, ranks)


def _is_straight(cards: tuple[int, ...]) -> bool:
    ranks = {card // 4 for card in cards}
    return any(ranks == {(low + k) % 13 for k in range(5)} for low in (*range(9), 12))


def test_blocked_hands_are_nothing_and_boards_are_checked() -> None:
    found = hand_kinds(parse_board("QsJh2h"))
    blocked = COMBO_INDEX[parse_cards("QsAd")]
    assert found.made[blocked] == found.draw[blocked] == -1
    assert (found.made >= 0).sum() == 49 * 48 // 2
    assert not found.made.flags.writeable
    with pytest.raises(ConfigError) as caught:
        hand_kinds((1, 2))
    assert caught.value.option == "board"
