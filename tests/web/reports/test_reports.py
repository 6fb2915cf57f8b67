"""Reports of batches in the data folder."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from equilibrist import poker
from equilibrist.errors import ConfigError
from equilibrist.poker.postflop.files.batch_folder import BatchFolder
from equilibrist.poker.postflop.spot.spot import spot_from_text
from equilibrist.progress import Callbacks
from equilibrist.web.errors import ConflictError
from equilibrist.web.reports.documents import queue_resumed, resumed_report
from equilibrist.web.services import Services
from tests.web.conftest import SPOT
from tests.web.following import ended
from tests.web.scripted import ScriptedWorker

BOARDS = ["Ts3h2h5c", "Ts3h2h9d", "TsTh2h4c"]


@pytest.fixture
def batches(client: TestClient) -> Path:
    folder: Path = client.services.folders.batches  # type: ignore[attr-defined]
    return folder


def test_a_report_has_the_rows_of_the_batch(client: TestClient, batches: Path) -> None:
    made = poker.batch(SPOT, BOARDS, batches / "study", lines=["", "X"], iterations=3)
    (listed,) = client.get("/api/reports").json()
    counts = {name: listed[name] for name in ("name", "is_done", "run", "boards", "finished")}
    assert counts == {"name": "study", "is_done": True, "run": None, "boards": 3, "finished": 3}
    assert (listed["status"], listed["title"]["pot"]) == ("done", SPOT.pot)
    found = client.get("/api/reports/study").json()
    assert found["columns"] == list(dict.fromkeys(name for row in made.rows for name in row))
    shown = [
        dict(zip(found["columns"], row, strict=True)) for row in found["rows"] + found["together"]
    ]
    assert len(found["together"]) == 2
    for row in made.rows:
        (same,) = [
            one for one in shown if (one["board"], one["line"]) == (row["board"], row["line"])
        ]
        for name, value in row.items():
            if isinstance(value, str):
                assert same[name] == value
            elif value is None or value != value:
                assert same[name] is None
            else:
                assert same[name] == pytest.approx(value, abs=1e-6)


def test_boards_that_are_kept_are_studied_from_the_library(
    client: TestClient, batches: Path
) -> None:
    poker.batch(SPOT, BOARDS[:2], batches / "study", iterations=2, keep="first-street")
    assert client.get("/api/reports/study").json()["kept"] == sorted(BOARDS[:2])
    path = "/api/reports/study/boards"
    names = [client.post(f"{path}/{board}").json()["name"] for board in (*BOARDS[:2], "5cTs3h2h")]
    assert names == ["study-Ts3h2h5c", "study-Ts3h2h9d", "study-Ts3h2h5c"]
    assert client.get("/api/solutions").json()["found"] == 2
    node = client.get(f"/api/solutions/{names[0]}/node").json()
    assert node["iterations"] == 2
    for board, status, option in (("AsKsQs2c", 422, "board"), ("x", 422, None)):
        answer = client.post(f"{path}/{board}")
        assert answer.status_code == status, answer.text
        assert option in (None, answer.json()["option"])
        assert str(batches) not in answer.text
    poker.batch(SPOT, BOARDS[:1], batches / "plain", iterations=2)
    assert client.post(f"/api/reports/plain/boards/{BOARDS[0]}").json()["option"] == "keep"
    assert client.post("/api/reports/none/boards/Ts3h2h5c").status_code == 404
    client.delete(f"/api/solutions/{names[0]}")
    assert client.post(f"{path}/{BOARDS[0]}").json()["name"] == names[0]


def test_reports_are_deleted_with_their_boards(client: TestClient, batches: Path) -> None:
    poker.batch(SPOT, BOARDS[:1], batches / "study", iterations=2, keep="first-street")
    name = client.post(f"/api/reports/study/boards/{BOARDS[0]}").json()["name"]
    (batches / "other").mkdir()
    for wrong in ("other", "none", ".."):
        assert client.delete(f"/api/reports/{wrong}").status_code in (404, 405), wrong
    assert client.delete("/api/reports/study").json() == {"deleted": "study"}
    assert [path.name for path in batches.iterdir()] == ["other"]
    assert client.get(f"/api/solutions/{name}/node").status_code == 200


def test_a_report_that_another_program_makes_is_not_deleted(
    client: TestClient, batches: Path
) -> None:
    begun(batches / "study", BOARDS, 1)
    with BatchFolder.found(batches / "study").held():
        answer = client.delete("/api/reports/study")
    assert (answer.status_code, answer.json()["option"]) == (409, "name")
    assert len([*(batches / "study").glob("Ts*.json")]) == 1
    assert client.delete("/api/reports/study").status_code == 200


@pytest.mark.parametrize(
    ("content", "status"),
    [
        ("board,line,frequency,pot\nTs3h2h5c,,0.5\n", 422),
        ("board,line,frequency,pot\nTs3h2h5c,,half,100\n", 422),
        ("hand,ev\nAA,1\n", 422),
        ("", 422),
        (None, 404),
    ],
)
def test_what_is_no_report(
    client: TestClient, batches: Path, content: str | None, status: int
) -> None:
    (batches / "study").mkdir()
    (batches / "study" / "batch.json").write_text("{}")
    if content is not None:
        (batches / "study" / "report.csv").write_text(content)
    answer: Any = client.get("/api/reports/study")
    assert answer.status_code == status
    assert answer.json()["error"]
    assert "zip" not in answer.json()["error"]
    (listed,) = client.get("/api/reports").json()
    assert (listed["name"], listed["is_done"]) == ("study", content is not None)
    assert listed["status"] == ("unknown" if content is None else "done")


def test_names_stay_in_the_folder(client: TestClient, batches: Path) -> None:
    (batches.parent / "report.csv").write_text("board,line,frequency,pot\n")
    for name in ("..", "%2e%2e", "..%2fbatches", "none"):
        assert client.get(f"/api/reports/{name}").status_code in (404, 422), name


def test_a_folder_that_was_removed_by_hand_has_no_reports(client: TestClient) -> None:
    client.services.folders.batches.rmdir()  # type: ignore[attr-defined]
    assert client.get("/api/reports").json() == []


def begun(folder: Path, boards: list[str], solved: int) -> None:
    """A batch that was ended after some of its boards, as by Ctrl-C on the command line."""

    def end(text: str) -> None:
        if f"board {solved + 1}" in text:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        poker.batch(
            SPOT, [(board, 2.0) for board in boards], folder, lines=["", "X"], hands=["AA"],
            target="40%", iterations=3, storage="int16", callbacks=Callbacks(on_stage=end),
        )  # fmt: skip


def test_a_batch_of_the_command_line_is_resumed_as_a_run(
    client: TestClient, batches: Path, workers: list[ScriptedWorker]
) -> None:
    """Its spot, boards, weights, lines, hands and options are those with which it was begun."""
    begun(batches / "study", BOARDS, 1)
    (listed,) = client.get("/api/reports").json()
    assert (listed["status"], listed["finished"], listed["boards"]) == ("resumable", 1, 3)
    answer = client.post("/api/reports/study/resume")
    assert answer.status_code == 201, answer.text
    job = answer.json()
    assert (job["kind"], job["report"]) == ("flops", "study")
    assert job["options"] == {"target": "40%", "iterations": "3", "storage": "int16"}
    assert spot_from_text(job["keys"]["spot"]).replace(board=SPOT.board) == SPOT
    assert job["keys"]["boards"] == ",".join(f"{board}:2.0" for board in BOARDS)
    assert (job["keys"]["lines"], job["keys"]["hands"]) == ("X", "AA")
    (listed,) = client.get("/api/reports").json()
    assert (listed["status"], listed["run"]["job"]) == ("own", job["id"])
    again = client.post("/api/reports/study/resume")
    assert (again.status_code, again.json()["option"]) == (409, "name")
    assert workers is not None


def test_a_batch_is_resumed_once(
    client: TestClient, batches: Path, workers: list[ScriptedWorker]
) -> None:
    """Of two requests at the same time one is quicker."""
    begun(batches / "study", BOARDS, 1)
    services: Services = client.services  # type: ignore[attr-defined]
    first, second = (resumed_report(services, "study") for _ in range(2))
    assert client.portal is not None
    client.portal.call(queue_resumed, services, first)
    with pytest.raises(ConflictError):
        client.portal.call(queue_resumed, services, second)
    assert [job["id"] for job in client.get("/api/jobs").json()["jobs"]] == [first.id]
    assert workers is not None


@pytest.mark.slow  # a process
def test_a_resumed_batch_has_the_report_of_one_that_was_not_ended(
    client: TestClient, batches: Path, tmp_path: Path
) -> None:
    begun(batches / "study", BOARDS, 2)
    done = ended(client, client.post("/api/reports/study/resume").json())
    assert (done["state"], done["is_saved"]) == ("done", True), done["error"]
    boards = [(board, 2.0) for board in BOARDS]
    poker.batch(
        SPOT, boards, tmp_path / "whole", lines=["", "X"], hands=["AA"],
        target="40%", iterations=3, storage="int16",
    )  # fmt: skip
    folders = (batches / "study", tmp_path / "whole")
    reports = [read_csv(folder / "report.csv") for folder in folders]
    for rows in zip(*reports, strict=True):
        one, other = ({**row, "seconds": None} for row in rows)
        assert one == other


def read_csv(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.slow
def test_batches_that_cannot_be_resumed_say_why(client: TestClient, batches: Path) -> None:
    """Those that another program solves, that say no boards, that are done, that lack the root."""
    begun(batches / "busy", BOARDS, 1)
    poker.batch(SPOT, BOARDS[:1], batches / "done", iterations=2)
    begun(batches / "older", BOARDS, 1)
    file = batches / "older" / "batch.json"
    settings = json.loads(file.read_text())
    del settings["plan"]  # as of a version without plans
    file.write_text(json.dumps(settings))
    with BatchFolder.found(batches / "busy").held():
        found = {row["name"]: row["status"] for row in client.get("/api/reports").json()}
        assert found == {"busy": "elsewhere", "done": "done", "older": "unknown"}
        for name in found:
            refused = client.post(f"/api/reports/{name}/resume")
            assert (refused.status_code, refused.json()["option"]) == (409, "name")
        with pytest.raises(ConfigError) as raised:
            poker.batch(
                SPOT, BOARDS[:1], batches / "busy", target="40%", iterations=3, storage="int16",
                resume=True,
            )  # fmt: skip
        assert (raised.value.option, raised.value.given) == ("folder", str(batches / "busy"))
    assert client.post("/api/reports/none/resume").status_code == 404
    rootless = BatchFolder.found(batches / "busy")
    assert rootless.plan is not None
    rootless.folder = batches / "rootless"
    rootless.plan = rootless.plan._replace(lines=("X",))
    rootless.prepare()
    refused = client.post("/api/reports/rootless/resume")
    assert (refused.status_code, refused.json()["option"]) == (409, "lines")


def test_a_report_and_its_spot_lead_to_each_other(client: TestClient, batches: Path) -> None:
    library = client.services.folders.library  # type: ignore[attr-defined]
    poker.solve(SPOT, iterations=2).save(library / "turn.safetensors")
    poker.batch(SPOT, BOARDS[1:2], batches / "own", iterations=2)
    poker.batch(SPOT.replace(pot=90), BOARDS[1:2], batches / "other", iterations=2)
    rows = client.get("/api/reports", params={"of": "solution:turn"}).json()
    assert {row["name"]: row["is_of"] for row in rows} == {"own": True, "other": False}
    assert client.get("/api/reports", params={"of": "solution:none"}).status_code == 404
    assert client.get("/api/reports/own").json()["has_spot"]
    form = client.get("/api/setup/form", params={"report": "other"}).json()
    assert (form["origin"], form["form"]["pot"]) == ("report", "90")
    assert client.get("/api/setup/form", params={"report": "none"}).status_code == 404


def test_examinations_are_no_batches(client: TestClient, batches: Path) -> None:
    for name, settings in {
        "study": '{"pot": 60}',
        "seats": '{"seats": ["oop"], "strategy": "a"}',
    }.items():
        (batches / name).mkdir()
        (batches / name / "batch.json").write_text(settings)
    assert [batch["name"] for batch in client.get("/api/reports").json()] == ["study"]
