"""Control characters as people can see them."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from html import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from equilibrist.formatting.escaping import escape_control_chars, escape_lines


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
