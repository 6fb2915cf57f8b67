"""NashConv of every sampler, and of full traversals, against histories visited and against seconds.

    python benchmarks/solvers/sampling_convergence.py            # about ten minutes
    python benchmarks/solvers/sampling_convergence.py --seconds 0.5   # quicker; not recorded

Draws docs/images/sampling.svg. Each solver runs for a few seconds per seed, alone on one thread,
and is measured on the way; measuring does not count. A full traversal counts every history once per
player. Bands reach from the best to the worst seed.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np

import equilibrist as eq
from benchmarks.record import write_record
from equilibrist.solvers import CFR, MCCFR

GAMES = {
    "Kuhn": "kuhn",
    "Leduc": "leduc",
    "liar's dice 1x6": "liars_dice(sides=6)",
    "Goofspiel 5": "goofspiel(cards=5,imp_info=true,points_order=descending)",
}
SAMPLERS = (
    "external", "outcome", "chance", "public-chance", "average-strategy", "robust", "probing",
    "pure", "escher",
)  # fmt: skip
FULL = ("cfr+", "dcfr")
SEEDS = 5
POINTS = 18
SHORTEST = 1e-4
"""Seconds, of the first measurement."""
COLOURS = (
    "#0072b2", "#d55e00", "#009e73", "#999933", "#cc79a7", "#e69f00", "#56b4e9", "#882255",
    "#8c6bb1", "#000000", "#777777",
)  # fmt: skip
PICTURE = Path(__file__).resolve().parents[2] / "docs" / "images" / "sampling.svg"


@dataclass(frozen=True)
class Curve:
    """One solver on one game: per point iterations, nodes, seconds, and NashConv by seed."""

    iterations: list[int]
    nodes: list[float]
    seconds: list[float]
    nash_conv: list[list[float]]


def solver(tree: eq.GameTree, name: str, seed: int) -> Any:
    """A fresh solver of that name."""
    if name in FULL:
        return CFR(tree, name, threads=1)
    return MCCFR(tree, "cfr", sampler=name, seed=seed)


def visited(tree: eq.GameTree, run: Any) -> float:
    """Histories visited so far."""
    if isinstance(run, CFR):
        return float(run.iteration * tree.num_nodes * tree.num_players)
    return float(run.nodes_touched)


def measured(tree: eq.GameTree, name: str, limit: float) -> Curve:
    """Run one solver over all seeds on one grid of iterations that takes about `limit` seconds."""
    trial = solver(tree, name, 0).run(1)
    count, spent = 1, 0.0
    while spent < min(0.2, limit / 4):
        count *= 2
        start = time.perf_counter()
        trial.run(count)
        spent = time.perf_counter() - start
    speed = count / spent
    grid = np.geomspace(max(1.0, speed * SHORTEST), max(2.0, speed * limit), POINTS)
    iterations = sorted({int(n) for n in grid})
    nodes, seconds, found = [], [], []
    for seed in range(1, 2 if name in FULL else SEEDS + 1):
        run, clock = solver(tree, name, seed), 0.0
        nodes.append([]), seconds.append([]), found.append([])
        for n in iterations:
            start = time.perf_counter()
            run.run(n - run.iteration)
            clock += time.perf_counter() - start
            nodes[-1].append(visited(tree, run))
            seconds[-1].append(clock)
            found[-1].append(float(eq.nash_conv(run.average_strategy())))
    middle = [statistics.median(column) for column in zip(*seconds, strict=True)]
    return Curve(
        iterations,
        [statistics.mean(column) for column in zip(*nodes, strict=True)],
        middle,
        found,
    )


def draw(curves: dict[str, dict[str, Curve]], path: Path) -> None:
    """One column per game; above against histories visited, below against seconds."""
    mpl.rcParams.update({"svg.fonttype": "none", "font.size": 9, "svg.hashsalt": "equilibrist"})
    figure, axes = plt.subplots(2, len(curves), figsize=(13, 6.4), sharey="col")
    for column, (game, of_game) in enumerate(curves.items()):
        for row, what in enumerate(("nodes", "seconds")):
            axis = axes[row][column]
            for colour, (name, curve) in zip(COLOURS, of_game.items(), strict=True):
                x = getattr(curve, what)
                by_point = list(zip(*curve.nash_conv, strict=True))
                style = "--" if name in FULL else "-"
                middle = [statistics.median(point) for point in by_point]
                axis.plot(x, middle, style, color=colour, label=name, linewidth=1.4)
                if len(curve.nash_conv) > 1:
                    low, high = [min(p) for p in by_point], [max(p) for p in by_point]
                    axis.fill_between(x, low, high, color=colour, alpha=0.15, linewidth=0)
            axis.set(xscale="log", yscale="log")
            axis.grid(visible=True, alpha=0.3)
            axis.set_xlabel("histories visited" if row == 0 else "seconds")
            if row == 0:
                axis.set_title(game)
        axes[0][0].set_ylabel("NashConv")
        axes[1][0].set_ylabel("NashConv")
    handles, labels = axes[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="lower center", ncols=len(labels), frameon=False)
    figure.tight_layout(rect=(0, 0.05, 1, 1))
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    """Run everything, write the record, draw the picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, help="per run; nothing is recorded")
    parser.add_argument("--picture", type=Path, default=PICTURE)
    given = parser.parse_args()
    limit = given.seconds or 2.0
    curves: dict[str, dict[str, Curve]] = {}
    rows = []
    for game, spec in GAMES.items():
        tree = eq.compile_game(eq.load_game(spec))
        curves[game] = {}
        for name in (*SAMPLERS, *FULL):
            curve = curves[game][name] = measured(tree, name, limit)
            last = [seed[-1] for seed in curve.nash_conv]
            rows.append(
                [
                    game,
                    name,
                    curve.iterations[-1],
                    curve.nodes[-1],
                    curve.seconds[-1],
                    statistics.median(last),
                    f"{min(last):.2g}-{max(last):.2g}",
                ]
            )
            print(rows[-1], flush=True)
    draw(curves, given.picture)
    if given.seconds is None:
        write_record(
            "sampling_convergence",
            f"NashConv after {limit:g} seconds of solving on one thread, vanilla regrets and "
            f"default parameters, median and range of {SEEDS} seeds (full traversals are "
            f"deterministic).",
            "python benchmarks/solvers/sampling_convergence.py",
            [
                "game",
                "sampler",
                "iterations",
                "histories visited",
                "seconds",
                "NashConv",
                "range",
            ],
            rows,
            curves={g: {n: c.__dict__ for n, c in cs.items()} for g, cs in curves.items()},
        )


if __name__ == "__main__":
    main()
