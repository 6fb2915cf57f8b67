"""Lines of play as text."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from equilibrist.errors import ConfigError, LineSyntaxError
from equilibrist.poker.betting.actions import Action, Kind, line_text
from equilibrist.poker.betting.lines import node_id, parse_line
from equilibrist.poker.cards.cards import parse_cards
from tests.refusals import refuses, unchecked


def test_actions_have_a_code_and_words() -> None:
    actions = [
        Action(Kind.FOLD),
        Action(Kind.CHECK),
        Action(Kind.CALL),
        Action(Kind.BET, 94),
        Action(Kind.RAISE, 260),
        Action(Kind.ALL_IN, 910),
    ]
    assert [action.code for action in actions] == ["F", "X", "C", "B94", "R260", "A910"]
    assert list(map(str, actions)) == [
        "Fold",
        "Check",
        "Call",
        "Bet 94",
        "Raise 260",
        "All-in 910",
    ]


def codes(text: str) -> list[tuple[tuple[int, ...], list[str]]]:
    return [(part.cards, [action.code for action in part.actions]) for part in parse_line(text)]


PIO_IDS = [
    ("r:0", ""),
    ("r:0:c:b94:c:8h:c:c:2c:b294", "X-B94-C|8h|X-X|2c|B200"),
    ("r:0:b30:b90:b910:c:8h:2c", "B30-B90-B910-C|8h|2c"),
    ("r:0:c:c:8h:b10:b40:f", "X-X|8h|B10-B40-F"),
    ("r:0:b3.5:c:8h:b10.25", "B3.5-C|8h|B6.75"),
]


@pytest.mark.parametrize(("node", "line"), PIO_IDS)
def test_node_ids_are_read_as_lines(node: str, line: str) -> None:
    assert codes(node) == codes(line)
    assert codes(node.upper().replace("R:0", "r").replace(":", " : ")) == codes(line)
    streets, cards = [part.actions for part in parse_line(line)], parse_line(line)[1:]
    assert node_id(streets, [part.cards[0] for part in cards]) == node


@pytest.mark.parametrize(
    ("node", "position"),
    [
        ("r:", 2),
        ("r:1", 2),
        ("r:0:x", 4),
        ("r:0:b0", 4),
        ("r:0:b30:b30", 8),
        ("r:0:b30:c:8h:b20", 13),
        ("r:0:c-c", 4),
        ("r:0:8x", 4),
    ],
)
def test_wrong_node_ids_say_where(node: str, position: int) -> None:
    with refuses(LineSyntaxError, option="line", position=position):
        parse_line(node)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", [("", "")]),
        ("X", [("", "X")]),
        ("X-B94-C|8h|X-X|2c|B200", [("", "X B94 C"), ("8h", "X X"), ("2c", "B200")]),
        ("x - b94-c | [8h] |x-x", [("", "X B94 C"), ("8h", "X X")]),
        ("X-B94-C|X-X|B200", [("", "X B94 C"), ("", "X X"), ("", "B200")]),
        ("X-X|8h", [("", "X X"), ("8h", "")]),
        ("X-X|", [("", "X X"), ("", "")]),
        ("A910-C|8h|2c", [("", "A910 C"), ("8h", ""), ("2c", "")]),
        ("A-C|Ah|Ac|A", [("", "A C"), ("Ah", ""), ("Ac", "A")]),
        ("X-X|10♥|A50", [("", "X X"), ("Th", "A50")]),
    ],
)
def test_lines_are_read(text: str, expected: list[tuple[str, str]]) -> None:
    assert codes(text) == [(parse_cards(cards), play.split()) for cards, play in expected]


@pytest.mark.parametrize(
    ("text", "position", "fields"),
    [
        ("hello", 0, dict(option="line", given="hello")),
        ("X-B", 2, dict(option="line", given="B")),
        ("X-B9.55555", 2, dict(option="line", given="B9.55555")),
        ("X-B9.", 2, dict(option="line", given="B9.")),
        ("X-B0.00", 2, dict(option="line", given="B0.00")),
        ("X--X", 2, dict(option="line", given="")),
        ("X-", 2, dict(option="line", given="")),
        ("8h|X", 0, dict(option="line", given="8h")),
        ("X-X|8x", 4, dict(option="line", given="8x")),
        ("X-X|8hX", 6, dict(option="line", given="X")),
        ("X-B" + "9" * 11, 2, dict(option="line", given="B99999999999")),
        ("X-K", 2, dict(option="line", given="K")),
    ],
)
def test_what_is_no_line_is_pointed_at(text: str, position: int, fields: dict[str, Any]) -> None:
    with refuses(LineSyntaxError, **fields) as caught:
        parse_line(text)
    assert (caught.value.text, caught.value.position) == (text, position)


def test_a_line_is_text() -> None:
    with refuses(ConfigError, option="line"):
        parse_line(unchecked(None))


ACTIONS = st.one_of(
    st.sampled_from([Action(Kind.FOLD), Action(Kind.CHECK), Action(Kind.CALL)]),
    st.builds(Action, st.sampled_from([Kind.BET, Kind.RAISE, Kind.ALL_IN]), st.integers(1, 10**9)),
)
STREETS = st.lists(st.lists(ACTIONS, max_size=3).map(tuple), min_size=1, max_size=3).map(
    lambda streets: sorted(streets, key=lambda street: not street)
)
"""Streets without play come last, as after an all-in."""


@given(STREETS, st.lists(st.none() | st.integers(0, 51), min_size=2, max_size=2))
def test_what_is_printed_is_read_back(
    streets: list[tuple[Action, ...]], cards: list[int | None]
) -> None:
    dealt = [() if card is None else (card,) for card in cards]
    while len(streets) > 1 and not (streets[-1] or dealt[len(streets) - 2]):
        streets.pop()  # nothing but a bar, which is not read as a street
    parts = parse_line(line_text(streets, dealt))
    assert [part.actions for part in parts] == streets
    assert [part.cards for part in parts[1:]] == dealt[: len(streets) - 1]


@given(st.text(alphabet="XCFBRA0123456789-|AhKd ", max_size=16) | st.text(max_size=10))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        parts = parse_line(text)
    except LineSyntaxError as error:
        place = error.position
        assert 0 <= place <= len(text)
    else:
        again = line_text([part.actions for part in parts], [part.cards for part in parts[1:]])
        assert [p.actions for p in parse_line(again)] == [p.actions for p in parts]
