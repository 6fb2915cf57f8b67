"""Cards and boards: numbers, names, every accepted spelling, and what is refused and how."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from equilibrist.errors import CardSyntaxError, ConfigError
from equilibrist.poker.cards.cards import (
    card_mask,
    card_name,
    card_names,
    parse_board,
    parse_card,
    parse_cards,
)
from tests.refusals import refuses, unchecked

CARDS = st.lists(st.integers(0, 51), unique=True, max_size=7)


@pytest.mark.parametrize(
    ("name", "number"),
    [("2c", 0), ("2d", 1), ("2h", 2), ("2s", 3), ("3c", 4), ("Tc", 32), ("Ac", 48), ("As", 51)],
)
def test_numbers_are_four_times_the_rank_plus_the_suit(name: str, number: int) -> None:
    assert parse_card(name) == number
    assert card_name(number) == name


@pytest.mark.parametrize(
    "text",
    [
        "QsJh2h",
        "Qs Jh 2h",
        "Qs,Jh,2h",
        "Qs, Jh, 2h",
        "[Qs Jh 2h]",
        " [Qs,Jh,2h] ",
        "qsjh2h",
        "QSJH2H",
        "Q♠J♥2♥",
        "Q♠️ J♥️ 2♥️",
        "Q♤J♡2♡",
    ],
)
def test_every_spelling_of_a_board(text: str) -> None:
    assert parse_board(text) == (43, 38, 2)


def test_a_ten_is_one_or_two_characters() -> None:
    assert parse_board("10hTs9c 10d") == parse_board("ThTs9cTd")


@pytest.mark.parametrize(
    ("text", "position", "fields"),
    [
        ("Qx", 0, dict(option="card", given="Qx")),
        ("QsJ", 2, dict(option="card", given="J")),
        ("Qs J h", 3, dict(option="card", given="J ")),
        ("1h", 0, dict(option="card", given="1h")),
        ("QsYh", 2, dict(option="card", given="Yh")),
        ("Qs;Jh", 2, dict(option="card", given=";J")),
        ("??", 0, dict(option="card", given="??")),
        ("\u212as", 0, dict(option="card", given="Ks")),
        ("QsJhQs", 4, dict(option="card", given="Qs")),
        ("QsQ♠", 2, dict(option="card", given="Qs")),
    ],
)
def test_what_is_no_card_is_pointed_at(text: str, position: int, fields: dict[str, Any]) -> None:
    with refuses(CardSyntaxError, **fields) as caught:
        parse_cards(text)
    assert (caught.value.text, caught.value.position) == (text, position)
    *_, shown, mark = str(caught.value).splitlines()
    assert shown == f"  {text}"
    assert mark.index("^") == 2 + position


def test_long_and_odd_texts_are_shown_around_the_place() -> None:
    with pytest.raises(CardSyntaxError) as caught:
        parse_cards("\x1b" + " " * 200)
    assert str(caught.value).splitlines()[1].startswith(r"  \x1b")
    with pytest.raises(CardSyntaxError) as caught:
        parse_cards(" " * 200 + "Zc" + " " * 200)
    shown, mark = str(caught.value).splitlines()[1:]
    assert len(shown) < 100
    assert shown[mark.index("^")] == "Z"


@pytest.mark.parametrize("text", ["", "Qs", "QsJh", "QsJh2h3c4c5c"])
def test_a_board_has_three_to_five_cards(text: str) -> None:
    with refuses(CardSyntaxError, option="board", given=len(text) // 2, text=text):
        parse_board(text)


@pytest.mark.parametrize("text", ["", "AhKh"])
def test_one_card_is_one_card(text: str) -> None:
    with refuses(CardSyntaxError, option="cards", given=len(text) // 2, expected=1):
        parse_card(text)


def test_cards_are_text() -> None:
    with refuses(ConfigError, option="cards", given=51):
        parse_cards(unchecked(51))


def test_masks_have_a_bit_for_each_card() -> None:
    assert card_mask([]) == 0
    assert card_mask([0, 51]) == 2**51 + 1


@given(CARDS, st.sampled_from(["", " ", ",", ", "]))
def test_what_is_printed_is_read_back(cards: list[int], separator: str) -> None:
    assert parse_cards(card_names(cards, separator)) == tuple(cards)


@given(st.text(alphabet="23456789TJQKA10cdhsCDHS♠ ,[]?x\n", max_size=12) | st.text(max_size=12))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        cards = parse_cards(text)
    except CardSyntaxError as error:
        place = error.position
        assert 0 <= place < len(text)
    else:
        assert parse_cards(card_names(cards)) == cards


NEARLY_BOARDS = st.lists(
    st.sampled_from(["As", "kd", "10h", "2♣", " ", ",", "x", "Qs"]), max_size=9
)


@given(NEARLY_BOARDS.map("".join) | CARDS.map(card_names) | st.text(max_size=12))
def test_any_text_is_a_board_or_refused(text: str) -> None:
    try:
        board = parse_board(text)
    except CardSyntaxError as error:
        told, place = error.text, error.position
        assert told == text
        assert 0 <= place <= len(text)
    else:
        assert 3 <= len(board) == len(set(board)) <= 5
        assert parse_board(card_names(board)) == board
