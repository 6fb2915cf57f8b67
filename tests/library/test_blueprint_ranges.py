"""The ranges of our own blueprints that come with Equilibrist."""

from __future__ import annotations

import numpy as np
import pytest

from equilibrist.library.blueprint_ranges import FOLDER, RangeSet, range_sets
from equilibrist.play import HandGame
from equilibrist.poker import Hand, Range
from equilibrist.poker.hands.named import hand_keys


@pytest.mark.parametrize("found", range_sets(), ids=lambda found: found.name)
def test_the_ranges_of_a_set_are_what_one_player_can_do(found: RangeSet) -> None:
    """At no decision a hand is played more often than it comes there; the first is everybody's."""
    game = HandGame(Hand(**hand_keys(found.hand)))
    assert game.seat_names == found.seats
    assert game.stack_unit == "big blinds"
    decisions: dict[tuple[int, str], np.ndarray] = {}
    for row in found.ranges:
        weights = Range(row.text).class_weights
        assert weights.sum() > 0.0
        at = (row.seat, row.line)
        decisions[at] = decisions.get(at, 0.0) + weights
        state = game.at(f"AhKh:{row.line}")[1]
        assert state.betting.player == row.seat
        assert row.action in [action.code for action in game.legal(state)]
    assert all(weights.max() <= 1.03 for weights in decisions.values())
    assert min(line for _, line in decisions) == ""
    assert found.samples > 10_000
    assert (found.buckets == "") == (found.method == "multiway")
    low, high = found.gain_interval_mbb
    assert 0.0 <= low <= high < 300.0
    assert found.gain_mbb > 0.0


def test_every_file_is_a_set() -> None:
    assert [found.name for found in range_sets()]
    assert {found.name for found in range_sets()} == {path.stem for path in FOLDER.glob("*.toml")}
