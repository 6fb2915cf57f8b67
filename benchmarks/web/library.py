"""Seconds in which a library of 1,000 solutions is listed: the first time, and afterwards.

    python benchmarks/web/library.py

A spot and a game are solved, and 500 files of each are listed through the API without a socket:
by a server that has no index yet, by the next one, and page after page.
"""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import equilibrist as eq
from benchmarks.poker.spots import TURN
from benchmarks.record import write_record
from equilibrist import poker
from equilibrist.web.application import guarded, make_api
from equilibrist.web.services import Services
from equilibrist.web.settings import Settings

COUNT = 1_000
ROUNDS = 9


def main() -> None:
    """Measure and write the record."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        spot = poker.solve(TURN, iterations=2).save(root / "turn.safetensors")
        game = eq.solve("kuhn", iterations=20).save(root / "kuhn.safetensors")
        data = root / "data"
        client = _client(data)
        for number in range(COUNT):
            shutil.copy(
                game if number % 2 else spot, data / "library" / f"s{number:04}.safetensors"
            )
        samples = {"first page, no index yet": [_seconds(lambda: _page(client))]}
        client.services.library.index.keep(data / "library", (data / "library").iterdir())  # type: ignore[attr-defined]
        asked: dict[str, dict[str, str]] = {
            "first page": {},
            "sorted by title": {"sort": "title"},
            "searched": {"search": "kuhn s0"},
        }
        next_servers = [_client(data) for _ in range(ROUNDS)]
        samples["first page of the next server"] = [
            _seconds(lambda server=server: _page(server))  # type: ignore[misc]
            for server in next_servers
        ]
        for name, query in asked.items():
            samples[name] = [_seconds(lambda query=query: _page(client, **query))  # type: ignore[misc]
                             for _ in range(ROUNDS)]  # fmt: skip
        samples["all ten pages"] = [_seconds(lambda: _all(client)) for _ in range(ROUNDS)]
    rows = [[name, statistics.median(times), max(times)] for name, times in samples.items()]
    for row in rows:
        print(row)
    write_record(
        "web_library",
        f"Seconds of requests to a library of {COUNT:,} solutions; medians of {ROUNDS}.",
        "python benchmarks/web/library.py",
        ["what", "median, s", "slowest, s"],
        rows,
        packages=("fastapi",),
        samples=samples,
    )


def _client(data: Path) -> TestClient:
    services = Services.of(Settings(data=data))
    client = TestClient(guarded(make_api(), services), base_url="http://127.0.0.1:8137")
    client.get("/api/version")  # which loads Numba
    client.services = services  # type: ignore[attr-defined]
    return client


def _page(client: TestClient, **query: str) -> Any:
    answer = client.get("/api/solutions", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def _all(client: TestClient) -> None:
    after: str | None = ""
    while after is not None:
        after = _page(client, after=after)["next"]


def _seconds(function: Callable[[], object]) -> float:
    begun = time.perf_counter()
    function()
    return time.perf_counter() - begun


if __name__ == "__main__":
    main()
