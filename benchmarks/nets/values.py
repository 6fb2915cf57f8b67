"""Value networks in small games: what search with them loses, by true best responses.

    python benchmarks/nets/values.py dice4                 # liar's dice, one die of four sides
    python benchmarks/nets/values.py dice5                 # of five sides
    python benchmarks/nets/values.py leduc                 # Leduc poker, trained from play (ReBeL)
    python benchmarks/nets/values.py leduc-solved          # Leduc poker, solved targets
    python benchmarks/nets/values.py leduc-deepstack       # DeepStack's Leduc
    python benchmarks/nets/values.py dice4 --seeds 1 --tables 64 --rows 10000 --steps 4000

For each seed a network is trained, and the ladder climbed: search two decisions deep, 1,024
iterations of a solve, each of which updates one player, and the mean plan of tables of drawn
iterates. The record has the figures of all seeds, and the row of the table their medians. Exact
leaves, which depend on no network, are measured once.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import equilibrist as eq
from benchmarks.record import write_record
from equilibrist.learned.values import ValueStates, ValueTraining, climb, train_values
from equilibrist.search import SearchGame

COMMAND = "python benchmarks/nets/values.py"
LEDUC = "leduc(suit_isomorphism=true)"
DEEPSTACK_LEDUC = "leduc(stack=12,raise_cap=20,suit_isomorphism=true)"


class Case(NamedTuple):
    """A game, how its values are trained, and what others reached."""

    game: str
    training: ValueTraining
    iterations: int | None
    published: str


CASES = {
    "dice4": Case(
        "liars_dice(sides=4)", ValueTraining(rows=50_000, steps=20_000), None, "0.017 (ReBeL)"
    ),
    "dice5": Case(
        "liars_dice(sides=5)", ValueTraining(rows=100_000, steps=20_000), None, "0.015 (ReBeL)"
    ),
    "leduc": Case(
        LEDUC,
        ValueTraining(depth=0, targets="bootstrap", solve_iterations=1024, walks=256, steps=200),
        300,
        "0.0277 (ReBeL, by others)",
    ),
    "leduc-solved": Case(
        LEDUC,
        ValueTraining(depth=0, rows=50_000, solve_iterations=512, steps=20_000),
        None,
        "0.027 to 0.042 (by others)",
    ),
    "leduc-deepstack": Case(
        DEEPSTACK_LEDUC,
        ValueTraining(depth=0, rows=50_000, solve_iterations=512, steps=20_000, unit="stake"),
        None,
        "0.0137 (DeepStack's code)",
    ),
}


def main() -> None:
    """Train and climb for all seeds, print, record."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("case", choices=[*CASES])
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--tables", type=int, default=1024)
    parser.add_argument("--exact", type=int, default=250, help="iterations over exact leaves")
    parser.add_argument("--rows", type=int)
    parser.add_argument("--steps", type=int)
    parser.add_argument("--walks", type=int)
    parser.add_argument("--solve-iterations", type=int)
    parser.add_argument("--iterations", type=int)
    parser.add_argument("--no-record", action="store_true")
    given = parser.parse_args()
    case = CASES[given.case]
    typed = {name: getattr(given, name) for name in ("rows", "steps", "walks", "solve_iterations")}
    training = replace(case.training, **{k: v for k, v in typed.items() if v is not None})
    iterations = case.iterations if given.iterations is None else given.iterations
    states = ValueStates.of(SearchGame.of(eq.compile_game(case.game)))
    runs: list[dict[str, Any]] = []
    for seed in range(given.seeds):
        network = train_values(
            states, replace(training, seed=seed), iterations=iterations, progress=False
        )
        ladder = climb(
            states.search,
            network,
            depth=training.depth,
            tables=given.tables,
            exact=0 if runs else given.exact,  # needs no network: measured once
            seed=seed,
        )
        run = {"seed": seed, **network.made, "losses": dict(network.losses), **ladder.to_dict()}
        runs.append(run)
        figures = {rung.name: round(rung.exploitability, 5) for rung in ladder.rungs}
        print(seed, figures, run["losses"], f"{run['seconds']:.0f} s", flush=True)
    if given.no_record:
        return
    by_name: dict[str, list[float]] = {}
    for run in runs:
        for rung in run["rungs"]:
            by_name.setdefault(rung["name"], []).append(rung["exploitability"])
    net = by_name["net"]
    row = [
        case.game,
        training.targets,
        f"{median(run['trained_rows'] for run in runs):,.0f}",
        *(f"{median(by_name[name]):.4f}" for name in ("uniform", "zero leaves")),
        f"{median(net):.4f} ({min(net):.4f} to {max(net):.4f})",
        f"{median(by_name['exact leaves']):.4f}" if given.exact else "-",
        f"{median(by_name['full solve']):.4f}",
        f"{median(run['seconds'] for run in runs):.0f}",
        case.published,
    ]
    seeds = "one seed" if given.seeds == 1 else f"medians of {given.seeds} seeds"
    write_record(
        f"values_{given.case.replace('-', '_')}",
        f"Exploitability by true best responses, {seeds}; mean plans of "
        f"{given.tables:,} tables of drawn iterates, an upper bound; exact leaves with one seed of "
        "the draws; seconds of training.",
        " ".join([COMMAND, *sys.argv[1:]]),
        [
            "game",
            "targets",
            "rows",
            "uniform",
            "zero leaves",
            "net",
            "exact leaves",
            "full solve",
            "s",
            "published",
        ],
        [row],
        packages=("numpy", "numba", "torch"),
        runs=runs,
    )


if __name__ == "__main__":
    main()
