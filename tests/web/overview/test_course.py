"""The ten lessons: their answers are those of the solvers, and their pages are there."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

import equilibrist as eq
from equilibrist import poker
from equilibrist.evaluation import evaluate
from equilibrist.reference import regret_matching
from equilibrist.solvers import solve_lp
from equilibrist.web.overview.course import LESSONS

ANSWERS = {lesson["name"]: lesson["answer"] for lesson in LESSONS}


def test_there_are_ten_with_pages_that_are_there(client: TestClient) -> None:
    found = client.get("/api/lessons").json()
    assert found == list(LESSONS)
    assert len(ANSWERS) == len(LESSONS) == 10
    for lesson in found:
        assert client.get(f"/{lesson['path']}").status_code in (200, 404)
        game = lesson["query"].get("game", lesson["path"].removeprefix("games/"))
        if lesson["path"] != "spot":
            facts = client.get(f"/api/games/{game}/facts").json()
            assert lesson["query"].get("view", "tree") != "table" or facts["is_table"]


def test_the_answers_are_those_of_the_solvers(client: TestClient) -> None:
    rps = eq.load_game("rps")
    scissors, rock, paper = (rps.payoffs((hand, 1))[0] for hand in (2, 0, 1))
    assert scissors - rock == ANSWERS["regret"]
    assert paper == 0
    assert regret_matching([0.0, 1.0, 2.0])[2] == pytest.approx(ANSWERS["matching"])
    penalty = solve_lp(eq.compile_game("penalty_kick"))
    assert penalty.strategy["column"]["left"] == pytest.approx(ANSWERS["mixing"], abs=1e-4)
    kuhn = eq.compile_game("kuhn")
    assert solve_lp(kuhn).value == pytest.approx(ANSWERS["value"])
    assert kuhn.num_infosets == 2 * ANSWERS["infosets"]
    (turn, *_) = client.get("/api/games/kuhn/lesson").json()["turns"]
    reach = {tuple(h["history"]): h["counterfactual_reach"] for h in turn["histories"]}
    assert reach["1", "2"] == pytest.approx(ANSWERS["reach"])


@pytest.mark.parametrize(("game", "name"), [("pd", "dominance"), ("stag_hunt", "equilibria")])
def test_the_answers_are_equilibria(game: str, name: str) -> None:
    tree = eq.compile_game(game)
    own = ANSWERS[name]
    rows = {key: [own, 1 - own] for key in ("row", "column")}
    assert evaluate(eq.Strategy.from_dict(tree, rows)).nash_conv == pytest.approx(0, abs=1e-12)


@pytest.mark.slow
def test_the_bluff_is_that_of_the_solver() -> None:
    spot = poker.Spot(board="2s2h3d3c4s", oop="AA,QQ", ip="KK", pot=100, stack=100, bets="100%")
    _, often = poker.solve(spot, iterations=2000).at("").frequency.values()
    # AA always bets.
    assert often == pytest.approx((1 + ANSWERS["bluff"]) / 2, abs=0.005)
