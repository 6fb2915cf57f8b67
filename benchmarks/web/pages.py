"""Seconds until the server answers, until its first page is there, and of a reload.

The processor time is that of the server's process, with all its threads, from its start until it
has answered the first request: of the API, and of Chromium for the first page with all its files.

    python benchmarks/web/pages.py

Each round starts a server and a Chromium, both with empty caches of pages.
"""

from __future__ import annotations

import statistics
import sys
from pathlib import Path

import httpx2

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.record import write_record
from benchmarks.web.server import chromium, seconds_to_open, server

ROUNDS = 7
WHAT = ("server up", "first answer, processor", "first page", "first page, processor", "reload")


def main() -> None:
    """Measure and write the record."""
    samples: dict[str, list[float]] = {name: [] for name in WHAT}
    for _ in range(ROUNDS):
        with server() as found:
            samples["server up"].append(found.seconds)
            httpx2.get(f"{found.url}/api/version").raise_for_status()
            samples["first answer, processor"].append(found.processor_seconds())
        with server() as found, chromium() as browser:
            page = browser.new_page()
            samples["first page"].append(seconds_to_open(page, found.url))
            samples["first page, processor"].append(found.processor_seconds())
            samples["reload"].append(seconds_to_open(page, found.url))
    rows = [[name, statistics.median(times), max(times)] for name, times in samples.items()]
    for row in rows:
        print(row)
    write_record(
        "web_pages",
        f"Seconds; {ROUNDS} rounds, each with a new server and a new browser.",
        "python benchmarks/web/pages.py",
        ["what", "median, s", "slowest, s"],
        rows,
        packages=("fastapi", "uvicorn", "playwright"),
        targets={"median, s": [2.5, 2.0, 2.5, None, 1.2]},
        samples=samples,
    )


if __name__ == "__main__":
    main()
