"""Measure how long solutions of spots take to save, to load and to look up, and how large they are.

    python benchmarks/poker/save_load.py [--iterations N] [--record]

Of the turn spot and the flop spot of the speed measurements, after a few iterations, whose number
changes neither times nor bytes. Prints a table; with --record writes
benchmarks/results/spot_files.json.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.poker.spots import SPOTS
from benchmarks.record import write_record
from equilibrist import load_result
from equilibrist.poker import Spot, resume, solve
from equilibrist.poker.postflop.solution.spot_file import KEEPS

COLUMNS = ["spot", "what", "bytes", "write s", "open s", "open and look at root s"]
_TIMES = 3


def median_seconds(work: Callable[[], object]) -> float:
    """The median of a few times; the first one compiles and does not count."""
    work()
    taken = []
    for _ in range(_TIMES):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


def rows(name: str, spot: Spot, iterations: int, folder: Path) -> list[list[object]]:
    """A row for each way to keep a solution, and one for a checkpoint."""
    path, state = folder / "out.spot", folder / "run.ckpt"
    solution = solve(spot, iterations=iterations, checkpoint=state)
    found: list[list[object]] = []
    for keep in KEEPS:
        written = median_seconds(lambda keep=keep: solution.save(path, keep))
        opened = median_seconds(lambda: load_result(path))
        root = median_seconds(lambda: load_result(path).at())
        found.append([name, keep, path.stat().st_size, written, opened, root])
    start = time.perf_counter()
    solved = resume(state, iterations=iterations)  # reads, measures, writes
    whole = time.perf_counter() - start
    found.append([name, "checkpoint", state.stat().st_size, "-", whole, "-"])
    assert solved.iterations == iterations
    return found


def main() -> int:
    """Measure, print, record."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--iterations", type=int, default=2)
    parser.add_argument("--record", action="store_true")
    given = parser.parse_args()
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for name in ("turn", "flop"):
            (Path(folder) / name).mkdir()
            found += rows(name, SPOTS[name], given.iterations, Path(folder) / name)
    for row in [COLUMNS, *found]:
        print(
            "  ".join(
                f"{cell:<12.3g}" if isinstance(cell, float) else f"{cell!s:<12}" for cell in row
            )
        )
    if given.record:
        write_record(
            "spot_files",
            "Solutions of spots on disk: bytes, and seconds to write, open, and open and look "
            f"at the root, medians of {_TIMES}; of a checkpoint to read, measure and write it.",
            "python benchmarks/poker/save_load.py --record",
            COLUMNS,
            found,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
