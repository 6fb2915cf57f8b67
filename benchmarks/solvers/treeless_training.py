"""Training on rules without a tree: does the average beat uniform play, and its own beginning?

    python benchmarks/solvers/treeless_training.py                  # ten minutes per game
    python benchmarks/solvers/treeless_training.py --minutes 0.2    # to try it

Each game trains on two threads (--threads), whose tables are merged after every period. After a
tenth of the time the average is kept; at the end it plays a million duplicate deals against uniform
play, and as many against what was kept. Both strategies are saved.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.record import write_record
from equilibrist.evaluation import play_duplicates
from equilibrist.solvers.treeless import TreelessMCCFR

GAMES = {
    "rules:liars_dice(dice=2,sides=6)": 1,
    "rules:goofspiel(cards=8)": 1,
    "rules:leduc(players=3)": 16,
    "rules:leduc(ranks=5,suits=3)": 4096,
}
"""Lines of play that are followed and weighed in a game: a few minutes' worth at most."""
SEED = 1
SLICE = 0.2
"""Seconds between two looks at the clock."""


def train(solver: TreelessMCCFR, seconds: float) -> None:
    """Run for so long, by whole rounds where threads work in rounds."""
    end = time.perf_counter() + seconds
    count = solver.grain
    while time.perf_counter() < end:
        start = time.perf_counter()
        solver.run(count)
        spent = time.perf_counter() - start
        count = max(1, min(4 * count, int(count * SLICE / max(spent, 1e-6))))
        count = max(1, count // solver.grain) * solver.grain


def play(game: str, options: argparse.Namespace) -> tuple[list[object], dict[str, object]]:
    """Train on one game and play; the row of the table, and everything else."""
    solver = TreelessMCCFR(game, seed=SEED, memory=options.memory, threads=options.threads)
    solver.load().average()  # compiles
    seconds = 60.0 * options.minutes
    train(solver, seconds / 10)
    early = solver.average()
    started = solver.iteration
    train(solver, seconds * 9 / 10)
    final = solver.average()
    solver.close()
    options.folder.mkdir(parents=True, exist_ok=True)
    name = "".join(letter if letter.isalnum() else "-" for letter in game.removeprefix("rules:"))
    for strategy, when in ((early, "tenth"), (final, "whole")):
        strategy.save(options.folder / f"{name.strip('-')}-{when}.safetensors")
    rules = solver.rules
    playing = {"deals": options.deals, "lines": GAMES.get(game, 1)}
    uniform = play_duplicates(rules, final, **playing, seed=3)
    beginning = play_duplicates(rules, final, early, **playing, seed=4)
    row = [
        game.removeprefix("rules:"),
        solver.iteration,
        solver.nodes_touched / 1e6,
        final.num_infosets,
        "yes" if solver.is_full else "no",
        f"{uniform.mean:+.4f} ± {uniform.half_width:.4f}",
        f"{beginning.mean:+.4f} ± {beginning.half_width:.4f}",
    ]
    details = {
        "period": solver.period,
        "iterations_of_the_tenth": started,
        "infosets_of_the_tenth": early.num_infosets,
        "table_bytes": solver.table_bytes,
        "beats_uniform": uniform.interval[0] > 0.0,
        "beats_the_tenth": beginning.interval[0] > 0.0,
        "against_uniform": [uniform.mean, *uniform.interval],
        "against_the_tenth": [beginning.mean, *beginning.interval],
    }
    return row, details


def main() -> None:
    """Train on every game and write the record."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--memory", type=int, default=12 << 30, help="bytes for all tables")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--deals", type=int, default=1_000_000)
    parser.add_argument("--folder", type=Path, default=Path("build/treeless_training"))
    parser.add_argument("--record", default="treeless_training")
    parser.add_argument("--games", nargs="*", default=GAMES)
    options = parser.parse_args()
    rows, details = [], {}
    for game in options.games:
        row, details[game] = play(game, options)
        rows.append(row)
        print(rows[-1], flush=True)
    write_record(
        options.record,
        f"External sampling without a tree, {options.minutes:g} minutes per game on "
        f"{options.threads} threads (seed {SEED}); payoff per game over "
        f"{options.deals:,} duplicate deals, with the 95 % interval.",
        "python benchmarks/solvers/treeless_training.py",
        [
            "rules",
            "iterations",
            "million states visited",
            "infosets",
            "table full",
            "against uniform play",
            "against its first tenth",
        ],
        rows,
        minutes=options.minutes,
        memory=options.memory,
        threads=options.threads,
        seed=SEED,
        lines=GAMES,
        details=details,
    )


if __name__ == "__main__":
    main()
