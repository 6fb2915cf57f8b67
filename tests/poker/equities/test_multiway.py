"""Equities of several ranges: an oracle in fractions, hands worked by hand, symmetry, samples."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from math import comb
from typing import Any

import numpy as np
import pytest

from equilibrist.errors import CardSyntaxError, ConfigError, RangeSyntaxError
from equilibrist.poker.cards.cards import card_names, parse_cards
from equilibrist.poker.cards.combos import COMBO_INDEX, FIRST_CARD, SECOND_CARD
from equilibrist.poker.cards.evaluator import hand_strengths
from equilibrist.poker.equities import deals, multiway
from equilibrist.poker.equities.equity import equity
from equilibrist.poker.equities.multiway import MultiwayEquity, multiway_equity
from equilibrist.poker.equities.players import count_boards
from equilibrist.poker.ranges.range import Range
from tests.refusals import refuses

Shares = tuple[list[Fraction], list[Fraction], list[Fraction], Fraction]


def by_all_deals(ranges: list[Range], board: str, dead: str = "") -> Shares:
    """(equities, wins, ties, the weight of all deals of hands), by every deal on every board."""
    on_board, gone = parse_cards(board), parse_cards(dead)
    deck = [card for card in range(52) if card not in (*on_board, *gone)]
    hands = [
        [
            ({int(FIRST_CARD[c]), int(SECOND_CARD[c])}, Fraction(float(given.weights[c])))
            for c in np.flatnonzero(given.weights)
            if {int(FIRST_CARD[c]), int(SECOND_CARD[c])} <= set(deck)
        ]
        for given in ranges
    ]
    n = len(ranges)
    equities, wins, ties = ([Fraction(0)] * n for _ in range(3))
    total = weight_of_hands = Fraction(0)
    for deal in product(*hands):
        held = set().union(*(cards for cards, _ in deal))
        if len(held) < 2 * n:
            continue
        weight = Fraction(1)
        for _, own in deal:
            weight *= own
        weight_of_hands += weight
        boards = [
            [*on_board, *rest]
            for rest in combinations([c for c in deck if c not in held], 5 - len(on_board))
        ]
        strengths = np.array(
            [hand_strengths(np.array([[*each, *cards] for each in boards])) for cards, _ in deal]
        )
        total += weight * len(boards)
        best = strengths == strengths.max(axis=0)
        sharing = best.sum(axis=0)
        for k in range(n):
            alone = int((best[k] & (sharing == 1)).sum())
            wins[k] += weight * alone
            equities[k] += weight * alone
            for size in range(2, n + 1):
                tied = int((best[k] & (sharing == size)).sum())
                ties[k] += weight * tied
                equities[k] += weight * Fraction(tied, size)
    return (
        [x / total for x in equities],
        [x / total for x in wins],
        [x / total for x in ties],
        weight_of_hands,
    )


def assert_same(found: MultiwayEquity, expected: Shares) -> None:
    equities, wins, ties, weight = expected
    assert found.exact
    assert found.equities == pytest.approx([float(x) for x in equities], abs=1e-14)
    assert found.wins == pytest.approx([float(x) for x in wins], abs=1e-14)
    assert found.ties == pytest.approx([float(x) for x in ties], abs=1e-14)
    assert found.matchups == pytest.approx(float(weight), rel=1e-13)
    parts = [float(x - win) for x, win in zip(equities, wins, strict=True)]
    assert found.from_ties == pytest.approx(parts, abs=1e-14)


@pytest.mark.by_default(1)
@pytest.mark.parametrize(
    ("ranges", "board", "dead"),
    [
        (["AsAh,KK:0.5", "QQ,AsKs:0.25", "JJ:0.5,98s"], "Ts9s2d4h", ""),
        (["AK", "AK:0.5,QJ", "AsQs,KQ:0.25"], "AcKd7h2s", "2c 3c"),
        (["22:0.5,AsKs", "33,AdKd", "44,AcKc", "AhKh"], "QsJdTc2c", ""),
        (["AsKs,77", "AdKd,66", "AcKc,55", "AhKh,9s8s", "QQ:0.5"], "Tc9d2h3s4s", "5h"),
        (["A2:0.5", "A3", "A4", "T5:0.25"], "KsKhKdKcQs", "Ac"),  # three aces tie
        (["AsKs", "QsJs", "9s8s", "7s6s", "5s4s", "3d2d"], "AhKhQhJh", ""),
        (["AsKs,2h2d", "AhKh,3h3d", "AdKd,2s2c"], "QsJdTc", ""),
    ],
)
def test_every_deal_on_every_board(ranges: list[str], board: str, dead: str) -> None:
    given = [Range(text) for text in ranges]
    assert_same(multiway_equity(given, board, dead=dead), by_all_deals(given, board, dead))


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_random_ranges_with_random_weights(seed: int) -> None:
    rng = np.random.default_rng(seed)
    deck = [int(card) for card in rng.permutation(52)]
    board, deck = deck[:4], deck[4:]
    ranges = []
    for size in rng.permutation([3, 9, 6]):  # the order of the players is not that of the sizes
        weights = np.zeros(1326)
        for _ in range(size):
            weights[COMBO_INDEX[tuple(rng.choice(deck, 2, replace=False))]] = rng.random()
        ranges.append(Range.from_weights(weights))
    assert_same(multiway_equity(ranges, card_names(board)), by_all_deals(ranges, card_names(board)))


def test_before_the_flop_with_few_cards_left() -> None:
    """Sixes to aces of three suits are left: suits may be renamed, and boards are enumerated once.

    Whole weights have exact sums, so that the fractions agree to the last bit.
    """
    dead = card_names([c for c in range(52) if c < 32 or c % 4 == 0])
    ranges = [Range("AA"), Range("KK,AKs"), Range("QQ,JTs")]
    found = multiway_equity(ranges, dead=dead)
    expected = by_all_deals(ranges, "", dead)
    assert_same(found, expected)
    assert found.equities == tuple(float(x) for x in expected[0])
    assert found.boards is not None
    assert found.boards < 3003 / 4


def test_three_pairs_before_the_flop() -> None:
    """One deal of each kind against every board, without renaming suits; ties are three-way."""
    found = multiway_equity(["AA", "KK", "QQ"])
    assert found.matchups == 216
    assert found.boards == 134_459
    assert sum(found.equities) == pytest.approx(1, abs=1e-15)
    assert [round(100 * x, 3) for x in found.equities] == [66.979, 17.746, 15.275]
    assert found.ties[0] == found.ties[1] == found.ties[2]  # only the board itself ties
    assert found.from_ties == pytest.approx([x / 3 for x in found.ties], abs=1e-15)


@pytest.mark.slow
def test_three_hands_on_all_boards() -> None:
    """1,370,754 boards, each with the evaluator alone."""
    held = parse_cards("AsAhKsKdQsQh")
    deck = [card for card in range(52) if card not in held]
    boards = np.array(list(combinations(deck, 5)), dtype=np.uint8)
    strengths = np.array(
        [
            hand_strengths(np.column_stack([boards, np.tile(hand, (len(boards), 1))]))
            for hand in np.array(held, dtype=np.uint8).reshape(3, 2)
        ]
    )
    best = strengths == strengths.max(axis=0)
    expected = (best / best.sum(axis=0)).mean(axis=1)
    found = multiway_equity(["AsAh", "KsKd", "QsQh"])
    assert found.equities == pytest.approx(expected.tolist(), abs=1e-12)
    assert found.wins == pytest.approx((best & (best.sum(axis=0) == 1)).mean(axis=1), abs=1e-14)


@pytest.mark.by_default(1)
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_the_board_plays_for_everybody(players: int) -> None:
    found = multiway_equity(["98,76,54,32"] * players, "AsKsQsJsTs")
    assert found.equities == (1 / players,) * players
    assert found.wins == (0,) * players
    assert found.ties == (1,) * players


@pytest.mark.slow
def test_equal_ranges_have_equal_equities() -> None:
    found = multiway_equity(["random"] * 3, "2c3d7h8sKd")
    assert found.equities == (1 / 3,) * 3
    assert len(set(found.wins)) == len(set(found.ties)) == 1
    found = multiway_equity(["TT+"] * 3, "2c3d7h")
    assert found.equities == pytest.approx([1 / 3] * 3, abs=1e-15)


@pytest.mark.parametrize(
    ("ranges", "board", "equities", "wins", "ties"),
    [
        (["AsAh", "KsKh", "QsQh"], "2c3d7h8s9c", [1, 0, 0], [1, 0, 0], [0, 0, 0]),
        (["AsKh", "AhKs", "QQ"], "AcKc2d3d4h", [1 / 2, 1 / 2, 0], [0, 0, 0], [1, 1, 0]),
        # Of 42 rivers two kings and two queens are left, which win for their pairs.
        (["AsAh", "KsKh", "QsQh"], "2c3d7h8s", [38 / 42, 2 / 42, 2 / 42], None, [0, 0, 0]),
        # Three weights of one hand; the others have one each: AA wins half as often as it is held.
        (["AsAh:0.5,JsJh", "KsKh", "QsQh"], "2c3d7h8s9c", [1 / 3, 2 / 3, 0], None, [0, 0, 0]),
        # AsKs cannot be held beside AsAh: only 7d7c counts.
        (["AsAh", "AsKs,7d7c:0.1", "QsQh"], "2c3d7h8s9c", [0, 1, 0], None, [0, 0, 0]),
    ],
)
def test_worked_by_hand(
    ranges: list[str], board: str, equities: list[Any], wins: list[Any] | None, ties: list[Any]
) -> None:
    found = multiway_equity(ranges, board)
    assert found.equities == pytest.approx(equities, abs=1e-15)
    assert found.wins == pytest.approx(equities if wins is None else wins, abs=1e-15)
    assert found.ties == pytest.approx(ties, abs=1e-15)


@pytest.mark.parametrize(
    ("ranges", "board", "options"),
    [
        (["QQ+,AK:0.3", "22+,AT+"], "QsJh2h", {}),
        (["AhKh", "QQ"], "", {"samples": 500, "seed": 3}),
    ],
)
def test_two_ranges_are_those_of_equity(
    ranges: list[str], board: str, options: dict[str, Any]
) -> None:
    one, two = ranges
    found, other = multiway_equity(ranges, board, **options), equity(one, two, board, **options)
    assert found.equities == (other.oop, other.ip)
    assert (found.boards, found.matchups, found.samples) == (other.boards, other.matchups, None)
    assert found.wins == (other.oop_win, other.ip_win)
    assert found.ties == (other.tie, other.tie)
    assert found.exact is other.exact


@pytest.mark.parametrize("board", ["QsJh2h8c3d", "QsJh2h8c"])
def test_wins_and_ties_of_two_ranges(board: str) -> None:
    ranges = [Range("QQ,AKs:0.5,T9s"), Range("JJ,QJs:0.25,T9")]
    assert_same(multiway_equity(ranges, board), by_all_deals(ranges, board))


def test_samples_are_near_the_truth() -> None:
    """Of ranges whose players are one group of hands, several groups, and single ones."""
    for ranges, board in (
        (["AA", "AK:0.3,KK", "QQ+"], "2c3d7h"),
        (["22+,A2+", "22+:0.5,AsKs", "33+,K2s+"], "Ts9s2d4h3c"),
        (["AsKs,2h2d:0.01", "AsQs,3h3d:0.01", "QQ,JJ"], "7h7d5c"),
    ):
        truth = multiway_equity(ranges, board, exact=True)
        found = multiway_equity(ranges, board, samples=20_000, seed=7)
        assert not found.exact
        assert (found.samples, found.boards, found.matchups) == (20_000, None, None)
        assert found.standard_errors is not None
        for k in range(3):
            assert abs(found.equities[k] - truth.equities[k]) < 4 * found.standard_errors[k]
            for share, real in ((found.wins, truth.wins), (found.ties, truth.ties)):
                error = np.sqrt((real[k] * (1 - real[k]) + 1e-4) / 20_000)
                assert abs(share[k] - real[k]) < 4 * error


def test_standard_errors_are_those_of_many_seeds() -> None:
    ranges, board = ["AA", "AK:0.3,KK", "QQ+"], "2c3d7h"
    truth = multiway_equity(ranges, board)
    drawn = [multiway_equity(ranges, board, samples=500, seed=seed) for seed in range(300)]
    shares = np.array([each.equities for each in drawn])
    errors = np.array([each.standard_errors for each in drawn])
    assert shares.std(axis=0) == pytest.approx(errors.mean(axis=0), rel=0.15)
    assert (np.abs(shares.mean(axis=0) - truth.equities) < 4 * shares.std(axis=0) / 300**0.5).all()


def test_an_error_where_every_sample_agrees() -> None:
    found = multiway_equity(["AsAh", "5h4h", "6d7d"], "AdAc2h", samples=100, seed=1)
    assert found.equities == (1.0, 0.0, 0.0)
    assert found.standard_errors is not None
    assert min(found.standard_errors) > 0.01


def test_all_hands_three_ways_have_a_third() -> None:
    found = multiway_equity(["random"] * 3)
    assert found.samples == multiway.SAMPLES
    assert found.standard_errors is not None
    assert found.standard_errors == pytest.approx([0.00046] * 3, rel=0.02)
    assert found.equities == pytest.approx([1 / 3] * 3, abs=4 * 0.00046)


@pytest.mark.parametrize(
    ("ranges", "board", "options"),
    [
        (["AA:0.7,72s", "KK,QJ:0.3", "TT:0.9"], "Th9h2c", {}),
        (["AA", "QQ:0.1,76s", "33+:0.7"], "", {"samples": 30_000, "seed": 5}),
    ],
)
def test_threads_change_no_bit(ranges: list[str], board: str, options: dict[str, Any]) -> None:
    alone = multiway_equity(ranges, board, threads=1, **options)
    for threads in (2, 5):
        assert multiway_equity(ranges, board, threads=threads, **options) == alone


def test_how_deals_are_cut_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    ranges = ["AA,72s", "KK,QJ", "TT"]
    every = multiway_equity(ranges, "Th9h2c")
    drawn = multiway_equity(ranges, "Th9h2c", samples=1000)
    monkeypatch.setattr(deals, "_PART_WORK", 1)
    monkeypatch.setattr(deals, "_MOST_PARTS", 50)
    monkeypatch.setattr(deals, "_DRAWN_IN_A_PART", 7)
    assert multiway_equity(ranges, "Th9h2c") == every
    assert multiway_equity(ranges, "Th9h2c", samples=1000) == drawn


def test_seeds_draw_other_deals() -> None:
    ranges = ["AhKh", "QQ", "JJ"]
    once = multiway_equity(ranges, samples=500, seed=5)
    assert multiway_equity(ranges, samples=500, seed=5) == once
    assert multiway_equity(ranges, samples=500, seed=6).equities != once.equities


def test_when_all_deals_are_enumerated(monkeypatch: pytest.MonkeyPatch) -> None:
    ranges = ["AhKh", "QsQc", "JJ"]  # 6 deals on 48 rivers
    assert multiway_equity(ranges, "Th9h2c3s", samples=288).exact
    assert not multiway_equity(ranges, "Th9h2c3s", samples=287).exact
    monkeypatch.setattr(multiway, "DEALS_AT_ONCE", 288)
    assert multiway_equity(ranges, "Th9h2c3s").exact
    monkeypatch.setattr(multiway, "DEALS_AT_ONCE", 287)
    assert multiway_equity(ranges, "Th9h2c3s").samples == multiway.SAMPLES
    assert multiway_equity(ranges, "Th9h2c3s", exact=True).exact


@pytest.mark.parametrize(
    ("ranges", "board", "dead"),
    [
        (["AA", "KK", "22"], "QsJsTs", ""),  # the other three suits are alike
        (["AhKh", "QQ", "JJ"], "Tc9c2d", "5d6d"),
        (["AA", "KK", "QQ"], "JsJhJd", "TsThTd"),
        (["AcAd", "KcKd", "QQ"], "9c9d2h3s", ""),
    ],
)
def test_boards_are_counted_as_they_are_enumerated(
    ranges: list[str], board: str, dead: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts: list[int] = []

    def count(*given: Any) -> int:
        counts.append(count_boards(*given))
        return counts[-1]

    monkeypatch.setattr(multiway, "count_boards", count)
    found = multiway_equity(ranges, board, dead=dead, exact=True)
    assert counts == [found.boards]


def test_scales_of_weights_do_not_matter() -> None:
    usual = multiway_equity(["AA,KQs:0.5", "JJ,T9s:0.1", "66"], "Th9h2c")
    small = multiway_equity(
        [Range("AA,KQs:0.5") * 1e-200, Range("JJ,T9s:0.1") * 1e-150, "66"], "Th9h2c"
    )
    assert small.equities == pytest.approx(usual.equities, abs=1e-12)


@pytest.mark.parametrize(
    ("arguments", "options", "fields"),
    [
        ((["AA"],), {}, dict(option="ranges", given=1)),
        ((["AA"] * 7,), {}, dict(option="ranges", given=7)),
        (("AA",), {}, dict(option="ranges", given="AA")),
        ((["AA", "KK", 5],), {}, dict(option="ranges[2]", given=5)),
        ((["AA", "KK", ""],), {}, dict(option="Player 3")),
        ((["AA", "QsJs", "KK"], "QsJh2h"), {}, dict(option="Player 2", given="board QsJh2h")),
        ((["AA", "AA", "AA"],), {}, dict(option="ranges")),
        ((["AA", "AA", "AA"],), {"samples": 100}, dict(option="ranges")),
        ((["A2+"] * 5, "AsAh2c"), {"samples": 100}, dict(option="ranges")),
        ((["AA", "KK", "QQ"], "QsJh2h"), {"dead": "2h"}, dict(option="dead", given="2h")),
        ((["AA", "KK", "QQ"],), {"dead": card_names(range(42))}, dict(option="dead", given=42)),
        ((["AA", "KK", "QQ"],), {"samples": 99}, dict(option="samples", given=99)),
        ((["AA", "KK", "QQ"],), {"samples": 500, "exact": True}, dict(option="samples", given=500)),
        (
            (["random"] * 3,),
            {"exact": True},
            dict(option="exact", given=1326**3 * 134_459, expected=10**13),
        ),
        ((["random"] * 6,), {"exact": True}, dict(option="exact", expected=10**13)),
        (
            (["random"] * 4, "QsJh2h3c4c"),
            {"exact": True},
            dict(option="exact", given=comb(47, 2) ** 4, expected=2 * 10**10),
        ),
        ((["AA", "KK", "QQ"],), {"seed": -1}, dict(option="seed", given=-1)),
        ((["AA", "KK", "QQ"],), {"threads": 0}, dict(option="threads", given=0)),
    ],
)
def test_bad_input(
    arguments: tuple[Any, ...], options: dict[str, Any], fields: dict[str, Any]
) -> None:
    with refuses(ConfigError, **fields):
        multiway_equity(*arguments, **options)


def test_bad_notation() -> None:
    with pytest.raises(RangeSyntaxError) as caught:
        multiway_equity(["AA", "KK", "QQ,AQo:1.1"])
    assert caught.value.position == 7
    with pytest.raises(CardSyntaxError):
        multiway_equity(["AA", "KK", "QQ"], "QsJh")
