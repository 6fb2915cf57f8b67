"""The options of runs: the fields of SolveConfig, as `solve` takes them, and those on hold'em."""

from __future__ import annotations

from typing import Final

from equilibrist.game import DEFAULT_MAX_DEPTH
from equilibrist.options.defaults import TRANSLATION
from equilibrist.options.option import (
    ALGORITHM,
    FILES,
    LIMITS,
    SAMPLING,
    STOPPING,
    THREADS,
    Option,
)

SOLVE_OPTIONS: Final[dict[str, Option]] = {
    "algorithm": Option(
        "text",
        ALGORITHM,
        "A name that `equilibrist algorithms` lists, or my.py:MyVariant, with parameters if any: "
        "dcfr(gamma=3).",
        default_text="dcfr; with a sampler, --prune interval or best-response cfr; with threshold "
        "hedge",
        flags=("--algorithm", "-a"),
    ),
    "alternating": Option(
        "switch",
        ALGORITHM,
        "Update the players in turn, or all of them from one profile; full traversals only.",
        default_text="what the algorithm prescribes, mostly in turn",
        flags=("--alternating/--simultaneous",),
    ),
    "abstraction": Option(
        "text",
        ALGORITHM,
        "Merge infosets: cards(JQ.K), cards(JQ.K,pair), buckets(2), memory(last=2), auto(2), "
        "symmetry, a function merge(key, player, facts) as rules.py:merge, or one for each seat: "
        "0:cards(JQ.K);1:none. The strategy is measured in the full game.",
        default_text="none",
    ),
    "drop_below": Option(
        "number",
        ALGORITHM,
        "Cut off paths with less reach than this before solving; the strategy is measured in the "
        "full game.",
        default_text="none",
    ),
    "drop_play": Option(
        "text",
        ALGORITHM,
        "Whose reach counts for --drop-below: chance's alone, or that of all players under uniform "
        "play or under the strategy in a file; cut paths end with what such play earns there.",
        default="chance",
    ),
    "actions": Option(
        "text",
        ALGORITHM,
        "Keep some actions only: those with these sizes (bets=1,3; bets=50%,100% of the pot), "
        "labels=..., without=..., a function keep(key, player, facts) as rules.py:keep, or one for "
        "each seat: 0:bets=1,3;1:all. The strategy is measured in the full game.",
        default_text="all",
    ),
    "translate": Option(
        "text",
        ALGORITHM,
        "With --actions, how to translate an opponent's bet that was left out to one that was "
        "kept: pseudo-harmonic, nearest, half, down, up, or a function translate(label, kept, "
        "facts) as rules.py:translate.",
        default_text=TRANSLATION,
    ),
    "tremble": Option(
        "number",
        ALGORITHM,
        "Solve the game in which every action is played with at least this probability at every "
        "infoset; full traversals only.",
    ),
    "prune": Option(
        "text",
        ALGORITHM,
        "Skip parts of full traversals, and count the nodes that are visited: partial (what the "
        "others' play does not reach: the same bits), interval (own actions too, until they could "
        "be played; cfr and lcfr), best-response (own actions far worse than a best response, with "
        "their regrets; cfr and lcfr), or threshold(c=0.1) (actions that hedge rarely plays). "
        "Samplers prune by a parameter of their own: external(prune=1000).",
        default_text="none",
    ),
    "seed": Option(
        "whole number",
        ALGORITHM,
        "Seed of samplers, fsicfr and regret matching.",
        default="0",
    ),
    "output": Option(
        "choice",
        ALGORITHM,
        "Return the average strategy, which converges, or the last one.",
        default="average",
        choices=("average", "last"),
    ),
    "measure": Option(
        "choice",
        ALGORITHM,
        "Measure how far the history of play, weighted as the average, is from correlated "
        "equilibrium (extensive-form, its coarse form, or coarse), in place of exploitability; the "
        "figure is the gap summed over players. Updates are then simultaneous; full traversals "
        "only.",
        choices=("efce", "efcce", "nfcce", "cce"),
    ),
    "warm_start": Option(
        "solution",
        ALGORITHM,
        "Start from the strategy in this file, a solution or a table, or from uniform play; full "
        "traversals only.",
    ),
    "warm_iterations": Option(
        "count",
        ALGORITHM,
        "Weigh the warm start as if it had been played for this many iterations; they count as "
        "iterations.",
        default="100",
    ),
    "iterations": Option(
        "count",
        STOPPING,
        "Stop after this many.",
        flags=("--iterations", "-n"),
    ),
    "target": Option(
        "number",
        STOPPING,
        "Stop at this exploitability (NashConv where there is none, or the gap of --measure), in "
        "payoff units.",
        flags=("--target", "-t"),
    ),
    "seconds": Option(
        "time",
        STOPPING,
        "Stop after this many seconds (or 10m, 1.5h), counted from the start of the command; at "
        "least one iteration is made and measured.",
        flags=("--time",),
    ),
    "sampler": Option(
        "text",
        SAMPLING,
        "Sample instead of traversing the whole game: a name that `equilibrist samplers` lists, "
        "or my.py:MySampler, with parameters if any: outcome(epsilon=0.4).",
        flags=("--sampler", "-s"),
    ),
    "averaging": Option(
        "text",
        SAMPLING,
        "How a sampler averages: one of its own methods, or walk, full or snapshots.",
        default_text="the sampler's own where that is unbiased, else walk",
    ),
    "averaging_every": Option(
        "count",
        SAMPLING,
        "Iterations between two updates of walk, full or snapshots.",
        default_text="so that they take about a third of the time",
    ),
    "period": Option(
        "count",
        SAMPLING,
        "Iterations between two discounts (lcfr, dcfr) and, with --threads, between two merges of "
        "the threads' tables.",
    ),
    "threads": Option(
        "count",
        THREADS,
        "Number of threads: of a sampler, or the most that share a full traversal. The result of "
        "sampling depends on the seed, the number of threads and --period, not on their speed; "
        "that of a full traversal is bit-identical for any number, and small games use one thread, "
        "as do xfp, cfr-br, efr, fsicfr, lp and regret matching.",
        default_text="one per processor; with a sampler 1",
    ),
    "shared": Option(
        "switch",
        THREADS,
        "Let all threads share one table. Not reproducible: with the same seed the random numbers "
        "are the same, but regrets and strategies differ from run to run.",
        flags=("--shared-table",),
    ),
    "executor": Option(
        "text",
        THREADS,
        "What runs the batches of --threads: threads, serial (one after the other) or ray (a Ray "
        "cluster). The numbers are the same.",
        default_text="threads",
    ),
    "address": Option(
        "text",
        THREADS,
        "The head node of the Ray cluster; auto finds one on this machine, local starts one.",
        metavar="HOST:PORT",
        default_text="local",
    ),
    "out": Option(
        "file",
        FILES,
        "Save the solution here. An earlier solution is replaced, any other file is not.",
        flags=("--out", "-o"),
    ),
    "save_device": Option(
        "file",
        FILES,
        "With --measure, save the history of play as a correlation device: the profile of every "
        "iteration, with its weight. Refused if it would exceed --memory.",
    ),
    "plot": Option("file", FILES, "Draw the convergence, as .svg or .png."),
    "checkpoint": Option(
        "file",
        FILES,
        "Save the state of the run here periodically; --resume continues from it.",
    ),
    "checkpoint_every": Option("time", FILES, "Seconds between two checkpoints.", default="10"),
    "resume": Option(
        "file",
        FILES,
        "Resume from this checkpoint, and keep saving to it unless --checkpoint names another "
        "file. The result is bit-identical to that of an uninterrupted run.",
    ),
    "max_histories": Option(
        "count",
        LIMITS,
        "Refuse games with more histories; with --sampler a rules module that has more is sampled "
        "without a tree.",
        default_text="100,000 for a rules module",
    ),
    "memory": Option(
        "memory",
        LIMITS,
        "Refuse games that need more, for instance 500MB or 2GB; without a tree, the limit of the "
        "table and everything that grows with it.",
        default_text="half of the machine's; without a tree 1GiB",
    ),
    "max_depth": Option(
        "count",
        LIMITS,
        "Maximum game depth: refuse games with a longer line of play.",
        default=f"{DEFAULT_MAX_DEPTH}",
    ),
    "explicit_tree": Option(
        "switch",
        LIMITS,
        "Compile a rules module to a tree in any case, or sample it without a tree in any case "
        "(by external, if no sampler is given).",
        default_text="a tree where it fits",
        flags=("--explicit-tree/--no-explicit-tree",),
    ),
}
"""By the names of the fields."""


SHARED_OPTIONS: Final = (
    "seed",
    "alternating",
    "measure",
    "prune",
    "warm_start",
    "warm_iterations",
    "iterations",
    "target",
    "seconds",
    "threads",
    "max_histories",
    "memory",
    "max_depth",
)
"""Those that the runs of a comparison share."""
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
HOLDEM_RUN_OPTIONS: Final[dict[str, Option]] = {
    "target": Option("text", STOPPING, "Stop at this exploitability.", metavar="X"),
    "iterations": Option("count", STOPPING, "Stop after this many."),
    "deals": Option("count", STOPPING, "Play this many deals.", least=1_000),
    "seconds": SOLVE_OPTIONS["seconds"],
    "algorithm": Option("text", ALGORITHM, "A variant of CFR: dcfr(gamma=3)."),
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
"""The options of runs on hold'em, by the names of the arguments in Python.

Where a command says more of one, it takes the row with another help text.
"""
