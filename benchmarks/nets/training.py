"""Networks in the place of tables on Leduc hold'em, beside what was published.

    python benchmarks/nets/training.py sd-cfr                    # 5 seeds x 4,980 iterations
    python benchmarks/nets/training.py deep-cfr --iterations 2010
    python benchmarks/nets/training.py nodes                     # by 10 million histories
    python benchmarks/nets/training.py sd-cfr --seeds 1 --seconds 600
    python benchmarks/nets/training.py merged --seeds 1 --seconds 600
    python benchmarks/nets/training.py table                     # what a perfect fit would be
    python benchmarks/nets/training.py dream                     # by 10 million histories
    python benchmarks/nets/training.py vr-deep-pdcfr+            # by 10 million episodes
    python benchmarks/nets/training.py nfsp                      # by 3 million times 128 moves
    python benchmarks/nets/training.py escher-net                # Kuhn poker, 100 iterations
    python benchmarks/nets/training.py ppo-small                 # and mmd-small, r-nad-small

Iterations are of both players together, an episode is one walk of one player. Exploitability is
exact, NashConv / 2 by best responses, in thousandths of an ante. Seconds are processor time of one
core, on whatever runs beside it. All seeds are reported, none is chosen: median, least and most.
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
from equilibrist.learned.algorithms.nfsp import NFSP
from equilibrist.learned.algorithms.registry import get_neural
from equilibrist.learned.solver import NeuralSolver

COMMAND = "python benchmarks/nets/training.py"
PAUSES = (30, 60, 120, 300, 510, 1020, 2010, 3000, 4980)
"""Iterations at which published curves were read."""
NODES = (1_840_000, 2_550_000, 3_500_000, 4_860_000, 10_000_000)
"""Histories at which others were."""


MILLION = 1_000_000


class Row(NamedTuple):
    """One row of the table.

    Attributes:
        algorithm: What trains.
        iterations: The most iterations.
        by_nodes: Whether it is measured at numbers of histories.
        published: What others have reached, by iterations, histories or episodes.
        game: What is played.
        per_iteration: Episodes of an iteration, where it is measured at numbers of them.
        moves: Moves of what was published as an iteration, where it is measured at those.
        at: Iterations at which it is measured, where nothing is published.
    """

    algorithm: str
    iterations: int
    by_nodes: bool = False
    published: dict[int, int] | None = None
    game: str = "leduc"
    per_iteration: int | None = None
    moves: int | None = None
    at: tuple[int, ...] = PAUSES

    @property
    def pauses(self) -> tuple[int, ...]:
        """Iterations, histories or episodes at which it is measured."""
        if self.by_nodes:
            return NODES
        return tuple(self.published or PAUSES) if self.per_iteration or self.moves else self.at

    def reached(self, solver: NeuralSolver) -> int:
        """How far a run is, in the unit of the pauses."""
        if self.by_nodes:
            return solver.nodes_touched
        if self.moves:
            assert isinstance(solver, NFSP)
            return solver.moves // self.moves
        return solver.iteration * (self.per_iteration or 1)


SD_CFR = {30: 381, 60: 227, 120: 154, 300: 112, 510: 95, 1020: 89, 2010: 69, 3000: 67, 4980: 59}
DEEP = {30: 401, 60: 230, 120: 170, 300: 143, 510: 115, 1020: 110, 2010: 93, 3000: 86, 4980: 80}
BY_NODES = dict(zip(NODES, (85, 67, 57, 53, 46), strict=True))
DREAM = dict(zip(NODES, (88, 78, 67, 60, 57), strict=True))
EPISODES = (1 * MILLION, 2 * MILLION, 4 * MILLION, 8 * MILLION, 10 * MILLION)
DCFR_PLUS = dict(zip(EPISODES, (152, 121, 114, 85, 89), strict=True))
PDCFR_PLUS = {1 * MILLION: 158, 4 * MILLION: 115, 9_500_000: 90}
NFSP_ITERATIONS = {
    10_000: 1040,
    100_000: 430,
    500_000: 158,
    MILLION: 128,
    2 * MILLION: 77,
    3 * MILLION: 75,
}
SMALL = "width=64,depth=2,rate=0.001"
GAMES = {"leduc": "Leduc hold'em", "kuhn": "Kuhn poker"}
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
    "dream": Row("dream", 10**9, True, DREAM),
    "dream-merged": Row("dream(steps=300,merge=true)", 10**9, True, DREAM),
    "dream-table": Row("dream(learner=table)", 10**9, True, DREAM),
    "vr-deep-dcfr+": Row("vr-deep-dcfr+", 1000, published=DCFR_PLUS, per_iteration=10_000),
    "vr-deep-pdcfr+": Row("vr-deep-pdcfr+", 1000, published=PDCFR_PLUS, per_iteration=10_000),
    "vr-deep-dcfr+-table": Row(
        "vr-deep-dcfr+(learner=table)", 1000, published=DCFR_PLUS, per_iteration=10_000
    ),
    "vr-deep-pdcfr+-table": Row(
        "vr-deep-pdcfr+(learner=table)", 1000, published=PDCFR_PLUS, per_iteration=10_000
    ),
    "nfsp": Row("nfsp", 10**9, published=NFSP_ITERATIONS, moves=128),
    "nfsp-table": Row("nfsp(learner=table)", 10**9, published=NFSP_ITERATIONS, moves=128),
    "escher-net": Row("escher-net", 200, published={200: 50}, game="kuhn", per_iteration=1),
    "ppo": Row("ppo", 510),
    "mmd": Row("mmd", 510),
    "r-nad": Row("r-nad", 510),
    "ppo-small": Row(f"ppo({SMALL},horizon=1000,entropy=0.1)", 1000, at=(100, 300, 1000)),
    "mmd-small": Row(f"mmd({SMALL},horizon=1000,alpha=0.1)", 1000, at=(100, 300, 1000)),
    "r-nad-small": Row(f"r-nad({SMALL},period=300,follow=0.02)", 3000, at=(300, 1000, 3000)),
    "mmd-q": Row("mmd-q", 510),
    "ppo-q": Row("ppo-q", 510),
    "r-nad-q": Row("r-nad-q", 510),
}


class Point(NamedTuple):
    """A measurement of one run."""

    iterations: int
    nodes: int
    seconds: float
    milli_antes: float


def run(row: Row, seed: int, iterations: int, seconds: float) -> dict[int, Point]:
    """One run, measured where the published curve was."""
    solver = get_neural(row.algorithm).solver(compile_game(row.game), seed)
    started, began = time.perf_counter(), time.process_time()
    points: dict[int, Point] = {}
    measuring = 0.0
    for pause in row.pauses:
        while row.reached(solver) < pause:
            if solver.iteration >= iterations or time.perf_counter() - started > seconds:
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
    for pause in row.pauses:
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
        f"nets_training_{options.row}".replace("-", "_").replace("+", "_plus"),
        f"{GAMES[row.game]}, {row.algorithm}, {len(runs)} "
        f"seed{'s' * (len(runs) != 1)}: exploitability in thousandths of an ante.",
        " ".join([COMMAND, *sys.argv[1:]]),
        ["iterations", "histories", "median", "least to most", "processor seconds", "published"],
        rows,
        packages=("numpy", "numba", "torch"),
        runs=[{str(pause): point._asdict() for pause, point in points.items()} for points in runs],
    )


if __name__ == "__main__":
    main()
