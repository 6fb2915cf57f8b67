"""How fast spots are solved, against what the machine's memory allows, and in how many bytes.

    python benchmarks/poker/spot_speed.py              # all records; on an idle machine
    python benchmarks/poker/spot_speed.py iterations memory targets      # those alone
    python benchmarks/poker/spot_speed.py --peer "other-solver --spot {case}" --target 0.3%

The floor of an iteration is the bytes that must move over the bandwidth of a copy. A regret is read
to play against it, read to be updated, and written; a strategy sum is read and written: five times
four bytes per entry in float32. A copy of 256 MB moves 512 MB. Milliseconds are those of ten
iterations and the measurement of exploitability after them, over ten. On a host that others use
runs differ: give several, at different times.

With --peer our command line and the other command take turns on the turn and the flop spot (or on
--cases), whole processes, and the ratio is the median of the rounds' ratios. In the command {case}
becomes turn or flop, and {spot} the name of our spot file, so that our own command can stand in:

    python benchmarks/poker/spot_speed.py --peer "equilibrist postflop solve {spot} --quiet"
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np

import equilibrist
from benchmarks.poker.spots import SPOTS, perturbed
from benchmarks.record import RESULTS, machine, versions, write_record
from equilibrist.poker.postflop.engine.engine import Engine
from equilibrist.poker.postflop.engine.holdem_game import holdem_game
from equilibrist.poker.postflop.solution.stopping import read_stop
from equilibrist.poker.postflop.solving.solver import SpotSolver

COMMAND = "python benchmarks/poker/spot_speed.py"
PACKAGE = Path(equilibrist.__file__).parent
MEASURED = ("_jit/*.py", "kernels/**/*.py", "poker/engine/*.py", "poker/cards/hand_ranking.py")
"""Sources of the package that may change what is measured."""
ROUNDS = 9
ROUNDS_OF = {"turn": 30, "flop": 6}
"""Rounds of a run of iterations."""
OVER = 2
"""Where `summary` says how many times the floor one thread takes."""
STEP = 10
"""Iterations between two measurements."""
LEVELS = (0.005, 0.003, 0.001)
INPUTS = 10
COPIED = 1 << 28
"""Bytes that are copied to measure the bandwidth."""
BYTES_PER_ENTRY = 20
WAYS: dict[str, dict[str, Any]] = {
    "float32": {"storage": "float32"},
    "2 threads": {"storage": "float32", "threads": 2},
    "int16": {"storage": "int16"},
    "own reach": {"reach_weighted": True},
}


def seconds(run: Callable[[], Any]) -> float:
    """How long something takes."""
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def bandwidth() -> float:
    """Bytes per second that a copy moves, the median of nine."""
    source, target = np.ones(COPIED // 4, np.float32), np.zeros(COPIED // 4, np.float32)
    times = [seconds(lambda: np.copyto(target, source)) for _ in range(9)]
    return 2 * COPIED / statistics.median(times)


def step(solver: SpotSolver) -> None:
    """Ten iterations and a measurement."""
    solver.run(STEP)
    solver.mean_gain()


def iterations() -> None:
    """Milliseconds per iteration beside the floor; ways take turns, and so do spots.

    A run is added to those that the record has of the same sources, and all of them count. How fast
    the cores were tell the milliseconds of a fixed calculation, `calculation` in the record.
    """
    rounds: dict[str, list[Round]] = {name: [] for name in ROUNDS_OF}
    begun = {name: start(name) for name in ROUNDS_OF}
    fewest = min(ROUNDS_OF.values())
    pace = []
    for _ in range(fewest):
        pace.append(1e3 * seconds(calculate))
        for name, wanted in ROUNDS_OF.items():
            for _ in range(wanted // fewest):
                rounds[name].append(play_round(begun[name]))
                print(name, *(f"{way} {each:.4g}" for way, each in rounds[name][-1].items()))
    run = {name: [float(f"{x:.4g}") for x in summary(each)] for name, each in rounds.items()}
    print(run)
    source = digest()
    runs = [*earlier_runs(source), {"calculation": statistics.median(pace), **run}]
    rows = []
    for name in ROUNDS_OF:
        columns = list(zip(*(each[name] for each in runs), strict=True))
        middle = [statistics.median(column) for column in columns]
        span = f"{min(columns[OVER]):.2f} to {max(columns[OVER]):.2f}"
        rows.append([name, *middle[: OVER + 1], span, *middle[OVER + 1 :], len(runs)])
    write_record(
        "spot_iterations",
        f"Milliseconds per iteration, the measurement of exploitability after every {STEP} "
        "included; medians of interleaved rounds and of runs, after ten uncounted warm-up "
        "iterations.",
        f"{COMMAND} iterations",
        ["spot", "floor", "float32, one thread", "over the floor", "in single runs",
         "two threads: times faster", "16 bits: times faster", "own reach: times faster", "runs"],
        rows,
        source=source,
        runs=runs,
    )  # fmt: skip


def digest() -> str:
    """What changes with the sources of the engine, and with what is measured, where and how."""
    sources = [path for pattern in MEASURED for path in sorted(PACKAGE.glob(pattern))]
    sources += [Path(__file__).with_name("spots.py"), Path(__file__)]
    found = hashlib.sha256(json.dumps([machine(), versions("numpy", "numba")]).encode())
    for path in sources:
        found.update(path.read_bytes())
    return found.hexdigest()[:16]


def earlier_runs(source: str) -> list[dict[str, Any]]:
    """The runs of the record, if it is of the same sources."""
    path = RESULTS / "spot_iterations.json"
    record = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    return list(record["runs"]) if record.get("source") == source else []


def calculate() -> None:
    """A fixed calculation in the first-level cache, to tell how fast the core was meanwhile."""
    numbers = np.linspace(0.0, 1.0, 1 << 10)
    for _ in range(1000):
        np.exp(numbers, out=np.empty_like(numbers))


Round = dict[str, float]
"""Milliseconds by way, and those of the floor."""


def start(name: str) -> dict[str, SpotSolver]:
    """Solvers of a spot by way, past their first iterations."""
    solvers = {way: SpotSolver(SPOTS[name], **given) for way, given in WAYS.items()}
    for solver in solvers.values():
        step(solver)
    return solvers


def play_round(solvers: dict[str, SpotSolver]) -> Round:
    """The floor, then ten iterations and a measurement of every solver."""
    moved = BYTES_PER_ENTRY * solvers["float32"].engine.layout.table.entries
    found = {"floor": 1e3 * moved / bandwidth()}
    for way, solver in solvers.items():
        step(solver)  # the caches still hold another way's numbers
        found[way] = 1e3 * seconds(lambda solver=solver: step(solver)) / STEP
    return found


def summary(rounds: list[Round]) -> list[float]:
    """Medians of the floor and one thread, and of the rounds' ratios."""
    ratios = {
        way: statistics.median(each["float32"] / each[way] for each in rounds)
        for way in rounds[0]
        if way != "float32"
    }
    middle = [statistics.median(each[way] for each in rounds) for way in ("floor", "float32")]
    return [*middle, *ratios.values()]


