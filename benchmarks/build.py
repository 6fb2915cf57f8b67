"""What compiling a game costs over a bare recursive walk that calls the same methods.

    python benchmarks/build.py

Each case runs in processes of its own, three times in turn with the bare recursion; medians are
quoted. The peak is the process's greatest resident size during the build less its size before
it, less what keys and labels take (their strings, tuples, lists and dictionary).
"""

from __future__ import annotations

import gc
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

ROUNDS = 3
GAMES = ("liars_dice(sides=8)", "leduc(players=3)", "liars_dice(sides=6)")


def bare_walk(game: Any) -> tuple[int, float]:
    """Histories, and seconds of a recursion that calls the protocol's methods and keeps nothing."""
    from equilibrist.games import CHANCE, TERMINAL

    player, actions, infoset = game.player, game.actions, game.infoset
    chance, successor, payoffs = game.chance, game.next, game.payoffs

    def walk(state: Any) -> int:
        acting = player(state)
        if acting == TERMINAL:
            payoffs(state)
            return 1
        if acting == CHANCE:
            count = len(chance(state))
        else:
            infoset(state)
            count = len(actions(state))
        seen = 1
        for action in range(count):
            seen += walk(successor(state, action))
        return seen

    start = time.perf_counter()
    histories = walk(game.initial_state())
    return histories, time.perf_counter() - start


def status(field: str) -> int:
    """A field of /proc/self/status in bytes (Linux)."""
    for line in Path("/proc/self/status").read_text("utf-8").splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) * 1024
    raise SystemExit(f"no {field} in /proc/self/status")


def key_bytes(tree: Any) -> int:
    """Bytes of infoset keys and action labels with the containers that hold them."""
    keys, labels = tree.infoset_keys, tree.walk.labels
    strings = sum(map(sys.getsizeof, keys))
    distinct = {id(row): sys.getsizeof(row) for row in labels}
    ids = sys.getsizeof(dict.fromkeys(keys)) + 32 * len(keys)  # a dict with an int per key
    lists = 4 * 8 * len(keys)  # keys and labels, in order of the walk and of the tree
    return strings + sum(distinct.values()) + ids + lists


def build(spec: str) -> dict[str, float]:
    """Compile one game and say what it took."""
    import equilibrist as eq

    for small in ("kuhn", "kuhn(players=3)", "leduc"):  # load the kernels first
        _ = eq.compile_game(eq.load_game(small)).sequence_form
    game = eq.load_game(spec)
    gc.collect()
    before = status("VmRSS")
    start = time.perf_counter()
    tree = eq.compile_game(game)
    form = tree.sequence_form
    seconds = time.perf_counter() - start
    peak = status("VmHWM") - before - key_bytes(tree)
    return {
        "histories": tree.num_nodes,
        "seconds": seconds,
        "peak": peak / tree.num_nodes,
        "form": form.nbytes / tree.num_nodes,
        "shapes": len(form.arrays.shape_value) // 8,
    }


def child(mode: str, spec: str) -> dict[str, Any]:
    """Run one measurement in a process of its own."""
    command = [sys.executable, __file__, mode, spec]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def main() -> None:
    """Measure, or be the measuring child."""
    if len(sys.argv) == 3:
        mode, spec = sys.argv[1:]
        if mode == "build":
            print(json.dumps(build(spec)))
        else:
            from equilibrist import load_game

            histories, seconds = bare_walk(load_game(spec))
            print(json.dumps({"histories": histories, "seconds": seconds}))
        return
    from benchmarks.record import write_record

    rows, raw = [], {}
    for spec in GAMES:
        pairs = [(child("bare", spec), child("build", spec)) for _ in range(ROUNDS)]
        histories = pairs[0][1]["histories"]
        bare = statistics.median(b["seconds"] for b, _ in pairs) / histories * 1e6
        ours = statistics.median(o["seconds"] for _, o in pairs) / histories * 1e6
        over = statistics.median((o["seconds"] - b["seconds"]) / histories * 1e6 for b, o in pairs)
        peak = statistics.median(o["peak"] for _, o in pairs)
        rows.append([spec, histories, bare, ours, over, peak, pairs[0][1]["form"]])
        raw[spec] = pairs
        print(rows[-1], flush=True)
    write_record(
        "build",
        f"Compiling a game, microseconds and bytes per history; medians of {ROUNDS} processes.",
        "python benchmarks/build.py",
        [
            "game",
            "histories",
            "bare recursion, µs",
            "compile, µs",
            "over the bare recursion, µs",
            "peak without keys, bytes",
            "sequence form, bytes",
        ],
        rows,
        targets={
            "over the bare recursion, µs": [2.0] * len(rows),
            "peak without keys, bytes": [60] * len(rows),
        },
        samples=raw,
    )


if __name__ == "__main__":
    main()
