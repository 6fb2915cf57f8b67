"""What `two_checkouts.py` times of one checkout, in a process with that checkout's sources.

The process reads commands from standard input, one JSON list a line, and answers each with a line
of JSON: `["prepare", CASE]`, `["time", COUNT]` (seconds of so many steps, after those before, and
seconds of processor time), `["finish"]` (what the case has come to, to be compared with the other
checkout).

Both checkouts run this file, whatever their classes and parameters are called: classes are found by
name in the package's sources, under the first of several names that is there, and options by the
first of several parameter names. A new name goes into the call of `found` or of `made`.
"""

from __future__ import annotations

import gc
import hashlib
import importlib
import inspect
import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

os.environ.setdefault("EQUILIBRIST_THREADS", "1")  # older checkouts traverse with one, too

PARTS = ("cfr", "sampling", "without a tree", "spot", "build")


@dataclass(frozen=True)
class Prepared:
    """A case that can be timed: what runs so many steps, and what tells the result."""

    run: Callable[[int], object]
    result: Callable[[], str] = str
    """What both checkouts must come to alike."""
    units: int = 1
    """Iterations of a step."""


@cache
def found(*names: str) -> Any:
    """The class or function that the checkout defines under the first of these names it has.

    Looked up once, since reading every module takes longer than to prepare a spot.
    """
    package = importlib.import_module("equilibrist")
    folder = Path(str(package.__file__)).parent
    for name in names:
        if hasattr(package, name):
            return getattr(package, name)
        for path in sorted(folder.rglob("*.py")):
            if re.search(rf"^(class|def) {name}\b", path.read_text("utf-8"), re.MULTILINE):
                parts = ("equilibrist", *path.relative_to(folder).with_suffix("").parts)
                return getattr(importlib.import_module(".".join(parts)), name)
    raise LookupError(f"{folder} defines none of {', '.join(names)}: {_HELP}")


def made(target: Callable[..., Any], problem: object, **options: object) -> Any:
    """`target(problem, ...)` with each option under the first of its names that is a parameter.

    `variant_or_algorithm="cfr"` is passed as `variant` or as `algorithm`.
    """
    parameters = inspect.signature(target).parameters
    given = {}
    for spelled, value in options.items():
        names = spelled.split("_or_")
        known = [name for name in names if name in parameters]
        if not known:
            raise LookupError(f"{target} has no parameter {' or '.join(names)}: {_HELP}")
        given[known[0]] = value
    return target(problem, **given)


_HELP = "add what it is called there to benchmarks/checkout_cases.py"


def value_of(owner: object, *names: str) -> Any:
    """The attribute of the first of these names that there is, called if it is a method."""
    for name in names:
        if hasattr(owner, name):
            value = getattr(owner, name)
            return value() if callable(value) else value
    raise LookupError(f"{type(owner).__name__} has none of {', '.join(names)}: {_HELP}")


def digest(solver: object) -> str:
    """A few digits that tell average strategies apart."""
    strategy = value_of(solver, "average_strategy")
    return hashlib.sha256(strategy.probabilities.tobytes()).hexdigest()[:8]


@cache
def tree(game: str) -> Any:
    """A game compiled with all that solvers need of it; several cases share it."""
    compiled = found("compile_game")(game)
    _ = compiled.sequence_form
    return compiled


def cfr(game: str, variant: str) -> Prepared:
    """Full traversals of the tree."""
    solver = made(found("CFR"), tree(game), variant_or_algorithm=variant)
    return Prepared(solver.run, partial(digest, solver))


def sampling(game: str, sampler: str, averaging: str | None = None) -> Prepared:
    """Monte Carlo CFR on the tree."""
    options = {} if averaging is None else {"averaging": averaging}
    solver = made(
        found("MCCFR"), tree(game), sampler=sampler, variant_or_algorithm="cfr", seed=1, **options
    )
    return Prepared(solver.run, partial(digest, solver))


def without_tree(rules: str, sampler: str) -> Prepared:
    """Monte Carlo CFR on rules without a tree."""
    target = found("ImplicitMCCFR", "TreelessMCCFR")
    solver = made(target, f"rules:{rules}", sampler=sampler, variant_or_algorithm="cfr", seed=1)
    return Prepared(solver.run, lambda: str(solver.num_infosets))


