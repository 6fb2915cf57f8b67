"""Equities of two ranges: a plain oracle, hands worked by hand, published values, symmetry."""

from __future__ import annotations

from itertools import combinations, permutations
from math import comb
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from equilibrist.errors import ConfigError
from equilibrist.kernels.poker.equity import all_boards
from equilibrist.kernels.poker.strength_tables import Hands
from equilibrist.poker.cards.cards import card_mask, card_names, parse_cards
from equilibrist.poker.cards.combos import (
    CLASS_NAMES,
    COMBO_INDEX,
    COMBO_MASKS,
    FIRST_CARD,
    SECOND_CARD,
    class_combos,
    parse_combo,
    without_cards,
)
from equilibrist.poker.cards.evaluator import hand_strengths
from equilibrist.poker.cards.hand_ranking import EQUITY_AGAINST_RANDOM
from equilibrist.poker.equities import equity as equities
from equilibrist.poker.equities import runouts as showdowns
from equilibrist.poker.equities.equity import Equity, equity
from equilibrist.poker.equities.players import interchangeable
from equilibrist.poker.ranges.range import Range
from tests.refusals import refuses

OOP = (
    "88+,A8s+,A5s-A2s:0.5,AJo+,ATo:0.75,K9s+,KQo,KJo:0.75,KTo:0.25,Q9s+,QJo:0.5,J8s+,JTo:0.25,"
    "T8s+,T7s:0.45,97s+,96s:0.45,87s,86s:0.75,85s:0.45,75s+:0.75,74s:0.45,65s:0.75,64s:0.5,"
    "63s:0.45,54s:0.75,53s:0.5,52s:0.45,43s:0.5,42s:0.45,32s:0.45"
)
IP = (
    "AA:0.25,99-22,AJs-A2s,AQo-A8o,K2s+,K9o+,Q2s+,Q9o+,J6s+,J9o+,T6s+,T9o,96s+,95s:0.5,98o,86s+,"
    "85s:0.5,75s+,74s:0.5,64s+,63s:0.5,54s,53s:0.5,43s"
)


def by_all_pairs(
    weights: np.ndarray, board: tuple[int, ...], dead: tuple[int, ...]
) -> tuple[Any, ...]:
    """(shares of both, shares of combos, matchups): every pair of hands on every board."""
    deck = [card for card in range(52) if card not in (*board, *dead)]
    won, met = np.zeros((2, 1326)), np.zeros((2, 1326))
    pairs = 0.0
    free_now = without_cards(card_mask((*board, *dead)))
    players = [np.flatnonzero(row * free_now) for row in weights]
    cards = [{int(FIRST_CARD[h]), int(SECOND_CARD[h])} for h in range(1326)]
    for x in players[0].tolist():
        for y in players[1].tolist():
            if not cards[x] & cards[y]:
                pairs += weights[0, x] * weights[1, y]
    for rest in combinations(deck, 5 - len(board)):
        full = [*board, *rest]
        free = [[h for h in row.tolist() if not cards[h] & set(rest)] for row in players]
        both = sorted({*free[0], *free[1]})
        if not both:
            continue
        rows = np.array([[*full, *cards[h]] for h in both])
        strength = dict(zip(both, hand_strengths(rows).tolist(), strict=True))
        for x in free[0]:
            for y in free[1]:
                if cards[x] & cards[y]:
                    continue
                share = 0.5 + 0.5 * np.sign(strength[x] - strength[y])
                won[0, x] += weights[1, y] * share
                won[1, y] += weights[0, x] * (1 - share)
                met[0, x] += weights[1, y]
                met[1, y] += weights[0, x]
    with np.errstate(invalid="ignore"):
        hands = won / met
    first = (weights[0] * won[0]).sum() / (weights[0] * met[0]).sum()
    return first, hands, pairs


