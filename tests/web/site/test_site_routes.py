"""The site of files that pages save: that of the command line, as an archive that a job writes."""

from __future__ import annotations

import json
import os
import time
import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from equilibrist.web.services import Services
from equilibrist.web.site import archive, questions
from equilibrist.web.site.writing import write_site
from equilibrist.web.workers.order import ARCHIVE, STOP, SolveOrder
from tests.web.conftest import put
from tests.web.following import ended
from tests.web.scripted import ScriptedWorker


class Heard:
    """The events of a worker; after so many stages it is told to stop."""

    def __init__(self, most: int | None = None) -> None:
        self.events: list[dict[str, Any]] = []
        self.commands = Told()
        self._most = most

    def send(self, event: str, **facts: Any) -> None:
        self.events.append({"event": event, **facts})
        if len(self.events) == self._most:
            self.commands.received = STOP


class Told:
    """Commands that nobody sends."""

    received: str | None = None


@pytest.fixture
def short_lessons(monkeypatch: pytest.MonkeyPatch) -> None:
    """One iteration of each."""
    monkeypatch.setattr(questions, "ITERATIONS", 1)
    monkeypatch.setattr(questions, "SAMPLED", 1)


def written(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    files: list[Path],
    games: list[str],
    most: int | None = None,
) -> Heard:
    """What a worker sends that writes a site to the folder of a job."""
    folder.mkdir(exist_ok=True)
    heard = Heard(most)
    monkeypatch.setattr(archive, "Commands", lambda: heard.commands)
    monkeypatch.setattr(archive, "_EVERY", 0.0)
    given = {"games": games, "streets": 2, "files": [*map(str, files)]}
    order = SolveOrder(
        kind="site",
        game="",
        spot=None,
        options={},
        checkpoint=str(folder / "run.ckpt"),
        solution="",
        site=given,
    )
    archive.write_archive(order, heard)  # type: ignore[arg-type]
    return heard


def begun(client: TestClient, **body: Any) -> dict[str, Any]:
    """The job of a site."""
    answer = client.post("/api/site", json=body)
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


