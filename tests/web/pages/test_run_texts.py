"""What pages say of runs: estimates with no more digits than they are good for."""

from __future__ import annotations

import pytest

from equilibrist.web.pages.layout.text import rough_time


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0, "less than 1 s"),
        (0.0642, "less than 1 s"),
        (1.2, "about 1 s"),
        (9.4, "about 9 s"),
        (12.8, "about 15 s"),
        (57.0, "about 55 s"),
        (59.0, "about 1 min"),
        (95.0, "about 2 min"),
        (3569.0, "about 59 min"),
        (3590.0, "about 1.0 h"),
        (1e5, "about 28 h"),
    ],
)
def test_estimates_are_rough(seconds: float, text: str) -> None:
    assert rough_time(seconds) == text
