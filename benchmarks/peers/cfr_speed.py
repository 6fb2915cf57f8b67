"""Seconds per iteration of CFR+ against OpenSpiel's C++ solver and LiteEFG, taken in turn.

    python benchmarks/peers/cfr_speed.py            # all games, about ten minutes
    python benchmarks/peers/cfr_speed.py leduc      # some, printed and not recorded

Two stretches of iterations are timed on each game, one thread, double precision, alternating
updates with the linear average: the first `count` of fresh solvers, and `count` a round of solvers
that have run `warm` iterations. (As strategies sharpen, OpenSpiel skips what neither player
reaches, so its later iterations are cheaper.) Each round runs the solvers in turn, ours replaying
its stretch for a tenth of a second; ratios are taken pair by pair and their median over the rounds
is quoted. One iteration is, for

    Equilibrist   one row of CFR.run(n): all players' regrets, strategies and averages
    OpenSpiel     CFRPlusSolver.evaluate_and_update_policy()
    LiteEFG       graph.update_graph(env), then env.update_strategy(graph.current_strategy())
                  of LiteEFG.baselines.CFRplus (two players only)
"""

from __future__ import annotations

import contextlib
import io
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import pyspiel

import equilibrist as eq
from benchmarks.record import write_record
from equilibrist.solvers import CFR

ROUNDS = 5
SETTLED = 0.1
"""Seconds for which our solver replays a stretch: one pass of a millisecond would time caches that
the peer has just emptied."""


@dataclass(frozen=True)
class Case:
    """A game in both notations, and the stretches of iterations that a round times."""

    name: str
    spec: str
    openspiel: str
    count: int
    warm: int
    target: float  # the least ratio to OpenSpiel; stands in the record alone


CASES = (
    Case("Kuhn", "kuhn", "kuhn_poker", 2000, 2000, 40),
    Case("Leduc", "leduc", "leduc_poker", 200, 200, 900),
    Case("liar's dice 1x6", "liars_dice(sides=6)", "liars_dice(numdice=1)", 15, 15, 550),
    Case(
        "Goofspiel 5",
        "goofspiel(cards=5,imp_info=true,points_order=descending)",
        (
            "turn_based_simultaneous_game(game=goofspiel(imp_info=true,num_cards=5,"
            "points_order=descending))"
        ),
        100,
        100,
        1800,
    ),
    Case("Leduc, 3 players", "leduc(players=3)", "leduc_poker(players=3)", 2, 4, 1800),
)


def timed(step: Callable[[], object], count: int) -> float:
    """Seconds per call of `step`."""
    start = time.perf_counter()
    for _ in range(count):
        step()
    return (time.perf_counter() - start) / count


def lite_efg(case: Case) -> Callable[[], None]:
    """One iteration of LiteEFG's CFR+ on the same OpenSpiel game."""
    import LiteEFG
    from LiteEFG.baselines.CFRplus import graph

    with contextlib.redirect_stdout(io.StringIO()):
        game = pyspiel.load_game(case.openspiel)
        environment = LiteEFG.OpenSpielEnv(game, traverse_type="Enumerate", regenerate=True)
        rules = graph()
        environment.set_graph(rules)

    def step() -> None:
        rules.update_graph(environment)
        environment.update_strategy(rules.current_strategy(), update_best=False)

    return step


def compare(case: Case) -> dict[str, dict[str, list[float]]]:
    """Seconds per iteration by stretch, solver and round."""
    tree = eq.compile_game(eq.load_game(case.spec))
    game = pyspiel.load_game(case.openspiel)
    CFR(tree, "cfr+", threads=1).run(1)  # loads the kernels

    def fresh() -> dict[str, Callable[[int], float]]:
        ours, theirs = CFR(tree, "cfr+", threads=1), pyspiel.CFRPlusSolver(game)

        def run(count: int) -> float:
            before, total, replays = ours.state, 0.0, 0
            while total < SETTLED:
                ours.restore(before)
                start = time.perf_counter()
                ours.run(count)
                total += time.perf_counter() - start
                replays += 1
            return total / (replays * count)

        return {
            "Equilibrist": run,
            "OpenSpiel": lambda count: timed(theirs.evaluate_and_update_policy, count),
        }

    first: dict[str, list[float]] = {"Equilibrist": [], "OpenSpiel": []}
    for _ in range(ROUNDS):
        for name, run in fresh().items():
            first[name].append(run(case.count))
    solvers = fresh()
    if tree.num_players == 2:
        lite = lite_efg(case)
        solvers["LiteEFG"] = lambda count: timed(lite, count)
    for run in solvers.values():
        run(case.warm)
    later: dict[str, list[float]] = {name: [] for name in solvers}
    for _ in range(ROUNDS):
        for name, run in solvers.items():
            later[name].append(run(case.count))
    last = case.warm + ROUNDS * case.count
    return {f"1-{case.count}": first, f"{case.warm + 1}-{last}": later}


def paired(samples: dict[str, list[float]], name: str) -> float | str:
    """Median over rounds of the peer's time divided by ours."""
    if name not in samples:
        return "-"
    pairs = zip(samples[name], samples["Equilibrist"], strict=True)
    return statistics.median(theirs / ours for theirs, ours in pairs)


def main() -> None:
    """Time all cases, or those whose spec begins with an argument."""
    os.chdir(tempfile.mkdtemp())  # LiteEFG writes its game files into the working directory
    wanted = sys.argv[1:]
    rows, raw = [], {}
    targets = []
    for case in CASES:
        if wanted and not any(case.spec.startswith(word) for word in wanted):
            continue
        raw[case.name] = compare(case)
        for stretch, samples in raw[case.name].items():
            medians = {name: statistics.median(times) * 1e6 for name, times in samples.items()}
            rows.append(
                [
                    case.name,
                    stretch,
                    medians["Equilibrist"],
                    medians["OpenSpiel"],
                    medians.get("LiteEFG", "-"),
                    paired(samples, "OpenSpiel"),
                    paired(samples, "LiteEFG"),
                ]
            )
            targets.append(case.target)
            print(rows[-1], flush=True)
    if wanted:
        return
    write_record(
        "cfr_speed",
        f"Microseconds per iteration of CFR+ (alternating, double precision, one thread), medians "
        f"of {ROUNDS} rounds in turn.",
        "python benchmarks/peers/cfr_speed.py",
        [
            "game",
            "iterations",
            "Equilibrist",
            "OpenSpiel C++",
            "LiteEFG",
            "OpenSpiel / ours",
            "LiteEFG / ours",
        ],
        rows,
        packages=("numpy", "numba", "open-spiel", "LiteEFG"),
        targets={"OpenSpiel / ours": targets},
        cases=[case.__dict__ for case in CASES],
        seconds_per_iteration=raw,
    )


if __name__ == "__main__":
    main()
