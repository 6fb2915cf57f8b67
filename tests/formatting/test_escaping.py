"""Control characters as people can see them."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from html import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from equilibrist.formatting.escaping import escape_control_chars, escape_lines, shorten


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", ""),
        ("K♠ a\\b 中 é\N{NO-BREAK SPACE}x", "K♠ a\\b 中 é\N{NO-BREAK SPACE}x"),
        ("a\nb\tc\r", r"a\nb\tc\r"),
        ("\x00\x1b[1m\x7f\x9b", r"\x00\x1b[1m\x7f\x9b"),
        ("\u202ea\u2066b\u200b\ufeff\u2028", r"\u202ea\u2066b\u200b\ufeff\u2028"),
        ("\ud800\uffff\U000e0001", r"\ud800\uffff\U000e0001"),
    ],
)
def test_what_is_obeyed_or_not_seen_is_escaped(text: str, shown: str) -> None:
    assert escape_control_chars(text) == shown


@given(st.text())
def test_what_is_visible_fits_into_xml_and_stays(text: str) -> None:
    shown = escape_control_chars(text)
    assert ET.fromstring(f"<a>{escape(shown)}</a>").text == (shown or None)
    assert escape_control_chars(shown) == shown
    assert "\n" not in shown


def test_meant_line_ends_stay() -> None:
    assert escape_lines("a\x1b\n\nb\r\n") == "a\\x1b\n\nb\\r\n"


def test_a_message_of_any_length_is_short_and_keeps_its_ends() -> None:
    assert shorten("a" * 400) == "a" * 400
    long_word = shorten(f"unknown game {'k' * 1_000_000}; see `equilibrist games`")
    assert len(long_word) < 400
    assert long_word.startswith("unknown game kkk")
    assert long_word.endswith("kkk; see `equilibrist games`")
    assert "characters left out" in long_word
    many_words = shorten(f"payoffs is [{'1, ' * 90_000}]; expected two rows")
    assert len(many_words) < 2_000
    assert many_words.startswith("payoffs is [1, 1")
    assert many_words.endswith("1, ]; expected two rows")
