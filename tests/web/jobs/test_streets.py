"""Streets that a file does not keep: a process re-solves them, with the same bits."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

from equilibrist import load_result
from equilibrist.poker.postflop.files.storage import missing_street
from equilibrist.web.errors import LimitError, WebError
from equilibrist.web.jobs import streets
from equilibrist.web.jobs.streets import Streets
from equilibrist.web.store.library import Library
from equilibrist.web.workers.process import Worker
from tests.web.conftest import put

LINE, OTHER = "X-B50-C|8h|X", "X-B50-C|8h"


@pytest.fixture
def less(spot_file: Path, tmp_path: Path) -> Path:
    """A solution from the turn on that keeps no rivers."""
    return load_result(spot_file).save(tmp_path / "less.safetensors", "first-street")


@pytest.fixture
def library(less: Path, tmp_path: Path) -> Library:
    folder = tmp_path / "library"
    folder.mkdir()
    found = Library(folder, 4)
    found.add("less", less)
    return found


@pytest.mark.slow
def test_a_process_finds_the_bits_of_one_that_solves_itself(library: Library) -> None:
    solution: Any
    with library.opened("less") as solution:
        assert missing_street(solution, LINE) == missing_street(solution, OTHER) is not None
        assert missing_street(solution, "X-B50") is None
    asyncio.run(Streets(library, 1).ensure("less", LINE))
    with library.opened("less") as solution:
        assert missing_street(solution, LINE) is missing_street(solution, OTHER) is None
        expected = load_result(library.path("less"))
        for line in (LINE, OTHER):
            ours, theirs = solution.at(line), expected.at(line)
            for one, other in zip(ours.values, theirs.values, strict=True):
                np.testing.assert_array_equal(one, other)
            assert ours.to_dict() == theirs.to_dict()
            assert ours.resolved == theirs.resolved is not None


@pytest.mark.slow
def test_the_server_itself_re_solves_nothing(
    client: TestClient, less: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = load_result(less).to_dict(OTHER)["node"]
    put(client, less, "less")

    def solve(*_: object, **__: object) -> None:
        raise AssertionError("the server solves")

    monkeypatch.setattr("equilibrist.poker.postflop.files.storage.solve", solve)
    asked: dict[str, Any] = {"params": {"line": OTHER, "resolve": True}}
    found = client.get("/api/solutions/less/node", **asked)
    assert found.status_code == 200, found.text
    assert found.json()["node"] == expected
    for what in ("study", "grid", "graph", "hands.csv", "lock"):
        assert client.get(f"/api/solutions/less/{what}", **asked).status_code == 200, what
    wrong = client.get("/api/solutions/less/node", params={"line": "X-B51|8h", "resolve": True})
    assert wrong.status_code == 422


class SlowWorker:
    """Solves until it is ended."""

    started: list[SlowWorker]

    def __init__(self) -> None:
        self.is_ended = False

    @classmethod
    async def start(cls, *_: Any) -> SlowWorker:
        cls.started.append(cls())
        return cls.started[-1]

    async def events(self) -> Any:
        await asyncio.sleep(30)
        yield {}

    async def close(self) -> None:
        self.is_ended = True


def test_what_nobody_waits_for_ends(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    SlowWorker.started = []
    monkeypatch.setattr(streets, "Worker", SlowWorker)

    async def leave() -> None:
        found = Streets(library, 1)
        first, second = (asyncio.create_task(found.ensure("less", LINE)) for _ in range(2))
        while not SlowWorker.started:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.1)
        worker: Any
        (worker,) = SlowWorker.started  # one for both
        with pytest.raises(LimitError) as refused:
            await found.ensure("less", "X-B50-C|9h")
        assert refused.value.option == "resolve"
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        await asyncio.sleep(0.05)
        assert not worker.is_ended  # the other still waits
        second.cancel()
        await asyncio.gather(second, return_exceptions=True)
        await asyncio.sleep(0.05)
        assert worker.is_ended
        assert not found._runs

    asyncio.run(leave())


def test_a_process_that_dies_is_said(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    start = Worker.start

    async def killed(*args: Any) -> Worker:
        worker = await start(*args)
        worker.kill()
        return worker

    monkeypatch.setattr(Worker, "start", killed)
    with pytest.raises(WebError) as refused:
        asyncio.run(Streets(library, 1).ensure("less", LINE))
    assert refused.value.option == "resolve"


@pytest.mark.slow  # every river is re-solved twice
def test_a_report_over_streets_that_are_re_solved(client: TestClient, less: Path) -> None:
    put(client, less, "less")
    asked: dict[str, Any] = {"params": {"line": "X-X", "resolve": True}}
    found = client.get("/api/solutions/less/runouts", **asked).json()["runouts"]
    whole = load_result(client.services.library.path("less"))  # type: ignore[attr-defined]
    from equilibrist.poker.postflop.files.runout_report import (
        distinct_runouts,
        plain,
        rows_of_runouts,
    )

    rows = [*distinct_runouts(whole, "X-X")]
    assert found == [plain(row) for row in rows_of_runouts(whole, "X-X", rows)]
