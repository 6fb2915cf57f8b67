"""Twenty scripted clients, two solves and one Chromium at the same time, for five minutes.

    python benchmarks/web/load.py SOLUTION [SECONDS]

Each client opens the page of the solution and asks for another node every two seconds. Two solves
run in the queue meanwhile, at low priority as always. Chromium clicks every two seconds; a click
lasts until the node is drawn. SOLUTION is the headline spot of benchmarks/poker/spots.py, solved
and saved with all its streets.

Memory is what the server's process holds itself (RssAnon), without pages of the solution's file,
which is mapped. "Before": the two solves run, and one visitor has opened the solution in Chromium,
looked at a hundred nodes and left. "After": all have left, the two solves still run. Both are
read a minute after the last visitor, when the server has closed what nobody uses.
"""

from __future__ import annotations

import asyncio
import math
import random
import shutil
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import httpx2

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.record import write_record
from benchmarks.web.server import Server, chromium, server
from benchmarks.web.study import clicks, open_study

CLIENTS = 20
SECONDS = 300.0
PAUSE = 2.0
LEFT = 60.0
"""Seconds after the last visitor, before memory is read."""
VISITED = 100
"""Nodes that the first visitor looks at: as many as the server keeps of a solution, and more."""
NAME = "headline"
SOLVES = (
    {"game": "leduc(players=3)", "options": {"iterations": 1_000_000_000}},
    {"game": "liars_dice(sides=6)", "options": {"iterations": 1_000_000_000}},
)
LINES = ("", "X", "X-B94", "X-B94-C", "B94", "B94-C")
"""Nodes of the flop that every client asks for, beside those that it finds below them."""


class Client:
    """One scripted client: a page, and a node every two seconds."""

    def __init__(self, url: str, seed: int) -> None:
        self.url, self.random = url, random.Random(seed)
        self.times: list[float] = []
        self.errors: list[str] = []

    async def run(self, until: float) -> None:
        """Open the page, ask for nodes until then, and leave."""
        async with httpx2.AsyncClient(base_url=self.url, timeout=30) as http:
            try:
                page = await http.get(f"/study/{NAME}", headers={"accept": "text/html"})
                page.raise_for_status()
                while time.monotonic() < until:
                    await asyncio.sleep(PAUSE * self.random.uniform(0.8, 1.2))
                    await self._ask(http)
            except Exception as error:
                self.errors.append(f"{type(error).__name__}: {error}")

    async def _ask(self, http: httpx2.AsyncClient) -> None:
        line = self.random.choice(LINES)
        begun = time.perf_counter()
        answer = await http.get(f"/api/solutions/{NAME}/study", params={"line": line})
        self.times.append(time.perf_counter() - begun)
        if answer.status_code != 200:
            self.errors.append(f"{answer.status_code}: {answer.text[:200]}")


def browser_clicks(url: str, until: float, found: list[float], most: int = 10**9) -> None:
    """Click in Chromium every two seconds until then, so many times at most."""
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        open_study(page, url, NAME)
        for _, seconds in clicks(page):
            found.append(seconds)
            page.wait_for_timeout(1000 * PAUSE)
            if time.monotonic() >= until or len(found) >= most:
                break


def measure(found: Server, seconds: float) -> dict[str, Any]:
    """Run all of it for so long; the numbers."""
    jobs = [httpx2.post(f"{found.url}/api/jobs", json=given).json()["id"] for given in SOLVES]
    browser_clicks(found.url, math.inf, [], most=VISITED)
    time.sleep(LEFT)
    before = found.memory()
    until = time.monotonic() + seconds
    clicked: list[float] = []
    thread = threading.Thread(target=browser_clicks, args=(found.url, until, clicked))
    thread.start()
    clients = [Client(found.url, seed) for seed in range(CLIENTS)]

    async def all_of_them() -> None:
        await asyncio.gather(*(client.run(until) for client in clients))

    asyncio.run(all_of_them())
    thread.join()
    states = [httpx2.get(f"{found.url}/api/jobs/{job}").json()["state"] for job in jobs]
    time.sleep(LEFT)
    after = found.memory()
    for job in jobs:
        httpx2.post(f"{found.url}/api/jobs/{job}/stop")
    errors = [error for client in clients for error in client.errors]
    return {
        "clicks": clicked,
        "answers": [seconds for client in clients for seconds in client.times],
        "errors": errors,
        "states": states,
        "memory": [before, after],
    }


def main() -> None:
    """Measure and write the record."""
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else SECONDS
    with tempfile.TemporaryDirectory() as place:
        library = Path(place) / "library"
        library.mkdir()
        shutil.copy(sys.argv[1], library / f"{NAME}.safetensors")
        with server(Path(place)) as found:
            numbers = measure(found, seconds)
    assert numbers["states"] == ["running", "running"], numbers["states"]
    before, after = numbers["memory"]
    rows: list[list[object]] = [
        [f"{name}, {what}, ms", 1000 * value]
        for name in ("clicks", "answers")
        for what, value in (
            ("median", statistics.median(numbers[name])),
            ("95th percentile", statistics.quantiles(numbers[name], n=20)[-1]),
        )
    ]
    rows += [
        ["errors", len(numbers["errors"])],
        ["memory of the server after / before", after / before],
    ]
    for row in rows:
        print(row)
    print(numbers["errors"][:5])
    write_record(
        "web_load",
        f"{CLIENTS} scripted clients, two solves and one Chromium for {seconds:.0f} s. Memory is "
        "that of the server's process without mapped files, read before and a minute after the "
        "visitors.",
        "python benchmarks/web/load.py SOLUTION" + f" {seconds:.0f}" * (seconds != SECONDS),
        ["what", "value"],
        rows,
        packages=("fastapi", "uvicorn", "playwright"),
        targets={"value": [None, 300, None, None, 0, 1.1]},
        samples={name: numbers[name] for name in ("clicks", "answers", "errors", "memory")},
    )


if __name__ == "__main__":
    main()
