"""Iterations that each algorithm takes to three levels, on six games: what choosing.md rests on.

    python benchmarks/solvers/choosing.py

`equilibrist.compare` runs every algorithm up to a number of iterations that depends on the game.
One table per level; seconds stand in the records only, since other load on the machine disturbs
them.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import equilibrist as eq
from benchmarks.record import write_record
from equilibrist.solving.comparison import Comparison

ALGORITHMS = (
    "cfr",
    "cfr+",
    "lcfr",
    "dcfr",
    "dcfr+",
    "pcfr+",
    "sapcfr+",
    "apcfr+",
    "pdcfr+",
    "hedge",
    "omd",
)
GAMES = {
    "kuhn": ("Kuhn", 100_000),
    "leduc": ("Leduc", 100_000),
    "liars_dice(sides=5)": ("liar's dice", 100_000),
    "goofspiel(cards=5,imp_info=true,points_order=descending)": ("Goofspiel", 100_000),
    "kuhn(players=3)": ("Kuhn for 3", 100_000),
    "leduc(players=3)": ("Leduc for 3", 5_000),
}
"""Each game's heading, and the iterations it is given."""
LEVELS = {"choosing_rough": 1e-3, "choosing_fair": 1e-4, "choosing_fine": 1e-6}


def compare_on(game: str, iterations: int) -> Comparison:
    """Run all algorithms on one game until the finest level or for `iterations`."""
    found = eq.compare(
        game,
        ALGORITHMS,
        iterations=iterations,
        target=min(LEVELS.values()),
        levels=list(LEVELS.values()),
        callbacks=eq.Callbacks(on_stage=lambda stage: print(f"{game}: {stage}", flush=True)),
    )
    for run in found.runs:
        print(f"  {run.name:8} {run.result.measure:.2g}", flush=True)
    return found


def write(name: str, level: float, comparisons: dict[str, Comparison]) -> None:
    """One record: a row per algorithm, a column per game, the fewest iterations in bold."""
    taken: dict[str, list[int | None]] = {}
    for game, found in comparisons.items():
        points = [run.reached(level) for run in found.runs]
        taken[game] = [None if point is None else point.iteration for point in points]
    best = {game: min((n for n in column if n), default=None) for game, column in taken.items()}

    def cell(game: str, k: int) -> str:
        count = taken[game][k]
        if count is None:
            return "-"
        return f"**{count:,}**" if count == best[game] else f"{count:,}"

    write_record(
        name,
        f"Iterations to exploitability {level:g} (three players: NashConv); the fewest in bold.",
        "python benchmarks/solvers/choosing.py",
        ["algorithm", *(GAMES[game][0] for game in comparisons)],
        [[f"`{a}`", *(cell(game, k) for game in comparisons)] for k, a in enumerate(ALGORITHMS)],
        level=level,
        reached_in_the_end={
            game: {run.name: run.result.measure for run in found.runs}
            for game, found in comparisons.items()
        },
        seconds={
            game: {
                run.name: None if (point := run.reached(level)) is None else point.seconds
                for run in found.runs
            }
            for game, found in comparisons.items()
        },
    )


def main() -> None:
    """Compare on every game, then write one record per level."""
    comparisons = {game: compare_on(game, iterations) for game, (_, iterations) in GAMES.items()}
    for name, level in LEVELS.items():
        write(name, level, comparisons)


if __name__ == "__main__":
    main()
