"""Solutions of turns with three players: decisions on rivers, files, memory."""

from __future__ import annotations

import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.errors import ConfigError, FileFormatError, LineSyntaxError, MemoryBudgetError
from equilibrist.poker import ThreeSolution, ThreeSpot, solve_three
from equilibrist.poker.cards.cards import parse_cards
from equilibrist.poker.hands.betting_tree import DECISION
from equilibrist.poker.postflop.solving.variants import SPOT_VARIANT
from equilibrist.poker.three_players.node import ThreeNode
from equilibrist.poker.three_players.profile import HandsAndGames, Measure
from equilibrist.poker.three_players.solver import ThreeSolver, memory_needed
from equilibrist.storage.archive import read_archive, write_archive
from equilibrist.storage.kinds.file_kinds import THREE_SPOT
from tests.poker.three_players.test_turns import FEW
from tests.poker.three_players.turn_recursion import Strategies, TurnRecursion
from tests.refusals import refuses

SPOT = ThreeSpot(**FEW, stacks=[100, 40, 250])
LINE = "X-X-X|"
ALIKE = ThreeSpot(
    board="QsQh7s7h", oop="88+,AT+", middle="66+,A9+", ip="55+,A8+", pot=60, stack=60, bets="a"
)


@pytest.fixture(scope="module")
def solution() -> ThreeSolution:
    return solve_three(SPOT, iterations=30)


@pytest.fixture(scope="module")
def alike() -> ThreeSolution:
    return solve_three(ALIKE, iterations=30)


def test_values_are_those_of_the_strategies_that_it_has(solution: ThreeSolution) -> None:
    laid_out = solution.laid_out
    oracle = TurnRecursion(laid_out)
    values = oracle.values_of(Strategies(laid_out, solution.strategies, solution.later))
    assert solution.values == pytest.approx(values, abs=1e-9)
    assert sum(solution.values) == pytest.approx(60, abs=1e-9)
    root = solution.at()
    weights = laid_out.weights[0] * laid_out.deals[0]
    assert root.ev is not None
    evs = root.ev[laid_out.hands[0]]
    assert float(weights @ evs / laid_out.total) == pytest.approx(values[0])


@pytest.mark.parametrize("card", ["2h", "7d", "Ad"])
def test_evs_on_a_river_are_means_over_deals(solution: ThreeSolution, card: str) -> None:
    laid_out, betting = solution.laid_out, solution.spot.betting
    oracle = TurnRecursion(laid_out)
    strategies = Strategies(laid_out, solution.strategies, solution.later)
    (number,) = parse_cards(card)
    for line in (LINE, f"{LINE}A100", f"{LINE}X-A40"):
        (node,) = (
            n for n in range(betting.num_nodes)
            if betting.line(n) == line and betting.kind[n] == DECISION
        )  # fmt: skip
        written = line.replace("|", f"|{card}|").strip("|")
        decision = solution.at(written)
        seat = decision.seat
        held = laid_out.hands[seat]
        won, weight_of = np.zeros(len(held)), np.zeros(len(held))
        for places, weight in oracle.deals():
            if number not in oracle.rivers(places):
                continue
            for other in range(3):
                if other != seat:
                    weight *= oracle.comes(node, other, places, number, strategies)
            paid = betting.stake[node][seat] - solution.spot.dead_money[seat]
            value = oracle.follow(node, places, number, strategies)[seat] + paid
            won[places[seat]] += weight * value
            weight_of[places[seat]] += weight
        assert decision.ev is not None
        evs = decision.ev[held]
        possible = weight_of > 0
        assert (np.isfinite(evs) == possible).all()
        assert evs[possible] == pytest.approx(won[possible] / weight_of[possible], abs=1e-9)


def test_cards_stand_in_the_line_or_on_the_board(solution: ThreeSolution) -> None:
    decision = solution.at("x-x-x|2h")
    assert (decision.line, decision.street) == ("X-X-X|2h", "river")
    assert decision.board == parse_cards("Qs9h5d3c2h")
    again = solution.at("X-X-X|", "Qs9h5d3c2h")
    assert again.to_dict() == decision.to_dict()
    assert solution.at("X-X-X|2h|X").seat_name == "MID"
    for written in ("X-X-X|2h|", " x-x-x|2H ", "r:0:c:c:c:2h", "R:0:C:C:C:2H"):
        assert solution.at(written).line == "X-X-X|2h"
    assert solution.at("X", "Qs9h5d3c").street == "turn"
    assert not any("|" in line for line in solution.lines())


@pytest.mark.parametrize(
    ("line", "board", "option"),
    [
        ("X-X-X|", "", "board"),
        ("X-X-X|Qs", "", "board"),
        ("X-X-X|", "Qs9h5d3c", "board"),
        ("X-X-X|", "2s3s4s5s6s", "board"),
        ("X|2h", "", "line"),
        ("X", "Qs9h5d3c2h", "board"),
        ("X-X-X|2h|A100-A250", "", "line"),
    ],
)
def test_what_is_not_there_is_refused(
    solution: ThreeSolution, line: str, board: str, option: str
) -> None:
    with refuses(ConfigError, option=option):
        solution.at(line, board)