def memory() -> None:
    """Bytes that are held, and by how much a process grows; each in a process of its own."""
    rows = []
    for name in ("turn", "flop"):
        for storage in ("float32", "int16"):
            command = [sys.executable, __file__, "--grow", name, storage]
            found = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
            rows.append([
                name, storage, found["arena"] / 1e6, found["held"] / found["arena"],
                found["grown"] / found["arena"],
            ])  # fmt: skip
            print(rows[-1])
    for row in rows:
        whole = next(r[2] for r in rows if r[:2] == [row[0], "float32"])
        row.insert(3, row[2] / whole)
    write_record(
        "spot_memory",
        "Megabytes of regrets and strategy sums, equal to the estimate; and, relative to that, the "
        "total memory of the solver and the growth of a process that has solved another spot.",
        f"{COMMAND} memory",
        ["spot", "storage", "MB", "relative to float32", "held", "growth"],
        rows,
    )


def grow(name: str, storage: str) -> None:
    """Print what `memory` needs, from a process that has compiled everything."""
    import resource

    def resident() -> int:
        for line in Path("/proc/self/status").read_text("utf-8").splitlines():
            if line.startswith("VmHWM"):
                return 1024 * int(line.split()[1])
        return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    warm = SPOTS["turn"].replace(board="Td9d6hQc2s", donks="")
    warmed = SpotSolver(warm, storage=storage)  # type: ignore[arg-type]
    step(warmed)
    before = resident()
    solver = SpotSolver(SPOTS[name], storage=storage)  # type: ignore[arg-type]
    step(solver)
    grown = resident() - before
    held = solver.memory_bytes
    print(json.dumps({"arena": solver.engine.arena.nbytes, "held": held, "grown": grown}))


