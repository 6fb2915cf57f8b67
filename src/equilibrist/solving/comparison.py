"""Comparison of algorithms on one game: what each reaches within the same limits, and when."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import Any, TypeAlias

from equilibrist.errors import ConfigError, EquilibristError
from equilibrist.game import DEFAULT_MAX_DEPTH, Game
from equilibrist.game_loading import compile_game
from equilibrist.parsing.arguments import bad_argument, finite_number, several
from equilibrist.progress import Callbacks, OnProgress, as_callbacks
from equilibrist.results import ImplicitResult, Result
from equilibrist.solvers.run.stopping import Stop, merge_stop
from equilibrist.solvers.run.trace import TracePoint
from equilibrist.solvers.variants.local_rule import LocalRule
from equilibrist.solvers.variants.variant import Variant
from equilibrist.solving.algorithm import Algorithm, get_algorithm, read_sampler
from equilibrist.solving.config import EXACT, SolveConfig
from equilibrist.solving.running import is_spot, run
from equilibrist.solving.warm_start import Found, find_strategy
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree

ALGORITHMS = ("cfr", "cfr+", "dcfr", "pcfr+")
"""The algorithms compared by default."""
LEVELS = (1e-3, 1e-4, 1e-6)
"""The values of the measure whose first reaching is tabulated by default, in payoff units."""
SECONDS = 10.0
"""Seconds per algorithm where no option says how far to go."""
_NAMES = "names, such as 'dcfr' or 'lcfr@external'"
Entry: TypeAlias = tuple[str, Algorithm | str, str | None]


@dataclass(frozen=True)
class ComparedRun:
    """One algorithm's run.

    Attributes:
        name: Its name as it was given.
        result: What `solve` found.
    """

    name: str
    result: Result

    def reached(self, level: float) -> TracePoint | None:
        """The first measurement at or below a level.

        Args:
            level: In payoff units.

        Returns:
            The measurement, None if there was none.
        """
        return next((p for p in self.points if p.measure <= level), None)

    @property
    def points(self) -> tuple[TracePoint, ...]:
        """All measurements; of an algorithm that does not iterate the one at its end."""
        r = self.result
        end = TracePoint(r.iterations, r.seconds, r.nash_conv, r.exploitability, r.values)
        return r.trace or (end,)

    def to_dict(self, levels: Sequence[float]) -> dict[str, Any]:
        """What the run reached, and when; no strategy.

        Args:
            levels: The levels in payoff units.

        Returns:
            Values that JSON can hold.
        """
        r = self.result
        points = {f"{level:g}": self.reached(level) for level in levels}
        return {
            "algorithm": self.name,
            "iterations": r.iterations,
            "seconds": r.seconds,
            "stopped_by": r.stopped_by,
            "nash_conv": r.nash_conv,
            "exploitability": r.exploitability,
            "values": list(r.values),
            "reached": {
                level: None if p is None else {"iterations": p.iteration, "seconds": p.seconds}
                for level, p in points.items()
            },
            "trace": [
                {"iteration": p.iteration, "seconds": p.seconds, "measure": p.measure}
                for p in self.points
            ],
        }


@dataclass(frozen=True)
class FailedRun:
    """An algorithm that did not get to the end.

    Attributes:
        name: Its name as it was given.
        error: Why.
    """

    name: str
    error: EquilibristError


@dataclass(frozen=True)
class Comparison:
    """Runs of several algorithms on one game, in the order they were given.

    Attributes:
        game: The name of the game.
        levels: The requested levels, in payoff units.
        runs: The runs that ended.
        failed: The algorithms that refused the game, or failed.
    """

    game: str
    levels: tuple[float, ...]
    runs: tuple[ComparedRun, ...]
    failed: tuple[FailedRun, ...] = ()

    @property
    def measure_name(self) -> str:
        """What the levels are of: exploitability, or NashConv where that has no meaning."""
        return self.runs[0].result.measure_name

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C ended the comparison."""
        return any(run.result.stopped_by == "interrupted" for run in self.runs)

    def to_dict(self) -> dict[str, Any]:
        """The document that `compare --json` prints.

        Returns:
            Plain numbers, texts, lists and dictionaries; `levels` are in payoff units.
        """
        return {
            "game": self.game,
            "measure": self.measure_name,
            "levels": list(self.levels),
            "algorithms": [run.to_dict(self.levels) for run in self.runs],
            "failed": [{"algorithm": d.name, "error": str(d.error)} for d in self.failed],
        }

    def plot(self, path: str | os.PathLike[str]) -> Path:
        """Draw the measure over iterations and over seconds.

        Args:
            path: Where to, as `.svg` or `.png`.

        Returns:
            The path.

        Raises:
            ConfigError: For another suffix.
            OutputError: If the file cannot be written.
        """
        from equilibrist.plotting import comparison_figure, save_figure

        traces = {run.name: run.points for run in self.runs}
        return save_figure(comparison_figure(traces, title=self.game), path)

    def _repr_html_(self) -> str:
        heads = ["algorithm", *(f"{level:g}" for level in self.levels), self.measure_name]
        rows = []
        for ended in self.runs:
            points = [ended.reached(level) for level in self.levels]
            cells = [
                "-" if p is None else f"{count_text(p.iteration)}, {p.seconds:.3g} s"
                for p in points
            ]
            rows.append([ended.name, *cells, f"{ended.result.measure:.3g}"])
        head = "".join(f"<th>{escape(text)}</th>" for text in heads)
        body = "".join(
            "<tr>" + "".join(f"<td>{escape(text)}</td>" for text in row) + "</tr>" for row in rows
        )
        return f"<table><caption>{escape(self.game)}</caption><tr>{head}</tr>{body}</table>"