def some_weights(rng: np.random.Generator, hands: int, deck: list[int]) -> np.ndarray:
    """Two ranges of so many random hands out of the deck, with random weights."""
    possible = [COMBO_INDEX[pair] for pair in combinations(deck, 2)]
    weights = np.zeros((2, 1326))
    for row in weights:
        row[rng.choice(possible, min(hands, len(possible)), replace=False)] = rng.random()
        row[rng.choice(possible, min(hands, len(possible)) // 2, replace=False)] = rng.random()
    return weights


def assert_same(found: Equity, expected: tuple[Any, ...]) -> None:
    first, hands, pairs = expected
    assert found.oop == pytest.approx(first, abs=1e-12)
    assert found.oop + found.ip == 1
    assert found.matchups == pytest.approx(pairs, rel=1e-12)
    np.testing.assert_allclose([found.oop_hands, found.ip_hands], hands, atol=1e-9)
    assert found.exact


@pytest.mark.by_default(2)
@pytest.mark.parametrize(("cards", "hands"), [(5, 150), (5, 40), (5, 3), (4, 40), (4, 12), (3, 9)])
@pytest.mark.parametrize("seed", [1, 2])
def test_every_pair_on_every_board(cards: int, hands: int, seed: int) -> None:
    rng = np.random.default_rng(100 * hands + seed)
    taken = [int(card) for card in rng.permutation(52)[: cards + 2]]
    board, dead = tuple(taken[:cards]), tuple(taken[cards:][: seed - 1])
    # Hands with a card of the board among them: they must not count.
    weights = some_weights(rng, hands, [card for card in range(52) if card not in taken[2:]])
    found = equity(
        Range.from_weights(weights[0]),
        Range.from_weights(weights[1]),
        card_names(board),
        dead=card_names(dead),
    )
    assert_same(found, by_all_pairs(weights, board, dead))


@pytest.mark.parametrize("left", [9, 10, 12])
def test_before_the_flop_with_few_cards_left(left: int) -> None:
    rng = np.random.default_rng(left)
    deck = sorted(int(card) for card in rng.permutation(52)[:left])
    dead = tuple(card for card in range(52) if card not in deck)
    weights = some_weights(rng, 25, deck)
    oop, ip = map(Range.from_weights, weights)
    found = equity(oop, ip, dead=card_names(dead))
    assert_same(found, by_all_pairs(weights, (), dead))


@pytest.mark.slow
def test_few_suits_left_before_the_flop() -> None:
    """Aces to tens are left: suits may be renamed, and most boards are images of others."""
    dead = card_names(range(36))
    found = equity("JJ+,AQ", "TT,KQ", dead=dead)
    weights = np.array([Range("JJ+,AQ").weights, Range("TT,KQ").weights])
    assert found.boards < 4368 / 12
    assert_same(found, by_all_pairs(weights, (), parse_cards(dead)))


def test_the_headline_spot() -> None:
    found = equity(OOP, IP, "QsJh2h")
    assert round(found.oop, 5) == 0.55347
    assert round(found.ip, 5) == 0.44653
    assert found.boards == 49 * 48 / 2 - 455  # diamonds and clubs are the same
    assert found.board == parse_cards("QsJh2h")


@pytest.mark.slow
def test_aces_against_kings() -> None:
    """81.946 %, as tables of preflop odds have it; of 36 matchups 6 share both suits, 6 none."""
    found = equity("AA", "KK")
    assert found.boards == 134_459
    assert round(100 * found.oop, 3) == 81.946
    assert found.matchups == 36
    one, two, none = (equity("AsAh", hand) for hand in ("KsKd", "KsKh", "KdKc"))
    assert (6 * two.oop + 6 * none.oop + 24 * one.oop) / 36 == pytest.approx(found.oop, abs=1e-13)
    assert found.oop_hands[parse_combo("AsAh")] == pytest.approx(found.oop, abs=1e-13)


@pytest.mark.slow
def test_two_hands_on_all_boards() -> None:
    """1,712,304 boards, each with the evaluator alone; no renaming of suits."""
    held = parse_cards("AsAhKsKd")
    deck = [card for card in range(52) if card not in held]
    boards = np.array(list(combinations(deck, 5)), dtype=np.uint8)
    aces, kings = (
        hand_strengths(np.column_stack([boards, np.tile(hand, (len(boards), 1))])).astype(int)
        for hand in np.array([held[:2], held[2:]], dtype=np.uint8)
    )
    expected = (np.mean(aces > kings) + np.mean(aces >= kings)) / 2
    assert equity("AsAh", "KsKd").oop == pytest.approx(expected, abs=1e-13)


@pytest.mark.parametrize(
    ("oop", "ip", "board", "share"),
    [
        ("AsAh", "KsKh", "2c3d7h8s", 42 / 44),  # two kings are left
        ("AsAh", "AdAc", "2c3d7h8s", 1 / 2),
        ("AsKs", "QhQd", "2s3s7h8c", 15 / 44),  # nine spades, three aces, three kings
        ("22+,AK", "22+,AK", "AsKsQsJsTs", 1 / 2),
        ("AA", "KK-22,K9-K2,Q8-Q2,J8-J2,T8-T2,92+,82+,72+,62+", "AcAdKh", 1),
        ("AA,QQ", "KK", "Ts3h2h5c9s", 1 / 2),
        ("QhQs", "AhKs,JhJs", "Qd7c2c7d7h", 1),
        ("AA:0.5,QQ", "KK", "Ts3h2h5c9s", 1 / 3),
        ("0%,32", "7h2h", "As9d9cKdTs", 1 / 2),  # the board plays, but for nobody's cards
    ],
)
def test_worked_by_hand(oop: str, ip: str, board: str, share: float) -> None:
    assert equity(oop, ip, board).oop == pytest.approx(share, abs=1e-13)


def test_every_range_against_itself_has_half() -> None:
    for text in ("22+", "AhKh,QdQc:0.3,JJ", OOP):
        assert equity(text, text, "Td9d6h").oop == pytest.approx(0.5, abs=1e-12)


@pytest.mark.slow
def test_equities_of_the_order_of_hands() -> None:
    """`benchmarks/poker/hand_order.py` makes the whole table so."""
    aces = equity("AA,72o,JTs,32o", Range.full())
    for name in ("AA", "72o", "JTs", "32o"):
        shares = aces.oop_hands[class_combos(CLASS_NAMES.index(name))]
        assert np.ptp(shares) < 1e-12
        assert round(float(shares[0]), 5) == EQUITY_AGAINST_RANDOM[name]


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_names_of_suits_and_players_do_not_matter(data: st.DataObject) -> None:
    seed = data.draw(st.integers(0, 2**32))
    suits = np.array(data.draw(st.permutations(range(4))))
    rng = np.random.default_rng(seed)
    board = [int(card) for card in rng.permutation(52)[: data.draw(st.sampled_from([3, 4, 5]))]]
    deck = [card for card in range(52) if card not in board]
    weights = some_weights(rng, data.draw(st.integers(1, 60)), deck)
    oop, ip = (Range.from_weights(row) for row in weights)
    held = [COMBO_MASKS[row > 0] for row in weights]
    if (held[0][:, None] & held[1]).all():
        with refuses(ConfigError, option="ranges"):
            equity(oop, ip, card_names(board))
        return
    found = equity(oop, ip, card_names(board))

    def renamed(cards: np.ndarray) -> np.ndarray:
        return cards // 4 * 4 + suits[cards % 4]

    image = COMBO_INDEX[renamed(FIRST_CARD), renamed(SECOND_CARD)]
    others = np.zeros_like(weights)
    others[:, image] = weights
    renamed_oop, renamed_ip = (Range.from_weights(row) for row in others)
    again = equity(renamed_oop, renamed_ip, card_names(renamed(np.array(board))))
    assert again.oop == pytest.approx(found.oop, abs=1e-12)
    np.testing.assert_allclose(again.oop_hands[image], found.oop_hands, atol=1e-9)
    swapped = equity(ip, oop, card_names(board))
    assert swapped.oop == pytest.approx(found.ip, abs=1e-12)
    np.testing.assert_allclose(swapped.oop_hands, found.ip_hands, atol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("oop", "ip", "board", "samples"),
    [("AhKh", "QdQc", "", 400), ("JJ+,AKs", "66-22,76s:0.5", "Th9c2s", 900), ("AA", "KK", "", 100)],
)
def test_the_interval_holds_the_truth_nearly_always(
    oop: str, ip: str, board: str, samples: int
) -> None:
    truth = equity(oop, ip, board, exact=True).oop
    found = [equity(oop, ip, board, samples=samples, seed=seed) for seed in range(400)]
    low, high = np.array([drawn.interval for drawn in found]).T
    assert 0.93 <= np.mean((low <= truth) & (truth <= high)) <= 0.98
    shares = np.array([drawn.oop for drawn in found])
    assert abs(shares.mean() - truth) < 4 * shares.std() / 20
    assert all(drawn.boards == samples and not drawn.exact for drawn in found)


def test_an_interval_where_every_board_agrees() -> None:
    """Aces with a full house lose to one hand in a thousand boards, which need not be drawn."""
    found = equity("AsAh", "5h4h", "AdAc2h", samples=100, seed=1)
    assert found.oop == 1
    assert found.interval is not None
    assert found.interval[0] < equity("AsAh", "5h4h", "AdAc2h").oop < 1 == found.interval[1]


def test_drawn_boards_give_each_hand_its_share() -> None:
    truth = equity("AA,AK,T9s", "QQ-88,AQ", "Qh7h2c")
    drawn = equity("AA,AK,T9s", "QQ-88,AQ", "Qh7h2c", samples=1000, seed=3)
    known = ~np.isnan(truth.ip_hands)
    assert np.array_equal(known, ~np.isnan(drawn.ip_hands))
    assert np.abs(truth.ip_hands - drawn.ip_hands)[known].max() < 0.06
    assert drawn.matchups == truth.matchups


def same_bits(one: Equity, other: Equity) -> bool:
    shares = [
        np.array_equal(x, y, equal_nan=True)
        for x, y in ((one.oop_hands, other.oop_hands), (one.ip_hands, other.ip_hands))
    ]
    return (one.oop, one.interval, one.boards) == (other.oop, other.interval, other.boards) and all(
        shares
    )


@pytest.mark.parametrize(
    ("oop", "ip", "board", "options"),
    [
        ("AhKh,T9s:0.3", "QQ,JJ:0.7", "Th9h2c", {}),
        ("AA", "KK", "", {}),
        ("AhKh:0.9,22", "QQ", "", {"samples": 5000, "seed": 5}),
        ("AhKh", "QQ", "Th9h2c3s4d", {}),
    ],
)
def test_threads_change_no_bit(oop: str, ip: str, board: str, options: dict[str, Any]) -> None:
    alone = equity(oop, ip, board, **options)
    for threads in (2, 7):
        assert same_bits(equity(oop, ip, board, threads=threads, **options), alone)


def test_seeds_draw_other_boards() -> None:
    once = equity("AhKh", "QQ", samples=500, seed=5)
    assert same_bits(equity("AhKh", "QQ", samples=500, seed=5), once)
    assert equity("AhKh", "QQ", samples=500, seed=6).oop != once.oop


def test_how_boards_are_cut_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    every, drawn = equity("AhKh", "QQ", "Th9h2c"), equity("AhKh", "QQ", samples=500)
    monkeypatch.setattr(showdowns, "_SHORTEST", 7)
    again, drawn_again = equity("AhKh", "QQ", "Th9h2c"), equity("AhKh", "QQ", samples=500)
    assert again.oop == pytest.approx(every.oop, abs=1e-14)
    assert again.boards == every.boards
    assert drawn_again.interval == pytest.approx(drawn.interval, abs=1e-14)


def test_choices_by_number() -> None:
    for among, size in ((7, 3), (5, 5), (9, 1), (4, 0)):
        choices = [showdowns.choice(n, among, size) for n in range(comb(among, size))]
        assert [tuple(each.tolist()) for each in choices] == [*combinations(range(among), size)]


def test_more_samples_than_boards_are_all_boards() -> None:
    found = equity("AhKh", "QsQc", "Th9h2c3s", samples=100)
    assert found.exact
    assert found.boards == 48
    assert not equity("AhKh", "QsQc", "Th9h2c", samples=1175).exact


@pytest.mark.slow
def test_large_ranges_of_single_hands_are_drawn() -> None:
    lopsided = Range.from_weights(np.linspace(0.1, 1, 1326))
    found = equity(lopsided, "22+")
    assert not found.exact
    assert found.boards == equities.SAMPLES


def test_scales_of_weights_do_not_matter() -> None:
    usual = equity("AA,KQs:0.5", "JJ,T9s:0.1", "Th9h2c")
    small = equity(Range("AA,KQs:0.5") * 1e-200, Range("JJ,T9s:0.1") * 1e-150, "Th9h2c")
    assert small.oop == pytest.approx(usual.oop, abs=1e-12)


def test_hands_that_block_all_opposing_hands_are_left_out() -> None:
    found = equity("AsAh,QsQh", "AsKs,AhKh:0.001,AsAh", "Th9h2c5d7s")
    assert np.isnan(found.oop_hands[parse_combo("AsAh")])
    assert not np.isnan(found.oop_hands[parse_combo("QsQh")])
    assert np.isnan(found.ip_hands).sum() == 1326 - 3
    assert found.ranges[0] == Range("AsAh,QsQh")
    with pytest.raises(ValueError, match="read-only"):
        found.oop_hands[0] = 1


def test_all_permutations_of_suits_are_a_group() -> None:
    """What does not change a range of classes: all 24; of one suited hand: the 6 that keep it."""
    weights = np.array([Range("AKs").weights, Range("22").weights])
    assert interchangeable(weights, (), ()).tolist() == [
        list(suits) for suits in permutations(range(4))
    ]
    weights = np.array([Range("AhKh").weights, Range("22").weights])
    kept = interchangeable(weights, (), ()).tolist()
    assert kept == [list(suits) for suits in permutations(range(4)) if suits[2] == 2]
    kept = interchangeable(weights, parse_cards("2s3s4s"), parse_cards("9d")).tolist()
    assert kept == [[0, 1, 2, 3]]


def test_no_kernel_is_compiled_for_an_empty_deck() -> None:
    """A list without cards would be an array of floats, for which all is compiled once more."""
    showdowns.load()
    kernel: Any = all_boards
    known = len(kernel.signatures)
    cards, nothing = np.zeros(1, np.uintp), np.zeros((2, 1))
    hands = Hands(cards, cards, nothing, nothing, nothing)
    showdowns.on_all_boards(hands, (0, 1, 2, 3, 4), [], np.zeros((1, 4), np.uint64), 1)
    assert len(kernel.signatures) == known
