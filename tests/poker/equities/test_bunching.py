"""Equities behind folded hands: every deal enumerated, drawn ones, and what is refused."""

from __future__ import annotations

from functools import cache
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest

from equilibrist.errors import ConfigError, RangeSyntaxError
from equilibrist.poker import equity, multiway_equity
from equilibrist.poker.cards.cards import parse_cards
from equilibrist.poker.cards.combos import FIRST_CARD, SECOND_CARD
from equilibrist.poker.cards.decks import read_deck
from equilibrist.poker.cards.evaluator import hand_strength
from equilibrist.poker.equities.folded import MOST_FOLDED
from equilibrist.poker.ranges.range import Range
from tests.refusals import refuses


def by_every_deal(
    players: list[str], folded: list[str], board: str = "", deck: str = "2", dead: str = ""
) -> tuple[list[float], list[float], list[float], list[dict[int, float]]]:
    """(equities, wins, ties, equities by combo), by every hand of everybody on every board."""
    known = parse_cards(board)
    cards = {*range(4 * read_deck(deck).lowest_rank, 52)} - {*known, *parse_cards(dead)}
    hands = []
    for text in (*players, *folded):
        weights = Range(text).weights
        held = [
            (int(FIRST_CARD[c]), int(SECOND_CARD[c]), c) for c in np.flatnonzero(weights).tolist()
        ]
        hands.append([(a, b, c, weights[c]) for a, b, c in held if {a, b} <= cards])
    n = len(players)
    totals, by_hand = np.zeros((3, n)), [dict[int, np.ndarray[Any, Any]]() for _ in range(n)]
    met = 0.0

    @cache
    def strength(*seven: int) -> int:
        return hand_strength(seven, deck)

    for deal in product(*hands):
        held_cards = {card for a, b, *_ in deal for card in (a, b)}
        if len(held_cards) < 2 * len(deal):
            continue
        weight = float(np.prod([row[3] for row in deal]))
        for more in combinations(sorted(cards - held_cards), 5 - len(known)):
            values = [strength(a, b, *known, *more) for a, b, *_ in deal[:n]]
            best = np.array(values) == max(values)
            shares = weight * best / best.sum()
            totals[0] += shares
            totals[1 if best.sum() == 1 else 2] += weight * best
            met += weight
            for row, own, share in zip(by_hand, deal, shares, strict=False):
                row[own[2]] = row.get(own[2], np.zeros(2)) + np.array((share, weight))
    equities, wins, ties = (totals / met).tolist()
    return equities, wins, ties, [{c: won / of for c, (won, of) in row.items()} for row in by_hand]