def count_text(iterations: int) -> str:
    """Iterations; an algorithm that solves directly has none."""
    return f"{iterations:,} it" if iterations else "exact"


def compare(
    game: str | Game[Any] | GameTree,
    algorithms: Sequence[str | Algorithm] | str | Algorithm = ALGORITHMS,
    *,
    stop: Stop | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    target: float | None = None,
    callbacks: Callbacks | OnProgress | None = None,
    levels: Sequence[float] = LEVELS,
    seed: int = 0,
    alternating: bool | None = None,
    warm_start: Strategy | str | os.PathLike[str] | Found | None = None,
    warm_iterations: int = 100,
    max_histories: int | None = None,
    memory: int | None = None,
    max_depth: int = DEFAULT_MAX_DEPTH,
) -> Comparison:
    """Run several algorithms on one game, one after the other, each within the same limits.

    What is measured is the exploitability, or NashConv where that is not defined: at squares of
    iterations, then every 4 %. Seconds count iterating and measuring. Ctrl-C ends the comparison
    with what it has.

    Args:
        game: A game's name, a `Game` or a `GameTree`.
        algorithms: Variants, LocalRules, or names as `solve` takes them: `"dcfr(gamma=3)"`,
            `"my.py:MyVariant"`, `"lp"`. A name may have a sampler: `"lcfr@external"`,
            `"@outcome(epsilon=0.4)"`. One alone needs no list.
        stop: When each run ends. Its fields can be given directly, in its place.
        iterations: The most iterations of each run; `hs-dcfr` and `hs-pcfr+` plan for them, and
            need them.
        seconds: The most seconds of each run; with no limit at all 10.
        target: The measure that ends a run, in payoff units.
        callbacks: Functions called as the runs progress; a single function is taken as
            `on_progress`. The `algorithm` of its Progress is the name of the entry; False ends that
            entry's run.
        levels: The values of the measure, in payoff units, for which the result tabulates when
            they were first reached.
        seed: Seed of samplers, fsicfr and regret matching.
        alternating: As in `solve`, for all entries that are full traversals of variants or rules.
        warm_start: As in `solve`, for variants by full traversals; the others start from nothing.
        warm_iterations: Iterations for which `warm_start` counts.
        max_histories: The most histories of the tree.
        memory: The most bytes of the compiled game.
        max_depth: The most moves of a line of play; a longer one counts as endless.

    Returns:
        The runs. An algorithm that refused the game, or failed on the way, is in its `failed`.

    Raises:
        ConfigError: An option is wrong; nothing has been walked then.
        UnknownNameError: No algorithm or sampler has that name.
        EquilibristError: What `solve` raises, where no algorithm is left.
    """
    if is_spot(game):
        raise ConfigError(
            "compare is for games, not for spots",
            option="game",
            given=game,
            remedy="solve the spot once with each algorithm, as in `solve(spot, 'dcfr')`",
        )
    told = as_callbacks(callbacks)
    iterations, seconds, goal = merge_stop(stop, iterations, seconds, target)
    if isinstance(algorithms, str | Algorithm):
        algorithms = (algorithms,)
    entries = [_read_entry(a, iterations) for a in several("algorithms", algorithms, _NAMES)]
    _refuse_doubles([name for name, _, _ in entries])
    if not entries:
        raise ConfigError(
            "there is nothing to compare", option="algorithms", remedy="name at least one algorithm"
        )
    steps = _check_levels(levels)
    if iterations is None and goal is None and seconds is None:
        seconds = SECONDS
    limits: dict[str, Any] = {
        "max_histories": max_histories,
        "memory": memory,
        "max_depth": max_depth,
    }
    warm = warm_start if warm_start is None or callable(warm_start) else find_strategy(warm_start)
    warmed: dict[str, Any] = {}
    if warm is not None:
        if not any(isinstance(found, Variant) and drawn is None for _, found, drawn in entries):
            raise ConfigError(
                "warm_start is for variants of CFR by full traversals, and none of these is one",
                option="warm_start",
                given=warm,
                remedy="leave it out, or add cfr, dcfr or another variant",
            )
        warmed = {"warm_start": "a strategy", "warm_iterations": warm_iterations}
    budget: dict[str, Any] = {
        "iterations": iterations,
        "seconds": seconds,
        "target": goal,
    }
    configs = [
        SolveConfig.build(
            algorithm=found if isinstance(found, str) else found.name,
            **({} if found in EXACT else budget),
            seed=seed,
            alternating=alternating
            if isinstance(found, Variant | LocalRule) and drawn is None
            else None,
            sampler=drawn,
            **(warmed if isinstance(found, Variant) and drawn is None else {}),
            **limits,
        )
        for _, found, drawn in entries
    ]
    told.stage("walking the rules")
    walked = told.on_walk
    tree = game if isinstance(game, GameTree) else compile_game(game, on_walk=walked, **limits)
    runs = [
        (name, found, config) for (name, found, _), config in zip(entries, configs, strict=True)
    ]
    ended, failed = _run_all(tree, runs, warm, told)
    return Comparison(tree.name, steps, tuple(ended), tuple(failed))


