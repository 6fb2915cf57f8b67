"""Equities with short decks: enumerated by PokerKit's hands, and cards that a deck lacks."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from equilibrist.errors import ConfigError
from equilibrist.poker import equity, multiway_equity
from equilibrist.poker.cards.cards import card_name, parse_cards
from equilibrist.poker.cards.combos import parse_combo
from equilibrist.poker.cards.evaluator import hand_strength
from tests.refusals import refuses


def enumerated(hands: list[str], board: str) -> list[float]:
    """The shares of hands on all boards of 36 cards, by PokerKit."""
    from pokerkit import ShortDeckHoldemHand as kit  # noqa: N813

    gone = {*parse_cards(board), *(card for hand in hands for card in parse_cards(hand))}
    deck = [card for card in range(16, 52) if card not in gone]
    shares = np.zeros(len(hands))
    boards = [*combinations(deck, 5 - len(parse_cards(board)))]
    for more in boards:
        cards = board + "".join(card_name(card) for card in more)
        values = [kit.from_game(hand, cards) for hand in hands]
        best = max(values)
        won = np.array([value == best for value in values])
        shares += won / won.sum()
    return (shares / len(boards)).tolist()


def test_two_hands_on_a_flop() -> None:
    expected = enumerated(["AhKh", "QsQd"], "9h8h6c")
    found = equity("AhKh", "QsQd", "9h8h6c", deck="short")
    assert (found.oop, found.ip) == pytest.approx(expected, abs=1e-12)
    assert found.exact


def test_a_range_is_the_mean_of_its_hands() -> None:
    found = equity("AhKh,7d7c:0.5", "Tc9c", "8h7h6d6s", deck="short")
    singles = [enumerated([hand, "Tc9c"], "8h7h6d6s")[0] for hand in ("AhKh", "7d7c")]
    assert found.oop_hands[parse_combo("AhKh")] == pytest.approx(singles[0], abs=1e-12)
    assert found.oop == pytest.approx((singles[0] + 0.5 * singles[1]) / 1.5, abs=1e-12)


def test_three_hands_on_a_turn() -> None:
    expected = enumerated(["AhAd", "KhQh", "8s7s"], "9h8h6c6d")
    found = multiway_equity(["AhAd", "KhQh", "8s7s"], "9h8h6c6d", deck="short")
    assert found.equities == pytest.approx(expected, abs=1e-12)


def test_samples_of_boards_and_deals_surround_the_exact_equity() -> None:
    exact = equity("AhKh", "QsQd", deck="short").oop
    drawn = equity("AhKh", "QsQd", deck="short", samples=4000, seed=2)
    assert drawn.interval is not None
    assert drawn.interval[0] < exact < drawn.interval[1]
    three = multiway_equity(["AhKh", "QsQd", "7c6c"], deck="short", exact=True)
    sampled = multiway_equity(["AhKh", "QsQd", "7c6c"], deck="short", samples=20_000, seed=2)
    assert sampled.intervals is not None
    for (low, high), share in zip(sampled.intervals, three.equities, strict=True):
        assert low < share < high


def test_the_two_rankings_and_that_of_52_cards_on_a_river() -> None:
    """Trips of sixes against a straight, and a flush against a full house."""
    for deck, share in (("6", 0.0), ("short", 0.0), ("short-trips", 1.0)):
        assert equity("6h6d", "TsJs", "6cAs9d8c7h", deck=deck).oop == share
    for deck, share in (("6", 0.0), ("short", 1.0), ("short-trips", 1.0)):
        assert equity("AhKh", "9s9d", "9h8h6h8dQc", deck=deck).oop == share
    assert hand_strength(parse_cards("6h6d6cAs9d"), "short") < hand_strength(
        parse_cards("TsJs9d8c7h"), "short"
    )


def test_hands_that_a_deck_lacks_are_left_out() -> None:
    found = equity("A5s+,22", "KK", "9h8h6h", deck="short")
    assert found.matchups == equity("A6s+", "KK", "9h8h6h", deck="short").matchups
    assert np.isnan(found.oop_hands[parse_combo("2d2c")])
    assert np.isnan(found.oop_hands[parse_combo("Ad5d")])


@pytest.mark.parametrize(
    ("given", "option"),
    [
        ({"oop": "22-55"}, "Player 1"),
        ({"board": "2h7h8h"}, "board"),
        ({"dead": "5c"}, "dead"),
        ({"deck": "37"}, "deck"),
        ({"deck": "K", "board": ""}, "deck"),
    ],
)
def test_what_a_deck_refuses(given: dict[str, str], option: str) -> None:
    keys = {"oop": "AA", "ip": "KK", "board": "", "dead": "", "deck": "short", **given}
    with refuses(ConfigError, option=option):
        equity(**keys)  # type: ignore[arg-type]
