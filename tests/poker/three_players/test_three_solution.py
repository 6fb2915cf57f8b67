"""Solutions of rivers with three players: decisions, files, and how runs end."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.errors import ConfigError, FileFormatError, LineSyntaxError, MemoryBudgetError
from equilibrist.poker import HandSolution, ThreeSolution, ThreeSpot, solve_three
from equilibrist.poker.cards.combos import parse_combo
from equilibrist.poker.postflop.solving.variants import SPOT_VARIANT
from equilibrist.poker.three_players.profile import HandsAndGames, Measure
from equilibrist.poker.three_players.solver import ThreeSolver, memory_needed
from equilibrist.progress import Progress
from equilibrist.solvers.run.stopping import Stop
from equilibrist.storage.archive import read_archive, write_archive
from equilibrist.storage.kinds.file_kinds import THREE_SPOT
from tests.poker.three_players.recursion import Recursion
from tests.poker.three_players.test_profile import SMALL
from tests.refusals import refuses, unchecked

SPOT = ThreeSpot(**SMALL, stacks=[100, 40, 250])


@pytest.fixture(scope="module")
def solution() -> ThreeSolution:
    return solve_three(SPOT, iterations=60)


def test_it_is_a_solution_of_hands(solution: ThreeSolution) -> None:
    assert isinstance(solution, HandSolution)
    assert solution.hand is SPOT
    assert solution.lines()[0] == ""
    assert len(solution.lines()) == sum(len(game.node) for game in solution.laid_out.games)
    assert solution.measure == pytest.approx(sum(solution.gains))
    json.dumps(solution.to_dict("X"))


def test_decisions_say_what_hands_do(solution: ThreeSolution) -> None:
    for line in solution.lines():
        decision = solution.at(line)
        assert (decision.line, decision.street, decision.board) == (line, "river", SPOT.cards)
        held = decision.reach > 0
        assert decision.strategy[:, held].sum(axis=0) == pytest.approx(1)
        assert not decision.strategy[:, decision.combos == 0].any()
    root = solution.at()
    assert root.seat_name == "OOP"
    assert root.reached == pytest.approx(1)
    assert root.reach[parse_combo("KsTs")] == 0.5
    after = solution.at("X")
    assert after.seat_name == "MID"


def test_evs_of_the_root_are_the_value(solution: ThreeSolution) -> None:
    root, laid_out = solution.at(), solution.laid_out
    weights = laid_out.weights[0] * laid_out.deals[0]
    assert root.ev is not None
    evs = root.ev[laid_out.hands[0]]
    assert float(weights @ evs / laid_out.total) == pytest.approx(solution.values[0])
    values = Recursion(laid_out).values(list(solution.strategies))
    assert solution.values == pytest.approx(values, abs=1e-9)


def test_frequencies_lead_to_the_reach_of_what_follows(solution: ThreeSolution) -> None:
    """Of play that comes to a decision, each action's share comes to what follows."""
    reached = {line: solution.at(line).reached for line in solution.lines()}
    for line in solution.lines():
        later = [
            reached[f"{line}-{code}".lstrip("-")]
            for code in solution.at(line).codes
            if f"{line}-{code}".lstrip("-") in reached
        ]
        assert sum(filter(None, later)) <= (reached[line] or 0) + 1e-12
    assert reached["X"] == pytest.approx(1 - (reached["B30"] or 0) - (reached["A100"] or 0))


def test_a_hand_that_is_never_dealt_has_no_ev() -> None:
    spot = ThreeSpot(
        board="Qs9h5d3cJs", oop="AsAh,KsKh", middle="AsKd,2c2d", ip="KcTc,7c7d", pot=10, stack=5,
        bets="a",
    )  # fmt: skip
    blocked = ThreeSpot(
        board="Qs9h5d3cJs", oop="AsAh,KsKh", middle="AsKd,AhKd", ip="7c7d", pot=10, stack=5,
        bets="a",
    )  # fmt: skip
    assert solve_three(spot, iterations=5).at().combos[parse_combo("AsAh")] == 1
    root = solve_three(blocked, iterations=5).at()
    assert root.ev is not None
    assert root.combos[parse_combo("AsAh")] == 0
    assert np.isnan(root.ev[parse_combo("AsAh")])
    assert np.isfinite(root.ev[parse_combo("KsKh")])


def test_a_file_gives_back_the_solution(solution: ThreeSolution, tmp_path: Path) -> None:
    path = solution.save(tmp_path / "three.spot")
    read = eq.load_result(path)
    assert isinstance(read, ThreeSolution)
    assert read.facts() == solution.facts()
    assert read.fingerprint() == solution.fingerprint()
    assert read.at("X").to_dict() == solution.at("X").to_dict()


@pytest.mark.parametrize("damage", ["rows", "negative", "sum", "gains", "nan"])
def test_a_damaged_file_is_refused(solution: ThreeSolution, tmp_path: Path, damage: str) -> None:
    path = solution.save(tmp_path / "three.spot")
    header, arrays = read_archive(path, THREE_SPOT)
    header, changed = dict(header), {name: array.copy() for name, array in arrays.items()}
    strategy: Any = changed["ip_strategy"]
    if damage == "rows":
        changed["ip_strategy"] = strategy[1:]
    elif damage == "negative":
        strategy[1, 0], strategy[2, 0] = -1.0, 2.0
    elif damage == "sum":
        strategy[1] = 0.7
    elif damage == "nan":
        strategy[1] = np.nan
    else:
        header["gains"] = header["gains"][:2]
    broken = tmp_path / "broken.spot"
    write_archive(broken, THREE_SPOT, header, changed)
    with pytest.raises(FileFormatError):
        eq.load_result(broken)


