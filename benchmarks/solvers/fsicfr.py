"""What two linear passes buy where histories meet, and what a short memory costs.

python benchmarks/solvers/fsicfr.py writes all four records, and with their names (nodes, budget,
memory, times) those alone; the times need a machine with nothing else to do.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import equilibrist as eq
from benchmarks.record import write_record
from equilibrist.solvers import MCCFR
from equilibrist.solvers.full_traversal.fsicfr import FSICFR

COMMAND = "python benchmarks/solvers/fsicfr.py"
SEEDS = 3
WITH_TREE = (
    "kuhn",
    "dudo(sides=4)", "dudo(sides=4,memory=1)",
    "dudo(sides=5,memory=1)",
    "dudo", "dudo(memory=3)", "dudo(memory=2)", "dudo(memory=1)",
    "liar_die(sides=4,memory=1)", "liar_die(sides=5,memory=1)",
    "liar_die", "liar_die(memory=1)",
)  # fmt: skip
WITHOUT_TREE = (
    "dudo(dice=[2,1],memory=1)", "dudo(dice=2,memory=1)", "dudo(dice=2,memory=2)",
    "dudo(dice=3,memory=1)", "liar_die(sides=10,memory=1)", "liar_die(sides=20,memory=1)",
)  # fmt: skip
CHANCE_ITERATIONS = 10_000
BUDGETS = (
    ("dudo(sides=4)", 30_000_000), ("dudo", 200_000_000),
    ("liar_die(sides=5)", 30_000_000), ("liar_die", 30_000_000),
)  # fmt: skip
MEMORIES = (("dudo(sides=3)", (1, 2, 3, 6)), ("dudo(sides=4)", (1, 2, 3, 4, 8)),
            ("dudo", (1, 2, 3, 12)), ("liar_die", (1, 5)))  # fmt: skip
MARKS = (10_000, 100_000, 1_000_000)
MOST_NODES = 2_000
"""Games with more of them per iteration are not run to the last mark."""
TIMED = ("kuhn", "dudo(sides=4,memory=1)", "dudo", "dudo(memory=3)", "dudo(memory=1)", "liar_die",
         "liar_die(memory=1)")  # fmt: skip


def with_memory(game: str, memory: int) -> str:
    """The name of a game with so many claims remembered."""
    return f"{game[:-1]},memory={memory})" if game.endswith(")") else f"{game}(memory={memory})"


def nodes() -> None:
    """Nodes per iteration, of the first, and of chance sampling's first ones on average."""
    rows: list[list[object]] = []
    known: dict[str, float] = {}
    for game in (*WITH_TREE, *WITHOUT_TREE):
        solver = FSICFR(game).run(1)
        on_average: object = "no tree"
        if game in WITH_TREE:
            name = solver.tree.name
            if name not in known:
                chance = MCCFR(solver.tree, sampler="chance").run(CHANCE_ITERATIONS)
                known[name] = chance.nodes_touched / CHANCE_ITERATIONS
            on_average = round(known[name])
        both = 2 * round(solver.histories)
        visited = solver.nodes_touched
        rows.append([game, solver.graph.num_states, both, on_average, visited, both / visited])
        print(rows[-1], flush=True)
    write_record(
        "fsicfr_nodes",
        f"Visited nodes per iteration. Chance sampling traverses the tree once per player and "
        f"skips histories that no player reaches: its first iteration, which skips none, and the "
        f"mean of {CHANCE_ITERATIONS:,}. FSICFR visits a state once per edge that leads to it.",
        f"{COMMAND} nodes",
        [
            "game",
            "states",
            "chance sampling, first",
            "chance sampling, mean",
            "FSICFR",
            "first : FSICFR",
        ],
        rows,
    )


