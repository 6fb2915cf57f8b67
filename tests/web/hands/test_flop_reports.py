"""Reports over flops through the API: a spot of the library on many boards, as a job."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from equilibrist import poker
from equilibrist.web.holdem import pace
from tests.web.conftest import SPOT, put
from tests.web.following import ended, started
from tests.web.scripted import ScriptedWorker

FLOP = poker.Spot(board="Ts3h2h", oop="AA", ip="KK", pot=100, stack=50, bets="a")
BOARDS = "Ts3h2h, 9s8h7d:2"


def _flops(**keys: str) -> dict[str, Any]:
    return {"kind": "flops", "keys": {"spot": FLOP.to_toml(), **keys}}


@pytest.mark.parametrize(
    ("keys", "options", "option"),
    [
        ({"spot": ""}, {}, "of"),
        ({"spot": "board = 3"}, {}, "oop"),
        ({"spot": "x ="}, {}, "toml"),
        ({"flops": "some"}, {}, "flops"),
        ({"flops": "subset:5000"}, {}, "flops"),
        ({"flops": "0"}, {}, "flops"),
        ({"boards": "Ts3h"}, {}, "boards"),
        ({"boards": "Ts3h2h, Ts3h2h"}, {}, "boards"),
        ({"boards": "Ts3h2h, Ts3h2h4c"}, {}, "boards"),
        ({"boards": "/etc/passwd"}, {}, "boards"),
        ({"boards": "Ts3h2h", "flops": "all"}, {}, "boards"),
        ({"boards": "AsAhAd"}, {}, "boards"),
        ({"lines": "B7"}, {}, "lines"),
        ({"hands": "AB"}, {}, "hands"),
        ({"hands": "AA," * 40}, {}, "hands"),
        ({"lines": "X;" * 5000}, {}, "lines"),
        ({"boards": "Ts3h2h," * 5000}, {}, "boards"),
        ({"keep": "much"}, {}, "keep"),
        ({"spot": "", "of": "solution:nothing"}, {}, "of"),
        ({"spot": "", "of": "setup:nothing"}, {}, "of"),
        ({"spot": "", "of": "example:nothing"}, {}, "of"),
        ({"spot": "", "of": "file:/etc/passwd"}, {}, "of"),
        ({}, {"target": "much"}, "target"),
        ({}, {"target": "-1%"}, "target"),
        ({}, {"seconds": "0s"}, "seconds"),
        ({}, {"threads": 10**20}, "threads"),
        ({}, {"algorithm": "my.py:Mine"}, "algorithm"),
        ({}, {"memory": "1GB"}, "option"),
    ],
)
def test_what_is_wrong_is_refused_at_its_field(
    client: TestClient, keys: dict[str, str], options: dict[str, str], option: str
) -> None:
    body = {"hand": _flops(**keys), "options": options}
    answer = client.post("/api/hands/estimate", json=body)
    assert (answer.status_code // 100, answer.json()["option"]) == (4, option), answer.text


def test_reports_are_estimated_and_queued(
    client: TestClient,
    workers: list[ScriptedWorker],
    spot_file: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pace, "crowding", lambda *_: 1.0)
    put(client, spot_file, "turn")
    body = {"hand": _flops(flops="9"), "options": {"seconds": "1"}}
    needs = client.post("/api/hands/estimate", json=body).json()
    assert (needs["counts"], needs["has_checkpoints"]) == ({"boards": 9}, True)
    assert 0 < needs["seconds"] <= 15
    kept = client.post("/api/hands/estimate", json={"hand": _flops(flops="9", keep="all")}).json()
    assert kept["disk_bytes"] > needs["disk_bytes"]
    job = started(client, **body)
    assert (job["kind"], job["solution"], job["has_parts"]) == ("flops", "", False)
    assert job["report"].startswith("report-9-")
    assert (job["title"]["pot"], job["title"]["board"]) == (100.0, None)
    turns = {"kind": "flops", "keys": {"of": "solution:turn", "boards": "Ts3h2h5c"}}
    of_solution = started(client, hand=turns)
    assert of_solution["title"]["pot"] == SPOT.pot
    wait = time.monotonic() + 10
    while not any(worker.order.kind == "flops" for worker in workers):
        assert time.monotonic() < wait
        time.sleep(0.01)
    saved = client.post(f"/api/jobs/{job['id']}/save")
    assert (saved.status_code, saved.json()["option"]) == (409, "job")
    assert client.post(f"/api/jobs/{job['id']}/pause").status_code == 200


@pytest.mark.slow  # processes
def test_a_report_is_paused_resumed_and_that_of_the_command(
    client: TestClient, tmp_path: Path
) -> None:
    options = {"iterations": 400, "threads": 1}
    job = started(client, hand=_flops(boards=BOARDS, lines="X"), options=options)
    path = f"/api/jobs/{job['id']}"
    deadline = time.monotonic() + 60
    while (now := client.get(path).json())["stage_code"] != "boards":
        assert time.monotonic() < deadline, now
        time.sleep(0.02)
    assert now["stage_total"] == 2
    client.post(f"{path}/pause")
    paused = ended(client, job)
    assert paused["state"] in ("paused", "done"), paused["error"]
    assert not paused["is_saved"] or paused["state"] == "done"
    if paused["state"] == "paused":
        client.post(f"{path}/resume")
    done = ended(client, job)
    assert (done["state"], done["is_saved"]) == ("done", True), done["error"]
    assert done["progress"]["iteration"] in (1, 2)
    (listed,) = client.get("/api/reports").json()
    assert (listed["name"], listed["is_done"]) == (job["report"], True)
    shown = client.get(f"/api/reports/{job['report']}").json()
    boards = [("Ts3h2h", 1.0), ("9s8h7d", 2.0)]
    expected = poker.batch(FLOP, boards, tmp_path / "own", lines=["", "X"], **options)  # type: ignore[arg-type]
    ev = shown["columns"].index("ev_oop")
    assert [row[ev] for row in shown["rows"]] == [
        pytest.approx(row["ev_oop"]) for row in expected.rows if row["board"] != "all"
    ]
