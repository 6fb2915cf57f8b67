"""Whole-process times: import, `solve` with warm kernels, and with none compiled yet.

    python benchmarks/startup.py

Each command runs five times (the cold one in an empty kernel cache each time); medians.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.record import write_record

ROUNDS = 5
SOLVE = [sys.executable, "-m", "equilibrist", "solve", "kuhn", "--json"]

RULES = [*SOLVE[:4], "rules:liars_dice(dice=2)", "-s", "external", "-n", "1", "--json"]


def seconds(command: list[str], cache: str) -> float:
    """Wall seconds of one process."""
    environment = {**os.environ, "EQUILIBRIST_CACHE_DIR": cache, "EQUILIBRIST_DATA_DIR": cache}
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        subprocess.run(
            command,
            check=True,
            cwd=folder,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        return time.perf_counter() - start


def import_seconds(statement: str) -> float:
    """Seconds a statement takes inside a fresh interpreter."""
    program = f"import time; t = time.perf_counter(); {statement}; print(time.perf_counter() - t)"
    done = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    return float(done.stdout)


def main() -> None:
    """Measure and write the record."""
    samples: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as warm:
        seconds(SOLVE, warm)
        seconds(RULES, warm)
        samples["`import equilibrist`"] = [
            import_seconds("import equilibrist") for _ in range(ROUNDS)
        ]
        samples["`equilibrist solve kuhn`, kernels on disk"] = [
            seconds(SOLVE, warm) for _ in range(ROUNDS)
        ]
        samples["`equilibrist solve` on rules without a tree, kernels on disk"] = [
            seconds(RULES, warm) for _ in range(ROUNDS)
        ]
    cold = []
    for _ in range(ROUNDS):
        with tempfile.TemporaryDirectory() as empty:
            cold.append(seconds(SOLVE, empty))
    samples["`equilibrist solve kuhn`, empty cache"] = cold
    rows = [[name, statistics.median(times), max(times)] for name, times in samples.items()]
    for row in rows:
        print(row)
    write_record(
        "startup",
        f"Seconds from start to end; {ROUNDS} runs each.",
        "python benchmarks/startup.py",
        ["what", "median, s", "slowest, s"],
        rows,
        packages=("numpy", "numba", "typer", "rich", "pydantic"),
        targets={"median, s": [0.1, 1.5, 1.5, 10.0]},
        samples=samples,
    )


if __name__ == "__main__":
    main()
