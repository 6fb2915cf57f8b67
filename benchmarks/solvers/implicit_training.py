"""Training on rules without a tree: does the average beat uniform play, and its own beginning?

    python benchmarks/solvers/implicit_training.py                  # ten minutes per game
    python benchmarks/solvers/implicit_training.py --minutes 0.2    # to try it

Each game trains on two threads, with two seeds in two tables, and the averages are taken together.
After a tenth of the time that average is kept; at the end it plays a million duplicate deals
against uniform play, and as many against what was kept. Both strategies are saved.
"""

from __future__ import annotations

import argparse
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.record import write_record
from equilibrist.evaluation import play_duplicates
from equilibrist.solvers.implicit.mccfr import ImplicitMCCFR

GAMES = {
    "rules:liars_dice(dice=2,sides=6)": 1,
    "rules:goofspiel(cards=8)": 1,
    "rules:leduc(players=3)": 16,
    "rules:leduc(ranks=5,suits=3)": 4096,
}
"""Lines of play that are followed and weighed in a game: a few minutes' worth at most."""
SEEDS = (1, 2)
SLICE = 0.2
"""Seconds between two looks at the clock."""


def train(solvers: list[ImplicitMCCFR], seconds: float) -> None:
    """Run all solvers side by side for so long."""
    end = time.perf_counter() + seconds
    failed: list[BaseException] = []

    def work(solver: ImplicitMCCFR) -> None:
        count = 1
        try:
            while time.perf_counter() < end:
                start = time.perf_counter()
                solver.run(count)
                spent = time.perf_counter() - start
                count = max(1, min(4 * count, int(count * SLICE / max(spent, 1e-6))))
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(solver,)) for solver in solvers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        raise failed[0]


def play(game: str, options: argparse.Namespace) -> tuple[list[object], dict[str, object]]:
    """Train on one game and play; the row of the table, and everything else."""
    solvers = [ImplicitMCCFR(game, seed=seed, memory=options.memory) for seed in SEEDS]
    ImplicitMCCFR(solvers[0].rules).run(1).average_strategy()  # compiles
    seconds = 60.0 * options.minutes
    train(solvers, seconds / 10)
    early = solvers[0].average_strategy(*solvers[1:])
    started = [solver.iteration for solver in solvers]
    train(solvers, seconds * 9 / 10)
    final = solvers[0].average_strategy(*solvers[1:])
    options.folder.mkdir(parents=True, exist_ok=True)
    name = "".join(letter if letter.isalnum() else "-" for letter in game.removeprefix("rules:"))
    for strategy, when in ((early, "tenth"), (final, "whole")):
        strategy.save(options.folder / f"{name.strip('-')}-{when}.safetensors")
    rules = solvers[0].rules
    playing = {"deals": options.deals, "lines": GAMES.get(game, 1)}
    uniform = play_duplicates(rules, final, **playing, seed=3)
    beginning = play_duplicates(rules, final, early, **playing, seed=4)
    iterations = sum(solver.iteration for solver in solvers)
    full = any(solver.is_full for solver in solvers)
    row = [
        game.removeprefix("rules:"),
        iterations,
        sum(solver.nodes_touched for solver in solvers) / 1e6,
        final.num_infosets,
        "yes" if full else "no",
        f"{uniform.mean:+.4f} ± {uniform.half_width:.4f}",
        f"{beginning.mean:+.4f} ± {beginning.half_width:.4f}",
    ]
    details = {
        "iterations_of_the_tenth": sum(started),
        "infosets_of_the_tenth": early.num_infosets,
        "table_bytes": [solver.table_bytes for solver in solvers],
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
    parser.add_argument("--memory", type=int, default=4 << 30, help="bytes per table")
    parser.add_argument("--deals", type=int, default=1_000_000)
    parser.add_argument("--folder", type=Path, default=Path("build/implicit_training"))
    parser.add_argument("--record", default="implicit_training")
    parser.add_argument("--games", nargs="*", default=GAMES)
    options = parser.parse_args()
    rows, details = [], {}
    for game in options.games:
        row, details[game] = play(game, options)
        rows.append(row)
        print(rows[-1], flush=True)
    write_record(
        options.record,
        f"External sampling without a tree, {options.minutes:g} minutes per game on two threads "
        f"(seeds {SEEDS[0]} and {SEEDS[1]}, averaged together); payoff per game over "
        f"{options.deals:,} duplicate deals, with the 95 % interval.",
        "python benchmarks/solvers/implicit_training.py",
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
        seeds=list(SEEDS),
        lines=GAMES,
        details=details,
    )


if __name__ == "__main__":
    main()
