"""What the deviations of EFR cost: time per iteration against CFR's, taken in turn.

    python benchmarks/solvers/efr.py

Every round times a stretch of CFR with simultaneous updates and of every family of deviations, all
on one thread, in a process that has compiled and run them before.
"""

from __future__ import annotations

import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import equilibrist as eq
from benchmarks.record import write_record
from equilibrist.solvers import CFR, EFR
from equilibrist.solvers.full_traversal.base import FullTraversals
from equilibrist.solvers.full_traversal.efr import FAMILIES

GAMES = ("kuhn(players=3)", "leduc", "leduc(players=3)")
ROUNDS = 15
STRETCH = 0.02
"""Seconds of CFR in a round; the others run as many iterations."""
MOST = 8.0
"""How many times CFR's iteration one with `tips` may take on `leduc`."""


def seconds(solver: FullTraversals, iterations: int) -> float:
    """What these iterations take of the processor, whatever else runs on it."""
    start = time.thread_time()
    solver.run(iterations)
    return time.thread_time() - start


def main() -> None:
    """Time everything and record it."""
    rows: dict[str, list[object]] = {}
    fastest = []
    samples: dict[str, dict[str, list[float]]] = {}
    for game in GAMES:
        tree = eq.compile_game(game)
        cfr = CFR(tree, "cfr", alternating=False, threads=1)
        solvers: dict[str, FullTraversals] = {"cfr": cfr.run(3)}
        solvers |= {f"efr({name})": EFR(tree, name).run(3) for name in FAMILIES}
        count = max(1, int(STRETCH / (seconds(cfr, 10) / 10)))
        taken: dict[str, list[float]] = {name: [] for name in solvers}
        for _ in range(ROUNDS):
            for name, solver in solvers.items():
                taken[name].append(1e6 * seconds(solver, count) / count)
        samples[game] = taken
        fastest.append(f"{statistics.median(taken['cfr']):.4g}")
        for name, solver in solvers.items():
            ratios = [a / b for a, b in zip(taken[name], taken["cfr"], strict=True)]
            ratio = statistics.median(ratios)
            regrets = solver.variant.regret_count(tree) if name != "cfr" else sequences(tree)
            rows.setdefault(name, [name]).extend((regrets, round(ratio, 2)))
            print(game, *rows[name], flush=True)
            if game == "leduc" and name == "efr(tips)" and ratio > MOST:
                print(f"  MORE than {MOST:g} times CFR's")
    write_record(
        "efr",
        "Regrets, and processor time of an iteration on one thread relative to CFR with "
        f"simultaneous updates ({', '.join(fastest)} microseconds): medians of {ROUNDS} rounds in "
        "turn.",
        "python benchmarks/solvers/efr.py",
        ["algorithm", *(name for game in GAMES for name in (f"{game}: regrets", "time"))],
        list(rows.values()),
        samples=samples,
    )


def sequences(tree: eq.GameTree) -> int:
    """The regrets of CFR: one per action of an infoset that has a choice."""
    counts = (tree.action_offset[1:] - tree.action_offset[:-1]).tolist()
    return sum(count for count in counts if count > 1)


if __name__ == "__main__":
    main()
