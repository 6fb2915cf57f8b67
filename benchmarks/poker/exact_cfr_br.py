"""CFR-BR on flop hold'em: what buckets lose, learnt from each other or from best responses.

    python benchmarks/poker/exact_cfr_br.py               # half an hour
    python benchmarks/poker/exact_cfr_br.py all-hands     # a quarter of an hour

The game is flop hold'em with limit betting, as in `exact_holdem.py`. Hands are merged by
percentiles of E[HS]: 5 parts before the flop and 5 of each of them on it, which is remembered (25
buckets, 1,790 infosets); or all 169 classes and 570 parts of the flop that forget them (41,252
infosets). With `all-hands` the opponents are no best responses, but learn as well, without buckets.
Published figures are those of Johanson, Bard, Burch and Bowling, Finding Optimal
Abstract Strategies in Extensive-Form Games, AAAI 2012. They fit NashConv, the sum of what both
seats lose. How the 570 buckets were cut is not said.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.poker.exact_holdem import GAME
from benchmarks.record import write_record
from equilibrist.poker.preflop.exact.abstract.percentiles import percentile_buckets
from equilibrist.poker.preflop.exact.abstract.solver import BucketSolver, Opponent
from equilibrist.poker.preflop.exact.engine import Engine
from equilibrist.solvers.variants.schedules import PowerAverage
from equilibrist.solvers.variants.variant import Variant

THREADS = 2


RESPONDING = Variant("cfr, average of t^6", average=PowerAverage(6.0))
"""Plain CFR whose average forgets early iterations: of those tried on 20 cards the fastest."""


class Run(NamedTuple):
    """A run, and what was published of it."""

    buckets: tuple[int | str, int]
    nested: bool
    opponent: Opponent
    algorithm: Variant | str
    iterations: int
    published: float


RUNS = (
    Run((5, 5), True, "best response", RESPONDING, 120, 81.332),
    Run((5, 5), True, "abstract", "cfr+", 60, 143.932),
    Run(("all", 570), False, "best response", RESPONDING, 100, 25.371),
    Run(("all", 570), False, "abstract", "cfr+", 60, 102.913),
)
LEARNING_RUNS = (Run(("all", 570), False, "all hands", "dcfr", 300, 25.371),)
WAYS = {"abstract": "CFR", "best response": "CFR-BR", "all hands": "CFR, all hands"}
POINTS = (0.1, 0.25, 0.5, 1.0)
"""Parts of a run after which it is measured."""


def main() -> None:
    """Run all of a kind, print, record."""
    kind = sys.argv[1] if len(sys.argv) > 1 else ""
    engine = Engine(GAME, THREADS)
    rows: list[list[object]] = []
    traces = {}
    for run in LEARNING_RUNS if kind else RUNS:
        buckets = percentile_buckets(engine, run.buckets, nested=run.nested)
        solver = BucketSolver(engine, buckets, run.opponent, run.algorithm)
        way = WAYS[run.opponent]
        spent, trace = 0.0, []
        for part in POINTS:
            begun = time.perf_counter()
            solver.run(round(part * run.iterations) - solver.iteration)
            spent += time.perf_counter() - begun
            average, last = solver.measure(), solver.measure(last=True)
            figures = [1000.0 * measure.nash_conv for measure in (average, last)]
            trace.append([solver.iteration, *figures])
            print(buckets.name, way, trace[-1], f"{spent:.0f} s", flush=True)
        rows.append(
            [buckets.name, solver.num_infosets, way, solver.iteration, *trace[-1][1:],
             run.published, spent]
        )  # fmt: skip
        traces[f"{buckets.name}, {way}"] = trace
    write_record(
        "exact_cfr_br_all_hands" if kind else "exact_cfr_br",
        "Flop hold'em, limit: NashConv in mbb a hand, by best responses with all hands, of the "
        "average and of the last strategies; seconds of iterating beside other work.",
        f"python benchmarks/poker/exact_cfr_br.py {kind}".rstrip(),
        ["buckets", "infosets", "algorithm", "iterations", "average", "last", "published",
         "seconds"],
        rows,
        traces=traces,
    )  # fmt: skip


if __name__ == "__main__":
    main()
