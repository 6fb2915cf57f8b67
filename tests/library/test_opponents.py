"""What plays a solution from a file."""

from __future__ import annotations

import pytest

from equilibrist import poker
from equilibrist.library import opponents
from equilibrist.library.opponents import holdem_opponent
from equilibrist.storage.kinds.file_kinds import CHARTS, PUSH_FOLD, SPOT_SOLUTION


def test_every_kind_of_holdem_is_played() -> None:
    assert {*opponents._MAKERS} == {*CHARTS, SPOT_SOLUTION}


@pytest.mark.parametrize(
    ("infoset", "key"), [("AhKh:", "AhKh:"), ("7s2d:F-R3", "7s2d:F-A"), ("7s2d:F-A", "7s2d:F-A")]
)
def test_charts_of_push_or_fold_have_a_letter_for_each_seat(infoset: str, key: str) -> None:
    charts = poker.push_fold(stack=3)
    opponent = holdem_opponent("chart", PUSH_FOLD, charts)
    assert (opponent.players, opponent.is_hand, opponent.is_spot) == (2, True, False)
    assert opponent.chart_key(infoset) == key
    assert opponent.agent("AI").name == "AI"
