"""Seconds until the server answers, until its first page is there, and of a reload.

    python benchmarks/web/pages.py

Each round starts a server and a Chromium, both with empty caches of pages.
"""

from __future__ import annotations

import statistics
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.record import write_record
from benchmarks.web.server import chromium, seconds_to_open, server

ROUNDS = 7


def main() -> None:
    """Measure and write the record."""
    samples: dict[str, list[float]] = {"server up": [], "first page": [], "reload": []}
    for _ in range(ROUNDS):
        with server() as found, chromium() as browser:
            samples["server up"].append(found.seconds)
            page = browser.new_page()
            samples["first page"].append(seconds_to_open(page, found.url))
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
        targets={"median, s": [2.5, 2.5, 1.2]},
        samples=samples,
    )


if __name__ == "__main__":
    main()
