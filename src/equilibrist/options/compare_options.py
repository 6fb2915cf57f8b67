"""The options of `compare` that say how often, and in which order, the algorithms run."""

from __future__ import annotations

from typing import Final

from equilibrist.options.option import Option

RUNS: Final = "Several runs"
COMPARE_RUNS: Final[dict[str, Option]] = {
    "seeds": Option(
        "count",
        RUNS,
        "Run what draws at random with so many seeds, from --seed on.",
        default="1",
    ),
    "repeat": Option("count", RUNS, "Run everything so many times, for the seconds.", default="1"),
    "side_by_side": Option(
        "switch",
        RUNS,
        "Run all at the same time, in turns of about 50 ms on one processor, instead of one after "
        "the other.",
    ),
}
"""Beside those that `solve` has, too."""
