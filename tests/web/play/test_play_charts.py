"""Hands against charts and exact solutions through the API; flops are solved by a process."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pokerkit import HandHistory
from starlette.testclient import TestClient

from equilibrist.poker import Hand
from equilibrist.poker.preflop.exact.solving import solve_preflop
from equilibrist.poker.preflop.push_fold.game import PushFold
from tests.play.solutions.test_charts import pushes
from tests.web.conftest import put

FLOP = Hand(stack=6, bets="2x,a|50%,a", raises="a", board="1/1", deck="T", last_street="flop")


def opened(client: TestClient, name: str, **how: Any) -> Any:
    answer = client.post("/api/play/tables", json={"solution": name, "seed": 3, **how})
    assert answer.status_code == 201, answer.text
    return answer.json()


def chosen(client: TestClient, table: Any, action: int | str) -> Any:
    """The table after an action, and the chart of the decision."""
    turn = table["turn"]
    given = {"hand": turn["hand"], "move": turn["move"], "action": action}
    answer = client.post(f"/api/play/tables/{table['id']}/choose", json=given)
    assert answer.status_code == 200, answer.text
    decision = answer.json()["decisions"][-1]
    study = decision["study"].replace("/charts/", "/api/solutions/").replace("?", "/chart?")
    assert client.get(study).status_code == 200
    return answer.json()


def test_charts_of_three_seats(client: TestClient, tmp_path: Path) -> None:
    three = pushes(PushFold((9.0, 9.0, 9.0)), BTN="KK", SB="AA KK", BB="QQ")
    put(client, three.save(tmp_path / "jam.safetensors"), "jam")
    table = opened(client, "jam", seat=0)
    assert (table["kind"], table["unit"], table["players"]) == ("hand", "big blinds", 3)
    assert table["turn"]["bets"] is None  # nothing is mapped to all-in
    found = client.get(f"/api/play/tables/{table['id']}/ranges").json()["decisions"]
    assert [one["who"] for one in found] == ["AI 2 (BTN)"]
    over = chosen(client, table, "A9")
    assert over["state"] == "over"
    assert over["decisions"][0]["estimated"]
    assert over["decisions"][0]["study"].startswith("/charts/jam?line=F&board=&stamp=")
    assert sum(over["over"]["payoffs"]) == pytest.approx(0.0)
    histories = client.get(f"/api/play/tables/{table['id']}/hands.phhs")
    (read,) = HandHistory.loads_all(histories.text)
    assert over["has_histories"]
    assert [float(s) / 100 - 9 for s in read.finishing_stacks] == over["over"]["payoffs"]


def test_prizes_are_graded_as_the_chips_that_they_are_worth(
    client: TestClient, tmp_path: Path
) -> None:
    """Where the winner takes all, a percent of the prizes is a percent of the chips."""
    grades = []
    for name, payouts, unit in (("chips", None, 1.0), ("prizes", (1.0,), 1 / 20)):
        two = pushes(PushFold((10.0, 10.0), payouts=payouts), unit, SB="AA KK", BB="AA")
        put(client, two.save(tmp_path / f"{name}.safetensors"), name)
        table = opened(client, name, seat=0)
        table = chosen(client, table, table["turn"]["actions"][0]["label"])
        grades.append(table["score"])
    chips, prizes = grades
    assert chips["total_ev_loss"] > 0.0
    assert prizes["share"]["mean"] == pytest.approx(chips["share"]["mean"])
    assert prizes["total_ev_loss"] == pytest.approx(5 * chips["total_ev_loss"])


@pytest.mark.slow
def test_a_process_solves_the_flops_of_an_exact_solution(
    client: TestClient, make_client: Callable[..., TestClient], tmp_path: Path
) -> None:
    solution = solve_preflop(FLOP, iterations=20, threads=1)
    put(client, solution.save(tmp_path / "e.safetensors"), "exact")
    table = opened(client, "exact", seat=0)
    assert not table["has_histories"]  # a flop of one card
    histories = client.get(f"/api/play/tables/{table['id']}/hands.phhs")
    assert histories.status_code == 409
    flops = 0
    for _ in range(6):
        while table["state"] == "turn":
            labels = [one["label"] for one in table["turn"]["actions"]]
            flops += "|" in table["turn"]["scene"]["infoset"]
            table = chosen(client, table, next(a for a in ("X", "C", *labels) if a in labels))
            assert not table["decisions"][-1]["estimated"]
            assert table["decisions"][-1]["grade"]
        table = client.post(f"/api/play/tables/{table['id']}/deal").json()
    assert flops
    playing = client.services.playing  # type: ignore[attr-defined]
    (opponent,) = playing._opponents.values()
    process = opponent.coach.process
    process.close()
    turn = table["turn"]
    given = {"hand": turn["hand"], "move": turn["move"], "action": 0}
    answer = client.post(f"/api/play/tables/{table['id']}/choose", json=given)
    assert (answer.status_code, answer.json()["option"]) == (422, "process")
