"""The options of exact runs; the command line reads them without loading the solver."""

from __future__ import annotations

from typing import Final

from equilibrist.options.option import ALGORITHM, LIMITS, STOPPING, THREADS, Option

_BOARDS: Final = "Boards"
RUN_OPTIONS: Final[dict[str, Option]] = {
    "flops": Option(
        "count",
        _BOARDS,
        "Draw this many flops, as likely as they come, and leave out the others.",
        default_text="all",
    ),
    "seed": Option("whole number", _BOARDS, "The seed of that draw.", default_text="0"),
    "target": Option(
        "text",
        STOPPING,
        "Stop at this exploitability, in mbb (thousandths of a big blind) a hand: 1 or 1mbb.",
        metavar="X",
    ),
    "iterations": Option("count", STOPPING, "Stop after this many.", flags=("--iterations", "-n")),
    "seconds": Option(
        "time",
        STOPPING,
        "Stop after this many seconds (or 10m, 1.5h); at least one iteration is made and measured.",
        flags=("--time",),
    ),
    "algorithm": Option(
        "text",
        ALGORITHM,
        "A variant of CFR that updates in turn: dcfr(gamma=3), lcfr, cfr+.",
        default_text="dcfr",
        flags=("--algorithm", "-a"),
    ),
    "threads": Option(
        "count",
        THREADS,
        "Work with this many threads; results are bit-identical for any number.",
        default_text="one per processor",
    ),
    "memory": Option(
        "memory",
        LIMITS,
        "Refuse games that need more, for instance 8GB.",
        default_text="half of the machine's",
    ),
}
"""How the command line takes what `solve_preflop` takes of a run."""
