"""`equity` with bad input: what is refused, and where it is."""

from __future__ import annotations

from typing import Any

import pytest

from equilibrist.errors import CardSyntaxError, ConfigError, RangeSyntaxError
from equilibrist.poker.cards.cards import card_names, parse_cards
from equilibrist.poker.equities.equity import equity
from tests.refusals import refuses


@pytest.mark.parametrize(
    ("arguments", "options", "fields"),
    [
        (("TT", "TT", "TdTh6h"), {}, dict(option="ranges")),
        (("AsAh", "AsKs"), {}, dict(option="ranges")),
        (("AsAh", "AsKs,AhKs", "2c3c4c"), {"dead": "Ac"}, dict(option="ranges")),
        (("", "AA"), {}, dict(option="Player 1")),
        (("AA", "0%"), {}, dict(option="Player 2")),
        (("QsJs", "AA", "QsJh2h"), {}, dict(option="Player 1", given="board QsJh2h")),
        (("AA", "KsKh"), {"dead": "Kh"}, dict(option="Player 2", given="dead Kh")),
        (("AA", "KK", "QsJh2h"), {"dead": "2h 3h"}, dict(option="dead", given="2h")),
        (("AA", "KK"), {"dead": card_names(range(44))}, dict(option="dead", given=44)),
        (("AA", "KK"), {"samples": 99}, dict(option="samples", given=99)),
        (("AA", "KK"), {"samples": 1e5}, dict(option="samples", given=100000.0)),
        (("AA", "KK"), {"samples": 1000, "exact": True}, dict(option="samples", given=1000)),
        (("AA", "KK"), {"exact": 1}, dict(option="exact", given=1)),
        (("AA", "KK"), {"seed": -1}, dict(option="seed", given=-1)),
        (("AA", "KK"), {"threads": 0}, dict(option="threads", given=0)),
        ((("AA", "KK"), "QQ"), {}, dict(option="oop", given="('AA', 'KK')")),
        (("AA", None), {}, dict(option="ip")),
        (("AA", "KK", None), {}, dict(option="cards")),
        (("AA", "KK"), {"dead": 5}, dict(option="cards", given=5)),
    ],
)
def test_bad_input(
    arguments: tuple[Any, ...], options: dict[str, Any], fields: dict[str, Any]
) -> None:
    with refuses(ConfigError, **fields):
        equity(*arguments, **options)


def test_bad_notation_says_where() -> None:
    with pytest.raises(RangeSyntaxError) as caught:
        equity("AA,AQo:1.1", "KK")
    assert caught.value.position == 7
    for board in ("QsJh", "QsQs2h", "Qs", "QsJh2h3d4c5c", "QxJh2h"):
        with pytest.raises(CardSyntaxError):
            equity("AA", "KK", board)
    with pytest.raises(CardSyntaxError):
        equity("AA", "KK", dead="QsQs")


def test_boards_without_a_matchup_are_said_so() -> None:
    """Of the 252 boards of ten cards six leave all four cards of the hands."""
    deck = parse_cards("AsAhKsKh2c3c4c5c6c7c")
    dead = card_names(card for card in range(52) if card not in deck)
    assert equity("AsAh", "KsKh", dead=dead).oop == 0.5  # all share a straight flush
    with refuses(ConfigError, option="samples", given=100):
        equity("AsAh", "KsKh", dead=dead, samples=100, seed=206)
