"""Solved spots, and the nodes in the files of their trees."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from equilibrist.poker import export, solve
from equilibrist.poker.postflop.solution.result import PostflopResult
from equilibrist.poker.postflop.spot.spot import Spot

RIVER = Spot(board="Ts3h2h5c9s", oop="AA,QQ,AKs:0.5", ip="KK,54s", pot=100, stack=100, bets="50%,a")
TURN = Spot(
    board="Ts3s2h5h",
    oop="AA,QQ,JTs",
    ip="KK,98s,AhKh:0.25",
    pot=60,
    stack=90,
    bets="50%",
    raises="a",
)
FLOP = Spot(board="Ts9s2s", oop="AA,JTs", ip="KK,QQ", pot=60, stack=40, bets="a")
HANDS = {"hands": "AhKh,QQ", "line": "X", "all_runouts": True}


@cache
def solved(spot: Spot) -> PostflopResult:
    return solve(spot, iterations=20, algorithm="dcfr-restarts")  # no equity is next to nothing


def exported(solution: PostflopResult, path: Path, **filters: Any) -> list[dict[str, Any]]:
    """The nodes in a JSON file."""
    count = export(solution, path, **filters)
    document = json.loads(path.read_text(encoding="utf-8"))
    nodes: list[dict[str, Any]] = document.pop("nodes")
    assert document == solution.facts()
    assert len(nodes) == count
    return nodes


def close(found: Any, expected: Any, where: str = "") -> None:
    """The same, but for the last digit of equities where their seventh digit is a five.

    A board's nodes find them from one table, a node by itself more directly.
    """
    assert type(found) is type(expected), where
    if isinstance(expected, dict):
        assert list(found) == list(expected), where
        for key, value in expected.items():
            close(found[key], value, f"{where}/{key}")
    elif isinstance(expected, list):
        assert len(found) == len(expected), where
        for k, value in enumerate(expected):
            close(found[k], value, f"{where}/{k}")
    elif isinstance(expected, float):
        assert abs(found - expected) < (1.5e-6 if "/eq" in where else 1e-15), where
    else:
        assert found == expected, where
