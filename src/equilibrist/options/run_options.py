"""The options of runs on hold'em: limits, threads, memory, seed and files, which commands share.

Where a command says more of one, it takes the row with another help text.
"""

from __future__ import annotations

from typing import Final

from equilibrist.options.option import ALGORITHM, LIMITS, SAMPLING, STOPPING, THREADS, Option
from equilibrist.options.solve_options import SOLVE_OPTIONS

RUN_OPTIONS: Final[dict[str, Option]] = {
    "target": Option("text", STOPPING, "Stop at this exploitability.", metavar="X"),
    "iterations": Option("count", STOPPING, "Stop after this many."),
    "deals": Option("count", STOPPING, "Play this many deals."),
    "seconds": SOLVE_OPTIONS["seconds"],
    "algorithm": Option("text", ALGORITHM, "A variant of CFR, as `dcfr(gamma=3)`."),
    "storage": Option(
        "choice",
        LIMITS,
        "How regrets and strategies are stored.",
        default_text="float32",
        choices=("float32", "int16"),
    ),
    "seed": Option("whole number", SAMPLING, "Seed of the deals.", default_text="0"),
    "threads": Option(
        "count",
        THREADS,
        "Work with this many threads; results are bit-identical for any number.",
        default_text="one per processor",
    ),
    "memory": Option(
        "memory",
        LIMITS,
        "Refuse what needs more, for instance 8GB.",
        default_text="half of the machine's",
    ),
    "out": SOLVE_OPTIONS["out"],
    "checkpoint": SOLVE_OPTIONS["checkpoint"],
    "checkpoint_every": SOLVE_OPTIONS["checkpoint_every"],
    "resume": SOLVE_OPTIONS["resume"],
}
"""By the names of the arguments in Python."""
