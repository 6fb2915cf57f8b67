"""How fast one checkout of Equilibrist is against another, both run in turns.

    git worktree add ../before v0.1.0
    python benchmarks/two_checkouts.py ../before .            # all cases, a quarter of an hour
    python benchmarks/two_checkouts.py ../before . --cases spot "sampling, leduc"  # not recorded

Cases are iterations of CFR, of Monte Carlo CFR with and without a tree and of hold'em spots, what
building them takes, and whole processes from start to end: `checkout_cases.py` has them. Every
round starts a process per checkout and goes through the cases. Of each case the two take turns, and
the better of a checkout's turns counts. The ratio is taken round by round: a ratio of 1.03 says
that the new checkout takes 3 % longer. A round before the first compiles kernels and finds how many
steps make a turn; it does not count.

Each checkout has a kernel cache of its own (`--caches` keeps them), and may have an interpreter of
its own (`--pythons OLD NEW`) if the packages that it needs differ. Beside other work `--cpu` counts
processor time, which waiting for a core does not lengthen; of two threads it is the sum. The exit
code is 1 if the median of a case's ratios is above `--limit`, if the two came to different results,
or if a checkout cannot run a case.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.checkout_cases import CASES
from benchmarks.record import write_record

COMMAND = "python benchmarks/two_checkouts.py OLD NEW"
ROUNDS = 9
TURNS = 3
"""Turns of a checkout at a case, of which the best counts."""
TURN = 0.08
"""Seconds of a turn, about; one step may take longer."""
LONG = 0.4
"""Seconds of a step from which on there are fewer turns."""
LIMIT = 1.03
IMPORT = (
    "import time as t; a, b = t.perf_counter(), t.process_time(); import equilibrist; "
    "print(t.perf_counter() - a, t.process_time() - b)"
)
PROCESSES: dict[str, list[str]] = {
    "start, import equilibrist": ["-c", IMPORT],
    "start, equilibrist --help": ["-m", "equilibrist", "--help"],
    "start, equilibrist solve kuhn": ["-m", "equilibrist", "solve", "kuhn", "--json"],
    "start, equilibrist solve rules:leduc": [
        "-m", "equilibrist", "solve", "rules:leduc", "-s", "external", "-n", "1", "--json",
    ],
}  # fmt: skip
"""Whole processes by case; of an import the seconds inside the interpreter count."""


class CaseError(Exception):
    """A checkout cannot run a case."""


@dataclass
class Checkout:
    """A checkout, and the process that runs its cases."""

    label: str
    root: Path
    python: str
    caches: Path
    cpu: bool = False
    """Whether processor time counts, not that of the clock on the wall."""
    worker: subprocess.Popen[str] | None = None

    @property
    def environment(self) -> dict[str, str]:
        """Its sources before all others, its own kernels, and bytecode as an installation has."""
        inherited = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        return {
            **inherited,
            "PYTHONPATH": os.pathsep.join([str(self.root / "src"), str(self.root)]),
            "EQUILIBRIST_CACHE_DIR": str(self.caches / self.label),
            "EQUILIBRIST_DATA_DIR": str(self.caches / self.label),
            "PYTHONPYCACHEPREFIX": str(self.caches / self.label / "bytecode"),
            "NO_COLOR": "1",
        }

    @property
    def revision(self) -> str:
        """Its commit, with a plus sign if files differ from it."""
        git = ["git", "-c", f"safe.directory={self.root}", "-C", str(self.root)]
        done = subprocess.run(
            [*git, "describe", "--always", "--abbrev=7", "--dirty=+"],
            capture_output=True,
            text=True,
            check=False,
        )
        return done.stdout.strip() or "no commit"

    def start(self, folder: str) -> None:
        """A fresh process for a round."""
        cases = Path(__file__).with_name("checkout_cases.py")
        # -P: the checkout's own `benchmarks` is imported, not the one beside this file.
        self.worker = subprocess.Popen(
            [self.python, "-P", str(cases)],
            cwd=folder,
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, *command: object) -> Any:
        """The worker's answer to a command; CaseError if it has none."""
        assert self.worker is not None
        assert self.worker.stdin is not None
        assert self.worker.stdout is not None
        try:
            self.worker.stdin.write(json.dumps(command) + "\n")
            self.worker.stdin.flush()
        except OSError as error:
            raise CaseError(f"{self.label} ({self.root}): its process has ended") from error
        line = self.worker.stdout.readline()
        if not line:
            raise CaseError(f"{self.label} ({self.root}): its process has ended")
        answer = json.loads(line)
        if isinstance(answer, dict):
            raise CaseError(f"{self.label} ({self.root}): {answer['error']}")
        return answer

    def steps(self, count: int) -> float:
        """Seconds of so many steps of the case that is prepared."""
        wall, cpu = self.ask("time", count)
        return float(cpu if self.cpu else wall)

    def end(self) -> None:
        """Close the process."""
        if self.worker is not None:
            self.worker.communicate()
            self.worker = None

    def process(self, case: str, folder: str) -> float:
        """Seconds of a whole process, or those that it prints."""
        start = time.perf_counter(), children_seconds()
        done = subprocess.run(
            [self.python, *PROCESSES[case]],
            cwd=folder,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        wall, cpu = time.perf_counter() - start[0], children_seconds() - start[1]
        if done.returncode:
            raise CaseError(f"{self.label} ({self.root}): {done.stderr.strip()[-500:]}")
        if PROCESSES[case][0] == "-c":
            wall, cpu = map(float, done.stdout.split())
        return cpu if self.cpu else wall


def children_seconds() -> float:
    """Processor time of all processes that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@dataclass
class Timed:
    """What is known of a case."""

    steps: int = 1
    turns: int = TURNS
    units: int = 1
    seconds: dict[str, list[float]] = field(default_factory=lambda: {"old": [], "new": []})
    different: bool = False

    @property
    def ratios(self) -> list[float]:
        """New over old, round by round."""
        pairs = zip(self.seconds["old"], self.seconds["new"], strict=True)
        return [new / old for old, new in pairs]


def in_turn(pair: Sequence[Checkout], turns: int) -> Iterable[Checkout]:
    """Old, new, new, old, old, new and so on."""
    for turn in range(turns):
        yield from pair if turn % 2 == 0 else reversed(pair)


def play(case: str, timed: Timed, pair: Sequence[Checkout], folder: str) -> None:
    """One round of a case: the best turn of each checkout is added."""
    best = {each.label: float("inf") for each in pair}
    if case in PROCESSES:
        for each in in_turn(pair, timed.turns):
            best[each.label] = min(best[each.label], each.process(case, folder))
    else:
        for each in pair:
            timed.units = each.ask("prepare", case)
            if timed.turns > 1:
                each.ask("time", 1)  # loads the kernels
        for each in in_turn(pair, timed.turns):
            taken = each.steps(timed.steps) / (timed.steps * timed.units)
            best[each.label] = min(best[each.label], taken)
        results = [each.ask("finish") for each in pair]
        timed.different |= results[0] != results[1]
    for label, taken in best.items():
        timed.seconds[label].append(taken)


def prepare(case: str, timed: Timed, pair: Sequence[Checkout], folder: str) -> None:
    """Compile what the case needs, and find how many steps make a turn."""
    if case in PROCESSES:
        for each in pair:
            each.process(case, folder)
        timed.turns = 3 * TURNS if PROCESSES[case][0] == "-c" else TURNS - 1
        return
    for each in pair:
        each.ask("prepare", case)
        each.ask("time", 1)
    steps, old = 1, pair[0]
    taken = old.steps(steps)
    while taken < TURN / 2:  # a first call may wait for something else
        steps = max(steps + 1, round(steps * min(TURN / taken, 8.0)))
        taken = min(old.steps(steps), old.steps(steps))
    timed.steps = max(1, round(steps * TURN / taken))
    if taken / steps > LONG:
        timed.turns = 1 if taken / steps > 4 * LONG else TURNS - 1


def compare(cases: Sequence[str], pair: Sequence[Checkout], rounds: int) -> dict[str, Timed]:
    """All rounds; a case that a checkout cannot run is named and left out."""
    found = {case: Timed() for case in cases}
    for number in range(rounds + 1):
        began = time.perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            order = list(pair) if number % 2 else list(pair)[::-1]
            for each in order:
                each.start(folder)
            try:
                for case, timed in list(found.items()):
                    try:
                        if number:
                            play(case, timed, order, folder)
                        else:
                            prepare(case, timed, pair, folder)
                            print(f"{case}: {timed.turns} turns, {timed.steps} steps", flush=True)
                    except CaseError as error:
                        del found[case]
                        print(f"{case}: {error}", file=sys.stderr, flush=True)
            finally:
                for each in pair:
                    each.end()
        what = f"round {number} of {rounds}" if number else "compiled and counted"
        print(f"{what}: {time.perf_counter() - began:.0f} s", flush=True)
    return found


def rows_of(found: dict[str, Timed]) -> list[list[object]]:
    """Case, microseconds of old and new, and the rounds' ratios: median, least and greatest."""
    return [
        [
            case,
            *(1e6 * statistics.median(timed.seconds[label]) for label in ("old", "new")),
            statistics.median(timed.ratios),
            min(timed.ratios),
            max(timed.ratios),
        ]
        for case, timed in found.items()
    ]


def by_kind(rows: Iterable[Sequence[Any]]) -> list[list[object]]:
    """Median, least and greatest of the cases' median ratios, for each kind of cases.

    Args:
        rows: Rows of `rows_of`; what stands before the comma of a case is its kind.

    Returns:
        A row per kind: its name, how many cases it has, and the three ratios.
    """
    ratios: dict[str, list[float]] = {}
    for case, _, _, middle, *_ in rows:
        ratios.setdefault(case.partition(",")[0], []).append(middle)
    return [
        [kind, len(middles), statistics.median(middles), min(middles), max(middles)]
        for kind, middles in ratios.items()
    ]


def main() -> int:
    """Compare, print, record; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--cases", nargs="+", default=[], help="how cases begin; not recorded")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--pythons", nargs=2, default=[sys.executable] * 2)
    parser.add_argument("--caches", type=Path, help="a folder that keeps compiled kernels")
    parser.add_argument("--limit", type=float, default=LIMIT)
    parser.add_argument("--cpu", action="store_true", help="count processor time")
    given = parser.parse_args()
    cases = [
        case
        for case in (*PROCESSES, *CASES)
        if not given.cases or case.startswith(tuple(given.cases))
    ]
    with tempfile.TemporaryDirectory() as temporary:
        caches = (given.caches or Path(temporary)).resolve()
        roots = zip(("old", "new"), (given.old, given.new), given.pythons, strict=True)
        pair = [
            Checkout(label, root.resolve(), python, caches, given.cpu)
            for label, root, python in roots
        ]
        revisions = {each.label: each.revision for each in pair}
        found = compare(cases, pair, given.rounds)
    rows = rows_of(found)
    for case, old, new, middle, least, most in rows:
        print(f"{case:45} {old:12.4g} {new:12.4g} µs  {middle:.3f}  {least:.3f} to {most:.3f}")
    slow = [str(row[0]) for row in rows if float(str(row[3])) > given.limit]
    different = [case for case, timed in found.items() if timed.different]
    if slow:
        print(f"above {given.limit}: {'; '.join(slow)}")
    if different:
        print(f"different results: {'; '.join(different)}")
    if len(found) == len(PROCESSES) + len(CASES) and not given.cpu:
        write_record(
            "two_checkouts",
            f"Time of Equilibrist {revisions['new']} over that of {revisions['old']}: median, "
            f"least and greatest of the cases' ratios, each the median of {given.rounds} rounds.",
            COMMAND,
            ["cases", "number", "new / old", "least", "greatest"],
            by_kind(rows),
            cases=rows,
            revisions=revisions,
            seconds={case: timed.seconds for case, timed in found.items()},
        )
    failed = len(found) < len(cases)
    return 1 if slow or different or failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
