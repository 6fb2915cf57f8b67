"""Numbers of things as text."""

from __future__ import annotations

import pytest

from equilibrist.formatting.amounts import counted


@pytest.mark.parametrize(
    ("count", "text"), [(0, "0 boards"), (1, "1 board"), (2, "2 boards"), (1755, "1,755 boards")]
)
def test_one_thing_has_no_plural(count: int, text: str) -> None:
    assert counted(count, "board") == text
