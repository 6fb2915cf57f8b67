"""Range files that come with Equilibrist: written from a solution, with how it was made."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.blueprint import shipped_ranges
from equilibrist.library.blueprint_ranges import RangePlayer, RangeSet
from equilibrist.poker import Hand, solve_multiway
from equilibrist.poker.preflop.multiway.solution import MultiwaySolution


@pytest.fixture(scope="module")
def solution() -> MultiwaySolution:
    """Three seats, with few deals."""
    hand = Hand(seats=3, stack=10, bets="2x,a", raises="a", last_street="preflop")
    return solve_multiway(hand, deals=20_000, threads=1)


@pytest.mark.slow
def test_a_multiway_solution_says_what_each_seat_gains(
    solution: MultiwaySolution, tmp_path: Path
) -> None:
    file = tmp_path / "three.toml"
    file.write_text(shipped_ranges.text("three", solution, None))
    found = RangeSet.read(file)
    assert (found.method, found.seats, found.stack) == ("multiway", solution.seats, 10.0)
    assert found.samples == solution.deals
    assert found.gains_mbb == pytest.approx([1000 * gain for gain in solution.gains], abs=0.051)
    assert found.gain_mbb == pytest.approx(sum(found.gains_mbb) / 3, abs=0.11)
    low, high = found.gain_interval_mbb
    assert low <= found.gain_mbb <= high


def test_it_is_played_as_it_was_solved(solution: MultiwaySolution, tmp_path: Path) -> None:
    """But for what is left out: rare actions, and two digits of each weight."""
    file = tmp_path / "three.toml"
    file.write_text(shipped_ranges.text("three", solution, None))
    player = RangePlayer(RangeSet.read(file))
    first = solution.at("")
    hand_class = first.by_class()
    names = [action.code for action in first.actions]
    for combo, place in (("AhAd", 0), ("7h2d", None)):
        mixture = player.mixture_at(f"{combo}:")
        assert sum(mixture) == pytest.approx(1.0)
        if place is not None:
            wanted = hand_class.strategy[:, place].ravel()
            assert mixture == pytest.approx(wanted.tolist(), abs=0.06)
        else:
            assert mixture[names.index("F")] > 0.5
