"""A solved spot as a document, every key and figure: what readers of the files rely on.

Aces and queens against kings, pot and stack 100. Aces jam and half of the queens: kings that call
100 into 200 must win a third of the time. Half of the kings call: a bluff of 100 for 100 must
come through half of the time. So queens have 0, aces 100 / 2 + 200 / 2 = 150 and the kings what is
left of the pot; after the jam kings have 0, queens 200 / 2 and aces 200 / 2 + 300 / 2. Aces that
check win the pot of 100, since kings check behind; the hands that jam have 100 on average.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from equilibrist.poker import export
from equilibrist.poker.postflop.solution.result import PostflopResult
from equilibrist.poker.postflop.solving.run import solved
from equilibrist.poker.postflop.solving.solver import SpotSolver
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.solvers.run.stopping import StopRule

SPOT = Spot(board="Ts3h2h5c9s", oop="AA,QQ", ip="KK", pot=100, stack=100, bets="a")
GOLDEN = (Path(__file__).parent / "half_of_the_bluffs.json").read_text(encoding="utf-8")
"""The root, and the node after the jam."""


def to_the_last_digit() -> PostflopResult:
    return solved(SPOT, SpotSolver(SPOT, storage="float64", algorithm="pcfr+"), StopRule(5000))


@pytest.mark.slow
def test_documents() -> None:
    solution = to_the_last_digit()
    for line, golden in zip(("", "A"), json.loads(GOLDEN), strict=True):
        document = solution.to_dict(line)
        assert document.pop("seconds") > 0
        assert document.pop("memory_bytes") == solution.memory_bytes
        assert json.dumps(document) == json.dumps(golden)


@pytest.mark.slow
def test_exported_nodes(tmp_path: Path) -> None:
    export(to_the_last_digit(), tmp_path / "tree.json")
    nodes = json.loads((tmp_path / "tree.json").read_text(encoding="utf-8"))["nodes"]
    found = {node["line"]: node for node in nodes}
    for golden in json.loads(GOLDEN):
        node = golden["node"]
        assert json.dumps(found[node["line"]]) == json.dumps({**node, "runouts": 1})
