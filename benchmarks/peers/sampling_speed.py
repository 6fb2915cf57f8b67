"""Seconds per iteration of Monte Carlo CFR against OpenSpiel's C++ samplers, taken in turn.

    python benchmarks/peers/sampling_speed.py            # all, about three minutes
    python benchmarks/peers/sampling_speed.py leduc      # some games, printed and not recorded

Both solvers first run `warm` iterations, so that they play about equally well; then each round
times a stretch of OpenSpiel's and one of ours, which replays from the same state for a fifth of a
second. An iteration is one traversal per player on both sides, with regrets and average:

    Equilibrist   one of MCCFR.run(n), one thread
    OpenSpiel     ExternalSamplingMCCFRSolver.run_iteration(), OutcomeSamplingMCCFRSolver (epsilon
                  0.6, as ours)
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import pyspiel

import equilibrist as eq
from benchmarks.record import write_record
from equilibrist.solvers import MCCFR

ROUNDS = 7
SETTLED = 0.2
"""Seconds for which our solver replays a stretch."""
SOLVERS: dict[str, Callable[[pyspiel.Game], object]] = {
    "external": lambda game: pyspiel.ExternalSamplingMCCFRSolver(game, seed=1),
    "outcome": lambda game: pyspiel.OutcomeSamplingMCCFRSolver(game, epsilon=0.6, seed=1),
}


@dataclass(frozen=True)
class Case:
    """A game in both notations, the sampler, and the iterations before and in each round."""

    name: str
    spec: str
    openspiel: str
    sampler: str
    warm: int
    count: int
    target: float | None  # the least ratio; stands in the record alone


CASES = (
    Case("Kuhn", "kuhn", "kuhn_poker", "external", 20_000, 50_000, None),
    Case("Kuhn", "kuhn", "kuhn_poker", "outcome", 20_000, 50_000, None),
    Case("Leduc", "leduc", "leduc_poker", "external", 10_000, 10_000, 55),
    Case("Leduc", "leduc", "leduc_poker", "outcome", 30_000, 30_000, 32),
    Case(
        "liar's dice 1x6",
        "liars_dice(sides=6)",
        "liars_dice(numdice=1)",
        "external",
        4_000,
        2_000,
        45,
    ),
    Case(
        "liar's dice 1x6",
        "liars_dice(sides=6)",
        "liars_dice(numdice=1)",
        "outcome",
        40_000,
        40_000,
        None,
    ),
)


def compare(case: Case) -> dict[str, list[float]]:
    """Seconds per iteration by solver and round."""
    theirs = SOLVERS[case.sampler](pyspiel.load_game(case.openspiel))
    ours = MCCFR(eq.load_game(case.spec), "cfr", sampler=case.sampler, seed=1).run(case.warm)
    for _ in range(case.warm):
        theirs.run_iteration()
    times: dict[str, list[float]] = {"Equilibrist": [], "OpenSpiel": []}
    for _ in range(ROUNDS):
        start = time.perf_counter()
        for _ in range(case.count):
            theirs.run_iteration()
        times["OpenSpiel"].append((time.perf_counter() - start) / case.count)
        before, total, replays = ours.state, 0.0, 0
        while total < SETTLED:
            ours.restore(before)
            start = time.perf_counter()
            ours.run(case.count)
            total += time.perf_counter() - start
            replays += 1
        times["Equilibrist"].append(total / (replays * case.count))
    return times


def main() -> None:
    """Time all cases, or those whose spec begins with an argument."""
    wanted = sys.argv[1:]
    rows, raw = [], {}
    for case in CASES:
        if wanted and not any(case.spec.startswith(word) for word in wanted):
            continue
        times = compare(case)
        raw[f"{case.spec} {case.sampler}"] = times
        ratios = [
            theirs / ours
            for theirs, ours in zip(times["OpenSpiel"], times["Equilibrist"], strict=True)
        ]
        rows.append(
            [
                case.name,
                case.sampler,
                statistics.median(times["Equilibrist"]) * 1e6,
                statistics.median(times["OpenSpiel"]) * 1e6,
                statistics.median(ratios),
                f"{min(ratios):.1f}-{max(ratios):.1f}",
            ]
        )
        print(rows[-1], flush=True)
    if wanted:
        return
    write_record(
        "sampling_speed",
        f"Microseconds per iteration (one traversal per player, one thread), medians of {ROUNDS} "
        f"rounds in turn.",
        "python benchmarks/peers/sampling_speed.py",
        [
            "game",
            "sampler",
            "Equilibrist",
            "OpenSpiel C++",
            "OpenSpiel / ours",
            "range",
        ],
        rows,
        packages=("numpy", "numba", "open-spiel"),
        targets={"OpenSpiel / ours": [case.target for case in CASES]},
        cases=[case.__dict__ for case in CASES],
        seconds_per_iteration=raw,
    )


if __name__ == "__main__":
    main()
