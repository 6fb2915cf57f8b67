"""How often the betting of a spot is walked: once, however many need its streets or its tree."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from equilibrist import load_result
from equilibrist.cli.main import run
from equilibrist.poker import Spot, estimate, export, resume, runouts, solve
from equilibrist.poker.betting import street_tree as street_betting
from equilibrist.poker.betting.rules import BettingRules
from equilibrist.poker.betting.state import BettingState
from equilibrist.poker.postflop.estimate.reductions import check_fits

KEYS: dict[str, Any] = {
    "board": "Ts3s2h5h", "oop": "AA,QQ", "ip": "KK", "pot": 100, "stack": 100, "bets": "a",
}  # fmt: skip


@pytest.fixture
def walks(monkeypatch: pytest.MonkeyPatch) -> list[BettingRules]:
    """The bettings whose first street has been walked, one entry for each time."""
    found: list[BettingRules] = []
    walked = street_betting._walked

    def counted(rules: BettingRules, root: BettingState, left: int, most: int) -> Any:
        if root == rules.root():
            found.append(rules)
        return walked(rules, root, left, most)

    monkeypatch.setattr(street_betting, "_walked", counted)
    return found


def test_a_solve_and_all_that_follows(walks: list[BettingRules], tmp_path: Path) -> None:
    spot = Spot(**KEYS)
    assert not walks
    solution = solve(spot, iterations=2, checkpoint=tmp_path / "state")
    assert solution.at("X-X|2c|X").player == 1
    export(solution, tmp_path / "tree.json", streets="river")
    runouts(solution, "X-X")
    solution.save(tmp_path / "a.spot")
    estimate(spot)
    assert walks == [spot.rules()]


def test_a_solution_from_a_file(walks: list[BettingRules], tmp_path: Path) -> None:
    solve(Spot(**KEYS), iterations=2).save(tmp_path / "a.spot")
    walks.clear()
    export(load_result(tmp_path / "a.spot"), tmp_path / "tree.json")
    assert len(walks) == 1


def test_a_resumed_run(walks: list[BettingRules], tmp_path: Path) -> None:
    solve(Spot(**KEYS), iterations=2, checkpoint=tmp_path / "state")
    walks.clear()
    resume(tmp_path / "state", iterations=3).at("X")
    assert len(walks) == 1


@pytest.mark.parametrize("command", ["solve", "export --out {}/a.json", "report --line X-X"])
def test_commands(command: str, walks: list[BettingRules], tmp_path: Path) -> None:
    keys = [text for key, value in KEYS.items() for text in (f"--{key}", str(value))]
    given = [part.format(tmp_path) for part in command.split()]
    assert run(["postflop", *given, *keys, "--iterations", "2"]) == 0
    assert len(walks) == 1


def test_what_is_derived_does_not_outlive_a_change(walks: list[BettingRules]) -> None:
    spot = Spot(**KEYS)
    nodes = len(spot.betting.tree.kind)
    assert spot == Spot(**KEYS), "equal whatever was asked of them"
    assert hash(spot) == hash(Spot(**KEYS))
    for raked in (spot.model_copy(update={"rake": 0.05}), spot.replace(rake=0.05)):
        assert raked.rules().rake_rate == 0.05
        assert raked.betting.tree.payoffs.max() < spot.betting.tree.payoffs.max()
        assert len(raked.betting.tree.kind) == nodes
        assert raked.betting is not spot.betting
    assert len(walks) == 3


def test_symmetries_are_given_out_as_copies() -> None:
    spot = Spot(**KEYS)
    group = spot.symmetries
    group[:] = -1
    assert (spot.symmetries >= 0).all()
    check_fits(spot)