def targets(cases: list[str]) -> None:
    """Seconds to each level, medians over perturbed inputs."""
    rows, samples = [], {}
    for name in cases:
        found: list[list[float]] = []
        steps: list[list[int]] = []
        for seed in range(INPUTS):
            solver = SpotSolver(perturbed(SPOTS[name], seed), threads=2)
            taken, counts, spent = [], [], 0.0
            for level in LEVELS:
                goal = read_stop(SPOTS[name].pot, level).target
                reached = float("inf")
                while reached > (goal or 0.0):
                    start = time.perf_counter()
                    solver.run(STEP)
                    reached = solver.mean_gain()
                    spent += time.perf_counter() - start
                taken.append(spent)
                counts.append(solver.iteration)
            found.append(taken)
            steps.append(counts)
            print(name, seed, taken, counts, flush=True)
        arena = Engine(holdem_game(SPOTS[name])).arena.nbytes
        middle = [statistics.median(column) for column in zip(*found, strict=True)]
        counted = [int(statistics.median(column)) for column in zip(*steps, strict=True)]
        rows.append([name, arena / 1e6, *middle, *counted])
        samples[name] = {"seconds": found, "iterations": steps}
    write_record(
        "spot_targets",
        f"Seconds with two threads, and iterations, to 0.5, 0.3 and 0.1 % of the pot; medians over "
        f"{INPUTS} inputs.",
        f"{COMMAND} targets",
        ["spot", "MB", "0.5 %", "0.3 %", "0.1 %", "iterations to 0.5 %", "to 0.3 %", "to 0.1 %"],
        rows,
        samples=samples,
    )


def against(peer: str, cases: list[str], target: str, threads: int) -> None:
    """Whole processes of ours and of another solver in turn."""
    for name in cases:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "spot.toml")
            path.write_text(SPOTS[name].to_toml(), "utf-8")
            ours = [sys.executable, "-m", "equilibrist", "postflop", "solve", str(path)]
            ours += ["--target", target, "--threads", str(threads), "--json", "--quiet"]
            theirs = [
                word.replace("{case}", name).replace("{spot}", str(path))
                for word in shlex.split(peer)
            ]
            rounds = [(process_seconds(ours), process_seconds(theirs)) for _ in range(ROUNDS + 1)]
        rounds = rounds[1:]  # the first round warms up
        for one, other in rounds:
            print(f"{name}: ours {one:.3f} s, theirs {other:.3f} s")
        middle = [statistics.median(times) for times in zip(*rounds, strict=True)]
        ratio = statistics.median(other / one for one, other in rounds)
        print(f"{name}: medians {middle[0]:.3g} s and {middle[1]:.3g} s, ratio {ratio:.3g}")


def process_seconds(command: list[str]) -> float:
    """How long a process takes; what it prints is dropped. Ends the script if it fails."""
    start = time.perf_counter()
    try:
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"this command cannot be timed: {shlex.join(command)}: {error}")
    return time.perf_counter() - start


def main() -> None:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("records", nargs="*", help="iterations, memory, targets")
    parser.add_argument("--cases", nargs="+", choices=SPOTS, help="spots of targets, or of --peer")
    parser.add_argument("--peer", help="a command to time in turn with ours")
    parser.add_argument("--target", default="0.3%")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--grow", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.grow:
        grow(*given.grow)
    elif given.peer:
        against(given.peer, given.cases or ["turn", "flop"], given.target, given.threads)
    else:
        asked = given.records or ["iterations", "memory", "targets"]
        if "iterations" in asked:
            iterations()
        if "memory" in asked:
            memory()
        if "targets" in asked:
            targets(given.cases or list(SPOTS))


if __name__ == "__main__":
    main()