def test_a_card_that_a_whole_range_needs_is_never_dealt() -> None:
    spot = ThreeSpot(
        board="Qs9h5d3c", oop="AsAh,AsAd", middle="KK", ip="JJ", pot=10, stack=5, bets="a"
    )
    solution = solve_three(spot, iterations=3)
    assert solution.at("X-X-X|Ac").seat_name == "OOP"
    with refuses(ConfigError, option="board", given="As"):
        solution.at("X-X-X|As")


def test_rivers_that_differ_by_suits_have_the_hands_of_each(alike: ThreeSolution) -> None:
    clubs, diamonds = alike.at("X-X-X|2c"), alike.at("X-X-X|2d")
    assert alike.laid_out.runouts.count < 30
    assert clubs.frequencies == pytest.approx(diamonds.frequencies)
    assert clubs.reached == pytest.approx(diamonds.reached)
    names = list(clubs.names)
    swapped = [
        names.index(name) if name in names else names.index(name[2:] + name[:2])
        for name in (name.translate(str.maketrans("cd", "dc")) for name in names)
    ]
    assert (clubs.combos == diamonds.combos[swapped]).all()
    assert (clubs.strategy == diamonds.strategy[:, swapped]).all()
    assert not clubs.combos[names.index("Ac2c")]


def test_a_file_gives_back_the_solution(alike: ThreeSolution, tmp_path: Path) -> None:
    read = eq.load_result(alike.save(tmp_path / "turn.spot"))
    assert isinstance(read, ThreeSolution)
    assert read.fingerprint() == alike.fingerprint()
    assert read.at("X-X-X|2d").to_dict() == alike.at("X-X-X|2d").to_dict()


@pytest.mark.parametrize("damage", ["rows", "negative", "nan", "missing", "whole numbers"])
def test_a_damaged_file_is_refused(alike: ThreeSolution, tmp_path: Path, damage: str) -> None:
    path = alike.save(tmp_path / "turn.spot")
    header, arrays = read_archive(path, THREE_SPOT)
    changed: dict[str, Any] = {name: array.copy() for name, array in arrays.items()}
    weights = changed["ip_river"]
    if damage == "rows":
        changed["ip_river"] = weights[:, 1:]
    elif damage == "missing":
        del changed["ip_river"]
    elif damage == "whole numbers":
        changed["ip_river"] = weights.astype(np.int64)
    else:
        weights[0, -1, 0] = -1.0 if damage == "negative" else np.nan
    broken = tmp_path / "broken.spot"
    write_archive(broken, THREE_SPOT, dict(header), changed)
    with pytest.raises(FileFormatError):
        eq.load_result(broken)


def test_threads_and_memory_are_arguments(solution: ThreeSolution) -> None:
    again = solve_three(SPOT, iterations=30, threads=2)
    assert again.values == solution.values
    for one, other in zip(again.later, solution.later, strict=True):
        assert (one == other).all()
    needed = memory_needed(HandsAndGames.of(SPOT), 1)
    assert solve_three(SPOT, iterations=1, memory=needed, threads=1).iterations == 1
    with refuses(MemoryBudgetError, option="memory", given=needed - 1, expected=needed):
        solve_three(SPOT, iterations=1, memory=needed - 1, threads=1)


def test_the_averages_that_measured_best_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of four measurements the third is best: the last iterates have spoilt the averages."""
    gains = iter([4.0, 3.0, 0.5, 2.0])

    def measure(_: ThreeSolver) -> Measure:
        return Measure((20.0, 20.0, 20.0), (next(gains), 0.0, 0.0))

    monkeypatch.setattr(ThreeSolver, "measure", measure)
    solution = solve_three(SPOT, iterations=100)
    assert solution.iterations == 75
    at_75 = ThreeSolver(HandsAndGames.of(SPOT), SPOT_VARIANT)
    at_75.run(75)
    for kept, sums in zip(solution.later, at_75.copy_later(), strict=True):
        assert (kept == sums).all()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("board", "threads", "share"), [("Qs9h5d3c", 1, 2), ("QsQh5s5h", 2, 2), ("Qs9h5d3c", 2, 6)]
)
def test_the_memory_that_is_needed_is_counted_within_a_twentieth(
    board: str, threads: int, share: int
) -> None:
    spot = ThreeSpot(
        board=board, oop=f"{8 * share}%", middle=f"{12 * share}%", ip=f"{10 * share}%", pot=60,
        stack=240, bets="50%" if share == 2 else "a", raises="a",
    )  # fmt: skip
    solve_three(spot, iterations=1)  # compiles
    laid_out = HandsAndGames.of(spot)
    needed = memory_needed(laid_out, threads)
    tracemalloc.start()
    try:
        solver = ThreeSolver(laid_out, SPOT_VARIANT, threads=threads)
        kept = None
        for _ in range(2):
            solver.run(1)
            solver.measure()
            averages, kept = solver.averages(), solver.copy_later(kept)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(averages) == 3
    assert needed == pytest.approx(peak, rel=0.05)


def test_bars_of_a_line_stand_where_streets_end(solution: ThreeSolution) -> None:
    for line in ("X-X-X|7d|X", "X-X-X|7d", "X-X-X-X"):
        ThreeNode(solution, line)
    for line in ("X-X|7d|X", "X|X-X-X"):
        with refuses(LineSyntaxError, option="line", given=line):
            ThreeNode(solution, line)
