"""What the first run of a spot compiles: what the spot needs, and nothing after the verdict.

Kernels are counted that were compiled or loaded, so that the tests are fast with a warm cache.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from equilibrist._jit.first_run import WORK
from tests.slow_cases import slow

SCRIPT = """
import json, sys
from equilibrist._jit.numba_internals import when_compiled
from equilibrist.cli.main import run

def kernels():
    found = {}
    for name, module in [*sys.modules.items()]:
        if name.startswith("equilibrist.kernels."):
            for label, kernel in vars(module).items():
                if getattr(kernel, "signatures", ()) and kernel.__module__ == name:
                    found[label] = len(kernel.signatures)
    return found

class Stream:
    first = None
    def write(self, text):
        if self.first is None:
            self.first = kernels()
    def __getattr__(self, name):
        return getattr(sys.__stdout__, name)

compiled = []
when_compiled(lambda: compiled.append(1))
sys.stdout = Stream()
code = run(sys.argv[1:])
kinds = {}
if "equilibrist.kernels.poker.postflop" in sys.modules:
    from equilibrist.kernels.poker.postflop import passes
    (types,) = passes.signatures
    names = passes.py_func.__code__.co_varnames[: len(types)]
    kinds = dict(zip(names, map(str, types)))
missing = [name for name in ("deals", "locks") if kinds.get(name) == "none"]
result = {"code": code, "before": sys.stdout.first, "after": kernels(), "without": missing,
          "functions": len(compiled)}
print(json.dumps(result), file=sys.__stdout__)
"""

SPOT = "--oop AA,QQ --ip KK,TT --pot 20 --stack 20 --bets a --iterations 3 -q"
LOCK = ["--lock", "X: KK = Check 50%"]
RIVER = f"postflop solve --board Ts3h2h5c9s {SPOT}".split()
TURN = f"postflop solve --board Ts3h2h5c {SPOT}".split()
FLOP = f"postflop solve --board Ts3h2h {SPOT}".split()
KUHN = ["solve", "kuhn", "-n", "5", "-q", "--out", "kuhn.safetensors"]
TREE = (
    "link", "fold_forced", "translate", "public_labels", "counting_sort", "pack_cells", "run",
    "average_behaviour", "evaluate",
)  # fmt: skip


def first_run(arguments: list[str], folder: Path, cache: Path | None = None) -> dict[str, Any]:
    """Run a command in a fresh process."""
    environment = {**os.environ}
    if cache is not None:  # all is compiled: without optimising in two thirds of the time
        environment |= {"EQUILIBRIST_CACHE_DIR": f"{cache}", "NUMBA_OPT": "0"}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *arguments],
        capture_output=True,
        text=True,
        cwd=folder,
        env=environment,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    assert found["code"] == 0, done.stderr
    return found


@pytest.mark.by_default(1)
@pytest.mark.parametrize(
    ("arguments", "kernels", "without"),
    [
        (RIVER, ["passes"], ["deals", "locks"]),
        ([*RIVER, *LOCK], ["passes"], []),
        slow([*RIVER, "--storage", "int16"], ["passes"], []),
        slow(TURN, ["passes", "all_boards"], ["locks"]),
        (FLOP, ["passes", "all_boards"], ["locks"]),
        slow([*TURN, *LOCK], ["passes", "all_boards"], []),
        (KUHN, TREE, []),
    ],
    ids=["river", "locked-river", "small-river", "turn", "flop", "locked-turn", "kuhn"],
)
def test_a_command_needs_these_kernels_and_has_them_before_it_answers(
    arguments: list[str], kernels: list[str], without: list[str], tmp_path: Path
) -> None:
    found = first_run(arguments, tmp_path)
    assert found["before"] == dict.fromkeys(kernels, 1)
    assert found["after"] == found["before"]
    assert found["without"] == without


PASSES = "equilibrist.kernels.poker.postflop.passes"
BOARDS = "equilibrist.kernels.poker.equity.all_boards"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "kernels"),
    [
        (RIVER, [f"{PASSES} float32-street"]),
        (TURN, [f"{PASSES} float32-streets", BOARDS]),
        ([*RIVER, "--storage", "int16"], [f"{PASSES} int16-all"]),
        (
            KUHN,
            ["equilibrist.kernels.tree.build.link", "equilibrist.kernels.full_traversals.run"],
        ),
    ],
    ids=["river", "turn", "small-river", "kuhn"],
)
def test_the_announced_number_of_functions_is_compiled(
    arguments: list[str], kernels: list[str], tmp_path: Path
) -> None:
    found = first_run(arguments, tmp_path, tmp_path / "cache")
    assert found["functions"] == sum(WORK[kernel].functions for kernel in kernels)


def test_as_many_functions_are_announced_for_each_storage() -> None:
    """One of these numbers is counted above."""
    kinds = [kernel for kernel in WORK if kernel.startswith(PASSES) and kernel.endswith("-all")]
    assert len(kinds) == 3
    assert len({WORK[kernel].functions for kernel in kinds}) == 1
