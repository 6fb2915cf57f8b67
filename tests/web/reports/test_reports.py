"""Reports of batches in the data folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from equilibrist import poker
from tests.web.conftest import SPOT

BOARDS = ["Ts3h2h5c", "Ts3h2h9d", "TsTh2h4c"]


@pytest.fixture
def batches(client: TestClient) -> Path:
    folder: Path = client.services.folders.batches  # type: ignore[attr-defined]
    return folder


def test_a_report_has_the_rows_of_the_batch(client: TestClient, batches: Path) -> None:
    made = poker.batch(SPOT, BOARDS, batches / "study", lines=["", "X"], iterations=3)
    assert client.get("/api/reports").json() == [{"name": "study", "is_done": True, "run": None}]
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
    assert client.get("/api/reports").json() == [
        {"name": "study", "is_done": content is not None, "run": None}
    ]


def test_names_stay_in_the_folder(client: TestClient, batches: Path) -> None:
    (batches.parent / "report.csv").write_text("board,line,frequency,pot\n")
    for name in ("..", "%2e%2e", "..%2fbatches", "none"):
        assert client.get(f"/api/reports/{name}").status_code in (404, 422), name


def test_a_folder_that_was_removed_by_hand_has_no_reports(client: TestClient) -> None:
    client.services.folders.batches.rmdir()  # type: ignore[attr-defined]
    assert client.get("/api/reports").json() == []


def test_examinations_are_no_batches(client: TestClient, batches: Path) -> None:
    for name, settings in {
        "study": '{"pot": 60}',
        "seats": '{"seats": ["oop"], "strategy": "a"}',
    }.items():
        (batches / name).mkdir()
        (batches / name / "batch.json").write_text(settings)
    assert [batch["name"] for batch in client.get("/api/reports").json()] == ["study"]
