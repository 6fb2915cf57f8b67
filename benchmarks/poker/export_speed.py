"""Measure how long the tree of a small flop spot takes to export, and how large the files are.

    python benchmarks/poker/export_speed.py [--record]

52,336 decisions on 2,402 boards, 68 hands of each player. Each file is written by a process of its
own, from a saved solution. Exporting works on one core: on an idle machine CPU seconds are close to
wall-clock seconds. Prints a table; with --record writes
benchmarks/results/tree_export.json.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.record import write_record
from equilibrist.poker import Spot, solve

_HANDS = "AA,AKs,QQ-88,A5s-A2s,KQo:0.5"
SPOT = Spot(
    board="Ks8h3d", oop=_HANDS, ip=_HANDS, pot=60, stack=120, bets="50%", raises="||a",
    force_all_in="20%",
)  # fmt: skip
ENDINGS = ("jsonl", "csv", "parquet")
COLUMNS = ["file", "nodes", "bytes", "estimated bytes", "CPU seconds"]
_EXPORT = """
import json, sys
from equilibrist import load_result
from equilibrist.poker import export
plans = []
nodes = export(load_result(sys.argv[1]), sys.argv[2], on_plan=plans.append)
print(json.dumps([nodes, plans[0].num_bytes]))
"""


def measured(solution: Path, ending: str) -> list[object]:
    """A row: the export to one kind of file, from the start of Python to its end."""
    out = solution.with_name(f"tree.{ending}")
    before = _processor_seconds()
    done = subprocess.run(
        [sys.executable, "-c", _EXPORT, str(solution), str(out)],
        check=True,
        capture_output=True,
        text=True,
    )
    used = _processor_seconds() - before
    nodes, estimated = json.loads(done.stdout)
    row = [f".{ending}", nodes, out.stat().st_size, estimated, used]
    out.unlink()
    return row


def _processor_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> int:
    """Measure, print, record."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--record", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        solution = solve(SPOT, target="0.5%").save(Path(folder) / "flop.spot")
        rows = [measured(solution, ending) for ending in ENDINGS]
    for row in [COLUMNS, *rows]:
        print("  ".join(f"{cell:<12.3g}" if isinstance(cell, float) else f"{cell}" for cell in row))
    if given.record:
        write_record(
            "tree_export",
            "The whole tree of a flop spot with 68 hands of each player as a file: a process that "
            "loads the solution and exports it, on one core.",
            "python benchmarks/poker/export_speed.py --record",
            COLUMNS,
            rows,
            packages=("numpy", "pyarrow"),
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
