"""Compiles the kernels once, before the workers of pytest-xdist start, and the tests themselves.

Otherwise every worker would compile each kernel that its tests call: two workers that need the same
kernel at the same time do not wait for each other. Two processes share the work here, so that
either takes about as long. A third one collects the tests meanwhile: pytest rewrites the assertions
of each file, and keeps the result beside it, which is half of what collecting takes in a fresh
checkout. It ends long before the others, so that neither of two processors is idle after it.

What was done is noted in the cache. The next run in the same checkout, of slow tests or in Chromium
after those that run by default, begins at once, and does not load all kernels to see that they are
there.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from equilibrist._jit import inventory
from equilibrist._jit.places import writable_kernels_dir

LIMIT = 900.0
"""Seconds; what is not compiled by then, the tests compile themselves."""

SAMPLERS = {
    "rules:leduc": ("external", "outcome"),
    "rules:liars_dice(sides=2)": ("external", "external(prune=1)", "outcome"),
}
"""What several of the tests that run by default sample by rules."""
WITHOUT_TREE = "--max-histories 1 --iterations 2 --quiet --out"
BOUND = (
    f"solve rules:leduc(players=3) --sampler external {WITHOUT_TREE} walk",
    *(
        f"solve {game} --sampler {name} {WITHOUT_TREE} dice"
        for game, names in SAMPLERS.items()
        for name in names
    ),
    "evaluate dice --against uniform --deals 2",
)
"""Commands that compile kernels bound to rules modules."""


LEFT_OUT = ("compile_bunching", "compile_rare_spots")
"""Groups whose kernels slow tests alone run."""
KINDS = ("two-32", "many-32")
"""No game of the tests is so large that its arrays need 64 bits."""
SHARED = False
"""One file has threads share an iteration, and compiles the few kernels that it needs itself."""


class Share(NamedTuple):
    """What one process does."""

    groups: Mapping[str, Sequence[Any]]
    """Functions of `kernel_cache` that compile its kernels, with their arguments."""
    lines: tuple[str, ...] = ()
    """The commands that follow."""


SHARES = (
    Share({"compile_games": [KINDS, SHARED], "compile_equities": []}, BOUND),
    Share({"compile_histories": [], "compile_spots": []}),
)
"""From a cold cache either takes about as long."""

SCRIPT = """
import gc, json, sys
from equilibrist._jit.inventory import is_complete
from equilibrist.cli.main import run
from equilibrist.solving import kernel_cache

gc.disable()  # a tenth of compiling, in a process that soon ends
groups, lines = json.loads(sys.argv[1])
if not is_complete():
    for group, arguments in groups.items():
        getattr(kernel_cache, group)(*arguments)
sys.exit(max([run(line.split()) for line in lines], default=0))
"""


def worthwhile(arguments: Sequence[str], keyword: str) -> bool:
    """Whether a run of the tests is large, and what is compiled can be kept.

    A run is large if it is of whole folders and of all tests in them. One of a few files, or of
    what -k picks, compiles what it needs and no more.
    """
    large = not keyword and all(Path(argument).is_dir() for argument in arguments)
    return large and writable_kernels_dir() is not None


def record() -> Path:
    """Where it is noted that this checkout, with its present sources, needs nothing more."""
    folder = writable_kernels_dir()
    assert folder is not None
    own = Path(__file__)
    sources = f"{inventory._record().name} {own.parent} {own.read_text('utf-8')}"
    # The name begins as that of other notes, so that `cache clear` removes it, too.
    return folder / f"complete-tests-{hashlib.sha256(sources.encode()).hexdigest()[:16]}.json"


def is_done() -> bool:
    """Whether an earlier run has done all this, and nothing of it was removed."""
    try:
        note = record()
        return all((note.parent / file).is_file() for file in json.loads(note.read_text("utf-8")))
    except (OSError, ValueError):
        return False


def note_done() -> None:
    """Note that all this is done: the files that there are."""
    note = record()
    files = [file.relative_to(note.parent).as_posix() for file in inventory.present_files()]
    note.write_text(json.dumps(sorted(files)), "utf-8")


def collecting(arguments: Sequence[str]) -> list[str]:
    """The command that collects the tests of a run; none where no bytecode is kept."""
    if sys.dont_write_bytecode:
        return []
    return [sys.executable, "-m", "pytest", "--collect-only", "-qq", *arguments]


def warm(arguments: Sequence[str] = (), limit: float = LIMIT) -> list[int]:
    """Compile kernels into the cache; return the exit codes of the processes that do it.

    `arguments` are those of the run: the tests that it will collect.
    """
    collect = collecting(arguments) if arguments else []
    with tempfile.TemporaryDirectory() as folder:
        compiling = [
            _started([sys.executable, "-c", SCRIPT, json.dumps(share)], folder) for share in SHARES
        ]
        # What is wrong with a file, the run itself will say.
        processes = [*compiling, *([_started(collect, ".")] if collect else [])]
        for process in processes:
            try:
                process.wait(limit)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        return [process.returncode for process in compiling]


def _started(command: list[str], folder: str) -> subprocess.Popen[bytes]:
    nothing = subprocess.DEVNULL
    return subprocess.Popen(command, cwd=folder, stdout=nothing, stderr=nothing)
