"""Seconds and memory of building card buckets 169/200/200/200, by stage, on one thread and on two.

    python benchmarks/poker/card_buckets.py      # some minutes; the machine must be idle

Each build runs in a process of its own, after one of a small deck that compiles the kernels.
Processor seconds say what a stage costs on a machine that is not idle.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.record import write_record

BUCKETS = "169/200/200/200"
ROUNDS = 1
STAGES = (
    ("river", "equities", "equities on all rivers"),
    ("river", "assigning", "river: buckets"),
    ("turn", "sampling", "turn: sample"),
    ("turn", "k-means", "turn: k-means"),
    ("turn", "assigning", "turn: all hands"),
    ("flop", "sampling", "flop: sample"),
    ("flop", "k-means", "flop: k-means"),
    ("flop", "assigning", "flop: all hands"),
    ("all streets", "writing", "preflop, writing the file"),
)


def build(threads: int) -> None:
    """Build once in this process, and print seconds, processor seconds and peak bytes."""
    from equilibrist.poker import build_card_buckets

    times: dict[str, list[float]] = {}
    began = [time.perf_counter(), time.process_time()]

    def told(street: str, text: str, _share: float | None) -> None:
        now = time.perf_counter(), time.process_time()
        for at, begin, stage in STAGES:
            if at == street and text.startswith(begin):
                found = times.setdefault(stage, [0.0, 0.0])
        found[0] += now[0] - began[0]
        found[1] += now[1] - began[1]
        began[:] = now

    with tempfile.TemporaryDirectory() as folder:
        small = Path(folder) / "small.safetensors"
        build_card_buckets("all/40/40/20", small, lowest_rank=8, threads=threads)
        began[:] = time.perf_counter(), time.process_time()
        build_card_buckets(BUCKETS, Path(folder) / "c.safetensors", threads=threads, on_stage=told)
        told("all streets", "writing", None)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(json.dumps({"stages": times, "peak": peak}))


def main() -> None:
    """Run the builds in turn and write the record."""
    if len(sys.argv) > 1:
        build(int(sys.argv[1]))
        return
    found = {}
    for threads in (1, 2):
        done = subprocess.run(
            [sys.executable, __file__, str(threads)], capture_output=True, text=True, check=True
        )
        found[threads] = json.loads(done.stdout)
        print(threads, found[threads])
    rows: list[list[object]] = []
    for _, _, stage in STAGES:
        one, two = (found[threads]["stages"].get(stage, [0.0, 0.0]) for threads in (1, 2))
        rows.append([stage, one[0], two[0], one[1]])
    rows.append(["all", *(sum(row[k] for row in rows) for k in (1, 2, 3))])  # type: ignore[misc]
    rows.append(["peak memory, GB", *(found[t]["peak"] / 1e9 for t in (1, 2)), ""])
    write_record(
        "card_buckets",
        f"Seconds of building card buckets {BUCKETS} for the full deck, by stage; processor "
        "seconds are those of the build on one thread.",
        "python benchmarks/poker/card_buckets.py",
        ["stage", "one thread", "two threads", "processor seconds"],
        rows,
        buckets=BUCKETS,
    )


if __name__ == "__main__":
    main()
