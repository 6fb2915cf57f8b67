"""Locked frequencies where hardly anybody comes, nothing is at stake, or hands decide."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from equilibrist import load_result
from equilibrist.errors import ConfigError, LockSyntaxError
from equilibrist.poker import solve
from equilibrist.poker.postflop.files.batch import batch
from equilibrist.poker.postflop.solving.run import FREQUENCY_TOLERANCE
from equilibrist.poker.postflop.solving.solver import SpotSolver
from equilibrist.poker.postflop.spot.fields import Storage
from equilibrist.poker.postflop.spot.spot import Spot
from tests.poker.postflop.solving.test_frequencies import JAM, RIVER, constrained_value
from tests.refusals import refuses

RARE = Spot(
    board="8c8d3hAs7s",
    oop="77:0.5,A9s,T8s:0.05",
    ip="QJs,65s:0.05",
    pot=100,
    stack=200,
    bets="50%, a",
    raises="a",
)
TURN = Spot(board="Td9d6h5s", oop="QQ,JTs", ip="99,AKs,87s", pot=50, stack=100, bets="50%, a")


def test_nobody_comes_any_more() -> None:
    """What damps incentives is gone with the last who comes, or no best response fits them."""
    line, shares = "B50-A", {"Fold": 0.896}
    solver = SpotSolver(RARE.replace(locks=[f"{line}: frequency = Fold 0.896"]))
    solver.run(1000)
    assert solver.mean_gain() < 0.05
    assert solver.engine.expected(0) == pytest.approx(
        constrained_value(RARE, line, shares), abs=0.1
    )


@pytest.mark.parametrize("storage", ["float32", "int16"])
@pytest.mark.parametrize(
    ("spot", "line", "share"), [(RIVER, "B50", "Fold 30%"), (JAM, "A", "Fold 100%")]
)
def test_nothing_is_at_stake(spot: Spot, line: str, share: str, storage: Storage) -> None:
    """Where the other player never comes any play is as good, and the frequency is met."""
    solver = SpotSolver(
        spot.replace(locks=[": Check 1", f"{line}: frequency = {share}"]), storage=storage
    )
    solver.run(200)
    assert solver.frequency_error() < FREQUENCY_TOLERANCE


def test_few_who_come_count_little() -> None:
    """In 16 bits sums of those who hardly come stop fading; they hold no target up."""
    spot = RARE.replace(
        oop="77,AKs,A9s,KJo,T8s",
        ip="99,KQs,T8s:0.5",
        locks=["X-B50: frequency = Call .364, Fold .019"],
    )
    solver = SpotSolver(spot, storage="int16")
    solver.run(1000)
    assert solver.frequency_error() < FREQUENCY_TOLERANCE


@pytest.mark.parametrize(
    ("oop", "locks"),
    [
        ("QQ,JTs:0.1", ["X-X|: frequency = Check 40%", "X-X|2c: QQ = Check 1"]),
        (
            "QQ,JTs",
            [
                ": QQ = Check 1; JTs = Bet 25 .6",
                "X-X|: QQ = Check 1; frequency = Check 60%, Bet 25 20%, All-in 20%",
            ],
        ),
    ],
)
def test_later_streets_have_what_they_can(oop: str, locks: list[str], tmp_path: Path) -> None:
    """Hands fixed on a card, and frequencies whose sum those who come cannot have."""
    solution = solve(TURN.replace(oop=oop, locks=locks), iterations=50)
    solution.save(tmp_path / "file", "no-rivers")
    node = load_result(tmp_path / "file").at("X-X|2c")
    assert node.resolved is not None
    queens = [f"Q{a}Q{b}" for a, b in ("sh", "sd", "hd")]
    assert node.strategy.loc[queens, "Check"].to_numpy() == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize(
    ("spot", "locks", "frequency", "place"),
    [
        (
            RIVER,
            [": QQ,K9s,AKs = Check 1; frequency = Bet 50 .4, All-in .4"],
            0.8,
            "the lock at the root",
        ),
        (TURN, ["X-X|2c: frequency = Check 0%", "X-X|: Check 100%"], 0.0, "the lock at X-X|2c"),
        (TURN, ["X-X|: Check 100%", "X-X|2c: frequency = Check 0%"], 0.0, "the lock at X-X|2c"),
    ],
)
def test_what_hands_rule_out(spot: Spot, locks: list[str], frequency: float, place: str) -> None:
    with refuses(ConfigError, option="frequency", given=frequency, place=place):
        spot.replace(locks=locks)


def test_a_frequency_needs_its_sign() -> None:
    with refuses(LockSyntaxError, option="lock", position=2):
        RIVER.replace(locks=[": frequency Bet 50 25%"])


def test_batches_say_how_far_they_are(tmp_path: Path) -> None:
    """A board on which queens leave no room is left out; the others have a column more."""
    spot = TURN.replace(locks=[": QQ = Check 1; frequency = Bet 25 33%"])
    report = batch(spot, ["Td9d6h5s", "JdJs6h5s"], tmp_path / "all", iterations=100)
    assert [*report.skipped] == ["JdJs6h5s"]
    assert "allow 0 to 0.25" in report.skipped["JdJs6h5s"]
    assert all(0 <= row["frequency_error"] < 0.05 for row in report.rows)
    plain = batch(spot.replace(locks=()), ["Td9d6h5s"], tmp_path / "none", iterations=2)
    assert "frequency_error" not in plain.rows[0]
    assert np.isfinite(plain.rows[0]["exploitability_percent"])
