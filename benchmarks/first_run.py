"""Whole processes with kernels on disk and with an empty cache, against what Numba itself takes.

    python benchmarks/first_run.py            # some minutes
    python benchmarks/first_run.py --rounds 9 --cold 5

The yardstick is a process that imports Numba and calls one small kernel from its cache. With
kernels on disk it, `solve kuhn` and the river spot run in turn; with an empty cache the other two
do, each time in a folder of their own. Ratios are of medians: with kernels on disk to the
yardstick, with an empty cache to `solve kuhn`.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.record import write_record

YARDSTICK = """
import numba
import numpy as np

@numba.njit(cache=True)
def total(numbers):
    found = 0.0
    for number in numbers:
        found += number
    return found

total(np.ones(8))
"""
SPOT = "--board Ts3h2h5c9s --oop AA,QQ,JJ --ip KK,TT --pot 100 --stack 100 --bets 50"
KUHN = "`solve kuhn`"
RIVER = "`postflop solve`, a river"
NUMBA = "the yardstick"
COMMANDS = {
    NUMBA: ["yardstick.py"],
    KUHN: ["-m", "equilibrist", "solve", "kuhn", "-q", "--out", "kuhn.safetensors"],
    RIVER: ["-m", "equilibrist", "postflop", "solve", *SPOT.split(), "-q"],
}
MOST_WARM, MOST_COLD = 1.4, 3.0
"""The largest ratios asked for."""


def seconds(name: str, folder: str, cache: str) -> float:
    """Wall seconds of one process; Python keeps its bytecode, as it does for installed packages."""
    environment = {**os.environ, "EQUILIBRIST_CACHE_DIR": cache}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, *COMMANDS[name]],
        check=True,
        cwd=folder,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    return time.perf_counter() - start


def warm(rounds: int, folder: str) -> dict[str, list[float]]:
    """Seconds with all kernels on disk, in turn."""
    samples: dict[str, list[float]] = {name: [] for name in COMMANDS}
    with tempfile.TemporaryDirectory() as cache:
        for number in range(rounds + 1):
            for name, found in samples.items():
                took = seconds(name, folder, cache)
                if number:  # the first fills the cache
                    found.append(took)
    return samples


def cold(rounds: int, folder: str) -> dict[str, list[float]]:
    """Seconds with an empty cache, in turn."""
    samples: dict[str, list[float]] = {KUHN: [], RIVER: []}
    for _ in range(rounds):
        for name, found in samples.items():
            with tempfile.TemporaryDirectory() as cache:
                found.append(seconds(name, folder, cache))
    return samples


def main() -> None:
    """Measure, print and write the record."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=9, help="runs of each with kernels on disk")
    parser.add_argument("--cold", type=int, default=3, help="runs of each with an empty cache")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "yardstick.py").write_text(YARDSTICK, "utf-8")
        on_disk, empty = warm(given.rounds, folder), cold(given.cold, folder)
    rows: list[list[object]] = []
    targets: list[float] = []
    for kind, samples, base, most in (
        ("kernels on disk", on_disk, NUMBA, MOST_WARM),
        ("empty cache", empty, KUHN, MOST_COLD),
    ):
        unit = statistics.median(samples[base])
        for name, times in samples.items():
            median = statistics.median(times)
            rows.append([f"{name}, {kind}", median, max(times), median / unit])
            targets.append(1.0 if name == base else most)
    for row in rows:
        print(row)
    write_record(
        "first_run",
        f"Seconds from start to end, medians of {given.rounds} runs with kernels on disk and "
        f"{given.cold} with an empty cache, in turn; ratios to the first of each kind.",
        "python benchmarks/first_run.py",
        ["what", "median, s", "slowest, s", "ratio"],
        rows,
        packages=("numpy", "numba", "scipy", "typer", "pydantic"),
        targets={"ratio": targets},
        samples={"kernels on disk": on_disk, "empty cache": empty},
    )


if __name__ == "__main__":
    main()
