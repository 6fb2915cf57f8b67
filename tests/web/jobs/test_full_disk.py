"""The queue on a full or read-only disk: no run is dropped, none waits for ever, all is told."""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import pytest
from starlette.testclient import TestClient

from tests.web.conftest import SPOT
from tests.web.following import ended, running, started
from tests.web.scripted import ScriptedWorker
from tests.web.workers.test_uploads import EFG


class Disk:
    """A disk that takes nothing while `problem` is set: the number of the system's error."""

    problem: int | None = None

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        opened = Path.open

        def open_file(path: Path, mode: str = "r", *how: Any, **more: Any) -> IO[Any]:
            if self.problem is not None and set(mode) & set("wxa"):
                raise OSError(self.problem, os.strerror(self.problem), str(path))
            return opened(path, mode, *how, **more)

        monkeypatch.setattr(Path, "open", open_file)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    return Disk(monkeypatch)


def _tell(client: TestClient, worker: ScriptedWorker, word: str) -> None:
    client.portal.call(worker.tell, word)


SMALL = {"memory": "1MB"}


@pytest.mark.parametrize("moment", ["start", "run", "end"])
def test_runs_and_those_that_wait_go_on_on_a_full_disk(
    make_client: Callable[..., TestClient],
    workers: list[ScriptedWorker],
    disk: Disk,
    moment: str,
) -> None:
    client = make_client(limits={"running": 1, "memory": 10**9})
    first = running(client, started(client, game="kuhn", options=SMALL))
    second, third = (started(client, game="leduc", options=SMALL) for _ in range(2))
    if moment == "end":  # of the first, and so the start of the second
        disk.problem = errno.ENOSPC
    _tell(client, workers[0], "finish")
    assert ended(client, first)["state"] == "done"
    running(client, second)
    disk.problem = errno.ENOSPC
    if moment == "start":
        _tell(client, workers[0], "die")
        assert ended(client, second)["error"]["kind"] == "WorkerDied"  # which is true
    else:
        _tell(client, workers[0], "finish")
        assert ended(client, second)["error"] is None
    running(client, third)
    assert os.strerror(errno.ENOSPC) in client.get(f"/api/jobs/{third['id']}").json()["unwritten"]
    _tell(client, workers[0], "finish")
    assert ended(client, third)["state"] == "done"
    refused = client.post("/api/jobs", json={"game": "kuhn", "options": SMALL})
    assert (refused.status_code, refused.json()["kind"]) == (507, "OutputError")
    assert len(list(client.services.folders.jobs.iterdir())) == 3  # type: ignore[attr-defined]
    disk.problem = None
    client.services.jobs.keep_late()  # type: ignore[attr-defined]
    assert client.get(f"/api/jobs/{third['id']}").json()["unwritten"] is None
    states = {job["id"]: job["state"] for job in make_client().get("/api/jobs").json()["jobs"]}
    assert states[third["id"]] == "done"  # as on disk


def test_a_process_that_cannot_start_fails_its_run_and_no_other(
    make_client: Callable[..., TestClient],
    workers: list[ScriptedWorker],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    client = make_client(limits={"running": 1, "memory": 10**9})
    start = ScriptedWorker.start

    async def no_memory(*_arguments: Any) -> ScriptedWorker:
        monkeypatch.setattr(ScriptedWorker, "start", start)
        raise OSError(errno.ENOMEM, "Cannot allocate memory")

    monkeypatch.setattr(ScriptedWorker, "start", no_memory)
    jobs = [started(client, game="kuhn", options=SMALL) for _ in range(2)]
    failed = ended(client, jobs[0])
    assert (failed["state"], failed["error"]["given"]) == ("failed", "Cannot allocate memory")
    running(client, jobs[1])


@pytest.mark.parametrize(
    ("problem", "status"), [(errno.ENOSPC, 507), (errno.EROFS, 409), (errno.EACCES, 409)]
)
@pytest.mark.parametrize(
    ("method", "path", "content"),
    [
        ("PUT", "/api/uploads/game.efg", EFG),
        ("PUT", "/api/setups/mine", b'{"toml": TOML}'),
        ("PUT", "/api/ranges/own/mine", b'{"text": "AA"}'),
        ("POST", "/api/jobs", b'{"game": "kuhn"}'),
    ],
)
def test_what_cannot_be_written_is_refused_with_a_sentence(
    client: TestClient,
    disk: Disk,
    problem: int,
    status: int,
    method: str,
    path: str,
    content: bytes,
) -> None:
    disk.problem = problem
    content = content.replace(b"TOML", json.dumps(SPOT.to_toml()).encode())
    kind = {"Content-Type": "application/json"}
    answer = client.request(method, path, content=content, headers=kind)
    assert answer.status_code == status, answer.text
    assert answer.json()["remedy"]
    root = str(client.services.folders.root)  # type: ignore[attr-defined]
    assert root not in answer.text


def test_a_server_starts_on_a_full_disk(
    make_client: Callable[..., TestClient], workers: list[ScriptedWorker], disk: Disk
) -> None:
    first = make_client()
    ran = running(first, started(first, game="kuhn"))
    disk.problem = errno.ENOSPC
    found = make_client().get(f"/api/jobs/{ran['id']}").json()
    assert (found["state"], found["can_resume"]) == ("interrupted", True)
    assert found["unwritten"]


def test_a_spot_that_has_no_room_on_the_disk_is_refused(
    client: TestClient, workers: list[ScriptedWorker], monkeypatch: pytest.MonkeyPatch
) -> None:
    free = [10**9]

    def usage(_folder: Path) -> Any:
        return type("Usage", (), {"free": free[0]})

    monkeypatch.setattr(shutil, "disk_usage", usage)
    job = {"spot": {"toml": SPOT.to_toml()}}
    need = started(client, **job)["disk_bytes"]
    free[0] = 2 * need - 1  # the first has written nothing yet
    refused = client.post("/api/jobs", json=job)
    assert (refused.status_code, refused.json()["option"]) == (507, "disk")
    assert (refused.json()["given"], refused.json()["expected"]) == (need, need - 1)
    free[0] = 2 * need
    started(client, **job)