def test_threads_of_a_river_are_checked_though_it_has_one() -> None:
    with refuses(ConfigError, option="threads", given=0):
        solve_three(ThreeSpot(**SMALL, stack=9), iterations=1, threads=0)


def test_what_is_not_there_is_refused(solution: ThreeSolution) -> None:
    with refuses(ConfigError, option="line", given="X-X-X-X"):
        solution.at("X-X-X-X")
    with refuses(ConfigError, option="board", given="2c3d4h5s6c"):
        solution.at("", "2c3d4h5s6c")
    with pytest.raises(LineSyntaxError):
        solution.at("what")
    assert solution.at(" x ", "Qs9h5d3cJs").line == "X"


def test_runs_end_at_their_limits_with_what_measured_best() -> None:
    told: list[Progress] = []
    solution = solve_three(SPOT, stop=Stop(iterations=60), callbacks=told.append)
    assert solution.stopped_by == "iterations"
    measures = [progress.measure for progress in told if progress.measure is not None]
    assert min(measures) == pytest.approx(solution.nash_conv)
    assert {progress.measure_name for progress in told} == {"NashConv"}
    assert solve_three(SPOT, seconds=0.001).stopped_by == "seconds"
    assert solve_three(SPOT, iterations=60, callbacks=lambda _: False).stopped_by == "callback"


def test_the_averages_that_measured_best_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of four measurements the third is best: the last iterates have spoilt the averages."""
    gains = iter([4.0, 3.0, 0.5, 2.0])

    def measure(_: ThreeSolver) -> Measure:
        return Measure((20.0, 20.0, 20.0), (next(gains), 0.0, 0.0))

    monkeypatch.setattr(ThreeSolver, "measure", measure)
    solution = solve_three(SPOT, iterations=100)
    assert (solution.iterations, solution.nash_conv) == (75, 0.5)
    at_75 = ThreeSolver(HandsAndGames.of(SPOT), SPOT_VARIANT)
    at_75.run(75)
    for kept, average in zip(solution.strategies, at_75.averages(), strict=True):
        assert (kept == average).all()


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        ({"target": "0.1"}, "target"),
        ({"target": "5mbb"}, "target"),
        ({"iterations": 0}, "iterations"),
        ({"algorithm": "hedge"}, "algorithm"),
    ],
)
def test_wrong_arguments_are_refused(arguments: dict[str, Any], option: str) -> None:
    with pytest.raises(ConfigError) as caught:
        solve_three(SPOT, **unchecked(arguments))
    assert caught.value.option == option


def test_what_does_not_fit_into_memory_is_refused_before_it_is_solved() -> None:
    needed = memory_needed(HandsAndGames.of(SPOT))
    assert solve_three(SPOT, iterations=1, memory=needed).iterations == 1
    with refuses(MemoryBudgetError, option="memory", given=needed - 1, expected=needed):
        solve_three(SPOT, iterations=1, memory=needed - 1)


@pytest.mark.slow
def test_the_memory_that_is_needed_is_counted_within_a_tenth() -> None:
    spot = ThreeSpot(
        board="Qs9h5d3cJs", oop="40%", middle="50%", ip="45%", pot=60, stack=400,
        bets="33%, 75%, a", raises="75%, a",
    )  # fmt: skip
    solve_three(spot, iterations=1)  # compiles
    laid_out = HandsAndGames.of(spot)
    tracemalloc.start()
    try:
        solver = ThreeSolver(laid_out, SPOT_VARIANT)
        solver.run(2)
        kept = solver.averages()
        solver.measure()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(kept) == 3
    assert memory_needed(laid_out) == pytest.approx(peak, rel=0.1)


def test_all_decisions_as_csv(solution: ThreeSolution) -> None:
    rows = solution.to_csv().splitlines()
    assert rows[0].startswith("line,seat,hand")
    expected = sum(len(decision.dealt) * len(decision.codes) for decision in solution.nodes())
    assert len(rows) == 1 + expected


def test_hands_that_leave_next_to_nothing_have_no_ev() -> None:
    """Pairs that come with a share of 1e-16 are what rounding leaves of sums over all."""
    spot = ThreeSpot(
        board="KsJh4hQhQc", oop="Qs9h:0.999,5sQs,QsTs,5s9d,9d9h,Ts9c",
        middle="5sQs:0.999,QsTs,Qs9c:0.01,5s9d,Qs9d,Ts9d",
        ip="5s9d,Ts9h,5s9c:0.999,5sTs:0.01,Qs9h:0.25,9c9h", pot=330, stacks=(40, 2, 1),
        bets="1c,a", raise_cap=1,
    )  # fmt: skip
    decision = solve_three(spot, iterations=40).at("A2-F")
    met = parse_combo("Ts9h"), parse_combo("9c9h")
    assert [decision.combos[number] for number in met] == [1.0, 1.0]
    assert [bool(np.isnan(decision.ev[number])) for number in met] == [True, False]
