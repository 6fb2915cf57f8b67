"""What a bot does without a strategy: shares of the pot against ranges, and pot odds."""

from __future__ import annotations

import numpy as np
import pytest

from equilibrist.play.bots.fallback import Situation, pot_share
from equilibrist.poker import Range, equity, multiway_equity
from equilibrist.poker.cards.cards import parse_cards
from equilibrist.poker.cards.combos import parse_combo


def situation(hand: str, board: str, *ranges: str) -> Situation:
    cards = parse_cards(board) if board else ()
    return Situation(
        combo=parse_combo(hand),
        board=cards,
        to_come=5 - len(cards),
        lowest_rank=0,
        opponents=[np.asarray(Range(text).weights) if text else np.zeros(1326) for text in ranges],
    )


@pytest.mark.parametrize(
    ("hand", "board", "opponent"),
    [("AhKh", "", "QQ,JJ"), ("TsTh", "Td9d2c", "AKs,KdQd"), ("7h2c", "AsKsQd3h4c", "random")],
)
def test_shares_are_those_of_equity(hand: str, board: str, opponent: str) -> None:
    wanted = equity(hand, opponent, board).oop
    found = pot_share(situation(hand, board, opponent), 20_000)
    assert found == pytest.approx(wanted, abs=0.015)
    assert pot_share(situation(hand, board, opponent)) == pot_share(
        situation(hand, board, opponent)
    )


def test_several_opponents_hold_different_cards() -> None:
    wanted = multiway_equity(["AhAd", "KK", "AKs,KQs"], "2c7d9h").equities[0]
    found = pot_share(situation("AhAd", "2c7d9h", "KK", "AKs,KQs"), 20_000)
    assert found == pytest.approx(wanted, abs=0.015)


def test_unknown_and_impossible_ranges_count_as_any_hand() -> None:
    any_hand = equity("AhAd", "random", "2c7d9h").oop
    assert pot_share(situation("AhAd", "2c7d9h", ""), 20_000) == pytest.approx(any_hand, abs=0.015)
    assert pot_share(situation("AhAd", "2c7d9h", "AhKh"), 20_000) == pytest.approx(
        any_hand, abs=0.015
    )
