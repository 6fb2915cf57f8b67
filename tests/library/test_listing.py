"""What lists of solutions say of files."""

from __future__ import annotations

from pathlib import Path

import pytest

from equilibrist.library.listing import best_first, entry_of
from equilibrist.poker import ThreeSpot, solve_three


def test_solutions_of_three_are_listed_and_ordered_by_what_seats_gain(tmp_path: Path) -> None:
    spot = ThreeSpot(
        board="Qs9h5d3cJs", oop="AA,T8s", middle="KK,QT", ip="TT,AQ", pot=10, stack=5, bets="a"
    )
    entries = []
    for iterations in (1, 60):
        solution = solve_three(spot, iterations=iterations)
        entry = entry_of(f"{iterations}", solution.save(tmp_path / f"{iterations}.spot"))
        assert entry is not None
        assert entry.kind == "three-spot-solution"
        assert entry.game == "Qs9h5d3cJs, three ranges"
        assert (entry.measure, entry.measure_name) == (solution.nash_conv, "NashConv")
        assert entry.pot == 10
        assert entry.values == pytest.approx(solution.values)
        entries.append(entry)
    assert [entry.name for entry in best_first(entries)] == ["60", "1"]