def _run_all(
    tree: GameTree,
    runs: Sequence[tuple[str, Algorithm | str, SolveConfig]],
    warm: Found | None,
    callbacks: Callbacks,
) -> tuple[list[ComparedRun], list[FailedRun]]:
    """Run one after the other; raises the first error if all fail."""
    ended: list[ComparedRun] = []
    failed: list[FailedRun] = []
    for name, found, config in runs:
        callbacks.stage(f"running {name}")
        own = Callbacks(_named(callbacks.on_progress, name))  # stages of the runs are not reported
        start = None if config.warm_start is None else warm
        try:
            result, _ = run(tree, found, config, own, start)
        except EquilibristError as error:
            failed.append(FailedRun(name, error))
            continue
        assert not isinstance(result, ImplicitResult)
        ended.append(ComparedRun(name, result))
        if result.stopped_by == "interrupted":
            break
    if not ended:
        raise failed[0].error
    return ended, failed


def _read_entry(algorithm: str | Algorithm, iterations: int | None) -> Entry:
    """Name, algorithm and sampler of one entry; ConfigError if it cannot be compared."""
    if not isinstance(algorithm, str | Algorithm):
        raise bad_argument("algorithms", algorithm, _NAMES)
    name, drawn = (algorithm, None) if isinstance(algorithm, str) else (algorithm.name, None)
    found: Algorithm | str
    if not isinstance(algorithm, str):
        found = algorithm
    else:
        word, at, sampler = algorithm.strip().rpartition("@")
        if not at:
            word, sampler = sampler, ""
        elif not sampler.strip():
            raise ConfigError(
                f"{algorithm!r} names no sampler after the @, as in lcfr@external",
                option="sampler",
                given=algorithm,
            )
        drawn = read_sampler(sampler.strip()) if at else None
        found = get_algorithm(word.strip() or None, sampled=bool(at))
        name = algorithm.strip()
    if not isinstance(found, str) and found.needs_horizon and iterations is None:
        raise ConfigError(
            f"{found.name} plans its schedule over the whole run",
            option="iterations",
            given=iterations,
            remedy="give iterations, or leave it out",
        )
    return name, found, drawn


def _check_levels(levels: Sequence[float]) -> tuple[float, ...]:
    """The levels in the order they are reached; ConfigError if one is not positive."""
    wanted = several("levels", levels, "numbers above 0, such as [1e-3, 1e-6]")
    found = {finite_number("level", level) for level in wanted}
    for level in found:
        if level <= 0.0:
            raise ConfigError(
                f"a level is {level:g}; levels are more than 0, for instance 1e-3",
                option="level",
                given=level,
            )
    return tuple(sorted(found, reverse=True))


def _refuse_doubles(names: Sequence[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise ConfigError(
                f"{name} is named {names.count(name)} times; once is enough",
                option="algorithms",
                given=name,
            )


def _named(tell: OnProgress | None, name: str) -> OnProgress | None:
    """The same function, called with the name of the entry as the algorithm."""
    return None if tell is None else lambda progress: tell(replace(progress, algorithm=name))