def spot_solver(name: str, storage: str, threads: int) -> Any:
    """The solver of a spot of the checkout's own list."""
    spots = importlib.import_module("benchmarks.poker.spots").SPOTS
    target = found("HoldemSolver", "PostflopSolver", "SpotSolver")
    return made(target, spots[name], storage=storage, threads=threads)


def spot(name: str, storage: str, threads: int, iterations: int) -> Prepared:
    """Iterations of a spot, and a measurement of exploitability after so many of them."""
    solver = spot_solver(name, storage, threads)

    def measured() -> float:
        return float(value_of(solver, "exploitability", "mean_gain"))

    def run(count: int) -> None:
        for _ in range(count):
            solver.run(iterations)
            measured()

    return Prepared(run, lambda: measured().hex(), iterations)


def build(game: str) -> Prepared:
    """Compiling a game, its sequence form included; the first one stays for other cases."""
    _ = tree("kuhn"), tree("kuhn(players=3)"), tree("leduc")  # load the kernels

    def run(count: int) -> None:
        for _ in range(count):
            tree.cache_clear()
            tree(game)

    return Prepared(run, lambda: str(tree(game).num_nodes))


def build_spot(name: str) -> Prepared:
    """Preparing to solve a spot."""

    def run(count: int) -> None:
        for _ in range(count):
            spot_solver(name, "float32", 1)

    return Prepared(run)


def _cases() -> Iterator[tuple[str, Callable[[], Prepared]]]:
    dice = "liars_dice(sides=6)"
    goofspiel = "goofspiel(cards=5,imp_info=true,points_order=descending)"
    for game in ("leduc", dice, "leduc(players=3)"):
        yield f"build, {game}", partial(build, game)
    yield "build, turn spot", partial(build_spot, "turn")
    yield "build, flop spot", partial(build_spot, "flop")
    for game in ("leduc(players=3)", "kuhn", "leduc", dice, goofspiel):
        yield f"cfr, {game} cfr+", partial(cfr, game, "cfr+")
    for variant in ("dcfr", "pcfr+", "apcfr+"):
        yield f"cfr, leduc {variant}", partial(cfr, "leduc", variant)
    for game, samplers in {
        "kuhn": ("external", "outcome"),
        "leduc": (
            "external", "external(baseline=learned)", "external(prune=2600)", "outcome",
            "outcome(baseline=learned)", "chance", "public-chance", "average-strategy", "robust",
            "robust(k=2)", "probing", "pure", "escher", "textbook",
        ),
        dice: ("external", "outcome", "average-strategy", "robust(k=3)", "probing(k=3)", "pure"),
    }.items():  # fmt: skip
        for sampler in samplers:
            yield f"sampling, {game} {sampler}", partial(sampling, game, sampler)
    for averaging in ("lazy", "optimistic", "openspiel", "strategy"):
        name = f"sampling, leduc outcome, {averaging} average"
        yield name, partial(sampling, "leduc", "outcome", averaging)
    for game, samplers in {
        "leduc": (
            "external", "external(prune=2600)", "outcome", "chance", "average-strategy", "robust",
            "probing", "pure",
        ),
        dice: ("external", "outcome", "robust(k=3)"),
    }.items():  # fmt: skip
        for sampler in samplers:
            yield f"without a tree, {game} {sampler}", partial(without_tree, game, sampler)
    for name, iterations in (("turn", 10), ("flop", 5)):
        for storage in ("float32", "int16"):
            for threads in (1, 2):
                case = f"spot, {name} {storage}, {threads} thread{'s' * (threads > 1)}"
                yield case, partial(spot, name, storage, threads, iterations)


CASES = dict(_cases())


def serve() -> None:
    """Answer commands until there are no more."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever prints must not print answers
    prepared: Prepared | None = None
    for line in sys.stdin:
        what, *given = json.loads(line)
        answer: Any
        try:
            if what == "prepare":
                prepared = None
                gc.collect()
                prepared = CASES[given[0]]()
                answer = prepared.units
            elif prepared is None:
                raise LookupError("nothing is prepared")
            elif what == "time":
                start = time.perf_counter(), time.process_time()
                prepared.run(given[0])
                answer = time.perf_counter() - start[0], time.process_time() - start[1]
            else:
                answer = prepared.result()
        except Exception as error:  # the driver says whose it is
            prepared = None
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    serve()