TWO = [
    (["AKs,QQ:0.5", "JJ,AhQh"], ["AJs:0.25,KQs"], "Ts9s2d4c", {}),
    (["AKs,QQ:0.5", "JJ,AhQh"], ["AJs:0.3,KQs", "AQs,KJs:0.7,QJs"], "Ts9s2d4c8h", {}),
    (["AK", "QQ"], ["AA,AQs", "KK,AQs,AsKs"], "AsKd7c7d2h", {"dead": "Ac"}),
    (["AsKs,QdQc", "JJ"], ["AQs,AKs", "JTs,AKs"], "Ts9s8d7c", {"deck": "short"}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("players", "folded", "board", "keys"), TWO)
def test_two_ranges_behind_one_and_two(
    players: list[str], folded: list[str], board: str, keys: dict[str, str]
) -> None:
    equities, wins, ties, by_hand = by_every_deal(players, folded, board, **keys)
    found = equity(players[0], players[1], board, folded=folded, **keys)  # type: ignore[arg-type]
    assert found.exact
    assert (found.oop, found.ip) == pytest.approx(equities, abs=1e-12)
    assert (found.oop_win, found.ip_win) == pytest.approx(wins, abs=1e-12)
    assert (found.tie, found.tie) == pytest.approx(ties, abs=1e-12)
    for shares, expected in zip((found.oop_hands, found.ip_hands), by_hand, strict=True):
        assert {*np.flatnonzero(~np.isnan(shares)).tolist()} == {*expected}
        for combo, share in expected.items():
            assert shares[combo] == pytest.approx(share, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("folded", [["AQs:0.5"], ["AQs", "KQs:0.4"]])
def test_boards_that_are_images_of_each_other(folded: list[str]) -> None:
    players = ["AKs", "QQ:0.5"]
    equities, _, _, by_hand = by_every_deal(players, folded, deck="J")
    found = equity(players[0], players[1], folded=folded, deck="J")
    assert (found.oop, found.ip) == pytest.approx(equities, abs=1e-12)
    for combo, share in by_hand[0].items():
        assert found.oop_hands[combo] == pytest.approx(share, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("folded", [["AJs,KQs:0.5"], ["AJs:0.3,KQs", "AQs,KJs:0.7"]])
def test_three_ranges(folded: list[str]) -> None:
    players = ["AKs,TT:0.5", "JJ,AhQh", "QQ,AdTd"]
    equities, wins, ties, _ = by_every_deal(players, folded, "Ts9s2d4c8h")
    found = multiway_equity(players, "Ts9s2d4c8h", folded=folded)
    assert found.exact
    assert found.equities == pytest.approx(equities, abs=1e-12)
    assert found.wins == pytest.approx(wins, abs=1e-12)
    assert found.ties == pytest.approx(ties, abs=1e-12)
    assert multiway_equity(players, "Ts9s2d4c8h", folded=folded, samples=1_000).exact


@pytest.mark.slow
def test_more_than_two_are_drawn_with_an_interval_that_holds_the_exact_equity() -> None:
    players, folded = ["AsKs,QQ", "JJ"], ["AJs,TT", "AQs", "KJs,AhKh"]
    equities, *_ = by_every_deal(players, folded, "Ts9s2d4c8h")
    hits = 0
    for seed in range(10):
        found = equity(
            players[0], players[1], "Ts9s2d4c8h", folded=folded, samples=2_000, seed=seed
        )
        assert found.interval is not None
        hits += found.interval[0] <= equities[0] <= found.interval[1]
    assert hits >= 8
    three = multiway_equity([*players, "AhQh"], "Ts9s2d4c8h", folded=folded, samples=50_000)
    exact, *_ = by_every_deal([*players, "AhQh"], folded, "Ts9s2d4c8h")
    for share, found_share, error in zip(
        exact, three.equities, three.standard_errors or (), strict=True
    ):
        assert abs(share - found_share) < 4 * error


@pytest.mark.slow
def test_the_same_bits_with_any_number_of_threads() -> None:
    for keys in ({"folded": ["22+"]}, {"folded": ["22+"] * 3, "samples": 3_000}):
        first, second = (equity("AK", "QQ,AJ", "Ts9s2d", threads=n, **keys) for n in (1, 2))
        assert first.oop == second.oop
        assert np.array_equal(first.oop_hands, second.oop_hands, equal_nan=True)


def test_nobody_who_folded_is_the_plain_equity() -> None:
    plain = equity("AK", "QQ", "Ts9s2d").oop
    assert equity("AK", "QQ", "Ts9s2d", folded=[]).oop == plain


@pytest.mark.slow
def test_a_random_hand_that_folded_changes_nothing() -> None:
    plain = equity("AK", "QQ", "Ts9s2d").oop
    assert equity("AK", "QQ", "Ts9s2d", folded=["random"]).oop == pytest.approx(plain, abs=1e-12)


@pytest.mark.parametrize(
    ("keys", "option"),
    [
        ({"folded": [""]}, "folded"),
        ({"folded": ["AA"], "board": "AsAhAd"}, "folded"),
        ({"folded": ["AA"], "oop": "AsAh", "ip": "AdKs"}, "folded"),
        ({"folded": ["AA"] * (MOST_FOLDED + 1)}, "folded"),
        ({"folded": ["AA"] * 3, "exact": True}, "exact"),
        ({"folded": ["AA", "AA", "AA"], "board": "2c3c4c"}, "folded"),
        ({"folded": 5}, "folded"),
        ({"folded": [5]}, "folded[0]"),
    ],
)
def test_what_is_refused(keys: dict[str, Any], option: str) -> None:
    arguments = {"oop": "KK", "ip": "QQ", "board": "", **keys}
    with refuses(ConfigError, option=option):
        equity(**arguments)


def test_what_would_take_days_is_refused() -> None:
    with refuses(ConfigError, option="exact"):
        multiway_equity(["random"] * 3, folded=["random"], exact=True)


def test_a_folded_range_that_cannot_be_read() -> None:
    with refuses(RangeSyntaxError, position=3):
        equity("AA", "KK", folded=["KK,QX"])
