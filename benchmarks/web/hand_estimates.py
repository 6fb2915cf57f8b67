"""How near the estimates of runs on whole hands come: time and memory, two sizes of each kind.

    python benchmarks/web/hand_estimates.py [KIND...]

Each run is estimated as the browser does, and then made in a process of its own, as a job is; what
earlier runs have taken is left out of the estimates.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT)]

SPOT = """board = "Ks7d2c"
oop = "88-22,AQs-A2s,KTs+,QTs+,J9s+,T8s+,97s+,87s,76s,65s,ATo+,KJo+,QJo"
ip = "99-22,AJs-A2s,K9s+,Q9s+,J9s+,T8s+,98s,87s,76s,65s,ATo+,KTo+,QJo"
pot = 100
stack = {stack}
bets = "{bets}"
raises = "a"
"""
TURN = SPOT.replace("Ks7d2c", "Ks7d2c5h")
CARDS = "cards.safetensors"
RUNS: tuple[tuple[str, str, dict[str, str], dict[str, str]], ...] = (
    ("push-fold", "3 seats", {"seats": "3", "stack": "10"}, {"deals": "4e5"}),
    ("push-fold", "6 seats", {"seats": "6", "stack": "12"}, {"deals": "4e5"}),
    (
        "multiway",
        "2 seats, 25 bb",
        {"seats": "2", "stack": "25", "bets": "2.5x,a", "raises": "a"},
        {"deals": "5e5"},
    ),
    (
        "multiway",
        "4 seats, 15 bb",
        {"seats": "4", "stack": "15", "bets": "2x,a", "raises": "a"},
        {"deals": "1e5"},
    ),
    (
        "preflop",
        "20 flops",
        {"stack": "10", "last_street": "flop", "bets": "2x,a|50%,a", "raises": "a", "flops": "20"},
        {"target": "5mbb"},
    ),
    (
        "preflop",
        "100 flops",
        {"stack": "12", "last_street": "flop", "bets": "2x,a|50%,a", "raises": "a", "flops": "100"},
        {"target": "5mbb"},
    ),
    ("cards", "20 cards", {"buckets": "20/50/50/50", "deck": "T"}, {}),
    ("cards", "52 cards", {"buckets": "169/50/50/50"}, {}),
    (
        "blueprint",
        "2 seats, 20 bb",
        {"stack": "20", "bets": "100%,a", "raises": "100%,a", "cards": CARDS},
        {"iterations": "1500"},
    ),
    (
        "blueprint",
        "6 seats, 20 bb",
        {"seats": "6", "stack": "20", "bets": "2x,a", "raises": "a", "cards": CARDS},
        {"iterations": "15"},
    ),
    (
        "flops",
        "8 flops",
        {"spot": SPOT.format(stack=100, bets="50%"), "flops": "8"},
        {"target": "1%"},
    ),
    (
        "flops",
        "40 turns",
        {
            "spot": TURN.format(stack=300, bets="50%,100%"),
            "boards": ",".join(f"Ks7d2c{rank}{suit}" for rank in "34689TJQA" for suit in "cdhs"),
        },
        {"target": "0.5%"},
    ),
)  # fmt: skip


def run_here(place: int, folder: Path) -> None:
    """Make a run as its job does."""
    from equilibrist.progress import Callbacks, timed
    from equilibrist.web.holdem.kind import Working
    from equilibrist.web.holdem.kinds import hand_run

    kind, _, keys, options = RUNS[place]
    files = {"cards": folder / CARDS} if "cards" in keys else {}
    run = hand_run(kind, keys, options, files)
    out = folder / (CARDS if kind == "cards" and "deck" not in keys else f"out-{place}")
    checkpoint = folder / f"{place}" / "run.ckpt"
    checkpoint.parent.mkdir()
    solution = run.solve(
        Working(
            timed(Callbacks(lambda _: True)),
            checkpoint,
            out,
            0.0,
            tell=lambda *_: None,
            is_told_to_end=lambda: False,
        )
    )
    solution.save(out)


def main(kinds: list[str]) -> None:
    """Measure the runs of some kinds, or of all."""
    from benchmarks.record import write_record
    from equilibrist.web.holdem import pace
    from equilibrist.web.holdem.kinds import hand_run

    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for place, (kind, title, keys, options) in enumerate(RUNS):
            needed = kind == "cards" and "blueprint" in kinds and "deck" not in keys
            if kinds and kind not in kinds and not needed:
                continue
            files = {"cards": folder / CARDS} if "cards" in keys else {}
            pace._kept().pop("runs", None)
            run = hand_run(kind, keys, options, files)
            crowded = pace.crowding(2, run.crowd)
            needs = run.needs()
            begun = time.perf_counter()
            command = [sys.executable, __file__, "--run", str(place), name]
            with subprocess.Popen(command, env=os.environ) as process:
                _, status, used = os.wait4(process.pid, 0)
                process.returncode = status
            took = time.perf_counter() - begun
            assert status == 0, title
            assert needs.seconds is not None
            row = [
                kind,
                title,
                round(needs.seconds, 1),
                round(took, 1),
                round(needs.seconds / took, 2),
                round(used.ru_utime + used.ru_stime, 1),
                round(needs.memory_bytes / 1e6),
                round(used.ru_maxrss / 1e3),
                round(crowded, 2),
            ]
            print(*row, sep="\t", flush=True)
            rows.append(row)
    if kinds:
        return
    write_record(
        "hand_estimates",
        "Seconds that the browser expects of a run and that its process takes, beside the "
        "processor seconds, and megabytes of memory expected and used. *Crowded* is by how much "
        "the estimate was lengthened because other programs worked.",
        "python benchmarks/web/hand_estimates.py",
        (
            "kind", "run", "expected, s", "took, s", "expected / took", "processor, s",
            "expected, MB", "used, MB", "crowded",
        ),
        rows,
    )  # fmt: skip


if __name__ == "__main__":
    if sys.argv[1:2] == ["--run"]:
        run_here(int(sys.argv[2]), Path(sys.argv[3]))
    else:
        main(sys.argv[1:])
