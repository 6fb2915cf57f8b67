"""Reports on spots of three: what all seats win at a decision, by plain recursion."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from equilibrist.errors import ConfigError, LineSyntaxError
from equilibrist.poker.equities.multiway import multiway_equity
from equilibrist.poker.hands.tree_lines import node_at
from equilibrist.poker.three_players.node import ThreeNode
from equilibrist.poker.three_players.profile import HandsAndGames
from equilibrist.poker.three_players.report import deals_follow, report_row, runout_rows
from equilibrist.poker.three_players.solving import solve_three
from equilibrist.poker.three_players.spot import ThreeSpot
from tests.poker.three_players.recursion import Recursion
from tests.poker.three_players.test_profile import SMALL
from tests.poker.three_players.test_turns import FEW
from tests.poker.three_players.turn_recursion import Strategies, TurnRecursion
from tests.refusals import refuses


def reach_of(oracle: Recursion, node: int, places: Any, strategies: Any) -> float:
    """How often the three seats take the actions that lead to a node, with these hands."""
    reach, child = 1.0, node
    while child:
        parent = int(oracle.betting.parent[child])
        seat = int(oracle.betting.player[parent])
        place = oracle.betting.children(parent).index(child)
        reach *= strategies[seat][oracle.row_of[seat][parent] + place, places[seat]]
        child = parent
    return reach


@pytest.mark.parametrize("line", ["", "X-B30", "X-X-B30-C", "B30-F", "B30-C-A100"])
def test_every_seat_wins_what_recursion_says(line: str) -> None:
    spot = ThreeSpot(**SMALL, stacks=[100, 40, 250], rake="5%")
    solution = solve_three(spot, iterations=20)
    oracle, node = Recursion(HandsAndGames.of(spot)), node_at(spot.betting, line)
    strategies = list(solution.strategies)
    total, weight_of_all = np.zeros(3), 0.0
    for places, weight in oracle.deals():
        weight *= reach_of(oracle, node, places, strategies)
        total += weight * np.array(oracle._played(node, places, strategies))
        weight_of_all += weight
    paid = spot.betting.stake[node] - np.array(spot.dead_money)  # before the decision
    row = report_row(solution, line)
    assert row["deals"] == pytest.approx(weight_of_all, rel=1e-9)
    evs = [row[f"ev_{seat}"] for seat in ("oop", "mid", "ip")]
    assert evs == pytest.approx(total / weight_of_all + paid / spot.scale.per_chip, abs=1e-9)
    there = ThreeNode(solution, line)
    ranges = [there.range_of(seat) for seat in range(3) if there.is_live(seat)]
    shares = [row[f"equity_{seat}"] for seat in ("oop", "mid", "ip")]
    assert sum(shares) == pytest.approx(1)
    if len(ranges) == 3:
        exact = multiway_equity(ranges, spot.board, exact=True).equities
        assert shares == pytest.approx(exact, abs=1e-9)
    freq = [row[f"{action} freq"] for action in there.actions]
    assert sum(freq) == pytest.approx(1)
    mean = sum(f * row[f"{a} ev"] for f, a in zip(freq, there.actions, strict=True) if f > 0)
    assert mean == pytest.approx(row[f"ev_{row['acts']}"], abs=1e-9)


@pytest.mark.slow
def test_rows_of_rivers_are_those_of_recursion() -> None:
    spot = ThreeSpot(**FEW, stack=100)
    solution = solve_three(spot, iterations=20)
    oracle = TurnRecursion(solution.laid_out)
    strategies = Strategies(solution.laid_out, solution.strategies, solution.later)
    rows = {row["card"]: row for row in runout_rows(solution, "X-X-X")}
    assert len(rows) == 48 - sum(solution.laid_out.runouts.find(c)[0] < 0 for c in range(52)) + 4
    reached = ThreeNode(solution, "X-X-X").reached
    assert sum(row["frequency"] for row in rows.values()) == pytest.approx(reached, rel=1e-9)
    (river,) = {node_at(spot.betting, "X-X-X")}
    for card, number in (("2c", 0), ("7c", 20)):
        total, come, dealt = np.zeros(3), 0.0, 0.0
        for places, weight in oracle.deals():
            dealt += weight
            if number not in oracle.rivers(places):
                continue
            reach = weight / 42
            for seat in range(3):
                reach *= oracle.comes(river, seat, places, number, strategies)
            total += reach * oracle.follow(river, places, number, strategies)
            come += reach
        row = rows[card]
        assert row["frequency"] == pytest.approx(come / dealt, rel=1e-9)
        evs = [row[f"ev_{seat}"] for seat in ("oop", "mid", "ip")]
        assert evs == pytest.approx(total / come, abs=1e-9)
    root = report_row(solution)
    assert [root[f"ev_{s}"] for s in ("oop", "mid", "ip")] == pytest.approx(solution.values)
    exact = multiway_equity(list(spot.ranges), spot.board, exact=True).equities
    assert [root[f"equity_{s}"] for s in ("oop", "mid", "ip")] == pytest.approx(exact, abs=1e-9)


def test_lines_without_a_river_are_refused() -> None:
    turn = ThreeSpot(**FEW, stack=100)
    with refuses(ConfigError, option="line", given="X"):
        deals_follow(turn, "X")
    with refuses(ConfigError, option="line"):
        deals_follow(turn, "A-F-F")
    with refuses(LineSyntaxError, option="line"):
        deals_follow(turn, "X-B7")
    with refuses(ConfigError, option="line"):
        deals_follow(ThreeSpot(**SMALL, stack=100), "X-X-X")
    deals_follow(turn, "x-x-x")
    flop = ThreeSpot(**FEW | {"board": turn.board[:6]}, stack=100)
    with refuses(ConfigError, option="board", given=flop.board):
        deals_follow(flop, "X-X-X")