def after(solver: FSICFR | MCCFR, visited: int) -> float:
    """Exploitability once a solver has visited so many nodes, and at most a percent more."""
    while solver.nodes_touched < visited:
        left = (visited - solver.nodes_touched) / solver.nodes_per_iteration
        solver.run(max(1 + round(left / 4), solver.iteration // 200))
    return eq.exploitability(solver.average_strategy())


def budget() -> None:
    """How good the strategies are after equally many visited nodes."""
    rows: list[list[object]] = []
    for game, visited in BUDGETS:
        tree = eq.compile_game(game)
        short = with_memory(game, 1)
        makers: list[Callable[[int], FSICFR | MCCFR]] = [
            lambda seed, tree=tree: MCCFR(tree, sampler="chance", seed=seed),
            lambda seed, tree=tree: FSICFR(tree, seed=seed),
            lambda seed, short=short, tree=tree: FSICFR(short, seed=seed, tree=tree),
        ]
        means = [
            statistics.mean(after(make(seed), visited) for seed in range(SEEDS)) for make in makers
        ]
        rows.append([game, visited, *means])
        print(rows[-1], flush=True)
    write_record(
        "fsicfr_budget",
        f"Exploitability after equally many visited nodes, means over {SEEDS} seeds: chance "
        f"sampling on the tree, and FSICFR with all claims and with one claim remembered.",
        f"{COMMAND} budget",
        ["game", "visited nodes", "chance sampling", "FSICFR", "FSICFR, memory 1"],
        rows,
        seeds=SEEDS,
    )


def memory() -> None:
    """What players lose who remember few claims."""
    rows: list[list[object]] = []
    for game, memories in MEMORIES:
        tree = eq.compile_game(game)
        for remembered in memories:
            solver = FSICFR(with_memory(game, remembered), tree=tree)
            visited = int(solver.nodes_per_iteration)
            found: list[object] = []
            for mark in MARKS:
                if mark == MARKS[-1] and visited > MOST_NODES:
                    found.append("not run")
                    continue
                average = solver.run(mark - solver.iteration).average_strategy()
                found.append(eq.exploitability(average))
            rows.append([game, remembered, len(solver.graph.infoset_keys), visited, *found])
            print(rows[-1], flush=True)
    write_record(
        "fsicfr_memory",
        "Exploitability in the game of perfect recall, by iterations of FSICFR and by number of "
        "remembered claims (memory); seed 0. The last memory of each game is all claims.",
        f"{COMMAND} memory",
        ["game", "memory", "infosets", "nodes per iteration", *(f"{m:,} it" for m in MARKS)],
        rows,
    )


def seconds_per_iteration(solver: FSICFR | MCCFR, least: float = 0.3) -> float:
    """The best of five slices that each take at least `least` seconds; compiled beforehand."""
    solver.run(10)
    count, best = 10, float("inf")
    while best == float("inf"):
        start = time.perf_counter()
        solver.run(count)
        if time.perf_counter() - start >= least:
            best = 1.0
        else:
            count *= 2
    slices = []
    for _ in range(5):
        start = time.perf_counter()
        solver.run(count)
        slices.append((time.perf_counter() - start) / count)
    return min(slices)


def times() -> None:
    """Microseconds per iteration: of one run of the machine, alone if it is to mean anything."""
    rows: list[list[object]] = []
    known: dict[str, float] = {}
    for game in TIMED:
        solver = FSICFR(game)
        name = solver.tree.name
        if name not in known:
            known[name] = seconds_per_iteration(MCCFR(solver.tree, sampler="chance"))
        mine = seconds_per_iteration(solver)
        rows.append([game, known[name] * 1e6, mine * 1e6, known[name] / mine])
        print(rows[-1], flush=True)
    write_record(
        "fsicfr_times",
        "Microseconds per iteration, the best of five slices of at least 0.3 s.",
        f"{COMMAND} times",
        ["game", "chance sampling", "FSICFR", "ratio"],
        rows,
    )


PARTS = {"nodes": nodes, "budget": budget, "memory": memory, "times": times}

if __name__ == "__main__":
    for part in sys.argv[1:] or PARTS:
        PARTS[part]()
