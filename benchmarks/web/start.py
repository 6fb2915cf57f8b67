"""Processor seconds of the server from its start to its first answers, and its memory then.

    python benchmarks/web/start.py

They are those of the server's process with all its threads, which hardly depend on what else the
machine does. The page is that of the library, asked for with all files that it names.
"""

from __future__ import annotations

import re
import statistics
import sys
from pathlib import Path

import httpx2

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.record import write_record
from benchmarks.web.server import server

ROUNDS = 9
FILE = re.compile(r'(?:href|src)="\./(ui/[^"]+)"')


def main() -> None:
    """Measure and write the record."""
    samples: dict[str, list[float]] = {
        name: [] for name in ("address printed", "first answer of the API", "first page", "memory")
    }
    for _ in range(ROUNDS):
        with server() as found:
            samples["address printed"].append(found.processor_seconds())
            httpx2.get(f"{found.url}/api/version").raise_for_status()
            samples["first answer of the API"].append(found.processor_seconds())
        with server() as found, httpx2.Client(base_url=found.url) as client:
            page = client.get("/").text
            for name in FILE.findall(page):
                client.get(f"/{name}").raise_for_status()
            samples["first page"].append(found.processor_seconds())
            samples["memory"].append(found.memory() / 1e6)
    rows = [
        [f"{name}, {'MB' if name == 'memory' else 's'}", statistics.median(values), max(values)]
        for name, values in samples.items()
    ]
    for row in rows:
        print(row)
    write_record(
        "web_start",
        f"Processor seconds of the server's process from its start on; {ROUNDS} rounds.",
        "python benchmarks/web/start.py",
        ["what", "median", "most"],
        rows,
        packages=("fastapi", "uvicorn"),
        targets={"median": [None, 2.0, None, None]},
        samples=samples,
    )


if __name__ == "__main__":
    main()
