"""Networks in the place of tables on Leduc hold'em, beside what was published.

    python benchmarks/nets/training.py sd-cfr                    # 5 seeds x 4,980 iterations
    python benchmarks/nets/training.py deep-cfr --iterations 2010
    python benchmarks/nets/training.py nodes                     # by 10 million histories
    python benchmarks/nets/training.py sd-cfr --seeds 1 --seconds 600
    python benchmarks/nets/training.py merged --seeds 1 --seconds 600
    python benchmarks/nets/training.py table                     # what a perfect fit would be

Iterations are of both players together. Exploitability is exact, NashConv / 2 by best responses, in
thousandths of an ante. Seconds are processor time of one core, on whatever runs beside it. All
seeds are reported, none is chosen: median, least and most.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.record import write_record
from equilibrist.evaluation import evaluate
from equilibrist.game_loading import compile_game
from equilibrist.learned.algorithms import get_neural

COMMAND = "python benchmarks/nets/training.py"
PAUSES = (30, 60, 120, 300, 510, 1020, 2010, 3000, 4980)
"""Iterations at which published curves were read."""
NODES = (1_840_000, 2_550_000, 3_500_000, 4_860_000, 10_000_000)
"""Histories at which others were."""


class Row(NamedTuple):
    """One row of the table."""

    algorithm: str
    iterations: int
    by_nodes: bool = False
    published: dict[int, int] | None = None


SD_CFR = {30: 381, 60: 227, 120: 154, 300: 112, 510: 95, 1020: 89, 2010: 69, 3000: 67, 4980: 59}
DEEP = {30: 401, 60: 230, 120: 170, 300: 143, 510: 115, 1020: 110, 2010: 93, 3000: 86, 4980: 80}
BY_NODES = dict(zip(NODES, (85, 67, 57, 53, 46), strict=True))
ROWS = {
    "sd-cfr": Row("sd-cfr", 4980, published=SD_CFR),
    "deep-cfr": Row("deep-cfr", 4980, published=DEEP),
    "merged": Row("sd-cfr(steps=300,merge=true)", 4980, published=SD_CFR),
    "merged-deep": Row("deep-cfr(steps=300,merge=true,policy_steps=1000)", 4980, published=DEEP),
    "table": Row("sd-cfr(learner=table)", 4980, published=SD_CFR),
    "nodes": Row(
        "sd-cfr(walks=346,steps=3000,clip=1.0,buffer=2000000,warm=false)", 10**9, True, BY_NODES
    ),
    "merged-nodes": Row("sd-cfr(walks=346,steps=300,merge=true)", 10**9, True, BY_NODES),
    "table-nodes": Row("sd-cfr(walks=346,learner=table)", 10**9, True, BY_NODES),
}


class Point(NamedTuple):
    """A measurement of one run."""

    iterations: int
    nodes: int
    seconds: float
    milli_antes: float


def run(row: Row, seed: int, iterations: int, seconds: float) -> dict[int, Point]:
    """One run, measured where the published curve was."""
    solver = get_neural(row.algorithm).solver(compile_game("leduc"), seed)
    pauses = [*(NODES if row.by_nodes else PAUSES)]
    started, began = time.perf_counter(), time.process_time()
    points: dict[int, Point] = {}
    measuring = 0.0
    for pause in pauses:
        if not row.by_nodes and pause > iterations:
            break
        while (solver.nodes_touched if row.by_nodes else solver.iteration) < pause:
            if time.perf_counter() - started > seconds:
                return points
            solver.run(1)
        before = time.process_time()
        exploitability = evaluate(solver.average_strategy()).exploitability
        assert exploitability is not None
        measuring += time.process_time() - before
        spent = time.process_time() - began - measuring
        points[pause] = Point(
            solver.iteration, solver.nodes_touched, spent, 1000 * float(exploitability)
        )
        print(f"  seed {seed}: {pause:,}: {points[pause]}", flush=True)
    return points


def main() -> None:
    """Run, and write the record."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("row", choices=[*ROWS])
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--iterations", type=int, default=None)
    parser.add_argument("--seconds", type=float, default=1e9, help="of each seed, by the clock")
    options = parser.parse_args()
    row = ROWS[options.row]
    iterations = row.iterations if options.iterations is None else options.iterations
    seeds = range(1, options.seeds + 1)
    runs = [run(row, seed, iterations, options.seconds) for seed in seeds]
    rows = []
    for pause in NODES if row.by_nodes else PAUSES:
        found = [points[pause] for points in runs if pause in points]
        if len(found) < len(runs):
            break
        values = [point.milli_antes for point in found]
        rows.append(
            [
                f"{median(point.iterations for point in found):,.0f}",
                f"{median(point.nodes for point in found):,.0f}",
                f"{median(values):.0f}",
                f"{min(values):.0f} to {max(values):.0f}",
                f"{median(point.seconds for point in found):.0f}",
                str((row.published or {}).get(pause, "")),
            ]
        )
    write_record(
        f"nets-{options.row}",
        f"Leduc hold'em, {row.algorithm}, {len(runs)} "
        f"seed{'s' * (len(runs) != 1)}: exploitability in thousandths of an ante",
        " ".join([COMMAND, *sys.argv[1:]]),
        ["iterations", "histories", "median", "least to most", "processor seconds", "published"],
        rows,
        packages=("numpy", "numba", "torch"),
        runs=[{str(pause): point._asdict() for pause, point in points.items()} for points in runs],
    )


if __name__ == "__main__":
    main()