@pytest.mark.slow
@pytest.mark.usefixtures("short_lessons")
def test_the_archive_has_the_files_of_the_command(
    kuhn_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard = written(tmp_path / "job", monkeypatch, [kuhn_file], ["rock_paper_scissors"])
    write_site(tmp_path / "site", [kuhn_file], ["rock_paper_scissors"])
    files = [path for path in (tmp_path / "site").rglob("*") if path.is_file()]
    with zipfile.ZipFile(tmp_path / "job" / ARCHIVE) as packed:
        names = set(packed.namelist())
        index = json.loads(packed.read("site/site.json"))
        ways = {info.compress_type for info in packed.infolist() if ".pack" in info.filename}
    expected = {path.relative_to(tmp_path).as_posix() for path in files}
    assert len(names) == len(expected)  # names of packs are of the times of files, too
    assert {name for name in names ^ expected if not name.endswith(".pack")} == set()
    assert ways == {zipfile.ZIP_STORED}
    assert "explore/kuhn/index.html" in index["files"]
    assert {path.name for path in (tmp_path / "job").iterdir()} <= {ARCHIVE, "lock"}
    counts = [event["done"] for event in heard.events if event["event"] == "stage"]
    assert counts == sorted(counts)
    assert counts[-1] > 100
    assert heard.events[-1] == {
        "event": "end", "command": None, "stopped_by": None, "is_saved": False, "note": None,
    }  # fmt: skip


@pytest.mark.usefixtures("short_lessons")
def test_solutions_are_not_copied(
    kuhn_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They get a second name on their disk for a while."""
    names, copies = kuhn_file.stat().st_nlink, []
    monkeypatch.setattr("shutil.copy2", lambda *files: copies.append(files))
    written(tmp_path / "job", monkeypatch, [kuhn_file], [])
    assert not copies
    assert kuhn_file.stat().st_nlink == names  # no second name is left


@pytest.mark.usefixtures("short_lessons")
def test_a_site_that_is_stopped_leaves_nothing(
    kuhn_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard = written(tmp_path / "job", monkeypatch, [kuhn_file], ["kuhn"], most=3)
    assert heard.events[-1]["command"] == STOP
    assert len(heard.events) == 4
    assert {path.name for path in (tmp_path / "job").iterdir()} <= {"lock"}


def test_it_is_a_job(client: TestClient, workers: list[ScriptedWorker], kuhn_file: Path) -> None:
    """Queued, cancelled, fetched by ranges, and its archive is removed after a while."""
    services: Services = client.services  # type: ignore[attr-defined]
    put(client, kuhn_file, "kuhn")
    job = begun(client, solutions=["kuhn"], games=["rock_paper_scissors"])
    assert (job["kind"], job["title"]["kind"], job["has_checkpoints"]) == ("site", "site", False)
    assert job["site"] == {
        "solutions": ["kuhn"], "games": ["rock_paper_scissors"], "streets": 2,
        "archive_bytes": None,
    }  # fmt: skip
    place = f"/api/jobs/{job['id']}"
    early = client.get(f"{place}/site")
    assert (early.status_code, early.json()["option"]) == (409, "job")
    assert client.post(f"{place}/pause").status_code == 409
    deadline = time.monotonic() + 30
    while not workers:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert workers[0].order.site == {
        "solutions": ["kuhn"], "games": ["rock_paper_scissors"], "streets": 2,
        "files": [str(services.library.path("kuhn"))],
    }  # fmt: skip
    taken = client.post("/api/solutions/kuhn", json={"name": "other"})
    assert taken.status_code == 409, taken.text  # while it is read
    file = services.jobs.folder_of(job["id"]) / ARCHIVE
    file.write_bytes(b"0123456789")
    assert client.get(place).json()["site"]["archive_bytes"] is None  # its process still runs
    client.portal.call(workers[0].tell, "finish")
    done = ended(client, job)
    assert (done["state"], done["site"]["archive_bytes"]) == ("done", 10)
    whole = client.get(f"{place}/site")
    assert whole.content == b"0123456789"
    assert "equilibrist-site.zip" in whole.headers["content-disposition"]
    part = client.get(f"{place}/site", headers={"Range": "bytes=2-4"})
    assert (part.status_code, part.content) == (206, b"234")
    services.jobs.drop_archives()
    assert file.exists()
    os.utime(file, (0, 0))
    services.jobs.drop_archives()
    gone = client.get(f"{place}/site")
    assert (gone.status_code, gone.json()["option"]) == (404, "job")
    assert client.get(place).json()["site"]["archive_bytes"] is None


@pytest.mark.slow  # a process
def test_a_process_writes_it(client: TestClient) -> None:
    job = begun(client, games=["rock_paper_scissors"])
    assert ended(client, job)["state"] == "done"
    answer = client.get(f"/api/jobs/{job['id']}/site")
    with zipfile.ZipFile(BytesIO(answer.content)) as packed:
        assert "site/index.html" in packed.namelist()


@pytest.mark.parametrize(
    ("body", "status", "option"),
    [
        ({"games": ["nothing"]}, 422, "games"),
        ({"solutions": ["nothing"]}, 404, "solutions"),
        ({"games": ["kuhn"], "streets": 4}, 422, "streets"),
        ({"games": ["liars_dice"]}, 422, "games"),
        ({"games": ["library:nothing"]}, 422, "games"),
        ({}, 422, "solutions"),
    ],
)
def test_what_is_refused(
    client: TestClient, body: dict[str, object], status: int, option: str
) -> None:
    answer = client.post("/api/site", json=body)
    assert (answer.status_code, answer.json()["option"]) == (status, option), answer.text
    assert client.get("/api/jobs").json()["jobs"] == []


def test_guests_save_none(make_client: Callable[..., TestClient]) -> None:
    client = make_client(token="o" * 20, guest_token="g" * 20)
    headers = {"Authorization": f"Bearer {'g' * 20}"}
    answer = client.post("/api/site", json={"games": ["kuhn"]}, headers=headers)
    assert answer.status_code == 403
