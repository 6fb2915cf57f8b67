"""Processor time of a solve in the browser's queue, against the same solve on the command line.

    python benchmarks/web/overhead.py

Both solve the same spot for the same number of iterations, in turns. The time of the queue is that
of its worker process; what the server takes meanwhile is a row of its own.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx2

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.poker.spots import TURN
from benchmarks.record import write_record
from benchmarks.web.server import Server, processor_seconds, server

ROUNDS = 7
ITERATIONS = 2000


def on_the_command_line(spot: Path, folder: Path) -> float:
    """Processor seconds of `postflop solve`."""
    command = [sys.executable, "-m", "equilibrist", "postflop", "solve", str(spot), "-q"]
    before = os.times()
    subprocess.run(
        [
            *command,
            "--iterations",
            str(ITERATIONS),
            "--threads",
            "1",
            "--out",
            str(folder / "x.safetensors"),
        ],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    after = os.times()
    children_user = after.children_user - before.children_user
    return children_user + after.children_system - before.children_system


def in_the_queue(found: Server) -> tuple[float, float]:
    """Processor seconds of a worker, and of the server meanwhile."""
    options: dict[str, Any] = {"iterations": ITERATIONS, "threads": 1}
    given = {"spot": {"toml": TURN.to_toml()}, "options": options}
    before = found.processor_seconds()
    job = httpx2.post(f"{found.url}/api/jobs", json=given).json()["id"]
    spent, state = 0.0, "queued"
    while state in ("queued", "running"):
        for child in _children(found.process.pid):
            spent = max(spent, processor_seconds(child))
        time.sleep(0.02)
        state = httpx2.get(f"{found.url}/api/jobs/{job}").json()["state"]
    assert state == "done", state
    return spent, found.processor_seconds() - before


def _children(process: int) -> list[int]:
    path = Path(f"/proc/{process}/task/{process}/children")
    return [int(word) for word in path.read_text("ascii").split()]


def main() -> None:
    """Measure and write the record."""
    samples: dict[str, list[float]] = {"command line": [], "queue": [], "server meanwhile": []}
    with tempfile.TemporaryDirectory() as place, server() as found:
        folder = Path(place)
        spot = folder / "turn.toml"
        spot.write_text(TURN.to_toml(), "utf-8")
        on_the_command_line(spot, folder)  # kernels are compiled, or loaded once
        for _ in range(ROUNDS):
            samples["command line"].append(on_the_command_line(spot, folder))
            worker, beside = in_the_queue(found)
            samples["queue"].append(worker)
            samples["server meanwhile"].append(beside)
    base = statistics.median(samples["command line"])
    rows = [
        [name, statistics.median(times), statistics.median(times) / base]
        for name, times in samples.items()
    ]
    for row in rows:
        print(row)
    write_record(
        "web_overhead",
        f"Processor seconds of {ITERATIONS:,} iterations on a turn, one thread; medians of "
        f"{ROUNDS}.",
        "python benchmarks/web/overhead.py",
        ["what", "processor time, s", "of the command line"],
        rows,
        packages=("fastapi", "uvicorn"),
        targets={"of the command line": [1.0, 1.05, None]},
        samples=samples,
    )


if __name__ == "__main__":
    main()
