"""Locks where spots are saved, go on, or are re-solved from a later street."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from equilibrist import load_result
from equilibrist.poker import solve
from equilibrist.poker.cards.cards import parse_card
from equilibrist.poker.postflop.solving.spot_runs import resume
from equilibrist.poker.postflop.spot.fields import Storage
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.poker.postflop.spot.subgame import subgame_at
from equilibrist.poker.ranges.range import Range
from tests.poker.postflop.engine.test_engine import TURN
from tests.poker.postflop.solving.test_locking import LOCKS


@pytest.mark.parametrize("storage", ["float32", "int16"])
def test_locks_are_saved(tmp_path: Path, storage: Storage) -> None:
    """What a file has is as before; a river that is re-solved keeps to the locks."""
    spot = TURN.replace(locks=LOCKS)
    solution = solve(spot, iterations=40, storage=storage, algorithm="dcfr")
    assert solution.unlocked_mean_gain is not None
    for keep in ("all", "no-rivers"):
        solution.save(tmp_path / keep, keep)
        loaded = load_result(tmp_path / keep)
        assert loaded.spot == spot
        assert loaded.unlocked_mean_gain == solution.unlocked_mean_gain
        for line in ("B20", "B20-C|2c", "X-X|2c"):
            fixed = solution.at(line).values.strategy
            found = loaded.at(line).values.strategy
            if line == "X-X|2c" and keep == "no-rivers":
                there = ~np.isnan(found[-1])
                assert there.any()
                np.testing.assert_allclose(found[-1, there], fixed[-1, there], atol=1e-6)
                assert loaded.at(line).resolved is not None
            elif keep == "all" or line == "B20":
                np.testing.assert_array_equal(found, fixed)


def test_runs_go_on_with_their_locks(tmp_path: Path) -> None:
    spot = TURN.replace(locks=LOCKS)
    solve(spot, iterations=20, checkpoint=tmp_path / "run")
    again, whole = resume(tmp_path / "run", iterations=40), solve(spot, iterations=40)
    assert again.spot == spot
    assert again.mean_gain == whole.mean_gain
    assert again.unlocked_mean_gain == whole.unlocked_mean_gain


def test_locks_of_a_later_street() -> None:
    flop = Spot(board="Td9d6h", oop="QQ,JJ", ip="99,88", pot=50, stack=100, bets="50%")
    locks = [
        "X-X|: QQ = X 1",
        "X-X|2c: JJ = ; X 10%",
        "X-X|2s: X 20%",
        "X-X|X-X|3c: QQ,JJ = X .3",
        "X-X|2c|B25: F .4",
        "B25: F .5",
        "B25-C|2c: X .6",
        "X-X|2s|X-X|3c: X .7",
    ]
    spot = flop.replace(locks=locks)
    weight = np.array([Range("JJ,QsQh").weights, flop.ip.weights])
    checked, _ = spot.rules().follow("X-X|")
    cards = parse_card("2c"), parse_card("3c")
    found = subgame_at(spot, checked.line, cards[:1], weight)
    assert found
    assert [str(lock) for lock in found.locks] == [
        ": QsQh = Check 1, Bet 25 0",
        ": QsQh = Check 0.1; JJ = ",
        "X-X|3c: JJ,QsQh = Check 0.3",
        "B25: 88,9s9h,9s9c,9h9c = Fold 0.4",
    ]
    river, _ = spot.rules().follow("X-X|X-X|")
    queens = np.array([Range("QQ").weights, flop.ip.weights])
    found = subgame_at(spot, river.line, cards, queens)
    assert found
    assert [str(lock) for lock in found.locks] == [": QQ = Check 0.3"]
